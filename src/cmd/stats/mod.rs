//! `actlog stats`: how much there is of what, and what could not be read.

mod count;
mod human;
mod json;
mod problem;

use std::sync::Arc;

use crate::cmd::Ending;
use crate::cmd::args::{By, Global, Stats};
use crate::cmd::load;
use crate::index::Index;
use crate::schema::catalog::Catalog;

/// Runs the command.
///
/// # Errors
/// Returns an error when standard output cannot be written.
pub fn run(args: &Stats, global: &Global) -> anyhow::Result<Ending> {
    let catalog = load::catalog(global)?;
    let index = load::index(&args.files, global, &catalog);
    report(&index, &catalog, args)
}

/// Prints the statistics of an index.
///
/// # Errors
/// Returns an error when standard output cannot be written.
pub fn report(index: &Arc<Index>, catalog: &Catalog, args: &Stats) -> anyhow::Result<Ending> {
    let report = Report::of(index, catalog, args);
    load::to_stdout(|out| match args.json {
        true => json::write(&report, args, out),
        false => human::write(&report, args, out),
    })?;
    let refused = load::complain_of_refused(index);
    Ok(match (refused, index.events()) {
        (true, _) => Ending::Refused,
        (false, 0) => Ending::Nothing,
        (false, _) => Ending::Found,
    })
}

/// What both forms of output show.
struct Report<'a> {
    index: &'a Index,
    bad: u64,
    by: Vec<(By, Vec<count::Tally>)>,
    first: Option<String>,
    last: Option<String>,
    problems: Vec<problem::Problem>,
    n_problems: usize,
}

impl<'a> Report<'a> {
    fn of(index: &'a Index, catalog: &Catalog, args: &Stats) -> Self {
        let mut kinds = vec![By::Type, By::Actor, By::Outcome];
        match args.by {
            Some(by) if args.json && !kinds.contains(&by) => kinds.push(by),
            Some(by) if !args.json => kinds = vec![by],
            _ => {}
        }
        let (first, last) = count::ends(index, index.segments().iter().map(|segment| &**segment));
        let most = if args.all { usize::MAX } else { 10 };
        let (problems, n_problems) = problem::list(index, most);
        let torn = index.files().iter().filter(|file| file.torn.is_some()).count() as u64;
        let by = kinds.into_iter().map(|by| (by, count::by(index, catalog, by))).collect();
        Self { index, bad: index.bad() + torn, by, first, last, problems, n_problems }
    }
}
