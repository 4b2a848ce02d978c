//! Draws the actors.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::pane::actors::name_of;
use crate::base::id::ActorId;
use crate::base::text;
use crate::base::time::Timestamp;
use crate::ui::pane::list::List;
use crate::ui::pane::types::short;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::bars;
use crate::ui::widget::line::Pen;

/// Columns of the share bars.
const BAR: usize = 2;

/// Draws the pane.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let pane = &model.panes.actors;
    let count = text::group(pane.most).len().max(3);
    let list = List {
        pane: PaneId::Actors,
        name: "Actors",
        other: "F9 1 types",
        pattern: &pane.pattern,
        order: pane.sort.name(),
        len: pane.rows.len(),
        view: pane.view,
        empty: ["nobody yet", "nobody is called that"],
        foot: foot(model, theme),
    };
    list.draw(model, theme, area, buf, &mut |at, pen| {
        row(model, pane.rows[at], count, theme, pen);
    });
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

/// Returns the whole id and the first and last time of the actor in focus.
fn foot(model: &Model, theme: Theme) -> Option<[(String, Role); 2]> {
    let id = model.panes.actors.focused()?;
    let zone = model.data.zone;
    let day = |t: i64| zone.format(Timestamp(t), "%m-%d %H:%M");
    let span = model.data.actor_span(id);
    let words = if model.data.spans.is_none() {
        String::new()
    } else if i64::MAX - 1 <= span.first {
        "no events with a time".to_owned()
    } else {
        let name = zone.short(Timestamp(span.last));
        format!("{} {} {} {name}", day(span.first), theme.glyphs.dash, day(span.last))
    };
    Some([(name_of(&model.data, id), Role::Heading), (words, Role::Dim)])
}
