//! Rows that are in or out, a byte each, in loops that compilers turn into vector code.

/// One byte a row, 1 for rows that are in.
pub(crate) type Mask = Vec<u8>;

/// Returns a mask with all rows in.
pub(crate) fn full(rows: usize) -> Mask {
    vec![1; rows]
}

/// Returns whether any row is in.
pub(crate) fn any(mask: &[u8]) -> bool {
    let (chunks, rest) = mask.as_chunks::<64>();
    chunks.iter().any(|chunk| chunk.iter().fold(0, |all, &one| all | one) != 0)
        || rest.iter().any(|&one| one != 0)
}

/// Returns the number of rows that are in.
pub(crate) fn count(mask: &[u8]) -> usize {
    let (chunks, rest) = mask.as_chunks::<64>();
    // A chunk of 64 cannot overflow a byte.
    let whole: usize = chunks.iter().map(|chunk| usize::from(chunk.iter().sum::<u8>())).sum();
    whole + rest.iter().filter(|&&one| one != 0).count()
}

/// Leaves in what is in both.
pub(crate) fn and(mask: &mut [u8], other: &[u8]) {
    mask.iter_mut().zip(other).for_each(|(one, other)| *one &= other);
}

/// Takes out what is in `other`.
pub(crate) fn and_not(mask: &mut [u8], other: &[u8]) {
    mask.iter_mut().zip(other).for_each(|(one, other)| *one &= other ^ 1);
}

/// Takes in what is in `other`.
pub(crate) fn or(mask: &mut [u8], other: &[u8]) {
    mask.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
}

/// Calls `visit` with each row that is in, in order.
#[inline]
pub(crate) fn each(mask: &[u8], mut visit: impl FnMut(usize)) {
    let (blocks, rest) = mask.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        // Most masks have few rows: whole blocks are passed by.
        if block.iter().fold(0, |all, &one| all | one) != 0 {
            each_of(block, number * BLOCK, &mut visit);
        }
    }
    each_of(rest, blocks.len() * BLOCK, &mut visit);
}

/// Rows that are looked at together.
const BLOCK: usize = 64;

#[inline]
fn each_of(mask: &[u8], start: usize, visit: &mut impl FnMut(usize)) {
    let (chunks, rest) = mask.as_chunks::<8>();
    for (number, chunk) in chunks.iter().enumerate() {
        let mut bits = u64::from_le_bytes(*chunk);
        while bits != 0 {
            visit(start + number * 8 + (bits.trailing_zeros() / 8) as usize);
            bits &= bits - 1;
        }
    }
    let start = start + chunks.len() * 8;
    for (at, &one) in rest.iter().enumerate() {
        if one != 0 {
            visit(start + at);
        }
    }
}

/// Takes out rows that are in but fail the test.
pub(crate) fn retain(mask: &mut [u8], mut test: impl FnMut(usize) -> bool) {
    for (row, one) in mask.iter_mut().enumerate() {
        if *one != 0 {
            *one = u8::from(test(row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_and_visited_in_order() {
        let mut mask = vec![0; 150];
        for at in [0, 7, 8, 63, 64, 149] {
            mask[at] = 1;
        }
        let mut seen = Vec::new();
        each(&mask, |row| seen.push(row));
        assert_eq!(seen, [0, 7, 8, 63, 64, 149]);
        assert_eq!((count(&mask), any(&mask), any(&[0; 70])), (6, true, false));
        and_not(&mut mask, &full(150));
        assert!(!any(&mask));
    }
}
