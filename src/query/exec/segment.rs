//! A plan run over one segment.
//!
//! A mask says which rows are still in question; each test takes out those that fail.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::base::bits::Bits;
use crate::base::time::TimeRange;
use crate::index::Index;
use crate::index::segment::Segment;
use crate::query::exec::text::keep_text;
use crate::query::exec::values::{keep_attribute, keep_unknown};
use crate::query::filter::{Set, Test};
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
pub(crate) fn keep(node: &Node, view: &View<'_>, care: &mut Bits) {
    match node {
        Node::Everything => {}
        Node::All(parts) => {
            for part in parts {
                if !care.any() {
                    return;
                }
                keep(part, view, care);
            }
        }
        Node::Any(parts) => {
            let mut open = care.clone();
            care.clear();
            for part in parts {
                if !open.any() {
                    return;
                }
                let mut found = open.clone();
                keep(part, view, &mut found);
                care.or(&found);
                open.and_not(&found);
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
            let mut found = care.clone();
            keep_test(test, view, &mut found);
            care.and_not(&found);
        }
    }
}

/// Bad records neither pass nor fail most tests.
pub(crate) fn drop_bad(view: &View<'_>, care: &mut Bits) {
    let first = view.segment.first.at();
    view.segment.bad.iter().for_each(|bad| care.remove(bad.id.at() - first));
}

fn keep_test(test: &Test, view: &View<'_>, care: &mut Bits) {
    let columns = &view.segment.columns;
    match test {
        Test::Type(set) => keep_types(view.segment, set, care),
        Test::Actor(set) => keep_actors(view.segment, set, care),
        Test::Outcome(set) => keep_set(care, &columns.outcome, set.members(), set),
        Test::File(set) => {
            if !set.has(view.segment.file.0) {
                care.clear();
            }
        }
        Test::Time(range) => keep_range(view, *range, care),
        Test::Clock(start, end) => {
            keep_spells(view, care, |time| Spell::of_clock(time, *start, *end))
        }
        Test::Hours(bits) => keep_spells(view, care, |time| {
            let hour = time.rem_euclid(DAY) / HOUR;
            Spell::new(time, time.rem_euclid(HOUR), HOUR, bits >> hour & 1 == 1)
        }),
        Test::Weekdays(bits) => keep_spells(view, care, |time| {
            let day = (time.div_euclid(DAY) + 3).rem_euclid(7);
            Spell::new(time, time.rem_euclid(DAY), DAY, bits >> day & 1 == 1)
        }),
        Test::Flag(flag) if *flag == Flags::FAILED => care.and(&view.segment.stats.failed_rows),
        Test::Flag(flag) => {
            if view.segment.stats.any_flags.has(*flag) {
                care.keep_where(&columns.flags, |flags| flags & flag.0 == flag.0);
            } else {
                care.clear();
            }
        }
        Test::Text(text) => keep_text(text, view, care),
        Test::Attribute(test) => keep_attribute(test, view, care),
        Test::Unknown(types) => keep_unknown(types, view, care),
    }
}

const HOUR: i64 = DAY / 24;

fn keep_types(segment: &Segment, set: &Set, care: &mut Bits) {
    let types = &segment.stats.types;
    let column = &segment.columns.event_type;
    let narrow = |id: &u32| u16::try_from(*id).is_ok_and(|id| segment.stats.has_type(id));
    if set.members().len() <= FEW && FEW < types.len() {
        let wanted: Vec<u32> = set.members().iter().copied().filter(narrow).collect();
        return keep_set(care, column, &wanted, set);
    }
    let wanted: Vec<u32> =
        types.iter().map(|&id| u32::from(id)).filter(|&id| set.has(id)).collect();
    if wanted.len() == types.len() {
        return;
    }
    if wanted.len() <= FEW || types.last().is_some_and(|&last| 255 < last) {
        keep_set(care, column, &wanted, set);
        return;
    }
    // Low numbers have a place in a table, which is quicker than a set.
    let mut table = [false; 256];
    wanted.iter().for_each(|&id| table[id as usize & 255] = true);
    care.keep_where(column, |id| table[usize::from(id) & 255]);
}

fn keep_actors(segment: &Segment, set: &Set, care: &mut Bits) {
    let column = &segment.columns.actor;
    let Some(sums) = segment.stats.actor_sums.as_deref() else {
        return keep_set(care, column, set.members(), set);
    };
    let occurs = |id: u32| sums.binary_search_by_key(&id, |sum| sum.id).is_ok();
    let wanted: Vec<u32> = if set.members().len() < sums.len() {
        set.members().iter().copied().filter(|&id| occurs(id)).collect()
    } else {
        sums.iter().map(|sum| sum.id).filter(|&id| set.has(id)).collect()
    };
    keep_set(care, column, &wanted, set);
}

/// So many values are compared one by one.
const FEW: usize = 2;

/// Keeps the rows with a value of `set`; of that, `wanted` are those that can occur.
fn keep_set<T: Copy + Into<u32> + TryFrom<u32> + PartialEq>(
    care: &mut Bits,
    column: &[T],
    wanted: &[u32],
    set: &Set,
) {
    let narrow = |id: u32| T::try_from(id).ok();
    match *wanted {
        [] => care.clear(),
        [a] => match narrow(a) {
            Some(a) => care.keep_where(column, |id| id == a),
            None => care.clear(),
        },
        [a, b] => match (narrow(a), narrow(b)) {
            (Some(a), Some(b)) => care.keep_where(column, |id| (id == a) | (id == b)),
            (Some(one), None) | (None, Some(one)) => care.keep_where(column, |id| id == one),
            (None, None) => care.clear(),
        },
        _ => care.keep_where(column, |id| set.has(id.into())),
    }
}

fn keep_range(view: &View<'_>, range: TimeRange, care: &mut Bits) {
    let stats = &view.segment.stats;
    let time = &view.segment.columns.time;
    let (start, end) = (range.start.0, range.end.0);
    let all_timed = !stats.any_flags.has(Flags::NO_TIME) && !stats.any_flags.has(Flags::BAD);
    if stats.max_time < start || stats.min_time >= end || end <= start {
        care.clear();
    } else if all_timed && start <= stats.min_time && stats.max_time < end {
        // The whole segment lies inside.
    } else if stats.is_sorted {
        let from = if start <= stats.min_time { 0 } else { time.partition_point(|&t| t < start) };
        let to = time.partition_point(|&t| t < end);
        care.keep_range(from..to.max(from));
    } else {
        care.keep_where(time, |t| (start <= t) & (t < end));
    }
}

/// A time during which a test of clocks or days has the same answer.
struct Spell {
    start: i64,
    end: i64,
    is_in: bool,
}

impl Spell {
    /// Returns the spell of `len` that began so long before `time`.
    const fn new(time: i64, since: i64, len: i64, is_in: bool) -> Self {
        let start = time.saturating_sub(since);
        Self { start, end: time.saturating_add(len - since), is_in }
    }

    #[inline]
    const fn has(&self, time: i64) -> bool {
        (self.start <= time) & (time < self.end)
    }

    const fn of_clock(time: i64, start: i64, end: i64) -> Self {
        let since = (time.rem_euclid(DAY) - start).rem_euclid(DAY);
        let len = end - start;
        if since < len {
            // A range of more than a day has no end.
            let len = if DAY <= len { since + 1 } else { len };
            Self::new(time, since, len, true)
        } else {
            Self::new(time, since - len, DAY - len, false)
        }
    }
}

/// Times next to one another mostly lie in the same spell: it is not looked up anew for each.
fn keep_spells(view: &View<'_>, care: &mut Bits, spell_of: impl Fn(i64) -> Spell) {
    let time = &view.segment.columns.time;
    let mut spell = Spell { start: 0, end: 0, is_in: false };
    care.keep_chunks(time, |chunk| {
        if chunk.iter().fold(true, |all, &t| all & spell.has(t)) {
            return if spell.is_in { u64::MAX } else { 0 };
        }
        chunk.iter().enumerate().fold(0, |bits, (at, &t)| {
            if !spell.has(t) && t != i64::MAX {
                spell = spell_of(t);
            }
            bits | u64::from(spell.is_in && t != i64::MAX) << at
        })
    });
}
