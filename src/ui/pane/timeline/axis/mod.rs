//! The words below the bars: which round times are named, and how.
//!
//! A label stands under the bar that begins at its time, or the first one after. It says only what
//! the label before it does not: the first names its day, month or year, later ones what changes.

use chrono::{Datelike as _, NaiveDateTime, Timelike as _};

use crate::base::text;
use crate::base::time::{SECOND, Timestamp};
use crate::base::zone::Zone;

/// Blank columns between labels, at least.
const GAP: usize = 2;

/// Bars in equal steps of time.
#[derive(Clone, Copy, Debug)]
pub struct Bars {
    /// When the first one begins.
    pub start: Timestamp,
    /// Nanoseconds that each one covers.
    pub width: i64,
    /// How many there are.
    pub n: usize,
    /// Columns that each one takes.
    pub columns: u16,
}

impl Bars {
    fn at(&self, bar: usize) -> Timestamp {
        let offset = i64::try_from(bar).unwrap_or(i64::MAX).saturating_mul(self.width);
        Timestamp(self.start.0.saturating_add(offset).min(Timestamp::MAX.0))
    }
}

/// How far apart labels are in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Nanoseconds, less than a day.
    Clock(i64),
    Days(i64),
    Weeks(i64),
    Months(i32),
    Years(i32),
}

const STEPS: [Step; 47] = {
    use Step::{Clock, Days, Months, Weeks, Years};
    const MS: i64 = 1_000_000;
    const MIN: i64 = 60 * SECOND;
    const HOUR: i64 = 60 * MIN;
    [
        Clock(10_000),
        Clock(20_000),
        Clock(50_000),
        Clock(100_000),
        Clock(200_000),
        Clock(500_000),
        Clock(MS),
        Clock(2 * MS),
        Clock(5 * MS),
        Clock(10 * MS),
        Clock(20 * MS),
        Clock(50 * MS),
        Clock(100 * MS),
        Clock(200 * MS),
        Clock(500 * MS),
        Clock(SECOND),
        Clock(2 * SECOND),
        Clock(5 * SECOND),
        Clock(10 * SECOND),
        Clock(15 * SECOND),
        Clock(30 * SECOND),
        Clock(MIN),
        Clock(2 * MIN),
        Clock(5 * MIN),
        Clock(10 * MIN),
        Clock(15 * MIN),
        Clock(30 * MIN),
        Clock(HOUR),
        Clock(2 * HOUR),
        Clock(3 * HOUR),
        Clock(6 * HOUR),
        Clock(12 * HOUR),
        Days(1),
        Days(2),
        Weeks(1),
        Weeks(2),
        Months(1),
        Months(3),
        Months(6),
        Years(1),
        Years(2),
        Years(5),
        Years(10),
        Years(20),
        Years(50),
        Years(100),
        Years(200),
    ]
};

impl Step {
    /// Returns a number that rises by one with each step; days are counted from the first bar's.
    fn count(self, t: NaiveDateTime, first: NaiveDateTime) -> i64 {
        let days = i64::from(t.num_days_from_ce());
        match self {
            Self::Clock(nanos) => {
                let second = i64::from(t.num_seconds_from_midnight());
                let of_day = second * SECOND + i64::from(t.nanosecond());
                days * (86_400 * SECOND / nanos) + of_day / nanos
            }
            Self::Days(each) => (days - i64::from(first.num_days_from_ce())).div_euclid(each),
            // The first day of the common era was a Monday.
            Self::Weeks(weeks) => (days - 1).div_euclid(7 * weeks),
            Self::Months(months) => {
                i64::from((t.year() * 12 + t.month0().cast_signed()).div_euclid(months))
            }
            Self::Years(years) => i64::from(t.year().div_euclid(years)),
        }
    }

    /// Returns about how long it is.
    fn nanos(self) -> i64 {
        const DAY: i64 = 86_400 * SECOND;
        match self {
            Self::Clock(nanos) => nanos,
            Self::Days(days) => days * DAY,
            Self::Weeks(weeks) => weeks * 7 * DAY,
            Self::Months(months) => i64::from(months) * 31 * DAY,
            Self::Years(years) => i64::from(years) * 366 * DAY,
        }
    }

    /// Returns columns that a label without its context takes at most.
    const fn columns(self) -> usize {
        match self {
            Self::Clock(nanos) if nanos < 1_000_000 => "09:30:00.000250".len(),
            Self::Clock(nanos) if nanos < SECOND => "09:30:00.250".len(),
            Self::Clock(nanos) if nanos < 60 * SECOND => "09:30:00".len(),
            Self::Clock(_) => "09:30".len(),
            Self::Days(_) | Self::Weeks(_) => "Mon 02".len(),
            Self::Months(_) => "Mar".len(),
            Self::Years(_) => "2026".len(),
        }
    }

    /// Returns the form of a label at `t`, given the one before.
    fn form(self, t: NaiveDateTime, before: Option<NaiveDateTime>) -> &'static [&'static str] {
        let same_year = before.is_some_and(|b| b.year() == t.year());
        let same_month = same_year && before.is_some_and(|b| b.month() == t.month());
        let same_day = before.is_some_and(|b| b.date() == t.date());
        match self {
            Self::Years(_) => &["%Y"],
            Self::Months(_) if same_year => &["%b"],
            Self::Months(_) => &["%b %Y"],
            Self::Days(_) | Self::Weeks(_) if same_month => &["%a %d"],
            Self::Days(_) | Self::Weeks(_) if same_year => &["%a %d %b", "%d %b"],
            Self::Days(_) | Self::Weeks(_) => &["%a %d %b %Y", "%a %d %b", "%d %b"],
            Self::Clock(nanos) => clock_form(nanos, t, same_day, same_month, before.is_some()),
        }
    }
}

fn clock_form(
    nanos: i64,
    t: NaiveDateTime,
    same_day: bool,
    same_month: bool,
    is_later: bool,
) -> &'static [&'static str] {
    let midnight = t.num_seconds_from_midnight() == 0 && t.nanosecond() == 0;
    match nanos {
        _ if !same_day && midnight && is_later && same_month => &["%a %d"],
        _ if !same_day && midnight => &["%a %d %b"],
        ..1_000_000 if same_day => &["%H:%M:%S%.6f"],
        ..1_000_000 => &["%a %d %b %H:%M:%S%.6f", "%d %b %H:%M:%S%.6f"],
        1_000_000..SECOND if same_day => &["%H:%M:%S%.3f"],
        1_000_000..SECOND => &["%a %d %b %H:%M:%S%.3f", "%d %b %H:%M:%S%.3f"],
        SECOND..60_000_000_000 if same_day => &["%H:%M:%S"],
        SECOND..60_000_000_000 => &["%a %d %b %H:%M:%S", "%d %b %H:%M:%S"],
        _ if same_day => &["%H:%M"],
        _ if same_month => &["%a %d %H:%M"],
        _ => &["%a %d %b %H:%M", "%d %b %H:%M"],
    }
}

/// Returns the labels that fit into `room` columns, each with the column it starts at.
pub fn labels(bars: Bars, room: usize, zone: Zone) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // Nothing is named more finely than a bar can tell.
    for step in STEPS.into_iter().filter(|step| bars.width <= step.nanos()) {
        let Some(marks) = marks(bars, step, room, zone) else { continue };
        found = place(bars, step, &marks, room, zone);
        // Steps that leave only one label may have skipped over all round times there are.
        if 1 < found.len() || marks.len() < 2 {
            break;
        }
    }
    if found.is_empty() && 0 < bars.n {
        found = place(bars, Step::Years(1), &[0], room, zone);
    }
    found
}

/// Returns the bars at which a step begins; `None` when their labels would not fit side by side.
fn marks(bars: Bars, step: Step, room: usize, zone: Zone) -> Option<Vec<usize>> {
    let columns = usize::from(bars.columns.max(1));
    let apart = (step.columns() + GAP).div_ceil(columns);
    let mut marks: Vec<usize> = Vec::new();
    let first = zone.civil(bars.at(0));
    let mut before = step.count(zone.civil(Timestamp(bars.at(0).0.saturating_sub(1))), first);
    for bar in 0..bars.n {
        let count = step.count(zone.civil(bars.at(bar)), first);
        // Clocks that go back name no hour twice.
        if before < count {
            // The first mark after the edge may be close to the label at the edge.
            if marks.last().is_some_and(|last| bar - last < apart) {
                return None;
            }
            marks.push(bar);
            before = count;
        }
    }
    let is_edge_named = marks.first().is_some_and(|first| first * columns < room / 2);
    if !is_edge_named {
        marks.insert(0, 0);
    }
    Some(marks)
}

fn place(bars: Bars, step: Step, marks: &[usize], room: usize, zone: Zone) -> Vec<(usize, String)> {
    let mut labels: Vec<(usize, String)> = Vec::new();
    let mut before = None;
    let mut free = 0;
    let column_of = |bar: usize| bar * usize::from(bars.columns.max(1));
    for &bar in marks {
        let t = bars.at(bar);
        let civil = zone.civil(t);
        let column = column_of(bar);
        let words = step.form(civil, before).iter().map(|form| zone.format(t, form));
        let fitting: Vec<String> =
            words.filter(|words| column + text::width(words) <= room).collect();
        // The longest label that takes the place of no more labels than the shortest one does.
        let ends = |words: &String| column + text::width(words) + GAP;
        let shortest = fitting.last().map_or(column, ends);
        let next = marks.iter().map(|&bar| column_of(bar)).find(|&next| shortest <= next);
        let next = next.unwrap_or(room + GAP);
        let best = fitting.iter().position(|words| ends(words) <= next);
        let Some(words) = best.and_then(|at| fitting.into_iter().nth(at)) else { continue };
        if column < free {
            continue;
        }
        free = column + text::width(&words) + GAP;
        labels.push((column, words));
        before = Some(civil);
    }
    labels
}

#[cfg(test)]
mod tests;
