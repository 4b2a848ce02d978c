//! What the app may ask of the outside.

use crate::jobs::msg::{Request, Slot, Ticket};

/// One request to the shell around the model.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Start work; whatever runs in its slot is called off.
    Start(Ticket, Box<Request>),
    /// Call off the work of a slot.
    Cancel(Slot),
    /// Put text on the clipboard.
    Copy(String),
    /// Draw the screen in full.
    Redraw,
    /// Read the files anew.
    Reload,
    /// Show what is appended from now on, or stop that.
    ToggleFollow,
    /// Give the terminal back until the shell wakes us.
    Suspend,
    /// End.
    Quit,
}
