//! What could be typed next at a filter prompt.

use crate::query::complete::Completion;

/// Rows of the list that are on the screen at most.
pub const ROWS: usize = 8;

/// The suggestions at the cursor of a filter prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// What could stand there, best first; empty while no list is shown.
    pub items: Vec<Completion>,
    /// The one that stands in the line now.
    pub chosen: Option<usize>,
    /// What was typed where a suggestion stands now.
    pub typed: String,
    /// Whether the list stays away until it is asked for.
    pub quiet: bool,
}

impl Suggestions {
    /// Returns whether a list is shown.
    pub const fn is_open(&self) -> bool {
        !self.items.is_empty()
    }

    /// Takes the list away.
    pub fn close(&mut self) {
        *self = Self { quiet: self.quiet, ..Self::default() };
    }

    /// Moves on, or back, past what was typed; returns where the text to put in begins, and it.
    pub fn turn(&mut self, way: Way) -> Option<(usize, String)> {
        let last = self.items.len().checked_sub(1)?;
        self.chosen = match (way, self.chosen) {
            (Way::On, None) => Some(0),
            (Way::On, Some(at)) => (at < last).then_some(at + 1),
            (Way::Back, None) => Some(last),
            (Way::Back, Some(at)) => at.checked_sub(1),
        };
        let from = self.items.first()?.span.start;
        let text = self.chosen.and_then(|at| self.items.get(at)).map(|item| item.text.clone());
        Some((from, text.unwrap_or_else(|| self.typed.clone())))
    }

    /// Returns the numbers of the items on a screen with that many rows for them.
    pub fn visible(&self, rows: usize) -> std::ops::Range<usize> {
        let at = self.chosen.unwrap_or(0);
        let start = at.saturating_sub(rows.saturating_sub(1));
        start..self.items.len().min(start + rows)
    }
}

/// Which way to go through the suggestions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the next.
    On,
    /// To the one before.
    Back,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typed_text_stands_between_the_last_suggestion_and_the_first() {
        let item = |text: &str| Completion { span: 4..5, text: text.into(), doc: String::new() };
        let mut list = Suggestions {
            items: vec![item("aa"), item("ab")],
            typed: "a".into(),
            ..Suggestions::default()
        };
        for (way, want) in [
            (Way::On, "aa"),
            (Way::On, "ab"),
            (Way::On, "a"),
            (Way::Back, "ab"),
            (Way::Back, "aa"),
            (Way::Back, "a"),
        ] {
            assert_eq!(list.turn(way), Some((4, want.to_owned())));
        }
        assert_eq!(Suggestions::default().turn(Way::On), None);
    }
}
