//! Headless subcommands: they print, and never draw.

pub mod args;
