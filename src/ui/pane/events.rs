//! Draws the list of events.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::filter::Order;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::app::pane::actors::name_of;
use crate::app::pane::events::Line;
use crate::base::id::{ActorId, EventId, OutcomeId};
use crate::base::text;
use crate::base::time::Timestamp;
use crate::base::zone::Zone;
use crate::record::head::Flags;
use crate::ui::pane::{empty, tail};
use crate::ui::theme::{Role, Theme};
use crate::ui::title;
use crate::ui::widget::line::Pen;

/// Draws the pane.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    head(model, theme, area, buf);
    let body = area.body();
    let pane = &model.panes.events;
    if pane.lines.is_empty() {
        return empty::draw(model, theme, body, buf);
    }
    let columns = Columns::of(body);
    let (body, bar) = (
        Area { w: body.w.saturating_sub(1), ..body },
        Area { x: body.x + body.w.saturating_sub(1), w: body.w.min(1), ..body },
    );
    scrollbar(model, theme, bar, buf);
    let focused = model.wish.focus == PaneId::Events;
    for (n, line) in pane.lines.iter().take(usize::from(body.h)).enumerate() {
        let row = body.row(u16::try_from(n).unwrap_or(u16::MAX));
        let mut pen = Pen::new(buf, theme, row);
        match *line {
            Line::Event(at, id) => {
                let under = at == pane.cursor;
                if under && focused {
                    pen = pen.over(Role::Cursor);
                }
                let gutter = if under && !focused { theme.glyphs.rest } else { " " };
                pen.ink(gutter, Role::Focus);
                event(model, theme, id, columns, &mut pen);
            }
            Line::Neighbour(id) => {
                pen = pen.over(Role::Dim);
                pen.ink(" ", Role::Dim);
                event(model, theme, id, columns, &mut pen);
            }
            Line::Day(t) => separator(&day_text(t, model.data.zone), theme, &mut pen),
            Line::Offset(t) => {
                let words = format!("from here {}", zone_text(t, model.data.zone));
                separator(&words, theme, &mut pen);
            }
            Line::Gap(nanos) => {
                let more = theme.glyphs.gap;
                let words = format!("{more} {} nothing {more}", gap_text(nanos));
                let room = pen.left().saturating_sub(text::width(&words)) / 2;
                pen.blank(room.min(columns.time + 4)).text(&words, Role::Dim);
            }
            Line::NoTime => separator("no usable time", theme, &mut pen),
        }
        pen.fill();
    }
    tail::draw(model, theme, body, buf);
}

/// Draws how much of the list is on the screen, and where.
fn scrollbar(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let positions = model.panes.events.lines.iter().filter_map(|line| match line {
        Line::Event(at, _) => Some(*at),
        Line::Neighbour(_) | Line::Day(_) | Line::Offset(_) | Line::Gap(_) | Line::NoTime => None,
    });
    let (len, height) = (model.data.len().max(1), usize::from(area.h));
    let first = positions.clone().min().unwrap_or(0);
    let last = positions.max().unwrap_or(0) + 1;
    let top = first * height / len;
    let bottom = (last * height).div_ceil(len).max(top + 1);
    for row in 0..area.h {
        let inside = (top..bottom).contains(&usize::from(row)) && last - first < len;
        let (glyph, role) =
            if inside { (theme.glyphs.thumb, Role::Text) } else { (theme.glyphs.bar, Role::Rule) };
        Pen::new(buf, theme, area.row(row)).ink(glyph, role);
    }
}

fn head(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let pane = &model.panes.events;
    let time = pane.focused(&model.data).map(|id| model.data.time(id));
    let zone = model.data.zone;
    let in_files = model.data.order == Order::File;
    let len = model.data.len();
    let place = if len == 0 {
        String::new()
    } else {
        format!("{} / {}", text::group(pane.cursor as u64 + 1), text::group(len as u64))
    };
    // Name, rules and blanks; and what stands beside the day.
    let order = if in_files { "file order " } else { "" };
    let taken = "━ Events  ".chars().count() + order.len() + place.len() + 4;
    let room = usize::from(area.w).saturating_sub(taken);
    let day = time.filter(|t| t.is_some()).map(|t| day_and_zone(t, zone, room));
    let mut title = title(model, theme, PaneId::Events, area, buf);
    title.name("Events");
    title.beside(&day.unwrap_or_default(), Role::Text);
    if in_files {
        title.beside("file order", Role::Warn);
    }
    if 0 < pane.neighbours {
        title.beside(&format!("with {} neighbours", pane.neighbours), Role::Dim);
    }
    title.end(&place, Role::Dim);
}

/// Returns the date with the zone's name in the longest form that fits into `room` columns.
fn day_and_zone(t: Timestamp, zone: Zone, room: usize) -> String {
    if let Some(far) = t.far() {
        return far.to_owned();
    }
    let short = zone.short(t);
    let forms = ["%a %Y-%m-%d", "%Y-%m-%d", "%m-%d"];
    let texts = forms.map(|form| format!("{} {short}", zone.format(t, form)));
    let fits = texts.iter().position(|text| text::width(text) <= room);
    texts.into_iter().nth(fits.unwrap_or(0)).unwrap_or_default()
}

/// Returns the date with its day of the week.
fn day_text(t: Timestamp, zone: Zone) -> String {
    zone.format(t, "%A %-d %B %Y")
}

/// Returns the zone's name at an instant and its offset: `CEST, +02:00`.
fn zone_text(t: Timestamp, zone: Zone) -> String {
    let (short, offset) = (zone.short(t), Zone::Fixed(zone.offset(t)).name());
    if short == offset { offset } else { format!("{short}, {offset}") }
}

fn separator(words: &str, theme: Theme, pen: &mut Pen<'_>) {
    pen.text(" ", Role::Text).text(words, Role::Heading).text(" ", Role::Text);
    pen.rule(theme.glyphs.rule, Role::Rule);
}

/// Returns a span in at most two units: `14 min`, `3 h 20 min`, `2 d 4 h`.
fn gap_text(nanos: i64) -> String {
    let minutes = nanos / 60_000_000_000;
    let two = |a: i64, a_unit: &str, b: i64, b_unit: &str| match b {
        0 => format!("{a} {a_unit}"),
        b => format!("{a} {a_unit} {b} {b_unit}"),
    };
    match minutes {
        0..60 => format!("{minutes} min"),
        60..1_440 => two(minutes / 60, "h", minutes % 60, "min"),
        _ => two(minutes / 1_440, "d", minutes % 1_440 / 60, "h"),
    }
}

/// Columns of the parts of a row.
#[derive(Clone, Copy)]
struct Columns {
    time: usize,
    actor: usize,
    title: usize,
}

impl Columns {
    fn of(area: Area) -> Self {
        let room = usize::from(area.w);
        let time = if room < 60 { 8 } else { 12 };
        // Gutter, letter, glyph and the blanks between.
        let rest = room.saturating_sub(time + 7);
        let actor = match rest {
            0..22 => 0,
            22..48 => 8,
            48..80 => 12,
            80..110 => 20,
            _ => 36,
        };
        let rest = rest.saturating_sub(actor + 1);
        let title = if rest < 24 { rest } else { (rest * 58 / 100).clamp(14, 44) };
        Self { time, actor, title }
    }
}

fn event(model: &Model, theme: Theme, id: EventId, columns: Columns, pen: &mut Pen<'_>) {
    let row = model.data.index.row(id);
    if row.flags.has(Flags::BAD) {
        return bad(model, theme, id, columns, pen);
    }
    let known = model.data.event_type(row.event_type);
    let label = model.data.label(id);
    let recorded = label.and_then(|label| label.clock.as_deref());
    let clock = match recorded {
        Some(clock) => recorded_clock(clock, row.time, row.flags, model.data.zone),
        None if row.time.is_some() => model.data.zone.clock(row.time),
        None => "--:--:--.---".to_owned(),
    };
    let role = if row.time.is_some() { Role::Dim } else { Role::Warn };
    pen.column_text(clock.get(..columns.time).unwrap_or(&clock), columns.time, role);
    let letter = known.map_or('?', |known| known.effect.letter());
    pen.text(" ", Role::Text).text(letter.encode_utf8(&mut [0; 4]), Role::Dim);
    let (glyph, role) = outcome(theme, row.flags, row.outcome);
    pen.text(" ", Role::Text).ink(glyph, role).text(" ", Role::Text);
    if 0 < columns.actor {
        let actor = match row.actor {
            ActorId::NONE => "-".to_owned(),
            actor => name_of(&model.data, actor),
        };
        pen.id_text(&actor, columns.actor, Role::Dim).text(" ", Role::Text);
    }
    let role = if glyph == theme.glyphs.failed { Role::Fail } else { Role::Text };
    let title = model.data.title(row.event_type);
    if pen.left() <= columns.title {
        let room = pen.left();
        pen.column_text(title, room, role);
        return;
    }
    pen.column_text(title, columns.title, role).text(" ", Role::Text);
    let room = pen.left();
    match label {
        Some(label) => pen.column_text(&label.object, room, Role::Text),
        None => pen.column_text(theme.glyphs.more, room, Role::Dim),
    };
}

/// Returns the recorded clock of a time that instants cannot tell: far off, or in the 61st second
/// of a minute. Where the zone shows another minute than was recorded, that minute's 61st second.
fn recorded_clock(clock: &str, t: Timestamp, flags: Flags, zone: Zone) -> String {
    let shown = zone.format(t, "%H:%M:");
    if flags.has(Flags::LEAP_SECOND) && !clock.starts_with(&shown) {
        return shown + "60.000";
    }
    clock.to_owned()
}

fn outcome(theme: Theme, flags: Flags, outcome: OutcomeId) -> (&'static str, Role) {
    if flags.has(Flags::FAILED) {
        (theme.glyphs.failed, Role::Fail)
    } else if outcome == OutcomeId::MISSING || outcome == OutcomeId::NULL {
        (theme.glyphs.none, Role::Dim)
    } else {
        (theme.glyphs.good, Role::Dim)
    }
}

fn bad(model: &Model, theme: Theme, id: EventId, columns: Columns, pen: &mut Pen<'_>) {
    let word = if columns.time < 10 { "bad" } else { "bad record" };
    pen.column_text(word, columns.time, Role::Warn);
    pen.text("   ", Role::Text).ink(theme.glyphs.failed, Role::Warn).text(" ", Role::Text);
    let room = pen.left();
    let words = model.data.index.flaw(id).map(ToString::to_string);
    pen.column_text(&words.unwrap_or_default(), room, Role::Warn);
}
