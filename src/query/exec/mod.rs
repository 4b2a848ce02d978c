//! Plans over all segments: two threads, in blocks, cancellable, first results early.

pub(crate) mod segment;
pub(crate) mod text;
mod values;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::base::cancel::CancelToken;
use crate::base::id::EventId;
use crate::index::Index;
use crate::query::collect::{Counts, Plans, collect};
use crate::query::exec::segment::View;
use crate::query::filter::Cost;
use crate::query::mask;

/// Threads that a query may use.
const THREADS: usize = 2;

/// Rows below which a second thread costs more than it saves.
const ALONE: u32 = 100_000;

/// Segments of the first block of a query that reads records.
const FIRST_BLOCK: usize = 4;

/// What was found so far.
pub(crate) struct Found {
    /// In file order.
    pub(crate) ids: Vec<EventId>,
    pub(crate) counts: Counts,
}

/// Runs plans over an index. `partly` is called between blocks with what was found so far. Returns
/// `None` when cancelled.
pub(crate) fn run(
    index: &Index,
    plans: &Plans,
    empty: &Counts,
    cancel: &CancelToken,
    partly: &mut dyn FnMut(&Found),
) -> Option<Found> {
    let cost = plans.all().iter().map(|node| node.cost()).max().unwrap_or(Cost::Column);
    let mut found = Found { ids: Vec::new(), counts: empty.clone() };
    let segments = index.segments().len();
    let (mut done, mut block) = (0, if cost == Cost::Column { segments } else { FIRST_BLOCK });
    while done < segments {
        let end = (done + block).min(segments);
        run_block(index, plans, done..end, empty, cancel, &mut found)?;
        done = end;
        block = (block * 2).min(256);
        if done < segments {
            partly(&found);
        }
    }
    Some(found)
}

fn run_block(
    index: &Index,
    plans: &Plans,
    range: std::ops::Range<usize>,
    empty: &Counts,
    cancel: &CancelToken,
    found: &mut Found,
) -> Option<()> {
    let wants_ids = !plans.is_everything();
    let work = |number: usize, counts: &mut Counts| {
        let segment = index.segments().get(number)?;
        let view = View::new(index, segment);
        let matched = collect(plans, &view, counts);
        let mut ids = Vec::new();
        if wants_ids && mask::any(&matched) {
            mask::each(&matched, |row| {
                // A row's number fits: the index counts rows in 32 bits.
                ids.push(EventId(segment.first.0 + u32::try_from(row).unwrap_or(0)));
            });
        }
        Some(ids)
    };
    let parts = in_parallel(index, range, cancel, || empty.clone(), &work)?;
    let mut ids = Vec::new();
    for (counts, some) in parts {
        found.counts.merge(&counts);
        ids.extend(some);
    }
    ids.sort_unstable_by_key(|(number, _)| *number);
    ids.into_iter().for_each(|(_, some)| found.ids.extend(some));
    Some(())
}

/// What one thread gathered: its own state, and a result for each segment it took.
type Part<S, T> = (S, Vec<(usize, T)>);

/// Calls `work` for each segment of a range, on two threads when that pays. Returns what each thread
/// gathered, or `None` when cancelled.
pub(crate) fn in_parallel<S: Send, T: Send>(
    index: &Index,
    range: std::ops::Range<usize>,
    cancel: &CancelToken,
    start: impl Fn() -> S + Sync,
    work: &(impl Fn(usize, &mut S) -> Option<T> + Sync),
) -> Option<Vec<Part<S, T>>> {
    let next = AtomicUsize::new(range.start);
    let one = || {
        let mut state = start();
        let mut results = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= range.end || cancel.is_cancelled() {
                return (state, results);
            }
            if let Some(result) = work(number, &mut state) {
                results.push((number, result));
            }
        }
    };
    let threads = if index.rows() < ALONE && range.len() < 4 { 1 } else { THREADS };
    let parts = Mutex::new(Vec::new());
    let keep = |part| parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| keep(one()));
        }
        keep(one());
    });
    let parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    (!cancel.is_cancelled()).then_some(parts)
}
