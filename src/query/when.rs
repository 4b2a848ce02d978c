//! Times as people write them in a filter.

use chrono::{Days, Months, NaiveDate};

use crate::base::time::{SECOND, TimeRange, Timestamp, to_utc};

/// Nanoseconds of a day.
pub const DAY: i64 = 86_400 * SECOND;

/// What relative times count from.
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// The present.
    pub now: Timestamp,
    /// The time of the log's last event, or `now` for a log without times.
    pub last: Timestamp,
}

/// A written time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A year, month or day; as the end of a range it is included as a whole.
    Date(TimeRange),
    /// A minute, second or part of it; as the end of a range, its start is the end.
    Moment(TimeRange),
    /// A time of any day: nanoseconds since midnight UTC (may pass either end), and how long.
    Clock(i64, i64),
    /// Counted from the log's last event or from now.
    Relative(Timestamp),
}

/// Reads a written time: `2026`, `2026-03`, `2026-03-02`, `2026-03-02T09[:30[:15[.250]]]` with an
/// optional zone, `09:30[:15]`, `-24h` (before the last event), `now`, `now-24h`, `last`.
///
/// # Errors
/// Tells in words what it is not.
pub fn read(text: &str, anchors: &Anchors) -> Result<When, String> {
    let text = text.trim();
    if let Some(found) = relative(text, anchors) {
        return found.map(When::Relative);
    }
    let (body, offset) = split_zone(text);
    let found = match body.split_once(['T', 't', ' ']) {
        Some((date, clock)) => moment(date, clock.trim_start()),
        None if body.contains(':') => clock(body).map(|(start, len)| When::Clock(start, len)),
        None => date(body).map(When::Date),
    };
    let found = found.ok_or_else(|| {
        format!("`{text}` is no time; write 2026-03-02, 2026-03-02T09:30Z, 09:30, -24h or now-24h")
    })?;
    Ok(shift(found, offset))
}

fn shift(when: When, offset: i64) -> When {
    let moved = |t: Timestamp| Timestamp(t.0.saturating_sub(offset).min(Timestamp::MAX.0));
    let moved = |range: TimeRange| TimeRange { start: moved(range.start), end: moved(range.end) };
    match when {
        When::Date(range) => When::Date(moved(range)),
        When::Moment(range) => When::Moment(moved(range)),
        When::Clock(start, len) => When::Clock(start - offset, len),
        When::Relative(t) => When::Relative(t),
    }
}

fn relative(text: &str, anchors: &Anchors) -> Option<Result<Timestamp, String>> {
    let lower = text.to_ascii_lowercase();
    let (base, rest) = if let Some(rest) = lower.strip_prefix("now") {
        (anchors.now, rest)
    } else if let Some(rest) = lower.strip_prefix("last") {
        (anchors.last, rest)
    } else {
        (anchors.last, lower.as_str())
    };
    let (sign, amount) = match rest.as_bytes().first() {
        None if !lower.is_empty() => return Some(Ok(base)),
        Some(b'-') => (-1, &rest[1..]),
        Some(b'+') => (1, &rest[1..]),
        _ => return None,
    };
    let wrong = || format!("`{amount}` is no span of time; write 30s, 15m, 24h, 7d or 2w");
    let Some(span) = duration(amount) else { return Some(Err(wrong())) };
    let nanos = i128::from(base.0) + sign * span;
    let nanos = nanos.clamp(i128::from(i64::MIN), i128::from(Timestamp::MAX.0));
    Some(i64::try_from(nanos).map(Timestamp).map_err(|_| wrong()))
}

/// Reads a span of time such as `24h`, `1h30m`, `250ms`, in nanoseconds.
pub fn duration(text: &str) -> Option<i128> {
    let mut rest = text;
    let mut total = 0_i128;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(digits);
        let unit_len = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, after) = tail.split_at(unit_len);
        let unit = unit_nanos(unit)?;
        total = total.checked_add(scaled(number, unit)?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}

fn unit_nanos(unit: &str) -> Option<i128> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" | "sec" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        "w" => 604_800_000_000_000,
        _ => return None,
    })
}

/// Returns a decimal number times `unit`, cut to a whole number.
pub(crate) fn scaled(number: &str, unit: i128) -> Option<i128> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || whole.len() > 15 || part.len() > 9 || part.contains('.') {
        return None;
    }
    let whole: i128 = whole.parse().ok()?;
    let below: i128 = if part.is_empty() { 0 } else { part.parse().ok()? };
    let places = 10_i128.pow(u32::try_from(part.len()).ok()?);
    Some(whole * unit + below * unit / places)
}

/// Splits a trailing zone off; returns the rest and nanoseconds east of UTC.
fn split_zone(text: &str) -> (&str, i64) {
    if let Some(body) = text.strip_suffix(['Z', 'z']) {
        return (body, 0);
    }
    let signs = text.rfind(['+', '-']).filter(|&at| at > 0 && text[..at].contains(':'));
    let Some(at) = signs else { return (text, 0) };
    let sign = if text.as_bytes()[at] == b'-' { -1 } else { 1 };
    let digits: String = text[at + 1..].chars().filter(|&c| c != ':').collect();
    let part = |range| digits.get(range).and_then(|d: &str| d.parse::<i64>().ok());
    let found = match digits.len() {
        2 => part(0..2).map(|hours| (hours, 0)),
        4 => part(0..2).zip(part(2..4)),
        _ => None,
    };
    match found {
        Some((hours, minutes)) => (&text[..at], sign * (hours * 3_600 + minutes * 60) * SECOND),
        None => (text, 0),
    }
}

/// Returns whether a written time says which zone it means.
pub fn names_zone(text: &str) -> bool {
    split_zone(text.trim()).0 != text.trim()
}

fn date(text: &str) -> Option<TimeRange> {
    let mut parts = text.split('-');
    let year = number(parts.next()?, 4)?;
    let month = parts.next().map(|part| number(part, 2));
    let day = parts.next().map(|part| number(part, 2));
    if parts.next().is_some() {
        return None;
    }
    let year = i32::try_from(year).ok()?;
    let (start, end) = match (month, day) {
        (None, None) => {
            let start = NaiveDate::from_ymd_opt(year, 1, 1)?;
            (start, start.checked_add_months(Months::new(12))?)
        }
        (Some(month), None) => {
            let start = NaiveDate::from_ymd_opt(year, month?, 1)?;
            (start, start.checked_add_months(Months::new(1))?)
        }
        (Some(month), Some(day)) => {
            let start = NaiveDate::from_ymd_opt(year, month?, day?)?;
            (start, start.checked_add_days(Days::new(1))?)
        }
        (None, Some(_)) => return None,
    };
    Some(TimeRange { start: midnight(start), end: midnight(end) })
}

fn midnight(day: NaiveDate) -> Timestamp {
    let seconds = day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
    Timestamp(seconds.saturating_mul(SECOND).min(Timestamp::MAX.0))
}

fn moment(day: &str, time: &str) -> Option<When> {
    if day.len() != 10 {
        return None;
    }
    let day = date(day)?;
    let (start, len) = clock(time)?;
    let start = Timestamp(day.start.0.saturating_add(start));
    let end = Timestamp(start.0.saturating_add(len).min(Timestamp::MAX.0));
    Some(When::Moment(TimeRange { start, end }))
}

/// Reads `HH`, `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f`: nanoseconds since midnight and how long it is.
fn clock(text: &str) -> Option<(i64, i64)> {
    let (whole, fraction) = match text.split_once(['.', ',']) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let mut parts = whole.split(':');
    let hour = number(parts.next()?, 2)?;
    let minute = parts.next().map(|part| number(part, 2));
    let second = parts.next().map(|part| number(part, 2));
    if parts.next().is_some() || hour > 24 {
        return None;
    }
    let (mut len, mut seconds) = (3_600 * SECOND, i64::from(hour) * 3_600);
    if let Some(minute) = minute {
        let minute = minute.filter(|&m| m < 60)?;
        len = 60 * SECOND;
        seconds += i64::from(minute) * 60;
    }
    if let Some(second) = second {
        let second = second.filter(|&s| s <= 60)?;
        len = SECOND;
        seconds += i64::from(second);
    }
    if seconds > 86_400 {
        return None;
    }
    let mut nanos = seconds * SECOND;
    if let Some(digits) = fraction {
        second?;
        let shown = digits.get(..digits.len().min(9))?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        len = 10_i64.pow(9 - u32::try_from(shown.len()).ok()?);
        nanos += shown.parse::<i64>().ok()? * len;
    }
    Some((nanos, len))
}

fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Returns a range as the value of a `time:` term that means exactly this range.
pub fn range_text(range: TimeRange) -> String {
    let exact = |t: Timestamp| {
        let utc = to_utc(t);
        utc.format("%Y-%m-%dT%H:%M:%S%.fZ").to_string()
    };
    match (range.start > Timestamp::MIN, range.end < Timestamp::MAX) {
        (true, true) => format!("{}..{}", exact(range.start), exact(range.end)),
        (true, false) => format!("{}..", exact(range.start)),
        (false, _) => format!("..{}", exact(range.end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAR_2: i64 = 1_772_409_600 * SECOND; // 2026-03-02T00:00:00Z
    const ANCHORS: Anchors =
        Anchors { now: Timestamp(MAR_2 + 10 * DAY), last: Timestamp(MAR_2 + DAY) };

    fn range(start: i64, len: i64) -> TimeRange {
        TimeRange { start: Timestamp(start), end: Timestamp(start + len) }
    }

    #[test]
    fn times_of_any_precision() {
        let hour = 3_600 * SECOND;
        for (text, when) in [
            ("2026", When::Date(range(MAR_2 - 60 * DAY, 365 * DAY))),
            ("2026-03", When::Date(range(MAR_2 - DAY, 31 * DAY))),
            ("2026-03-02", When::Date(range(MAR_2, DAY))),
            ("2026-03-02T09", When::Moment(range(MAR_2 + 9 * hour, hour))),
            ("2026-03-02T09:30Z", When::Moment(range(MAR_2 + 9 * hour + hour / 2, 60 * SECOND))),
            (
                "2026-03-02 09:30:01",
                When::Moment(range(MAR_2 + 9 * hour + hour / 2 + SECOND, SECOND)),
            ),
            ("2026-03-02T00:00:00.25Z", When::Moment(range(MAR_2 + SECOND / 4, SECOND / 100))),
            ("2026-03-02T09:00+02:00", When::Moment(range(MAR_2 + 7 * hour, 60 * SECOND))),
            (
                "2026-03-02T09:00-0530",
                When::Moment(range(MAR_2 + 14 * hour + hour / 2, 60 * SECOND)),
            ),
            ("09:30", When::Clock(9 * hour + hour / 2, 60 * SECOND)),
            ("24:00", When::Clock(24 * hour, 60 * SECOND)),
            ("09:00+01:00", When::Clock(8 * hour, 60 * SECOND)),
            ("-24h", When::Relative(Timestamp(MAR_2))),
            ("last-1d", When::Relative(Timestamp(MAR_2))),
            ("now", When::Relative(Timestamp(MAR_2 + 10 * DAY))),
            ("now-1d12h", When::Relative(Timestamp(MAR_2 + 8 * DAY + 12 * hour))),
        ] {
            assert_eq!(read(text, &ANCHORS), Ok(when), "{text}");
        }
        for text in [
            "",
            "x",
            "2026-13",
            "2026-02-30",
            "25:00",
            "9:30",
            "-5",
            "-",
            "now-5y",
            "2026-03-02T",
            "20260302",
        ] {
            assert!(read(text, &ANCHORS).is_err(), "{text}");
        }
    }

    #[test]
    fn spans_of_time_have_units() {
        for (text, nanos) in [
            ("5s", Some(5_000_000_000)),
            ("250ms", Some(250_000_000)),
            ("1.5h", Some(5_400_000_000_000)),
            ("1h30m", Some(5_400_000_000_000)),
            ("5", None),
            ("", None),
            ("h", None),
            ("5x", None),
        ] {
            assert_eq!(duration(text), nanos, "{text}");
        }
    }

    #[test]
    fn a_range_is_written_so_that_it_reads_back() {
        let exact = range(MAR_2, 3_600 * SECOND);
        assert_eq!(range_text(exact), "2026-03-02T00:00:00Z..2026-03-02T01:00:00Z");
        let odd = TimeRange { start: Timestamp(MAR_2 + 1), end: Timestamp::MAX };
        assert_eq!(range_text(odd), "2026-03-02T00:00:00.000000001Z..");
    }
}
