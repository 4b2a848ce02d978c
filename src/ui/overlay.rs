//! What lies on top of the panes.

use ratatui::buffer::Buffer;

use crate::app::layout::Area;
use crate::app::overlay::Overlay;
use crate::app::overlay::choices::{Choice, Choices, Kind, Run};
use crate::app::overlay::doc::{Doc, Look};
use crate::app::viewport::Viewport;
use crate::app::wrap::wrap;
use crate::app::{Model, READING_COLUMNS};
use crate::base::text;
use crate::jobs::msg::Problems;
use crate::ui::bottom;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::line::Pen;

/// Draws all overlays but prompts; returns where the cursor of one with a line of text is.
pub fn draw(model: &Model, theme: Theme, buf: &mut Buffer) -> Option<(u16, u16)> {
    let mut cursor = None;
    for overlay in &model.overlays {
        cursor = match overlay {
            Overlay::Prompt(_) => None,
            Overlay::Choices(list) => choices(model, list, theme, buf),
            Overlay::Chips(list) => {
                chips(model, list.view, theme, buf);
                None
            }
            Overlay::Problems(view) => {
                problems(model, *view, theme, buf);
                None
            }
            Overlay::Doc(page) => {
                doc(model, page, theme, buf);
                None
            }
        };
    }
    cursor
}

/// Draws an empty box with a title; returns its inside.
fn frame(theme: Theme, area: Area, title: &str, note: &str, buf: &mut Buffer) -> Area {
    let [top_left, top_right, bottom_left, bottom_right, across, down] = theme.glyphs.frame;
    if area.w < 4 || area.h < 3 {
        for row in 0..area.h {
            Pen::new(buf, theme, area.row(row)).fill();
        }
        return area;
    }
    let mut pen = Pen::new(buf, theme, area.row(0));
    pen.ink(top_left, Role::Focus).ink(across, Role::Focus).text(" ", Role::Text);
    pen.text(title, Role::Focus).text(" ", Role::Text);
    let note_columns = text::width(&text::escape(note));
    while note_columns + 4 < pen.left() {
        pen.ink(across, Role::Focus);
    }
    if !note.is_empty() && note_columns + 3 < pen.left() {
        pen.text(" ", Role::Text).text(note, Role::Dim).text(" ", Role::Text);
    }
    while 1 < pen.left() {
        pen.ink(across, Role::Focus);
    }
    pen.ink(top_right, Role::Focus);
    for row in 1..area.h - 1 {
        let mut pen = Pen::new(buf, theme, area.row(row));
        pen.ink(down, Role::Focus);
        let room = pen.left();
        pen.blank(room.saturating_sub(1)).ink(down, Role::Focus);
    }
    let mut pen = Pen::new(buf, theme, area.row(area.h - 1));
    pen.ink(bottom_left, Role::Focus);
    while 1 < pen.left() {
        pen.ink(across, Role::Focus);
    }
    pen.ink(bottom_right, Role::Focus);
    Area::new(area.x + 2, area.y + 1, area.w - 4, area.h - 2)
}

fn choices(model: &Model, list: &Choices, theme: Theme, buf: &mut Buffer) -> Option<(u16, u16)> {
    let area = model.layout.overlay(READING_COLUMNS, u16::MAX);
    let (title, label) = match list.kind {
        Kind::Help => ("Keys that work here", "find: "),
        Kind::Palette => ("Commands, event types, attributes", "find: "),
        Kind::Zones => ("Show times in this zone", "zone: "),
    };
    let note = format!("{} found", text::group(list.shown.len() as u64));
    let note = if list.line.text().is_empty() { "Enter runs, Esc closes" } else { note.as_str() };
    let inner = frame(theme, area, title, note, buf);
    let cursor = bottom::line(theme, inner.row(0), label, &list.line, &[], buf);
    let body = inner.body();
    let keys = list.shown.iter().map(|choice| text::width(&choice.key)).max().unwrap_or(0);
    let keys = keys.min(usize::from(body.w) / 3);
    for (n, at) in list.view.rows(list.shown.len(), usize::from(body.h)).enumerate() {
        let row = body.row(u16::try_from(n).unwrap_or(u16::MAX));
        let mut pen = Pen::new(buf, theme, row);
        if at == list.view.cursor {
            pen = pen.over(Role::Cursor);
        }
        choice(list.kind, &list.shown[at], keys, &mut pen);
        pen.fill();
    }
    if list.shown.is_empty() {
        Pen::new(buf, theme, body.row(1)).text(" nothing is called that", Role::Dim).left();
    }
    Some(cursor)
}

fn choice(kind: Kind, choice: &Choice, keys: usize, pen: &mut Pen<'_>) {
    if choice.run == Run::Nothing && choice.key.is_empty() {
        pen.text(&choice.name, Role::Heading);
        return;
    }
    pen.text(" ", Role::Text).column_text(&choice.key, keys, Role::Key).text("  ", Role::Text);
    match kind {
        Kind::Help => {
            let room = pen.left().saturating_sub(text::width(&choice.help) + 2);
            pen.column_text(&choice.name, room.max(20), Role::Text);
            pen.text(" ", Role::Text).text(&choice.help, Role::Dim);
        }
        Kind::Palette | Kind::Zones => {
            let room = pen.left().min(30);
            pen.column_text(&choice.name, room, Role::Text).text("  ", Role::Text);
            let room = pen.left();
            pen.column_text(&choice.help, room, Role::Dim);
        }
    }
}

fn chips(model: &Model, view: Viewport, theme: Theme, buf: &mut Buffer) {
    let chips = &model.filter.view().chips;
    let rows = u16::try_from(chips.len()).unwrap_or(u16::MAX).saturating_add(2).max(4);
    let area = model.layout.overlay(76, rows);
    let inner = frame(theme, area, "Narrowings", "all that are on must hold", buf);
    if chips.is_empty() {
        let words = "none yet: Enter on a type or actor makes one, f writes one";
        Pen::new(buf, theme, inner.row(0)).text(words, Role::Dim).left();
    }
    let mut view = view;
    view.fit(chips.len(), usize::from(inner.h));
    for (n, at) in view.rows(chips.len(), usize::from(inner.h)).enumerate() {
        let row = inner.row(u16::try_from(n).unwrap_or(u16::MAX));
        let mut pen = Pen::new(buf, theme, row);
        if at == view.cursor {
            pen = pen.over(Role::Cursor);
        }
        let chip = &chips[at];
        let (sign, role) = if chip.on { ("on   ", Role::Chip) } else { ("off  ", Role::Dim) };
        pen.text(" ", Role::Text).text(sign, role);
        let room = pen.left();
        pen.column_text(&chip.text, room, if chip.on { Role::Text } else { Role::Dim });
        pen.fill();
    }
}

fn problems(model: &Model, view: Viewport, theme: Theme, buf: &mut Buffer) {
    let area = model.layout.overlay(u16::MAX, u16::MAX);
    let Some(problems) = model.data.problems.as_deref() else {
        let inner = frame(theme, area, "Problems", "", buf);
        Pen::new(buf, theme, inner.row(1)).text("reading…", Role::Dim).left();
        return;
    };
    let note = counted_problems(model, problems);
    let inner = frame(theme, area, "Problems", &note, buf);
    let mut top = 0;
    for note in &problems.notes {
        for piece in wrap(&text::escape(note), usize::from(inner.w)) {
            Pen::new(buf, theme, inner.row(top)).text(&piece, Role::Warn).left();
            top += 1;
        }
    }
    if problems.rows.is_empty() {
        Pen::new(buf, theme, inner.row(top + 1)).text("No bad records.", Role::Text).left();
        return;
    }
    let (_, body) = inner.split_top(top.min(inner.h));
    let per_page = usize::from(body.h / 3).max(1);
    let mut view = view;
    view.fit(problems.rows.len(), per_page);
    for (n, at) in view.rows(problems.rows.len(), per_page).enumerate() {
        let found = &problems.rows[at];
        let first = u16::try_from(n * 3).unwrap_or(u16::MAX);
        let mut pen = Pen::new(buf, theme, body.row(first));
        if at == view.cursor {
            pen = pen.over(Role::Cursor);
        }
        pen.text(&found.place, Role::Heading);
        pen.text(&format!("  byte {}  ", text::group(found.offset)), Role::Dim);
        pen.text(&found.reason, Role::Warn).fill();
        let mut pen = Pen::new(buf, theme, body.row(first + 1));
        pen.text("  ", Role::Text).text(&found.snippet, Role::Text);
        let mut pen = Pen::new(buf, theme, body.row(first + 2));
        pen.blank(found.caret + 2).text("^", Role::Fail);
    }
}

/// Returns how many problems of each kind there are.
fn counted_problems(model: &Model, problems: &Problems) -> String {
    let torn = model.data.index.files().iter().filter(|file| file.torn.is_some()).count();
    let listed = problems.rows.len() as u64;
    let doubled = listed.saturating_sub(problems.total);
    let kinds = [
        (problems.total, "bad record"),
        (torn as u64, "unfinished line"),
        (doubled, "duplicate key"),
        (model.data.index.sources().refused.len() as u64, "file left out"),
    ];
    let counted =
        kinds.iter().filter(|(n, _)| 0 < *n).map(|(n, what)| match what.split_once(' ') {
            Some(("file", rest)) if *n != 1 => format!("{} files {rest}", text::group(*n)),
            _ => format!("{} {what}{}", text::group(*n), if *n == 1 { "" } else { "s" }),
        });
    let told = counted.collect::<Vec<_>>().join(", ");
    if told.is_empty() { "none".to_owned() } else { told }
}

fn doc(model: &Model, page: &Doc, theme: Theme, buf: &mut Buffer) {
    let area = model.layout.overlay(READING_COLUMNS, u16::MAX);
    let inner = frame(theme, area, &page.title, "Enter follows, Esc closes", buf);
    let height = usize::from(inner.h);
    let mut view = page.view;
    view.fit(page.lines.len(), height);
    for (n, at) in view.rows(page.lines.len(), height).enumerate() {
        let row = inner.row(u16::try_from(n).unwrap_or(u16::MAX));
        let mut pen = Pen::new(buf, theme, row);
        let line = &page.lines[at];
        if at == view.cursor && line.target.is_some() {
            pen = pen.over(Role::Cursor);
        }
        let here = if at == view.cursor { theme.glyphs.rest } else { " " };
        pen.ink(here, Role::Focus).text(" ", Role::Text);
        let role = match line.look {
            Look::Title | Look::Heading => Role::Heading,
            Look::Text => Role::Text,
            Look::Warn => Role::Warn,
            Look::Link => Role::Key,
        };
        match line.text.split_once('\t') {
            Some((name, words)) => {
                pen.column_text(name, 30, role).text(" ", Role::Text);
                let room = pen.left();
                pen.column_text(words, room, Role::Dim);
            }
            None => drop(pen.text(&line.text, role).left()),
        }
        pen.fill();
    }
}
