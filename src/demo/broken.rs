//! Lines that are no events, of the kinds that real logs have.

use super::rng::{Rng, reduce};

/// Lines that no reader can take for an event.
const LINES: [&[u8]; 8] = [
    b"-- rotated by logkeeper at 2026-03-08T00:00:00Z --",
    b"null",
    b"[1,2,3]",
    b"{}",
    b"{'eventType':'hist_login','eventTime':'2026-03-09T10:00:00.000Z'}",
    b"{\"eventType\":\"hist_logout\",\"eventTime\":}",
    b"{\"eventType\":\"hist_login\" \"eventTime\":\"2026-03-05T10:00:00.000Z\"}",
    b"Traceback (most recent call last):",
];

/// Puts so many broken lines between the lines of `out` that begin at `from`, or
/// behind the last.
///
/// Half of them are lines of the log cut off somewhere, which then occur whole as well.
pub(super) fn sprinkle(out: &mut Vec<u8>, from: usize, n_lines: usize, rng: &mut Rng) {
    if n_lines == 0 {
        return;
    }
    let log = out.split_off(from);
    let mut borders: Vec<usize> = vec![0];
    borders.extend(log.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1));
    let mut places: Vec<usize> =
        (0..n_lines).map(|_| borders[reduce(rng.next(), borders.len() as u32) as usize]).collect();
    places.sort_unstable();
    let mut done = 0;
    for place in places {
        out.extend_from_slice(&log[done..place]);
        done = place;
        let line = log[place..].split(|b| *b == b'\n').next().unwrap_or_default();
        if line.len() > 100 && rng.chance(500) {
            let cut = 40 + rng.below(line.len() as u32 - 60) as usize;
            out.extend_from_slice(whole_chars(&line[..cut]));
        } else {
            out.extend_from_slice(LINES[rng.below(LINES.len() as u32) as usize]);
        }
        out.push(b'\n');
    }
    out.extend_from_slice(&log[done..]);
}

/// Returns the bytes without a character that is cut in two at their end.
fn whole_chars(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Ok(_) => bytes,
        Err(error) => &bytes[..error.valid_up_to()],
    }
}
