//! The model as cells. Reads everything, changes nothing, knows colours and widgets.
//!
//! [`view`] draws one frame. No I/O, no lock, no clock; missing data has a look of its own.

pub mod bottom;
pub mod header;
pub mod overlay;
pub mod pane;
pub mod plain;
pub mod theme;
pub mod widget;

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::{Area, Shape};
use crate::app::pane::PaneId;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::line::Pen;

/// Draws the model; returns where a prompt's cursor is.
pub fn view(model: &Model, theme: Theme, buf: &mut Buffer) -> Option<(u16, u16)> {
    let layout = &model.layout;
    if layout.shape == Shape::Sliver {
        header::sliver(model, theme, buf);
        return None;
    }
    header::header(model, theme, buf);
    header::chips(model, theme, buf);
    if let Some(area) = layout.left {
        match model.wish.left {
            PaneId::Actors => pane::actors::draw(model, theme, area, buf),
            PaneId::Types | PaneId::Timeline | PaneId::Events | PaneId::Detail => {
                pane::types::draw(model, theme, area, buf);
            }
        }
    }
    if let Some(area) = layout.timeline {
        pane::timeline::draw(model, theme, area, buf);
    }
    if let Some(area) = layout.events {
        pane::events::draw(model, theme, area, buf);
    }
    if let Some(area) = layout.detail {
        pane::detail::draw(model, theme, area, buf);
    }
    rules_between(model, theme, buf);
    let in_list = overlay::draw(model, theme, buf);
    let in_prompt = bottom::draw(model, theme, buf);
    in_prompt.or(in_list)
}

/// Draws the upright rules between columns.
fn rules_between(model: &Model, theme: Theme, buf: &mut Buffer) {
    let layout = &model.layout;
    let right = layout.middle.x + layout.middle.w;
    // The list's scroll bar is the rule at its right.
    for area in [layout.left].into_iter().flatten() {
        let x = area.x + area.w;
        if right <= x {
            continue;
        }
        for row in 0..area.h {
            let cell = Area::new(x, area.y + row, 1, 1);
            Pen::new(buf, theme, cell).ink(theme.glyphs.bar, Role::Rule);
        }
    }
}

/// Draws a pane's title line: a rule that is heavier and brighter where the focus is.
pub fn title<'a>(
    model: &Model,
    theme: Theme,
    pane: PaneId,
    area: Area,
    buf: &'a mut Buffer,
) -> Title<'a> {
    let focused = model.wish.focus == pane && model.overlays.is_empty();
    let (glyph, role) = if focused {
        (theme.glyphs.focus_rule, Role::Focus)
    } else {
        (theme.glyphs.rule, Role::Rule)
    };
    Title { pen: Pen::new(buf, theme, area.row(0)), glyph, role, focused }
}

/// A title line being written.
pub struct Title<'a> {
    pen: Pen<'a>,
    glyph: &'static str,
    role: Role,
    focused: bool,
}

impl Title<'_> {
    /// Writes the name.
    pub fn name(&mut self, name: &str) -> &mut Self {
        let role = if self.focused { Role::Focus } else { Role::Heading };
        self.pen.ink(self.glyph, self.role).text(" ", Role::Text).text(name, role);
        self.pen.text(" ", Role::Text);
        self
    }

    /// Writes something beside the name.
    pub fn beside(&mut self, text: &str, role: Role) -> &mut Self {
        if !text.is_empty() {
            self.pen.text(text, role).text(" ", Role::Text);
        }
        self
    }

    /// Draws the rule to the end, with `text` at its right.
    pub fn end(&mut self, text: &str, role: Role) {
        let columns = crate::base::text::width(&crate::base::text::escape(text));
        let room = self.pen.left();
        if !text.is_empty() && columns + 4 <= room {
            for _ in 0..room - columns - 3 {
                self.pen.ink(self.glyph, self.role);
            }
            self.pen.text(" ", Role::Text).text(text, role).text(" ", Role::Text);
        }
        self.pen.rule(self.glyph, self.role);
    }
}
