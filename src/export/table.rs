//! An aligned table for terminals. Everything in it is safe to show.

use std::io::{self, Write};

use crate::base::text::{escape, fit, truncate, width};
use crate::export::{Event, Format, Sheet, cell};

/// Rows that tell how wide the columns are.
const SAMPLE: usize = 500;

/// The widest a column may be; the last one has no limit.
const WIDEST: usize = 48;

struct Table {
    sheet: Sheet,
    /// Rows held back until the widths are known.
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
}

pub(super) fn open(sheet: Sheet) -> Box<dyn Format> {
    let sheet = sheet.with_default_columns();
    let header = sheet.columns.iter().map(|name| escape(name).into_owned()).collect();
    Box::new(Table { sheet, rows: vec![header], widths: Vec::new() })
}

impl Format for Table {
    fn event(&mut self, event: &Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        let cells = self.sheet.columns.iter().map(|name| cell::text(event, name));
        let cells: Vec<_> = cells.map(|text| escape(&text).into_owned()).collect();
        if !self.widths.is_empty() {
            return self.line(&cells, out);
        }
        self.rows.push(cells);
        if self.rows.len() > SAMPLE { self.settle(out) } else { Ok(()) }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.settle(out)
    }
}

impl Table {
    fn settle(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        if !rows.is_empty() {
            let widest = |at: usize| rows.iter().map(|row| width(&row[at])).max().unwrap_or(0);
            self.widths =
                (0..self.sheet.columns.len()).map(|at| widest(at).clamp(1, WIDEST)).collect();
        }
        rows.iter().try_for_each(|row| self.line(row, out))
    }

    fn line(&self, cells: &[String], out: &mut dyn Write) -> io::Result<()> {
        let last = cells.len().saturating_sub(1);
        let mut line = String::new();
        for (at, (cell, &columns)) in cells.iter().zip(&self.widths).enumerate() {
            if at == last {
                line.push_str(&truncate(cell, usize::MAX));
            } else {
                line.push_str(&fit(cell, columns));
                line.push_str("  ");
            }
        }
        writeln!(out, "{}", line.trim_end())
    }
}
