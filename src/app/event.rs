//! What wakes the loop.

use std::sync::Arc;

use crate::app::key::Key;
use crate::base::time::Timestamp;
use crate::index::Index;
use crate::jobs::msg::Update;

/// Anything that can happen to the program.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted.
    Paste(String),
    /// The terminal has a new size.
    Resize(u16, u16),
    /// The terminal went away.
    TerminalGone,
    /// The system asks to end, with a signal of this number.
    Ended(i32),
    /// The program was stopped and goes on.
    Continued,
    /// The index grew.
    Index(Arc<Index>),
    /// The end of a large file, before the rest is read.
    Tail(Arc<Index>),
    /// Bytes indexed, bytes in all, bytes per second.
    Indexing(u64, u64, u64),
    /// A file changed while it was open; in words.
    FileChanged(String),
    /// Background work has news.
    Job(Update),
    /// The clock, for what depends on it.
    Clock(Timestamp),
}
