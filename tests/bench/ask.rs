//! How long a question takes.

use crate::table::Table;

/// Measures a question of the explorer at one and at ten million events.
pub(crate) fn measure(_table: &mut Table) {}
