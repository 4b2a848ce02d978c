//! actlog: a terminal explorer for Tableau Cloud Activity Log files.
//!
//! Read the modules in this order; each may use only those above it.

pub mod base;

pub mod record;
pub mod schema;
pub mod source;

pub mod demo;
pub mod index;

pub mod export;
pub mod query;

pub mod cmd;
pub mod jobs;

pub mod app;
pub mod ui;

pub mod tui;
