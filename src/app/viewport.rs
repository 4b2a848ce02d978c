//! Cursor and window of a list: one reducer for every list whose rows are one line high.

use crate::app::action::Move;

/// Where the cursor is and which rows are seen. `top <= cursor < top + height` once fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Viewport {
    /// The row under the cursor.
    pub cursor: usize,
    /// The first row seen.
    pub top: usize,
}

impl Viewport {
    /// Moves as asked, `count` times, in a list of `len` rows of which `height` fit.
    pub fn apply(&mut self, step: Move, count: usize, len: usize, height: usize) {
        let page = height.max(2) - 1;
        let half = (height / 2).max(1);
        self.cursor = match step {
            Move::Down => self.cursor.saturating_add(count),
            Move::Up => self.cursor.saturating_sub(count),
            Move::PageDown => self.cursor.saturating_add(page.saturating_mul(count)),
            Move::PageUp => self.cursor.saturating_sub(page.saturating_mul(count)),
            Move::HalfDown => self.cursor.saturating_add(half.saturating_mul(count)),
            Move::HalfUp => self.cursor.saturating_sub(half.saturating_mul(count)),
            Move::Top => count.saturating_sub(1),
            Move::Bottom => len,
            Move::Left | Move::Right => self.cursor,
        };
        match step {
            Move::PageDown => self.top = self.top.saturating_add(page.saturating_mul(count)),
            Move::PageUp => self.top = self.top.saturating_sub(page.saturating_mul(count)),
            _ => {}
        }
        self.fit(len, height);
    }

    /// Puts cursor and window back inside the list, moving the window as little as possible.
    pub fn fit(&mut self, len: usize, height: usize) {
        let height = height.max(1);
        self.cursor = self.cursor.min(len.saturating_sub(1));
        self.top = self.top.min(len.saturating_sub(height));
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(height));
    }

    /// Returns the rows seen.
    pub fn rows(&self, len: usize, height: usize) -> std::ops::Range<usize> {
        self.top.min(len)..self.top.saturating_add(height).min(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(start: (usize, usize), step: Move, count: usize, len: usize) -> (usize, usize) {
        let mut view = Viewport { top: start.0, cursor: start.1 };
        view.apply(step, count, len, 10);
        (view.top, view.cursor)
    }

    #[test]
    fn moves_keep_the_cursor_in_the_window() {
        for (start, step, count, len, want) in [
            ((0, 0), Move::Down, 1, 100, (0, 1)),
            ((0, 9), Move::Down, 1, 100, (1, 10)),
            ((5, 5), Move::Up, 1, 100, (4, 4)),
            ((0, 0), Move::Up, 1, 100, (0, 0)),
            ((0, 3), Move::PageDown, 1, 100, (9, 12)),
            ((9, 12), Move::PageUp, 1, 100, (0, 3)),
            ((0, 0), Move::Bottom, 1, 100, (90, 99)),
            ((90, 99), Move::Top, 1, 100, (0, 0)),
            ((0, 0), Move::Top, 42, 100, (32, 41)),
            ((0, 0), Move::Down, 5, 3, (0, 2)),
            ((0, 0), Move::Down, 1, 0, (0, 0)),
            ((0, 0), Move::HalfDown, 2, 100, (1, 10)),
            ((90, 95), Move::PageDown, 1, 100, (90, 99)),
            ((0, 0), Move::Down, usize::MAX, 100, (90, 99)),
        ] {
            assert_eq!(check(start, step, count, len), want, "{start:?} {step:?} {count} of {len}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_list_in_any_window_shows_its_cursor(
            top in 0_usize..300, cursor in 0_usize..300, len in 0_usize..200, height in 0_usize..50,
        ) {
            let mut view = Viewport { top, cursor };
            view.fit(len, height);
            if len > 0 {
                assert!(view.cursor < len);
                assert!(view.rows(len, height.max(1)).contains(&view.cursor));
            } else {
                assert_eq!(view, Viewport::default());
            }
        }
    }
}
