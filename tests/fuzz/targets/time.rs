//! Any text as a time: never a panic, and what RFC 3339 allows is the instant chrono says.
//!
//! An input holds one or two texts with a line feed between them.

#![no_main]

use actlog::base::time::{Timestamp, clock_text, parse_recorded, to_utc};
use chrono::{DateTime, FixedOffset, Timelike as _};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (first, second) = match data.iter().position(|&b| b == b'\n') {
        Some(feed) => (&data[..feed], &data[feed + 1..]),
        None => (data, &b""[..]),
    };
    if let (Some((a, ours_a)), Some((b, ours_b))) = (check(first), check(second)) {
        let order = a.cmp(&b);
        if a.nanosecond() < 1_000_000_000 && b.nanosecond() < 1_000_000_000 {
            assert_eq!(order, ours_a.cmp(&ours_b), "{a} {b}");
        } else if order.is_lt() {
            assert!(ours_a <= ours_b, "{a} {b}");
        }
    }
});

/// Returns the instant as chrono and as we read it, when both can tell it to the nanosecond.
fn check(text: &[u8]) -> Option<(DateTime<FixedOffset>, Timestamp)> {
    let ours = parse_recorded(text).map(|(time, _)| time);
    if let Some(time) = ours {
        assert!(time.is_some(), "an instant is never `NONE`");
        assert!(!clock_text(time).is_empty());
        let shown = time.to_rfc3339();
        assert_eq!(parse_recorded(shown.as_bytes()).map(|(time, _)| time), Some(time), "{shown}");
        assert_eq!(to_utc(time).and_utc().timestamp_nanos_opt(), Some(time.0));
        for width in [1, 1_000_000_000, 86_400_000_000_000] {
            assert!(time.floor(width) <= time);
        }
    }
    let text = std::str::from_utf8(text).ok()?;
    let theirs = DateTime::parse_from_rfc3339(text).ok()?;
    let Some(ours) = ours else { panic!("refused: {text:?} is {theirs}") };
    let Some(nanos) = theirs.timestamp_nanos_opt() else {
        assert!(ours == Timestamp::MIN || ours == Timestamp::MAX, "{text:?} is far off");
        return None;
    };
    if nanos == i64::MAX {
        // The last nanosecond that fits stands for no time, so it is told as the one before.
        assert_eq!(ours, Timestamp::MAX);
        return None;
    }
    if theirs.nanosecond() < 1_000_000_000 {
        assert_eq!(ours.0, nanos, "{text:?}");
    }
    Some((theirs, ours))
}
