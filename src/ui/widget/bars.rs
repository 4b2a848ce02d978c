//! Bars made of block characters, upright and lying.

use crate::ui::theme::Glyphs;

/// Returns the cell of an upright bar at `row` rows from the bottom, for `value` of `max` over
/// `rows` rows; any value above 0 shows something.
pub fn upright(glyphs: &'static Glyphs, value: u64, max: u64, row: u16, rows: u16) -> &'static str {
    let eighths = scaled(value, max, u64::from(rows) * 8);
    let below = u64::from(row) * 8;
    if eighths <= below {
        return " ";
    }
    let here = (eighths - below).min(8);
    glyphs.heights[usize::try_from(here - 1).unwrap_or(7)]
}

/// Returns a lying bar of at most `columns`, blank only for 0.
pub fn lying(glyphs: &'static Glyphs, value: u64, max: u64, columns: usize) -> String {
    let eighths = scaled(value, max, columns as u64 * 8);
    let full = usize::try_from(eighths / 8).unwrap_or(columns).min(columns);
    let mut bar = glyphs.lengths[7].repeat(full);
    if full < columns && !eighths.is_multiple_of(8) {
        bar.push_str(glyphs.lengths[usize::try_from(eighths % 8 - 1).unwrap_or(0)]);
    }
    bar
}

/// Returns `value` of `max` in `steps`, at least 1 when there is anything.
fn scaled(value: u64, max: u64, steps: u64) -> u64 {
    if value == 0 || max == 0 {
        return 0;
    }
    let exact = u128::from(value) * u128::from(steps) / u128::from(max);
    u64::try_from(exact).unwrap_or(steps).clamp(1, steps.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::UNICODE;

    #[test]
    fn one_of_a_million_is_still_seen() {
        assert_eq!(upright(&UNICODE, 1, 1_000_000, 0, 3), "▁");
        assert_eq!(lying(&UNICODE, 1, u64::MAX, 10), "▏");
    }

    #[test]
    fn bars_fill_their_room_and_no_more() {
        assert_eq!(lying(&UNICODE, 10, 10, 4), "████");
        assert_eq!(lying(&UNICODE, 5, 10, 3), "█▌");
        assert_eq!(lying(&UNICODE, 0, 10, 4), "");
        assert_eq!(lying(&UNICODE, 5, 0, 4), "");
        assert_eq!(upright(&UNICODE, 10, 10, 2, 3), "█");
        assert_eq!(upright(&UNICODE, 5, 10, 2, 3), " ");
        assert_eq!(upright(&UNICODE, 5, 10, 1, 3), "▄");
    }
}
