//! Columns: one value per row, stored together.

/// The columns of a segment; all are equally long. 25 bytes a row.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Nanoseconds since 1970, or `i64::MAX` for no time.
    pub time: Vec<i64>,
    /// Numbers of types.
    pub event_type: Vec<u16>,
    /// Numbers of actors.
    pub actor: Vec<u32>,
    /// Numbers of outcomes.
    pub outcome: Vec<u8>,
    /// Bits of [`Flags`](crate::record::head::Flags).
    pub flags: Vec<u16>,
    /// Bytes from the segment's base to the record.
    pub offset: Vec<u32>,
    /// Bytes of the record.
    pub len: Vec<u32>,
}

impl Columns {
    /// Returns the number of rows.
    pub const fn rows(&self) -> usize {
        self.time.len()
    }

    /// Returns the bytes of memory in use.
    pub const fn heap_bytes(&self) -> usize {
        self.time.capacity() * 8
            + self.event_type.capacity() * 2
            + self.actor.capacity() * 4
            + self.outcome.capacity()
            + self.flags.capacity() * 2
            + self.offset.capacity() * 4
            + self.len.capacity() * 4
    }

    /// Drops all rows; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.time.clear();
        self.event_type.clear();
        self.actor.clear();
        self.outcome.clear();
        self.flags.clear();
        self.offset.clear();
        self.len.clear();
    }
}
