//! Rows that can be asked for by number: which is the n-th that is in, and how many come before one.

use std::ops::Range;

use crate::base::bits::{Bits, within};

/// Rows with the number of those that are in before each block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranked {
    bits: Bits,
    /// Before each block and, last, in all.
    ranks: Vec<u32>,
}

/// Words of a block.
const WORDS: usize = 8;
/// Rows of a block.
const BLOCK: usize = WORDS * 64;

impl Ranked {
    pub(crate) fn new(bits: Bits) -> Self {
        let mut ranks = Vec::with_capacity(bits.words().len().div_ceil(WORDS) + 1);
        let mut before = 0;
        for block in bits.words().chunks(WORDS) {
            ranks.push(before);
            before += block.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        ranks.push(before);
        Self { bits, ranks }
    }

    /// Returns the rows themselves.
    pub(crate) const fn bits(&self) -> &Bits {
        &self.bits
    }

    /// Returns the number of rows that are in.
    pub(crate) fn len(&self) -> usize {
        self.ranks.last().map_or(0, |&all| all as usize)
    }

    /// Returns the number of rows before `row` that are in.
    pub(crate) fn rank(&self, row: usize) -> usize {
        let block = row / BLOCK;
        let words = self.bits.words();
        if block * WORDS >= words.len() {
            return self.len();
        }
        let range = block * BLOCK..row;
        let end = row.div_ceil(64).min(words.len());
        let inside = (block * WORDS..end).map(|at| (words[at] & within(at, &range)).count_ones());
        (self.ranks[block] + inside.sum::<u32>()) as usize
    }

    /// Returns the n-th row that is in, from 0.
    pub(crate) fn select(&self, n: usize) -> Option<usize> {
        if n >= self.len() {
            return None;
        }
        let block = self.ranks.partition_point(|&before| before as usize <= n) - 1;
        let mut left = n - self.ranks[block] as usize;
        for (at, &word) in self.bits.words().iter().enumerate().skip(block * WORDS) {
            let count = word.count_ones() as usize;
            if left < count {
                let word = (0..left).fold(word, |word, _| word & (word - 1));
                return Some(at * 64 + word.trailing_zeros() as usize);
            }
            left -= count;
        }
        None
    }

    /// Calls `visit` with the rows that are in, from the first to before the last of these numbers.
    pub(crate) fn each(&self, numbers: Range<usize>, mut visit: impl FnMut(usize)) {
        let mut left = numbers.end.min(self.len()).saturating_sub(numbers.start);
        let Some(first) = self.select(numbers.start) else { return };
        let words = self.bits.words();
        let mut word = words[first / 64] & (u64::MAX << (first % 64));
        let mut at = first / 64;
        while 0 < left {
            while word == 0 {
                at += 1;
                let Some(&next) = words.get(at) else { return };
                word = next;
            }
            visit(at * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
            left -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_have_the_numbers_of_a_list(
            mut gaps in prop::collection::vec(prop_oneof![9 => 1_usize..4, 1 => 400_usize..1200], 0..300),
            tail in 0_usize..700,
        ) {
            let mut list = Vec::new();
            let mut row = 0;
            for gap in gaps.drain(..) {
                row += gap;
                list.push(row - 1);
            }
            let mut bits = Bits::none(row + tail);
            list.iter().for_each(|&row| bits.add(row));
            let ranked = Ranked::new(bits);
            prop_assert_eq!(ranked.len(), list.len());
            for n in 0..=list.len() {
                prop_assert_eq!(ranked.select(n), list.get(n).copied());
            }
            for row in (0..row + tail + 2).step_by(7).chain([row + tail]) {
                prop_assert_eq!(ranked.rank(row), list.partition_point(|&one| one < row));
            }
            for start in (0..list.len() + 2).step_by(5) {
                for len in [0, 1, 70, list.len()] {
                    let mut found = Vec::new();
                    ranked.each(start..start + len, |row| found.push(row));
                    let naive: Vec<_> = list.iter().copied().skip(start).take(len).collect();
                    prop_assert_eq!(found, naive);
                }
            }
        }
    }
}
