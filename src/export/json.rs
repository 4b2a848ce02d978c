//! Events as JSON: one a line with the recorded bytes, or all in one array.

use std::io::{self, Write};

use crate::base::json::JsonKind;
use crate::export::{Event, Format, Sheet, cell};
use crate::record::head::Flags;

struct Lines {
    columns: Vec<String>,
}

struct Array {
    columns: Vec<String>,
    is_open: bool,
}

pub(super) fn open_lines(sheet: Sheet) -> Box<dyn Format> {
    Box::new(Lines { columns: sheet.columns })
}

pub(super) fn open_array(sheet: Sheet) -> Box<dyn Format> {
    Box::new(Array { columns: sheet.columns, is_open: false })
}

impl Format for Lines {
    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        if !self.columns.is_empty() {
            write_columns(event, &self.columns, out)?;
        } else if event.row.flags.has(Flags::MULTILINE) && !event.row.flags.has(Flags::BAD) {
            // Over several lines it would be no line; between values, a break is a blank.
            let line: Vec<u8> = event.bytes.iter().map(|&b| unbroken(b)).collect();
            out.write_all(&line)?;
        } else {
            out.write_all(event.bytes)?;
        }
        out.write_all(b"\n")
    }

    fn finish(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl Format for Array {
    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        let is_first = !std::mem::replace(&mut self.is_open, true);
        out.write_all(if is_first { b"[\n" } else { b",\n" })?;
        if event.row.flags.has(Flags::BAD) {
            let flaw = event.index.flaw(event.id).map(ToString::to_string);
            out.write_all(b"{\"badRecord\":")?;
            write_string(&String::from_utf8_lossy(event.bytes), out)?;
            out.write_all(b",\"why\":")?;
            write_string(&flaw.unwrap_or_default(), out)?;
            out.write_all(b"}")
        } else if self.columns.is_empty() {
            write_valid(event.bytes, out)
        } else {
            write_columns(event, &self.columns, out)
        }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.is_open { b"\n]\n" } else { b"[]\n" })
    }
}

const fn unbroken(byte: u8) -> u8 {
    if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }
}

/// Writes the columns that the event has as one object, values as they are recorded.
fn write_columns(event: &Event<'_>, columns: &[String], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{")?;
    let mut is_first = true;
    for column in columns {
        let derived = matches!(column.as_str(), "type" | "actor" | "file" | "line");
        let name = match column.as_str() {
            "time" => "eventTime",
            "outcome" => "eventOutcome",
            name => name,
        };
        let row = if derived { None } else { cell::find(event, name) };
        if row.is_none() && !derived {
            continue;
        }
        if !std::mem::replace(&mut is_first, false) {
            out.write_all(b",")?;
        }
        write_string(column, out)?;
        out.write_all(b":")?;
        match row {
            Some(row) if row.kind() == JsonKind::String => write_string(row.text(), out)?,
            Some(row) => write_valid(event.bytes.get(row.span()).unwrap_or(b"null"), out)?,
            None => write_string(&cell::text(event, column), out)?,
        }
    }
    out.write_all(b"}")
}

/// Writes recorded JSON, with what JSON forbids in strings escaped and lossy text replaced.
fn write_valid(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    let forbidden = |b: u8| b < 0x20 && !matches!(b, b'\n' | b'\r' | b'\t');
    if !text.bytes().any(|b| forbidden(b) || b == b'\t') {
        return out.write_all(text.as_bytes());
    }
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            0..0x20 if in_string => {
                write!(out, "\\u{byte:04x}")?;
                continue;
            }
            b'"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = byte == b'\\' && in_string && !escaped;
        out.write_all(&[byte])?;
    }
    Ok(())
}

/// Writes a text as a JSON string.
pub(super) fn write_string(text: &str, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}
