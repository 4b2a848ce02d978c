//! A sample line of each type conforms to the schema.

use std::collections::BTreeSet;

use actlog::base::json::JsonKind;
use actlog::schema::catalog::Catalog;
use actlog::schema::conform;
use serde_json::Value;

use super::{assert_found, assert_none, built_in, parsed};

const ONE_OF_EACH: &str = include_str!("../../../fixtures/one-of-each.jsonl");

fn kind(value: &Value) -> JsonKind {
    match value {
        Value::Null => JsonKind::Null,
        Value::Bool(_) => JsonKind::Bool,
        Value::Number(n) if n.is_f64() => JsonKind::Float,
        Value::Number(_) => JsonKind::Integer,
        Value::String(_) => JsonKind::String,
        Value::Array(_) => JsonKind::Array,
        Value::Object(_) => JsonKind::Object,
    }
}

/// How the sample lines differ from the schema.
fn sample_problems(catalog: &Catalog, lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut left: BTreeSet<&str> =
        catalog.types().iter().filter(|t| !t.is_outside()).map(|t| t.name.as_str()).collect();
    for line in lines.lines() {
        let event = parsed(line);
        let name = event["eventType"].as_str().unwrap_or_default();
        let Some(one) = catalog.find(name) else {
            out.push(format!("{name} is no type"));
            continue;
        };
        if !left.remove(one.name.as_str()) {
            out.push(format!("{name} has a line already"));
        }
        let members = event.as_object().expect("an object");
        let report = conform::check(one, members.iter().map(|(k, v)| (k.as_str(), kind(v))));
        if !report.is_clean() {
            out.push(format!("{name} does not conform: {report:?}"));
        }
        for (key, value) in members {
            let documented = one.attribute(key).map(|a| a.values.as_slice()).unwrap_or_default();
            let recorded = value.as_str().map_or_else(|| value.to_string(), String::from);
            let known = documented.is_empty()
                || value.is_null()
                || documented.iter().any(|v| v.code == recorded);
            if !known {
                out.push(format!("{name}.{key} is {recorded}, which is not documented"));
            }
        }
    }
    out.extend(left.into_iter().map(|name| format!("{name} has no line")));
    out
}

#[test]
fn a_sample_of_each_type_conforms() {
    assert_none(&sample_problems(&built_in(), ONE_OF_EACH));
    assert_eq!(ONE_OF_EACH.lines().count(), 226);
}

#[test]
fn a_sample_that_does_not_conform_is_found() {
    let found = |from: &str, to: &str| {
        let lines = ONE_OF_EACH.replace(from, to);
        assert_ne!(lines, ONE_OF_EACH);
        sample_problems(&built_in(), &lines)
    };
    assert_found(&found("\"siteRoleId\":10", "\"siteRoleId\":\"10\""), "mistyped");
    assert_found(&found("\"siteRoleId\":10", "\"siteRoleId\":4"), "not documented");
    assert_found(&found("\"siteLuid\"", "\"siteUuid\""), "unknown");
    assert_found(
        &found("\"eventType\":\"hist_login\"", "\"eventType\":\"hist_logout\""),
        "already",
    );
    assert_found(
        &found("\"eventType\":\"hist_login\"", "\"eventType\":\"nothing\""),
        "has no line",
    );
}

#[test]
fn samples_name_nobody() {
    for address in ONE_OF_EACH.split('"').filter(|text| text.contains('@')) {
        assert!(address.ends_with("@example.com"), "{address}");
    }
    for text in ONE_OF_EACH.split('"').filter(|text| text.split('.').count() == 4) {
        if text.split('.').all(|part| part.parse::<u8>().is_ok()) {
            let documentation = ["192.0.2.", "198.51.100.", "203.0.113."];
            assert!(documentation.iter().any(|range| text.starts_with(range)), "{text}");
        }
    }
}
