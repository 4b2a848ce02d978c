//! The list: one row per event, with days and silences marked between rows.
//!
//! The state is the cursor's position among the matches and its row on the screen. What stands
//! above and below is walked from there, so ten million rows cost as much as ten.

use crate::app::action::{Move, Pane};
use crate::app::data::Data;
use crate::app::intent::Intent;
use crate::app::pane::{Ctx, PaneId, chip, types};
use crate::base::id::EventId;
use crate::base::time::{SECOND, Timestamp};
use crate::jobs::msg::Order;

/// Silences shorter than this are never marked.
const SHORTEST_GAP: i64 = 10 * 60 * SECOND;

/// How much longer than usual a silence must be to be marked.
const GAP_FACTOR: i64 = 20;

/// One line on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A match: position among the matches, and its id.
    Event(usize, EventId),
    /// A neighbour that the filter hides.
    Neighbour(EventId),
    /// A day begins.
    Day(Timestamp),
    /// The zone's offset changes here, as twice a year.
    Offset(Timestamp),
    /// Nothing happened for so many nanoseconds.
    Gap(i64),
    /// From here on events without a usable time and bad records.
    NoTime,
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct Events {
    /// Position of the focused event among the matches.
    pub cursor: usize,
    /// Its row on the screen.
    pub row: usize,
    /// The event that was last chosen by hand; a filter may hide it for a while.
    pub anchor: Option<EventId>,
    /// What is on the screen, as of the last [`Events::settle`].
    pub lines: Vec<Line>,
    /// Neighbours shown around each match.
    pub neighbours: usize,
}

impl Events {
    /// Does what was asked.
    pub fn update(&mut self, action: Pane, ctx: &Ctx<'_>) -> Option<Intent> {
        match action {
            Pane::Open => Some(Intent::Focus(PaneId::Detail)),
            Pane::Sort => Some(Intent::Reorder),
            Pane::Include => {
                let name = self.type_name(ctx.data)?;
                let chip = Some(chip::write(types::FIELD, &[name]));
                Some(Intent::Narrow { field: types::FIELD, chip, then: None })
            }
            Pane::Exclude => {
                let name = self.type_name(ctx.data)?;
                Some(Intent::Add(format!("-{}", chip::write(types::FIELD, &[name]))))
            }
            _ => None,
        }
    }

    /// Moves the cursor; the row follows the lines in between.
    pub fn shift(&mut self, step: Move, ctx: &Ctx<'_>) {
        let last = ctx.data.len().saturating_sub(1);
        let height = ctx.rows.max(1);
        let page = self.lines.iter().filter(|line| matches!(line, Line::Event(..))).count();
        let page = page.max(2) - 1;
        let by = |n: usize| n.saturating_mul(ctx.count);
        match step {
            Move::Down => self.walk_down(ctx, ctx.count.min(last - self.cursor.min(last)), height),
            Move::Up => self.walk_up(ctx, ctx.count.min(self.cursor)),
            Move::PageDown => self.cursor = self.cursor.saturating_add(by(page)).min(last),
            Move::PageUp => self.cursor = self.cursor.saturating_sub(by(page)),
            Move::HalfDown => {
                self.cursor = self.cursor.saturating_add(by((page / 2).max(1))).min(last);
            }
            Move::HalfUp => self.cursor = self.cursor.saturating_sub(by((page / 2).max(1))),
            Move::Top => self.jump(ctx.count.saturating_sub(1).min(last), height),
            Move::Bottom => (self.cursor, self.row) = (last, height - 1),
            Move::Left | Move::Right => return,
        }
        self.anchor = self.focused(ctx.data);
    }

    /// Puts the cursor on a position, in the middle of the window when it was not on it.
    pub fn jump(&mut self, position: usize, height: usize) {
        let seen = self
            .lines
            .iter()
            .position(|line| matches!(line, Line::Event(at, _) if *at == position));
        self.cursor = position;
        self.row = seen.unwrap_or(height / 2);
    }

    /// Puts the cursor on a position because the person chose it.
    pub fn choose(&mut self, position: usize, data: &Data, height: usize) {
        self.jump(position, height);
        self.anchor = data.at(position);
    }

    /// Returns the event under the cursor.
    pub fn focused(&self, data: &Data) -> Option<EventId> {
        data.at(self.cursor)
    }

    /// Returns the rows on the screen, the first and last of which are matches.
    pub fn visible(&self) -> impl Iterator<Item = EventId> {
        self.lines.iter().filter_map(|line| match line {
            Line::Event(_, id) | Line::Neighbour(id) => Some(*id),
            Line::Day(_) | Line::Offset(_) | Line::Gap(_) | Line::NoTime => None,
        })
    }

    /// Finds the focused event again in new matches; its row on the screen stays.
    pub fn refind(&mut self, data: &Data) {
        if let Some(anchor) = self.anchor {
            self.cursor = data.nearest(anchor);
        }
    }

    /// Lays the lines out around the cursor; afterwards cursor, row and lines agree.
    pub fn settle(&mut self, data: &Data, height: usize) {
        let height = height.max(1);
        let len = data.len();
        self.lines.clear();
        if len == 0 {
            (self.cursor, self.row) = (0, 0);
            return;
        }
        self.cursor = self.cursor.min(len - 1);
        let wanted = self.row.min(height - 1);
        let (mut above, at_top) = self.above(data, wanted.max(1));
        // The very first line is a day, shown when the cursor is next to it.
        let wanted =
            if at_top { wanted.max(above.len().min(height - 1)).min(above.len()) } else { wanted };
        above.truncate(wanted);
        let below = self.below(data, height - 1 - above.len());
        let room = height - 1 - above.len() - below.len();
        if 0 < room && !at_top {
            let (more, _) = self.above(data, above.len() + room);
            above = more;
            above.truncate(height - 1 - below.len());
        }
        self.row = above.len();
        above.reverse();
        self.lines = above;
        if let Some(id) = data.at(self.cursor) {
            self.lines.push(Line::Event(self.cursor, id));
        }
        self.lines.extend(below);
    }

    fn walk_down(&mut self, ctx: &Ctx<'_>, n: usize, height: usize) {
        if height < n {
            self.cursor = self.cursor.saturating_add(n);
            return;
        }
        for _ in 0..n {
            self.cursor += 1;
            self.row += 1 + self.between(ctx.data, self.cursor).len();
        }
        self.row = self.row.min(height - 1);
    }

    fn walk_up(&mut self, ctx: &Ctx<'_>, n: usize) {
        if ctx.rows < n {
            self.cursor = self.cursor.saturating_sub(n);
            return;
        }
        for _ in 0..n {
            self.row = self.row.saturating_sub(1 + self.between(ctx.data, self.cursor).len());
            self.cursor -= 1;
        }
    }

    /// Returns the lines above the cursor, nearest first, at least `wanted` unless the top is
    /// reached, which is told too.
    fn above(&self, data: &Data, wanted: usize) -> (Vec<Line>, bool) {
        let mut lines = Vec::new();
        let mut position = self.cursor;
        loop {
            lines.extend(self.between(data, position).into_iter().rev());
            if position == 0 {
                let reached = lines.len() <= wanted;
                lines.truncate(wanted);
                return (lines, reached);
            }
            if wanted <= lines.len() {
                lines.truncate(wanted);
                return (lines, false);
            }
            position -= 1;
            if let Some(id) = data.at(position) {
                lines.push(Line::Event(position, id));
            }
        }
    }

    fn below(&self, data: &Data, wanted: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut position = self.cursor + 1;
        while lines.len() < wanted && position < data.len() {
            lines.extend(self.between(data, position));
            if let Some(id) = data.at(position) {
                lines.push(Line::Event(position, id));
            }
            position += 1;
        }
        lines.truncate(wanted);
        lines
    }

    /// Returns what stands between a match and the one before it.
    fn between(&self, data: &Data, position: usize) -> Vec<Line> {
        let Some(id) = data.at(position) else { return Vec::new() };
        let before = position.checked_sub(1).and_then(|position| data.at(position));
        let t = data.time(id);
        let t_before = before.map(|before| data.time(before));
        let mut lines = Vec::new();
        if 0 < self.neighbours && data.order == Order::Time {
            lines.extend(neighbours(data, before, id, self.neighbours));
        }
        let zone = data.zone;
        let new_day = match t_before {
            None => true,
            Some(before) => before.is_some() && t.is_some() && zone.date(before) != zone.date(t),
        };
        if !t.is_some() {
            if t_before.is_none_or(Timestamp::is_some) {
                lines.push(Line::NoTime);
            }
        } else if new_day || t_before.is_some_and(|before| zone.offset(before) != zone.offset(t)) {
            let turned = t_before.filter(|before| zone.offset(*before) != zone.offset(t));
            lines.extend(turned.map(|_| Line::Offset(t)));
            lines.extend(new_day.then_some(Line::Day(t)));
        } else if let Some(before) = t_before.filter(|_| data.order == Order::Time) {
            let gap = t.0.saturating_sub(before.0);
            if usual_gap(data) <= gap {
                lines.push(Line::Gap(gap));
            }
        }
        lines
    }

    fn type_name(&self, data: &Data) -> Option<String> {
        let id = self.focused(data)?;
        Some(data.index.type_name(data.index.row(id).event_type).to_owned())
    }
}

/// Returns the silence from which on one is marked: much longer than the average one.
fn usual_gap(data: &Data) -> i64 {
    let Some(histogram) = data.histogram() else { return i64::MAX };
    let span = histogram.window.end.0.saturating_sub(histogram.window.start.0);
    let n_events = i64::try_from(data.len()).unwrap_or(i64::MAX).max(1);
    (span / n_events).saturating_mul(GAP_FACTOR).max(SHORTEST_GAP)
}

/// Returns rows that the filter hides, up to `n` after the match before and `n` before this one.
fn neighbours(data: &Data, before: Option<EventId>, id: EventId, n: usize) -> Vec<Line> {
    let order = data.index.order();
    let here = data.index.position(id) as usize;
    let first = before.map_or(0, |before| data.index.position(before) as usize + 1);
    let hidden = here.saturating_sub(first);
    let after_before = if before.is_some() { n.min(hidden) } else { 0 };
    let before_this = n.min(hidden - after_before);
    let early = first..first + after_before;
    let late = here - before_this..here;
    let ids = early.chain(late).filter_map(|at| u32::try_from(at).ok());
    ids.map(|at| Line::Neighbour(order.at(at))).collect()
}
