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
}

impl Ending {
    /// Returns the exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Found => 0,
            Self::Nothing => 1,
            Self::Refused => 2,
        }
    }
}

/// Returns whether an error means that the reader of a pipe has gone, which is no error.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
