//! The one integration test program; a module a subject.

mod oracle;
mod support;
