//! Matches to bytes.
//!
//! [`FORMATS`] lists the formats; each opens a [`Format`] that takes events one by one. Nothing is
//! held back but the first rows of a table, which tell how wide its columns are.

mod cell;
mod csv;
mod json;
mod markdown;
mod table;

use std::io::{self, Write};

use crate::base::id::EventId;
use crate::index::{Index, Row};
use crate::record::flat::FlatRecord;

/// Writes events in one format.
pub trait Format {
    /// Writes one event.
    ///
    /// # Errors
    /// Returns the error of `out`.
    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Writes what comes after the last event.
    ///
    /// # Errors
    /// Returns the error of `out`.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// A row of the table of formats.
#[derive(Debug)]
pub struct FormatInfo {
    /// As written after `--format`, and as the end of a file's name.
    pub name: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
    /// Makes one that writes `Sheet`'s columns.
    pub open: fn(Sheet) -> Box<dyn Format>,
}

/// All formats.
pub const FORMATS: &[FormatInfo] = &[
    FormatInfo {
        name: "ndjson",
        doc: "one event a line, the bytes as they are in the log",
        open: json::open_lines,
    },
    FormatInfo { name: "json", doc: "one JSON array", open: json::open_array },
    FormatInfo { name: "csv", doc: "comma-separated values (RFC 4180)", open: csv::open },
    FormatInfo { name: "md", doc: "a Markdown table", open: markdown::open },
    FormatInfo { name: "table", doc: "an aligned table for terminals", open: table::open },
];

/// Returns the format called `name`.
pub fn format(name: &str) -> Option<&'static FormatInfo> {
    let name = if name == "markdown" { "md" } else { name };
    FORMATS.iter().find(|format| format.name == name)
}

/// Whether cells that spreadsheets take for formulas are made harmless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formulas {
    /// Cells are the recorded text.
    #[default]
    Kept,
    /// A `'` goes before `=`, `+`, `-`, `@`, tab and carriage return.
    Disarmed,
}

/// What is written of each event.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Attributes by name or path; also `type`, `actor`, `outcome`, `time`, `file` and `line`.
    /// Empty for whole events, where the format can, and else for [`DEFAULT_COLUMNS`].
    pub columns: Vec<String>,
    /// What CSV does with formulas.
    pub formulas: Formulas,
}

/// The columns of formats that must have some.
pub const DEFAULT_COLUMNS: [&str; 4] = ["eventTime", "eventType", "actor", "eventOutcome"];

impl Sheet {
    fn with_default_columns(mut self) -> Self {
        if self.columns.is_empty() {
            self.columns = DEFAULT_COLUMNS.map(str::to_owned).into();
        }
        self
    }
}

/// An event to be written.
pub struct Event<'a> {
    /// The index it is in.
    pub index: &'a Index,
    /// Its number.
    pub id: EventId,
    /// Its columns.
    pub row: Row,
    /// Its bytes as recorded.
    pub bytes: &'a [u8],
    record: std::cell::OnceCell<FlatRecord>,
}

impl<'a> Event<'a> {
    /// Returns an event of an index with its bytes.
    pub fn new(index: &'a Index, id: EventId, bytes: &'a [u8]) -> Self {
        Self { index, id, row: index.row(id), bytes, record: std::cell::OnceCell::new() }
    }

    /// Returns the event's values.
    pub fn record(&self) -> &FlatRecord {
        self.record.get_or_init(|| FlatRecord::read(self.bytes))
    }
}

/// Writes events in the order given.
///
/// # Errors
/// Returns the error of `out`, or what the system says when a log cannot be read any more.
pub fn write(
    index: &Index,
    ids: impl Iterator<Item = EventId>,
    format: &mut dyn Format,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let mut written = 0;
    for id in ids {
        let bytes = index.record(id)?;
        format.event(&Event::new(index, id, &bytes), out)?;
        written += 1;
    }
    format.finish(out)?;
    Ok(written)
}

#[cfg(test)]
mod tests;
