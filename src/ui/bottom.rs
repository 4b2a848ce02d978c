//! The last line: a prompt, a notice, a pending chord, or the keys that are worth knowing now.

use std::ops::Range;

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::NoticeKind;
use crate::app::action::{Action, Edit};
use crate::app::key::chord_text;
use crate::app::keymap::{self, Context};
use crate::app::layout::{Area, Shape};
use crate::app::lineedit::LineEdit;
use crate::app::overlay::Overlay;
use crate::app::overlay::prompt::{Kind, Prompt};
use crate::app::overlay::suggest::ROWS;
use crate::base::id::ActorId;
use crate::base::text;
use crate::base::zone::Zone;
use crate::query::complete::{Role as Part, highlight};
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::line::Pen;

/// What times of a filter mean, whatever zone times are shown in.
const TIMES_MEAN: &str = "times without a zone mean UTC";

/// Draws the last line, and above it what belongs to a prompt; returns where its cursor is.
pub fn draw(model: &Model, theme: Theme, buf: &mut Buffer) -> Option<(u16, u16)> {
    let area = model.layout.hint;
    if let Some(Overlay::Prompt(prompt)) = model.overlays.last() {
        above(model, prompt, theme, buf);
        suggestions(model, prompt, theme, buf);
        let parts = if prompt.kind.is_filter() { parts(prompt.line.text()) } else { Vec::new() };
        let zone = model.data.zone.name();
        let label = match prompt.kind {
            Kind::Time => format!("go to time ({zone}): "),
            kind => kind.label().to_owned(),
        };
        return Some(line(theme, area, &label, &prompt.line, &parts, buf));
    }
    let mut pen = Pen::new(buf, theme, area);
    if !model.keys.pending.is_empty() {
        pending(model, &mut pen);
    } else if let Some(notice) = &model.notice {
        let role = match notice.kind {
            NoticeKind::Info => Role::Text,
            NoticeKind::Problem => Role::Fail,
        };
        pen.text(" ", Role::Text).text(&notice.text, role);
    } else if let Some(count) = model.keys.count {
        pen.text(" ", Role::Text).text(&count.to_string(), Role::Key);
        pen.text("  times the next key", Role::Dim);
    } else if let Some((done, total)) = model.work.search.as_ref().and_then(|s| s.progress) {
        let share = format!(" searching… {} of {}   ", text::group(done), text::group(total));
        pen.text(&share, Role::Text).text("Esc", Role::Key).text(" stops", Role::Dim);
    } else if model.layout.shape == Shape::Tiny && model.overlays.is_empty() {
        tiny(model, &mut pen);
    } else {
        hints(model, &mut pen);
    }
    pen.fill();
    None
}

/// Returns the parts of a filter with their looks.
fn parts(filter: &str) -> Vec<(Range<usize>, Role)> {
    let role = |part| match part {
        Part::Field => Role::Key,
        Part::Operator => Role::Dim,
        Part::Value => Role::Decoded,
        Part::Text => Role::Text,
        Part::Regex => Role::Match,
        Part::Keyword => Role::Heading,
        Part::Broken => Role::Fail,
    };
    highlight(filter).into_iter().map(|(span, part)| (span, role(part))).collect()
}

/// Draws a line that is being typed, scrolled so that its cursor is seen; returns the cursor's
/// place. Each of `parts`, in order, has a look of its own.
pub fn line(
    theme: Theme,
    area: Area,
    label: &str,
    line: &LineEdit,
    parts: &[(Range<usize>, Role)],
    buf: &mut Buffer,
) -> (u16, u16) {
    let mut pen = Pen::new(buf, theme, area);
    pen.text(" ", Role::Text).text(label, Role::Key);
    let start = pen.column();
    let room = pen.left().max(1);
    let typed = line.text();
    let before = &typed[..line.cursor()];
    // Cut from the left until the cursor fits.
    let mut cut = 0;
    let mut columns = text::width(&text::escape(before));
    while room <= columns {
        cut += before[cut..].chars().next().map_or(1, char::len_utf8);
        columns = before.get(cut..).map_or(0, |shown| text::width(&text::escape(shown)));
    }
    let mut at = cut;
    for (span, role) in parts {
        if let Some(gap) = typed.get(at..span.start) {
            pen.text(gap, Role::Text);
        }
        at = at.max(span.start);
        if let Some(part) = typed.get(at..span.end) {
            pen.text(part, *role);
        }
        at = at.max(span.end);
    }
    pen.text(typed.get(at..).unwrap_or_default(), Role::Text);
    pen.fill();
    let x = start + u16::try_from(columns).unwrap_or(0);
    (x.min((area.x + area.w).saturating_sub(1)), area.y)
}

/// Draws what could be typed next, a line each, above all that belongs to the prompt.
fn suggestions(model: &Model, prompt: &Prompt, theme: Theme, buf: &mut Buffer) {
    let list = &prompt.suggestions;
    let hint = model.layout.hint;
    // Two lines stay above, for the header.
    let rows = usize::from(hint.y.saturating_sub(4)).min(ROWS);
    if !list.is_open() || rows == 0 {
        return;
    }
    let shown = list.visible(rows);
    let height = u16::try_from(shown.len()).unwrap_or(0);
    let top = hint.y - 1 - height;
    let title = Area::new(hint.x, top - 1, hint.w, 1);
    let mut pen = Pen::new(buf, theme, title);
    pen.ink(theme.glyphs.rule, Role::Rule).text(" ", Role::Text);
    pen.text("Tab", Role::Key).text(" takes the next of ", Role::Dim);
    pen.text(&text::group(list.items.len() as u64), Role::Dim).text(" ", Role::Text);
    pen.rule(theme.glyphs.rule, Role::Rule);
    let width = |at: usize| text::width(&text::escape(&list.items[at].text));
    let columns = shown.clone().map(width).max().unwrap_or(0).min(usize::from(hint.w) / 2);
    for (n, at) in shown.enumerate() {
        let row = Area::new(hint.x, top + u16::try_from(n).unwrap_or(0), hint.w, 1);
        let mut pen = Pen::new(buf, theme, row);
        if list.chosen == Some(at) {
            pen = pen.over(Role::Cursor);
        }
        let item = &list.items[at];
        pen.text(" ", Role::Text).column_text(&item.text, columns, Role::Text);
        pen.text("  ", Role::Text);
        let room = pen.left();
        pen.column_text(&item.doc, room, Role::Dim).fill();
    }
}

/// Draws what a filter prompt says about the text: what it means, how much it shows, what is wrong.
fn above(model: &Model, prompt: &Prompt, theme: Theme, buf: &mut Buffer) {
    let hint = model.layout.hint;
    if hint.y == 0 {
        return;
    }
    let row = Area::new(hint.x, hint.y - 1, hint.w, 1);
    if let Some(error) = &prompt.error {
        let mut pen = Pen::new(buf, theme, row);
        let role = if prompt.line.text().is_empty() { Role::Dim } else { Role::Warn };
        pen.text(" ", Role::Text).text(error, role);
        return pen.fill();
    }
    if !prompt.kind.is_filter() {
        return;
    }
    let Some(answer) = &prompt.preview else { return };
    let mut pen = Pen::new(buf, theme, row);
    let total = u64::from(model.data.index.rows());
    let mark = if answer.is_final { "" } else { theme.glyphs.at_least };
    let counts = format!("{mark}{} of {}", text::group(answer.counts.matched), text::group(total));
    pen.text(" ", Role::Text).text(&counts, Role::Heading).text("   ", Role::Text);
    let timed = prompt.line.text().contains("time") || prompt.line.text().contains("hour");
    let note = if timed || model.data.zone != Zone::Utc { TIMES_MEAN } else { "" };
    let room = pen.left().saturating_sub(note.len() + 1);
    match answer.problems.first() {
        Some(one) => {
            let words = one.problem.line();
            // Of several chips it is told which one is meant.
            let words = if one.text == prompt.line.text().trim() {
                words
            } else {
                format!("{}: {words}", one.text)
            };
            pen.column_text(&words, room, Role::Warn)
        }
        None => pen.column_text(&answer.echo, room, Role::Dim),
    };
    pen.text(note, Role::Text).fill();
}

fn pending(model: &Model, pen: &mut Pen<'_>) {
    pen.text(" ", Role::Text).text(&chord_text(&model.keys.pending), Role::Key);
    let skip = model.keys.pending.len();
    for binding in keymap::continuations(&model.contexts(), &model.keys.pending) {
        let rest: Vec<&str> = binding.keys.split(' ').skip(skip).collect();
        pen.text("  ", Role::Text).text(&rest.join(" "), Role::Key);
        pen.text(" ", Role::Text).text(binding.action.help(), Role::Dim);
    }
}

fn hints(model: &Model, pen: &mut Pen<'_>) {
    let contexts = model.contexts();
    // A list of choices has nothing to complete, and an empty log nothing to act on.
    let is_list = matches!(model.overlays.last(), Some(Overlay::Choices(_)));
    let is_empty = model.overlays.is_empty() && model.data.index.rows() == 0;
    let mut all = keymap::hints(&contexts);
    all.retain(|hint| !(is_list && hint.action == Action::Edit(Edit::Complete)));
    all.retain(|hint| !is_empty || hint.context == Context::Global);
    let is_global = |binding: &&&keymap::Binding| binding.context == Context::Global;
    let last: Vec<_> = all.iter().filter(is_global).collect();
    let reserved: usize = last.iter().map(|b| b.keys.len() + b.hint.len() + 3).sum();
    pen.text(" ", Role::Text);
    let own = all.iter().filter(|binding| binding.context != Context::Global).take(7);
    for binding in own {
        let columns = text::width(binding.keys) + binding.hint.len() + 3;
        if pen.left() < columns + reserved {
            break;
        }
        hint(pen, binding);
    }
    for binding in last {
        if text::width(binding.keys) + 1 + binding.hint.len() <= pen.left() {
            hint(pen, binding);
        }
    }
}

fn hint(pen: &mut Pen<'_>, binding: &keymap::Binding) {
    pen.text(binding.keys, Role::Key).text(" ", Role::Text);
    pen.text(binding.hint, Role::Dim).text("  ", Role::Text);
}

/// On a tiny screen the last line tells about the focused event.
fn tiny(model: &Model, pen: &mut Pen<'_>) {
    let Some(id) = crate::app::act::focused(model) else { return hints(model, pen) };
    let row = model.data.index.row(id);
    let actor = crate::app::pane::actors::name_of(&model.data, row.actor);
    let object = model.data.label(id).map_or("", |label| label.object.as_str());
    pen.text(" ", Role::Text);
    if row.actor != ActorId::NONE {
        pen.text(&actor, Role::Dim).text(" ", Role::Text);
    }
    let zone = model.data.zone.short(row.time);
    let room = pen.left().saturating_sub(zone.len() + 2);
    pen.column_text(object, room, Role::Text).text(" ", Role::Text).text(&zone, Role::Dim);
}
