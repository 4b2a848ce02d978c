//! Segments: immutable runs of rows with what is needed to skip them.

use crate::base::id::{EventId, FileId};
use crate::index::column::Columns;
use crate::record::flaw::Flaw;
use crate::record::head::Flags;

/// A run of rows of one file, in byte order.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// The file.
    pub file: FileId,
    /// The number of the first row.
    pub first: EventId,
    /// The byte of the file that offsets count from.
    pub base: u64,
    /// The values.
    pub columns: Columns,
    /// What lets a query skip it.
    pub stats: SegmentStats,
    /// The bad records among the rows, in row order.
    pub bad: Vec<BadRecord>,
}

/// A zone map: what can and what cannot be in a segment.
#[derive(Clone, Debug)]
pub struct SegmentStats {
    /// The earliest time; `i64::MAX` when no row has one.
    pub min_time: i64,
    /// The latest time; `i64::MIN` when no row has one.
    pub max_time: i64,
    /// Whether times never fall from row to row (no time counts as the end of time).
    pub is_sorted: bool,
    /// Rows that are events.
    pub events: u32,
    /// Events that tell of a failure.
    pub failed: u32,
    /// All flags that occur.
    pub any_flags: Flags,
    /// The numbers of the types that occur, ascending.
    pub types: Vec<u16>,
}

impl Default for SegmentStats {
    fn default() -> Self {
        Self {
            min_time: i64::MAX,
            max_time: i64::MIN,
            is_sorted: true,
            events: 0,
            failed: 0,
            any_flags: Flags::default(),
            types: Vec::new(),
        }
    }
}

impl SegmentStats {
    /// Computes the zone map of columns whose numbers are final.
    pub(crate) fn of(columns: &Columns) -> Self {
        let mut stats = Self::default();
        let mut before = i64::MIN;
        for &time in &columns.time {
            stats.is_sorted &= before <= time;
            before = time;
            if time != i64::MAX {
                stats.min_time = stats.min_time.min(time);
                stats.max_time = stats.max_time.max(time);
            }
        }
        for &flags in &columns.flags {
            stats.any_flags |= Flags(flags);
            stats.events += u32::from(!Flags(flags).has(Flags::BAD));
            stats.failed += u32::from(Flags(flags).has(Flags::FAILED));
        }
        let highest = columns.event_type.iter().max().map_or(0, |&id| usize::from(id));
        let mut seen = vec![false; highest + 1];
        for &event_type in &columns.event_type {
            if !std::mem::replace(&mut seen[usize::from(event_type)], true) {
                stats.types.push(event_type);
            }
        }
        stats.types.sort_unstable();
        stats
    }

    /// Returns whether rows of type `id` occur.
    pub fn has_type(&self, id: u16) -> bool {
        self.types.binary_search(&id).is_ok()
    }
}

/// A record that is no event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Its row.
    pub id: EventId,
    /// What is wrong with it.
    pub flaw: Flaw,
}
