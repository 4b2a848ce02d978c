//! Recorded values in words: codes, bit masks, sizes, durations.
//!
//! Nothing here changes what was recorded; it is shown beside it.

use super::model::{Attribute, CodeValue, Mask, Unit};
use crate::base::text;

#[cfg(test)]
mod tests;

/// Returns what `recorded` stands for, or nothing if it says all itself.
///
/// Works alike whether a number was recorded as a number or as a text: `"11"` and `11`.
pub fn decode(attribute: &Attribute, recorded: &str) -> Option<String> {
    let recorded = recorded.trim();
    if let Some(value) = find_code(attribute, recorded) {
        return (value.word != value.code).then(|| value.word.clone());
    }
    if let Some(mask) = attribute.mask {
        return decode_mask(mask, whole(recorded)?);
    }
    decode_unit(attribute.unit?, number(recorded)?)
}

/// Returns the documented value that was recorded, with its meaning.
pub fn find_code<'a>(attribute: &'a Attribute, recorded: &str) -> Option<&'a CodeValue> {
    let recorded = recorded.trim();
    attribute.values.iter().find(|v| v.code == recorded).or_else(|| {
        let wanted = whole(recorded)?;
        attribute.values.iter().find(|v| whole(&v.code) == Some(wanted))
    })
}

/// Returns the code that a word stands for, so that a filter can name either.
///
/// Case does not matter, nor do blanks and hyphens: `explorer can publish` finds `2`.
pub fn code_for<'a>(attribute: &'a Attribute, word: &str) -> Option<&'a str> {
    let wanted = squeeze(word);
    let same = |v: &&CodeValue| squeeze(&v.word) == wanted;
    attribute.values.iter().find(same).map(|v| v.code.as_str())
}

/// Returns a duration as people say it: `850 ms`, `5.3 s`, `2 min 5 s`, `1 h 30 min`, `2 d 3 h`.
pub fn duration(milliseconds: f64) -> Option<String> {
    if !milliseconds.is_finite() || milliseconds < 0.0 {
        return None;
    }
    if milliseconds < 1000.0 {
        return Some(format!("{} ms", trim_zero(milliseconds)));
    }
    let seconds = milliseconds / 1000.0;
    if seconds < 59.95 {
        return Some(format!("{seconds:.1} s"));
    }
    // Rounded first, so that 119.7 s is 2 min and not 1 min 60 s. Saturates far beyond any age.
    let seconds = seconds.round() as u64;
    Some(match seconds {
        0..3600 => pair(seconds / 60, "min", seconds % 60, "s"),
        3600..86_400 => pair(seconds / 3600, "h", seconds % 3600 / 60, "min"),
        _ => pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    })
}

fn decode_unit(unit: Unit, value: f64) -> Option<String> {
    if value < 0.0 {
        return None;
    }
    match unit {
        Unit::Bytes => Some(text::bytes(value as u64)),
        Unit::Milliseconds => duration(value),
        Unit::Seconds | Unit::Minutes if value == 0.0 => Some(format!("0 {}", unit.name())),
        Unit::Seconds => duration(value * 1000.0),
        Unit::Minutes => duration(value * 60_000.0),
        Unit::Percent => Some(format!("{value:.1} %")),
    }
}

fn decode_mask(mask: Mask, bits: i64) -> Option<String> {
    const WEEK: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    let bits = u64::try_from(bits).ok()?;
    let (days, name): (u32, fn(u32) -> String) = match mask {
        Mask::DaysOfWeek => (7, |bit| String::from(WEEK[bit as usize % 7])),
        Mask::DaysOfMonth => (31, |bit| ordinal(bit + 1)),
    };
    let all = (1_u64 << days) - 1;
    let mut parts = match bits & all {
        0 => vec![],
        known if known == all => vec![String::from("every day")],
        known => runs(known, days, name),
    };
    parts.extend(runs(bits & !all, u64::BITS, |bit| format!("bit {bit}")));
    Some(if parts.is_empty() { String::from("no day") } else { parts.join(", ") })
}

/// Names the set bits, three or more in a row as a range.
fn runs(bits: u64, count: u32, name: fn(u32) -> String) -> Vec<String> {
    let mut parts = Vec::new();
    let mut bit = 0;
    while bit < count {
        let length = (bits >> bit).trailing_ones().min(count - bit);
        match length {
            0 => bit += 1,
            1 | 2 => parts.extend((bit..bit + length).map(name)),
            _ => parts.push(format!("{}–{}", name(bit), name(bit + length - 1))),
        }
        bit += length;
    }
    parts
}

fn ordinal(n: u32) -> String {
    let end = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

fn pair(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    match small {
        0 => format!("{large} {large_unit}"),
        _ => format!("{large} {large_unit} {small} {small_unit}"),
    }
}

fn trim_zero(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

fn number(text: &str) -> Option<f64> {
    // Only what JSON calls a number: no `inf`, `nan` or leading `+`.
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

fn whole(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| {
        let value = number(text)?;
        // 2^53 is where a float stops holding every whole number.
        (value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0).then_some(value as i64)
    })
}

fn squeeze(word: &str) -> String {
    let kept = word.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'));
    kept.flat_map(char::to_lowercase).collect()
}
