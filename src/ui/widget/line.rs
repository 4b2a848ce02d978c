//! Writing one row of cells: escaped, measured, cut at the edge.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::layout::Area;
use crate::base::text::{self, Charset};
use crate::ui::theme::{Role, Theme};

/// A pen on one row; everything written is made safe first and stops at the right edge.
pub struct Pen<'a> {
    buf: &'a mut Buffer,
    theme: Theme,
    x: u16,
    end: u16,
    y: u16,
    over: Option<Style>,
}

impl<'a> Pen<'a> {
    /// Starts at the left of a row; an empty area takes no ink.
    pub fn new(buf: &'a mut Buffer, theme: Theme, row: Area) -> Self {
        let inside = buf.area();
        let visible = row.h > 0 && row.y < inside.bottom();
        let end = if visible { (row.x + row.w).min(inside.right()) } else { row.x };
        Self { buf, theme, x: row.x, end, y: row.y, over: None }
    }

    /// Draws all that follows in one look, as for the line under the cursor.
    pub fn over(mut self, role: Role) -> Self {
        self.over = Some(self.theme.style(role));
        self
    }

    /// Returns the columns left.
    pub fn left(&self) -> usize {
        usize::from(self.end.saturating_sub(self.x))
    }

    /// Returns the column the next text starts at.
    pub const fn column(&self) -> u16 {
        self.x
    }

    /// Writes text from anywhere, hostile or not.
    pub fn text(&mut self, text: &str, role: Role) -> &mut Self {
        let safe = text::escape_for(text, self.charset());
        self.ink(&safe, role)
    }

    /// Writes text cut or padded to exactly `columns`.
    pub fn column_text(&mut self, text: &str, columns: usize, role: Role) -> &mut Self {
        let safe = text::escape_for(text, self.charset());
        let columns = columns.min(self.left());
        let used = text::width(&safe);
        if used <= columns {
            self.ink(&safe, role);
            return self.blank(columns - used);
        }
        let cut = text::truncate(&safe, columns);
        let cut =
            if self.charset() == Charset::Ascii { cut.replace('…', "~") } else { cut.into() };
        let used = text::width(&cut);
        self.ink(&cut, role);
        self.blank(columns.saturating_sub(used))
    }

    /// Writes an id cut in the middle, as ids often differ at their ends only.
    pub fn id_text(&mut self, id: &str, columns: usize, role: Role) -> &mut Self {
        if id.len() <= columns || columns < 6 || !id.is_ascii() {
            return self.column_text(id, columns, role);
        }
        let tail = (columns - 1) / 2;
        let more = self.theme.glyphs.more;
        let (head, tail) = (&id[..columns - 1 - tail], &id[id.len() - tail..]);
        self.column_text(&format!("{head}{more}{tail}"), columns, role)
    }

    /// Writes text that ends at `columns` from here.
    pub fn right_text(&mut self, text: &str, columns: usize, role: Role) -> &mut Self {
        let safe = text::escape_for(text, self.charset()).into_owned();
        let used = text::width(&safe);
        if used > columns {
            return self.column_text(text, columns, role);
        }
        self.blank(columns - used);
        self.ink(&safe, role)
    }

    /// Writes our own glyphs, which are safe by birth.
    pub fn ink(&mut self, safe: &str, role: Role) -> &mut Self {
        let style = self.over.unwrap_or_else(|| self.theme.style(role));
        for grapheme in safe.graphemes(true) {
            let columns = u16::try_from(text::width(grapheme)).unwrap_or(2);
            if columns == 0 {
                continue;
            }
            if self.x + columns > self.end {
                break;
            }
            self.put(grapheme, style);
            for follower in 1..columns {
                if let Some(cell) = self.buf.cell_mut((self.x + follower, self.y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
            self.x += columns;
        }
        self
    }

    /// Leaves `columns` columns blank.
    pub fn blank(&mut self, columns: usize) -> &mut Self {
        let style = self.over.unwrap_or_default();
        for _ in 0..columns.min(self.left()) {
            self.put(" ", style);
            self.x += 1;
        }
        self
    }

    /// Moves on to `column` counted from the screen's left, never back.
    pub fn to(&mut self, column: u16) -> &mut Self {
        let columns = usize::from(column.saturating_sub(self.x));
        self.blank(columns)
    }

    /// Blanks the rest of the row.
    pub fn fill(&mut self) {
        let rest = self.left();
        self.blank(rest);
    }

    /// Repeats a glyph to the end of the row.
    pub fn rule(&mut self, glyph: &str, role: Role) {
        while self.left() > 0 {
            let before = self.x;
            self.ink(glyph, role);
            if self.x == before {
                break;
            }
        }
    }

    fn put(&mut self, symbol: &str, style: Style) {
        if let Some(cell) = self.buf.cell_mut((self.x, self.y)) {
            cell.reset();
            cell.set_symbol(symbol);
            cell.set_style(style);
        }
    }

    fn charset(&self) -> Charset {
        charset(self.theme)
    }
}

/// Returns the characters a theme trusts the terminal with.
pub fn charset(theme: Theme) -> Charset {
    if theme.glyphs.rule.is_ascii() { Charset::Ascii } else { Charset::Unicode }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::{Colour, UNICODE};
    use ratatui::layout::Rect;

    fn row(w: u16, write: impl FnOnce(&mut Pen<'_>)) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, w, 1));
        let theme = Theme { colour: Colour::Sixteen, glyphs: &UNICODE };
        write(&mut Pen::new(&mut buf, theme, Area::new(0, 0, w, 1)));
        buf.content().iter().map(ratatui::buffer::Cell::symbol).collect()
    }

    #[test]
    fn wide_and_combining_text_keeps_the_next_column_in_place() {
        for name in ["abc", "日本語日本語", "e\u{301}e\u{301}", "👩‍👩‍👧", ""] {
            let text = row(20, |pen| {
                pen.column_text(name, 8, Role::Text).text("|", Role::Text);
            });
            let cells: Vec<char> = text.chars().collect();
            let before: String = cells.iter().take_while(|&&c| c != '|').collect();
            // A wide character is followed by the blank cell it covers.
            let covered = before.graphemes(true).filter(|g| text::width(g) == 2).count();
            assert_eq!(text::width(&before), 8 + covered, "{name}");
        }
    }

    #[test]
    fn nothing_is_written_beyond_the_edge() {
        assert_eq!(row(3, |pen| pen.text("日本", Role::Text).fill()), "日  ");
        assert_eq!(row(4, |pen| pen.column_text("abcdef", 4, Role::Text).fill()), "abc…");
        assert_eq!(row(4, |pen| pen.text("\u{1b}[2J", Role::Text).fill()), "␛[2J");
    }
}
