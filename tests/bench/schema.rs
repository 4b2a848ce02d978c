//! How long the schema takes to decode.

use actlog::schema::catalog::Catalog;

use crate::table::{Limit, Table};
use crate::timing;

/// Measures decoding the built-in schema.
pub(crate) fn measure(table: &mut Table) {
    let seconds = timing::one(60, || Catalog::built_in().unwrap().types().len() as u64);
    table.add("decoding the schema", seconds * 1e3, "ms", Limit::Most(5.0));
}
