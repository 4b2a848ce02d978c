//! The filter language, from text to matches.
//!
//! Text becomes an [`ast::Expr`] in [`parser`] (which never fails), names and values are bound by
//! [`resolve`] into a [`filter::Filter`], `exec` runs it over an index segment by segment, and
//! [`collect`] takes counts from what matched. [`ask`] is the front door for views made of chips.
//! [`naive`] evaluates the same filters one record at a time; it defines what is right.
//!
//! Nothing here draws, reads files or looks at a clock.

pub mod ast;
pub mod fields;
pub mod ops;

mod lexer;
pub mod parser;

pub mod complete;
pub mod echo;
pub mod grammar;
pub mod when;

pub mod extract;
pub mod filter;
pub mod needle;
pub mod value;

pub mod resolve;
mod suggest;

pub mod naive;

pub mod collect;
mod exec;
pub mod histogram;
pub mod matches;
mod plan;
mod ranked;

pub mod ask;
pub mod group;
pub mod search;
