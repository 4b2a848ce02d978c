//! The one integration test program; a module a subject.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod asset;
mod bytes;
mod cases;
mod cli;
mod demo;
mod files;
mod oracle;
mod plain;
mod pty;
mod query;
mod query_oracle;
mod readme;
mod session;
mod support;
mod tidy;
