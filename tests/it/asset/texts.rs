//! The texts are complete, short, said once, and in English.

use std::collections::BTreeMap;

use actlog::schema::catalog::Catalog;
use serde_json::{Value, json};

use super::{
    ENGLISH, SCHEMA, assert_found, assert_none, built_in, english_with, parsed, planted, texts,
};

/// What is missing, said twice, too long or badly set.
fn text_problems(catalog: &Catalog, english: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for one in catalog.types() {
        let english = &english["types"][&one.name];
        for member in ["title", "summary"] {
            if english[member].as_str().is_none_or(str::is_empty) {
                out.push(format!("types/{}/{member} is missing", one.name));
            }
        }
    }
    for one in catalog.attributes() {
        if one.summary.is_empty() {
            out.push(format!("attributes/{}/summary is missing", one.key));
        }
        for value in one.values.iter().filter(|value| value.text.is_empty()) {
            out.push(format!("attributes/{}/values/{} has no text", one.key, value.code));
        }
    }
    for (place, text) in texts(english) {
        let limit = limit(&place);
        if text.chars().count() > limit {
            out.push(format!("{place} is longer than {limit}"));
        }
        let untidy = text.trim() != text || text.contains("  ") || text.contains(char::is_control);
        if untidy || text.is_empty() {
            out.push(format!("{place} is empty or untidy"));
        }
        // Sentences end with a full stop; what names a thing does not.
        let names = place.starts_with("attributes/") && !place.ends_with("/notes")
            || place.ends_with("/title")
            || place.starts_with("categories/");
        if text.ends_with('.') == names && !text.ends_with('}') {
            out.push(format!("{place} has a full stop it should not, or none"));
        }
    }
    out.extend(repeated(english));
    out
}

fn limit(place: &str) -> usize {
    let section = place.split('/').next().unwrap_or_default();
    let member = place.rsplit('/').next().unwrap_or_default();
    match (section, member) {
        ("categories", _) => 40,
        ("types", "title") => 48,
        ("types", "summary") => 140,
        ("types", "notes") => 900,
        ("attributes", "summary") => 120,
        ("attributes", "notes") => 600,
        ("attributes" | "statuses" | "shared", _) => 200,
        _ => 400,
    }
}

/// Texts that are written twice though they could be shared or one.
fn repeated(english: &Value) -> Vec<String> {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut out = Vec::new();
    for (place, text) in texts(english) {
        let parts: Vec<&str> = place.split('/').collect();
        // A summary must be the only one of its name; titles and notes must be the only ones.
        let scope = match parts.as_slice() {
            ["types", _, "title"] => String::from("title"),
            ["types", _, "summary"] => String::from("type"),
            ["attributes", key, "summary"] => {
                format!("attribute {}", key.split('@').next().unwrap_or(key))
            }
            // A note of shared sentences only repeats nothing.
            [.., "notes"] if !(text.starts_with('{') && text.ends_with('}')) => {
                String::from("notes")
            }
            ["glossary", ..] | ["shared", ..] => String::from("sentence"),
            _ => continue,
        };
        if let Some(first) = seen.insert(format!("{scope}: {text}"), place.clone()) {
            out.push(format!("{place} repeats {first}"));
        }
    }
    out
}

#[test]
fn the_texts_are_complete_short_and_said_once() {
    assert_none(&text_problems(&built_in(), &parsed(ENGLISH)));
}

#[test]
fn a_bad_text_is_found() {
    let found = |pointer: &str, name: &str, text: &str| {
        text_problems(&built_in(), &english_with(pointer, name, json!(text)))
    };
    let login = "/types/hist_login";
    assert_found(&found(login, "summary", &format!("{}.", "x".repeat(140))), "longer than 140");
    assert_found(&found(login, "title", "Signed out"), "types/hist_logout/title repeats");
    assert_found(&found(login, "summary", ""), "types/hist_login/summary is missing");
    assert_found(&found(login, "summary", "Two  blanks."), "untidy");
    assert_found(&found(login, "notes", "No stop"), "full stop");
    let name = "/attributes/name@workbook";
    assert_found(&found(name, "summary", "Name of the view"), "repeats");
    let overlay = json!({"attributes": {"state@task": {"values": {"7": "asleep"}}}});
    let problems = text_problems(&planted(&overlay), &parsed(ENGLISH));
    assert_found(&problems, "attributes/state@task/values/7 has no text");
    let overlay = json!({"attributes": {"zzz": {"type": "string"}}});
    assert_found(&text_problems(&planted(&overlay), &parsed(ENGLISH)), "zzz/summary is missing");
}

/// Common words of German and Dutch that are no English words.
const FOREIGN: [&str; 60] = [
    "aan",
    "abgelaufen",
    "als",
    "anmelden",
    "arbeitsmappe",
    "auf",
    "aus",
    "beheerder",
    "benutzer",
    "bestimmt",
    "bij",
    "beschreibung",
    "beschrijving",
    "databron",
    "das",
    "datenquelle",
    "dem",
    "den",
    "der",
    "des",
    "deze",
    "dieses",
    "ein",
    "eine",
    "een",
    "eigenaar",
    "eigent",
    "ereignis",
    "fehler",
    "für",
    "gebeurtenis",
    "gebruiker",
    "gibt",
    "gruppe",
    "het",
    "hinweise",
    "ist",
    "kenmerk",
    "kennwort",
    "mit",
    "naam",
    "nicht",
    "niet",
    "oder",
    "ob",
    "ook",
    "opmerking",
    "schema",
    "statistiek",
    "taak",
    "und",
    "van",
    "von",
    "voor",
    "wanneer",
    "weergave",
    "werkmap",
    "wird",
    "zeitplan",
    "zeitstempel",
];

fn foreign_words(english: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for (place, text) in texts(english) {
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            let strange = word.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
            if strange || FOREIGN.contains(&word.to_lowercase().as_str()) {
                out.push(format!("{place} has the word {word}"));
            }
        }
    }
    out
}

#[test]
fn no_german_or_dutch_is_left() {
    assert_none(&foreign_words(&parsed(ENGLISH)));
    assert!(SCHEMA.is_ascii());
    let english = english_with("/types/hist_login", "notes", json!("Der Benutzer."));
    assert_found(&foreign_words(&english), "Benutzer");
    let english = english_with("/types/hist_login", "notes", json!("Name of the größe."));
    assert_found(&foreign_words(&english), "größe");
}
