use super::*;
use crate::base::time::parse_recorded;

fn at(text: &str) -> Timestamp {
    parse_recorded(text.as_bytes()).unwrap().0
}

fn zone(name: &str) -> Zone {
    Zone::parse(name).unwrap()
}

fn civil(text: &str) -> NaiveDateTime {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap()
}

#[test]
fn zones_are_read_by_name_in_any_case_or_as_an_offset() {
    assert_eq!(zone("utc"), Zone::Utc);
    assert_eq!(zone("europe/berlin").name(), "Europe/Berlin");
    assert_eq!(zone("+0530"), Zone::Fixed(19_800));
    assert_eq!(zone("-03").name(), "-03:00");
    for wrong in ["", "Mars/Base", "+5", "+25:00", "+05:60", "+ab:cd"] {
        assert_eq!(Zone::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn clocks_follow_the_changes_of_the_year() {
    for (name, instant, shown) in [
        ("Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29 01:59:59 CET"),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29 03:00:00 CEST"),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25 02:59:59 CEST"),
        ("Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25 02:00:00 CET"),
        ("America/New_York", "2026-03-08T07:00:00Z", "2026-03-08 03:00:00 EDT"),
        ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "2026-04-05 01:30:00 +10:30"),
        ("Asia/Kolkata", "2026-03-02T18:45:00Z", "2026-03-03 00:15:00 IST"),
        ("America/Sao_Paulo", "2026-03-02T02:00:00Z", "2026-03-01 23:00:00 -03:00"),
        ("+05:30", "2026-03-02T20:00:00Z", "2026-03-03 01:30:00 +05:30"),
    ] {
        let (zone, t) = (zone(name), at(instant));
        let got = format!("{} {}", zone.format(t, "%Y-%m-%d %H:%M:%S"), zone.short(t));
        assert_eq!(got, shown, "{name} {instant}");
    }
}

#[test]
fn a_typed_clock_leads_to_its_instant() {
    for (name, typed, instant) in [
        ("UTC", "2026-03-02 09:30", "2026-03-02T09:30:00Z"),
        ("Europe/Berlin", "2026-07-01 09:30", "2026-07-01T07:30:00Z"),
        // Shown twice: the first time counts.
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T00:30:00Z"),
        // Never shown: the moment clocks went forward.
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:00:00Z"),
        // A day without a midnight.
        ("America/Sao_Paulo", "2018-11-04 00:00", "2018-11-04T03:00:00Z"),
        // A day that was left out.
        ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00Z"),
    ] {
        assert_eq!(zone(name).instant(civil(typed)), at(instant), "{name} {typed}");
    }
}

#[test]
fn days_begin_at_the_zones_midnight() {
    let berlin = zone("Europe/Berlin");
    assert_eq!(berlin.midnight(at("2026-03-29T12:00:00Z")), at("2026-03-28T23:00:00Z"));
    assert_eq!(berlin.midnight(at("2026-03-30T12:00:00Z")), at("2026-03-29T22:00:00Z"));
    assert_eq!(berlin.midnight(at("2026-03-29T22:30:00Z")), at("2026-03-29T22:00:00Z"));
}

#[test]
fn a_copied_time_names_its_offset() {
    let t = at("2026-07-01T09:00:00.250Z");
    assert_eq!(Zone::Utc.rfc3339(t), "2026-07-01T09:00:00.250Z");
    assert_eq!(zone("Europe/Berlin").rfc3339(t), "2026-07-01T11:00:00.250+02:00");
}

#[test]
fn the_ends_of_time_are_told_in_words_in_every_zone() {
    for zone in [Zone::Utc, zone("Asia/Tokyo"), Zone::Fixed(-86_340)] {
        assert_eq!(zone.clock(Timestamp::MIN), "before 1677");
        assert_eq!(zone.format(Timestamp::MAX, "%Y"), "after 2262");
        let _nearly = (zone.civil(Timestamp(i64::MIN + 1)), zone.civil(Timestamp(i64::MAX - 2)));
        let _day = (zone.midnight(Timestamp::MIN), zone.midnight(Timestamp::MAX));
    }
}

proptest::proptest! {
    /// From an instant to the clock and back is the instant, or the other one of the same clock.
    #[test]
    fn instants_come_back(seconds in -2_000_000_000_i64..4_000_000_000, at in 0_usize..400) {
        let zone = Zone::Named(TZ_VARIANTS[at % TZ_VARIANTS.len()]);
        let t = Timestamp(seconds * SECOND);
        let back = zone.instant(zone.civil(t));
        assert_eq!(zone.civil(back), zone.civil(t), "{}", zone.name());
        assert!(back <= t, "{}: the first of two", zone.name());
    }
}
