use super::*;

/// 2026-03-02T08:00:00Z, by `date -u -d 2026-03-02T08:00:00 +%s`.
const EIGHT: i64 = 1_772_438_400 * SECOND;

fn check(text: &str, expected: Option<(i64, TimeForm)>) {
    let found = parse_recorded(text.as_bytes()).map(|(t, form)| (t.0, form));
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn one_instant_in_many_spellings() {
    for text in [
        "2026-03-02T08:00:00Z",
        "2026-03-02T08:00:00.000Z",
        "2026-03-02T08:00:00.000000000Z",
        "2026-03-02T08:00:00.0000000004Z",
        "2026-03-02T11:00:00.000+03:00",
        "2026-03-02T00:00:00-08:00",
        "2026-03-02T08:00:00+0000",
        "2026-03-02t08:00:00z",
        "2026-03-02 08:00:00Z",
        "2026-03-02 08:00:00 +0000",
        "2026-03-02T13:30:00+05:30",
        " 2026-03-02T08:00:00Z ",
        "2026-03-03T07:59:00+23:59",
        "2026-03-02T00:00:00\u{2212}08:00",
        "2026-03-02T08:00Z",
        "2026-03-02T08:00:00,000Z",
    ] {
        check(text, Some((EIGHT, TimeForm::Plain)));
    }
}

#[test]
fn what_is_guessed_is_said() {
    check("2026-03-02T08:00:00", Some((EIGHT, TimeForm::NoZone)));
    check("2026-03-02 08:00:00 UTC", Some((EIGHT, TimeForm::NoZone)));
    check("2026-03-02 08:00:00.5", Some((EIGHT + SECOND / 2, TimeForm::NoZone)));
    for text in ["1772438400", "1772438400000", "1772438400000000", "1772438400000000000"] {
        check(text, Some((EIGHT, TimeForm::Epoch)));
    }
    check("1772438400.25", Some((EIGHT + SECOND / 4, TimeForm::Epoch)));
    check("1772438400000.5", Some((EIGHT + 500_000, TimeForm::Epoch)));
    check("1.7724384e9", Some((EIGHT, TimeForm::Epoch)));
}

#[test]
fn a_leap_second_sorts_between_its_neighbours() {
    let read = |text: &str| parse_recorded(text.as_bytes()).map(|(t, _)| t).expect("a time");
    let before = read("2016-12-31T23:59:59.999Z");
    let leap = read("2016-12-31T23:59:60Z");
    let after = read("2017-01-01T00:00:00Z");
    assert!(before < leap && leap < after);
    check("2016-12-31T23:59:60.5Z", Some((leap.0, TimeForm::LeapSecond)));
}

#[test]
fn far_years_saturate_and_stay_in_order() {
    check("9999-12-31T23:59:59Z", Some((Timestamp::MAX.0, TimeForm::FarOff)));
    check("0001-01-01T00:00:00Z", Some((Timestamp::MIN.0, TimeForm::FarOff)));
    assert!(Timestamp::MAX < Timestamp::NONE);
}

#[test]
fn what_is_no_time_is_none() {
    for text in [
        "",
        " ",
        "yesterday",
        "2026-02-30T08:00:00Z",
        "2026-13-01T08:00:00Z",
        "2026-03-02T24:00:00Z",
        "2026-03-02T08:60:00Z",
        "2026-03-02T08:00:61Z",
        "2026-03-02",
        "42",
        "0",
        "null",
        "true",
        "2026-03-02T08:00:00.Z",
        "2026-03-02T08:00:00 Mars",
        "1e400",
        "--5",
        "2026-3-2T08:00:00Z",
    ] {
        check(text, None);
    }
}

#[test]
fn the_fast_form_agrees_with_chrono() {
    for text in
        ["1999-12-31T23:59:59.1Z", "2000-02-29T12:34:56.789Z", "2100-03-01T00:00:00.000001Z"]
    {
        let by_chrono = DateTime::parse_from_rfc3339(text).expect("valid");
        check(text, Some((by_chrono.timestamp_nanos_opt().expect("near"), TimeForm::Plain)));
    }
}
