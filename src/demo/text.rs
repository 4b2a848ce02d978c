//! Writing numbers, times, identifiers and JSON strings into a byte buffer, fast and without checks.

use super::clock::{DAY, HOUR, MINUTE};
use super::rng::mix;

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends a number in decimal.
pub(super) fn push_number(out: &mut Vec<u8>, mut n: u64) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// How many digits of a second a written time has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fraction {
    /// `10:00:00Z`
    None,
    /// `10:00:00.114Z`
    Millis,
    /// `10:00:00.114118Z`, with these three digits more.
    Micros(u16),
}

/// Appends an instant of the demo's month, in milliseconds since its start, as a quoted RFC 3339 text.
///
/// The start is 2026-03-02; instants outside that March are drawn to its ends.
pub(super) fn push_time(out: &mut Vec<u8>, at: i64, fraction: Fraction) {
    let at = at.clamp(-DAY, 29 * DAY + DAY - 1);
    let (day, rest) = (at.div_euclid(DAY), at.rem_euclid(DAY));
    let mut text = *b"\"2026-03-00T00:00:00.000000Z\"";
    two(&mut text, 9, day + 2);
    two(&mut text, 12, rest / HOUR);
    two(&mut text, 15, rest % HOUR / MINUTE);
    two(&mut text, 18, rest % MINUTE / 1000);
    three(&mut text, 21, rest % 1000);
    match fraction {
        Fraction::None => {
            out.extend_from_slice(&text[..20]);
            out.extend_from_slice(b"Z\"");
        }
        Fraction::Millis => {
            text[24] = b'Z';
            text[25] = b'"';
            out.extend_from_slice(&text[..26]);
        }
        Fraction::Micros(more) => {
            three(&mut text, 24, i64::from(more % 1000));
            out.extend_from_slice(&text);
        }
    }
}

fn two(text: &mut [u8], at: usize, n: i64) {
    text[at] = b'0' + (n / 10) as u8;
    text[at + 1] = b'0' + (n % 10) as u8;
}

fn three(text: &mut [u8], at: usize, n: i64) {
    text[at] = b'0' + (n / 100) as u8;
    two(text, at + 1, n % 100);
}

/// Appends the last `digits` hexadecimal digits of a number.
pub(super) fn push_hex(out: &mut Vec<u8>, n: u64, digits: u8) {
    let mut text = [0_u8; 16];
    let digits = usize::from(digits.min(16));
    for (place, slot) in text[..digits].iter_mut().enumerate() {
        *slot = HEX[(n >> (4 * (digits - 1 - place)) & 15) as usize];
    }
    out.extend_from_slice(&text[..digits]);
}

/// Appends a quoted identifier in the form of a UUID that nobody can take for a real one:
/// it begins with `dec0de` and a byte for the kind of thing.
pub(super) fn push_luid(out: &mut Vec<u8>, kind: u8, number: u64) {
    out.extend_from_slice(b"\"dec0de");
    push_hex(out, u64::from(kind), 2);
    out.push(b'-');
    push_hex(out, number, 4);
    out.extend_from_slice(b"-4000-8000-");
    push_hex(out, mix(number ^ (u64::from(kind) << 56)), 12);
    out.push(b'"');
}

/// How a JSON string writes what is not ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As it is, in UTF-8.
    Plain,
    /// As `\u` escapes.
    Escaped,
}

/// Appends a text as a JSON string with its quotes.
pub(super) fn push_string(out: &mut Vec<u8>, text: &str, spelling: Spelling) {
    out.push(b'"');
    push_string_inside(out, text, spelling);
    out.push(b'"');
}

/// Appends a text as it stands inside a JSON string.
pub(super) fn push_string_inside(out: &mut Vec<u8>, text: &str, spelling: Spelling) {
    let mut units = [0_u16; 2];
    for c in text.chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\t' => out.extend_from_slice(b"\\t"),
            '\r' => out.extend_from_slice(b"\\r"),
            c if c < ' ' || (!c.is_ascii() && spelling == Spelling::Escaped) => {
                for unit in c.encode_utf16(&mut units) {
                    out.extend_from_slice(b"\\u");
                    push_hex(out, u64::from(*unit), 4);
                }
            }
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_and_hex_are_written_in_full() {
        assert_eq!(written(|out| push_number(out, 0)), "0");
        assert_eq!(written(|out| push_number(out, 1_234_567_890)), "1234567890");
        assert_eq!(written(|out| push_number(out, u64::MAX)), u64::MAX.to_string());
        assert_eq!(written(|out| push_hex(out, 0xAB, 4)), "00ab");
    }

    #[test]
    fn times_count_from_the_second_of_march() {
        let at = 8 * DAY + HOUR + 41 * MINUTE + 7_005;
        assert_eq!(written(|out| push_time(out, 0, Fraction::None)), "\"2026-03-02T00:00:00Z\"");
        assert_eq!(
            written(|out| push_time(out, at, Fraction::Millis)),
            "\"2026-03-10T01:41:07.005Z\""
        );
        assert_eq!(
            written(|out| push_time(out, at, Fraction::Micros(42))),
            "\"2026-03-10T01:41:07.005042Z\""
        );
        assert_eq!(
            written(|out| push_time(out, i64::MAX, Fraction::None)),
            "\"2026-03-31T23:59:59Z\""
        );
    }

    #[test]
    fn strings_read_back_as_they_were() {
        for text in ["Café", "売上", "\u{1F4CA} \"x\" \\ \n\u{1}"] {
            for spelling in [Spelling::Plain, Spelling::Escaped] {
                let json = written(|out| push_string(out, text, spelling));
                assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            }
        }
    }
}
