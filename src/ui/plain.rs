//! The model as lines of words, for terminals without screens and for screen readers.
//!
//! What glyphs and places say on a screen is said here in words; rows have numbers to type.

use crate::app::Model;
use crate::app::act;
use crate::app::action::Action;
use crate::app::data::Data;
use crate::app::keymap;
use crate::app::overlay::Overlay;
use crate::app::overlay::doc::Doc;
use crate::app::pane::PaneId;
use crate::app::pane::actors::name_of;
use crate::app::pane::detail::DetailLine;
use crate::app::pane::events::Line;
use crate::app::pane::types::TypeRow;
use crate::app::plain::{Reply, word_of};
use crate::base::id::{ActorId, EventId};
use crate::base::text::{self, Charset};
use crate::base::time::Timestamp;
use crate::query::ask::Histogram;
use crate::record::head::Flags;
use crate::ui::header::range_texts;
use crate::ui::pane::timeline::span_text;

/// Rows of a list of actors or types that are said at once, at most.
const MOST_ROWS: usize = 200;

/// Returns what is said after a command, safe for a terminal.
pub fn reply(model: &Model, reply: &Reply, charset: Charset) -> Vec<String> {
    let mut lines = match reply {
        Reply::Row => row(model),
        Reply::Pane => pane(model),
        Reply::Event => event(model),
        Reply::Overlay => overlay(model),
        Reply::Commands => commands(),
        Reply::Words(words) => vec![words.clone()],
    };
    lines.extend(model.notice.iter().map(|notice| notice.text.clone()));
    lines.retain(|line| !line.is_empty());
    lines.iter().map(|line| text::escape_for(line, charset).into_owned()).collect()
}

/// Returns what is said of the log when it is read, safe for a terminal.
pub fn welcome(model: &Model, charset: Charset) -> Vec<String> {
    let index = &model.data.index;
    let files = &index.sources().files;
    let name = match files.as_slice() {
        [one] => one.label().to_owned(),
        many => format!("{} files", text::group(many.len() as u64)),
    };
    let mut lines = vec![format!("{name}: {}", counted(index.events(), "event"))];
    if let Some((first, last)) = model.data.time_range() {
        let [range, ..] = range_texts(first, last, model.data.zone, "to");
        lines.push(format!("from {range}"));
    }
    if 0 < index.bad() {
        let records = counted(index.bad(), "bad record");
        lines.push(format!("{records}; type problems to hear of them"));
    }
    lines.extend(model.work.banner.clone());
    lines.iter().map(|line| text::escape_for(line, charset).into_owned()).collect()
}

fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", text::group(n), if n == 1 { "" } else { "s" })
}

fn pane(model: &Model) -> Vec<String> {
    let mut lines = match model.wish.focus {
        PaneId::Types => types(model),
        PaneId::Actors => actors(model),
        PaneId::Timeline => timeline(model),
        PaneId::Events => events(model),
        PaneId::Detail => event(model),
    };
    lines.extend(narrowings(model));
    let problems = model.data.answer.iter().flat_map(|answer| &answer.problems);
    lines.extend(problems.map(|one| format!("{}: {}", one.text, one.problem.line())));
    lines
}

/// Returns the narrowings in words, if there are any.
fn narrowings(model: &Model) -> Option<String> {
    let chips = &model.filter.view().chips;
    let say = |on: bool| {
        let texts: Vec<&str> =
            chips.iter().filter(|chip| chip.on == on).map(|chip| chip.text.as_str()).collect();
        texts.join(", ")
    };
    match (say(true), say(false)) {
        (on, off) if on.is_empty() && off.is_empty() => None,
        (on, off) if off.is_empty() => Some(format!("Narrowed to: {on}. lift shows everything.")),
        (on, off) if on.is_empty() => Some(format!("Off: {off}. lift puts them back.")),
        (on, off) => Some(format!("Narrowed to: {on}. Off: {off}.")),
    }
}

fn events(model: &Model) -> Vec<String> {
    let pane = &model.panes.events;
    let all = u64::from(model.data.index.rows());
    let shown = model.data.len() as u64;
    if shown == 0 {
        let words = if model.data.index.rows() == 0 {
            "There are no events.".to_owned()
        } else {
            format!("Nothing of {} matches.", counted(all, "event"))
        };
        return vec![words];
    }
    let mut lines = Vec::new();
    for line in &pane.lines {
        lines.push(match *line {
            Line::Event(at, id) => format!("{}. {}", at + 1, event_words(model, id)),
            Line::Neighbour(id) => format!("(hidden by the filter) {}", event_words(model, id)),
            Line::Day(t) => model.data.zone.format(t, "%A %-d %B %Y"),
            Line::Offset(t) => format!("from here times are in {}", model.data.zone.short(t)),
            Line::Gap(nanos) => format!("nothing for {}", gap(nanos)),
            Line::NoTime => "without a usable time:".to_owned(),
        });
    }
    let here = text::group(pane.cursor as u64 + 1);
    let of = if shown == all {
        format!("Event {here} of {}", text::group(all))
    } else {
        format!("Event {here} of {} shown, {} in all", text::group(shown), text::group(all))
    };
    lines.push(format!("{of}. Times in {}.", model.data.zone.name()));
    lines
}

fn gap(nanos: i64) -> String {
    crate::schema::decode::duration(nanos as f64 / 1e6).unwrap_or_default()
}

/// Returns an event in one line: when, what, how it went, who, to what.
fn event_words(model: &Model, id: EventId) -> String {
    let data = &model.data;
    let row = data.index.row(id);
    if row.flags.has(Flags::BAD) {
        let why = data.index.flaw(id).map(ToString::to_string).unwrap_or_default();
        return format!("bad record: {why}");
    }
    let time = if row.time.is_some() { data.zone.clock(row.time) } else { "no time".to_owned() };
    let mut words = format!("{} {}", time.trim_end_matches(".000"), data.title(row.event_type));
    if row.flags.has(Flags::FAILED) {
        words += ", failed";
    }
    if row.actor != ActorId::NONE {
        words += &format!(", by {}", name_of(data, row.actor));
    }
    if let Some(object) = data.label(id).map(|label| &label.object).filter(|o| !o.is_empty()) {
        words += &format!(", on {object}");
    }
    words
}

fn row(model: &Model) -> Vec<String> {
    let line = match model.wish.focus {
        PaneId::Types => {
            let at = model.panes.types.view.cursor;
            model.panes.types.rows.get(at).map(|row| type_words(model, at, row))
        }
        PaneId::Actors => {
            let at = model.panes.actors.view.cursor;
            model.panes.actors.rows.get(at).map(|&id| actor_words(model, at, id))
        }
        PaneId::Timeline => bucket_words(model),
        PaneId::Events => act::focused(model).map(|id| {
            let day = model.data.zone.format(model.data.time(id), "%a %Y-%m-%d ");
            let day = if model.data.time(id).is_some() { day } else { String::new() };
            format!("{}. {day}{}", model.panes.events.cursor + 1, event_words(model, id))
        }),
        PaneId::Detail => return entry(model),
    };
    line.into_iter().collect()
}

fn types(model: &Model) -> Vec<String> {
    let pane = &model.panes.types;
    let from = pane.view.cursor;
    let rows = pane.rows.iter().enumerate().skip(from).take(MOST_ROWS);
    let mut lines = vec![format!("Event types, {} rows:", pane.rows.len())];
    lines.extend(rows.map(|(at, row)| type_words(model, at, row)));
    lines
}

fn type_words(model: &Model, at: usize, row: &TypeRow) -> String {
    let pane = &model.panes.types;
    let n = at + 1;
    match *row {
        TypeRow::Category(group) => match pane.groups.get(group) {
            Some(group) => {
                let folded = if pane.is_folded(group) { ", folded" } else { "" };
                let figures = figures(group.events, group.failed);
                format!("{n}. {}, category: {figures}{folded}", group.title)
            }
            None => String::new(),
        },
        TypeRow::Type(group, at) => match pane.item(group, at) {
            Some(item) => {
                let chosen = if pane.chosen.contains(&item.name) { ", chosen" } else { "" };
                let figures = figures(item.events, item.failed);
                format!("{n}. {}, {}: {figures}{chosen}", item.name, item.title)
            }
            None => String::new(),
        },
        TypeRow::Unseen(many) => format!("{n}. {many} documented types do not occur"),
    }
}

fn figures(events: u64, failed: u64) -> String {
    let failed =
        if failed == 0 { String::new() } else { format!(", {} failed", text::group(failed)) };
    counted(events, "event") + &failed
}

fn actors(model: &Model) -> Vec<String> {
    let pane = &model.panes.actors;
    let rows = pane.rows.iter().enumerate().skip(pane.view.cursor).take(MOST_ROWS);
    let mut lines = vec![format!("Actors, {}, {}:", pane.rows.len(), pane.sort.name())];
    lines.extend(rows.map(|(at, &id)| actor_words(model, at, id)));
    lines
}

fn actor_words(model: &Model, at: usize, id: ActorId) -> String {
    let tally = model.data.actor_tally(id);
    let figures = figures(u64::from(tally.events), u64::from(tally.failed));
    let last = Timestamp(model.data.actor_span(id).last);
    let seen = if 0 < tally.events
        && model.data.spans.is_some()
        && last.is_some()
        && last != Timestamp::MIN
    {
        format!(", last {}", model.data.zone.format(last, "%Y-%m-%d %H:%M"))
    } else {
        String::new()
    };
    format!("{}. {}: {figures}{seen}", at + 1, name_of(&model.data, id))
}

fn timeline(model: &Model) -> Vec<String> {
    let Some(histogram) = model.data.histogram() else { return Vec::new() };
    let width = span_text(histogram.width);
    let zone = model.data.zone.name();
    let mut lines =
        vec![format!("Timeline, steps of {width}, times in {zone}; empty ones are left out:")];
    let filled = histogram.all.iter().enumerate().filter(|(_, events)| 0 < **events);
    lines.extend(filled.map(|(bucket, _)| bucket_line(&model.data, histogram, bucket)));
    let outside = histogram.before + histogram.after;
    if 0 < outside {
        lines.push(format!("{} before or after", counted(outside, "event")));
    }
    if 0 < histogram.no_time {
        lines.push(format!("{} without time", counted(histogram.no_time, "event")));
    }
    lines
}

fn bucket_words(model: &Model) -> Option<String> {
    let histogram = model.data.histogram()?;
    let bucket = model.panes.timeline.bucket(histogram)?;
    Some(bucket_line(&model.data, histogram, bucket))
}

fn bucket_line(data: &Data, histogram: &Histogram, bucket: usize) -> String {
    let offset = i64::try_from(bucket).unwrap_or(0).saturating_mul(histogram.width);
    let start = Timestamp(histogram.window.start.0.saturating_add(offset));
    let clock = if histogram.width < 60_000_000_000 { "%H:%M:%S%.3f" } else { "%H:%M" };
    let from = data.zone.format(start, &format!("%a %Y-%m-%d {clock}"));
    let at = |counts: &[u32]| u64::from(counts.get(bucket).copied().unwrap_or(0));
    format!("{}. {from}: {}", bucket + 1, figures(at(&histogram.all), at(&histogram.failed)))
}

/// Returns the focused event in full; with numbers when they can be typed.
fn event(model: &Model) -> Vec<String> {
    let pane = &model.panes.detail;
    let fresh =
        model.data.detail.as_deref().filter(|detail| Some(detail.id) == act::focused(model));
    let Some(detail) = fresh else { return vec!["There is no event here.".to_owned()] };
    let numbered = model.wish.focus == PaneId::Detail;
    let mut lines = vec![format!("{}. {}", model.panes.events.cursor + 1, detail.type_name)];
    let mut value: Option<usize> = None;
    for line in &pane.lines {
        match line {
            DetailLine::Entry(n, _) => {
                value = Some(*n);
                lines.extend(entry_words(model, *n, numbered));
            }
            // The whole value has been said in one piece.
            DetailLine::Value(n, _) if value == Some(*n) => {}
            DetailLine::Value(_, words)
            | DetailLine::Told(_, words)
            | DetailLine::Doc(_, words)
            | DetailLine::Mark(_, words) => lines.push(format!("    {words}")),
            DetailLine::Note(words) | DetailLine::Raw(words) => lines.push(words.clone()),
            DetailLine::Heading(kind, folded, n) => {
                let folded =
                    if *folded { format!(", {n} attributes, folded") } else { String::new() };
                lines.push(format!("{}{folded}", kind.title()));
            }
            DetailLine::Blank => {}
        }
    }
    lines
}

fn entry_words(model: &Model, n: usize, numbered: bool) -> Option<String> {
    let entry = model.panes.detail.entries.get(n)?;
    let number = if numbered { format!("{}. ", n + 1) } else { String::new() };
    let decoded = entry.decoded.as_ref().map(|words| format!(", that is {words}"));
    let value = text::truncate(&entry.value, 400);
    // What was unfolded out of a text has the path of that text.
    let inside = entry.depth > 0 && !entry.path.ends_with(&entry.key);
    let name = if inside { format!("{} {}", entry.path, entry.key) } else { entry.path.clone() };
    Some(format!("  {number}{name}: {value}{}", decoded.unwrap_or_default()))
}

fn entry(model: &Model) -> Vec<String> {
    let focused = model.panes.detail.focused();
    let n = model.panes.detail.entries.iter().position(|entry| Some(entry) == focused);
    n.and_then(|n| entry_words(model, n, true)).into_iter().collect()
}

fn overlay(model: &Model) -> Vec<String> {
    match model.overlays.last() {
        Some(Overlay::Chips(list)) => {
            let chips = model.filter.view().chips.iter().enumerate();
            let mut lines = vec![
                "Narrowings; a number chooses one, then add switches it, delete \
                                  takes it away, close leaves:"
                    .to_owned(),
            ];
            lines.extend(chips.map(|(n, chip)| {
                let state = if chip.on { "on" } else { "off" };
                let here = if n == list.view.cursor { ", chosen" } else { "" };
                format!("{}. {}: {state}{here}", n + 1, chip.text)
            }));
            lines
        }
        Some(Overlay::Problems(_)) => problems(model),
        Some(Overlay::Doc(page)) => doc(page),
        Some(Overlay::Prompt(_) | Overlay::Choices(_)) | None => pane(model),
    }
}

fn problems(model: &Model) -> Vec<String> {
    let Some(problems) = model.data.problems.as_deref() else { return Vec::new() };
    let mut lines = problems.notes.clone();
    if problems.total == 0 {
        lines.push("No bad records.".to_owned());
        return lines;
    }
    lines.push(format!("{}:", counted(problems.total, "bad record")));
    for (n, found) in problems.rows.iter().take(MOST_ROWS).enumerate() {
        let place = format!("{}, byte {}", found.place, text::group(found.offset));
        lines.push(format!("{}. {place}: {}", n + 1, found.reason));
        lines.push(format!("    {}", found.snippet));
    }
    lines
}

fn doc(page: &Doc) -> Vec<String> {
    let mut n = 0;
    let mut lines = Vec::new();
    for line in &page.lines {
        let words = line.text.replace('\t', ": ");
        if line.target.is_some() {
            n += 1;
            lines.push(format!("{n}. {words}"));
        } else {
            lines.push(words);
        }
    }
    lines
}

/// Returns every command with its key and what it does.
fn commands() -> Vec<String> {
    let mut lines = vec![
        "A line is a command: a word or a key, and Enter. A number before it repeats it. The \
         number of a row reads or chooses it. Enter alone goes on."
            .to_owned(),
    ];
    let no_use = |action: &Action| {
        matches!(action, Action::Edit(_)) || matches!(action.name(), "redraw" | "suspend")
    };
    for &action in Action::ALL.iter().filter(|action| !no_use(action)) {
        let key = keymap::key_of(action).map(|key| key.replace(' ', "")).unwrap_or_default();
        lines.push(format!("{}, or {key}: {}", word_of(action), action.help()));
    }
    lines
}
