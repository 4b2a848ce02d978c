//! The data asset: what an event of each type may contain, and what it means.
//!
//! `assets/schema.json` holds the facts, `assets/text/en.json` the words. [`catalog::Catalog`] is
//! both, decoded and linked.

mod assemble;
pub mod catalog;
pub mod conform;
pub mod decode;
pub mod load;
pub mod model;
mod overlay;
pub mod page;
mod raw;
pub mod search;
