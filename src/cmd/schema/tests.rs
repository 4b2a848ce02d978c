use super::*;
use crate::schema::load;

fn catalog() -> Catalog {
    load::open("en", &[] as &[&str]).unwrap().catalog
}

fn printed(args: &SchemaArgs) -> String {
    let mut out = Vec::new();
    run(&catalog(), args, &mut out).expect("found");
    String::from_utf8(out).unwrap()
}

fn named(name: &str, json: bool) -> SchemaArgs {
    SchemaArgs { name: Some(String::from(name)), json, ..SchemaArgs::default() }
}

#[test]
fn the_list_has_every_type_under_its_category() {
    let all = printed(&SchemaArgs { width: 120, ..SchemaArgs::default() });
    assert!(all.starts_with("Sign-in & tokens (sign-in)\n  D hist_delete_access_token"));
    assert_eq!(all.lines().filter(|line| line.starts_with("  ")).count(), 227);
    assert!(all.contains("R hist_download_workbook"));
    assert!(all.contains("Permission rule created [deprecated]"));
}

#[test]
fn the_json_of_everything_has_the_documented_form() {
    let all = printed(&SchemaArgs { json: true, ..SchemaArgs::default() });
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(all["common"].as_array().unwrap().len(), 12);
    let types = all["types"].as_array().unwrap();
    assert_eq!(types.len(), 227);
    let count: usize = types.iter().map(|t| t["attributes"].as_array().unwrap().len()).sum();
    // 2,840 of the reference and the eight of `mcp_tool_call`.
    assert_eq!(count, 2848);
    for one in types {
        for member in ["name", "title", "category", "summary", "notes"] {
            assert!(one[member].is_string(), "{member} of {one}");
        }
        assert!(one["flags"].is_object());
        for attribute in one["attributes"].as_array().unwrap() {
            for member in ["name", "type", "summary", "notes"] {
                assert!(attribute[member].is_string(), "{member} of {attribute}");
            }
            assert!(attribute["values"].is_array());
            assert!(attribute["unit"].is_string() || attribute["unit"].is_null());
        }
    }
}

#[test]
fn a_type_is_printed_for_machines() {
    let one: Value = serde_json::from_str(&printed(&named("update_permissions", true))).unwrap();
    assert_eq!(one["flags"], json!({"deprecated": {"since": "2024-10", "use": "set_permissions"}}));
    assert_eq!(one["effect"], "A");
    assert_eq!(
        one["object"],
        json!({"kind": "content", "id": "contentLuid", "name": "contentName"})
    );
}

#[test]
fn an_attribute_is_printed_with_its_types() {
    let all: Value = serde_json::from_str(&printed(&named("dayOfWeekMask", true))).unwrap();
    assert_eq!(all[0]["types"].as_array().unwrap().len(), 7);
    assert!(printed(&named("dayOfWeekMask", false)).contains("hist_create_schedule"));
    assert!(printed(&named("groupID", false)).starts_with("groupId\n"));
}

#[test]
fn an_unknown_name_is_an_error_with_the_nearest_names() {
    let mut sink = Vec::new();
    let error = run(&catalog(), &named("hist_logn\u{1b}", false), &mut sink).unwrap_err();
    assert!(sink.is_empty());
    assert!(!error.to_string().contains('\u{1b}'));
    let error = error.downcast_ref::<UnknownName>().unwrap();
    assert_eq!(error.nearest[0], "hist_login");
    assert!(error.hint().starts_with("did you mean hist_login"));
}

#[test]
fn a_search_prints_the_best_first_and_says_when_there_is_none() {
    let search = |words: &str| SchemaArgs {
        search: Some(String::from(words)),
        width: 90,
        ..SchemaArgs::default()
    };
    let found = printed(&search("download workbook"));
    assert!(found.starts_with("type       hist_download_workbook"), "{found}");
    assert!(found.lines().all(|line| text::width(line) <= 90));
    let mut out = Vec::new();
    assert!(!run(&catalog(), &search("qqqqzzzz"), &mut out).unwrap());
    assert!(out.is_empty());
}

#[test]
fn a_faulty_file_is_told_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    std::fs::write(&path, r#"{"types": {"hist_login": {"effect": "Q"}}}"#).unwrap();
    let loaded = load::open("en", &[path, folder.path().join("none.json")]).unwrap();
    let faults: Vec<String> = loaded.faults.iter().map(ToString::to_string).collect();
    assert!(faults[1].contains("mine.json: types.hist_login.effect: "), "{faults:?}");
    assert!(faults[0].contains("none.json: cannot be read"), "{faults:?}");
    let mut out = Vec::new();
    assert!(run(&loaded.catalog, &named("hist_login", false), &mut out).unwrap());
    assert!(String::from_utf8(out).unwrap().starts_with("hist_login — Signed in"));
}
