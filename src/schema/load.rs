//! Reading the asset and a user's own schema files; every fault is listed, none is fatal.

use std::path::Path;

use super::assemble;
use super::catalog::Catalog;
use super::overlay;
use super::raw::{RawSchema, RawText};

const FACTS: &str = include_str!("../../assets/schema.json");
/// The words, one file a language: a new language is a new file and a line here.
const TEXTS: [&str; 1] = [include_str!("../../assets/text/en.json")];

/// Something wrong in a schema file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Fault {
    /// The place as a path of keys: `types.hist_login.category`; the file's name comes first if
    /// there is one.
    pub place: String,
    /// What is wrong there.
    pub message: String,
}

impl Fault {
    pub(super) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }

    fn in_file(self, file: &str) -> Self {
        Self { place: format!("{file}: {}", self.place), message: self.message }
    }
}

/// A catalogue, and what was wrong with the user's files that went into it.
#[derive(Debug)]
pub struct Loaded {
    /// The built-in schema with all of the files that is in order.
    pub catalog: Catalog,
    /// What is not in order, by file and place.
    pub faults: Vec<Fault>,
}

/// Decodes the built-in schema.
///
/// # Errors
///
/// Lists every fault of the asset; the tests see to it that there is none.
pub fn built_in() -> Result<Catalog, Vec<Fault>> {
    let (schema, text) = raw()?;
    let (catalog, faults) = assemble::assemble(schema, text);
    if faults.is_empty() { Ok(catalog) } else { Err(faults) }
}

/// Decodes the built-in schema and lays files of the user over it, given as (name, content).
///
/// A later file wins over an earlier one. What is wrong in a file is left out and listed.
///
/// # Errors
///
/// Lists the faults of the built-in schema itself.
pub fn with_overlays(files: &[(&str, &str)]) -> Result<Loaded, Vec<Fault>> {
    let (mut schema, mut text) = raw()?;
    let mut faults = Vec::new();
    for &(name, content) in files {
        let found = overlay::apply(&mut schema, &mut text, content);
        faults.extend(found.into_iter().map(|fault| fault.in_file(name)));
    }
    let (catalog, left) = assemble::assemble(schema, text);
    faults.extend(left);
    Ok(Loaded { catalog, faults })
}

/// Reads the user's schema files and lays them over the built-in schema.
///
/// A file that cannot be read is a fault like any other.
///
/// # Errors
///
/// Lists the faults of the built-in schema itself.
pub fn open(paths: &[impl AsRef<Path>]) -> Result<Loaded, Vec<Fault>> {
    let mut contents = Vec::new();
    let mut unread = Vec::new();
    for path in paths {
        let name = path.as_ref().display().to_string();
        match std::fs::read_to_string(path) {
            Ok(content) => contents.push((name, content)),
            Err(error) => unread.push(Fault::new(name, format!("cannot be read: {error}"))),
        }
    }
    let files: Vec<_> = contents.iter().map(|(n, c)| (n.as_str(), c.as_str())).collect();
    let mut loaded = with_overlays(&files)?;
    loaded.faults.splice(0..0, unread);
    Ok(loaded)
}

fn raw() -> Result<(RawSchema, RawText), Vec<Fault>> {
    let broken = |file: &str, error: serde_json::Error| vec![Fault::new(file, error.to_string())];
    let schema = serde_json::from_str(FACTS).map_err(|e| broken("schema.json", e))?;
    let text = serde_json::from_str(TEXTS[0]).map_err(|e| broken("text/en.json", e))?;
    Ok((schema, text))
}
