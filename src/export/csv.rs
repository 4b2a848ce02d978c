//! Comma-separated values as RFC 4180 has them: quotes where needed, lines end in CR LF.

use std::io::{self, Write};

use crate::export::{Event, Format, Formulas, Sheet, cell};

struct Csv {
    sheet: Sheet,
    has_header: bool,
}

pub(super) fn open(sheet: Sheet) -> Box<dyn Format> {
    Box::new(Csv { sheet: sheet.with_default_columns(), has_header: false })
}

impl Csv {
    fn header(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            for (at, column) in self.sheet.columns.iter().enumerate() {
                write_cell(out, at, column, self.sheet.formulas)?;
            }
            out.write_all(b"\r\n")?;
        }
        Ok(())
    }
}

impl Format for Csv {
    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.header(out)?;
        for (at, column) in self.sheet.columns.iter().enumerate() {
            write_cell(out, at, &cell::text(event, column), self.sheet.formulas)?;
        }
        out.write_all(b"\r\n")
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.header(out)
    }
}

fn write_cell(out: &mut dyn Write, at: usize, text: &str, formulas: Formulas) -> io::Result<()> {
    if at > 0 {
        out.write_all(b",")?;
    }
    let risky = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let mark = if risky && formulas == Formulas::Disarmed { "'" } else { "" };
    if text.contains(['"', ',', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        write!(out, "\"{mark}{}\"", text.replace('"', "\"\""))
    } else {
        write!(out, "{mark}{text}")
    }
}
