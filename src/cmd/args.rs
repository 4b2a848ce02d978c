//! The command line as clap reads it.
