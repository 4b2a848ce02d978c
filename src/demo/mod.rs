//! Invented logs that look like real ones, for trying actlog without a file, for tests and benchmarks.
//!
//! [`write_to`] writes a log of any size: a fortnight of a site, from Monday 2026-03-02 to Sunday
//! 2026-03-15 (UTC). A larger log has the same fortnight with more people, more content and more
//! events an hour. The bytes depend on the [`DemoOptions`] only, not on the number of threads.
//! [`story`] tells what is hidden in it. No name, address or identifier is real: people are at
//! `example.com`, addresses are of the ranges kept for documentation, identifiers begin with
//! `dec0de`.
//!
//! Lines are in order of arrival: nearly all within two seconds of their time, about one in a
//! hundred minutes late, a few of a thousand hours late. Beside the documented attributes some
//! events have those that older and newer logs carry; see [`is_extra`].
//!
//! Threads are used in `parallel` only. Nothing here reads a clock, a file or the environment.

mod agenda;
mod attribute;
mod broken;
mod clock;
mod fill;
mod names;
mod op;
mod parallel;
mod plan;
mod render;
mod rng;
mod slice;
pub mod story;
mod template;
mod text;
mod thing;
mod values;
mod world;

use std::io::{self, Write};

use agenda::{Agenda, Jobs};
use fill::Filler;
use plan::Plan;
use render::Writer;
use rng::Rng;
use slice::{Slice, Slices};
use template::Templates;
pub use template::is_extra;
use world::World;

use crate::schema::catalog::Catalog;

/// What log to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemoOptions {
    /// How many events; from [`story::LEAST_EVENTS`] on the story is among them.
    pub events: u64,
    /// What makes one log different from another of the same size.
    pub seed: u64,
    /// How many broken lines are put between them.
    pub bad: u64,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self { events: 60_000, seed: 1, bad: 0 }
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Events.
    pub events: u64,
    /// Broken lines.
    pub bad: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Writes a log, on as many threads as help. Memory in use does not grow with the log.
///
/// # Errors
/// Fails with the first error of `out`.
pub fn write_to(
    options: &DemoOptions,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    write_on(n_threads.min(8), options, catalog, out)
}

/// Writes a log on so many threads; the bytes are the same for any number.
///
/// # Errors
/// Fails with the first error of `out`.
pub fn write_on(
    n_threads: usize,
    options: &DemoOptions,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> io::Result<Summary> {
    let mut summary = Summary { events: options.events, bad: options.bad, bytes: 0 };
    let mut templates = Templates::new(catalog);
    if templates.types.is_empty() {
        return Ok(Summary::default());
    }
    let scenes = agenda::scene_templates(&mut templates, catalog);
    let world = World::new(options.events, options.seed);
    let jobs = Jobs::new(&world, options.seed);
    let log = Log::new(*options, &world, &templates, &jobs, &scenes);
    let make = |part: u64, bytes: &mut Vec<u8>| {
        let first = part * log.batch;
        for slice in first..(first + log.batch).min(log.slices.len()) {
            log.slice(slice, bytes);
        }
    };
    let mut take = |bytes: &[u8]| {
        summary.bytes += bytes.len() as u64;
        out.write_all(bytes)
    };
    let n_parts = log.slices.len().div_ceil(log.batch);
    parallel::in_order(n_parts, n_threads, &make, &mut take)?;
    out.flush()?;
    Ok(summary)
}

/// Returns a log as bytes.
pub fn in_memory(options: &DemoOptions, catalog: &Catalog) -> Vec<u8> {
    let mut log = Vec::with_capacity((options.events as usize).saturating_mul(900).min(1 << 30));
    // Writing to memory does not fail.
    let _written = write_to(options, catalog, &mut log);
    log
}

/// Everything that the slices of one log are made from.
struct Log<'a> {
    options: DemoOptions,
    slices: Slices,
    agenda: Agenda,
    filler: Filler<'a>,
    writer: Writer<'a>,
    others: u64,
    /// How many slices a thread writes in one go.
    batch: u64,
}

impl<'a> Log<'a> {
    fn new(
        options: DemoOptions,
        world: &'a World,
        templates: &'a Templates,
        jobs: &'a Jobs,
        scenes: &[u32],
    ) -> Self {
        let filler = Filler::new(world, templates, jobs, options.seed);
        let mut agenda = Agenda::default();
        if story::LEAST_EVENTS <= options.events {
            agenda.add_story(world, scenes, &filler);
            agenda.add_renames(world, templates);
        }
        let others = options.events.saturating_sub(agenda.len() as u64);
        let slices = Slices::new(others);
        let batch = (1_500 * slices.len() / (others + 1)).clamp(1, 12);
        let writer = Writer { world, templates };
        Self { options, slices, agenda, filler, writer, others, batch }
    }

    fn slice(&self, number: u64, out: &mut Vec<u8>) {
        let slice = self.slices.get(number, self.others, self.options.bad);
        let start = out.len();
        for plan in self.plans(slice) {
            self.writer.event(&plan, out);
        }
        let mut rng = Rng::new(self.options.seed ^ 0xBAD, number);
        broken::sprinkle(out, start, slice.bad, &mut rng);
    }

    fn plans(&self, slice: Slice) -> Vec<Plan> {
        // What arrives after the fortnight ends is in the last slice.
        let last = slice.number + 1 == self.slices.len();
        let to = if last { i64::MAX } else { slice.to };
        let fixed = self.agenda.between(slice.from, to);
        let mut plans = Vec::with_capacity(slice.events + fixed.len());
        plans.extend_from_slice(fixed);
        self.filler.fill(slice, &mut plans);
        plans.sort_unstable_by_key(|plan| (plan.arrival, plan.seed));
        plans
    }
}
