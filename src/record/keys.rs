//! A table that tells, for few nanoseconds a name, whether an object names a member twice.

/// Places for names; at most half are used before the table gives up.
const PLACES: usize = 1024;

/// Remembers the names of one object. Starting the next object costs nothing.
pub(crate) struct KeyTable {
    /// The round in the upper half, the number the caller gave the name in the lower.
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
        self.round += 1;
        self.used = 0;
    }

    /// Remembers `name` under `number`; `name_of` returns the name of an earlier number.
    #[inline]
    pub(crate) fn add<'n>(
        &mut self,
        name: &str,
        number: u32,
        name_of: impl Fn(u32) -> &'n str,
    ) -> Seen {
        if self.used * 2 >= PLACES {
            return Seen::Full;
        }
        let mut place = hash(name.as_bytes());
        loop {
            let entry = self.places[place];
            if entry >> 32 != self.round {
                self.places[place] = self.round << 32 | u64::from(number);
                self.used += 1;
                return Seen::New;
            }
            if name_of(entry as u32) == name {
                return Seen::Twice;
            }
            place = (place + 1) % PLACES;
        }
    }
}

#[inline]
fn hash(name: &[u8]) -> usize {
    let len = name.len();
    let (first, last) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (name.iter().fold(0, |sum, &b| sum << 8 | u64::from(b)), 0),
    };
    let mixed = (first ^ last.rotate_left(23) ^ len as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 54) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_use_of_a_name_is_seen_and_rounds_are_apart() {
        let names: Vec<String> = (0..300).map(|n| format!("attribute{n}")).collect();
        let mut table = KeyTable::new();
        for _ in 0..3 {
            table.start();
            for (number, name) in names.iter().enumerate() {
                let number = u32::try_from(number).expect("small");
                assert_eq!(table.add(name, number, |n| &names[n as usize]), Seen::New);
            }
            assert_eq!(table.add("attribute7", 300, |n| &names[n as usize]), Seen::Twice);
        }
    }

    #[test]
    fn a_full_table_says_so() {
        let names: Vec<String> = (0..600).map(|n| n.to_string()).collect();
        let mut table = KeyTable::new();
        table.start();
        let seen = |number: u32, table: &mut KeyTable| {
            table.add(&names[number as usize], number, |n| &names[n as usize])
        };
        assert!((0..512).all(|n| seen(n, &mut table) == Seen::New));
        assert_eq!(seen(512, &mut table), Seen::Full);
    }
}
