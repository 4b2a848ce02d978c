//! A user's schema file laid over the built-in one, entry by entry and member by member.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::load::Fault;
use super::raw::{
    Named, RawAttribute, RawAttributeText, RawBundle, RawSchema, RawTerm, RawText, RawType,
    RawTypeText,
};

/// Takes over all of `content`, a file of facts, that is in order and returns what is not.
pub(super) fn apply(schema: &mut RawSchema, text: &mut RawText, content: &str) -> Vec<Fault> {
    let mut members = match members(content) {
        Ok(members) => members,
        Err(fault) => return vec![fault],
    };
    let mut faults = Faults(Vec::new());
    if let Some(words) = members.remove("text") {
        let words = faults.object("text", words);
        apply_text(text, "text.", words, &mut faults);
    }
    for (name, value) in members {
        apply_facts(schema, &name, value, &mut faults);
    }
    faults.0
}

/// Takes over all of `content`, a file of words, that is in order and returns what is not.
pub(super) fn apply_words(text: &mut RawText, content: &str) -> Vec<Fault> {
    let mut faults = Faults(Vec::new());
    match members(content) {
        Ok(words) => apply_text(text, "", words, &mut faults),
        Err(fault) => faults.0.push(fault),
    }
    faults.0
}

fn members(content: &str) -> Result<Map<String, Value>, Fault> {
    match serde_json::from_str(content.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Fault::new("(top)", "expected an object")),
        Err(error) => Err(Fault::new("(top)", error.to_string())),
    }
}

#[cfg(test)]
mod tests;

struct Faults(Vec<Fault>);

impl Faults {
    fn push(&mut self, place: &str, message: impl Into<String>) {
        self.0.push(Fault::new(place, message));
    }

    fn object(&mut self, place: &str, value: Value) -> Map<String, Value> {
        match value {
            Value::Object(members) => members,
            _ => {
                self.push(place, "expected an object");
                Map::new()
            }
        }
    }

    /// Reads a list of names, leaving out what is no text.
    fn names(&mut self, place: &str, value: Value) -> Vec<String> {
        let Value::Array(items) = value else {
            self.push(place, "expected a list of names");
            return Vec::new();
        };
        let mut names = Vec::new();
        for (at, item) in items.into_iter().enumerate() {
            match item {
                Value::String(name) => names.push(name),
                _ => self.push(&format!("{place}[{at}]"), "expected a text"),
            }
        }
        names
    }

    /// Reads an object of texts into `into`.
    fn texts(&mut self, place: &str, value: Value, into: &mut Named<String>) {
        for (name, value) in self.object(place, value) {
            match value {
                Value::String(text) => drop(into.insert(name, text)),
                _ => self.push(&format!("{place}.{name}"), "expected a text"),
            }
        }
    }

    /// Lays each entry of an object over the one of the same name in `into`.
    fn entries<T: Entry>(&mut self, place: &str, value: Value, into: &mut Named<T>) {
        for (name, entry) in self.object(place, value) {
            let here = format!("{place}.{name}");
            let members = self.object(&here, entry);
            let kept = into.entry(name).or_default();
            for (member, value) in members {
                let single = Value::Object(Map::from_iter([(member.clone(), value)]));
                match serde_json::from_value(single) {
                    Ok(entry) => kept.lay(entry),
                    Err(error) => self.push(&format!("{here}.{member}"), error.to_string()),
                }
            }
        }
    }
}

fn apply_facts(schema: &mut RawSchema, name: &str, value: Value, faults: &mut Faults) {
    match name {
        "format" if value == schema.format => {}
        "format" => faults.push("format", format!("expected {}", schema.format)),
        "categories" => extend(&mut schema.categories, faults.names(name, value)),
        "common" => extend(&mut schema.common, faults.names(name, value)),
        "tenant" => extend(&mut schema.tenant, faults.names(name, value)),
        "outside" => extend(&mut schema.outside, faults.names(name, value)),
        "aliases" => faults.texts(name, value, &mut schema.aliases),
        "spellings" => faults.texts(name, value, &mut schema.spellings),
        "attributes" => faults.entries(name, value, &mut schema.attributes),
        "bundles" => faults.entries(name, value, &mut schema.bundles),
        "types" => faults.entries(name, value, &mut schema.types),
        "relations" => {
            let Value::Array(items) = value else {
                return faults.push(name, "expected a list");
            };
            for (at, item) in items.into_iter().enumerate() {
                match serde_json::from_value(item) {
                    Ok(relation) => schema.relations.insert(at, relation),
                    Err(error) => faults.push(&format!("{name}[{at}]"), error.to_string()),
                }
            }
        }
        _ => faults.push(name, "unknown member"),
    }
}

/// `within` is where the words stand in their file.
fn apply_text(text: &mut RawText, within: &str, words: Map<String, Value>, faults: &mut Faults) {
    for (name, value) in words {
        let place = format!("{within}{name}");
        match name.as_str() {
            "language" => {}
            "statuses" => faults.texts(&place, value, &mut text.statuses),
            "shared" => faults.texts(&place, value, &mut text.shared),
            "categories" => faults.texts(&place, value, &mut text.categories),
            "types" => faults.entries(&place, value, &mut text.types),
            "attributes" => faults.entries(&place, value, &mut text.attributes),
            "glossary" => faults.entries(&place, value, &mut text.glossary),
            _ => faults.push(&place, "unknown member"),
        }
    }
}

fn extend(list: &mut Vec<String>, names: Vec<String>) {
    for name in names {
        if !list.contains(&name) {
            list.push(name);
        }
    }
}

/// An entry whose members can be overridden one by one.
trait Entry: Default + DeserializeOwned {
    /// Takes over the members that `over` has.
    fn lay(&mut self, over: Self);
}

/// Takes over each named member that is there.
macro_rules! lay {
    ($kept:ident, $over:ident: $($member:ident),+) => {
        $(if $over.$member.is_some() { $kept.$member = $over.$member; })+
    };
}

impl Entry for RawAttribute {
    fn lay(&mut self, over: Self) {
        lay!(self, over: kind, unit, format, mask, values);
    }
}

impl Entry for RawType {
    fn lay(&mut self, over: Self) {
        lay!(self, over: category, effect, deprecated, retired, legacy, api_partial, outside, bundle);
        lay!(self, over: object);
        // More attributes are added; one of the same name replaces the other when linked.
        if let Some(more) = over.attributes {
            self.attributes.get_or_insert_default().extend(more);
        }
    }
}

impl Entry for RawBundle {
    fn lay(&mut self, over: Self) {
        lay!(self, over: object);
        self.attributes.extend(over.attributes);
    }
}

impl Entry for RawTypeText {
    fn lay(&mut self, over: Self) {
        lay!(self, over: title, summary, notes);
    }
}

impl Entry for RawAttributeText {
    fn lay(&mut self, over: Self) {
        lay!(self, over: summary, notes);
        if let Some(more) = over.values {
            self.values.get_or_insert_default().extend(more);
        }
    }
}

impl Entry for RawTerm {
    fn lay(&mut self, over: Self) {
        self.words.extend(over.words);
        if !over.text.is_empty() {
            self.text = over.text;
        }
    }
}
