//! A pull parser for one JSON value that never recurses and says exactly where it stopped.
//!
//! It is stricter than it is quick: the grammar of RFC 8259, except that a string may hold raw
//! control characters (but no line feed), bytes that are not UTF-8, and lone surrogates. Those cost
//! the display of one value, not the record; [`Walk::is_lenient`] tells that there were some.

use std::ops::Range;

use memchr::memchr2;

use crate::base::json::JsonKind;
use crate::record::flaw::{Flaw, Why};

/// One step of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// The name of a member: the bytes between its quotes, and whether they hold escapes.
    Key(Range<usize>, bool),
    /// A string: the bytes between its quotes, and whether they hold escapes.
    Text(Range<usize>, bool),
    /// A number or literal: its bytes.
    Scalar(Range<usize>, JsonKind),
    /// `{` or `[`, at this byte.
    Open(usize, JsonKind),
    /// `}` or `]`: the byte after it.
    Close(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    Value,
    ValueOrEnd,
    KeyOrEnd,
    Key,
    CommaOrEnd,
    Nothing,
}

/// Walks one JSON value in `bytes`.
pub(crate) struct Walk<'a> {
    bytes: &'a [u8],
    pos: usize,
    /// One entry per open container: whether it is an object.
    stack: Vec<bool>,
    wants: Wants,
    lenient: bool,
    lone_surrogate: bool,
    /// Whether an object that opens at the left margin is taken for the next record.
    ends_at_margin: bool,
}

impl<'a> Walk<'a> {
    /// Starts at byte `from`, where white space may come first.
    pub(crate) const fn new(bytes: &'a [u8], from: usize) -> Self {
        Self {
            bytes,
            pos: from,
            stack: Vec::new(),
            wants: Wants::Value,
            lenient: false,
            lone_surrogate: false,
            ends_at_margin: false,
        }
    }

    /// Starts at byte `from`; an object inside that opens at the left margin is a flaw, since a
    /// record that was cut short must not swallow the next one.
    pub(crate) const fn record(bytes: &'a [u8], from: usize) -> Self {
        let mut walk = Self::new(bytes, from);
        walk.ends_at_margin = true;
        walk
    }

    /// Starts at byte `from` inside an object, after the value of one of its members.
    pub(crate) fn in_object(bytes: &'a [u8], from: usize) -> Self {
        let mut walk = Self::record(bytes, from);
        walk.stack.push(true);
        walk.wants = Wants::CommaOrEnd;
        walk
    }

    /// Returns the number of containers that are open.
    pub(crate) const fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Returns whether something was let pass that RFC 8259 forbids.
    pub(crate) const fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// Returns whether all strings are valid and stand for Unicode text. An escape of half a
    /// character is allowed by the grammar, but no text.
    pub(crate) const fn is_clean(&self) -> bool {
        !self.lenient && !self.lone_surrogate
    }

    /// Returns the next step, or `None` when the value is complete.
    pub(crate) fn step(&mut self) -> Result<Option<Token>, Flaw> {
        if self.wants == Wants::Nothing {
            return Ok(None);
        }
        self.skip_blanks();
        let mut next = self.peek()?;
        if self.wants == Wants::CommaOrEnd {
            match (next, self.stack.last()) {
                (b',', Some(true)) => self.wants = Wants::Key,
                (b',', _) => self.wants = Wants::Value,
                (b'}', Some(true)) | (b']', Some(false)) => return Ok(Some(self.close())),
                (_, Some(true)) => return self.wanted("`,` or `}`"),
                _ => return self.wanted("`,` or `]`"),
            }
            self.pos += 1;
            self.skip_blanks();
            next = self.peek()?;
        }
        match self.wants {
            Wants::KeyOrEnd if next == b'}' => Ok(Some(self.close())),
            Wants::ValueOrEnd if next == b']' => Ok(Some(self.close())),
            Wants::KeyOrEnd | Wants::Key => self.key(next).map(Some),
            _ => self.value(next).map(Some),
        }
    }

    /// Walks to the end of the value without looking at it.
    pub(crate) fn finish(&mut self) -> Result<usize, Flaw> {
        while self.step()?.is_some() {}
        Ok(self.pos)
    }

    /// Walks on until only `depth` containers are open.
    pub(crate) fn leave(&mut self, depth: usize) -> Result<usize, Flaw> {
        while self.stack.len() > depth && self.step()?.is_some() {}
        Ok(self.pos)
    }

    /// Returns the first byte that is no white space from where the walk stands.
    pub(crate) fn next_byte(&mut self) -> usize {
        self.skip_blanks();
        self.pos
    }

    fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.pos), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.pos += 1;
        }
    }

    fn peek(&self) -> Result<u8, Flaw> {
        self.bytes.get(self.pos).copied().ok_or_else(|| Flaw::new(self.pos, Why::Incomplete))
    }

    const fn wanted<T>(&self, what: &'static str) -> Result<T, Flaw> {
        Err(Flaw::new(self.pos, Why::Wanted(what)))
    }

    fn close(&mut self) -> Token {
        self.pos += 1;
        self.stack.pop();
        self.after_value();
        Token::Close(self.pos)
    }

    fn after_value(&mut self) {
        self.wants = if self.stack.is_empty() { Wants::Nothing } else { Wants::CommaOrEnd };
    }

    fn key(&mut self, next: u8) -> Result<Token, Flaw> {
        if next != b'"' {
            return self.wanted("a name in quotes");
        }
        let (span, escaped) = self.string()?;
        self.skip_blanks();
        if self.peek()? != b':' {
            return self.wanted("`:`");
        }
        self.pos += 1;
        self.wants = Wants::Value;
        Ok(Token::Key(span, escaped))
    }

    fn value(&mut self, next: u8) -> Result<Token, Flaw> {
        let start = self.pos;
        let token = match next {
            b'{' if self.ends_at_margin
                && !self.stack.is_empty()
                && self.bytes[..start].ends_with(b"\n") =>
            {
                return Err(Flaw::new(start, Why::CutShort));
            }
            b'{' => {
                self.pos += 1;
                self.stack.push(true);
                self.wants = Wants::KeyOrEnd;
                return Ok(Token::Open(start, JsonKind::Object));
            }
            b'[' => {
                self.pos += 1;
                self.stack.push(false);
                self.wants = Wants::ValueOrEnd;
                return Ok(Token::Open(start, JsonKind::Array));
            }
            b'"' => {
                let (span, escaped) = self.string()?;
                Token::Text(span, escaped)
            }
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.literal(b"true", JsonKind::Bool)?,
            b'f' => self.literal(b"false", JsonKind::Bool)?,
            b'n' => self.literal(b"null", JsonKind::Null)?,
            _ => return self.wanted("a value"),
        };
        self.after_value();
        Ok(token)
    }

    /// Reads a string whose opening quote is at `pos`; returns what is between the quotes.
    fn string(&mut self) -> Result<(Range<usize>, bool), Flaw> {
        let start = self.pos + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            let Some(found) = memchr2(b'"', b'\\', &self.bytes[at..]) else {
                return Err(self.open_string(at, self.bytes.len()));
            };
            let found = at + found;
            self.check_plain(at, found)?;
            if self.bytes[found] == b'"' {
                self.pos = found + 1;
                return Ok((start..found, escaped));
            }
            escaped = true;
            at = self.escape(found)?;
        }
    }

    /// Checks the bytes of a string between escapes: a line feed ends the record.
    fn check_plain(&mut self, from: usize, to: usize) -> Result<(), Flaw> {
        let plain = &self.bytes[from..to];
        if plain.iter().any(|&b| b < 0x20) {
            if let Some(feed) = memchr::memchr(b'\n', plain) {
                return Err(Flaw::new(from + feed, Why::OpenString));
            }
            self.lenient = true;
        }
        if !plain.is_ascii() && std::str::from_utf8(plain).is_err() {
            self.lenient = true;
        }
        Ok(())
    }

    fn open_string(&self, from: usize, to: usize) -> Flaw {
        match memchr::memchr(b'\n', &self.bytes[from..to]) {
            Some(feed) => Flaw::new(from + feed, Why::OpenString),
            None => Flaw::new(to, Why::Incomplete),
        }
    }

    /// Steps over the escape whose backslash is at `at`; returns the byte after it.
    fn escape(&mut self, at: usize) -> Result<usize, Flaw> {
        match self.bytes.get(at + 1) {
            None => Err(Flaw::new(at + 1, Why::Incomplete)),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => {
                let unit = self.hex4(at + 2)?;
                if (0xdc00..0xe000).contains(&unit) {
                    self.lone_surrogate = true;
                } else if (0xd800..0xdc00).contains(&unit) {
                    let pair = self.bytes.get(at + 6..at + 8) == Some(b"\\u");
                    match pair.then(|| self.hex4(at + 8)) {
                        Some(Ok(low)) if (0xdc00..0xe000).contains(&low) => return Ok(at + 12),
                        _ => self.lone_surrogate = true,
                    }
                }
                Ok(at + 6)
            }
            Some(_) => Err(Flaw::new(at, Why::Escape)),
        }
    }

    fn hex4(&self, at: usize) -> Result<u32, Flaw> {
        let mut unit = 0;
        for place in at..at + 4 {
            let byte = *self.bytes.get(place).ok_or_else(|| Flaw::new(place, Why::Incomplete))?;
            let digit = char::from(byte).to_digit(16);
            unit = unit * 16 + digit.ok_or_else(|| Flaw::new(at - 2, Why::Escape))?;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<Token, Flaw> {
        let start = self.pos;
        let end = start
            + self.bytes[start..]
                .iter()
                .position(|b| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
                .unwrap_or(self.bytes.len() - start);
        match number_kind(&self.bytes[start..end]) {
            Some(kind) => {
                self.pos = end;
                Ok(Token::Scalar(start..end, kind))
            }
            None if end == self.bytes.len() => Err(Flaw::new(end, Why::Incomplete)),
            None => Err(Flaw::new(start, Why::Number)),
        }
    }

    fn literal(&mut self, word: &[u8], kind: JsonKind) -> Result<Token, Flaw> {
        let start = self.pos;
        let rest = &self.bytes[start..];
        if rest.starts_with(word) {
            self.pos += word.len();
            return Ok(Token::Scalar(start..self.pos, kind));
        }
        if rest.len() < word.len() && word.starts_with(rest) {
            return Err(Flaw::new(self.bytes.len(), Why::Incomplete));
        }
        self.wanted("a value")
    }
}

/// Returns what kind of number `text` is by JSON's grammar.
fn number_kind(text: &[u8]) -> Option<JsonKind> {
    let rest = text.strip_prefix(b"-").unwrap_or(text);
    let digits = |t: &[u8]| t.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return None;
    }
    let mut rest = &rest[whole..];
    let mut kind = JsonKind::Integer;
    if let Some(part) = rest.strip_prefix(b".") {
        let n = digits(part);
        if n == 0 {
            return None;
        }
        (rest, kind) = (&part[n..], JsonKind::Float);
    }
    if let [b'e' | b'E', power @ ..] = rest {
        let power = power.strip_prefix(b"-").or_else(|| power.strip_prefix(b"+")).unwrap_or(power);
        let n = digits(power);
        if n == 0 {
            return None;
        }
        (rest, kind) = (&power[n..], JsonKind::Float);
    }
    rest.is_empty().then_some(kind)
}

/// Appends the text of a string's inner bytes, escapes decoded; what is no text becomes U+FFFD.
///
/// Returns whether something was replaced.
pub(crate) fn decode_string(inner: &[u8], escaped: bool, out: &mut String) -> bool {
    if !escaped {
        return push_lossy(inner, out);
    }
    let mut lossy = false;
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        lossy |= push_lossy(&rest[..at], out);
        let (c, used) = decode_escape(&rest[at..]);
        lossy |= c.is_none();
        out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = rest.get(at + used..).unwrap_or(b"");
    }
    push_lossy(rest, out) || lossy
}

fn push_lossy(bytes: &[u8], out: &mut String) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            out.push_str(text);
            false
        }
        Err(_) => {
            out.push_str(&String::from_utf8_lossy(bytes));
            true
        }
    }
}

/// Decodes the escape at the start of `text`; returns its character, if it is one, and its length.
fn decode_escape(text: &[u8]) -> (Option<char>, usize) {
    let simple = match text.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return decode_unicode(text),
        Some(&other) => char::from(other),
        None => return (None, 1),
    };
    (Some(simple), 2)
}

fn decode_unicode(text: &[u8]) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let digits = std::str::from_utf8(text.get(at..at + 4)?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(high) = unit(2) else { return (None, 2) };
    if (0xd800..0xdc00).contains(&high)
        && text.get(6..8) == Some(b"\\u")
        && let Some(low) = unit(8).filter(|low| (0xdc00..0xe000).contains(low))
    {
        let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(code), 12);
    }
    (char::from_u32(high), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<usize, Flaw>) {
        assert_eq!(Walk::new(text.as_bytes(), 0).finish(), expected, "{text}");
    }

    #[test]
    fn whole_values_end_where_they_end() {
        for text in
            ["{}", "[]", " {\"a\":[1,-2.5e+3,{\"b\":null}],\"c\":\"\\u00e9\\n\"}", "0", "true"]
        {
            check(text, Ok(text.len()));
            check(&format!("{text} rest"), Ok(text.len()));
        }
    }

    #[test]
    fn flaws_name_their_place() {
        check("{\"a\":007}", Err(Flaw::new(5, Why::Number)));
        check("{\"a\" 1}", Err(Flaw::new(5, Why::Wanted("`:`"))));
        check("{\"a\":1,}", Err(Flaw::new(7, Why::Wanted("a name in quotes"))));
        check("[1,]", Err(Flaw::new(3, Why::Wanted("a value"))));
        check("{\"a\":1", Err(Flaw::new(6, Why::Incomplete)));
        check("{\"a\":tru", Err(Flaw::new(8, Why::Incomplete)));
        check("{\"a\":trx}", Err(Flaw::new(5, Why::Wanted("a value"))));
        check("{\"a\":\"x\ny\"}", Err(Flaw::new(7, Why::OpenString)));
        check("{\"a\":\"\\x\"}", Err(Flaw::new(6, Why::Escape)));
        check("{\"a\":\"x", Err(Flaw::new(7, Why::Incomplete)));
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = "[".repeat(1_000_000);
        check(&deep, Err(Flaw::new(1_000_000, Why::Incomplete)));
        check(&format!("{deep}{}", "]".repeat(1_000_000)), Ok(2_000_000));
    }

    #[test]
    fn strings_decode_and_broken_ones_say_so() {
        for (inner, text, lossy) in [
            ("a\\u0041\\/\\\"", "aA/\"", false),
            ("\\ud83d\\ude00", "😀", false),
            ("x\\ud800y", "x\u{fffd}y", true),
            ("\\udc00", "\u{fffd}", true),
        ] {
            let mut out = String::new();
            assert_eq!(decode_string(inner.as_bytes(), true, &mut out), lossy);
            assert_eq!(out, text);
        }
        let mut out = String::new();
        assert!(decode_string(b"caf\xe9", false, &mut out));
        assert_eq!(out, "caf\u{fffd}");
    }
}
