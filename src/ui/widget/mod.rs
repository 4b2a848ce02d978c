//! Pieces that several panes draw with. They know the buffer, not the model.

pub mod bars;
pub mod line;
