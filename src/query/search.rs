//! Searching inside what is shown: the next event whose text has a needle.
//!
//! Search moves the cursor and filters nothing. The text of an event is what
//! [`TextTest`] means by it, as in a filter.

use crate::base::cancel::CancelToken;
use crate::base::id::EventId;
use crate::query::ask::Matches;
use crate::query::ast::Case;
use crate::query::exec::text::record_has;
use crate::query::filter::TextTest;
use crate::query::needle::Needle;

/// Positions looked at between two looks at the cancel token.
const BLOCK: usize = 4096;

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To higher positions.
    Forward,
    /// To lower positions.
    Backward,
}

/// In which order positions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By time.
    Time,
    /// As in the files.
    File,
}

/// Where to look.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    /// The events that are shown.
    pub matches: &'a Matches,
    /// How they are ordered.
    pub order: Order,
    /// The first position to look at.
    pub from: usize,
    /// Which way to go.
    pub direction: Direction,
    /// How many positions to look at, at most.
    pub most: usize,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The first hit: its position and event.
    Hit(usize, EventId),
    /// Nothing up to the end or as far as was asked; it does not wrap.
    Nothing,
    /// Newer work took its place.
    Cancelled,
}

/// Looks for `text`, in any case, from a position on; the empty text is nowhere. `on_progress` gets
/// the number of positions that were looked at.
pub fn search(
    walk: &Walk<'_>,
    text: &str,
    cancel: &CancelToken,
    on_progress: &mut dyn FnMut(usize),
) -> Outcome {
    let len = walk.matches.len();
    if text.is_empty() || len == 0 {
        return Outcome::Nothing;
    }
    let test = TextTest::Piece(Needle::new(text, Case::Ignored));
    let positions: Box<dyn Iterator<Item = usize>> = match walk.direction {
        Direction::Forward => Box::new(walk.from..len),
        Direction::Backward => Box::new((0..walk.from.saturating_add(1).min(len)).rev()),
    };
    for (looked_at, position) in positions.take(walk.most).enumerate() {
        if looked_at % BLOCK == 0 {
            if cancel.is_cancelled() {
                return Outcome::Cancelled;
            }
            on_progress(looked_at);
        }
        let id = match walk.order {
            Order::Time => walk.matches.at(position),
            Order::File => walk.matches.at_in_file_order(position),
        };
        let Some(id) = id else { continue };
        if event_has(walk.matches, id, &test) {
            return Outcome::Hit(position, id);
        }
    }
    Outcome::Nothing
}

/// Returns whether the text of an event has `text`, in any case: what a list highlights.
pub fn is_hit(matches: &Matches, id: EventId, text: &str) -> bool {
    let test = TextTest::Piece(Needle::new(text, Case::Ignored));
    !text.is_empty() && event_has(matches, id, &test)
}

/// What cannot be read any more has no text.
fn event_has(matches: &Matches, id: EventId, test: &TextTest) -> bool {
    let index = matches.index();
    let flags = index.row(id).flags;
    index.record(id).is_ok_and(|record| record_has(test, &record, flags))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::build::from_bytes;

    fn matches() -> Matches {
        let line = |time: &str, name: &str| {
            format!(
                "{{\"eventType\":\"t\",\"eventTime\":\"2026-03-02T08:00:0{time}Z\",\"n\":\"{name}\"}}\n"
            )
        };
        let log = [line("3", "Alpha"), line("1", "beta"), line("2", "\\u0061LPHA"), line("4", "x")];
        Matches::all(from_bytes("a", log.concat().into_bytes(), &["t"]))
    }

    #[test]
    fn hits_are_found_in_either_direction_and_order() {
        let matches = matches();
        let find = |order, direction, from, text: &str| {
            let walk = Walk { matches: &matches, order, from, direction, most: 9 };
            search(&walk, text, &CancelToken::never(), &mut |_| {})
        };
        let hit = |position, id| Outcome::Hit(position, EventId(id));
        // In time order the rows are 1, 2, 0, 3.
        for (order, direction, from, text, expected) in [
            (Order::Time, Direction::Forward, 0, "alpha", hit(1, 2)),
            (Order::Time, Direction::Forward, 2, "alpha", hit(2, 0)),
            (Order::Time, Direction::Forward, 3, "alpha", Outcome::Nothing),
            (Order::Time, Direction::Backward, 1, "ALPHA", hit(1, 2)),
            (Order::File, Direction::Forward, 1, "alpha", hit(2, 2)),
            (Order::File, Direction::Backward, 9, "beta", hit(1, 1)),
            (Order::File, Direction::Backward, 0, "beta", Outcome::Nothing),
            (Order::Time, Direction::Forward, 0, "", Outcome::Nothing),
        ] {
            assert_eq!(find(order, direction, from, text), expected, "{text} from {from}");
        }
    }

    #[test]
    fn search_stays_inside_what_is_shown_and_stops_when_cancelled() {
        let all = matches();
        let some = Matches::some(Arc::clone(all.index()), &[EventId(1), EventId(2)]);
        let (order, direction) = (Order::Time, Direction::Forward);
        let walk = |matches| Walk { matches, order, from: 0, direction, most: 4 };
        let found = search(&walk(&some), "alpha", &CancelToken::never(), &mut |_| {});
        assert_eq!(found, Outcome::Hit(1, EventId(2)));
        let source = crate::base::cancel::CancelSource::default();
        let token = source.renew();
        source.cancel();
        assert_eq!(search(&walk(&all), "x", &token, &mut |_| {}), Outcome::Cancelled);
    }
}
