//! The one integration test program; a module a subject.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod demo;
mod oracle;
mod session;
mod support;
