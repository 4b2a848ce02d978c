//! Draws the focused event in full.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::pane::detail::{DetailLine, DetailPane};
use crate::base::json::JsonKind;
use crate::base::text;
use crate::jobs::msg::{Entry, SectionKind};
use crate::ui::theme::{Role, Theme};
use crate::ui::title;
use crate::ui::widget::line::Pen;

/// Draws the pane.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let pane = &model.panes.detail;
    let focused_event = model.panes.events.focused(&model.data);
    let detail = model.data.detail.as_deref();
    let fresh = detail.is_some_and(|detail| Some(detail.id) == focused_event);
    {
        let mut title = title(model, theme, PaneId::Detail, area, buf);
        match detail.filter(|_| focused_event.is_some()) {
            Some(detail) => title.name(&detail.type_name),
            None => title.name("Detail"),
        };
        // Only the title tells that another event is on its way: dimming the whole pane for the
        // moment that takes would send it over the line twice with every move.
        let waiting = if fresh || focused_event.is_none() { "" } else { theme.glyphs.more };
        title.beside(waiting, Role::Dim);
        title.end(if pane.is_raw() { "raw" } else { "" }, Role::Warn);
    }
    if focused_event.is_none() {
        return;
    }
    let body = area.body();
    let focused = model.wish.focus == PaneId::Detail;
    let inner = Area::new(body.x, body.y, body.w, body.h);
    for (n, at) in pane.view.rows(pane.lines.len(), usize::from(body.h)).enumerate() {
        let row = inner.row(u16::try_from(n).unwrap_or(u16::MAX));
        let mut pen = Pen::new(buf, theme, row);
        if focused && at == pane.view.cursor {
            pen = pen.over(Role::Cursor);
        }
        pen.text(" ", Role::Text);
        line(pane, &pane.lines[at], theme, &mut pen);
        pen.fill();
    }
}

fn line(pane: &DetailPane, line: &DetailLine, theme: Theme, pen: &mut Pen<'_>) {
    match line {
        DetailLine::Heading(kind, folded, n) => {
            let sign = if *folded { theme.glyphs.closed } else { theme.glyphs.open };
            let odd = matches!(kind, SectionKind::Unknown);
            let role = if odd { Role::Warn } else { Role::Heading };
            pen.text(kind.title(), role);
            if *folded {
                pen.text(" ", Role::Text).ink(sign, Role::Dim).text(&format!(" {n}"), Role::Dim);
            }
        }
        DetailLine::Entry(n, value) => {
            if let Some(entry) = pane.entries.get(*n) {
                entry_line(pane, entry, value, theme, pen);
            }
        }
        DetailLine::Value(_, value) => {
            pen.blank(pane.key_columns + 2).text(value, Role::Text);
        }
        DetailLine::Told(_, words) => {
            pen.text("  ", Role::Text).ink(theme.glyphs.quote, Role::Rule).text(" ", Role::Text);
            pen.text(words, Role::Decoded);
        }
        DetailLine::Doc(_, words) => {
            pen.text("  ", Role::Text).ink(theme.glyphs.quote, Role::Rule).text(" ", Role::Text);
            pen.text(words, Role::Dim);
        }
        DetailLine::Mark(_, words) => {
            pen.text("  ", Role::Text).ink(theme.glyphs.quote, Role::Rule).text(" ", Role::Text);
            pen.text(words, Role::Warn);
        }
        DetailLine::Note(words) => drop(pen.text(words, Role::Dim).left()),
        DetailLine::Raw(words) => drop(pen.text(words, Role::Text).left()),
        DetailLine::Blank => {}
    }
}

fn entry_line(pane: &DetailPane, entry: &Entry, value: &str, theme: Theme, pen: &mut Pen<'_>) {
    let indent = usize::from(entry.depth) * 2;
    pen.blank(indent.min(pane.key_columns));
    let room = pane.key_columns.saturating_sub(indent);
    pen.column_text(&entry.key, room, Role::Text).text("  ", Role::Text);
    let role = match entry.kind {
        JsonKind::Null => Role::Dim,
        _ if !entry.marks.is_empty() => Role::Warn,
        _ => Role::Heading,
    };
    let shown = match (entry.kind, value) {
        (JsonKind::String, "") => "\"\"",
        (JsonKind::Null, _) => "null",
        (_, value) => value,
    };
    let role = if shown == "\"\"" { Role::Dim } else { role };
    pen.text(shown, role);
    if let Some(decoded) = &entry.decoded {
        let safe = text::escape(decoded);
        pen.text(" ", Role::Text).ink(theme.glyphs.arrow, Role::Dim);
        pen.text(" ", Role::Text).text(&safe, Role::Decoded);
    }
}
