//! Names stored once and spoken of by number.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// More slots than these are given back when a table is cleared.
const KEPT_SLOTS: usize = 4096;

/// A table of strings; the number of a string never changes until all are forgotten.
///
/// Cloning copies three flat buffers, so a snapshot of ten thousand names costs microseconds.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    text: String,
    ends: Vec<u32>,
    /// Open addressing: 0 is free, otherwise the string's number plus one. A power of two long.
    slots: Vec<u32>,
}

impl Interner {
    /// Returns the number of strings.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no string.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns string number `id`, or "" when there is none.
    pub fn get(&self, id: usize) -> &str {
        let end = self.ends.get(id).map_or(0, |&end| end as usize);
        let start = if id == 0 { 0 } else { self.ends.get(id - 1).map_or(0, |&e| e as usize) };
        self.text.get(start..end).unwrap_or("")
    }

    /// Returns the strings in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|id| self.get(id))
    }

    /// Returns a copy of the strings without the means to look them up.
    pub fn list(&self) -> NameList {
        NameList { text: self.text.as_str().into(), ends: self.ends.as_slice().into() }
    }

    /// Returns the number of `name`, if it is here.
    pub fn find(&self, name: &str) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot_of(name)] {
            0 => None,
            found => Some(found as usize - 1),
        }
    }

    /// Returns the number of `name`, adding it when it is new.
    ///
    /// # Errors
    /// Returns `None` when the table is full: 2^32 - 2 strings or 4 GiB of text.
    pub fn intern(&mut self, name: &str) -> Option<usize> {
        if self.ends.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.slot_of(name);
        if self.slots[slot] != 0 {
            return Some(self.slots[slot] as usize - 1);
        }
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        let number = u32::try_from(self.ends.len() + 1).ok()?;
        self.text.push_str(name);
        self.ends.push(end);
        self.slots[slot] = number;
        Some(number as usize - 1)
    }

    /// Forgets all strings; room for a few thousand is kept for those that come next.
    pub fn clear(&mut self) {
        if self.slots.len() > KEPT_SLOTS {
            *self = Self::default();
            return;
        }
        self.text.clear();
        self.ends.clear();
        self.slots.fill(0);
    }

    /// Returns the bytes of memory in use.
    pub const fn heap_bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 4 + self.slots.capacity() * 4
    }

    fn slot_of(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        let hash = FxBuildHasher.hash_one(name);
        let mut slot = (hash >> 20) as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == 0 || self.get(found as usize - 1) == name {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let new_len = (self.slots.len() * 2).max(16);
        self.slots.clear();
        self.slots.resize(new_len, 0);
        for id in 0..self.ends.len() {
            let slot = self.slot_of(self.get(id));
            self.slots[slot] = u32::try_from(id + 1).unwrap_or(0);
        }
    }
}

/// The strings of an [`Interner`] in the order of their numbers, in as little memory as they take.
#[derive(Clone, Debug, Default)]
pub struct NameList {
    text: Box<str>,
    ends: Box<[u32]>,
}

impl NameList {
    /// Returns the strings.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let range = start..end as usize;
            start = range.end;
            self.text.get(range).unwrap_or("")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_stable_and_names_come_back() {
        let mut names = Interner::default();
        let ids: Vec<_> = (0..500).map(|i| names.intern(&format!("n{i}"))).collect();
        assert_eq!(names.intern("n7"), ids[7]);
        assert_eq!(names.len(), 500);
        assert_eq!(names.get(499), "n499");
        assert_eq!(names.find("n250"), ids[250]);
        assert_eq!(names.find("absent"), None);
        assert_eq!(names.get(500), "");
        for n in [3, 9000] {
            names.clear();
            assert_eq!((names.len(), names.find("n7"), names.get(7)), (0, None, ""));
            assert_eq!(names.intern("n250"), Some(0));
            let last = (0..n).filter_map(|i| names.intern(&format!("m{i}"))).last();
            assert_eq!((last, names.find("m2")), (Some(n), Some(3)));
            assert!(names.iter().eq(names.list().iter()));
        }
    }

    #[test]
    fn the_empty_string_is_a_name() {
        let mut names = Interner::default();
        assert_eq!(names.find(""), None);
        let id = names.intern("");
        assert_eq!(names.find(""), id);
    }
}
