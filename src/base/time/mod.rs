//! Instants as the index keeps them, and the forms in which logs write them.
//!
//! Recorded time is never altered: a [`Timestamp`] only orders and groups, what is shown as the
//! event's time is the text of the file.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, Timelike as _};

/// Nanoseconds per second.
pub const SECOND: i64 = 1_000_000_000;

/// An instant: nanoseconds since 1970-01-01T00:00:00Z, from 1677 to 2262; beyond that it saturates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// No usable time. Sorts after every instant.
    pub const NONE: Self = Self(i64::MAX);
    /// The last instant that can be told.
    pub const MAX: Self = Self(i64::MAX - 1);
    /// The first instant that can be told.
    pub const MIN: Self = Self(i64::MIN);

    /// Returns whether this is an instant at all.
    pub const fn is_some(self) -> bool {
        self.0 != i64::MAX
    }

    /// Returns what to show for an instant that is further off than can be told.
    pub const fn far(self) -> Option<&'static str> {
        match self.0 {
            i64::MIN => Some("before 1677"),
            far if far == Self::MAX.0 => Some("after 2262"),
            _ => None,
        }
    }

    /// Returns the instant in UTC in a form of chrono's; one that is too far off in words.
    pub fn format(self, form: &str) -> String {
        self.far().map_or_else(|| to_utc(self).format(form).to_string(), str::to_owned)
    }

    /// Returns the instant as RFC 3339 in UTC with as many of 0, 3, 6 or 9 digits as it needs.
    pub fn to_rfc3339(self) -> String {
        if !self.is_some() {
            return "no time".to_owned();
        }
        DateTime::from_timestamp_nanos(self.0).to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)
    }

    /// Returns the start of the step of `width` nanoseconds this instant lies in, counted from 1970.
    pub const fn floor(self, width: i64) -> Self {
        Self(self.0.saturating_sub(self.0.rem_euclid(width)))
    }
}

/// A half-open span of time, `start <= t < end`; empty when `end <= start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeRange {
    /// The first instant inside.
    pub start: Timestamp,
    /// The first instant after it.
    pub end: Timestamp,
}

impl TimeRange {
    /// Returns whether `t` lies inside.
    pub fn contains(self, t: Timestamp) -> bool {
        self.start <= t && t < self.end
    }
}

/// How a recorded time had to be read; everything but `Plain` is worth a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeForm {
    /// RFC 3339, or nearly: with a zone.
    Plain,
    /// No zone was given; taken as UTC.
    NoZone,
    /// A number of seconds, milliseconds, microseconds or nanoseconds since 1970, by its size.
    Epoch,
    /// The 61st second of a minute; sorts after :59.999999999 and before the next minute.
    LeapSecond,
    /// Outside 1677 to 2262; sorts first or last of all instants.
    FarOff,
}

/// Reads a recorded time: RFC 3339 with 0 to any number of fraction digits, an offset with or
/// without colon, `Z`, lower-case `t` or `z`, a blank for `T`, no zone, or an epoch number.
///
/// Returns `None` when it is no time at all.
pub fn parse_recorded(text: &[u8]) -> Option<(Timestamp, TimeForm)> {
    let text = text.trim_ascii();
    if let Some(t) = parse_fixed(text) {
        return Some((t, TimeForm::Plain));
    }
    parse_epoch(text).or_else(|| parse_loose(text))
}

/// Reads `YYYY-MM-DDTHH:MM:SS[.f…]Z`, the form nearly all logs use, without a calendar library.
fn parse_fixed(text: &[u8]) -> Option<Timestamp> {
    if !(20..=30).contains(&text.len()) || text[text.len() - 1] != b'Z' {
        return None;
    }
    if text[4] != b'-'
        || text[7] != b'-'
        || text[10] != b'T'
        || text[13] != b':'
        || text[16] != b':'
    {
        return None;
    }
    let year = i64::from(two(text, 0)?) * 100 + i64::from(two(text, 2)?);
    let (month, day) = (two(text, 5)?, two(text, 8)?);
    let (hour, minute, second) = (two(text, 11)?, two(text, 14)?, two(text, 17)?);
    if !(1680..2260).contains(&year) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if month == 0 || month > 12 || day == 0 || day > days_in(year, month) {
        return None;
    }
    let nanos = match text.len() {
        20 => 0,
        _ if text[19] == b'.' => fraction(&text[20..text.len() - 1])?,
        _ => return None,
    };
    let seconds = days_from_civil(year, i64::from(month), i64::from(day)) * 86_400
        + i64::from(hour) * 3_600
        + i64::from(minute) * 60
        + i64::from(second);
    Some(Timestamp(seconds * SECOND + nanos))
}

fn two(text: &[u8], at: usize) -> Option<u32> {
    let (tens, ones) = (text[at].wrapping_sub(b'0'), text[at + 1].wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| u32::from(tens) * 10 + u32::from(ones))
}

/// Returns nanoseconds from fraction digits; digits past the ninth are dropped.
fn fraction(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() {
        return None;
    }
    let mut nanos = 0;
    for place in 0..digits.len().max(9) {
        let digit = digits.get(place).map_or(0, |d| d.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        if place < 9 {
            nanos = nanos * 10 + i64::from(digit);
        }
    }
    Some(nanos)
}

const fn days_in(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a date of the Gregorian calendar (Hinnant's `days_from_civil`).
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y - era * 400;
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Reads an epoch number; its unit follows from its size, so that years 1973 to 5138 are meant.
fn parse_epoch(text: &[u8]) -> Option<(Timestamp, TimeForm)> {
    let text = std::str::from_utf8(text).ok()?;
    if !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E')) {
        return None;
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.bytes().any(|b| !b.is_ascii_digit()) {
        let value: f64 = text.parse().ok()?;
        if !value.is_finite() || value.abs() >= 1e18 || value.abs() < 1e8 {
            return None;
        }
        return parse_epoch(format!("{value:.0}").as_bytes());
    }
    let whole: i64 = whole.parse().ok()?;
    let unit = match whole.unsigned_abs() {
        100_000_000..100_000_000_000 => SECOND,
        100_000_000_000..100_000_000_000_000 => 1_000_000,
        100_000_000_000_000..100_000_000_000_000_000 => 1_000,
        100_000_000_000_000_000.. => 1,
        _ => return None,
    };
    let below = if part.is_empty() { 0 } else { fraction(part.as_bytes())? / (SECOND / unit) };
    let below = if whole < 0 { -below } else { below };
    match whole.checked_mul(unit).and_then(|t| t.checked_add(below)) {
        Some(nanos) if nanos < Timestamp::MAX.0 => Some((Timestamp(nanos), TimeForm::Epoch)),
        _ => Some((if whole < 0 { Timestamp::MIN } else { Timestamp::MAX }, TimeForm::FarOff)),
    }
}

fn parse_loose(text: &[u8]) -> Option<(Timestamp, TimeForm)> {
    let text = std::str::from_utf8(text).ok()?;
    let split = text.find(['T', 't', ' '])?;
    let date = parse_date(&text[..split])?;
    let rest = text[split + 1..].trim_start();
    let zone_at = rest.find(['Z', 'z', '+', '-', MINUS, ' ']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone_at);
    let (time_of_day, leap) = parse_clock(clock)?;
    let offset = parse_zone(zone.trim())?;
    let seconds =
        days_from_civil(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()))
            * 86_400
            - i64::from(offset.unwrap_or(0));
    let nanos = i128::from(seconds) * i128::from(SECOND) + i128::from(time_of_day);
    let form = match (leap, offset) {
        (true, _) => TimeForm::LeapSecond,
        (false, None) => TimeForm::NoZone,
        (false, Some(_)) => TimeForm::Plain,
    };
    match i64::try_from(nanos) {
        Ok(nanos) if nanos < Timestamp::MAX.0 => Some((Timestamp(nanos), form)),
        _ => Some((if nanos < 0 { Timestamp::MIN } else { Timestamp::MAX }, TimeForm::FarOff)),
    }
}

fn parse_date(text: &str) -> Option<NaiveDate> {
    let (sign, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (if text.starts_with('-') { -1 } else { 1 }, rest),
        None => (1, text),
    };
    let mut parts = digits.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let well_formed =
        parts.next().is_none() && year.len() >= 4 && month.len() == 2 && day.len() == 2;
    if !well_formed || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return None;
    }
    NaiveDate::from_ymd_opt(
        sign * year.parse::<i32>().ok()?,
        month.parse().ok()?,
        day.parse().ok()?,
    )
}

/// Returns nanoseconds since midnight, and whether it was a leap second.
fn parse_clock(text: &str) -> Option<(i64, bool)> {
    let (clock, part) = match text.find(['.', ',']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let bytes = clock.as_bytes();
    let (hour, minute) = match bytes {
        [_, _, b':', _, _] | [_, _, b':', _, _, b':', _, _] => (two(bytes, 0)?, two(bytes, 3)?),
        _ => return None,
    };
    let second = if bytes.len() == 8 { two(bytes, 6)? } else { 0 };
    let nanos = part.map_or(Some(0), |digits| fraction(digits.as_bytes()))?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let minutes = i64::from(hour * 60 + minute);
    Some(match second {
        60 => ((minutes * 60 + 60) * SECOND - 1, true),
        _ => ((minutes * 60 + i64::from(second)) * SECOND + nanos, false),
    })
}

/// A minus sign, which ISO 8601 prefers to the hyphen.
const MINUS: char = '\u{2212}';

/// Returns seconds east of UTC, or `Some(None)` when no zone is given.
fn parse_zone(text: &str) -> Option<Option<i32>> {
    if text.is_empty() {
        return Some(None);
    }
    if text.eq_ignore_ascii_case("z") {
        return Some(Some(0));
    }
    // A name is no offset: it is taken as such, and said so.
    if text.eq_ignore_ascii_case("utc") || text.eq_ignore_ascii_case("gmt") {
        return Some(None);
    }
    let (sign, digits) = match text.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, text.strip_prefix(['-', MINUS])?),
    };
    let digits: Vec<u8> = digits.bytes().filter(|&b| b != b':').collect();
    let (hours, minutes) = match digits.len() {
        2 => (two(&digits, 0)?, 0),
        4 => (two(&digits, 0)?, two(&digits, 2)?),
        _ => return None,
    };
    (hours <= 23 && minutes <= 59)
        .then(|| Some(sign * (hours * 3_600 + minutes * 60).cast_signed()))
}

/// Returns the UTC calendar date and clock of an instant.
pub fn to_utc(t: Timestamp) -> NaiveDateTime {
    DateTime::from_timestamp_nanos(t.0).naive_utc()
}

/// Returns `HH:MM:SS.mmm` in UTC.
pub fn clock_text(t: Timestamp) -> String {
    if let Some(far) = t.far() {
        return far.to_owned();
    }
    let utc = to_utc(t);
    let millis = utc.nanosecond() / 1_000_000;
    format!("{:02}:{:02}:{:02}.{millis:03}", utc.hour(), utc.minute(), utc.second())
}

#[cfg(test)]
mod tests;
