//! Draws the actors.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::pane::actors::name_of;
use crate::app::work::{FOOT, list_rows};
use crate::base::id::ActorId;
use crate::base::text;
use crate::base::time::Timestamp;
use crate::ui::pane::types::short;
use crate::ui::theme::{Role, Theme};
use crate::ui::title;
use crate::ui::widget::bars;
use crate::ui::widget::line::Pen;

/// Columns of the share bars.
const BAR: usize = 2;

/// Draws the pane.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let pane = &model.panes.actors;
    let focused = model.wish.focus == PaneId::Actors;
    {
        let mut title = title(model, theme, PaneId::Actors, area, buf);
        title.name("Actors");
        if pane.pattern.is_empty() {
            title.beside("F9 1 types", Role::Dim);
        } else {
            title.beside(&format!("like {}", pane.pattern), Role::Match);
        }
        title.end(pane.sort.name(), Role::Dim);
    }
    let body = area.body();
    let rows = list_rows(model, PaneId::Actors).min(usize::from(body.h));
    let count = text::group(pane.most).len().max(3);
    for (n, at) in pane.view.rows(pane.rows.len(), rows).enumerate() {
        let line = body.row(u16::try_from(n).unwrap_or(u16::MAX));
        let under = at == pane.view.cursor;
        let mut pen = Pen::new(buf, theme, line);
        if under && focused {
            pen = pen.over(Role::Cursor);
        }
        pen.ink(if under && !focused { theme.glyphs.rest } else { " " }, Role::Focus);
        row(model, pane.rows[at], count, theme, &mut pen);
        pen.fill();
    }
    if pane.rows.is_empty() {
        let words = if pane.pattern.is_empty() { "nobody yet" } else { "nobody is called that" };
        Pen::new(buf, theme, body.row(1)).text("  ", Role::Text).text(words, Role::Dim).left();
    }
    if rows + FOOT <= usize::from(body.h) {
        foot(model, theme, body, buf);
    }
}

fn row(model: &Model, id: ActorId, count: usize, theme: Theme, pen: &mut Pen<'_>) {
    let pane = &model.panes.actors;
    let tally = model.data.actor_tally(id);
    let name = name_of(&model.data, id);
    let chosen = pane.chosen.contains(model.data.index.actor_name(id));
    let failed_columns = 6;
    pen.ink(if chosen { theme.glyphs.chosen } else { " " }, Role::Chip).text(" ", Role::Text);
    let room = pen.left().saturating_sub(count + failed_columns + BAR + 2);
    let role = match (chosen, name.starts_with('(')) {
        (true, _) => Role::Chip,
        (false, true) => Role::Dim,
        (false, false) => Role::Text,
    };
    pen.id_text(&name, room, role);
    let bar = bars::lying(theme.glyphs, u64::from(tally.events), pane.most, BAR);
    pen.text(" ", Role::Text).column_text(&bar, BAR, Role::Bar);
    pen.text(" ", Role::Text).right_text(&text::group(u64::from(tally.events)), count, Role::Text);
    if tally.failed == 0 {
        pen.blank(failed_columns);
    } else {
        let failed = format!("{}{}", theme.glyphs.failed, short(u64::from(tally.failed)));
        pen.right_text(&failed, failed_columns, Role::Fail);
    }
}

/// Draws the whole id and the first and last time of the actor in focus.
fn foot(model: &Model, theme: Theme, body: Area, buf: &mut Buffer) {
    let first = body.h - u16::try_from(FOOT).unwrap_or(3);
    Pen::new(buf, theme, body.row(first)).rule(theme.glyphs.rule, Role::Rule);
    let Some(id) = model.panes.actors.focused() else { return };
    let mut pen = Pen::new(buf, theme, body.row(first + 1));
    let room = pen.left().saturating_sub(1);
    pen.text(" ", Role::Text).column_text(&name_of(&model.data, id), room, Role::Heading);
    let mut pen = Pen::new(buf, theme, body.row(first + 2));
    let room = pen.left().saturating_sub(1);
    let day = |t: i64| Timestamp(t).format("%m-%d %H:%M");
    let span = model.data.actor_span(id);
    let words = if model.data.spans.is_none() {
        String::new()
    } else if i64::MAX - 1 <= span.first {
        "no events with a time".to_owned()
    } else {
        format!("{} {} {} UTC", day(span.first), theme.glyphs.dash, day(span.last))
    };
    pen.text(" ", Role::Text).column_text(&words, room, Role::Dim);
}
