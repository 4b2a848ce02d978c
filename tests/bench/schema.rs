//! How long the schema takes to decode, and a search of it.

use actlog::schema::catalog::Catalog;

use crate::table::{Limit, Table};
use crate::timing;

/// Measures decoding and searching the built-in schema.
pub(crate) fn measure(table: &mut Table) {
    let seconds = timing::one(60, || Catalog::built_in().unwrap().types().len() as u64);
    table.add("decoding the schema", seconds * 1e3, "ms", Limit::Most(5.0));
    let catalog = crate::log::catalog();
    let seconds = timing::one(60, || catalog.search("download workbook").len() as u64);
    table.add("searching the schema", seconds * 1e3, "ms", Limit::None);
}
