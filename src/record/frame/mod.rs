//! Framing: where in a file each record starts and ends.
//!
//! A record is a byte span found by looking at the bytes, never at the file's name. One object a
//! line is the quick case. The rest, in any mixture: several objects on a line, objects over
//! several lines, an array of objects, an object around such an array, text before an object,
//! holes of zero bytes, byte order marks, and lines that are nothing of all that. Every byte that
//! is not blank or array punctuation ends up in an event or in a bad record.
//!
//! Reading goes strictly from left to right, and all that is known at the border of two records is
//! the position and the [`Mode`]. So a file may be read in pieces by several threads: a piece is
//! right if and only if the piece before it ended at its start in its mode.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::base::json::JsonKind;
use crate::record::flaw::{Flaw, Why};
use crate::record::head::{Careful, Flags, Head, HeadReader, read_careful, with_careful_head};
use crate::record::walk::{Token, Walk};
use crate::record::wrapper;

/// A record over several lines, or one that has no end, is given up after this many bytes.
pub const LONGEST_MULTILINE: usize = 16 << 20;

/// An object in a text line is looked for at this many braces.
const BRACES_TRIED: usize = 8;

/// Arrays of events in arrays of events are opened down to this level.
const DEEPEST_ARRAY: usize = 4;

/// A line this long may be a whole file of events around which an object was put.
const LONG_LINE: usize = 64 << 10;

/// Takes what framing finds, in file order. Spans are bytes from the start of the file.
pub trait Sink {
    /// Takes an event.
    fn event(&mut self, span: Range<usize>, head: &Head<'_>);
    /// Takes a record that is no event.
    fn bad(&mut self, span: Range<usize>, flaw: Flaw);
}

/// What is between two records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing is open.
    #[default]
    Lines,
    /// An array of events is open.
    Array,
    /// An array of events is open, in an object.
    WrappedArray,
}

/// A piece of a file to read.
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    /// The file from its first byte to the last one that is there.
    pub bytes: &'a [u8],
    /// Records that start here are read; some may end later.
    pub range: Range<usize>,
    /// What is open at the start.
    pub mode: Mode,
    /// Whether `bytes` is the whole file; otherwise what is unfinished at its end is left for later.
    pub complete: bool,
}

/// How far a piece was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consumed {
    /// The first byte that was not read: the end of the piece, or beyond it when its last record is
    /// longer, or before it when that one is not there completely yet.
    pub to: usize,
    /// What is open there.
    pub mode: Mode,
}

/// Reads the records that start in a piece.
pub fn read(piece: &Piece<'_>, reader: &mut HeadReader, sink: &mut impl Sink) -> Consumed {
    let Piece { bytes, mode, complete, .. } = *piece;
    let mut framer = Framer { bytes, mode, complete, open_arrays: 0, reader, sink };
    let end = piece.range.end.min(piece.bytes.len());
    let mut at = piece.range.start;
    loop {
        at = framer.skip_blanks(at, end);
        if at >= end {
            return Consumed { to: at, mode: framer.mode };
        }
        let next = match framer.mode {
            Mode::Lines => framer.line(at),
            Mode::Array | Mode::WrappedArray => framer.element(at),
        };
        match next {
            Some(next) => at = next,
            None => return Consumed { to: at, mode: framer.mode },
        }
    }
}

/// Returns the mode a file is in after its first bytes, a guess to start later pieces with.
pub fn guess_mode(bytes: &[u8]) -> Mode {
    let start = skip_blanks(bytes, 0, bytes.len());
    if array_start(bytes, start).is_some() {
        return Mode::Array;
    }
    wrapped_array_start(bytes, start).map_or(Mode::Lines, |_| Mode::WrappedArray)
}

struct Framer<'a, S> {
    bytes: &'a [u8],
    mode: Mode,
    complete: bool,
    /// How many arrays of events in an object the record is in that is being handed on.
    open_arrays: usize,
    reader: &'a mut HeadReader,
    sink: &'a mut S,
}

/// The next position, or `None` when more bytes must come first.
type Next = Option<usize>;

impl<S: Sink> Framer<'_, S> {
    fn skip_blanks(&self, at: usize, end: usize) -> usize {
        skip_blanks(self.bytes, at, end)
    }

    /// Returns the line feed that ends the line of `at`, or the end of the bytes.
    fn line_end(&self, at: usize) -> usize {
        memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |found| at + found)
    }

    /// Returns the byte after the line that ends at `end`.
    fn after(&self, end: usize) -> usize {
        (end + 1).min(self.bytes.len())
    }

    /// Returns `at..end` without the blanks at its end.
    fn trimmed(&self, at: usize, end: usize) -> Range<usize> {
        at..at + self.bytes[at..end].trim_ascii_end().len()
    }

    fn bad(&mut self, span: Range<usize>, at: usize, why: Why) {
        let flaw = Flaw::new(at.saturating_sub(span.start), why);
        self.sink.bad(span, flaw);
    }

    /// Reads what starts at `at`, which is no blank, when nothing is open.
    fn line(&mut self, at: usize) -> Next {
        if let Some(next) = self.quick(at) {
            return Some(next);
        }
        let end = self.line_end(at);
        let first = self.bytes[at];
        if first == 0 {
            return self.hole(at);
        }
        if end == self.bytes.len() && !self.complete {
            return None;
        }
        if first == b'{' {
            if end - at > LONG_LINE
                && let Some(inner) = wrapped_array_start(self.bytes, at)
            {
                self.mode = Mode::WrappedArray;
                return Some(inner);
            }
            let span = self.trimmed(at, end);
            if self.certain(span, Flags::default()) {
                return Some(self.after(end));
            }
            return self.object(at, end);
        }
        if first == b'[' {
            if let Some(inner) = array_start(self.bytes, at) {
                self.mode = Mode::Array;
                return Some(inner);
            }
            if !self.complete && self.bytes[at + 1..].trim_ascii().is_empty() {
                return None;
            }
        }
        self.text(at, end)
    }

    /// Reads an object that is the only thing on its line, if nothing about it is odd.
    #[inline]
    fn quick(&mut self, at: usize) -> Next {
        if self.bytes[at] != b'{' {
            return None;
        }
        let Self { bytes, reader, sink, complete, .. } = self;
        let mut after = None;
        let ends_line = |end: usize| match bytes.get(end..)? {
            [b'\n', ..] => Some(end + 1),
            [b'\r', b'\n', ..] => Some(end + 2),
            [] if *complete => Some(end),
            _ => None,
        };
        let take = |span: Range<usize>, head: &Head<'_>| {
            after = ends_line(span.end);
            if after.is_some() {
                sink.event(span, head);
            }
        };
        reader.read_quick(bytes, at, take)?;
        after
    }

    /// Reads a record if it is plain in all respects; returns whether it was.
    #[inline]
    fn certain(&mut self, span: Range<usize>, flags: Flags) -> bool {
        if u32::try_from(span.len()).is_err() {
            return false;
        }
        let Self { bytes, reader, sink, .. } = self;
        let mut take = |head: &Head<'_>| {
            let head = Head { flags: head.flags | flags, ..*head };
            sink.event(span.clone(), &head);
        };
        reader.read_certain(&bytes[span.clone()], &mut take).is_some()
    }

    /// Emits a complete JSON value as an event, several, or a bad record.
    fn emit(&mut self, span: Range<usize>, flags: Flags) {
        if let Err(flaw) = self.emit_event(span.clone(), flags) {
            self.sink.bad(span, flaw);
        }
    }

    /// Emits a complete JSON value as an event or several, if it is that.
    fn emit_event(&mut self, span: Range<usize>, flags: Flags) -> Result<(), Flaw> {
        if self.certain(span.clone(), flags) {
            return Ok(());
        }
        if u32::try_from(span.len()).is_err() {
            return Err(Flaw::new(0, Why::TooLong));
        }
        match read_careful(&self.bytes[span.clone()])? {
            Careful::Record(record) => {
                let sink = &mut *self.sink;
                let mut take = |head: &Head<'_>| sink.event(span.clone(), head);
                with_careful_head(&record, flags, &mut take)
            }
            Careful::Many(_) if self.open_arrays == DEEPEST_ARRAY => {
                Err(Flaw::new(0, Why::NoEvent))
            }
            Careful::Many(spans) => {
                self.open_arrays += 1;
                for inner in spans {
                    self.emit(span.start + inner.start..span.start + inner.end, flags);
                }
                self.open_arrays -= 1;
                Ok(())
            }
        }
    }

    /// Emits a run of zero bytes as one bad record.
    fn hole(&mut self, at: usize) -> Next {
        let run = self.bytes[at..].iter().take_while(|&&b| b == 0).count();
        if at + run == self.bytes.len() && !self.complete {
            return None;
        }
        self.bad(at..at + run, at, Why::Hole(run as u64));
        Some(at + run)
    }

    /// Reads an object at `at` that is not plain, or not the only thing on its line.
    fn object(&mut self, at: usize, end: usize) -> Next {
        if let Some(inner) = wrapped_array_start(self.bytes, at)
            && (self.line_end(inner) > end || end - at > LONG_LINE)
        {
            self.mode = Mode::WrappedArray;
            return Some(inner);
        }
        match self.walk(at, end) {
            Ok(close) => self.after_object(at, at..close, end, Flags::default()),
            Err(flaw) => self.broken(at, end, flaw),
        }
    }

    /// Finds the end of the value at `at`; flaws are counted from the start of the file.
    fn walk(&self, at: usize, end: usize) -> Result<usize, Flaw> {
        let limit = self.bytes.len().min(end.max(at.saturating_add(LONGEST_MULTILINE)));
        let mut walk = Walk::record(&self.bytes[..limit], at);
        match walk.finish() {
            Err(Flaw { why: Why::Incomplete, .. }) if limit < self.bytes.len() => {
                Err(Flaw::new(limit, Why::TooLong))
            }
            found => found,
        }
    }

    /// Emits an object that stands on the line `at..end` or begins there, and looks at what
    /// follows it on its line.
    fn after_object(&mut self, at: usize, object: Range<usize>, end: usize, flags: Flags) -> Next {
        let close = object.end;
        if close > end {
            let Err(flaw) = self.emit_event(object, flags | Flags::MULTILINE) else {
                return Some(close);
            };
            // Not an event: each of its lines is on its own, and one may hold an event.
            let span = self.trimmed(at, end);
            self.sink.bad(span, flaw);
            return Some(self.after(end));
        }
        let rest_at = self.skip_blanks(close, end);
        let rest = self.bytes[rest_at..end].trim_ascii_end();
        let next = match rest {
            [] => self.after(end),
            [b'{' | 0, ..] => rest_at,
            [b',', more @ ..] if more.trim_ascii_start().starts_with(b"{") => rest_at + 1,
            [b','] => self.after(end),
            _ => {
                let span = self.trimmed(at, end);
                self.bad(span, rest_at, Why::Trailing);
                return Some(self.after(end));
            }
        };
        self.emit(object, flags);
        Some(next)
    }

    /// Emits what cannot be read at `at` as one bad record, and finds where to go on.
    fn broken(&mut self, at: usize, end: usize, flaw: Flaw) -> Next {
        let place = usize::try_from(flaw.at).unwrap_or(at);
        if flaw.why == Why::Incomplete {
            if !self.complete {
                return None;
            }
            let last_line = self.bytes[end..].trim_ascii().is_empty();
            let why = if last_line { Why::IncompleteLastLine } else { Why::Incomplete };
            let span = self.trimmed(at, self.bytes.len());
            self.bad(span, place, why);
            return Some(self.bytes.len());
        }
        let stop = match flaw.why {
            Why::TooLong => self.line_end(place),
            _ if place <= end => end,
            _ => self.resync(place),
        };
        if !self.complete && stop == self.bytes.len() {
            return None;
        }
        let span = self.trimmed(at, stop);
        self.bad(span, place, flaw.why);
        Some(if stop > end { stop } else { self.after(stop) })
    }

    /// Returns where the lines after a broken record of many lines can be trusted again: after a
    /// line that closes at the margin, or before one that opens there.
    fn resync(&self, from: usize) -> usize {
        let mut line = match memchr::memrchr(b'\n', &self.bytes[..from]) {
            Some(feed) => feed + 1,
            None => return self.line_end(from),
        };
        let limit = from.saturating_add(LONGEST_MULTILINE);
        while line < self.bytes.len() && line < limit {
            let end = self.line_end(line);
            match self.bytes[line] {
                b'}' | b']' => return end,
                b'{' | b'[' => return line,
                _ => line = end + 1,
            }
        }
        line.min(self.bytes.len())
    }

    /// Reads a line that does not start with an object: a scalar, or text with an object in it.
    fn text(&mut self, at: usize, end: usize) -> Next {
        let span = self.trimmed(at, end);
        let line = &self.bytes[span.clone()];
        if let Some(kind) = whole_value(line) {
            self.bad(span, at, Why::NotAnObject(kind));
            return Some(self.after(end));
        }
        let braces = memchr::memchr_iter(b'{', line).take(BRACES_TRIED);
        let braces: Vec<usize> = braces.map(|brace| at + brace).collect();
        for &brace in &braces {
            let close = match self.walk(brace, end) {
                Ok(close) => close,
                Err(flaw) if flaw.why == Why::Incomplete && !self.complete => return None,
                Err(_) => continue,
            };
            let is_event = match read_careful(&self.bytes[brace..close]) {
                Ok(Careful::Record(record)) => {
                    with_careful_head(&record, Flags::default(), &mut |_| ()).is_ok()
                }
                Ok(Careful::Many(_)) => true,
                Err(_) => false,
            };
            if is_event {
                return self.after_object(at, brace..close, end, Flags::PREFIXED);
            }
        }
        let is_first = self.bytes[..at].trim_ascii().is_empty();
        if is_first && line.starts_with(b"<") {
            let first: String = String::from_utf8_lossy(line).chars().take(160).collect();
            self.bad(span, at, Why::MarkupPage(first.into()));
        } else {
            self.bad(span, at, Why::NotJson);
        }
        Some(self.after(end))
    }

    /// Reads what starts at `at`, which is no blank, in an array of events.
    fn element(&mut self, at: usize) -> Next {
        match self.bytes[at] {
            b',' => Some(at + 1),
            b']' => self.close_array(at),
            b'{' => self.object_element(at),
            0 => self.hole(at),
            _ => {
                let end = self.line_end(at);
                let mut walk = Walk::new(&self.bytes[..end], at);
                let kind = walk.step();
                match (kind, walk.finish()) {
                    // A number at the end of what is there may have more digits to come.
                    (Ok(Some(token)), Ok(close)) if self.complete || close < self.bytes.len() => {
                        self.bad(at..close, at, Why::NotAnObject(kind_of(&token)));
                        Some(close)
                    }
                    _ if end == self.bytes.len() && !self.complete => None,
                    _ => {
                        let span = self.trimmed(at, end);
                        self.bad(span, at, Why::NotJson);
                        Some(self.after(end))
                    }
                }
            }
        }
    }

    fn object_element(&mut self, at: usize) -> Next {
        let end = self.line_end(at);
        let line = self.bytes[at..end].trim_ascii_end();
        let line = line.strip_suffix(b",").unwrap_or(line);
        if line.ends_with(b"}") && self.certain(at..at + line.len(), Flags::default()) {
            return Some(at + line.len());
        }
        let flaw = match self.walk(at, end) {
            Ok(close) => {
                let flags = if close > end { Flags::MULTILINE } else { Flags::default() };
                self.emit(at..close, flags);
                return Some(close);
            }
            Err(flaw) => flaw,
        };
        let place = usize::try_from(flaw.at).unwrap_or(at);
        if flaw.why == Why::Incomplete {
            if !self.complete {
                return None;
            }
            let span = self.trimmed(at, self.bytes.len());
            self.bad(span, place, Why::Incomplete);
            return Some(self.bytes.len());
        }
        let place = place.min(self.bytes.len());
        let limit = if flaw.why == Why::CutShort { place } else { self.line_end(place) };
        let stop = match memmem::find(&self.bytes[place..limit], b"},{") {
            Some(found) => place + found + 1,
            None if limit == self.bytes.len() && !self.complete => return None,
            None => limit,
        };
        let span = self.trimmed(at, stop);
        self.bad(span, place, flaw.why);
        Some(stop)
    }

    /// Leaves the array that `]` at `at` ends, and the object around it.
    fn close_array(&mut self, at: usize) -> Next {
        let mut next = at + 1;
        if self.mode == Mode::WrappedArray {
            match Walk::in_object(self.bytes, next).finish() {
                Ok(end) => next = end,
                Err(flaw) if flaw.why == Why::Incomplete && !self.complete => return None,
                // No end of an object: what follows is read as anything else is.
                Err(_) => {}
            }
        }
        self.mode = Mode::Lines;
        Some(next)
    }
}

/// Skips what may stand between records: white space, form feeds and byte order marks.
fn skip_blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end {
        match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c => at += 1,
            0xef if bytes[at..].starts_with(b"\xef\xbb\xbf") => at += 3,
            _ => break,
        }
    }
    at
}

/// Like [`skip_blanks`], of what JSON knows as white space only.
fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    let spaces = bytes[at.min(bytes.len())..].iter();
    at + spaces.take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Returns the kind of JSON value a line is, if it is one and nothing else.
fn whole_value(line: &[u8]) -> Option<JsonKind> {
    let mut walk = Walk::new(line, 0);
    let kind = kind_of(&walk.step().ok()??);
    (walk.finish().ok()? == line.len()).then_some(kind)
}

const fn kind_of(token: &Token) -> JsonKind {
    match token {
        Token::Open(_, kind) | Token::Scalar(_, kind) => *kind,
        Token::Text(..) | Token::Key(..) | Token::Close(_) => JsonKind::String,
    }
}

/// Returns the first event of the array that starts at `at`, if it is an array of objects.
fn array_start(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let inner = skip_spaces(bytes, at + 1);
    (bytes.get(inner) == Some(&b'{')).then_some(inner)
}

/// Returns the first event when an object at `at` begins with a known array of events.
fn wrapped_array_start(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    let quote = skip_spaces(bytes, at + 1);
    let name = bytes.get(quote..)?.strip_prefix(b"\"")?;
    let name = wrapper::ARRAYS.iter().find(|known| {
        name.strip_prefix(known.as_bytes()).is_some_and(|rest| rest.starts_with(b"\""))
    })?;
    let colon = skip_spaces(bytes, quote + name.len() + 2);
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    array_start(bytes, skip_spaces(bytes, colon + 1))
}

#[cfg(test)]
mod tests;
