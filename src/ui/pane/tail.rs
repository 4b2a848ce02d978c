//! Draws the last events of a log that is still being read, below the first ones.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::events::Line;
use crate::base::id::EventId;
use crate::index::Index;
use crate::record::head::Flags;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::line::Pen;

/// Rows of the list below which the end is not shown.
const LEAST_ROWS: u16 = 12;

/// Events of the end that are shown.
const SHOWN: u16 = 3;

/// Draws the end of the log over the lowest rows of the list, unless the cursor is there.
pub fn draw(model: &Model, theme: Theme, body: Area, buf: &mut Buffer) {
    let Some(tail) = model.data.tail() else { return };
    let rows = SHOWN.min(u16::try_from(tail.rows()).unwrap_or(SHOWN));
    let top = body.h.saturating_sub(rows + 1);
    let pane = &model.panes.events;
    let under = pane
        .lines
        .iter()
        .position(|line| matches!(line, Line::Event(at, _) if *at == pane.cursor))
        .unwrap_or(0);
    if body.h < LEAST_ROWS || usize::from(top) <= under {
        return;
    }
    let mut pen = Pen::new(buf, theme, body.row(top));
    pen.text(" ", Role::Text).text(theme.glyphs.gap, Role::Dim);
    pen.text(" reading; the log ends with ", Role::Dim).rule(theme.glyphs.rule, Role::Rule);
    pen.fill();
    for n in 0..rows {
        let id = tail.order().at(tail.order().len() - u32::from(rows) + u32::from(n));
        let mut pen = Pen::new(buf, theme, body.row(top + 1 + n));
        event(model, theme, tail, id, &mut pen);
        pen.fill();
    }
}

fn event(model: &Model, theme: Theme, tail: &Index, id: EventId, pen: &mut Pen<'_>) {
    let row = tail.row(id);
    let name = tail.type_name(row.event_type);
    let known = model.data.catalog.find(name);
    let title = known.map_or(name, |known| known.title.as_str());
    let letter = known.map_or('?', |known| known.effect.letter());
    let zone = model.data.zone;
    let when = if row.time.is_some() {
        zone.format(row.time, "%m-%d ") + &zone.clock(row.time)
    } else {
        "no time".to_owned()
    };
    let failed = row.flags.has(Flags::FAILED);
    let glyph = if failed { theme.glyphs.failed } else { " " };
    let role = if failed { Role::Fail } else { Role::Dim };
    pen.text(" ", Role::Text).column_text(&when, 18, Role::Dim);
    pen.text(" ", Role::Text).text(letter.encode_utf8(&mut [0; 4]), Role::Dim);
    pen.text(" ", Role::Text).ink(glyph, role).text(" ", Role::Text);
    let room = pen.left();
    pen.column_text(title, room, role);
}
