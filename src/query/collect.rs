//! What is taken from matches: counts by type and actor, and the histogram.
//!
//! Each pane's counts ignore the chips of that pane, so that choosing one type does not zero the
//! others. This is the one place that knows the rule.

use crate::base::time::{TimeRange, Timestamp};
use crate::index::Index;
use crate::query::ast::{Expr, TermKind};
use crate::query::exec::segment::{View, keep};
use crate::query::fields::{FieldKind, find};
use crate::query::mask::{self, Mask};
use crate::query::plan::Node;
use crate::record::head::Flags;

/// Which pane a chip belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Facet {
    /// The catalogue of types.
    Types,
    /// The list of actors.
    Actors,
    /// The histogram.
    Time,
    /// None of them.
    Other,
}

/// Returns the pane that a filter belongs to: that of its fields, if they all have the same.
pub fn facet_of(expr: &Expr) -> Facet {
    let mut facets = Vec::new();
    expr.each_term(&mut |term| {
        facets.push(match &term.kind {
            TermKind::Field(field) => match find(&field.name).map(|known| known.kind) {
                Some(FieldKind::Type | FieldKind::Category) => Facet::Types,
                Some(FieldKind::Actor) => Facet::Actors,
                Some(FieldKind::Time) => Facet::Time,
                _ => Facet::Other,
            },
            TermKind::Text(_) => Facet::Other,
        });
    });
    match facets.first() {
        Some(&first) if facets.iter().all(|&facet| facet == first) => first,
        _ => Facet::Other,
    }
}

/// Counts of a group of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Events.
    pub events: u32,
    /// Those that tell of a failure.
    pub failed: u32,
    /// The earliest time, or `i64::MAX`.
    pub first: i64,
    /// The latest time, or `i64::MIN`.
    pub last: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { events: 0, failed: 0, first: i64::MAX, last: i64::MIN }
    }
}

impl Tally {
    fn add(&mut self, time: i64, failed: u32) {
        self.events += 1;
        self.failed += failed;
        if time != i64::MAX {
            self.first = self.first.min(time);
            self.last = self.last.max(time);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.events += other.events;
        self.failed += other.failed;
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

/// Events by time. Bucket `n` starts at `window.start + n * width`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The span of all buckets.
    pub window: TimeRange,
    /// Nanoseconds of a bucket.
    pub width: i64,
    /// Events in each bucket.
    pub all: Vec<u32>,
    /// Events in each bucket that tell of a failure.
    pub failed: Vec<u32>,
    /// Events before the window.
    pub before: u64,
    /// Events after it.
    pub after: u64,
    /// Events without a usable time.
    pub no_time: u64,
}

impl Histogram {
    pub(crate) fn new(window: TimeRange, width: i64) -> Self {
        let span = i128::from(window.end.0) - i128::from(window.start.0);
        let buckets = usize::try_from(span / i128::from(width.max(1))).unwrap_or(0);
        let none = vec![0; buckets];
        Self { window, width, all: none.clone(), failed: none, before: 0, after: 0, no_time: 0 }
    }

    fn bucket(&self, time: i64) -> usize {
        // Within the window the distance is positive and fits.
        usize::try_from(time.abs_diff(self.window.start.0) / self.width.unsigned_abs()).unwrap_or(0)
    }

    fn add(&mut self, time: i64, failed: u32) {
        if time == i64::MAX {
            self.no_time += 1;
        } else if time < self.window.start.0 {
            self.before += 1;
        } else if time >= self.window.end.0 {
            self.after += 1;
        } else {
            let at = self.bucket(time);
            if let (Some(all), Some(bad)) = (self.all.get_mut(at), self.failed.get_mut(at)) {
                *all += 1;
                *bad += failed;
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        let add = |to: &mut Vec<u32>, from: &[u32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.all, &other.all);
        add(&mut self.failed, &other.failed);
        self.before += other.before;
        self.after += other.after;
        self.no_time += other.no_time;
    }
}

/// Counts of matches and, for each pane, of what would match without that pane's chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Rows that match; bad records are among them when the filter asks for them.
    pub matched: u64,
    /// Matches that tell of a failure.
    pub failed: u64,
    /// By number of type, without the chips of [`Facet::Types`].
    pub types: Vec<Tally>,
    /// By number of actor, without the chips of [`Facet::Actors`].
    pub actors: Vec<Tally>,
    /// Matches by number of outcome; bad records are not counted.
    pub outcomes: Vec<u64>,
    /// By time, without the chips of [`Facet::Time`].
    pub histogram: Histogram,
}

impl Counts {
    pub(crate) fn new(index: &Index, histogram: Histogram) -> Self {
        Self {
            matched: 0,
            failed: 0,
            types: vec![Tally::default(); index.n_types()],
            actors: vec![Tally::default(); index.n_actors()],
            outcomes: vec![0; index.n_outcomes()],
            histogram,
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.matched += other.matched;
        self.failed += other.failed;
        let tallies = |to: &mut [Tally], from: &[Tally]| {
            to.iter_mut().zip(from).for_each(|(to, from)| to.merge(from));
        };
        tallies(&mut self.types, &other.types);
        tallies(&mut self.actors, &other.actors);
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(to, from)| *to += from);
        self.histogram.merge(&other.histogram);
    }
}

/// The plans of a question, one for each pane's chips.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    pub(crate) types: Node,
    pub(crate) actors: Node,
    pub(crate) time: Node,
    pub(crate) other: Node,
}

impl Plans {
    /// Returns the plan for all chips of one pane.
    pub(crate) fn all(&self) -> [&Node; 4] {
        [&self.types, &self.actors, &self.time, &self.other]
    }

    /// Returns whether there is nothing to filter.
    pub(crate) fn is_everything(&self) -> bool {
        self.all().iter().all(|node| node.is_everything())
    }
}

/// Evaluates all plans on a segment, counts, and returns the rows that match all of them.
pub(crate) fn collect(plans: &Plans, view: &View<'_>, counts: &mut Counts) -> Mask {
    let rows = view.rows();
    let run = |node: &Node| {
        let mut rows = mask::full(rows);
        keep(node, view, &mut rows);
        rows
    };
    let (types, actors, time) = (run(&plans.types), run(&plans.actors), run(&plans.time));
    let both = |a: &Mask, b: &Mask| {
        let mut both = a.clone();
        mask::and(&mut both, b);
        both
    };
    let (mut for_time, mut for_actors, mut for_types) =
        (both(&types, &actors), both(&types, &time), both(&actors, &time));
    if ![&for_time, &for_actors, &for_types].into_iter().any(|rows| mask::any(rows)) {
        return for_time;
    }
    // Only rows that fail at most one pane's chips are counted anywhere.
    if !plans.other.is_everything() {
        let mut other = for_time.clone();
        mask::or(&mut other, &for_actors);
        mask::or(&mut other, &for_types);
        keep(&plans.other, view, &mut other);
        for mask in [&mut for_time, &mut for_actors, &mut for_types] {
            mask::and(mask, &other);
        }
    }
    let matched = both(&for_time, &time);
    count_types(&for_types, view, &mut counts.types);
    count_actors(&for_actors, view, &mut counts.actors);
    count_times(&for_time, view, &mut counts.histogram);
    count_matches(&matched, view, counts);
    matched
}

/// Returns 1 for rows that tell of a failure.
const fn failed(flags: u16) -> u32 {
    (flags & Flags::FAILED.0 != 0) as u32
}

const fn is_bad(flags: u16) -> bool {
    flags & Flags::BAD.0 != 0
}

fn count_types(mask: &[u8], view: &View<'_>, tallies: &mut [Tally]) {
    let columns = &view.segment.columns;
    mask::each(mask, |row| {
        if let Some(tally) = tallies.get_mut(usize::from(columns.event_type[row])) {
            tally.add(columns.time[row], failed(columns.flags[row]));
        }
    });
}

fn count_actors(mask: &[u8], view: &View<'_>, tallies: &mut [Tally]) {
    let columns = &view.segment.columns;
    mask::each(mask, |row| {
        let flags = columns.flags[row];
        if let Some(tally) = tallies.get_mut(columns.actor[row] as usize)
            && !is_bad(flags)
        {
            tally.add(columns.time[row], failed(flags));
        }
    });
}

fn count_times(mask: &[u8], view: &View<'_>, histogram: &mut Histogram) {
    let columns = &view.segment.columns;
    let stats = &view.segment.stats;
    let window = histogram.window;
    let lies_in_one_bucket = stats.min_time >= window.start.0
        && stats.max_time < window.end.0
        && stats.min_time <= stats.max_time
        && !stats.any_flags.has(Flags::NO_TIME)
        && !stats.any_flags.has(Flags::BAD)
        && histogram.bucket(stats.min_time) == histogram.bucket(stats.max_time);
    if lies_in_one_bucket {
        let at = histogram.bucket(stats.min_time);
        let whole = mask::count(mask);
        if whole == 0 {
            return;
        }
        let mut bad = stats.failed;
        if whole < mask.len() {
            let flags = mask.iter().zip(&columns.flags);
            bad = flags.map(|(&one, &flags)| u32::from(one) & failed(flags)).sum();
        }
        if let (Some(all), Some(failed)) = (histogram.all.get_mut(at), histogram.failed.get_mut(at))
        {
            *all += u32::try_from(whole).unwrap_or(u32::MAX);
            *failed += bad;
        }
        return;
    }
    mask::each(mask, |row| {
        let flags = columns.flags[row];
        if !is_bad(flags) {
            histogram.add(columns.time[row], failed(flags));
        }
    });
}

fn count_matches(mask: &[u8], view: &View<'_>, counts: &mut Counts) {
    let columns = &view.segment.columns;
    let found = mask::count(mask);
    counts.matched += found as u64;
    if found == 0 {
        return;
    }
    let (mut all_failed, outcomes) = (0, &mut counts.outcomes);
    mask::each(mask, |row| {
        let flags = columns.flags[row];
        all_failed += u64::from(failed(flags));
        if let Some(outcome) = outcomes.get_mut(usize::from(columns.outcome[row]))
            && !is_bad(flags)
        {
            *outcome += 1;
        }
    });
    counts.failed += all_failed;
}

/// Returns a window with round buckets, at most `buckets` of them: the wanted one, or one that
/// leaves out at most one in a thousand events at either end. Buckets start where a clock that is
/// `shift` nanoseconds ahead of UTC shows a round time, weeks on Mondays.
pub(crate) fn window_of(
    index: &Index,
    wanted: Option<TimeRange>,
    buckets: u16,
    shift: i64,
) -> (TimeRange, i64) {
    let range = wanted.filter(|range| range.start < range.end).unwrap_or_else(|| robust(index));
    let buckets = i128::from(buckets.max(1));
    let (start, last) = (i128::from(range.start.0), i128::from(range.end.0) - 1);
    let fits = |width: &i64| {
        let (phase, width) = (phase_of(*width, shift), i128::from(*width));
        (last + phase).div_euclid(width) - (start + phase).div_euclid(width) < buckets
    };
    let width = widths().find(fits).unwrap_or(i64::MAX / 2);
    let (wide, phase) = (i128::from(width), phase_of(width, shift));
    let edge = |at: i128| {
        let at = at.clamp(i128::from(i64::MIN), i128::from(Timestamp::MAX.0));
        Timestamp(i64::try_from(at).unwrap_or(Timestamp::MAX.0))
    };
    let start = edge((start + phase).div_euclid(wide) * wide - phase);
    let end = edge(((last + phase).div_euclid(wide) + 1) * wide - phase);
    (TimeRange { start, end }, width)
}

/// Returns how far multiples of `width` lie before the starts of buckets; 1970 began on a Thursday.
fn phase_of(width: i64, shift: i64) -> i128 {
    const DAY: i64 = 86_400_000_000_000;
    let days = if width % (7 * DAY) == 0 { 3 } else { 0 };
    i128::from(shift) + i128::from(days * DAY)
}

/// Returns the span of all but the first and last thousandth of the events that have a time.
fn robust(index: &Index) -> TimeRange {
    let Some((first, last)) = index.time_range() else {
        return TimeRange { start: Timestamp(0), end: Timestamp(1) };
    };
    let after = |t: Timestamp| Timestamp(t.0.saturating_add(1).min(Timestamp::MAX.0));
    let timed = timed_rows(index);
    let cut = timed / 1000;
    if cut == 0 {
        return without_far_ends(index, timed, TimeRange { start: first, end: after(last) });
    }
    let at = |position: u32| index.time(index.order().at(position));
    TimeRange { start: at(cut), end: after(at(timed - 1 - cut)) }
}

/// Returns the number of rows with a time; in time order they come first.
fn timed_rows(index: &Index) -> u32 {
    let (mut low, mut high) = (0, index.rows());
    while low < high {
        let middle = low + (high - low) / 2;
        if index.time(index.order().at(middle)).is_some() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Few events have no thousandths: here an event is left out when it lies further away than ten
/// times the span of the middle nine tenths.
fn without_far_ends(index: &Index, timed: u32, range: TimeRange) -> TimeRange {
    if timed < 20 {
        return range;
    }
    let at = |position: u32| i128::from(index.time(index.order().at(position)).0);
    let cut = timed / 20;
    let (low, high) = (at(cut), at(timed - 1 - cut));
    let reach = ((high - low) * 10).max(1_000_000_000);
    let (mut from, mut to) = (0, timed - 1);
    while from < cut && low - at(from) > reach {
        from += 1;
    }
    while to > timed - 1 - cut && at(to) - high > reach {
        to -= 1;
    }
    let time = |position: u32| index.time(index.order().at(position));
    let end = time(to).0.saturating_add(1).min(Timestamp::MAX.0);
    TimeRange { start: time(from), end: Timestamp(end) }
}

/// Returns round widths of buckets, in nanoseconds, from one nanosecond to centuries.
fn widths() -> impl Iterator<Item = i64> {
    const SECOND: i64 = 1_000_000_000;
    const DAY: i64 = 86_400;
    let small = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i64.pow(power)));
    let round = [
        1,
        2,
        5,
        10,
        15,
        30,
        60,
        120,
        300,
        600,
        900,
        1_800,
        3_600,
        7_200,
        10_800,
        21_600,
        43_200,
        DAY,
        2 * DAY,
        7 * DAY,
        14 * DAY,
        28 * DAY,
        91 * DAY,
        182 * DAY,
        364 * DAY,
        1_820 * DAY,
        3_640 * DAY,
        18_200 * DAY,
        36_400 * DAY,
    ];
    small.chain(round.map(|seconds| seconds * SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parser::parse;

    #[test]
    fn a_filter_belongs_to_the_pane_of_all_its_fields() {
        for (text, facet) in [
            ("type:a or category:b", Facet::Types),
            ("actor:a", Facet::Actors),
            ("time:2026", Facet::Time),
            ("eventTime:2026", Facet::Time),
            ("type:a actor:b", Facet::Other),
            ("hour:3", Facet::Other),
            ("x", Facet::Other),
            ("", Facet::Other),
        ] {
            assert_eq!(facet_of(&parse(text).0), facet, "{text}");
        }
    }

    #[test]
    fn buckets_begin_at_the_midnights_and_mondays_of_the_clock_they_are_round_for() {
        const HOUR: i64 = 3_600_000_000_000;
        let index = Index::default();
        // 2026-03-03T12:00Z, a Tuesday, and so many days after it.
        let from = Timestamp(1_772_539_200_000_000_000);
        let span = |days: i64| TimeRange { start: from, end: Timestamp(from.0 + days * 24 * HOUR) };
        for (days, buckets, shift, back) in [
            (10, 11, 0, 12 * HOUR),
            (10, 11, HOUR, 13 * HOUR),
            (10, 11, -5 * HOUR, 7 * HOUR),
            (70, 12, 0, 36 * HOUR),
            (70, 12, HOUR, 37 * HOUR),
        ] {
            let (window, width) = window_of(&index, Some(span(days)), buckets, shift);
            assert_eq!(width, if days == 10 { 24 * HOUR } else { 168 * HOUR });
            assert_eq!(from.0 - window.start.0, back, "{days} days, {shift}");
        }
    }

    #[test]
    fn widths_are_round_and_grow() {
        let widths: Vec<_> = widths().collect();
        assert!(widths.is_sorted());
        assert!(widths.last().is_some_and(|&last| last > 3_000_000_000_000_000_000));
    }
}
