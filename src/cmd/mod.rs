//! Headless subcommands: they print, and never draw.

pub mod args;
pub mod schema;
