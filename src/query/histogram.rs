//! Events by time: round buckets, and how many events each has.
//!
//! Rows that are told by their positions in time order need no look at their times: a bucket is a
//! range of positions.

use crate::base::bits::within;
use crate::base::time::{TimeRange, Timestamp};
use crate::index::Index;
use crate::query::ranked::Ranked;

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

    /// Returns where each bucket begins and, last, where the window ends, as positions in time order.
    pub(crate) fn edges(&self, index: &Index) -> Vec<u32> {
        let buckets = self.all.len();
        let mut edges = vec![0; buckets + 1];
        let start = |bucket: usize| {
            let offset = self.width.saturating_mul(i64::try_from(bucket).unwrap_or(i64::MAX));
            Timestamp(self.window.start.0.saturating_add(offset))
        };
        edges[0] = index.first_at(start(0), 0, index.rows());
        edges[buckets] = index.first_at(self.window.end, edges[0], index.rows());
        // Each search lies between two edges that are known, so later ones are short.
        let mut open = vec![(0, buckets)];
        while let Some((low, high)) = open.pop() {
            let middle = low + (high - low) / 2;
            if low < middle {
                edges[middle] = index.first_at(start(middle), edges[low], edges[high]);
                open.extend([(low, middle), (middle, high)]);
            }
        }
        edges
    }

    /// Counts rows, given by their positions in time order, `None` for all. Bad records, which have no
    /// time, are left out: `bad` says how many there are.
    pub(crate) fn count(&mut self, index: &Index, rows: Option<&Ranked>, edges: &[u32], bad: u64) {
        let rank =
            |position: u32| rows.map_or(position as usize, |rows| rows.rank(position as usize));
        let failed = index.failed_by_time().words();
        let shown = rows.map(|rows| rows.bits().words());
        let mut before = edges.first().map_or(0, |&edge| rank(edge));
        let timed = rank(index.first_at(Timestamp::NONE, 0, index.rows()));
        self.before = before as u64;
        for (bucket, ends) in edges.windows(2).enumerate() {
            let range = ends[0] as usize..ends[1] as usize;
            let after = rank(ends[1]);
            self.all[bucket] = u32::try_from(after - before).unwrap_or(u32::MAX);
            before = after;
            let words = range.start / 64..range.end.div_ceil(64).min(failed.len());
            self.failed[bucket] = words
                .filter(|&at| failed[at] != 0)
                .map(|at| failed[at] & shown.map_or(u64::MAX, |s| s[at]) & within(at, &range))
                .map(u64::count_ones)
                .sum();
        }
        self.after = (timed - before) as u64;
        let all = rows.map_or(index.rows() as usize, Ranked::len);
        self.no_time = ((all - timed) as u64).saturating_sub(bad);
    }
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
