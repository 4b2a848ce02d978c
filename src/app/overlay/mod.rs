//! What can lie on top of the panes: prompts, lists of choices, texts.

pub mod chips;
pub mod choices;
pub mod doc;
pub mod prompt;
pub mod suggest;

use crate::app::keymap::Context;
use crate::app::viewport::Viewport;

/// One overlay; the topmost is given the actions.
#[derive(Debug)]
pub enum Overlay {
    /// A line of text at the bottom.
    Prompt(prompt::Prompt),
    /// Help or palette.
    Choices(choices::Choices),
    /// The chips.
    Chips(chips::Chips),
    /// Bad records.
    Problems(Viewport),
    /// Documentation.
    Doc(doc::Doc),
}

impl Overlay {
    /// Returns the contexts whose keys hold while this is on top, the most special first.
    pub const fn contexts(&self) -> &'static [Context] {
        match self {
            Self::Prompt(_) => &[Context::Prompt],
            Self::Choices(_) => &[Context::Choices, Context::Prompt],
            Self::Chips(_) => &[Context::Chips, Context::List],
            Self::Problems(_) | Self::Doc(_) => &[Context::Reading, Context::List],
        }
    }
}
