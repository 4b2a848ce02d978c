//! The one integration test program; a module a subject.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod asset;
mod cases;
mod demo;
mod oracle;
mod support;
mod tidy;
