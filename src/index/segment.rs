//! Segments: immutable runs of rows with what is needed to skip or to sum them up.

use rustc_hash::FxHashMap;

use crate::base::bits::Bits;
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
    /// Rows by type; none where that would take too much room.
    pub type_sums: Option<Box<[Sum]>>,
    /// Events by actor; none where that would take too much room.
    pub actor_sums: Option<Box<[Sum]>>,
    /// The rows that tell of a failure.
    pub failed_rows: Bits,
}

/// How much there is of one type or actor in a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The number of the type or actor.
    pub id: u32,
    /// Rows.
    pub events: u32,
    /// Those that tell of a failure.
    pub failed: u32,
}

/// Rows for each sum, at least: so sums take at most a byte and a half a row.
const ROWS_A_SUM: usize = 8;

/// Numbers below this one are counted in a table.
const LOW: usize = 1 << 14;

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
            type_sums: None,
            actor_sums: None,
            failed_rows: Bits::default(),
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
        stats.failed_rows = Bits::of(&columns.flags, |flags| flags & Flags::FAILED.0 != 0);
        let is_event = |flags: u16| !Flags(flags).has(Flags::BAD);
        let types = sums(columns.event_type.iter().map(|&id| u32::from(id)).zip(&columns.flags));
        let actors = columns.actor.iter().copied().zip(&columns.flags);
        let actors = sums(actors.filter(|(_, flags)| is_event(**flags)));
        stats.types = types.iter().filter_map(|sum| u16::try_from(sum.id).ok()).collect();
        let fit = |sums: Vec<Sum>| {
            (sums.len() * ROWS_A_SUM <= columns.rows()).then(|| sums.into_boxed_slice())
        };
        (stats.type_sums, stats.actor_sums) = (fit(types), fit(actors));
        stats
    }

    /// Returns the bytes of memory in use beside the columns.
    pub fn heap_bytes(&self) -> usize {
        let sums = |sums: &Option<Box<[Sum]>>| sums.as_ref().map_or(0, |sums| size_of_val(&**sums));
        self.types.capacity() * 2
            + sums(&self.type_sums)
            + sums(&self.actor_sums)
            + self.failed_rows.heap_bytes()
    }

    /// Returns whether rows of type `id` occur.
    pub fn has_type(&self, id: u16) -> bool {
        self.types.binary_search(&id).is_ok()
    }
}

/// Counts numbers, each with the flags of its row, in ascending order.
fn sums<'f>(rows: impl Iterator<Item = (u32, &'f u16)>) -> Vec<Sum> {
    // Low numbers, which is most of them, have a place in a table.
    let mut low: Vec<Sum> = Vec::new();
    let mut high: FxHashMap<u32, Sum> = FxHashMap::default();
    for (id, &flags) in rows {
        let at = id as usize;
        if at < LOW && low.len() <= at {
            low.resize((at + 1).next_power_of_two(), Sum::default());
        }
        let sum = match low.get_mut(at) {
            Some(sum) => sum,
            None => high.entry(id).or_default(),
        };
        sum.id = id;
        sum.events += 1;
        sum.failed += u32::from(Flags(flags).has(Flags::FAILED));
    }
    let mut sums: Vec<Sum> = low.into_iter().filter(|sum| sum.events != 0).collect();
    let from = sums.len();
    sums.extend(high.into_values());
    sums[from..].sort_unstable_by_key(|sum| sum.id);
    sums
}

/// A record that is no event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Its row.
    pub id: EventId,
    /// What is wrong with it.
    pub flaw: Flaw,
}
