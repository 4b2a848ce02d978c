//! One piece of work, done where it is called.

use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::id::EventId;
use crate::jobs::msg::{Base, Direction, Order, Outcome, Payload, Quarry, Request, Walk};
use crate::jobs::{detail, labels, lists, problems};
use crate::query::ask::{self, Asker, Question};
use crate::query::search;
use crate::record::head::Flags;

/// Events looked at between two looks at the token.
const BLOCK: usize = 1 << 12;

/// Does what was asked; everything but the last outcome is partial.
pub fn run(request: &Request, cancel: &CancelToken, tell: &mut dyn FnMut(Outcome)) {
    let end = match request {
        Request::Ask { base, question, now } => {
            let mut partial = |answer| tell(Outcome::Partial(Payload::Answer(Arc::new(answer))));
            ask(base, question, now, cancel, &mut partial)
        }
        Request::Spans { base, chips, now } => match asker(base, now).spans(chips, cancel) {
            Some(spans) => Outcome::Done(Payload::Spans(Arc::new(spans))),
            None => Outcome::Cancelled,
        },
        Request::Search { walk, needle } => search(walk, needle, cancel, tell),
        Request::Step { base, walk, quarry, count } => step(base, walk, *quarry, *count, cancel),
        Request::Detail { base, id } => detail::read(base, *id),
        Request::Labels { base, ids } => labels::read(base, ids, cancel),
        Request::Problems { base } => problems::list(base, cancel),
    };
    tell(end);
}

fn ask(
    base: &Base,
    question: &Question,
    now: &ask::Now,
    cancel: &CancelToken,
    partial: &mut dyn FnMut(ask::Answer),
) -> Outcome {
    match asker(base, now).ask(question, cancel, partial) {
        Some(answer) => Outcome::Done(Payload::Answer(Arc::new(answer))),
        None => Outcome::Cancelled,
    }
}

fn asker<'a>(base: &'a Base, now: &ask::Now) -> Asker<'a> {
    let (index, catalog) = (&base.index, &base.catalog);
    Asker { index, catalog, now: *now, lists: Some(&lists::read) }
}

/// Searches from beside the start to the end, then from the other end to the start itself.
fn search(
    walk: &Walk,
    needle: &str,
    cancel: &CancelToken,
    tell: &mut dyn FnMut(Outcome),
) -> Outcome {
    let len = walk.matches.len();
    let from = walk.from.min(len.saturating_sub(1));
    // Where each leg begins, and its positions.
    let (direction, legs) = match walk.direction {
        Direction::Forward => {
            let ahead = len.saturating_sub(from + 1);
            (search::Direction::Forward, [(from + 1, ahead), (0, len - ahead)])
        }
        Direction::Backward => {
            let behind = len - from;
            (search::Direction::Backward, [(from.saturating_sub(1), from), (len, behind)])
        }
    };
    let order = match walk.order {
        Order::Time => search::Order::Time,
        Order::File => search::Order::File,
    };
    let mut before = 0;
    for (from, most) in legs {
        let leg = search::Walk { matches: &walk.matches, order, from, direction, most };
        let mut progress = |done: usize| {
            tell(Outcome::Partial(Payload::Searched((before + done) as u64, len as u64)));
        };
        match search::search(&leg, needle, cancel, &mut progress) {
            search::Outcome::Hit(_, id) => return Outcome::Done(Payload::Found(Some(id))),
            search::Outcome::Cancelled => return Outcome::Cancelled,
            search::Outcome::Nothing => before += most,
        }
    }
    Outcome::Done(Payload::Found(None))
}

fn step(base: &Base, walk: &Walk, quarry: Quarry, count: usize, cancel: &CancelToken) -> Outcome {
    let index = &base.index;
    let wanted = |id: EventId| match quarry {
        Quarry::Failure => index.row(id).flags.has(Flags::FAILED),
        Quarry::TypeOf(like) => index.row(id).event_type == index.row(like).event_type,
    };
    let mut left = count.max(1);
    let mut found = None;
    for (n, position) in walk.positions().enumerate() {
        if n % BLOCK == 0 && cancel.is_cancelled() {
            return Outcome::Cancelled;
        }
        if position == walk.from {
            break;
        }
        if let Some(id) = walk.at(position).filter(|&id| wanted(id)) {
            found = Some(id);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    Outcome::Done(Payload::Found(found))
}
