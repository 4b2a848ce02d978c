//! The five panes: plain structs, each with its state and its decisions, none with a screen.

pub mod actors;
pub mod chip;
pub mod detail;
pub mod events;
pub mod finder;
pub mod timeline;
pub mod types;

use crate::app::data::Data;
use crate::app::keymap::Context;

/// Which pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaneId {
    /// The event types.
    Types,
    /// The actors.
    Actors,
    /// The histogram.
    Timeline,
    /// The list.
    #[default]
    Events,
    /// The focused event.
    Detail,
}

impl PaneId {
    /// Every pane, in the order Tab goes.
    pub const ALL: [Self; 5] =
        [Self::Types, Self::Actors, Self::Timeline, Self::Events, Self::Detail];

    /// Returns the pane `steps` further on, around the ring.
    pub fn turn(self, steps: isize) -> Self {
        let here = Self::ALL.iter().position(|&pane| pane == self).unwrap_or(0);
        let there = (here.cast_signed() + steps).rem_euclid(Self::ALL.len().cast_signed());
        Self::ALL[there.cast_unsigned()]
    }

    /// Returns the context of the pane's own keys.
    pub const fn context(self) -> Context {
        match self {
            Self::Types => Context::Types,
            Self::Actors => Context::Actors,
            Self::Timeline => Context::Timeline,
            Self::Events => Context::Events,
            Self::Detail => Context::Detail,
        }
    }
}

/// The state of all panes.
#[derive(Debug, Default)]
pub struct Panes {
    /// The event types.
    pub types: types::Types,
    /// The actors.
    pub actors: actors::Actors,
    /// The histogram.
    pub timeline: timeline::Timeline,
    /// The list.
    pub events: events::Events,
    /// The focused event.
    pub detail: detail::DetailPane,
}

/// What a pane's update is given besides itself.
pub struct Ctx<'a> {
    /// What may be read.
    pub data: &'a Data,
    /// The chip that the pane has set, if any.
    pub chip: Option<&'a str>,
    /// The count typed before the key, at least 1.
    pub count: usize,
    /// Rows of the pane's list.
    pub rows: usize,
    /// Columns of the pane.
    pub columns: usize,
}
