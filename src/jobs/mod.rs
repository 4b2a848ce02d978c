//! Background work as plain functions, and two ways to run them: threads, or on the spot in tests.
//!
//! [`msg`] is the vocabulary and the only part the app may know.

pub mod msg;
