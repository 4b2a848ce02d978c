//! Finding a piece of text in many bytes, with or without regard to case.
//!
//! ASCII letters are the same in both cases; text with other letters goes to a regular expression
//! with Unicode's simple case folding. The search for ASCII text looks at two rare bytes of the
//! needle at once, in loops that compilers turn into vector code.

use memchr::{memchr2, memmem};
use regex::bytes::{Regex, RegexBuilder};

use crate::query::ast::Case;

/// A piece of text to be found.
#[derive(Clone, Debug)]
pub struct Needle {
    how: How,
    text: String,
    case: Case,
}

#[derive(Clone, Debug)]
enum How {
    /// The empty text is everywhere.
    Everywhere,
    Exact(Box<memmem::Finder<'static>>),
    OneByte(u8, u8),
    Pair(Pair),
    Regex(Regex),
}

/// Two bytes of a needle in lower case and what to or into a byte to compare it.
#[derive(Clone, Debug)]
struct Pair {
    needle: Vec<u8>,
    first: Probe,
    second: Probe,
}

#[derive(Clone, Copy, Debug)]
struct Probe {
    offset: usize,
    byte: u8,
    fold: u8,
}

const BLOCK: usize = 64;

impl Needle {
    /// Returns the search for `text`.
    pub fn new(text: &str, case: Case) -> Self {
        let bytes = text.as_bytes();
        let how = match case {
            _ if bytes.is_empty() => How::Everywhere,
            Case::Exact => How::Exact(Box::new(memmem::Finder::new(bytes).into_owned())),
            Case::Ignored if !text.bytes().any(|b| b.is_ascii_alphabetic()) && text.is_ascii() => {
                How::Exact(Box::new(memmem::Finder::new(bytes).into_owned()))
            }
            Case::Ignored if !text.is_ascii() => folded_regex(text),
            Case::Ignored if bytes.len() == 1 => {
                How::OneByte(bytes[0].to_ascii_lowercase(), bytes[0].to_ascii_uppercase())
            }
            Case::Ignored => How::Pair(Pair::new(bytes)),
        };
        Self { how, text: text.to_owned(), case }
    }

    /// Returns the text that is searched for.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether case matters.
    pub const fn case(&self) -> Case {
        self.case
    }

    /// Returns where in `hay` the text first is, from its start to its end.
    #[inline]
    pub fn find_range(&self, hay: &[u8]) -> Option<std::ops::Range<usize>> {
        match &self.how {
            How::Regex(regex) => regex.find(hay).map(|found| found.range()),
            _ => self.find(hay).map(|at| at..at + self.text.len()),
        }
    }

    /// Returns where in `hay` the text first is.
    #[inline]
    pub fn find(&self, hay: &[u8]) -> Option<usize> {
        match &self.how {
            How::Everywhere => Some(0),
            How::Exact(finder) => finder.find(hay),
            How::OneByte(lower, upper) => memchr2(*lower, *upper, hay),
            How::Pair(pair) => pair.find(hay),
            How::Regex(regex) => regex.find(hay).map(|found| found.start()),
        }
    }
}

/// Unicode's simple case folding comes with the regular expressions.
fn folded_regex(text: &str) -> How {
    let built = RegexBuilder::new(&regex::escape(text)).case_insensitive(true).build();
    match built {
        Ok(regex) => How::Regex(regex),
        // Too long for a regular expression: as written, then.
        Err(_) => How::Exact(Box::new(memmem::Finder::new(text.as_bytes()).into_owned())),
    }
}

impl Pair {
    fn new(text: &[u8]) -> Self {
        let needle = text.to_ascii_lowercase();
        let rarest = |skip: Option<usize>| {
            let places = (0..needle.len().min(256)).filter(|&at| Some(at) != skip);
            places.min_by_key(|&at| commonness(needle[at])).unwrap_or(0)
        };
        let (a, b) = (rarest(None), rarest(Some(rarest(None))));
        let probe = |offset: usize| {
            let byte = needle[offset];
            Probe { offset, byte, fold: if byte.is_ascii_alphabetic() { 0x20 } else { 0 } }
        };
        let (first, second) = (probe(a.min(b)), probe(a.max(b)));
        Self { needle, first, second }
    }

    fn find(&self, hay: &[u8]) -> Option<usize> {
        let len = self.needle.len();
        if hay.len() < len {
            return None;
        }
        // The needle may start at any place below this one.
        let places = hay.len() - len + 1;
        let mut at = 0;
        while at + BLOCK <= places {
            let a = hay.get(at + self.first.offset..)?.first_chunk::<BLOCK>()?;
            let b = hay.get(at + self.second.offset..)?.first_chunk::<BLOCK>()?;
            if any_place(a, self.first, b, self.second)
                && let Some(found) = self.check(hay, at, at + BLOCK)
            {
                return Some(found);
            }
            at += BLOCK;
        }
        self.check(hay, at, places)
    }

    #[cold]
    fn check(&self, hay: &[u8], from: usize, to: usize) -> Option<usize> {
        let fits = |probe: Probe, at: usize| hay[at + probe.offset] | probe.fold == probe.byte;
        (from..to).find(|&at| {
            fits(self.first, at)
                && fits(self.second, at)
                && hay[at..at + self.needle.len()].eq_ignore_ascii_case(&self.needle)
        })
    }
}

/// Returns whether both bytes fit at one of the places.
#[inline]
fn any_place(a: &[u8; BLOCK], first: Probe, b: &[u8; BLOCK], second: Probe) -> bool {
    let mut any = 0_u8;
    for (x, y) in a.iter().zip(b) {
        let one = u8::from(x | first.fold == first.byte);
        let two = u8::from(y | second.fold == second.byte);
        any |= one & two;
    }
    any != 0
}

/// Returns how common a byte is in logs of this kind: 0 for rare ones.
fn commonness(byte: u8) -> usize {
    const COMMON: &[u8] = b"\"e,:tsain0ordul1-c2m34567h8_9pgbfwvyk. /}{zjxq";
    COMMON.iter().position(|&b| b == byte).map_or(0, |at| COMMON.len() - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(hay: &[u8], needle: &[u8]) -> Option<usize> {
        (0..=hay.len().checked_sub(needle.len())?)
            .find(|&at| hay[at..at + needle.len()].eq_ignore_ascii_case(needle))
    }

    proptest::proptest! {
        #[test]
        fn pairs_find_what_a_plain_loop_finds(
            hay in "[abAB@` {]{0,300}",
            needle in "[abAB@` {]{1,5}",
        ) {
            let found = Needle::new(&needle, Case::Ignored).find(hay.as_bytes());
            proptest::prop_assert_eq!(found, naive(hay.as_bytes(), needle.as_bytes()));
        }
    }

    #[test]
    fn long_distances_and_edges() {
        let mut hay = vec![b'x'; 1000];
        hay.extend_from_slice(b"NeedLe");
        let needle = Needle::new("nEEdle", Case::Ignored);
        assert_eq!(needle.find(&hay), Some(1000));
        assert_eq!(needle.find(&hay[..1005]), None);
        assert_eq!(needle.find(b""), None);
        assert_eq!(Needle::new("", Case::Ignored).find(b""), Some(0));
        assert_eq!(Needle::new("É", Case::Ignored).find("caf\u{e9}".as_bytes()), Some(3));
        assert_eq!(Needle::new("É", Case::Exact).find("caf\u{e9}".as_bytes()), None);
        assert_eq!(Needle::new("a", Case::Ignored).find(b"xA"), Some(1));
    }
}
