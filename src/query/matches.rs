//! Rows that match, to be walked in time order and in file order.

use std::ops::Range;
use std::sync::Arc;

use crate::base::bits::{Bits, gather};
use crate::base::id::EventId;
use crate::base::time::Timestamp;
use crate::index::Index;
use crate::index::order::TimeOrder;
use crate::query::ranked::Ranked;

/// Rows of an index, a bit each, in time order and in file order.
#[derive(Clone, Debug)]
pub struct Matches {
    index: Arc<Index>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    All,
    /// Bits by position in time order, and by number; the same where that is the same order.
    Some {
        by_time: Arc<Ranked>,
        by_file: Arc<Ranked>,
    },
}

/// Rows that [`Matches::iter`] looks up at once.
const CHUNK: usize = 4096;

impl Matches {
    /// Returns all rows of an index.
    pub const fn all(index: Arc<Index>) -> Self {
        Self { index, kind: Kind::All }
    }

    /// Returns some rows of an index.
    pub fn some(index: Arc<Index>, ids: &[EventId]) -> Self {
        let mut rows = Bits::none(index.rows() as usize);
        ids.iter().for_each(|id| rows.add(id.at()));
        let by_time = in_time_order(&index, &rows, 1).map(|rows| Arc::new(Ranked::new(rows)));
        let by_file = Arc::new(Ranked::new(rows));
        let by_time = by_time.unwrap_or_else(|| Arc::clone(&by_file));
        Self::new(index, by_file, by_time)
    }

    /// Returns rows given by number and by position in time order.
    pub(crate) const fn new(index: Arc<Index>, by_file: Arc<Ranked>, by_time: Arc<Ranked>) -> Self {
        Self { index, kind: Kind::Some { by_time, by_file } }
    }

    /// Returns the rows by position in time order; `None` for all.
    pub(crate) fn by_time(&self) -> Option<&Ranked> {
        match &self.kind {
            Kind::All => None,
            Kind::Some { by_time, .. } => Some(by_time),
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::All => self.index.rows() as usize,
            Kind::Some { by_file, .. } => by_file.len(),
        }
    }

    /// Returns whether nothing matches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether every row of the index matches.
    pub const fn is_all(&self) -> bool {
        matches!(self.kind, Kind::All)
    }

    /// Returns the index that the rows are of.
    pub const fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// Returns the row at a position in time order.
    pub fn at(&self, position: usize) -> Option<EventId> {
        let place = match &self.kind {
            Kind::All => Some(position).filter(|&p| p < self.index.rows() as usize),
            Kind::Some { by_time, .. } => by_time.select(position),
        };
        Some(self.index.order().at(u32::try_from(place?).ok()?))
    }

    /// Returns the position of a row in time order, if it matches.
    pub fn position(&self, id: EventId) -> Option<usize> {
        match &self.kind {
            _ if self.index.rows() <= id.0 => None,
            Kind::All => Some(self.index.position(id) as usize),
            Kind::Some { by_time, by_file } => {
                let is_in = by_file.bits().has(id.at());
                is_in.then(|| by_time.rank(self.index.position(id) as usize))
            }
        }
    }

    /// Returns the position of the row or of the first one after it in time order, else the last.
    pub fn nearest(&self, id: EventId) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let found = match &self.kind {
            _ if self.index.rows() <= id.0 => last,
            Kind::All => self.index.position(id) as usize,
            Kind::Some { by_time, .. } => by_time.rank(self.index.position(id) as usize),
        };
        Some(found.min(last))
    }

    /// Returns the position in time order of the first row at or after an instant, else the last.
    pub fn nearest_time(&self, time: Timestamp) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let first = self.index.first_at(time, 0, self.index.rows()) as usize;
        let found = self.by_time().map_or(first, |rows| rows.rank(first));
        Some(found.min(last))
    }

    /// Returns the row at a position in file order.
    pub fn at_in_file_order(&self, position: usize) -> Option<EventId> {
        let row = match &self.kind {
            Kind::All => Some(position).filter(|&p| p < self.index.rows() as usize),
            Kind::Some { by_file, .. } => by_file.select(position),
        };
        u32::try_from(row?).ok().map(EventId)
    }

    /// Returns the position of a row in file order, if it matches.
    pub fn position_in_file_order(&self, id: EventId) -> Option<usize> {
        match &self.kind {
            Kind::All => (id.0 < self.index.rows()).then_some(id.at()),
            Kind::Some { by_file, .. } => {
                by_file.bits().has(id.at()).then(|| by_file.rank(id.at()))
            }
        }
    }

    /// Returns the position in file order of the row or of the first one after it, else the last.
    pub fn nearest_in_file_order(&self, id: EventId) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let found = match &self.kind {
            Kind::All => id.at(),
            Kind::Some { by_file, .. } => by_file.rank(id.at()),
        };
        Some(found.min(last))
    }

    /// Returns the rows at some positions in time order: far quicker than one by one.
    pub fn slice(&self, positions: Range<usize>) -> Vec<EventId> {
        let order = self.index.order();
        let rows = Self::numbers(self.by_time(), positions, self.len());
        rows.into_iter().map(|position| order.at(position)).collect()
    }

    /// Returns the rows at some positions in file order.
    pub fn slice_in_file_order(&self, positions: Range<usize>) -> Vec<EventId> {
        let by_file = match &self.kind {
            Kind::All => None,
            Kind::Some { by_file, .. } => Some(&**by_file),
        };
        Self::numbers(by_file, positions, self.len()).into_iter().map(EventId).collect()
    }

    fn numbers(rows: Option<&Ranked>, positions: Range<usize>, len: usize) -> Vec<u32> {
        let positions = positions.start.min(len)..positions.end.min(len);
        let mut numbers = Vec::with_capacity(positions.len());
        // A row's number fits: the index counts rows in 32 bits.
        let mut push = |row: usize| numbers.push(u32::try_from(row).unwrap_or(u32::MAX));
        match rows {
            Some(rows) => rows.each(positions, push),
            None => positions.for_each(&mut push),
        }
        numbers
    }

    /// Returns the rows in time order.
    pub fn iter(&self) -> impl Iterator<Item = EventId> + '_ {
        (0..self.len()).step_by(CHUNK).flat_map(|at| self.slice(at..at + CHUNK))
    }

    /// Returns the rows in file order.
    pub fn iter_in_file_order(&self) -> impl Iterator<Item = EventId> + '_ {
        (0..self.len()).step_by(CHUNK).flat_map(|at| self.slice_in_file_order(at..at + CHUNK))
    }
}

/// Returns rows, given by number, by their position in time order; `None` when that is the same.
pub(crate) fn in_time_order(index: &Index, rows: &Bits, threads: usize) -> Option<Bits> {
    let TimeOrder::Sorted(order) = index.order() else { return None };
    let words = rows.words();
    let mut out = vec![0; order.len().div_ceil(64)];
    let share = out.len().div_ceil(threads.max(1)).max(1);
    let fill = |part: usize, out: &mut [u64]| {
        let start = part * share * 64;
        let end = (start + out.len() * 64).min(order.len());
        gather(&order[start..end], words, out);
    };
    std::thread::scope(|scope| {
        let mut parts = out.chunks_mut(share).enumerate();
        let first = parts.next();
        for (part, out) in parts {
            scope.spawn(move || fill(part, out));
        }
        if let Some((part, out)) = first {
            fill(part, out);
        }
    });
    Some(Bits::from_words(out, order.len()))
}
