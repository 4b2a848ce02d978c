//! The fortnight of the demo and when people work in it.
//!
//! Instants are milliseconds since the first instant of the demo; nothing here reads a real clock.

use super::rng::Rng;

/// A minute in milliseconds.
pub(super) const MINUTE: i64 = 60_000;
/// An hour in milliseconds.
pub(super) const HOUR: i64 = 60 * MINUTE;
/// A day in milliseconds.
pub(super) const DAY: i64 = 24 * HOUR;
/// How many days a demo log covers, whatever its size.
pub(super) const DAYS: i64 = 14;
/// The first instant, a Monday.
#[cfg(test)]
pub(super) const START: &str = "2026-03-02T00:00:00Z";

/// Where people work: minutes east of UTC, and how many of 256 people.
const ZONES: [(i64, u32); 7] =
    [(60, 70), (0, 45), (-300, 55), (-480, 25), (330, 30), (540, 20), (-180, 11)];

/// How many zones there are.
pub(super) const N_ZONES: usize = ZONES.len();

/// How busy a working day is at each local hour, in hundredths of its peak.
const WORKDAY: [u32; 24] =
    [1, 1, 0, 0, 0, 1, 5, 25, 75, 100, 100, 90, 55, 80, 100, 95, 80, 50, 22, 12, 9, 7, 4, 2];

/// What machines do at any hour, in the unit of [`people_at`].
const MACHINES: u64 = 1_800;

/// Returns how busy the people of a zone are at an instant, 0 to 100.
fn busy(zone: usize, at: i64) -> u32 {
    let local = at + ZONES[zone].0 * MINUTE;
    let hour = WORKDAY[(local.rem_euclid(DAY) / HOUR) as usize];
    match local.div_euclid(DAY).rem_euclid(7) {
        5 => hour * 7 / 100,
        6 => hour * 4 / 100,
        _ => hour,
    }
}

/// Returns how busy each zone is at an instant, weighted by its people.
fn people_at(at: i64) -> [u32; N_ZONES] {
    let mut weights = [0; N_ZONES];
    for (zone, weight) in weights.iter_mut().enumerate() {
        *weight = ZONES[zone].1 * busy(zone, at);
    }
    weights
}

/// Returns how much happens at an instant.
pub(super) fn load(at: i64) -> u64 {
    people_at(at).iter().map(|w| u64::from(*w)).sum::<u64>() + MACHINES
}

/// Returns a zone in which somebody may well be at work at an instant.
pub(super) fn zone_at_work(at: i64, rng: &mut Rng) -> usize {
    let weights = people_at(at);
    let mut left = rng.below(weights.iter().sum());
    for (zone, weight) in weights.iter().enumerate() {
        if left < *weight {
            return zone;
        }
        left -= weight;
    }
    0
}

/// Returns the people of a zone as a share of all: from, to (in 256ths).
pub(super) fn zone_share(zone: usize) -> (u32, u32) {
    let from = ZONES[..zone].iter().map(|z| z.1).sum();
    (from, from + ZONES[zone].1)
}

/// Returns the day (1 is 2 March), hour and minute as an instant.
pub(super) const fn at(march: i64, hour: i64, minute: i64, second: i64) -> i64 {
    (march - 2) * DAY + hour * HOUR + minute * MINUTE + second * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_day_is_a_monday_and_zones_add_up() {
        use chrono::Datelike as _;
        let start: chrono::DateTime<chrono::Utc> = START.parse().unwrap();
        assert_eq!(start.weekday(), chrono::Weekday::Mon);
        assert_eq!(zone_share(N_ZONES - 1).1, 256);
    }

    #[test]
    fn work_happens_in_the_day_and_in_the_week() {
        let noon_in_europe = at(3, 9, 30, 0);
        assert!(load(noon_in_europe) > 2 * load(at(3, 3, 0, 0)));
        assert!(load(noon_in_europe) > 3 * load(at(8, 9, 30, 0)));
        let mut rng = Rng::new(1, 1);
        let zones: Vec<_> = (0..200).map(|_| zone_at_work(at(3, 23, 0, 0), &mut rng)).collect();
        assert!(zones.contains(&3) && zones.iter().filter(|z| **z == 0).count() < 80);
    }
}
