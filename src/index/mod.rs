//! An immutable snapshot of what was read: segments of columns, interned names, time order.
//!
//! A snapshot never changes. While files are read, [`build`] publishes ever larger ones; a row
//! keeps its [`EventId`] in all of them. Rows are events and bad records, in file and byte order.

pub mod build;
pub mod column;
pub mod names;
pub mod order;
pub mod segment;

mod builder;
mod feed;

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use crate::base::bits::Bits;
use crate::base::id::{ActorId, EventId, FileId, OutcomeId, TypeId};
use crate::base::time::Timestamp;
use crate::index::names::Names;
use crate::index::order::TimeOrder;
use crate::index::segment::{BadRecord, Segment};
use crate::record::flaw::Flaw;
use crate::record::frame::Mode;
use crate::record::head::Flags;
use crate::source::{SourceFile, SourceSet};

pub use crate::index::builder::Torn;

/// What was read, at one moment.
#[derive(Clone, Debug, Default)]
pub struct Index {
    segments: Vec<Arc<Segment>>,
    /// The first row of each segment, close together: rows are looked up all the time.
    starts: Arc<[u32]>,
    names: Arc<Names>,
    order: TimeOrder,
    failed: Arc<Bits>,
    sources: SourceSet,
    files: Vec<FileSummary>,
    rows: u32,
    bad: u64,
    is_final: bool,
    is_full: bool,
}

/// One row, all columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When, or [`Timestamp::NONE`].
    pub time: Timestamp,
    /// What; [`TypeId::BAD`] for a bad record.
    pub event_type: TypeId,
    /// Who.
    pub actor: ActorId,
    /// How it went.
    pub outcome: OutcomeId,
    /// What else is known.
    pub flags: Flags,
    /// Where: the file.
    pub file: FileId,
    /// Where: bytes from the start of the file.
    pub offset: u64,
    /// Bytes of the record.
    pub len: u32,
}

/// What was read of one file.
#[derive(Clone, Debug, Default)]
pub struct FileSummary {
    /// Rows that are events.
    pub events: u64,
    /// Rows that are bad records.
    pub bad: u64,
    /// The last record, when the file ends before it is complete. It is no row.
    pub torn: Option<Torn>,
    /// Why reading stopped early, if it did: safe to show.
    pub error: Option<String>,
    /// Bytes that were read.
    pub read: u64,
    pub(crate) mode: Mode,
}

/// Where a record stands, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file's name, safe to show.
    pub label: String,
    /// The line it starts on, from 1.
    pub line: u64,
    /// Bytes from the start of the file.
    pub offset: u64,
}

impl Index {
    /// Returns the number of rows: events and bad records.
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the number of events.
    pub fn events(&self) -> u64 {
        u64::from(self.rows) - self.bad
    }

    /// Returns the number of bad records; a torn last record is not among them.
    pub const fn bad(&self) -> u64 {
        self.bad
    }

    /// Returns whether all files are read, so that all counts are final.
    pub const fn is_final(&self) -> bool {
        self.is_final
    }

    /// Returns whether rows were left out since 2^32 - 2 of them are here.
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the segments, in row order.
    pub fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }

    /// Returns the segment of a row and the row's place in it. A number past the end gives the last
    /// row; an empty index gives `None`.
    pub fn segment_of(&self, id: EventId) -> Option<(&Segment, usize)> {
        let after = self.starts.partition_point(|&first| first <= id.0);
        let segment = self.segments.get(after.checked_sub(1)?)?;
        let place = (id.0 - segment.first.0) as usize;
        Some((segment, place.min(segment.columns.rows().checked_sub(1)?)))
    }

    /// Returns all columns of a row; a number past the end gives an empty bad row.
    pub fn row(&self, id: EventId) -> Row {
        let Some((segment, at)) = self.segment_of(id) else { return Row::NOWHERE };
        let columns = &segment.columns;
        Row {
            time: Timestamp(columns.time[at]),
            event_type: TypeId(columns.event_type[at]),
            actor: ActorId(columns.actor[at]),
            outcome: OutcomeId(columns.outcome[at]),
            flags: Flags(columns.flags[at]),
            file: segment.file,
            offset: segment.base + u64::from(columns.offset[at]),
            len: columns.len[at],
        }
    }

    /// Returns when a row happened.
    pub fn time(&self, id: EventId) -> Timestamp {
        let found = self.segment_of(id);
        found.map_or(Timestamp::NONE, |(segment, at)| Timestamp(segment.columns.time[at]))
    }

    /// Returns a type's name as recorded, blanks at its ends dropped.
    pub fn type_name(&self, id: TypeId) -> &str {
        self.names.types.get(id.at())
    }

    /// Returns an actor's name in lower case; "" is nobody.
    pub fn actor_name(&self, id: ActorId) -> &str {
        self.names.actors.get(id.at())
    }

    /// Returns an outcome as recorded, `(missing)` or `(null)`.
    pub fn outcome_name(&self, id: OutcomeId) -> &str {
        self.names.outcomes.get(id.at())
    }

    /// Returns the number of types, those of bad and unknown records among them.
    pub fn n_types(&self) -> usize {
        self.names.types.len()
    }

    /// Returns the number of actors, nobody among them.
    pub fn n_actors(&self) -> usize {
        self.names.actors.len()
    }

    /// Returns the number of outcomes, missing and null among them.
    pub fn n_outcomes(&self) -> usize {
        self.names.outcomes.len()
    }

    /// Returns the number of a type.
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        self.names.types.find(name).and_then(|id| u16::try_from(id).ok()).map(TypeId)
    }

    /// Returns the number of an actor, compared without case.
    pub fn find_actor(&self, name: &str) -> Option<ActorId> {
        let id = self.names.actors.find(&name.to_ascii_lowercase())?;
        u32::try_from(id).ok().map(ActorId)
    }

    /// Returns the number of an outcome.
    pub fn find_outcome(&self, name: &str) -> Option<OutcomeId> {
        self.names.outcomes.find(name).and_then(|id| u8::try_from(id).ok()).map(OutcomeId)
    }

    /// Returns the rows in time order.
    pub const fn order(&self) -> &TimeOrder {
        &self.order
    }

    /// Returns the rows that tell of a failure, by their position in time order.
    pub fn failed_by_time(&self) -> &Bits {
        &self.failed
    }

    /// Returns the position of the first row at or after an instant in `from..to`, else `to`.
    pub fn first_at(&self, time: Timestamp, mut from: u32, mut to: u32) -> u32 {
        while from < to {
            let middle = from + (to - from) / 2;
            if self.time(self.order.at(middle)) < time {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// Returns the position of a row in time order.
    pub fn position(&self, id: EventId) -> u32 {
        match &self.order {
            TimeOrder::AsFiled(_) => id.0,
            TimeOrder::Sorted(rows) => {
                let key = (self.time(id), id.0);
                let found = rows.partition_point(|&row| (self.time(EventId(row)), row) < key);
                u32::try_from(found).unwrap_or(u32::MAX)
            }
        }
    }

    /// Returns the earliest and latest time of all events, if any has one.
    pub fn time_range(&self) -> Option<(Timestamp, Timestamp)> {
        let min = self.segments.iter().map(|s| s.stats.min_time).min()?;
        let max = self.segments.iter().map(|s| s.stats.max_time).max()?;
        (min <= max).then_some((Timestamp(min), Timestamp(max)))
    }

    /// Returns the bytes of a record. This may touch the disk: never call it where keys are read.
    ///
    /// # Errors
    /// Returns what the system says when the file cannot be read any more.
    pub fn record(&self, id: EventId) -> io::Result<Cow<'_, [u8]>> {
        let row = self.row(id);
        let file = self.file(row.file)?;
        file.bytes(row.offset..row.offset + u64::from(row.len))
    }

    /// Returns the bytes of two records, reading their file once if they are in one.
    ///
    /// # Errors
    /// As [`Index::record`].
    pub fn two_records(&self, ids: [EventId; 2]) -> io::Result<[Cow<'_, [u8]>; 2]> {
        let [first, second] = ids.map(|id| self.row(id));
        if first.file != second.file {
            return Ok([self.record(ids[0])?, self.record(ids[1])?]);
        }
        let range = |row: Row| row.offset..row.offset + u64::from(row.len);
        self.file(first.file)?.two_bytes([range(first), range(second)])
    }

    /// Returns where a row stands. This may touch the disk: it counts lines.
    ///
    /// # Errors
    /// Returns what the system says when the file cannot be read any more.
    pub fn location(&self, id: EventId) -> io::Result<Location> {
        let row = self.row(id);
        let lines = self.lines(row.file, &[row.offset])?;
        let file = self.file(row.file)?;
        let line = lines.first().copied().unwrap_or(1);
        Ok(Location { label: file.label().to_owned(), line, offset: row.offset })
    }

    /// Returns the lines, from 1, that ascending `offsets` of a file stand on, in one pass.
    ///
    /// # Errors
    /// Returns what the system says when the file cannot be read any more.
    pub fn lines(&self, file: FileId, offsets: &[u64]) -> io::Result<Vec<u64>> {
        if offsets.is_empty() {
            return Ok(Vec::new());
        }
        let whole = self.file(file)?.whole()?;
        let (mut line, mut counted) = (1, 0);
        let lines = offsets.iter().map(|&offset| {
            let to = usize::try_from(offset).unwrap_or(usize::MAX).min(whole.len()).max(counted);
            line += memchr::memchr_iter(b'\n', &whole[counted..to]).count() as u64;
            counted = to;
            line
        });
        Ok(lines.collect())
    }

    /// Returns the bad records in row order.
    pub fn bad_records(&self) -> impl DoubleEndedIterator<Item = &BadRecord> {
        self.segments.iter().flat_map(|segment| &segment.bad)
    }

    /// Returns what is wrong with a bad record.
    pub fn flaw(&self, id: EventId) -> Option<&Flaw> {
        let (segment, _) = self.segment_of(id)?;
        let at = segment.bad.binary_search_by_key(&id, |bad| bad.id).ok()?;
        segment.bad.get(at).map(|bad| &bad.flaw)
    }

    /// Returns what was read of each file; a [`FileId`] is a place in this list.
    pub fn files(&self) -> &[FileSummary] {
        &self.files
    }

    /// Returns the files, and what was refused or left out.
    pub const fn sources(&self) -> &SourceSet {
        &self.sources
    }

    /// Returns the bytes of memory that the index holds, the files' bytes not counted.
    pub fn heap_bytes(&self) -> usize {
        let of = |segment: &Segment| segment.columns.heap_bytes() + segment.stats.heap_bytes();
        let segments: usize = self.segments.iter().map(|segment| of(segment)).sum();
        let order = self.order.heap_bytes() + self.failed.heap_bytes();
        segments + self.names.heap_bytes() + order
    }

    fn file(&self, id: FileId) -> io::Result<&Arc<SourceFile>> {
        self.sources.files.get(id.at()).ok_or_else(|| io::Error::other("no such file in the index"))
    }
}

impl Row {
    const NOWHERE: Self = Self {
        time: Timestamp::NONE,
        event_type: TypeId::BAD,
        actor: ActorId::NONE,
        outcome: OutcomeId::MISSING,
        flags: Flags::BAD,
        file: FileId(0),
        offset: 0,
        len: 0,
    };
}
