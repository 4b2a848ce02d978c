//! Words that every module uses: time, ids, interned names, bits, terminal-safe text, cancel, progress.
//!
//! No I/O here, and no other module of ours.

pub mod bits;
pub mod cancel;
pub mod id;
pub mod intern;
pub mod json;
pub mod progress;
pub mod text;
pub mod time;
pub mod zone;
