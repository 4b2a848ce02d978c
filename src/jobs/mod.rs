//! Background work as plain functions, and two ways to run them: threads, or on the spot in tests.
//!
//! [`msg`] is the vocabulary and the only part the app may know.

pub mod detail;
pub mod inline;
pub mod labels;
pub mod lists;
pub mod msg;
pub mod problems;
pub mod run;
pub mod threads;
