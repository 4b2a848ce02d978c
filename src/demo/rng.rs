//! A small seeded generator of numbers: splitmix64, the same on every machine.

/// A stream of numbers that depends on its seed only.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    /// Starts a stream for one part of the work; parts with different numbers are unrelated.
    pub(super) const fn new(seed: u64, part: u64) -> Self {
        Self(mix(seed ^ mix(part.wrapping_add(0x5851_F42D_4C95_7F2D))))
    }

    /// Returns the next number.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// Returns a number below `n`, or 0 when `n` is 0.
    pub(super) const fn below(&mut self, n: u32) -> u32 {
        reduce(self.next(), n)
    }

    /// Returns true `per_mille` times in a thousand.
    pub(super) const fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    /// Returns a number below `n` that favours small ones: half of them lie in the first quarter.
    pub(super) const fn skewed(&mut self, n: u32) -> u32 {
        let raw = self.next() >> 32;
        reduce((raw * raw) & 0xFFFF_FFFF_0000_0000, n)
    }
}

/// Spreads the bits of a number (the finisher of splitmix64); a bijection.
pub(super) const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Maps a random number to one below `n`.
pub(super) const fn reduce(raw: u64, n: u32) -> u32 {
    (((raw >> 32) * n as u64) >> 32) as u32
}
