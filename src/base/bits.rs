//! Rows that are in or out, a bit each: 64 of them are looked at together.

use std::ops::Range;

/// So many rows, each in or out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    /// The lowest bit of the first word is row 0; bits past the end are 0.
    words: Vec<u64>,
    len: usize,
}

/// Rows of a word.
const WORD: usize = 64;

impl Bits {
    /// Returns rows that are all in.
    pub fn full(len: usize) -> Self {
        let mut bits = Self { words: vec![u64::MAX; len.div_ceil(WORD)], len };
        bits.cut();
        bits
    }

    /// Returns rows that are all out.
    pub fn none(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(WORD)], len }
    }

    /// Returns the rows of a column that pass a test.
    pub fn of<T: Copy>(column: &[T], test: impl Fn(T) -> bool) -> Self {
        let mut bits = Self::full(column.len());
        bits.keep_where(column, test);
        bits
    }

    /// Returns rows from words; what is missing is out, what is too much is dropped.
    pub fn from_words(mut words: Vec<u64>, len: usize) -> Self {
        words.resize(len.div_ceil(WORD), 0);
        let mut bits = Self { words, len };
        bits.cut();
        bits
    }

    /// Returns no rows yet, with room for so many.
    pub fn with_room(rows: usize) -> Self {
        Self { words: Vec::with_capacity(rows.div_ceil(WORD) + 1), len: 0 }
    }

    /// Makes it so many rows: those that are missing are out.
    #[must_use]
    pub fn padded(self, len: usize) -> Self {
        Self::from_words(self.words, len)
    }

    /// Returns the number of rows, in or out.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no rows at all.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns 64 rows a word, the first one lowest.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the bytes of memory in use.
    pub const fn heap_bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    /// Returns whether a row is in; rows past the end are not.
    #[inline]
    pub fn has(&self, row: usize) -> bool {
        self.words.get(row / WORD).is_some_and(|word| word >> (row % WORD) & 1 == 1)
    }

    /// Takes a row in; one past the end is left alone.
    #[inline]
    pub fn add(&mut self, row: usize) {
        if row < self.len {
            self.words[row / WORD] |= 1 << (row % WORD);
        }
    }

    /// Takes a row out.
    #[inline]
    pub fn remove(&mut self, row: usize) {
        if let Some(word) = self.words.get_mut(row / WORD) {
            *word &= !(1 << (row % WORD));
        }
    }

    /// Returns whether any row is in.
    pub fn any(&self) -> bool {
        self.words.iter().any(|&word| word != 0)
    }

    /// Returns the number of rows that are in.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Takes all rows out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Leaves in what is in both.
    pub fn and(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(one, other)| *one &= other);
    }

    /// Takes out what is in `other`.
    pub fn and_not(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(one, other)| *one &= !other);
    }

    /// Takes in what is in `other`.
    pub fn or(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(one, other)| *one |= other);
    }

    /// Takes out what lies outside a range.
    pub fn keep_range(&mut self, range: Range<usize>) {
        for (number, word) in self.words.iter_mut().enumerate() {
            *word &= within(number, &range);
        }
    }

    /// Takes out rows whose value fails the test.
    #[inline]
    pub fn keep_where<T: Copy>(&mut self, column: &[T], test: impl Fn(T) -> bool) {
        let (chunks, rest) = column.as_chunks::<WORD>();
        let mut words = self.words.iter_mut();
        for (chunk, word) in chunks.iter().zip(&mut words) {
            if *word != 0 {
                *word &= passing(chunk, &test);
            }
        }
        for word in words {
            let last = rest.iter().enumerate();
            *word &= last.fold(0, |bits, (at, &value)| bits | u64::from(test(value)) << at);
        }
    }

    /// Takes out rows by the bits that are returned for 64 values, at the end for fewer.
    #[inline]
    pub fn keep_chunks<T>(&mut self, column: &[T], mut bits_of: impl FnMut(&[T]) -> u64) {
        for (word, chunk) in self.words.iter_mut().zip(column.chunks(WORD)) {
            if *word != 0 {
                *word &= bits_of(chunk);
            }
        }
    }

    /// Takes out rows that are in but fail a dear test.
    pub fn retain(&mut self, mut test: impl FnMut(usize) -> bool) {
        for (number, word) in self.words.iter_mut().enumerate() {
            let mut open = *word;
            while open != 0 {
                let at = open.trailing_zeros();
                if !test(number * WORD + at as usize) {
                    *word &= !(1 << at);
                }
                open &= open - 1;
            }
        }
    }

    /// Calls `visit` with each row that is in, in order.
    #[inline]
    pub fn each(&self, visit: impl FnMut(usize)) {
        each_of(self.words.iter().copied(), visit);
    }

    /// Calls `visit` with each row that is in both, in order.
    #[inline]
    pub fn each_in_both(&self, other: &Self, visit: impl FnMut(usize)) {
        each_of(self.words.iter().zip(&other.words).map(|(one, other)| one & other), visit);
    }

    /// Adds rows after the last one.
    pub fn append(&mut self, other: &Self) {
        let shift = self.len % WORD;
        if shift == 0 {
            self.words.extend_from_slice(&other.words);
        } else {
            for &word in &other.words {
                if let Some(last) = self.words.last_mut() {
                    *last |= word << shift;
                }
                self.words.push(word >> (WORD - shift));
            }
        }
        self.len += other.len;
        self.words.truncate(self.len.div_ceil(WORD));
    }

    fn cut(&mut self) {
        let rest = self.len % WORD;
        if let (Some(last), 1..) = (self.words.last_mut(), rest) {
            *last &= (1 << rest) - 1;
        }
    }
}

/// Returns the bits of the word with this number that lie in a range.
pub const fn within(number: usize, range: &Range<usize>) -> u64 {
    below(number, range.end) & !below(number, range.start)
}

/// Returns the bits of the word with this number that lie below a row.
const fn below(number: usize, row: usize) -> u64 {
    match row.saturating_sub(number * WORD) {
        0 => 0,
        some @ 1..WORD => (1 << some) - 1,
        _ => u64::MAX,
    }
}

/// Puts into `out` whether the row at each place of the order is in `words`.
pub fn gather(order: &[u32], words: &[u64], out: &mut [u64]) {
    let bit = |row: u32| match words.get(row as usize / WORD) {
        Some(word) => word >> (row % 64) & 1,
        None => 0,
    };
    let (chunks, rest) = order.as_chunks::<WORD>();
    let mut out = out.iter_mut();
    for (chunk, out) in chunks.iter().zip(&mut out) {
        let (eights, _) = chunk.as_chunks::<8>();
        let mut all = 0;
        for (number, eight) in eights.iter().enumerate() {
            // Two by two, so that no long chain of steps waits for the one before.
            let two = |at: usize| bit(eight[at]) | bit(eight[at + 1]) << 1;
            let some = (two(0) | two(2) << 2) | (two(4) | two(6) << 2) << 4;
            all |= some << (number * 8);
        }
        *out = all;
    }
    if let Some(out) = out.next() {
        *out = rest.iter().enumerate().fold(0, |all, (at, &row)| all | bit(row) << at);
    }
}

#[inline]
fn each_of(words: impl Iterator<Item = u64>, mut visit: impl FnMut(usize)) {
    for (number, mut word) in words.enumerate() {
        while word != 0 {
            visit(number * WORD + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// Tests 64 values in a loop that compilers turn into vector code.
#[inline]
fn passing<T: Copy>(chunk: &[T; WORD], test: &impl Fn(T) -> bool) -> u64 {
    let mut bytes = [0_u8; WORD];
    bytes.iter_mut().zip(chunk).for_each(|(byte, &value)| *byte = u8::from(test(value)));
    let (eights, _) = bytes.as_chunks::<8>();
    let mut word = 0;
    for (number, eight) in eights.iter().enumerate() {
        // Each byte is 0 or 1; the product moves them next to one another in the highest byte.
        let packed = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= packed << (number * 8);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits(rows: &[bool]) -> Bits {
        Bits::of(rows, |row| row)
    }

    fn rows(bits: &Bits) -> Vec<usize> {
        let mut rows = Vec::new();
        bits.each(|row| rows.push(row));
        rows
    }

    fn naive(rows: &[bool], is_in: bool) -> Vec<usize> {
        (0..rows.len()).filter(|&row| rows[row] == is_in).collect()
    }

    proptest! {
        #[test]
        fn bits_say_what_a_list_of_rows_says(
            a in prop::collection::vec(any::<bool>(), 0..200),
            b in prop::collection::vec(any::<bool>(), 0..200),
            start in 0_usize..220,
            end in 0_usize..220,
        ) {
            let (one, other) = (bits(&a), bits(&b));
            prop_assert_eq!(rows(&one), naive(&a, true));
            prop_assert_eq!((one.count(), one.len()), (naive(&a, true).len(), a.len()));
            prop_assert_eq!(one.any(), a.contains(&true));
            let mut out = Bits::full(a.len());
            out.and_not(&one);
            prop_assert_eq!(rows(&out), naive(&a, false));
            let mut seen = Vec::new();
            one.each_in_both(&other, |row| seen.push(row));
            let fit = |row: &usize| b.get(*row) == Some(&true);
            prop_assert_eq!(seen, naive(&a, true).into_iter().filter(fit).collect::<Vec<_>>());
            let mut both = one.clone();
            both.append(&other);
            prop_assert_eq!(&both, &bits(&[a.clone(), b].concat()));
            let mut some = one.clone();
            some.keep_range(start..end);
            let inside: Vec<bool> =
                a.iter().enumerate().map(|(row, &one)| one && start <= row && row < end).collect();
            prop_assert_eq!(&some, &bits(&inside));
            let mut odd = one.clone();
            odd.retain(|row| row % 2 == 1);
            let naive: Vec<bool> =
                a.iter().enumerate().map(|(row, &one)| one && row % 2 == 1).collect();
            prop_assert_eq!(&odd, &bits(&naive));
            let naive_rows = rows(&one);
            odd.or(&one);
            prop_assert_eq!(&odd, &one);
            if let Some(&row) = naive_rows.first() {
                odd.remove(row);
                prop_assert!(!odd.has(row) && odd.count() + 1 == naive_rows.len());
            }
            odd.and_not(&one);
            prop_assert!(!odd.any());
            prop_assert_eq!(one.clone().padded(300).count(), one.count());
            prop_assert_eq!(Bits::full(a.len()), bits(&vec![true; a.len()]));
        }

        #[test]
        fn gathering_follows_the_order(
            rows in prop::collection::vec(any::<bool>(), 1..200),
            order in prop::collection::vec(0_u32..200, 0..200),
        ) {
            let mut words = vec![7; order.len().div_ceil(64)];
            gather(&order, bits(&rows).words(), &mut words);
            let naive: Vec<bool> =
                order.iter().map(|&row| rows.get(row as usize) == Some(&true)).collect();
            prop_assert_eq!(Bits::from_words(words, order.len()), bits(&naive));
        }
    }
}
