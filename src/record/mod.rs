//! One record: framing, head, flattened rows, or why it is bad.
//!
//! The seam is [`head::HeadReader::read`]: a record's bytes go in, a [`head::Head`] or a
//! [`flaw::Flaw`] comes out. Nothing above this module names a JSON parser.

pub mod flat;
pub mod flaw;
pub mod frame;
pub mod head;

mod fields;
mod keys;
pub(crate) mod quick;
mod shape;
mod walk;
mod wrapper;
