//! One line of text at the bottom of the screen, and what it is for.

use std::sync::Arc;

use crate::app::lineedit::LineEdit;
use crate::app::overlay::suggest::Suggestions;
use crate::app::pane::PaneId;
use crate::jobs::msg::Direction;
use crate::query::ask::Answer;

/// What the line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The whole filter.
    Filter,
    /// The chip of this number.
    Chip(usize),
    /// A text to search for in the events.
    Search(Direction),
    /// A text to find in the detail.
    InDetail,
    /// A time to go to.
    Time,
    /// A name to find in a pane.
    Find(PaneId),
}

impl Kind {
    /// Returns the words before the line.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Filter => "filter: ",
            Self::Chip(_) => "chip: ",
            Self::Search(Direction::Forward) => "/",
            Self::Search(Direction::Backward) => "search backward: ",
            Self::InDetail => "find in event: ",
            Self::Time => "go to time: ",
            Self::Find(PaneId::Actors) => "find actor: ",
            Self::Find(_) => "find type: ",
        }
    }

    /// Returns whether the text is a filter, which is counted while it is typed.
    pub const fn is_filter(self) -> bool {
        matches!(self, Self::Filter | Self::Chip(_))
    }
}

/// The state of the prompt.
#[derive(Debug)]
pub struct Prompt {
    /// What the line is for.
    pub kind: Kind,
    /// The line.
    pub line: LineEdit,
    /// What the filter typed so far would show; the last good one.
    pub preview: Option<Arc<Answer>>,
    /// What is wrong with the text.
    pub error: Option<String>,
    /// What could be typed next, at a filter prompt.
    pub suggestions: Suggestions,
}

impl Prompt {
    /// Returns a prompt with `text` in it.
    pub fn new(kind: Kind, text: &str) -> Self {
        let line = LineEdit::with(text);
        Self { kind, line, preview: None, error: None, suggestions: Suggestions::default() }
    }
}
