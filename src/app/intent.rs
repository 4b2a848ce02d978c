//! What a pane may ask of the app.

use crate::app::pane::PaneId;
use crate::base::id::EventId;
use crate::base::time::TimeRange;

/// One wish of a pane; the app decides what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Put a chip in the place of the pane's own, or take it away, then go to a pane.
    Narrow {
        /// The field the chip is about.
        field: &'static str,
        /// The chip's text.
        chip: Option<String>,
        /// Where to go.
        then: Option<PaneId>,
    },
    /// Add a chip.
    Add(String),
    /// Give the focus to a pane.
    Focus(PaneId),
    /// Show another span of time in the timeline; nothing for all of it.
    Window(Option<TimeRange>),
    /// Show an event, lifting what hides it.
    Show(EventId),
    /// Open the documentation of an attribute or type.
    Doc {
        /// The event type it is read for.
        event_type: Option<String>,
        /// The attribute, or nothing for the type itself.
        attribute: Option<String>,
    },
    /// Tell something.
    Tell(String),
    /// Change between time and file order.
    Reorder,
}
