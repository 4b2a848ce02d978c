//! The quick reader: one pass over a plain record, certain or nothing.
//!
//! It accepts an object only when it is sure that the record is valid JSON and that it found all the
//! index wants; whatever is odd (an escape in a wanted value or a name, a raw control character, a
//! number it does not know) it leaves to simd-json, the judge. What stands between values is known
//! from earlier records ([`Shapes`]), and strings are stepped over sixteen bytes at a time. Property
//! tests compare it with serde_json.

use std::ops::Range;

use wide::u8x16;

use crate::record::shape::{NO_SLOT, Shapes, Step};
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

/// The slot of the type, which nearly always tells the rest of a record's shape.
const TYPE_SLOT: u8 = 0;

/// What kind of value a member has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string with or without escapes.
    Text,
    Number,
    True,
    False,
    Null,
    Nested,
}

/// A value that was stepped over.
#[derive(Clone, Copy, Debug)]
struct Stepped {
    kind: Kind,
    /// A string in which escapes stand.
    has_escapes: bool,
    /// Its bytes; of a string, those between the quotes.
    start: usize,
    end: usize,
    /// The byte after it.
    after: usize,
}

/// Buffers of the quick reader, and what it found in the last record.
pub(crate) struct Quick {
    shapes: Shapes,
    /// Which slots have a value, one bit each.
    seen: u32,
    values: [(Kind, usize, usize); WANTED.len()],
}

impl Default for Quick {
    fn default() -> Self {
        let values = [(Kind::Null, 0, 0); WANTED.len()];
        Self { shapes: Shapes::default(), seen: 0, values }
    }
}

impl Quick {
    /// Returns the value of a wanted member of the last record.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<(Kind, Range<usize>)> {
        let (kind, start, end) = self.values.get(slot)?;
        (self.seen >> slot & 1 == 1).then_some((*kind, *start..*end))
    }

    /// Scans the object at `start`; returns the byte after it, or `None` when it is not certain.
    ///
    /// A duplicate name is not certain either. That the bytes are UTF-8 is left to the caller.
    pub(crate) fn scan(&mut self, bytes: &[u8], start: usize) -> Option<usize> {
        self.shapes.start();
        self.seen = 0;
        if *bytes.get(start)? != b'{' {
            return None;
        }
        let mut at = start;
        loop {
            let Step { len, slot } = match self.shapes.guess(bytes.get(at..)?) {
                Some(step) => step,
                None => self.look(bytes, at, if at == start { b'{' } else { b',' })?,
            };
            let value = value(bytes, at + len)?;
            at = value.after;
            if slot != NO_SLOT {
                if value.has_escapes {
                    return None;
                }
                self.seen |= 1 << slot;
                *self.values.get_mut(usize::from(slot))? = (value.kind, value.start, value.end);
                if slot == TYPE_SLOT && value.kind == Kind::Text {
                    self.shapes.tell_type(bytes.get(value.start..value.end)?);
                }
            }
            match *bytes.get(at)? {
                b',' => {}
                b'}' => return Some(at + 1),
                _ => {
                    let after = skip_blanks(bytes, at);
                    if *bytes.get(after)? == b'}' {
                        return Some(after + 1);
                    }
                }
            }
        }
    }

    /// Reads the text before a value: the opening brace or a comma, a name, a colon, and blanks.
    #[inline(never)]
    fn look(&mut self, bytes: &[u8], at: usize, opening: u8) -> Option<Step> {
        let mut next = skip_blanks(bytes, at);
        if *bytes.get(next)? != opening {
            return None;
        }
        next = skip_blanks(bytes, next + 1);
        if *bytes.get(next)? != b'"' {
            return None;
        }
        let name = next + 1..plain_end(bytes, next + 1)?;
        next = skip_blanks(bytes, name.end + 1);
        if *bytes.get(next)? != b':' {
            return None;
        }
        next = skip_blanks(bytes, next + 1);
        let slot =
            |name: &[u8]| slot_of(name).and_then(|slot| u8::try_from(slot).ok()).unwrap_or(NO_SLOT);
        self.shapes.learn(&bytes[at..next], name.start - at..name.end - at, slot)
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
        let Stepped { kind, start, end, after, .. } = value(record, skip_blanks(record, at + 1))?;
        is_event |= kind != Kind::Null && matches!(name, b"eventType" | b"eventTime");
        visit(Member { name, kind, value: &record[start..end] });
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

/// Steps over the value at `at`, which may be a blank or two before it.
#[inline]
fn value(bytes: &[u8], mut at: usize) -> Option<Stepped> {
    if *bytes.get(at)? == b' ' {
        at = skip_blanks(bytes, at);
    }
    let plain =
        |kind, start, end, after| Some(Stepped { kind, has_escapes: false, start, end, after });
    match *bytes.get(at)? {
        b'"' => {
            let (end, has_escapes) = string_end(bytes, at + 1)?;
            Some(Stepped { kind: Kind::Text, has_escapes, start: at + 1, end, after: end + 1 })
        }
        b'0'..=b'9' | b'-' => {
            let end = number_end(bytes, at)?;
            plain(Kind::Number, at, end, end)
        }
        b'n' if bytes.get(at..)?.starts_with(b"null") => plain(Kind::Null, at, at + 4, at + 4),
        b't' if bytes.get(at..)?.starts_with(b"true") => plain(Kind::True, at, at + 4, at + 4),
        b'f' if bytes.get(at..)?.starts_with(b"false") => plain(Kind::False, at, at + 5, at + 5),
        b'{' | b'[' => {
            let mut walk = Walk::record(bytes, at);
            let end = walk.finish().ok()?;
            let is_plain = !walk.is_lenient() && memchr::memchr(b'\n', &bytes[at..end]).is_none();
            if is_plain { plain(Kind::Nested, at, end, end) } else { None }
        }
        _ => None,
    }
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

/// Returns the quote that ends a string, and whether there are escapes before it; they are checked.
#[inline]
fn string_end(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let found = next_mark(bytes, at)?;
    if bytes[found] == b'"' {
        return Some((found, false));
    }
    escaped_end(bytes, found).map(|end| (end, true))
}

/// Goes on with a string at its first escape.
fn escaped_end(bytes: &[u8], mut found: usize) -> Option<usize> {
    loop {
        match bytes[found] {
            b'"' => return Some(found),
            b'\\' => found = next_mark(bytes, escape_end(bytes, found)?)?,
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
        let end = quick.scan(text.as_bytes(), 0)?;
        // What was learned changes nothing.
        let again = quick.scan(text.as_bytes(), 0);
        assert_eq!(again, Some(end), "{text}");
        let slots = (0..WANTED.len()).filter_map(|slot| Some((slot, quick.get(slot)?)));
        Some((end, slots.map(|(slot, (kind, span))| (slot, kind, text[span].to_owned())).collect()))
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
            (3, Kind::True, "true".to_owned()),
            (17, Kind::Number, "7".to_owned()),
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
    fn what_was_learned_is_no_excuse() {
        let mut quick = Quick::default();
        let mut read = |text: &str| quick.scan(text.as_bytes(), 0).is_some();
        for _ in 0..2 {
            assert!(read(
                r#"{"eventType":"a","b":1,"c":2,"longer than 32 bytes in all its parts":3}"#
            ));
            assert!(!read(r#"{"eventType":"a"{"eventType":"a"}"#));
            assert!(!read(r#"{"eventType":"a","b":1,"b":1}"#));
            assert!(!read(r#"{"eventType":"a""b":1}"#));
            assert!(!read(r#"{"eventType":"a","b":1{"b":1}"#));
            assert!(!read(r#"{"eventType":"a",,"b":1}"#));
            assert!(!read(r#","b":1}"#));
            assert!(read(r#"{"eventType":"a","c":1}"#));
            assert!(read(r#"{ "eventType" : "a" , "c" : 1 }"#));
            assert!(!read(r#"{ "eventType" : "a" , "c" : 1 , "c":2}"#));
        }
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
            "{\"\":1,\"\":2}",
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
