//! The one integration test program; a module a subject.

mod asset;
mod oracle;
mod support;
