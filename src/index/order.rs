//! Rows in time order: free when they are in file order already.

use std::sync::Arc;

use crate::base::bits::{Bits, gather};
use crate::base::id::EventId;
use crate::index::segment::Segment;

/// The rows of an index by time; of equal times in file order, without time last.
#[derive(Clone, Debug)]
pub enum TimeOrder {
    /// Time order is file order; the number of rows.
    AsFiled(u32),
    /// The numbers of the rows, earliest first. 4 bytes a row.
    Sorted(Arc<Vec<u32>>),
}

impl Default for TimeOrder {
    fn default() -> Self {
        Self::AsFiled(0)
    }
}

impl TimeOrder {
    /// Returns the number of rows.
    pub fn len(&self) -> u32 {
        match self {
            Self::AsFiled(rows) => *rows,
            Self::Sorted(rows) => u32::try_from(rows.len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the row at a position, 0 being the earliest; beyond the end the position itself.
    pub fn at(&self, position: u32) -> EventId {
        match self {
            Self::AsFiled(_) => EventId(position),
            Self::Sorted(rows) => EventId(rows.get(position as usize).copied().unwrap_or(position)),
        }
    }

    /// Returns the rows, earliest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = EventId> + '_ {
        (0..self.len()).map(|position| self.at(position))
    }

    /// Returns, by position, the rows of `segments` that tell of a failure.
    pub(crate) fn failed(&self, segments: &[Arc<Segment>]) -> Bits {
        let mut by_row = Bits::default();
        segments.iter().for_each(|segment| by_row.append(&segment.stats.failed_rows));
        match self {
            Self::AsFiled(_) => by_row,
            Self::Sorted(rows) => {
                let mut words = vec![0; rows.len().div_ceil(64)];
                gather(rows, by_row.words(), &mut words);
                Bits::from_words(words, rows.len())
            }
        }
    }

    /// Returns the bytes of memory in use.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::AsFiled(_) => 0,
            Self::Sorted(rows) => rows.capacity() * 4,
        }
    }

    /// Returns the order of all of `segments`, of which the first `old` are ordered here.
    pub(crate) fn extended(&self, segments: &[Arc<Segment>], old: usize) -> Self {
        let added = &segments[old..];
        let rows: u32 = added.iter().map(|s| count(s)).sum();
        let ends_at = segments[..old].iter().map(|s| last_key(s)).max().unwrap_or(i64::MIN);
        if let (Self::AsFiled(before), true) = (self, is_sorted(added, ends_at)) {
            return Self::AsFiled(before + rows);
        }
        let keys = sorted_keys(added, rows as usize);
        let mut sorted: Vec<u32> = match self {
            Self::AsFiled(before) => (0..*before).collect(),
            Self::Sorted(rows) => {
                let mut copy = Vec::with_capacity(rows.len() + keys.len());
                copy.extend_from_slice(rows);
                copy
            }
        };
        merge(&mut sorted, &keys, &segments[..old]);
        Self::Sorted(Arc::new(sorted))
    }
}

/// Rows for each bucket that keys are sorted in.
const BUCKET_ROWS: usize = 32;

/// Returns the times and numbers of the rows of some segments, earliest first.
///
/// Logs are nearly in order, some events hours late. So keys are dealt into small buckets, whose
/// borders are times of some rows; the bucket of a row is nearly always that of the row before it or
/// the next, and what is in a bucket is nearly sorted.
fn sorted_keys(segments: &[Arc<Segment>], rows: usize) -> Vec<(i64, u32)> {
    let numbered = segments.iter().flat_map(|s| s.columns.time.iter().copied().zip(s.first.0..));
    let mut borders: Vec<i64> =
        numbered.clone().step_by(BUCKET_ROWS).map(|(time, _)| time).collect();
    borders.sort_unstable();
    borders.dedup();
    let mut ends = vec![0_usize; borders.len() + 1];
    let mut buckets: Vec<u32> = Vec::with_capacity(rows);
    let mut bucket = 0;
    for (time, _) in numbered.clone() {
        bucket = bucket_of(time, &borders, bucket);
        buckets.push(u32::try_from(bucket).unwrap_or(u32::MAX));
        ends[bucket] += 1;
    }
    let mut starts: Vec<usize> = Vec::with_capacity(ends.len());
    let mut start = 0;
    for end in &mut ends {
        starts.push(start);
        start += *end;
        *end = start;
    }
    let mut keys = vec![(0, 0); rows];
    for (key, bucket) in numbered.zip(buckets) {
        let start = &mut starts[bucket as usize];
        keys[*start] = key;
        *start += 1;
    }
    let mut start = 0;
    for end in ends {
        keys[start..end].sort_unstable();
        start = end;
    }
    keys
}

/// Returns how many borders are not after a time; `guess` is near the answer or not.
fn bucket_of(time: i64, borders: &[i64], guess: usize) -> usize {
    let near = guess.saturating_sub(4)..(guess + 4).min(borders.len());
    let is_near = (near.start == 0 || borders[near.start - 1] <= time)
        && borders.get(near.end).is_none_or(|&border| time < border);
    if is_near {
        near.start + borders[near].iter().filter(|&&border| border <= time).count()
    } else {
        borders.partition_point(|&border| border <= time)
    }
}

fn count(segment: &Segment) -> u32 {
    u32::try_from(segment.columns.rows()).unwrap_or(u32::MAX)
}

/// Returns the greatest sort key of a segment.
fn last_key(segment: &Segment) -> i64 {
    segment.columns.time.iter().copied().max().unwrap_or(i64::MIN)
}

fn is_sorted(segments: &[Arc<Segment>], mut before: i64) -> bool {
    segments.iter().all(|segment| {
        let first = segment.columns.time.first().copied().unwrap_or(before);
        let fits = segment.stats.is_sorted && before <= first;
        before = segment.columns.time.last().copied().unwrap_or(before);
        fits
    })
}

/// Rows up to this many are looked up one by one.
const FEW_ROWS: usize = 4096;

/// Merges sorted `keys` of later rows into `sorted`, whose rows are those of `segments`.
fn merge(sorted: &mut Vec<u32>, keys: &[(i64, u32)], segments: &[Arc<Segment>]) {
    let Some(&(first, _)) = keys.first() else { return };
    let find_time = |id: u32| {
        let at = segments.partition_point(|s| s.first.0 <= id).saturating_sub(1);
        segments.get(at).map_or(i64::MAX, |s| s.columns.time[(id - s.first.0) as usize])
    };
    let stay = sorted.partition_point(|&id| find_time(id) <= first);
    // Many lookups are worth one copy of the column.
    let flat: Vec<i64> = if sorted.len() - stay > FEW_ROWS {
        segments.iter().flat_map(|s| s.columns.time.iter().copied()).collect()
    } else {
        Vec::new()
    };
    let time_of = |id: u32| flat.get(id as usize).copied().unwrap_or_else(|| find_time(id));
    let tail = sorted.split_off(stay);
    let (mut old, mut new) = (tail.into_iter().peekable(), keys.iter().peekable());
    // Later rows have higher numbers, so of equal times the old row comes first.
    let mut old_time = old.peek().map(|&id| time_of(id));
    loop {
        match (old.peek(), old_time, new.peek()) {
            (Some(&id), Some(time), Some(&&(key, _))) if time <= key => {
                sorted.push(id);
                old.next();
                old_time = old.peek().map(|&id| time_of(id));
            }
            (_, _, Some(&&(_, id))) => {
                sorted.push(id);
                new.next();
            }
            (Some(_), _, None) => {
                sorted.extend(old);
                return;
            }
            (None, _, None) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::column::Columns;
    use crate::index::segment::SegmentStats;
    use proptest::prelude::*;

    fn segment(first: usize, times: &[i64]) -> Arc<Segment> {
        let columns = Columns {
            time: times.to_vec(),
            event_type: vec![0; times.len()],
            flags: vec![0; times.len()],
            ..Columns::default()
        };
        let stats = SegmentStats::of(&columns);
        let first = EventId(u32::try_from(first).expect("small"));
        Arc::new(Segment { columns, stats, first, ..Segment::default() })
    }

    proptest! {
        #[test]
        fn keys_are_sorted_however_far_rows_stray(
            strays in prop::collection::vec(prop_oneof![9 => 0_i64..40, 1 => any::<i64>()], 0..400),
            n_parts in 1_usize..5,
        ) {
            let times: Vec<i64> = (0_i64..).zip(&strays).map(|(n, s)| s.saturating_add(n)).collect();
            let mut segments = Vec::new();
            for part in times.chunks(times.len() / n_parts + 1) {
                let first = segments.iter().map(|s: &Arc<Segment>| s.columns.rows()).sum();
                segments.push(segment(first, part));
            }
            let mut naive: Vec<(i64, u32)> = times.iter().copied().zip(0..).collect();
            naive.sort_unstable();
            prop_assert_eq!(sorted_keys(&segments, times.len()), naive);
        }

        #[test]
        fn grown_step_by_step_it_is_a_stable_sort(
            parts in prop::collection::vec(prop::collection::vec(0_i64..20, 0..9), 0..9),
            sorted: bool,
        ) {
            let mut parts = parts;
            if sorted {
                let mut all: Vec<i64> = parts.concat();
                all.sort_unstable();
                let mut all = all.into_iter();
                parts.iter_mut().flatten().for_each(|time| *time = all.next().expect("as many"));
            }
            let (mut segments, mut order, mut rows) = (Vec::new(), TimeOrder::default(), 0);
            for part in &parts {
                segments.push(segment(rows, part));
                rows += part.len();
                order = order.extended(&segments, segments.len() - 1);
            }
            let all: Vec<i64> = parts.concat();
            let mut naive: Vec<u32> = (0..u32::try_from(rows).expect("small")).collect();
            naive.sort_by_key(|&id| all[id as usize]);
            let found: Vec<u32> = order.iter().map(|id| id.0).collect();
            prop_assert_eq!(found, naive);
            prop_assert!(!sorted || matches!(order, TimeOrder::AsFiled(_)));
        }
    }
}
