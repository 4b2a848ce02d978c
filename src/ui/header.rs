//! The top lines: what is open, how far it is read, what is narrowed.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Shape;
use crate::app::overlay::Overlay;
use crate::app::work;
use crate::base::text;
use crate::base::time::Timestamp;
use crate::base::zone::Zone;
use crate::index::Index;
use crate::record::head::Flags;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::bars;
use crate::ui::widget::line::Pen;

/// Columns of the progress bar.
const BAR: usize = 8;

/// Draws the first line.
pub fn header(model: &Model, theme: Theme, buf: &mut Buffer) {
    let area = model.layout.header;
    let index = &model.data.index;
    let right = right_side(model, theme);
    let right_columns = right.iter().map(|(text, _)| text::width(text)).sum::<usize>();
    let dot = format!(" {} ", theme.glyphs.dot);
    let mut pen = Pen::new(buf, theme, area);
    pen.text(" ", Role::Text).text(&files(model), Role::Heading);
    let events = model.data.count(index.events(), theme.glyphs.at_least);
    pen.text(&dot, Role::Dim).text(&events, Role::Heading).text(" events", Role::Text);
    if let Some((first, last)) = model.data.time_range() {
        let room = pen.left().saturating_sub(3 + right_columns);
        let ranges = range_texts(first, last, model.data.zone, theme.glyphs.dash);
        if let Some(range) = ranges.into_iter().find(|range| text::width(range) <= room) {
            pen.text(&dot, Role::Dim).text(&range, Role::Text);
        }
    }
    let room = pen.left();
    if right_columns <= room {
        pen.blank(room - right_columns);
        for (text, role) in right {
            pen.text(&text, role);
        }
    }
    pen.fill();
}

fn files(model: &Model) -> String {
    let files = &model.data.index.sources().files;
    match files.as_slice() {
        [] => "no file".to_owned(),
        [one] => {
            let name = one.label().rsplit('/').next().unwrap_or_default();
            text::truncate(name, 40).into_owned()
        }
        many => format!("{} files", text::group(many.len() as u64)),
    }
}

/// Returns a span of time with its zone in words of falling length; no date is said twice.
pub fn range_texts(first: Timestamp, last: Timestamp, zone: Zone, dash: &str) -> [String; 4] {
    let same_day = zone.date(first) == zone.date(last);
    let same_year = zone.format(first, "%Y") == zone.format(last, "%Y");
    let span = |from: &str, to: &str| {
        let to = if same_day { "%H:%M" } else { to };
        format!("{} {dash} {}", zone.format(first, from), zone.format(last, to))
    };
    let (name, short) = (zone.name(), zone.short(last));
    let full = span("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M");
    let brief = if same_year { span("%m-%d %H:%M", "%m-%d %H:%M") } else { full.clone() };
    [format!("{full} {name}"), format!("{full} {short}"), format!("{brief} {short}"), short]
}

/// Returns what else the list of problems tells of, the gravest first.
fn doubts(index: &Index) -> Option<&'static str> {
    let sources = index.sources();
    if !sources.refused.is_empty() || index.files().iter().any(|file| file.error.is_some()) {
        return Some("files left out");
    }
    if index.files().iter().any(|file| file.torn.is_some()) {
        return Some("incomplete last line");
    }
    let doubled = |flags: Flags| flags.has(Flags::DUPLICATE_KEY);
    let mut segments = index.segments().iter();
    segments.any(|segment| doubled(segment.stats.any_flags)).then_some("duplicate keys")
}

fn right_side(model: &Model, theme: Theme) -> Vec<(String, Role)> {
    let mut parts = Vec::new();
    if !model.data.is_final() {
        parts.push(("indexing ".to_owned(), Role::Dim));
        if let Some((done, total, rate)) = model.work.indexing.filter(|(_, total, _)| 0 < *total) {
            let bar = bars::lying(theme.glyphs, done, total.max(1), BAR);
            let blank = BAR.saturating_sub(text::width(&bar));
            parts.push((bar, Role::Bar));
            let percent = (done.saturating_mul(100) / total.max(1)).min(99);
            parts.push((format!("{} {percent}%", " ".repeat(blank)), Role::Text));
            if 0 < rate {
                parts.push((format!("  {}/s", text::bytes(rate)), Role::Dim));
            }
        }
        parts.push(("  ".to_owned(), Role::Text));
    }
    let bad = model.data.index.bad();
    let words = match bad {
        0 => doubts(&model.data.index).map(str::to_owned),
        bad => Some(format!("{} bad", text::group(bad))),
    };
    if let Some(words) = words {
        parts.push((words + " ", Role::Warn));
        parts.push(("!".to_owned(), Role::Key));
        parts.push((" ".to_owned(), Role::Text));
    }
    parts
}

/// Draws the chips and how much of the log matches.
pub fn chips(model: &Model, theme: Theme, buf: &mut Buffer) {
    let area = model.layout.chips;
    if area.is_empty() {
        return;
    }
    let count = matched(model, theme);
    let count_columns = text::width(&count) + 1;
    let mut pen = Pen::new(buf, theme, area);
    pen.text(" ", Role::Text);
    if let Some(banner) = &model.work.banner {
        pen.text(banner, Role::Warn).text("  ", Role::Text);
    }
    let chips = &model.filter.view().chips;
    if chips.is_empty() && model.work.banner.is_none() {
        let index = &model.data.index;
        if index.is_final() && index.events() == 0 && index.bad() > 0 {
            let first = index.bad_records().next().map(|bad| bad.flaw.to_string());
            let words = format!(
                "no events: nothing here is one; the first record: {}",
                first.unwrap_or_default()
            );
            pen.text(&words, Role::Warn);
        } else if 0 < index.rows() {
            pen.text("everything is shown", Role::Dim);
        }
    }
    let (left, right) = theme.glyphs.chip;
    for (n, chip) in chips.iter().enumerate() {
        let safe = text::escape_for(&chip.text, crate::ui::widget::line::charset(theme));
        let room = pen.left().saturating_sub(count_columns + 6);
        if room < 8 {
            pen.text(&format!("+{}", chips.len() - n), Role::Dim);
            break;
        }
        let shown = text::truncate(&safe, room.min(44));
        let role = if chip.on { Role::Chip } else { Role::Dim };
        let off = if chip.on { "" } else { "off: " };
        pen.ink(left, Role::Dim).text(off, Role::Dim).text(&shown, role).ink(right, Role::Dim);
        pen.text(" ", Role::Text);
    }
    let room = pen.left();
    if count_columns <= room {
        pen.blank(room - count_columns).text(&count, Role::Heading);
    }
    pen.fill();
}

/// Returns "1,204 of 88,310".
fn matched(model: &Model, theme: Theme) -> String {
    let Some(answer) = work::shown_answer(model) else { return String::new() };
    let rows = u64::from(model.data.index.rows());
    let at_least = theme.glyphs.at_least;
    let is_final = answer.is_final && model.data.is_final();
    let mark = if is_final { "" } else { at_least };
    let matched = format!("{mark}{}", text::group(answer.counts.matched));
    let typed = matches!(model.overlays.last(), Some(Overlay::Prompt(p)) if p.kind.is_filter());
    if model.filter.active().next().is_none() && !typed {
        return format!("all {}", model.data.count(rows, at_least));
    }
    format!("{matched} of {}", model.data.count(rows, at_least))
}

/// Draws the one line of a screen that is too small for anything else.
pub fn sliver(model: &Model, theme: Theme, buf: &mut Buffer) {
    let mut pen = Pen::new(buf, theme, model.layout.header);
    debug_assert_eq!(model.layout.shape, Shape::Sliver);
    match crate::app::act::focused(model) {
        Some(id) => {
            let row = model.data.index.row(id);
            let zone = model.data.zone;
            let clock = zone.clock(row.time);
            pen.text(clock.get(..8).unwrap_or(""), Role::Text).text(" ", Role::Text);
            pen.text(&zone.short(row.time), Role::Dim).text(" ", Role::Text);
            pen.text(model.data.title(row.event_type), Role::Text);
        }
        None => drop(pen.text("too small", Role::Dim).left()),
    }
    pen.fill();
}
