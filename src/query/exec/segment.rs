//! A plan run over one segment.
//!
//! A mask says which rows are still in question; each test takes out those that fail.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::base::time::TimeRange;
use crate::index::Index;
use crate::index::segment::Segment;
use crate::query::exec::text::keep_text;
use crate::query::exec::values::{keep_attribute, keep_unknown};
use crate::query::filter::{Set, Test};
use crate::query::mask;
use crate::query::naive::in_clock;
use crate::query::plan::{Node, Polarity, applies_to_bad};
use crate::query::when::DAY;
use crate::record::head::Flags;

/// A segment and, once they are wanted, its bytes.
pub(crate) struct View<'a> {
    pub(crate) index: &'a Index,
    pub(crate) segment: &'a Segment,
    bytes: OnceCell<Cow<'a, [u8]>>,
}

impl<'a> View<'a> {
    pub(crate) const fn new(index: &'a Index, segment: &'a Segment) -> Self {
        Self { index, segment, bytes: OnceCell::new() }
    }

    pub(crate) fn rows(&self) -> usize {
        self.segment.columns.rows()
    }

    /// Returns the bytes from the segment's base to the end of its last record; none when the file
    /// cannot be read any more.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get_or_init(|| {
            let columns = &self.segment.columns;
            let ends = columns.offset.last().zip(columns.len.last());
            let len = ends.map_or(0, |(&offset, &len)| u64::from(offset) + u64::from(len));
            let base = self.segment.base;
            let file = self.index.sources().files.get(self.segment.file.at());
            let read = file.and_then(|file| file.bytes(base..base + len).ok());
            read.unwrap_or(Cow::Borrowed(&[]))
        })
    }

    /// Returns the bytes of a row's record.
    pub(crate) fn record(&self, row: usize) -> &[u8] {
        let start = self.segment.columns.offset[row] as usize;
        let end = start + self.segment.columns.len[row] as usize;
        self.bytes().get(start..end).unwrap_or(&[])
    }

    pub(crate) fn flags(&self, row: usize) -> Flags {
        Flags(self.segment.columns.flags[row])
    }
}

/// Takes out of `care` the rows that do not match.
pub(crate) fn keep(node: &Node, view: &View<'_>, care: &mut [u8]) {
    match node {
        Node::Everything => {}
        Node::All(parts) => {
            for part in parts {
                if !mask::any(care) {
                    return;
                }
                keep(part, view, care);
            }
        }
        Node::Any(parts) => {
            let mut open = care.to_vec();
            care.fill(0);
            for part in parts {
                if !mask::any(&open) {
                    return;
                }
                let mut found = open.clone();
                keep(part, view, &mut found);
                mask::or(care, &found);
                mask::and_not(&mut open, &found);
            }
        }
        Node::Test(test, Polarity::Is) => {
            keep_test(test, view, care);
            if !applies_to_bad(test) {
                drop_bad(view, care);
            }
        }
        Node::Test(test, Polarity::IsNot) => {
            if !applies_to_bad(test) {
                drop_bad(view, care);
            }
            let mut found = care.to_vec();
            keep_test(test, view, &mut found);
            mask::and_not(care, &found);
        }
    }
}

/// Bad records neither pass nor fail most tests.
pub(crate) fn drop_bad(view: &View<'_>, care: &mut [u8]) {
    if view.segment.stats.any_flags.has(Flags::BAD) {
        for (one, &flags) in care.iter_mut().zip(&view.segment.columns.flags) {
            *one &= u8::from(flags & Flags::BAD.0 == 0);
        }
    }
}

fn keep_test(test: &Test, view: &View<'_>, care: &mut [u8]) {
    let columns = &view.segment.columns;
    match test {
        Test::Type(set) => {
            if set.members().iter().any(|&id| view.segment.stats.has_type(id as u16)) {
                keep_set(care, &columns.event_type, set);
            } else {
                care.fill(0);
            }
        }
        Test::Actor(set) => keep_set(care, &columns.actor, set),
        Test::Outcome(set) => keep_set(care, &columns.outcome, set),
        Test::File(set) => {
            if !set.has(view.segment.file.0) {
                care.fill(0);
            }
        }
        Test::Time(range) => keep_range(view, *range, care),
        Test::Clock(start, end) => {
            keep_times(view, care, |time| in_clock(time.rem_euclid(DAY), *start, *end));
        }
        Test::Hours(bits) => {
            keep_times(view, care, |time| bits >> (time.rem_euclid(DAY) / (DAY / 24)) & 1 == 1);
        }
        Test::Weekdays(bits) => {
            keep_times(view, care, |time| {
                bits >> (time.div_euclid(DAY) + 3).rem_euclid(7) & 1 == 1
            });
        }
        Test::Flag(flag) => {
            if view.segment.stats.any_flags.has(*flag) {
                let wanted = flag.0;
                for (one, &flags) in care.iter_mut().zip(&columns.flags) {
                    *one &= u8::from(flags & wanted == wanted);
                }
            } else {
                care.fill(0);
            }
        }
        Test::Text(text) => keep_text(text, view, care),
        Test::Attribute(test) => keep_attribute(test, view, care),
        Test::Unknown(types) => keep_unknown(types, view, care),
    }
}

fn keep_set<T: Copy + Into<u32> + TryFrom<u32> + PartialEq>(
    care: &mut [u8],
    column: &[T],
    set: &Set,
) {
    let narrow = |at: usize| set.members().get(at).and_then(|&id| T::try_from(id).ok());
    match (set.members().len(), narrow(0), narrow(1)) {
        (0, ..) => care.fill(0),
        (1, Some(a), _) => {
            care.iter_mut().zip(column).for_each(|(one, &id)| *one &= u8::from(id == a));
        }
        (2, Some(a), Some(b)) => {
            let pairs = care.iter_mut().zip(column);
            pairs.for_each(|(one, &id)| *one &= u8::from(id == a) | u8::from(id == b));
        }
        _ => {
            let pairs = care.iter_mut().zip(column);
            pairs.for_each(|(one, &id)| *one &= u8::from(set.has(id.into())));
        }
    }
}

fn keep_range(view: &View<'_>, range: TimeRange, care: &mut [u8]) {
    let stats = &view.segment.stats;
    let time = &view.segment.columns.time;
    let (start, end) = (range.start.0, range.end.0);
    if stats.max_time < start || stats.min_time >= end || end <= start {
        care.fill(0);
    } else if stats.is_sorted {
        let from = if start <= stats.min_time { 0 } else { time.partition_point(|&t| t < start) };
        let to = time.partition_point(|&t| t < end);
        care[..from].fill(0);
        care[to.max(from)..].fill(0);
    } else {
        for (one, &t) in care.iter_mut().zip(time) {
            *one &= u8::from(start <= t) & u8::from(t < end);
        }
    }
}

fn keep_times(view: &View<'_>, care: &mut [u8], test: impl Fn(i64) -> bool) {
    for (one, &time) in care.iter_mut().zip(&view.segment.columns.time) {
        if *one != 0 && (time == i64::MAX || !test(time)) {
            *one = 0;
        }
    }
}
