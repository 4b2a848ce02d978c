use super::*;
use crate::base::time::parse_recorded;

const MIN: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MIN;
const DAY: i64 = 24 * HOUR;

fn at(text: &str) -> Timestamp {
    parse_recorded(text.as_bytes()).unwrap().0
}

fn line(start: &str, width: i64, n: usize, columns: u16, zone: &str) -> String {
    let bars = Bars { start: at(start), width, n, columns };
    let mut line = String::new();
    for (column, words) in labels(bars, n * usize::from(columns), Zone::parse(zone).unwrap()) {
        line += &" ".repeat(column - line.chars().count());
        line += &words;
    }
    line
}

#[test]
fn labels_say_when_a_bar_begins_and_only_what_is_new() {
    for (start, width, n, columns, zone, want) in [
        // Two weeks by day.
        (
            "2026-03-02T00:00:00Z",
            DAY,
            14,
            5,
            "UTC",
            "02 Mar    Wed 04    Fri 06    Sun 08    Tue 10    Thu 12    Sat 14",
        ),
        // Some hours; midnight is a day.
        ("2026-03-02T18:00:00Z", HOUR, 12, 3, "UTC", "Mon 02 Mar 18:00  Tue 03   03:00"),
        // Fractions of a second.
        (
            "2026-03-02T09:00:00Z",
            50_000_000,
            20,
            4,
            "UTC",
            "Mon 02 Mar 09:00:00.000         09:00:00.400    09:00:00.600    09:00:00.800",
        ),
        // Years.
        (
            "2019-12-30T00:00:00Z",
            364 * DAY,
            8,
            6,
            "UTC",
            "      2020  2021  2022  2023  2024  2025  2026",
        ),
        // Another zone: its own midnights.
        (
            "2026-03-01T23:00:00Z",
            6 * HOUR,
            12,
            4,
            "Europe/Berlin",
            "Mon 02 Mar      Tue 03  12:00   Wed 04  12:00",
        ),
    ] {
        assert_eq!(line(start, width, n, columns, zone), want);
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The part of a label that the ones after it take for granted, and the rest.
fn is_day(words: &str) -> bool {
    words.contains(|c: char| c.is_ascii_alphabetic())
}

#[test]
fn labels_fit_are_apart_and_differ_at_every_width() {
    let widths = [
        20_000,
        500_000,
        2_000_000,
        50_000_000,
        200_000_000,
        SECOND,
        5 * SECOND,
        30 * SECOND,
        MIN,
        10 * MIN,
        15 * MIN,
        30 * MIN,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
        DAY,
        2 * DAY,
        7 * DAY,
        14 * DAY,
        28 * DAY,
        91 * DAY,
        182 * DAY,
        364 * DAY,
        1_820 * DAY,
        3_640 * DAY,
    ];
    let starts = ["2026-03-02T00:00:00Z", "2026-10-24T09:37:30Z", "1999-12-30T23:59:59.5Z"];
    for width in widths {
        for (n, columns) in [(8, 1), (20, 1), (30, 2), (57, 1), (60, 3), (13, 6), (40, 4), (200, 1)]
        {
            for zone in ["UTC", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"] {
                for start in starts {
                    check(Bars { start: at(start), width, n, columns }, zone);
                }
            }
        }
    }
}

fn check(bars: Bars, zone: &str) {
    let room = bars.n * usize::from(bars.columns);
    let labels = labels(bars, room, Zone::parse(zone).unwrap());
    let told = format!("{bars:?} {zone}: {labels:?}");
    if 10 <= room {
        assert!(!labels.is_empty(), "{told}");
    }
    let mut free = 0;
    let mut seen = std::collections::HashSet::new();
    let [mut year, mut month, mut day] = [const { String::new() }; 3];
    for (column, words) in &labels {
        assert!(free <= *column && column + words.len() <= room, "{told}");
        free = column + words.len() + GAP;
        let has_month = MONTHS.iter().any(|name| words.contains(name));
        if words.split(' ').any(|part| part.len() == 4) {
            year.clone_from(words);
        }
        let known = match (has_month, is_day(words)) {
            (true, _) => year.clone(),
            (false, true) => month.clone(),
            (false, false) => format!("{month} {day}"),
        };
        if has_month {
            month.clone_from(words);
        }
        if is_day(words) {
            day.clone_from(words);
        }
        assert!(seen.insert((known, words.clone())), "{words} twice: {told}");
    }
    // The first label tells the day, the month or the year where there is room for it.
    if let Some((0, first)) = labels.first()
        && 24 <= room
    {
        let is_year = first.len() == 4;
        assert!(is_day(first) || is_year, "{told}");
    }
    // A screen that is wide enough has several.
    if 60 <= room {
        assert!(2 <= labels.len(), "{told}");
    }
}
