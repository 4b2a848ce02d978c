//! The schema asset: complete, right as far as a test can tell, and fit to read.
//!
//! Each check is a function from an asset to its problems. The built-in asset must have none, and
//! each check is shown an asset with a planted problem that it must find.

use actlog::schema::catalog::Catalog;
use actlog::schema::load;
use serde_json::Value;

mod facts;
mod references;
mod samples;
mod texts;

const SCHEMA: &str = include_str!("../../../assets/schema.json");
const ENGLISH: &str = include_str!("../../../assets/text/en.json");

fn built_in() -> Catalog {
    Catalog::built_in().expect("the built-in schema has no faults")
}

/// Returns the built-in schema with something planted in it.
fn planted(overlay: &Value) -> Catalog {
    load::with_overlays(&[("planted", &overlay.to_string())]).expect("decodes").catalog
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Returns the texts with a member replaced or added, by JSON pointer.
fn english_with(pointer: &str, name: &str, value: Value) -> Value {
    let mut text = parsed(ENGLISH);
    text.pointer_mut(pointer).expect("is there")[name] = value;
    text
}

#[track_caller]
fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[track_caller]
fn assert_found(problems: &[String], part: &str) {
    assert!(problems.iter().any(|p| p.contains(part)), "{part} is not among {problems:#?}");
}

/// Every text of the asset with its place, as written in the file.
fn texts(english: &Value) -> Vec<(String, String)> {
    fn walk(place: &str, value: &Value, out: &mut Vec<(String, String)>) {
        match value {
            Value::String(text) => out.push((String::from(place), text.clone())),
            Value::Object(members) => {
                for (name, value) in members {
                    walk(&format!("{place}/{name}"), value, out);
                }
            }
            Value::Array(_) => {} // The forms of a word in the glossary.
            other => panic!("{place} is {other}"),
        }
    }
    let mut out = Vec::new();
    for section in ["statuses", "shared", "categories", "types", "attributes", "glossary"] {
        walk(section, &english[section], &mut out);
    }
    out
}
