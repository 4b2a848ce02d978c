//! One piece of work, done where it is called.

use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::id::EventId;
use crate::jobs::msg::{Base, Outcome, Payload, Quarry, Request, Walk};
use crate::jobs::{detail, labels, problems};
use crate::query::ask::{self, Question};
use crate::query::ast::Case;
use crate::query::needle::Needle;
use crate::record::head::Flags;

/// Events looked at between two looks at the token.
const BLOCK: usize = 1 << 12;

/// Bytes searched between two reports.
const REPORT: u64 = 32 << 20;

/// Does what was asked; everything but the last outcome is partial.
pub fn run(request: &Request, cancel: &CancelToken, tell: &mut dyn FnMut(Outcome)) {
    let end = match request {
        Request::Ask { base, question, now } => {
            let mut partial = |answer| tell(Outcome::Partial(Payload::Answer(Arc::new(answer))));
            ask(base, question, now, cancel, &mut partial)
        }
        Request::Search { base, walk, needle } => search(base, walk, needle, cancel, tell),
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
    match ask::ask(&base.index, &base.catalog, question, now, cancel, partial) {
        Some(answer) => Outcome::Done(Payload::Answer(Arc::new(answer))),
        None => Outcome::Cancelled,
    }
}

fn search(
    base: &Base,
    walk: &Walk,
    needle: &str,
    cancel: &CancelToken,
    tell: &mut dyn FnMut(Outcome),
) -> Outcome {
    let needle = Needle::new(needle, Case::Ignored);
    let total = walk.matches.len() as u64;
    let (mut looked_at, mut bytes) = (0, 0);
    for position in walk.positions() {
        if cancel.is_cancelled() {
            return Outcome::Cancelled;
        }
        let Some(id) = walk.at(position) else { continue };
        // A record that cannot be read holds nothing.
        let Ok(record) = base.index.record(id) else { continue };
        if needle.find(&record).is_some() {
            return Outcome::Done(Payload::Found(Some(id)));
        }
        looked_at += 1;
        bytes += record.len() as u64;
        if REPORT <= bytes {
            bytes = 0;
            tell(Outcome::Partial(Payload::Searched(looked_at, total)));
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
