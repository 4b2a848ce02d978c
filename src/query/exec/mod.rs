//! Plans over all segments: on two threads, in blocks, cancellable, first results early.

pub(crate) mod segment;
pub(crate) mod text;
mod values;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::base::bits::Bits;
use crate::base::cancel::CancelToken;
use crate::index::Index;
use crate::query::collect::{Plans, Rows, Span, Sums, add_spans, collect};
use crate::query::exec::segment::View;
use crate::query::filter::Cost;

/// Threads that a query may use.
pub(crate) const THREADS: usize = 2;

/// Rows below which a second thread costs more than it saves.
const ALONE: u32 = 100_000;

/// Segments of the first block of a query that reads records.
const FIRST_BLOCK: usize = 4;

/// Segments that a thread takes at once, at most.
const HANDFUL: usize = 8;

/// What was found so far.
#[derive(Clone)]
pub(crate) struct Found {
    /// The rows that match, in file order; unused where all do.
    pub(crate) matched: Bits,
    /// Those that match all chips but the histogram's; unused where those are all or the same.
    pub(crate) for_time: Bits,
    pub(crate) sums: Sums,
}

/// One way through some segments.
#[derive(Clone)]
pub(crate) struct Pass<'a> {
    pub(crate) index: &'a Index,
    pub(crate) range: Range<usize>,
    pub(crate) threads: usize,
    pub(crate) cancel: &'a CancelToken,
}

/// Runs plans over segments. `partly` is called between blocks with what was found so far. Returns
/// `None` when cancelled.
pub(crate) fn run(pass: &Pass<'_>, plans: &Plans, partly: &mut dyn FnMut(&Found)) -> Option<Found> {
    let cost = plans.all().iter().map(|node| node.cost()).max().unwrap_or(Cost::Column);
    let rows = if plans.is_everything() { 0 } else { pass.index.rows() as usize };
    let shown = if plans.is_two_fold() { rows } else { 0 };
    let (matched, for_time) = (Bits::with_room(rows), Bits::with_room(shown));
    let mut found = Found { matched, for_time, sums: Sums::new(pass.index) };
    let segments = pass.range.end;
    let (mut done, mut block) = (0, if cost == Cost::Column { segments } else { FIRST_BLOCK });
    while done < segments {
        let end = (done + block).min(segments);
        run_block(&Pass { range: done..end, ..pass.clone() }, plans, &mut found)?;
        done = end;
        block = (block * 2).min(256);
        if done < segments {
            partly(&found);
        }
    }
    Some(found)
}

fn run_block(pass: &Pass<'_>, plans: &Plans, found: &mut Found) -> Option<()> {
    let work = |number: usize, sums: &mut Sums| {
        let segment = pass.index.segments().get(number)?;
        Some(collect(plans, &View::new(pass.index, segment), sums))
    };
    let parts = in_parallel(pass, || Sums::new(pass.index), &work)?;
    let mut rows: Vec<(usize, Rows)> = Vec::new();
    for (sums, some) in parts {
        found.sums.merge(&sums);
        rows.extend(some);
    }
    if plans.is_everything() {
        return Some(());
    }
    rows.sort_unstable_by_key(|(number, _)| *number);
    let append = |to: &mut Bits, rows: &Option<Bits>, number: usize| match rows {
        Some(rows) => to.append(rows),
        None => {
            let segment = pass.index.segments().get(number);
            to.append(&Bits::full(segment.map_or(0, |segment| segment.columns.rows())));
        }
    };
    let differs = plans.is_two_fold();
    for (number, rows) in &rows {
        append(&mut found.matched, &rows.matched, *number);
        if differs {
            append(&mut found.for_time, &rows.for_time, *number);
        }
    }
    Some(())
}

/// Returns the first and last times of each actor, over the rows that the pane of actors shows.
pub(crate) fn spans(pass: &Pass<'_>, plans: &Plans) -> Option<Vec<Span>> {
    let none = || vec![Span::default(); pass.index.n_actors()];
    let work = |number: usize, spans: &mut Vec<Span>| {
        let segment = pass.index.segments().get(number)?;
        add_spans(plans, &View::new(pass.index, segment), spans);
        Some(())
    };
    let mut all = none();
    for (spans, _) in in_parallel(pass, none, &work)? {
        all.iter_mut().zip(&spans).for_each(|(to, from)| to.merge(from));
    }
    Some(all)
}

/// Does two things at a time where there is more than one thread.
pub(crate) fn in_pair<A: Send, B>(
    threads: usize,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    if threads < 2 {
        return (one(), other());
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(one);
        let second = other();
        let first = first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (first, second)
    })
}

/// What one thread gathered: its own state, and a result for each segment it took.
type Part<S, T> = (S, Vec<(usize, T)>);

/// Calls `work` for each segment of a pass, on several threads when that pays. Returns what each
/// thread gathered, or `None` when cancelled.
pub(crate) fn in_parallel<S: Send, T: Send>(
    pass: &Pass<'_>,
    start: impl Fn() -> S + Sync,
    work: &(impl Fn(usize, &mut S) -> Option<T> + Sync),
) -> Option<Vec<Part<S, T>>> {
    let range = pass.range.clone();
    let next = AtomicUsize::new(range.start);
    let is_small = pass.index.rows() < ALONE && range.len() < 4 && pass.threads == THREADS;
    let threads = if is_small { 1 } else { pass.threads };
    let handful = (range.len() / (threads * 4)).clamp(1, HANDFUL);
    let one = || {
        let mut state = start();
        let mut results = Vec::new();
        loop {
            let first = next.fetch_add(handful, Ordering::Relaxed);
            if first >= range.end || pass.cancel.is_cancelled() {
                return (state, results);
            }
            for number in first..(first + handful).min(range.end) {
                if let Some(result) = work(number, &mut state) {
                    results.push((number, result));
                }
            }
        }
    };
    let parts = Mutex::new(Vec::new());
    let keep = |part| parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| keep(one()));
        }
        keep(one());
    });
    let parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    (!pass.cancel.is_cancelled()).then_some(parts)
}
