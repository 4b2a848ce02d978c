//! UTF-16 to UTF-8, as it flows by.

use std::io::{self, BufRead, Read};

use super::Trouble;
use super::input::Input;
use crate::source::Note;

/// Which byte of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// Reads UTF-16 as UTF-8; what is broken becomes U+FFFD and is counted.
pub(super) struct Utf16<'r> {
    input: Input<'r>,
    order: Order,
    trouble: Trouble,
    out: Vec<u8>,
    given: usize,
    high: Option<u16>,
    at_start: bool,
    n_broken: u64,
    done: bool,
}

impl<'r> Utf16<'r> {
    pub(super) fn new(order: Order, input: Input<'r>, trouble: Trouble) -> Self {
        let out = Vec::new();
        let (given, high, at_start, n_broken, done) = (0, None, true, 0, false);
        Self { input, order, trouble, out, given, high, at_start, n_broken, done }
    }

    fn refill(&mut self) -> io::Result<()> {
        self.out.clear();
        self.given = 0;
        let bytes = self.input.peek(2)?.to_vec();
        let pairs = bytes.chunks_exact(2);
        let used = bytes.len() - pairs.remainder().len();
        for pair in pairs {
            let unit = match self.order {
                Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
                Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
            };
            self.take(unit);
        }
        self.input.consume(used);
        if used == 0 {
            self.finish(bytes.len());
        }
        Ok(())
    }

    fn take(&mut self, unit: u16) {
        let is_mark = std::mem::take(&mut self.at_start) && unit == 0xfeff;
        if is_mark {
            return;
        }
        match (self.high.take(), unit) {
            (None, 0..0x80) => self.out.push(unit.to_le_bytes()[0]),
            (Some(high), 0xdc00..=0xdfff) => {
                let code = 0x10000 + ((u32::from(high) - 0xd800) << 10) + u32::from(unit) - 0xdc00;
                self.push(char::from_u32(code));
            }
            (before, 0xd800..=0xdbff) => {
                if before.is_some() {
                    self.push(None);
                }
                self.high = Some(unit);
            }
            (before, unit) => {
                if before.is_some() {
                    self.push(None);
                }
                self.push(char::from_u32(u32::from(unit)));
            }
        }
    }

    fn push(&mut self, c: Option<char>) {
        self.n_broken += u64::from(c.is_none());
        let mut room = [0; 4];
        let text = c.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut room);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn finish(&mut self, n_left: usize) {
        self.done = true;
        if self.high.take().is_some() || n_left > 0 {
            self.push(None);
        }
        if self.n_broken > 0 {
            self.trouble.add(Note::problem(format!(
                "{} broken UTF-16 units are shown as \u{fffd}",
                self.n_broken
            )));
        }
    }
}

impl Read for Utf16<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.given == self.out.len() && !self.done {
            self.refill()?;
        }
        let rest = &self.out[self.given..];
        let n_bytes = rest.len().min(buf.len());
        buf[..n_bytes].copy_from_slice(&rest[..n_bytes]);
        self.given += n_bytes;
        Ok(n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(units: &[u16], odd: &[u8], expected: &str, n_notes: usize) {
        for order in [Order::Little, Order::Big] {
            let bytes = units.iter().flat_map(|unit| match order {
                Order::Little => unit.to_le_bytes(),
                Order::Big => unit.to_be_bytes(),
            });
            let bytes: Vec<u8> = bytes.chain(odd.iter().copied()).collect();
            let trouble = Trouble::default();
            let mut text = String::new();
            let mut utf16 = Utf16::new(order, Input::new(bytes.as_slice()), trouble.clone());
            utf16.read_to_string(&mut text).unwrap();
            assert_eq!((text.as_str(), trouble.take().len()), (expected, n_notes));
        }
    }

    #[test]
    fn units_become_text_and_broken_ones_are_told() {
        let text = "\u{feff}{\"a\":\"é☃𝄞\"}\r\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        check(&units, b"", "{\"a\":\"é☃𝄞\"}\r\n", 0);
        check(&[0xd834, 0x41, 0xdd1e], b"", "\u{fffd}A\u{fffd}", 1);
        check(&[0x41, 0xd834], b"", "A\u{fffd}", 1);
        check(&[0x41], b"\n", "A\u{fffd}", 1);
        check(&[], b"", "", 0);
    }
}
