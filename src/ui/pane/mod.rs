//! The panes as cells; each file draws the pane of the same name in `app`.

pub mod actors;
pub mod detail;
pub mod empty;
pub mod events;
pub mod list;
pub mod tail;
pub mod timeline;
pub mod types;
