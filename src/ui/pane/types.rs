//! Draws the catalogue.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::pane::types::{Sort, TypeItem, TypeRow, Types};
use crate::base::text;
use crate::ui::pane::list::List;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::bars;
use crate::ui::widget::line::Pen;

/// Draws the pane.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let pane = &model.panes.types;
    let columns = Columns::of(model, area);
    let list = List {
        pane: PaneId::Types,
        name: "Event types",
        other: "F9 2 actors",
        pattern: &pane.pattern,
        order: if pane.sort == Sort::default() { "" } else { pane.sort.name() },
        len: pane.rows.len(),
        view: pane.view,
        empty: ["no events yet", "no type is called that"],
        foot: foot(model),
    };
    list.draw(model, theme, area, buf, &mut |at, pen| {
        row(pane, &pane.rows[at], columns, theme, pen);
    });
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
        // Where room is short, a bar's height tells what its length tells elsewhere.
        let bar = match area.w {
            0..28 => 0,
            28..42 => 1,
            42..46 => 4,
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
            pen.text(" ", Role::Text);
            if columns.bar == 1 {
                let height = bars::upright(theme.glyphs, item.events, pane.most, 0, 1);
                pen.ink(height, Role::Bar);
            } else {
                let bar = bars::lying(theme.glyphs, item.events, pane.most, columns.bar);
                pen.column_text(&bar, columns.bar, Role::Bar);
            }
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

/// Returns what is to be said about the row in focus: its whole name, and what it means.
fn foot(model: &Model) -> Option<[(String, Role); 2]> {
    let pane = &model.panes.types;
    let (name, words, role) = match *pane.rows.get(pane.view.cursor)? {
        TypeRow::Category(group) => {
            let group = pane.groups.get(group)?;
            (group.title.clone(), tell(group.events, group.failed), Role::Dim)
        }
        TypeRow::Type(group, at) => {
            let item = pane.item(group, at)?;
            let flag = status(model, item);
            let about = match (flag.is_empty(), item.title == item.name, item.events) {
                (false, ..) => (flag, Role::Warn),
                (true, false, 1..) => (item.title.clone(), Role::Dim),
                (true, ..) => (tell(item.events, item.failed), Role::Dim),
            };
            (item.name.clone(), about.0, about.1)
        }
        TypeRow::Unseen(n) => {
            (format!("{n} documented types do not occur"), "p lists them".to_owned(), Role::Dim)
        }
    };
    Some([(name, Role::Heading), (words, role)])
}

fn tell(events: u64, failed: u64) -> String {
    match (events, failed) {
        (0, _) => "does not occur; Enter explains".to_owned(),
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
