//! A table for tickets and wikis.

use std::io::{self, Write};

use crate::base::text::escape;
use crate::export::{Event, Format, Sheet, cell};

struct Markdown {
    sheet: Sheet,
    has_header: bool,
}

pub(super) fn open(sheet: Sheet) -> Box<dyn Format> {
    Box::new(Markdown { sheet: sheet.with_default_columns(), has_header: false })
}

impl Markdown {
    fn header(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            let names: Vec<_> = self.sheet.columns.iter().map(|name| escaped(name)).collect();
            let rules: Vec<_> = names.iter().map(|_| "---").collect();
            writeln!(out, "| {} |\n| {} |", names.join(" | "), rules.join(" | "))?;
        }
        Ok(())
    }
}

impl Format for Markdown {
    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.header(out)?;
        let cells = self.sheet.columns.iter().map(|name| escaped(&cell::text(event, name)));
        let cells: Vec<_> = cells.collect();
        writeln!(out, "| {} |", cells.join(" | "))
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.header(out)
    }
}

/// Returns text that Markdown shows as it is, in one line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let lines = text.replace("\r\n", "\n");
    for (number, line) in lines.split('\n').enumerate() {
        if number > 0 {
            out.push_str("<br>");
        }
        for c in escape(line).chars() {
            match c {
                '\\' | '|' | '`' | '*' | '[' | ']' | '<' | '>' | '~' => {
                    out.push('\\');
                    out.push(c);
                }
                '&' => out.push_str("&amp;"),
                _ => out.push(c),
            }
        }
    }
    out
}
