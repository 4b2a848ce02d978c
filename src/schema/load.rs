//! Reading the asset and a user's own schema files; every fault is listed, none is fatal.

use std::path::Path;

use super::assemble;
use super::catalog::Catalog;
use super::overlay;
use super::raw::{RawSchema, RawText};

const FACTS: &str = include_str!("../../assets/schema.json");
/// The words: codes of languages with what is in their files, English first.
const TEXTS: &[(&str, &str)] = &include!("../../assets/text/languages.in");

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

/// Returns the codes of the languages there are words in, such as `en`; English is the first.
pub fn languages() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|&(code, _)| code)
}

/// Decodes the built-in schema and lays files of the user over it, given as (name, content).
///
/// A later file wins over an earlier one. What is wrong in a file is left out and listed.
///
/// # Errors
///
/// Lists the faults of the built-in schema itself.
pub fn with_overlays(files: &[(&str, &str)]) -> Result<Loaded, Vec<Fault>> {
    layered(None, files)
}

/// Lays the words of another language and then the files of the user over the English schema: what
/// a language does not say is said in English.
fn layered(words: Option<(&str, &str)>, files: &[(&str, &str)]) -> Result<Loaded, Vec<Fault>> {
    let (mut schema, mut text) = raw()?;
    let mut faults = Vec::new();
    if let Some((code, content)) = words {
        let found = overlay::apply_words(&mut text, content);
        let file = format!("text/{code}.json");
        faults.extend(found.into_iter().map(|fault| fault.in_file(&file)));
    }
    for &(name, content) in files {
        let found = overlay::apply(&mut schema, &mut text, content);
        faults.extend(found.into_iter().map(|fault| fault.in_file(name)));
    }
    let (catalog, left) = assemble::assemble(schema, text);
    faults.extend(left);
    Ok(Loaded { catalog, faults })
}

/// Reads the user's schema files and lays them over the built-in schema, whose words are in
/// `language`: one of [`languages`].
///
/// A file that cannot be read is a fault like any other, and so is a language that is not there.
///
/// # Errors
///
/// Lists the faults of the built-in schema itself.
pub fn open(language: &str, paths: &[impl AsRef<Path>]) -> Result<Loaded, Vec<Fault>> {
    let mut contents = Vec::new();
    let mut unread = Vec::new();
    let words = TEXTS.iter().copied().find(|&(code, _)| code == language);
    if words.is_none() {
        unread.push(Fault::new(language, "there are no words in this language"));
    }
    for path in paths {
        let name = path.as_ref().display().to_string();
        match std::fs::read_to_string(path) {
            Ok(content) => contents.push((name, content)),
            Err(error) => unread.push(Fault::new(name, format!("cannot be read: {error}"))),
        }
    }
    let files: Vec<_> = contents.iter().map(|(n, c)| (n.as_str(), c.as_str())).collect();
    // English lies below all others anyway.
    let words = words.filter(|&(code, _)| code != TEXTS[0].0);
    let mut loaded = layered(words, &files)?;
    loaded.faults.splice(0..0, unread);
    Ok(loaded)
}

fn raw() -> Result<(RawSchema, RawText), Vec<Fault>> {
    let broken = |file: &str, error: serde_json::Error| vec![Fault::new(file, error.to_string())];
    let schema = serde_json::from_str(FACTS).map_err(|e| broken("schema.json", e))?;
    let text = serde_json::from_str(TEXTS[0].1).map_err(|e| broken("text/en.json", e))?;
    Ok((schema, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_says_what_it_has_and_english_the_rest() {
        let words = r#"{"language": "xx", "categories": {"content": "Dinge"},
            "types": {"hist_login": {"title": "Drinnen", "summary": 7}}}"#;
        let loaded = layered(Some(("xx", words)), &[]).unwrap();
        let english = built_in().unwrap();
        let (ours, theirs) = (loaded.catalog.find("hist_login"), english.find("hist_login"));
        assert_eq!(ours.unwrap().title, "Drinnen");
        assert_eq!(ours.unwrap().summary, theirs.unwrap().summary);
        let places: Vec<_> = loaded.faults.iter().map(|fault| fault.place.as_str()).collect();
        assert_eq!(places, ["text/xx.json: types.hist_login.summary"]);
    }

    #[test]
    fn every_file_of_words_is_a_language() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/text");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| {
                entry
                    .unwrap()
                    .file_name()
                    .into_string()
                    .unwrap()
                    .strip_suffix(".json")
                    .map(str::to_owned)
            })
            .collect();
        files.sort();
        let mut codes: Vec<_> = languages().collect();
        assert_eq!(codes[0], "en");
        codes.sort_unstable();
        assert_eq!(codes, files);
        for code in codes {
            assert_eq!(open(code, &[""; 0]).unwrap().faults, []);
        }
        assert_eq!(open("xx", &[""; 0]).unwrap().faults.len(), 1);
    }
}
