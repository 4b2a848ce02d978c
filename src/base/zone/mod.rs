//! Time zones: what the clock on the wall shows at an instant, and the way back.
//!
//! Only what is shown depends on a [`Zone`]. Instants, filters and recorded text do not.

use chrono::{
    Local, NaiveDate, NaiveDateTime, NaiveTime, Offset as _, TimeZone as _, Timelike as _,
};
use chrono_tz::{OffsetName as _, TZ_VARIANTS, Tz};

use crate::base::time::{SECOND, Timestamp, to_utc};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A zone that times are shown in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// Coordinated Universal Time, which the logs are written in.
    #[default]
    Utc,
    /// A zone of the tz database, with its changes of offset.
    Named(Tz),
    /// So many seconds east of UTC, all year.
    Fixed(i32),
    /// The zone of this machine, where the system gives no name for it.
    System,
}

impl Zone {
    /// Reads `UTC`, a name of the tz database in any case, or an offset such as `+05:30`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("utc") || text.eq_ignore_ascii_case("z") {
            return Some(Self::Utc);
        }
        if text.starts_with(['+', '-']) {
            return offset_of(text).map(Self::Fixed);
        }
        let named = TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(text));
        named.map(|&zone| Self::Named(zone))
    }

    /// Returns the names of all zones of the tz database.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TZ_VARIANTS.iter().map(|zone| zone.name())
    }

    /// Returns the zone's name: `UTC`, `Europe/Berlin`, `+05:30`.
    pub fn name(self) -> String {
        match self {
            Self::Utc => "UTC".to_owned(),
            Self::Named(zone) => zone.name().to_owned(),
            Self::Fixed(seconds) => offset_text(seconds),
            Self::System => "local time".to_owned(),
        }
    }

    /// Returns the seconds east of UTC at an instant.
    pub fn offset(self, t: Timestamp) -> i32 {
        match self {
            Self::Utc => 0,
            Self::Fixed(seconds) => seconds,
            Self::Named(zone) => zone.offset_from_utc_datetime(&to_utc(t)).fix().local_minus_utc(),
            Self::System => Local.offset_from_utc_datetime(&to_utc(t)).fix().local_minus_utc(),
        }
    }

    /// Returns what the zone is called at an instant, as short as can be: `UTC`, `CEST`, `+05:30`.
    pub fn short(self, t: Timestamp) -> String {
        match self {
            Self::Utc => "UTC".to_owned(),
            Self::Named(zone) => {
                let offset = zone.offset_from_utc_datetime(&to_utc(t));
                let letters = |name: &&str| name.starts_with(|c: char| c.is_ascii_alphabetic());
                let letters = offset.abbreviation().filter(letters).map(str::to_owned);
                letters.unwrap_or_else(|| offset_text(self.offset(t)))
            }
            Self::Fixed(_) | Self::System => offset_text(self.offset(t)),
        }
    }

    /// Returns date and clock at an instant.
    pub fn civil(self, t: Timestamp) -> NaiveDateTime {
        to_utc(t) + chrono::TimeDelta::seconds(i64::from(self.offset(t)))
    }

    /// Returns the date at an instant.
    pub fn date(self, t: Timestamp) -> NaiveDate {
        self.civil(t).date()
    }

    /// Returns the instant in a form of chrono's; one that is too far off in words.
    pub fn format(self, t: Timestamp, form: &str) -> String {
        t.far().map_or_else(|| self.civil(t).format(form).to_string(), str::to_owned)
    }

    /// Returns `HH:MM:SS.mmm`.
    pub fn clock(self, t: Timestamp) -> String {
        if let Some(far) = t.far() {
            return far.to_owned();
        }
        let civil = self.civil(t);
        let millis = civil.nanosecond() / 1_000_000;
        format!("{:02}:{:02}:{:02}.{millis:03}", civil.hour(), civil.minute(), civil.second())
    }

    /// Returns the instant as RFC 3339 with the zone's offset, and as many digits as it needs.
    pub fn rfc3339(self, t: Timestamp) -> String {
        if self.offset(t) == 0 || !t.is_some() || t.far().is_some() {
            return t.to_rfc3339();
        }
        format!("{}{}", self.format(t, "%Y-%m-%dT%H:%M:%S%.f"), offset_text(self.offset(t)))
    }

    /// Returns the instant at which clocks show `civil`: the first of two where they went back, and
    /// the moment they went forward where they never showed it.
    pub fn instant(self, civil: NaiveDateTime) -> Timestamp {
        let as_utc = i128::from(civil.and_utc().timestamp()) * i128::from(SECOND)
            + i128::from(civil.nanosecond());
        let at = |offset: i32| clamp(as_utc - i128::from(offset) * i128::from(SECOND));
        // No offset is a day long, so those of the day before and after are all there can be.
        let day = DAY * SECOND;
        let noon = clamp(as_utc);
        let before = self.offset(Timestamp(noon.0.saturating_sub(day)));
        let after = self.offset(Timestamp(noon.0.saturating_add(day).min(Timestamp::MAX.0)));
        let fits = |offset: &i32| self.offset(at(*offset)) == *offset;
        match [before, after].into_iter().find(fits) {
            Some(offset) => at(offset),
            None => self.change_between(at(after.max(before)), at(after.min(before))),
        }
    }

    /// Returns the instant at which the day of `t` begins.
    pub fn midnight(self, t: Timestamp) -> Timestamp {
        self.instant(self.date(t).and_time(NaiveTime::MIN))
    }

    /// Returns the first instant after `low`, up to `high`, with the offset of `high`.
    fn change_between(self, low: Timestamp, high: Timestamp) -> Timestamp {
        let wanted = self.offset(high);
        let (mut low, mut high) = (low.0.div_euclid(SECOND), high.0.div_euclid(SECOND));
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if self.offset(Timestamp(middle.saturating_mul(SECOND))) == wanted {
                high = middle;
            } else {
                low = middle;
            }
        }
        Timestamp(high.saturating_mul(SECOND))
    }
}

fn clamp(nanos: i128) -> Timestamp {
    let nanos = nanos.clamp(i128::from(Timestamp::MIN.0), i128::from(Timestamp::MAX.0));
    Timestamp(i64::try_from(nanos).unwrap_or(Timestamp::MAX.0))
}

/// Reads `+05:30`, `+0530` or `+05`: seconds east of UTC.
fn offset_of(text: &str) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text.get(1..)?.chars().filter(|&c| c != ':').collect();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes): (i32, i32) = match digits.len() {
        2 => (digits.parse().ok()?, 0),
        4 => (digits[..2].parse().ok()?, digits[2..].parse().ok()?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

/// Returns an offset as `+05:30`; seconds are told only where there are some.
fn offset_text(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let (minutes, rest) = (seconds.abs() / 60, seconds.abs() % 60);
    let rest = if rest == 0 { String::new() } else { format!(":{rest:02}") };
    format!("{sign}{:02}:{:02}{rest}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests;
