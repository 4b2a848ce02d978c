//! Draws the catalogue.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::pane::types::{TypeItem, TypeRow, Types};
use crate::app::work::{FOOT, list_rows};
use crate::base::text;
use crate::ui::theme::{Role, Theme};
use crate::ui::title;
use crate::ui::widget::bars;
use crate::ui::widget::line::Pen;

/// Draws the pane.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let pane = &model.panes.types;
    let focused = model.wish.focus == PaneId::Types;
    {
        let mut title = title(model, theme, PaneId::Types, area, buf);
        title.name("Event types");
        if pane.pattern.is_empty() {
            title.beside("F9 2 actors", Role::Dim);
        } else {
            title.beside(&format!("like {}", pane.pattern), Role::Match);
        }
        title.end("", Role::Dim);
    }
    let body = area.body();
    let rows = list_rows(model, PaneId::Types).min(usize::from(body.h));
    let columns = Columns::of(model, body);
    for (n, at) in pane.view.rows(pane.rows.len(), rows).enumerate() {
        let line = body.row(u16::try_from(n).unwrap_or(u16::MAX));
        let under = at == pane.view.cursor;
        let mut pen = Pen::new(buf, theme, line);
        if under && focused {
            pen = pen.over(Role::Cursor);
        }
        let gutter = if under && !focused { theme.glyphs.rest } else { " " };
        pen.ink(gutter, Role::Focus);
        row(pane, &pane.rows[at], columns, theme, &mut pen);
        pen.fill();
    }
    if pane.rows.is_empty() {
        let words =
            if pane.pattern.is_empty() { "no events yet" } else { "no type is called that" };
        Pen::new(buf, theme, body.row(1)).text("  ", Role::Text).text(words, Role::Dim).left();
    }
    if rows + FOOT <= usize::from(body.h) {
        foot(model, theme, body, buf);
    }
}

#[derive(Clone, Copy)]
struct Columns {
    count: usize,
    failed: usize,
    bar: usize,
}

impl Columns {
    fn of(model: &Model, area: Area) -> Self {
        let groups = &model.panes.types.groups;
        let most = groups.iter().map(|group| group.events).max().unwrap_or(0);
        let failed = groups.iter().map(|group| group.failed).max().unwrap_or(0);
        let mark = usize::from(!model.data.is_final());
        let count = text::group(most).len() + mark;
        let failed = if failed == 0 { 0 } else { short(failed).len() + 2 };
        let narrow = usize::from(area.w) < count + failed + 14;
        let bar = match area.w {
            0..28 => 0,
            28..38 => 2,
            38..44 => 4,
            _ => 6,
        };
        Self { count, failed: if narrow { 0 } else { failed }, bar }
    }
}

/// Returns a count in at most five characters; the exact one is told at the foot.
pub fn short(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{}k", n / 1_000),
        1_000_000..1_000_000_000 => format!("{}M", n / 1_000_000),
        _ => format!("{}G", n / 1_000_000_000),
    }
}

fn row(pane: &Types, row: &TypeRow, columns: Columns, theme: Theme, pen: &mut Pen<'_>) {
    match *row {
        TypeRow::Category(group) => {
            let Some(group) = pane.groups.get(group) else { return };
            let sign = if pane.is_folded(group) { theme.glyphs.closed } else { theme.glyphs.open };
            pen.ink(sign, Role::Dim).text(" ", Role::Text);
            let room = pen.left().saturating_sub(columns.count + columns.failed + 1);
            pen.column_text(&group.title, room, Role::Heading);
            figures(group.events, group.failed, columns, theme, pen);
        }
        TypeRow::Type(group, at) => {
            let Some(item) = pane.item(group, at) else { return };
            let chosen = pane.chosen.contains(&item.name);
            let sign = if chosen { theme.glyphs.chosen } else { " " };
            pen.ink(sign, Role::Chip).text(" ", Role::Text);
            let tail = columns.count + columns.failed + 1 + columns.bar + 1;
            let room = pen.left().saturating_sub(tail);
            name(item, room, chosen, pen);
            let bar = bars::lying(theme.glyphs, item.events, pane.most, columns.bar);
            pen.text(" ", Role::Text).column_text(&bar, columns.bar, Role::Bar);
            figures(item.events, item.failed, columns, theme, pen);
        }
        TypeRow::Unseen(n) => {
            pen.text("  not seen", Role::Dim);
            let room = pen.left().saturating_sub(columns.failed + 2);
            pen.right_text(&text::group(n as u64), room, Role::Dim);
            pen.text(" ", Role::Text).ink(theme.glyphs.closed, Role::Dim);
        }
    }
}

fn name(item: &TypeItem, room: usize, chosen: bool, pen: &mut Pen<'_>) {
    let role = match (chosen, item.events, item.known) {
        (true, ..) => Role::Chip,
        (false, 0, _) => Role::Dim,
        (false, _, true) => Role::Text,
        (false, _, false) => Role::Warn,
    };
    let mark = match (item.known, item.flagged) {
        (false, _) => " ?",
        (true, true) => " *",
        (true, false) => "",
    };
    let columns = text::width(&text::escape(&item.name)).min(room.saturating_sub(mark.len()));
    pen.column_text(&item.name, columns, role).text(mark, Role::Warn);
    pen.blank(room.saturating_sub(columns + mark.len()));
}

fn figures(events: u64, failed: u64, columns: Columns, theme: Theme, pen: &mut Pen<'_>) {
    let role = if events == 0 { Role::Dim } else { Role::Text };
    pen.text(" ", Role::Text).right_text(&text::group(events), columns.count, role);
    if columns.failed == 0 {
        return;
    }
    if failed == 0 {
        pen.blank(columns.failed);
    } else {
        let text = format!("{}{}", theme.glyphs.failed, short(failed));
        pen.right_text(&text, columns.failed, Role::Fail);
    }
}

/// Draws what is to be said about the type in focus.
fn foot(model: &Model, theme: Theme, body: Area, buf: &mut Buffer) {
    let first = body.h - u16::try_from(FOOT).unwrap_or(3);
    Pen::new(buf, theme, body.row(first)).rule(theme.glyphs.rule, Role::Rule);
    let pane = &model.panes.types;
    let (words, figures, flag) = match pane.rows.get(pane.view.cursor) {
        Some(TypeRow::Category(group)) => match pane.groups.get(*group) {
            Some(group) => (group.title.clone(), tell(group.events, group.failed), String::new()),
            None => return,
        },
        Some(&TypeRow::Type(group, at)) => match pane.item(group, at) {
            Some(item) => (item.title.clone(), tell(item.events, item.failed), status(model, item)),
            None => return,
        },
        Some(TypeRow::Unseen(n)) => {
            let words = format!("{n} documented types do not occur");
            (words, "p lists them".to_owned(), String::new())
        }
        None => return,
    };
    let mut pen = Pen::new(buf, theme, body.row(first + 1));
    let room = pen.left().saturating_sub(1);
    pen.text(" ", Role::Text).column_text(&words, room, Role::Heading);
    let mut pen = Pen::new(buf, theme, body.row(first + 2));
    let room = pen.left().saturating_sub(1);
    pen.text(" ", Role::Text);
    if flag.is_empty() {
        pen.column_text(&figures, room, Role::Dim);
    } else {
        pen.column_text(&flag, room, Role::Warn);
    }
}

fn tell(events: u64, failed: u64) -> String {
    match (events, failed) {
        (0, _) => "does not occur; Enter reads about it".to_owned(),
        (1, 0) => "1 event".to_owned(),
        (1, _) => "1 event, failed".to_owned(),
        (events, 0) => format!("{} events", text::group(events)),
        (events, failed) => {
            format!("{} events, {} failed", text::group(events), text::group(failed))
        }
    }
}

fn status(model: &Model, item: &TypeItem) -> String {
    let Some(known) = model.data.catalog.find(&item.name) else {
        return "not in the schema".to_owned();
    };
    let words: Vec<String> =
        known.status.iter().map(|status| model.data.catalog.status_text(status)).collect();
    words.join("; ")
}
