//! The quick reader: one pass over a plain record, certain or nothing.
//!
//! It accepts an object only when it is sure that the record is valid JSON and that it found all the
//! index wants; whatever is odd (an escape in a wanted value or a name, a raw control character, a
//! number it does not know) it leaves to simd-json, the judge. Strings are stepped over sixteen
//! bytes at a time. Property tests compare it with serde_json.

use std::ops::Range;

use wide::u8x16;

use crate::record::keys::{KeyTable, Seen};
use crate::record::walk::{Walk, decode_string};

/// The members the index looks at; a place in this list is a slot of [`Quick`].
pub(crate) const WANTED: [&str; 19] = [
    "eventType",
    "eventTime",
    "eventOutcome",
    "isError",
    "isFailure",
    "status",
    "eventState",
    "actorUserLuid",
    "actorUserId",
    "initiatingUserLuid",
    "initiatingUserId",
    "initiatingUserEmail",
    "initiatingUserDisplayName",
    "actorExternalId",
    "actorUsername",
    "username",
    "actorGroupLuid",
    "userId",
    "impersonatedUserId",
];

/// What kind of value a member has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    True,
    False,
    Null,
    Nested,
}

/// Buffers of the quick reader, and what it found in the last record.
#[derive(Default)]
pub(crate) struct Quick {
    /// The names of the record's members.
    names: Vec<Range<usize>>,
    /// Slots of wanted members with their values, in recorded order.
    pub(crate) found: Vec<(usize, Kind, Range<usize>)>,
}

impl Quick {
    /// Scans the object at `start`; returns the byte after it, or `None` when it is not certain.
    ///
    /// A duplicate name is not certain either. That the bytes are UTF-8 is left to the caller.
    pub(crate) fn scan(
        &mut self,
        bytes: &[u8],
        start: usize,
        keys: &mut KeyTable,
    ) -> Option<usize> {
        self.names.clear();
        self.found.clear();
        keys.start();
        if *bytes.get(start)? != b'{' {
            return None;
        }
        let mut at = skip_blanks(bytes, start + 1);
        loop {
            if *bytes.get(at)? != b'"' {
                return None;
            }
            let name = at + 1..plain_end(bytes, at + 1)?;
            at = name.end + 1;
            if *bytes.get(at)? != b':' {
                at = skip_blanks(bytes, at);
                if *bytes.get(at)? != b':' {
                    return None;
                }
            }
            at += 1;
            if *bytes.get(at)? == b' ' {
                at = skip_blanks(bytes, at);
            }
            let (kind, value, after) = value(bytes, at)?;
            let number = u16::try_from(self.names.len()).ok()?;
            let names = &self.names;
            let name_of =
                |n: u16| names.get(usize::from(n)).map_or(&b""[..], |n| &bytes[n.clone()]);
            if keys.add(&bytes[name.clone()], number, name_of) != Seen::New {
                return None;
            }
            if let Some(slot) = slot_of(&bytes[name.clone()]) {
                if kind == Kind::Text && memchr::memchr(b'\\', &bytes[value.clone()]).is_some() {
                    return None;
                }
                self.found.push((slot, kind, value));
            }
            self.names.push(name);
            at = after;
            if !matches!(*bytes.get(at)?, b',' | b'}') {
                at = skip_blanks(bytes, at);
            }
            match *bytes.get(at)? {
                b',' => at += 1,
                b'}' => return Some(at + 1),
                _ => return None,
            }
            if *bytes.get(at)? != b'"' {
                at = skip_blanks(bytes, at);
            }
        }
    }
}

/// One member of a plain record: its name, and its value (of a string, what is between the quotes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member<'r> {
    pub(crate) name: &'r [u8],
    pub(crate) kind: Kind,
    pub(crate) value: &'r [u8],
}

impl Member<'_> {
    /// Appends a string's text, its escapes decoded; of other values, what is recorded.
    pub(crate) fn decode(&self, out: &mut String) {
        decode_string(self.value, self.kind == Kind::Text, out);
    }
}

/// Calls `visit` with each member of a record in recorded order. Returns `None` when that is not
/// certain to be all of an event's members: what was visited is then not to be relied on.
///
/// Certain are valid records without escapes in names, with an event's type or time at the top.
/// Duplicate names are visited each time.
pub(crate) fn members<'r>(record: &'r [u8], mut visit: impl FnMut(Member<'r>)) -> Option<()> {
    if *record.first()? != b'{' {
        return None;
    }
    let mut is_event = false;
    let mut at = skip_blanks(record, 1);
    loop {
        if *record.get(at)? != b'"' {
            return None;
        }
        let end = plain_end(record, at + 1)?;
        let name = &record[at + 1..end];
        at = skip_blanks(record, end + 1);
        if *record.get(at)? != b':' {
            return None;
        }
        let (kind, span, after) = value(record, skip_blanks(record, at + 1))?;
        is_event |= kind != Kind::Null && matches!(name, b"eventType" | b"eventTime");
        visit(Member { name, kind, value: &record[span] });
        at = skip_blanks(record, after);
        match *record.get(at)? {
            b',' => at = skip_blanks(record, at + 1),
            b'}' => {
                at = skip_blanks(record, at + 1);
                return (at == record.len() && is_event).then_some(());
            }
            _ => return None,
        }
    }
}

/// Returns the slot of a wanted member.
#[inline]
pub(crate) fn slot_of(name: &[u8]) -> Option<usize> {
    let (first, last) = match name {
        [first, .., last] => (*first, *last),
        _ => return None,
    };
    // Few names share length, first and last letter; the comparison below settles it.
    let slot = match (name.len(), first, last) {
        (9, b'e', b'e') if name == b"eventType" => 0,
        (9, b'e', b'e') => 1,
        (12, b'e', b'e') => 2,
        (7, b'i', b'r') => 3,
        (9, b'i', b'e') => 4,
        (6, b's', b's') => 5,
        (10, b'e', b'e') => 6,
        (13, b'a', b'd') => 7,
        (11, b'a', b'd') => 8,
        (18, b'i', b'd') if name.starts_with(b"init") => 9,
        (18, b'i', b'd') => 18,
        (16, b'i', b'd') => 10,
        (19, b'i', b'l') => 11,
        (25, b'i', b'e') => 12,
        (15, b'a', b'd') => 13,
        (13, b'a', b'e') => 14,
        (8, b'u', b'e') => 15,
        (14, b'a', b'd') => 16,
        (6, b'u', b'd') => 17,
        _ => return None,
    };
    same(name, WANTED[slot].as_bytes()).then_some(slot)
}

/// Returns whether two names of equal length are equal; eight to sixteen bytes are two comparisons.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    match (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(a1), Some(b1), Some(a2), Some(b2)) if a.len() <= 16 && a.len() == b.len() => {
            a1 == b1 && a2 == b2
        }
        _ => a == b,
    }
}

/// Returns the kind of the value at `at`, its bytes (of a string, those between the quotes), and the
/// byte after it.
#[inline]
fn value(bytes: &[u8], at: usize) -> Option<(Kind, Range<usize>, usize)> {
    match *bytes.get(at)? {
        b'"' => {
            let end = string_end(bytes, at + 1)?;
            Some((Kind::Text, at + 1..end, end + 1))
        }
        b'0'..=b'9' | b'-' => {
            let end = number_end(bytes, at)?;
            Some((Kind::Number, at..end, end))
        }
        b'n' => literal(bytes, at, b"null", Kind::Null),
        b't' => literal(bytes, at, b"true", Kind::True),
        b'f' => literal(bytes, at, b"false", Kind::False),
        b'{' | b'[' => {
            let mut walk = Walk::record(bytes, at);
            let end = walk.finish().ok()?;
            let is_plain = !walk.is_lenient() && memchr::memchr(b'\n', &bytes[at..end]).is_none();
            is_plain.then_some((Kind::Nested, at..end, end))
        }
        _ => None,
    }
}

fn literal(
    bytes: &[u8],
    at: usize,
    word: &[u8],
    kind: Kind,
) -> Option<(Kind, Range<usize>, usize)> {
    let end = at + word.len();
    (bytes.get(at..end)? == word).then_some((kind, at..end, end))
}

/// Skips the blanks inside a record; a line feed is none of them.
#[inline]
fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

/// Returns the first quote, backslash or control character from `at` on.
#[inline]
fn next_mark(bytes: &[u8], mut at: usize) -> Option<usize> {
    let (quote, slash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
    let last_control = u8x16::splat(0x1f);
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let chunk = u8x16::new(*chunk);
        let is_control = chunk.min(last_control).simd_eq(chunk);
        let marks = chunk.simd_eq(quote) | chunk.simd_eq(slash) | is_control;
        let marks = marks.to_bitmask();
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize);
        }
        at += 16;
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).map(|found| at + found)
}

/// Returns the quote that ends a string without escapes.
#[inline]
fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    let found = next_mark(bytes, at)?;
    (bytes[found] == b'"').then_some(found)
}

/// Returns the quote that ends a string; its escapes are checked.
#[inline]
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = next_mark(bytes, at)?;
        match bytes[found] {
            b'"' => return Some(found),
            b'\\' => at = escape_end(bytes, found)?,
            _ => return None,
        }
    }
}

/// Returns the byte after an escape; a surrogate is not certain.
fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => {
            let digits = bytes.get(at + 2..at + 6)?;
            let is_surrogate = matches!(digits[0], b'd' | b'D') && !digits[1].is_ascii_digit()
                || matches!(digits[0], b'd' | b'D') && digits[1] >= b'8';
            (digits.iter().all(u8::is_ascii_hexdigit) && !is_surrogate).then_some(at + 6)
        }
        _ => None,
    }
}

/// Returns the byte after a number of JSON's grammar without exponent.
#[inline]
fn number_end(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let start = if bytes[at] == b'-' { at + 1 } else { at };
    let mut end = digits(start);
    let leads = *bytes.get(start)?;
    if end == start || (leads == b'0' && end > start + 1) {
        return None;
    }
    if *bytes.get(end)? == b'.' {
        let part = digits(end + 1);
        if part == end + 1 {
            return None;
        }
        end = part;
    }
    (!matches!(*bytes.get(end)?, b'e' | b'E' | b'+' | b'-' | b'.')).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Found = Vec<(usize, Kind, String)>;

    fn scan(text: &str) -> Option<(usize, Found)> {
        let mut quick = Quick::default();
        let end = quick.scan(text.as_bytes(), 0, &mut KeyTable::new())?;
        let found = quick.found.iter().cloned();
        Some((end, found.map(|(slot, kind, span)| (slot, kind, text[span].to_owned())).collect()))
    }

    #[test]
    fn every_wanted_name_has_its_slot() {
        for (slot, name) in WANTED.iter().enumerate() {
            assert_eq!(slot_of(name.as_bytes()), Some(slot), "{name}");
        }
        for name in ["", "e", "eventTypo", "eventTyp", "initiatedUserLuids", "actorUserLuiD"] {
            assert_eq!(slot_of(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn plain_records_are_certain() {
        let text =
            r#"{"eventType":"a", "n" : -1.50 ,"o":{"x":[1]},"userId":7,"isError":true,"z":null}"#;
        let expected = vec![
            (0, Kind::Text, "a".to_owned()),
            (17, Kind::Number, "7".to_owned()),
            (3, Kind::True, "true".to_owned()),
        ];
        assert_eq!(scan(text), Some((text.len(), expected)));
        let long = format!(r#"{{"k":"{}\n\u00e9"}} rest"#, "x".repeat(99));
        assert_eq!(scan(&long).map(|(end, _)| end), Some(long.len() - 5));
    }

    #[test]
    fn members_are_visited_where_that_is_certain() {
        for text in [
            r#"{"eventType":"a\"b", "n" : -1.50 ,"o":{"x":[1]} ,"z":null,"n":true}"#,
            r#" {"eventTime":1}"#,
            r#"{"eventTime":1} "#,
            r#"{"eventTime":null,"a":1}"#,
            r#"{"event\u0054ype":"a"}"#,
            r#"{"eventType":"a",}"#,
            r#"{"eventType":"a"}{}"#,
            "{}",
            "",
        ] {
            let end = members(text.as_bytes(), |_| {});
            let is_plain = text.starts_with(r#"{"eventType":"a\"#) || text.ends_with("1} ");
            assert_eq!(end.is_some(), is_plain, "{text}");
        }
        let mut seen = Vec::new();
        let text = br#"{"eventType":"a\"b", "n" : -1.50 ,"o":{"x":[1]} ,"z":null,"n":true}"#;
        members(text, |one| seen.push((one.name, one.kind, one.value)));
        let expected: [(&[u8], Kind, &[u8]); 5] = [
            (b"eventType", Kind::Text, br#"a\"b"#),
            (b"n", Kind::Number, b"-1.50"),
            (b"o", Kind::Nested, br#"{"x":[1]}"#),
            (b"z", Kind::Null, b"null"),
            (b"n", Kind::True, b"true"),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_is_odd_is_left_to_the_judge() {
        for text in [
            "",
            "{}",
            "x\"a\":1}",
            "{\"a\":1",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":1e5}",
            "{\"a\":-}",
            "{\"a\":nul}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{\"a\":1,\"a\":2}",
            "{\"\\u0061\":1}",
            "{\"eventType\":\"\\u0061\"}",
            "{\"a\":1\n}",
            "{\"a\":[1,]}",
            "{a:1}",
        ] {
            assert_eq!(scan(text), None, "{text}");
        }
    }
}
