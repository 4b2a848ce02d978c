//! The frame of a list pane: title, rows with the cursor, words when empty, and a foot.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::viewport::Viewport;
use crate::app::work::{FOOT, list_rows};
use crate::ui::theme::{Role, Theme};
use crate::ui::title;
use crate::ui::widget::line::Pen;

/// What a list pane shows around its rows.
pub struct List<'a> {
    /// Which pane.
    pub pane: PaneId,
    /// Its name.
    pub name: &'a str,
    /// How to get to the list that takes turns with it.
    pub other: &'a str,
    /// What is being looked for.
    pub pattern: &'a str,
    /// What stands at the right of the title.
    pub order: &'a str,
    /// How many rows there are.
    pub len: usize,
    /// Cursor and window.
    pub view: Viewport,
    /// Words for when there is nothing, and for when nothing is called as is looked for.
    pub empty: [&'a str; 2],
    /// What is to be said about the row in focus.
    pub foot: Option<[(String, Role); 2]>,
}

impl List<'_> {
    /// Draws the pane; `row` draws the row of a number behind the gutter.
    pub fn draw(
        self,
        model: &Model,
        theme: Theme,
        area: Area,
        buf: &mut Buffer,
        row: &mut dyn FnMut(usize, &mut Pen<'_>),
    ) {
        let focused = model.wish.focus == self.pane;
        {
            let mut title = title(model, theme, self.pane, area, buf);
            title.name(self.name);
            if self.pattern.is_empty() {
                title.beside(self.other, Role::Dim);
            } else {
                title.beside(&format!("like {}", self.pattern), Role::Match);
            }
            title.end(self.order, Role::Dim);
        }
        let body = area.body();
        let rows = list_rows(model, self.pane).min(usize::from(body.h));
        for (n, at) in self.view.rows(self.len, rows).enumerate() {
            let line = body.row(u16::try_from(n).unwrap_or(u16::MAX));
            let under = at == self.view.cursor;
            let mut pen = Pen::new(buf, theme, line);
            if under && focused {
                pen = pen.over(Role::Cursor);
            }
            let gutter = if under && !focused { theme.glyphs.rest } else { " " };
            pen.ink(gutter, Role::Focus);
            row(at, &mut pen);
            pen.fill();
        }
        if self.len == 0 {
            let words = self.empty[usize::from(!self.pattern.is_empty())];
            Pen::new(buf, theme, body.row(1)).text("  ", Role::Text).text(words, Role::Dim).left();
        }
        if rows + FOOT <= usize::from(body.h) {
            draw_foot(theme, body, self.foot, buf);
        }
    }
}

fn draw_foot(theme: Theme, body: Area, foot: Option<[(String, Role); 2]>, buf: &mut Buffer) {
    let first = body.h - u16::try_from(FOOT).unwrap_or(3);
    Pen::new(buf, theme, body.row(first)).rule(theme.glyphs.rule, Role::Rule);
    for (row, (words, role)) in (first + 1..).zip(foot.into_iter().flatten()) {
        let mut pen = Pen::new(buf, theme, body.row(row));
        let room = pen.left().saturating_sub(1);
        pen.text(" ", Role::Text).column_text(&words, room, role);
    }
}
