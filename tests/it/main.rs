//! The one integration test program; a module a subject.

mod demo;
mod oracle;
mod support;
