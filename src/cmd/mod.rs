//! Headless subcommands: they print, and never draw.
//!
//! Standard output carries only results; what concerns the run goes to standard error.

pub mod args;
pub mod count;
pub mod demo;
pub mod keys;
pub mod load;
pub mod query;
pub mod run;
pub mod schema;
pub mod stats;

/// How a command ended, and so the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Something was found: 0.
    Found,
    /// Nothing was found: 1.
    Nothing,
    /// Something could not be read, but all else was: 2.
    Refused,
    /// A signal of this number ended it: 128 and the number.
    Signal(u8),
}

impl Ending {
    /// Returns the exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Found => 0,
            Self::Nothing => 1,
            Self::Refused => 2,
            Self::Signal(number) => number.saturating_add(128),
        }
    }
}

/// Returns whether an error means that the reader of a pipe has gone, which is no error.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    use std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(|e| e.io_error_kind());
        io == Some(BrokenPipe) || json == Some(BrokenPipe)
    })
}
