//! The one integration test program; a module a subject.

mod files;
mod oracle;
mod support;
