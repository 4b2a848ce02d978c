//! A table that tells, for few nanoseconds a name, whether an object names a member twice.

/// Places for names; at most half are used before the table gives up.
const PLACES: usize = 1024;

/// Remembers the names of one object. Starting the next object costs nothing.
pub(crate) struct KeyTable {
    /// From high to low: the round (32 bits), bits of the hash (16), the number of the name (16).
    places: Box<[u64; PLACES]>,
    round: u64,
    used: usize,
}

/// What is known of a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    New,
    Twice,
    /// Too many names to tell.
    Full,
}

impl KeyTable {
    pub(crate) fn new() -> Self {
        Self { places: Box::new([0; PLACES]), round: 0, used: 0 }
    }

    pub(crate) fn start(&mut self) {
        self.round = (self.round + 1) & 0xffff_ffff;
        self.used = 0;
        if self.round == 0 {
            self.places.fill(0);
            self.round = 1;
        }
    }

    /// Remembers `name` under `number`; `name_of` returns the name of an earlier number.
    #[inline]
    pub(crate) fn add<'n>(
        &mut self,
        name: &[u8],
        number: u16,
        name_of: impl Fn(u16) -> &'n [u8],
    ) -> Seen {
        if self.used * 2 >= PLACES {
            return Seen::Full;
        }
        let hash = hash(name);
        let tag = self.round << 16 | (hash & 0xffff);
        let mut place = (hash >> 54) as usize;
        loop {
            let entry = self.places[place % PLACES];
            if entry >> 32 != self.round {
                self.places[place % PLACES] = tag << 16 | u64::from(number);
                self.used += 1;
                return Seen::New;
            }
            if entry >> 16 == tag && name_of(entry as u16) == name {
                return Seen::Twice;
            }
            place += 1;
        }
    }
}

#[inline]
fn hash(name: &[u8]) -> u64 {
    let len = name.len() as u64;
    let (first, last) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (name.iter().fold(0, |sum, &b| sum << 8 | u64::from(b)), 0),
    };
    let mixed = (first ^ last.rotate_left(23) ^ len).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_use_of_a_name_is_seen_and_rounds_are_apart() {
        let names: Vec<String> = (0..300).map(|n| format!("attribute{n}")).collect();
        let name_of = |n: u16| names[usize::from(n)].as_bytes();
        let mut table = KeyTable::new();
        for _ in 0..3 {
            table.start();
            for number in 0..300 {
                assert_eq!(table.add(name_of(number), number, name_of), Seen::New);
            }
            assert_eq!(table.add(b"attribute7", 300, name_of), Seen::Twice);
        }
    }

    #[test]
    fn a_full_table_says_so() {
        let names: Vec<String> = (0..600).map(|n| n.to_string()).collect();
        let name_of = |n: u16| names[usize::from(n)].as_bytes();
        let mut table = KeyTable::new();
        table.start();
        assert!((0..512).all(|n| table.add(name_of(n), n, name_of) == Seen::New));
        assert_eq!(table.add(name_of(512), 512, name_of), Seen::Full);
    }
}
