//! Every name and word leads somewhere, and nothing hangs in the air.

use std::collections::BTreeSet;

use actlog::schema::catalog::Catalog;
use actlog::schema::model::Attribute;
use serde_json::{Value, json};

use super::{
    ENGLISH, SCHEMA, assert_found, assert_none, built_in, english_with, parsed, planted, texts,
};

/// Literals that stand in backquotes beside names of types, attributes and values.
const LITERALS: [&str; 12] = [
    "user allow",
    "group allow",
    "local",
    "exp",
    "iat",
    "iss",
    "jti",
    "prep_endpoint_control",
    "IncrementExtracts",
    "RefreshExtracts",
    "RefreshExtractsViaBridge",
    "{use}",
];

/// Abbreviations that need no explanation to an administrator.
const PLAIN: [&str; 25] = [
    "API", "ASCII", "DELETE", "GET", "HTTP", "IP", "ISO", "JSON", "POST", "PUT", "SSH", "URI",
    "URL", "URLs", "UTC", "UUID", "VPN", "XML", "REST", "DEFAULT", "A", "TABID", "AWS", "APIs",
    "S",
];

/// Names and words that lead nowhere, and explanations that nobody needs.
fn reference_problems(catalog: &Catalog, english: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let values: BTreeSet<&str> = catalog
        .attributes()
        .iter()
        .flat_map(|a| a.values.iter().flat_map(|v| [v.code.as_str(), v.word.as_str()]))
        .collect();
    let forms = catalog.glossary().iter().flat_map(|t| &t.words);
    let explained: BTreeSet<&str> = forms.map(String::as_str).collect();
    let texts = texts(english);
    for (place, text) in &texts {
        for name in text.split('`').skip(1).step_by(2) {
            let known = catalog.types().iter().any(|t| t.name == name)
                || catalog.attributes().iter().any(|a| a.name == name)
                || values.contains(name)
                || LITERALS.contains(&name);
            if !known {
                out.push(format!("{place} names {name}, which is nothing"));
            }
        }
        if text.matches('`').count() % 2 == 1 {
            out.push(format!("{place} has a backquote too many"));
        }
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            let capitals = word.chars().filter(|c| c.is_ascii_uppercase()).count();
            let abbreviation = capitals >= 2 && word.chars().next().is_some_and(char::is_uppercase);
            let camel = word.trim_end_matches('s').chars().any(|c| c.is_ascii_lowercase());
            let known = explained.contains(word) || PLAIN.contains(&word);
            if abbreviation && !camel && !known {
                out.push(format!("{place} does not explain {word}"));
            }
        }
    }
    let mut used = BTreeSet::new();
    for (place, text) in &texts {
        // A word's own explanation is no use of it.
        let terms = catalog.terms_in(text).into_iter().map(|t| t.name.as_str());
        used.extend(terms.filter(|name| *place != format!("glossary/{name}/text")));
    }
    for term in catalog.glossary() {
        if !used.contains(term.name.as_str()) {
            out.push(format!("glossary/{} is used by no text", term.name));
        }
    }
    for name in english["shared"].as_object().expect("shared").keys() {
        let uses = texts.iter().map(|(_, text)| text.matches(&format!("{{{name}}}")).count());
        if uses.sum::<usize>() < 2 {
            out.push(format!("shared/{name} is not shared"));
        }
    }
    out
}

#[test]
fn every_name_and_word_in_the_texts_leads_somewhere() {
    assert_none(&reference_problems(&built_in(), &parsed(ENGLISH)));
}

#[test]
fn a_name_that_leads_nowhere_is_found() {
    let found = |text: &str| {
        let english = english_with("/types/hist_login", "notes", json!(text));
        reference_problems(&built_in(), &english)
    };
    assert_found(&found("See `hist_logon`."), "hist_logon");
    assert_found(&found("A stray ` here."), "backquote");
    assert_found(&found("Uses the XYZ."), "does not explain XYZ");
    let english = english_with("/shared", "lonely", json!("Said once."));
    assert_found(&reference_problems(&built_in(), &english), "shared/lonely");
    let overlay = json!({"text": {"glossary": {"Zyx": {"words": ["zyx"], "text": "A thing."}}}});
    assert_found(&reference_problems(&planted(&overlay), &parsed(ENGLISH)), "glossary/Zyx");
}

/// Types and attributes that hang in the air.
fn structure_problems(catalog: &Catalog, schema: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut ids = BTreeSet::new();
    for one in catalog.types() {
        let object = one.object.iter().flat_map(|o| [&o.id, &o.name]);
        let people = one.people.iter().flat_map(|r| [&r.id, &r.name]);
        let named: BTreeSet<&str> = object.chain(people).flatten().map(String::as_str).collect();
        for name in &named {
            if one.attribute(name).is_none() {
                out.push(format!("{} names {name}, which it does not have", one.name));
            }
            ids.insert(String::from(*name));
        }
        // Whatever has a LUID is somebody or something: screens must be able to say who or what.
        for attribute in &one.attributes {
            let is_luid = attribute.name.ends_with("Luid");
            if is_luid && !named.contains(attribute.name.as_str()) {
                out.push(format!("{}.{} is neither object nor related", one.name, attribute.name));
            }
        }
        if catalog.category(one.category).is_none() {
            out.push(format!("{} has no category", one.name));
        }
    }
    for category in catalog.categories() {
        if catalog.types_in(category.id).count() < 3 {
            out.push(format!("the category {} has hardly a type", category.name));
        }
    }
    for rule in schema["relations"].as_array().expect("relations") {
        let members = [&rule["id"], &rule["name"]];
        if !members.into_iter().filter_map(Value::as_str).all(|name| ids.contains(name)) {
            out.push(format!("no type uses the relation {rule}"));
        }
    }
    let mut shared = catalog.common().iter().chain(catalog.tenant_common());
    for one in catalog.attributes() {
        let is = |a: &std::sync::Arc<Attribute>| a.key == one.key;
        let used = shared.clone().chain(catalog.outside()).any(is);
        if !used && catalog.carriers(one).is_empty() {
            out.push(format!("no type has the attribute {}", one.key));
        }
    }
    if shared.next().is_none() {
        out.push(String::from("nothing is common"));
    }
    out
}

#[test]
fn objects_people_and_categories_exist() {
    assert_none(&structure_problems(&built_in(), &parsed(SCHEMA)));
    let catalog = built_in();
    let in_categories: usize =
        catalog.categories().iter().map(|c| catalog.types_in(c.id).count()).sum();
    assert_eq!(in_categories, catalog.types().len());
    assert!((10..=15).contains(&catalog.categories().len()));
}

#[test]
fn what_hangs_in_the_air_is_found() {
    let overlay = json!({
        "categories": ["empty"],
        "attributes": {"strayLuid": {"type": "string"}, "unused": {"type": "string"}},
        "types": {
            "hist_login": {"attributes": ["strayLuid"]},
            "homeless": {"effect": "R"},
        },
    });
    let problems = structure_problems(&planted(&overlay), &parsed(SCHEMA));
    assert_found(&problems, "hist_login.strayLuid is neither");
    assert_found(&problems, "homeless has no category");
    assert_found(&problems, "the category empty");
    assert_found(&problems, "no type has the attribute unused");
    let mut schema = parsed(SCHEMA);
    let rule = json!({"role": "x", "kind": "user", "id": "nobodyLuid"});
    schema["relations"].as_array_mut().unwrap().push(rule);
    assert_found(&structure_problems(&built_in(), &schema), "nobodyLuid");
}

/// Names that an object of the file has twice: JSON keeps the last and says nothing.
fn repeated_names(file: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut section, mut seen) = ("", BTreeSet::new());
    for line in file.lines() {
        let indent = line.len() - line.trim_start().len();
        let Some(name) = line.trim_start().strip_prefix('"').and_then(|l| l.split_once("\":"))
        else {
            continue;
        };
        match indent {
            2 => (section, seen) = (name.0, BTreeSet::new()),
            4 if !seen.insert(name.0) => out.push(format!("{section}.{} is there twice", name.0)),
            _ => {}
        }
    }
    out
}

#[test]
fn nothing_is_in_the_files_twice() {
    assert_none(&repeated_names(SCHEMA));
    assert_none(&repeated_names(ENGLISH));
    let twice = SCHEMA.replace("    \"acceptLanguage\":", "    \"activated\":");
    assert_found(&repeated_names(&twice), "attributes.activated is there twice");
}
