//! Shapes: in which order records name their members, learned while reading.
//!
//! Events of one type that begin alike name the same members in the same order, some of them left
//! out. So what stands between two values (a comma, a name in quotes, a colon) is nearly always
//! known before it is read, and one comparison takes the place of scanning the name and looking it
//! up. A guess that fails costs time, never rightness: the text is then read and looked up.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxBuildHasher;
use wide::u8x16;

/// Bytes that are compared at once. Longer texts are compared in two steps.
const HEAD: usize = 32;

/// When there are more texts all are forgotten before the next record.
const MOST_TEXTS: usize = 1024;

/// Types past so many share their guesses.
const MOST_TYPES: usize = 255;

/// Records begin in so many ways, or share their guesses.
const MOST_STARTS: usize = 4;

/// So many members left out are guessed.
const GUESSES: usize = 4;

/// The number of the text that starts each record.
const START: u16 = 0;

/// Stands for a member that the index does not look at.
pub(crate) const NO_SLOT: u8 = u8::MAX;

/// A text between two values.
struct Text {
    /// Its first bytes, then zeros.
    head: [u8; HEAD],
    /// One bit for each byte of the text that is in `head`.
    mask: u32,
    /// What must remain of the bits of equal bytes; a text that is never guessed wants the impossible.
    want: u32,
    /// Bytes of the text.
    len: u32,
    /// Texts with the same member's name share this number.
    name: u16,
    /// What the index wants of the value that follows, or [`NO_SLOT`].
    slot: u8,
}

/// A text that was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Bytes of the text.
    pub(crate) len: usize,
    /// What the index wants of the value that follows, or [`NO_SLOT`].
    pub(crate) slot: u8,
}

/// All texts seen, and which of them follow which.
#[derive(Default)]
pub(crate) struct Shapes {
    texts: Vec<Text>,
    numbers: HashMap<Box<[u8]>, u16, FxBuildHasher>,
    names: HashMap<Box<[u8]>, u16, FxBuildHasher>,
    /// For each name the record that had it last.
    last_seen: Vec<u32>,
    record: u32,
    /// The texts that records began with.
    starts: Vec<u16>,
    types: HashMap<Box<[u8]>, usize, FxBuildHasher>,
    /// For each type (0 for none yet) and start, its row of guesses plus one.
    rows: Vec<u16>,
    /// Guesses: the text that followed each text last.
    next: Vec<[u16; MOST_TEXTS]>,
    /// Where the record is: its start, its row, the last text.
    start: usize,
    row: usize,
    text: u16,
}

impl Shapes {
    /// Begins a record.
    #[inline]
    pub(crate) fn start(&mut self) {
        if self.texts.is_empty() || self.texts.len() >= MOST_TEXTS {
            *self = Self::default();
            self.add(&[], 0, NO_SLOT);
            self.rows = vec![0; (MOST_TYPES + 1) * MOST_STARTS];
        }
        self.text = START;
        self.record = self.record.wrapping_add(1);
        if self.record == 0 {
            self.last_seen.fill(0);
            self.record = 1;
        }
    }

    /// Guesses the text at the start of `rest`. `None` tells nothing but that the guess failed, or
    /// that the record has this name already.
    #[inline]
    pub(crate) fn guess(&mut self, rest: &[u8]) -> Option<Step> {
        let head = rest.first_chunk::<HEAD>()?;
        if self.text == START {
            let mut starts = self.starts.iter().copied();
            let start = starts.position(|start| self.texts[usize::from(start)].stands_at(head))?;
            self.begin(start);
            return self.take(self.starts[start]);
        }
        let next = self.next.get(self.row)?;
        let mut guess = self.text;
        for _ in 0..GUESSES {
            guess = next[usize::from(guess) % MOST_TEXTS];
            if guess == START {
                return None;
            }
            if self.texts.get(usize::from(guess))?.stands_at(head) {
                return self.take(guess);
            }
        }
        None
    }

    /// Takes the text that stands at the next value; `name` is the place of the member's name in
    /// it. `None` when the record has this name already or there is no room.
    pub(crate) fn learn(
        &mut self,
        text: &[u8],
        name: Range<usize>,
        slot: impl FnOnce(&[u8]) -> u8,
    ) -> Option<Step> {
        let number = match self.numbers.get(text) {
            Some(&number) => number,
            None if self.texts.len() >= MOST_TEXTS => return None,
            None => {
                let name = &text[name];
                let fresh = u16::try_from(self.last_seen.len()).ok()?;
                let known = *self.names.entry(name.into()).or_insert(fresh);
                if known == fresh {
                    self.last_seen.push(0);
                }
                self.add(text, known, slot(name))
            }
        };
        if self.text == START {
            if self.starts.len() < MOST_STARTS {
                self.starts.push(number);
            }
            self.begin(self.starts.iter().position(|&s| s == number).unwrap_or(MOST_STARTS - 1));
        } else {
            self.next.get_mut(self.row)?[usize::from(self.text) % MOST_TEXTS] = number;
        }
        self.take(number)
    }

    /// Tells the event's type, on which the guesses depend from here on.
    #[inline]
    pub(crate) fn tell_type(&mut self, name: &[u8]) {
        let number = match self.types.get(name) {
            Some(&number) => number,
            None if self.types.len() >= MOST_TYPES => 0,
            None => {
                self.types.insert(name.into(), self.types.len() + 1);
                self.types.len()
            }
        };
        self.row = self.row_of(number);
    }

    #[inline]
    fn begin(&mut self, start: usize) {
        self.start = start;
        self.row = self.row_of(0);
    }

    #[inline]
    fn row_of(&mut self, number: usize) -> usize {
        let Some(row) = self.rows.get_mut(number * MOST_STARTS + self.start) else { return 0 };
        if *row == 0 {
            self.next.push([START; MOST_TEXTS]);
            *row = u16::try_from(self.next.len()).unwrap_or(1);
        }
        usize::from(*row) - 1
    }

    #[inline]
    fn take(&mut self, number: u16) -> Option<Step> {
        let text = self.texts.get(usize::from(number))?;
        let last_seen = self.last_seen.get_mut(usize::from(text.name))?;
        if std::mem::replace(last_seen, self.record) == self.record {
            return None;
        }
        self.text = number;
        Some(Step { len: text.len as usize, slot: text.slot })
    }

    fn add(&mut self, text: &[u8], name: u16, slot: u8) -> u16 {
        let mut head = [0; HEAD];
        let n_head = text.len().min(HEAD);
        head[..n_head].copy_from_slice(&text[..n_head]);
        let mask = if n_head == 0 { 0 } else { u32::MAX >> (HEAD - n_head) };
        let want = if text.len() > HEAD { !mask + 1 } else { mask };
        let number = u16::try_from(self.texts.len()).unwrap_or(u16::MAX);
        let len = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.texts.push(Text { head, mask, want, len, name, slot });
        self.numbers.insert(text.into(), number);
        number
    }
}

impl Text {
    /// Returns whether the text is the start of `head`.
    #[inline]
    fn stands_at(&self, head: &[u8; HEAD]) -> bool {
        let half = |bytes: &[u8; HEAD], from: usize| {
            let mut half = [0; 16];
            half.copy_from_slice(&bytes[from..from + 16]);
            u8x16::new(half)
        };
        let low = half(head, 0).simd_eq(half(&self.head, 0)).to_bitmask();
        let high = half(head, 16).simd_eq(half(&self.head, 16)).to_bitmask();
        (low | high << 16) & self.mask == self.want
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a record of these names; returns how many were guessed and learned, or the first that
    /// was refused.
    fn read(shapes: &mut Shapes, names: &[&str]) -> Result<(usize, usize), usize> {
        let (mut guessed, mut learned) = (0, 0);
        shapes.start();
        for (at, name) in names.iter().enumerate() {
            let text = format!(",\"{name}\":");
            let rest = format!("{text}{}", " ".repeat(HEAD));
            let step = if let Some(step) = shapes.guess(rest.as_bytes()) {
                guessed += 1;
                step
            } else {
                learned += 1;
                let name = 2..2 + name.len();
                shapes.learn(text.as_bytes(), name, |_| NO_SLOT).ok_or(at)?
            };
            assert_eq!(step, Step { len: text.len(), slot: NO_SLOT });
        }
        Ok((guessed, learned))
    }

    #[test]
    fn an_order_is_learned_once_and_members_may_be_left_out() {
        let mut shapes = Shapes::default();
        assert_eq!(read(&mut shapes, &["a", "b", "c", "d", "e"]), Ok((0, 5)));
        assert_eq!(read(&mut shapes, &["a", "b", "c", "d", "e"]), Ok((5, 0)));
        assert_eq!(read(&mut shapes, &["a", "c", "e"]), Ok((3, 0)));
        assert_eq!(read(&mut shapes, &["a", "e", "b"]), Ok((2, 1)));
        // What begins in another way follows another order.
        assert_eq!(read(&mut shapes, &["e", "c", "b"]), Ok((0, 3)));
        assert_eq!(read(&mut shapes, &["a", "b"]), Ok((2, 0)));
        assert_eq!(read(&mut shapes, &["e", "b"]), Ok((2, 0)));
    }

    #[test]
    fn a_name_is_taken_once_a_record_however_it_is_found() {
        let mut shapes = Shapes::default();
        assert_eq!(read(&mut shapes, &["a", "b", "a"]), Err(2));
        assert_eq!(read(&mut shapes, &["a", "b"]), Ok((2, 0)));
        assert_eq!(read(&mut shapes, &["a", "b", "a"]), Err(2));
        assert_eq!(read(&mut shapes, &["", ""]), Err(1));
        shapes.start();
        assert!(shapes.learn(b"{\"a\" : ", 2..3, |_| 7).is_some_and(|step| step.slot == 7));
        assert_eq!(shapes.learn(b",\"a\":", 2..3, |_| 7), None);
    }

    #[test]
    fn long_texts_are_looked_up() {
        let long = "x".repeat(99);
        let mut shapes = Shapes::default();
        assert_eq!(read(&mut shapes, &["a", &long, "b"]), Ok((0, 3)));
        assert_eq!(read(&mut shapes, &["a", &long, "b"]), Ok((2, 1)));
        let longer = format!("{long}y");
        assert_eq!(read(&mut shapes, &["a", &longer, "b"]), Ok((1, 2)));
    }

    #[test]
    fn what_grows_without_end_is_forgotten() {
        let mut shapes = Shapes::default();
        for n in 0..3 * MOST_TEXTS {
            assert_eq!(read(&mut shapes, &[&n.to_string()]), Ok((0, 1)));
            assert!(shapes.texts.len() <= MOST_TEXTS);
            shapes.tell_type(n.to_string().as_bytes());
            assert!(shapes.next.len() <= (MOST_TYPES + 1) * MOST_STARTS);
        }
        shapes.start();
        let names: Vec<String> = (0..2 * MOST_TEXTS).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(read(&mut shapes, &names).is_err());
    }
}
