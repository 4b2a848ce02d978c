//! The focused event in full: attributes under headings, folded, searched, or as raw bytes.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::app::action::{Move, Pane};
use crate::app::filter::quote;
use crate::app::intent::Intent;
use crate::app::pane::{Ctx, PaneId};
use crate::app::viewport::Viewport;
use crate::app::wrap::wrap;
use crate::base::id::EventId;
use crate::base::json::JsonKind;
use crate::base::text;
use crate::base::time::Timestamp;
use crate::base::zone::Zone;
use crate::jobs::msg::{Detail, Entry, SectionKind};
use crate::schema::decode::duration;

/// Lines made of one value at most; the rest is told as a number of bytes.
const LINES_PER_VALUE: usize = 60;

/// Columns that keys may take before values are put closer.
const WIDEST_KEY: usize = 24;

/// One line on the screen. All texts are safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DetailLine {
    /// A heading, with whether it is folded and how many attributes it has.
    Heading(SectionKind, bool, usize),
    /// The first line of an attribute: its number, and the first piece of its value.
    Entry(usize, String),
    /// More of a value.
    Value(usize, String),
    /// What a value tells: a code in words, a time in the shown zone and its age.
    Told(usize, String),
    /// What the attribute means.
    Doc(usize, String),
    /// What is odd about the attribute.
    Mark(usize, String),
    /// Words about the whole event.
    Note(String),
    /// A piece of the record as it stands.
    Raw(String),
    /// An empty line.
    Blank,
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct DetailPane {
    /// Cursor and window.
    pub view: Viewport,
    /// What is shown, as of the last [`DetailPane::rebuild`].
    pub lines: Vec<DetailLine>,
    /// All attributes shown, by number.
    pub entries: Vec<Entry>,
    /// Columns that keys take.
    pub key_columns: usize,
    /// What was searched for in the event.
    pub needle: String,
    raw: bool,
    absent: bool,
    no_docs: bool,
    folded: BTreeSet<&'static str>,
    shown: Option<Shown>,
}

/// What the lines were laid out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shown {
    id: EventId,
    columns: usize,
    times: Times,
}

/// How times are told beside what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The zone that they are told in.
    pub zone: Zone,
    /// The time of the log's last event, which ages are counted from.
    pub last: Option<Timestamp>,
}

impl DetailPane {
    /// Does what was asked.
    pub fn update(&mut self, action: Pane, ctx: &Ctx<'_>) -> Option<Intent> {
        match action {
            Pane::Include => return self.narrow("").map(Intent::Add),
            Pane::Exclude => return self.narrow("-").map(Intent::Add),
            Pane::Fold | Pane::Collect => self.toggle_fold(),
            Pane::Open => {
                if self.heading().is_some() {
                    self.toggle_fold();
                } else {
                    return self.doc(ctx);
                }
            }
            Pane::Raw => self.raw = !self.raw,
            Pane::Absent => self.absent = !self.absent,
            Pane::Sort => self.no_docs = !self.no_docs,
            _ => {}
        }
        self.shown = None;
        None
    }

    /// Moves; left goes back to the list.
    pub fn shift(&mut self, step: Move, ctx: &Ctx<'_>) -> Option<Intent> {
        match step {
            Move::Left => return Some(Intent::Focus(PaneId::Events)),
            Move::Right => {}
            Move::Down => (0..ctx.count).for_each(|_| self.step_down(ctx.rows)),
            Move::Up => (0..ctx.count).for_each(|_| self.step_up()),
            _ => {
                self.view.apply(step, ctx.count, self.lines.len(), ctx.rows);
                self.snap();
            }
        }
        self.view.fit(self.lines.len(), ctx.rows);
        None
    }

    /// Returns the attribute under the cursor.
    pub fn focused(&self) -> Option<&Entry> {
        match self.lines.get(self.view.cursor)? {
            DetailLine::Entry(n, _)
            | DetailLine::Value(n, _)
            | DetailLine::Told(n, _)
            | DetailLine::Doc(n, _)
            | DetailLine::Mark(n, _) => self.entries.get(*n),
            DetailLine::Heading(..)
            | DetailLine::Note(_)
            | DetailLine::Raw(_)
            | DetailLine::Blank => None,
        }
    }

    /// Goes to the attribute of that number.
    pub fn go_to_entry(&mut self, n: usize) {
        let same = |line: &DetailLine| matches!(line, DetailLine::Entry(at, _) if *at == n);
        if let Some(at) = self.lines.iter().position(same) {
            self.view.cursor = at;
        }
    }

    /// Returns whether the bytes are shown as they stand.
    pub const fn is_raw(&self) -> bool {
        self.raw
    }

    /// Returns the documentation of what is under the cursor.
    pub fn doc(&self, ctx: &Ctx<'_>) -> Option<Intent> {
        let detail = ctx.data.detail.as_deref()?;
        let attribute = self.focused().map(|entry| attribute_of(entry).to_owned());
        Some(Intent::Doc { event_type: Some(detail.type_name.clone()), attribute })
    }

    /// Returns the filter text for the value under the cursor.
    pub fn narrow(&self, sign: &str) -> Option<String> {
        let entry = self.focused()?;
        match entry.kind {
            JsonKind::Array | JsonKind::Object => Some(format!("{sign}has:{}", entry.path)),
            JsonKind::Null => Some(format!("{sign}null:{}", entry.path)),
            _ => Some(format!("{sign}{}:{}", field_of(&entry.path), quote(&entry.value))),
        }
    }

    /// Goes to the next line that holds the needle; returns whether there is one.
    pub fn search(&mut self, forward: bool, height: usize) -> bool {
        let needle = self.needle.to_lowercase();
        let len = self.lines.len();
        if needle.is_empty() || len == 0 {
            return false;
        }
        let found = (1..=len)
            .map(|n| if forward { self.view.cursor + n } else { self.view.cursor + 2 * len - n } % len)
            .find(|&at| self.text_of(at).to_lowercase().contains(&needle));
        if let Some(at) = found {
            self.view.cursor = at;
            self.view.fit(len, height);
        }
        found.is_some()
    }

    fn text_of(&self, at: usize) -> String {
        match &self.lines[at] {
            DetailLine::Entry(n, text) => {
                let key = self.entries.get(*n).map_or("", |entry| entry.key.as_str());
                format!("{key} {text}")
            }
            DetailLine::Value(_, text)
            | DetailLine::Told(_, text)
            | DetailLine::Doc(_, text)
            | DetailLine::Mark(_, text)
            | DetailLine::Note(text)
            | DetailLine::Raw(text) => text.clone(),
            DetailLine::Heading(kind, ..) => kind.title().to_owned(),
            DetailLine::Blank => String::new(),
        }
    }

    /// Lays the lines out anew when the event, the width or what is folded changed.
    pub fn rebuild(&mut self, detail: &Detail, times: Times, columns: usize, height: usize) {
        let columns = columns.max(8);
        let shown = Shown { id: detail.id, columns, times };
        if self.shown == Some(shown) {
            self.view.fit(self.lines.len(), height);
            return;
        }
        let new_event =
            self.shown.is_some_and(|shown| shown.id != detail.id) || self.lines.is_empty();
        let key = self.focused().map(|entry| entry.path.clone());
        self.shown = Some(shown);
        self.lines.clear();
        self.entries.clear();
        if self.raw {
            self.lay_raw(detail, columns);
        } else {
            self.lay_fields(detail, times, columns);
        }
        self.keep_place(key.as_deref(), new_event);
        self.view.fit(self.lines.len(), height);
    }

    /// Stays on the attribute of the same path, so that events are compared by moving on.
    fn keep_place(&mut self, key: Option<&str>, new_event: bool) {
        let same = |line: &DetailLine| match line {
            DetailLine::Entry(n, _) => self.entries.get(*n).map(|e| e.path.as_str()) == key,
            _ => false,
        };
        if key.is_some()
            && let Some(at) = self.lines.iter().position(same)
        {
            self.view.cursor = at;
        } else if new_event {
            self.view = Viewport::default();
            self.snap();
        }
    }

    fn lay_raw(&mut self, detail: &Detail, columns: usize) {
        self.lines.push(DetailLine::Note(detail.place.clone()));
        self.lines.push(DetailLine::Blank);
        let safe = text::escape_bytes(&detail.raw);
        for line in wrap(&safe, columns) {
            self.lines.push(DetailLine::Raw(line));
        }
    }

    fn lay_fields(&mut self, detail: &Detail, times: Times, columns: usize) {
        if let Some(problem) = &detail.problem {
            self.note(&format!("This record could not be read: {problem}"), columns);
            self.note("Its bytes follow as they stand.", columns);
            self.lines.push(DetailLine::Blank);
            for line in wrap(&text::escape_bytes(&detail.raw), columns) {
                self.lines.push(DetailLine::Raw(line));
            }
        }
        for note in &detail.notes {
            self.note(note, columns);
        }
        let shown = |kind: SectionKind| kind != SectionKind::Absent || self.absent;
        let sections: Vec<_> =
            detail.sections.iter().filter(|s| shown(s.kind) && !s.entries.is_empty()).collect();
        let widths = sections
            .iter()
            .flat_map(|s| &s.entries)
            .map(|entry| text::width(&text::escape(&entry.key)) + usize::from(entry.depth) * 2);
        self.key_columns = widths.max().unwrap_or(0).min(WIDEST_KEY).min(columns / 2);
        for section in sections {
            let folded = self.folded.contains(section.kind.title());
            if !self.lines.is_empty() {
                self.lines.push(DetailLine::Blank);
            }
            self.lines.push(DetailLine::Heading(section.kind, folded, section.entries.len()));
            if !folded {
                for entry in &section.entries {
                    self.lay_entry(entry, times, columns);
                }
            }
        }
    }

    fn lay_entry(&mut self, entry: &Entry, times: Times, columns: usize) {
        let n = self.entries.len();
        self.entries.push(entry.clone());
        let indent = self.key_columns + 2;
        let value_columns = columns.saturating_sub(indent).max(4);
        let safe = text::escape(&entry.value);
        let mut pieces = wrap(&safe, value_columns).into_iter();
        // What does not fit beside a value stands below it.
        let beside = |words: &String| {
            pieces.len() == 1 && text::width(&safe) + 3 + text::width(words) <= value_columns
        };
        let below = entry.decoded.clone().filter(|words| !beside(words));
        if below.is_some() {
            self.entries[n].decoded = None;
        }
        self.lines.push(DetailLine::Entry(n, pieces.next().unwrap_or_default()));
        let mut more: Vec<String> = pieces.by_ref().take(LINES_PER_VALUE).collect();
        if 0 < pieces.len() {
            more.push(format!("… {} in all; r shows the record", text::bytes(safe.len() as u64)));
        }
        self.lines.extend(more.into_iter().map(|piece| DetailLine::Value(n, piece)));
        let room = columns.saturating_sub(4).max(4);
        if let Some(words) = below {
            let lines = wrap(&text::escape(&words), room).into_iter();
            self.lines.extend(lines.map(|line| DetailLine::Told(n, line)));
        }
        if let Some(t) = entry.time {
            let texts = time_texts(t, times);
            let lines = texts.iter().flat_map(|words| wrap(words, room));
            self.lines.extend(lines.map(|line| DetailLine::Told(n, line)));
        }
        for mark in &entry.marks {
            self.lines.push(DetailLine::Mark(n, (*mark).to_owned()));
        }
        // What is not there needs no explaining; K explains it all the same.
        let said = entry.kind != JsonKind::Null || !entry.value.is_empty() && entry.value != "null";
        if let (Some(doc), false, true) = (&entry.doc, self.no_docs, said || entry.value.is_empty())
        {
            let kind = entry.expected.map_or(String::new(), |kind| format!("{kind} · "));
            let doc_columns = columns.saturating_sub(4).max(4);
            for line in wrap(&text::escape(&format!("{kind}{doc}")), doc_columns) {
                self.lines.push(DetailLine::Doc(n, line));
            }
        }
    }

    fn note(&mut self, note: &str, columns: usize) {
        for line in wrap(&text::escape(note), columns) {
            self.lines.push(DetailLine::Note(line));
        }
    }

    fn heading(&self) -> Option<SectionKind> {
        match self.lines.get(self.view.cursor)? {
            DetailLine::Heading(kind, ..) => Some(*kind),
            _ => None,
        }
    }

    fn toggle_fold(&mut self) {
        let above = self.lines.iter().take(self.view.cursor + 1).rev();
        let heading = above.into_iter().find_map(|line| match line {
            DetailLine::Heading(kind, ..) => Some(kind.title()),
            _ => None,
        });
        let Some(title) = heading else { return };
        if !self.folded.remove(title) {
            self.folded.insert(title);
        }
        let at = self.lines.iter().position(
            |line| matches!(line, DetailLine::Heading(kind, ..) if kind.title() == title),
        );
        self.view.cursor = at.unwrap_or(self.view.cursor);
        self.shown = None;
    }

    /// Goes to the next line one can act on, or scrolls on through a long text.
    fn step_down(&mut self, height: usize) {
        let from = self.view.cursor + 1;
        let next = (from..self.lines.len()).find(|&at| self.is_stop(at));
        let target = next.unwrap_or(self.lines.len().saturating_sub(1));
        self.view.cursor = target.min(self.view.cursor + height.max(2) - 1);
    }

    fn step_up(&mut self) {
        let next = (0..self.view.cursor).rev().find(|&at| self.is_stop(at));
        self.view.cursor = next.unwrap_or(0);
    }

    fn snap(&mut self) {
        let cursor = self.view.cursor;
        if !self.is_stop(cursor) {
            let next = (cursor..self.lines.len()).find(|&at| self.is_stop(at));
            self.view.cursor = next.unwrap_or(cursor);
        }
    }

    fn is_stop(&self, at: usize) -> bool {
        match self.lines.get(at) {
            Some(DetailLine::Heading(..) | DetailLine::Entry(..) | DetailLine::Raw(_)) => true,
            Some(
                DetailLine::Value(..)
                | DetailLine::Told(..)
                | DetailLine::Doc(..)
                | DetailLine::Mark(..)
                | DetailLine::Note(_)
                | DetailLine::Blank,
            )
            | None => false,
        }
    }
}

/// Returns a time in the shown zone, and how long before or after the log's last event it is.
fn time_texts(t: Timestamp, times: Times) -> Vec<String> {
    let (zone, form) = (times.zone, "%a %Y-%m-%d %H:%M:%S%.f");
    let mut texts = vec![format!("{} {}", zone.format(t, form), zone.short(t))];
    if let Some(last) = times.last {
        texts.push(age_text(t, last));
    }
    texts
}

/// Returns how long before or after the log's last event an instant is.
fn age_text(t: Timestamp, last: Timestamp) -> String {
    let apart = t.0.abs_diff(last.0);
    let side = match t.cmp(&last) {
        Ordering::Less => "before",
        Ordering::Equal => return "the time of the log's last event".to_owned(),
        Ordering::Greater => "after",
    };
    let span = duration(apart as f64 / 1e6).unwrap_or_default();
    format!("{span} {side} the log's last event")
}

/// Returns the attribute of the schema that an entry belongs to: the first step of its path.
fn attribute_of(entry: &Entry) -> &str {
    entry.path.split(['.', '[']).next().unwrap_or(&entry.path)
}

/// Returns the field of the filter language for a path.
fn field_of(path: &str) -> String {
    match path {
        "eventType" => "type".to_owned(),
        "eventOutcome" => "outcome".to_owned(),
        path => path.to_owned(),
    }
}
