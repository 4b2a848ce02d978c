//! The asset has the facts of the reference, no more and no less.

use std::collections::{BTreeMap, BTreeSet};

use actlog::schema::catalog::Catalog;
use actlog::schema::model::{Attribute, Mask, Status};
use serde_json::{Value, json};

use super::{assert_found, assert_none, built_in, parsed, planted};

const FACTS: &str = include_str!("../../../fixtures/facts.json");

/// Compares the asset with the facts of the reference, both ways.
fn fact_differences(catalog: &Catalog, facts: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut known = BTreeSet::new();
    for event in facts["events"].as_array().expect("events") {
        let name = event["name"].as_str().expect("a name");
        known.insert(name);
        let Some(one) = catalog.types().iter().find(|t| t.name == name) else {
            out.push(format!("{name} is missing"));
            continue;
        };
        compare_attributes(&mut out, name, &one.attributes, &event["attributes"]);
        let flags: BTreeMap<String, Value> = one.status.iter().map(flag).collect();
        let wanted: BTreeMap<String, Value> = event
            .as_object()
            .expect("an object")
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "name" | "attributes"))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if flags != wanted {
            out.push(format!("{name} has the flags {flags:?}, not {wanted:?}"));
        }
    }
    for one in catalog.types() {
        if !one.is_outside() && !known.contains(one.name.as_str()) {
            out.push(format!("{} is not in the reference", one.name));
        }
    }
    compare_attributes(&mut out, "common", catalog.common(), &facts["common"]);
    out
}

fn flag(status: &Status) -> (String, Value) {
    let value = match status {
        Status::Deprecated { since, use_instead } => json!({"since": since, "use": use_instead}),
        Status::Retired { since } => json!(since),
        Status::Legacy | Status::ApiPartial | Status::Outside => json!(true),
    };
    (String::from(status.name()), value)
}

fn compare_attributes<A: AsRef<Attribute>>(
    out: &mut Vec<String>,
    of: &str,
    ours: &[A],
    facts: &Value,
) {
    let ours: BTreeMap<String, Value> =
        ours.iter().map(|a| (a.as_ref().name.clone(), facts_of(a.as_ref()))).collect();
    let facts: BTreeMap<String, Value> = facts
        .as_array()
        .expect("attributes")
        .iter()
        .map(|a| (String::from(a["name"].as_str().expect("a name")), a.clone()))
        .collect();
    for name in ours.keys().chain(facts.keys()).collect::<BTreeSet<_>>() {
        let (ours, facts) = (ours.get(name), facts.get(name));
        if ours != facts {
            out.push(format!("{of}.{name} is {ours:?}, not {facts:?}"));
        }
    }
}

/// Writes an attribute as the facts write it.
fn facts_of(one: &Attribute) -> Value {
    let mut out = json!({"name": one.name, "type": one.kind.name()});
    // The reference has minutes in its sentences only.
    if let Some(unit) = one.unit.filter(|unit| unit.name() != "min") {
        out["unit"] = json!(unit.name());
    }
    match one.mask {
        Some(Mask::DaysOfWeek) => out["bitmask"] = json!("bit 0 = Sunday … bit 6 = Saturday"),
        Some(Mask::DaysOfMonth) => {
            out["bitmask"] = json!("bit 0 = the 1st, bit 1 = the 2nd, …");
        }
        None => {}
    }
    let plain = one.values.iter().all(|v| v.code == v.word);
    match (one.values.is_empty(), plain) {
        (true, _) => {}
        (false, true) => out["values"] = one.values.iter().map(|v| json!(v.code)).collect(),
        (false, false) => {
            let coded = one.values.iter().map(|v| (v.code.clone(), json!(v.word)));
            out["values"] = Value::Object(coded.collect());
        }
    }
    out
}

#[test]
fn the_asset_has_the_facts_of_the_reference_and_no_others() {
    let facts = parsed(FACTS);
    let events = facts["events"].as_array().unwrap();
    let attributes = events.iter().map(|e| e["attributes"].as_array().unwrap().len());
    assert_eq!((events.len(), attributes.sum::<usize>()), (226, 2840));
    assert_none(&fact_differences(&built_in(), &facts));
}

#[test]
fn a_fact_that_differs_is_found() {
    let changed = |pointer: &str, value: Value| {
        let mut facts = parsed(FACTS);
        *facts.pointer_mut(pointer).unwrap() = value;
        fact_differences(&built_in(), &facts)
    };
    assert_found(&changed("/events/0/name", json!("new_thing")), "new_thing is missing");
    assert_found(&changed("/events/0/attributes/0/type", json!("long")), "groupId is Some");
    assert_found(&changed("/common/2/values/0", json!("erfolg")), "common.eventOutcome");
    assert_found(&changed("/events/0/attributes", json!([])), "isError is Some");
    let overlay =
        json!({"types": {"hist_login": {"legacy": true, "attributes": ["workbookLuid"]}}});
    let problems = fact_differences(&planted(&overlay), &parsed(FACTS));
    assert_found(&problems, "hist_login has the flags");
    assert_found(&problems, "hist_login.workbookLuid is Some");
}

#[test]
fn what_goes_beyond_the_reference_is_marked() {
    let catalog = built_in();
    let outside: Vec<&str> =
        catalog.types().iter().filter(|t| t.is_outside()).map(|t| t.name.as_str()).collect();
    assert_eq!(outside, ["mcp_tool_call"]);
    let names = |list: &[std::sync::Arc<Attribute>]| -> BTreeSet<String> {
        list.iter().map(|a| a.name.clone()).collect()
    };
    for name in [
        "serviceName",
        "traceUuid",
        "isError",
        "impersonatedUserId",
        "eventCategory",
        "eventVersion",
    ] {
        assert!(names(catalog.outside()).contains(name), "{name}");
    }
    let tenant = [
        "eventOutcome",
        "eventOutcomeReason",
        "eventTime",
        "initiatingSessionId",
        "initiatingUrl",
        "initiatingUserAgent",
        "initiatingUserDisplayName",
        "initiatingUserEmail",
        "initiatingUserIpAddress",
        "initiatingUserId",
        "initiatingUserRole",
        "podUri",
        "siteId",
        "siteName",
        "siteUri",
    ];
    assert_eq!(names(catalog.tenant_common()), tenant.iter().map(|n| String::from(*n)).collect());
    let role = catalog.meanings("siteRoleId")[0];
    for old in [
        "0 SiteAdministrator,",
        "2 Publisher",
        "3 Interactor",
        "4 ViewerWithPublish",
        "5 Viewer",
        "6 UnlicensedWithPublish",
        "9 BasicUser",
    ] {
        assert!(role.notes.contains(old), "{old} is not in {}", role.notes);
    }
    assert_eq!(catalog.find("background_jobs").unwrap().name, "background_job");
}
