//! The fortnight cut into slices that can be written independently, each with its share of events.

use super::clock::{self, DAY, DAYS};

/// The most events a slice should have on average, which bounds the memory in use.
const AIM: u64 = 4_096;
/// The fewest slices: one an hour.
const FEWEST: u64 = 24 * DAYS as u64;

/// How a log's events are spread over time.
#[derive(Debug)]
pub(super) struct Slices {
    n_slices: u64,
    /// How much happens up to the start of each slice.
    cumulated: Vec<u64>,
}

/// A stretch of time and what to put in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    /// Its number.
    pub(super) number: u64,
    /// Its first instant.
    pub(super) from: i64,
    /// The first instant after it.
    pub(super) to: i64,
    /// How many events it has beside the agenda's.
    pub(super) events: usize,
    /// How many broken lines it has.
    pub(super) bad: usize,
}

impl Slices {
    /// Cuts the fortnight for a log of so many events.
    pub(super) fn new(events: u64) -> Self {
        let n_slices = FEWEST * events.div_ceil(FEWEST * AIM).max(1);
        let mut cumulated = Vec::with_capacity(n_slices as usize + 1);
        let mut sum = 0;
        cumulated.push(0);
        for number in 0..n_slices {
            let middle = (border(number, n_slices) + border(number + 1, n_slices)) / 2;
            sum += clock::load(middle);
            cumulated.push(sum);
        }
        Self { n_slices, cumulated }
    }

    /// Returns how many slices there are.
    pub(super) const fn len(&self) -> u64 {
        self.n_slices
    }

    /// Returns a slice with its share of so many events and broken lines.
    pub(super) fn get(&self, number: u64, events: u64, bad: u64) -> Slice {
        let at = number as usize;
        let (before, after) = (self.cumulated[at], self.cumulated[at + 1]);
        let all = self.cumulated[self.n_slices as usize];
        let share = |n: u64| part(n, after, all) - part(n, before, all);
        Slice {
            number,
            from: border(number, self.n_slices),
            to: border(number + 1, self.n_slices),
            events: share(events) as usize,
            bad: share(bad) as usize,
        }
    }
}

const fn border(number: u64, n_slices: u64) -> i64 {
    (DAYS as u64 * DAY as u64 * number / n_slices) as i64
}

fn part(n: u64, of: u64, all: u64) -> u64 {
    (u128::from(n) * u128::from(of) / u128::from(all)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_cover_all_time_and_every_event_once() {
        for (events, bad) in [(0, 0), (1, 3), (59_877, 100), (5_000_000, 7)] {
            let slices = Slices::new(events);
            let all: Vec<_> = (0..slices.len()).map(|n| slices.get(n, events, bad)).collect();
            assert_eq!(all.iter().map(|s| s.events as u64).sum::<u64>(), events);
            assert_eq!(all.iter().map(|s| s.bad as u64).sum::<u64>(), bad);
            assert_eq!((all[0].from, all[all.len() - 1].to), (0, DAYS * DAY));
            assert!(all.windows(2).all(|pair| pair[0].to == pair[1].from));
        }
    }
}
