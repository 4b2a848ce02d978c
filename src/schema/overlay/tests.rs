use serde_json::json;

use crate::schema::load::{Loaded, built_in, with_overlays};
use crate::schema::model::ValueKind;

fn load(files: &[serde_json::Value]) -> Loaded {
    let texts: Vec<String> = files.iter().map(ToString::to_string).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|t| ("mine.json", t.as_str())).collect();
    with_overlays(&named).expect("the built-in schema has no faults")
}

/// The places of all faults of one file.
fn places(file: &str) -> Vec<String> {
    let loaded = with_overlays(&[("mine.json", file)]).expect("the built-in schema has no faults");
    // Whatever is wrong, the built-in schema goes on.
    assert!(loaded.catalog.types().len() >= built_in().unwrap().types().len());
    assert!(loaded.catalog.find("hist_login").is_some());
    loaded.faults.into_iter().map(|fault| fault.place).collect()
}

#[test]
fn a_type_of_the_user_stands_beside_the_others() {
    let loaded = load(&[json!({
        "attributes": {"widgetLuid": {"type": "string"}},
        "types": {"widget_made": {
            "category": "content", "effect": "W",
            "object": {"kind": "widget", "id": "widgetLuid"}, "attributes": ["widgetLuid"],
        }},
        "text": {
            "types": {"widget_made": {"title": "Widget made", "summary": "A widget was made."}},
            "attributes": {"widgetLuid": {"summary": "LUID of the widget"}},
        },
    })]);
    assert_eq!(loaded.faults, []);
    let one = loaded.catalog.find("widget_made").unwrap();
    assert_eq!((one.title.as_str(), one.effect.letter()), ("Widget made", 'W'));
    assert_eq!(one.attribute("widgetLuid").unwrap().summary, "LUID of the widget");
    assert!(one.attribute("siteLuid").is_some());
}

#[test]
fn only_the_members_that_are_there_are_overridden() {
    let loaded = load(&[json!({
        "attributes": {"siteLuid": {"type": "integer"}},
        "types": {"hist_login": {"attributes": ["workbookLuid"]}},
        "text": {
            "types": {"hist_login": {"notes": "Ours come through 192.0.2.7."}},
            "attributes": {"eventOutcome": {"values": {"success": "All went well"}}},
        },
    })]);
    assert_eq!(loaded.faults, []);
    let before = built_in().unwrap();
    let before = before.find("hist_login").unwrap();
    let one = loaded.catalog.find("hist_login").unwrap();
    assert_eq!(one.notes, "Ours come through 192.0.2.7.");
    assert_eq!((&one.title, &one.summary), (&before.title, &before.summary));
    assert_eq!(one.attributes.len(), before.attributes.len() + 1);
    let site = one.attribute("siteLuid").unwrap();
    assert_eq!(site.kind, ValueKind::Integer);
    assert_eq!(site.summary, before.attribute("siteLuid").unwrap().summary);
    let outcome = one.attribute("eventOutcome").unwrap();
    let texts: Vec<&str> = outcome.values.iter().map(|v| v.text.as_str()).collect();
    assert_eq!(texts[0], "All went well");
    assert!(texts.iter().all(|text| !text.is_empty()));
}

#[test]
fn a_later_file_wins() {
    let notes = |text: &str| json!({"text": {"types": {"hist_login": {"notes": text}}}});
    let loaded = load(&[notes("First."), notes("Second.")]);
    assert_eq!(loaded.catalog.find("hist_login").unwrap().notes, "Second.");
}

#[test]
fn an_alias_and_a_relation_of_the_user_count() {
    let loaded = load(&[json!({
        "aliases": {"sign_in": "hist_login"},
        "relations": [{"role": "device", "kind": "device", "name": "deviceName"}],
    })]);
    assert_eq!(loaded.faults, []);
    assert_eq!(loaded.catalog.find("sign_in").unwrap().name, "hist_login");
    let token = loaded.catalog.find("hist_delete_expired_refresh_token").unwrap();
    assert!(token.people.iter().any(|r| r.role == "device"));
}

#[test]
fn every_fault_is_listed_with_its_place() {
    let found = places(
        r#"{
            "format": 2,
            "nonsense": 1,
            "common": ["actorUserId", 7],
            "aliases": {"a": "no_such_type", "b": 3},
            "attributes": {"x": {"type": "text", "unit": "bytes"}, "y": 1, "z": {"typo": "string"}},
            "types": {"hist_login": {"category": "none", "effect": "Q", "bundle": "none"},
                      "mine": {"attributes": ["none"], "object": {"kind": "k", "id": "none"}}},
            "relations": [{"role": 1}],
            "text": {"types": {"none": {"title": "T"}}, "attributes": {"none": {}}, "odd": 1,
                     "glossary": {"Word": {"text": 5}}}
        }"#,
    );
    for place in [
        "format",
        "nonsense",
        "common[1]",
        "aliases.b",
        "attributes.x.type",
        "attributes.y",
        "attributes.z.typo",
        "types.hist_login.effect",
        "relations[0]",
        "text.odd",
        "text.glossary.Word.text",
    ] {
        assert!(found.contains(&format!("mine.json: {place}")), "{place} is not in {found:#?}");
    }
    // What only shows when all files are linked has no file's name.
    for place in [
        "aliases.a",
        "types.hist_login.category",
        "types.hist_login.bundle",
        "types.mine.attributes",
        "types.mine.category",
        "types.mine.effect",
        "types.mine.object",
        "text.types.none",
        "text.attributes.none",
    ] {
        assert!(found.contains(&String::from(place)), "{place} is not in {found:#?}");
    }
}

#[test]
fn a_file_that_is_no_json_is_one_fault() {
    for file in ["", "{", "[1]", "null", "{\"types\": }", "\u{0}"] {
        assert_eq!(places(file), ["mine.json: (top)"], "{file:?}");
    }
    // A mark of the byte order is no fault.
    assert_eq!(places("\u{feff}{}"), Vec::<String>::new());
}

#[test]
fn members_of_the_wrong_kind_do_not_stop_the_rest() {
    let found = places(r#"{"types": [], "attributes": 1, "text": "words", "categories": "x"}"#);
    assert_eq!(
        found,
        ["mine.json: text", "mine.json: attributes", "mine.json: categories", "mine.json: types"]
    );
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config {
        cases: 64,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn no_file_panics(file in "\\PC{0,60}", name in "[a-z@.]{0,12}", value in "[a-z{}`]{0,12}") {
        drop(places(&file));
        let odd = json!({
            "attributes": {&name: {"type": "string", "values": [&value]}},
            "types": {&name: {"attributes": [&name, &value], "object": {"kind": "", "id": &name}}},
            "text": {"types": {&name: {"notes": &value}}, "attributes": {&name: {"notes": &value}}},
        });
        let loaded = load(&[odd]);
        for hit in loaded.catalog.search(&value) {
            proptest::prop_assert!(!hit.found.name().is_empty());
        }
    }
}
