use std::collections::HashSet;

use super::*;
use crate::schema::model::{Effect, ObjectRef};
use crate::schema::search::Found;

fn catalog() -> Catalog {
    Catalog::built_in().expect("the built-in schema has no faults")
}

#[test]
fn a_type_is_found_by_name_alias_and_sloppy_spelling() {
    let catalog = catalog();
    let found = |name: &str| catalog.find(name).map(|t| t.name.as_str());
    assert_eq!(found("hist_access_view"), Some("hist_access_view"));
    assert_eq!(found("HIST_ACCESS_VIEW"), Some("hist_access_view"));
    assert_eq!(found("hist_access_view "), Some("hist_access_view"));
    assert_eq!(found("background_jobs"), Some("background_job"));
    assert_eq!(found("some_future_event"), None);
    assert_eq!(found(""), None);
}

#[test]
fn the_meaning_of_a_name_follows_the_type() {
    let catalog = catalog();
    let summary = |of: &str| {
        let one = catalog.find(of).unwrap().attribute("name").unwrap();
        one.summary.clone()
    };
    assert_eq!(summary("hist_download_workbook"), "Name of the workbook");
    assert_eq!(summary("hist_add_user_to_group"), "Name of the group");
    assert_eq!(summary("hist_create_user"), "Name of the user");
}

#[test]
fn an_attribute_is_looked_for_in_the_type_then_among_the_shared_ones() {
    let catalog = catalog();
    let one = catalog.find("add_delete_user_to_group").unwrap();
    let key = |name: &str| one.attribute(name).map(|a| a.key.as_str());
    assert_eq!(key("userLuid"), Some("userLuid@member"));
    assert_eq!(key("siteRoleId"), Some("siteRoleId"));
    assert_eq!(key("groupID"), Some("groupId"));
    assert_eq!(key("traceUuid"), Some("traceUuid"));
    assert_eq!(key("workbookLuid"), None);
    // Five types have an `eventType` of their own; everywhere else it is the type's name.
    assert_eq!(key("eventType"), Some("eventType@event"));
    let views = catalog.find("hist_create_materialized_views").unwrap();
    assert_eq!(views.attribute("eventType").unwrap().key, "eventType");
}

#[test]
fn a_type_names_its_object_and_the_people_in_it() {
    let catalog = catalog();
    let one = catalog.find("hist_change_workbook_ownership").unwrap();
    let object = ObjectRef {
        kind: String::from("workbook"),
        id: Some(String::from("workbookLuid")),
        name: Some(String::from("name")),
    };
    assert_eq!(one.object, Some(object));
    let roles: HashSet<&str> = one.people.iter().map(|r| r.role.as_str()).collect();
    for role in ["owner", "new owner", "old owner", "project", "last editor", "site"] {
        assert!(roles.contains(role), "{role} is missing in {roles:?}");
    }
    // The workbook itself is the object, not also somebody related.
    assert!(!roles.contains("workbook"));
    assert_eq!(one.effect, Effect::Admin);
    assert_eq!(one.title, "Workbook owner changed");
}

#[test]
fn the_user_of_a_group_event_is_not_mixed_up_with_the_group() {
    let catalog = catalog();
    let one = catalog.find("hist_add_user_to_group").unwrap();
    assert_eq!(one.object.as_ref().unwrap().kind, "group");
    let user = one.people.iter().find(|r| r.id.as_deref() == Some("userLuid")).unwrap();
    assert_eq!((user.role.as_str(), user.name.as_deref()), ("user", Some("userName")));
}

#[test]
fn a_status_is_told_in_words() {
    let catalog = catalog();
    let words = |name: &str| {
        let one = catalog.find(name).unwrap();
        one.status.iter().map(|s| catalog.status_text(s)).collect::<Vec<_>>()
    };
    assert_eq!(
        words("create_permissions"),
        ["Deprecated since 2024-10: use `set_permissions` instead."]
    );
    assert!(words("vizql_http_request")[0].contains("S3"));
    assert!(words("hist_create_metric")[0].contains("2024-02"));
    assert_eq!(words("set_permissions"), Vec::<String>::new());
}

#[test]
fn shared_sentences_stand_in_the_notes() {
    let catalog = catalog();
    for one in catalog.attributes() {
        assert!(!one.notes.contains(['{', '}']), "{}: {}", one.key, one.notes);
    }
    let revision = &catalog.meanings("objRevision")[0].notes;
    assert_eq!(revision, "Starts at 1.0 and grows by 0.1 with each publication.");
}

#[test]
fn a_stand_in_knows_site_and_tenant_events_apart() {
    let catalog = catalog();
    let tenant = catalog.stand_in("new_tenant_thing", ["eventTime", "initiatingUserId", "podUri"]);
    assert_eq!(tenant.attribute("initiatingUserId").unwrap().key, "initiatingUserId@tenant");
    assert_eq!(tenant.attribute("siteName").unwrap().key, "siteName@tenant");
    let site = catalog.stand_in("new_site_thing", ["eventTime", "initiatingUserId", "siteLuid"]);
    assert_eq!(site.attribute("initiatingUserId").unwrap().key, "initiatingUserId");
    assert!(site.attribute("podUri").is_none());
    assert_eq!(catalog.category(site.category), None);
}

#[test]
fn words_of_the_glossary_are_found_as_whole_words() {
    let catalog = catalog();
    let terms = |text: &str| -> Vec<&str> {
        catalog.terms_in(text).iter().map(|t| t.name.as_str()).collect()
    };
    assert_eq!(terms("LUID of the thing"), ["LUID"]);
    assert_eq!(terms("A refresh token or PAT"), ["PAT", "Refresh token"]);
    assert_eq!(terms("a path, a podium, an objLuid"), Vec::<&str>::new());
    assert_eq!(terms("Pods"), ["Pod"]);
}

#[test]
fn search_puts_the_best_first() {
    let catalog = catalog();
    let names = |words: &str| -> Vec<&str> {
        catalog.search(words).iter().map(|hit| hit.found.name()).collect()
    };
    assert_eq!(names("hist_login")[0], "hist_login");
    assert_eq!(names("siteRoleId")[0], "siteRoleId");
    assert_eq!(names("download workbook")[0], "hist_download_workbook");
    assert!(names("dwnl wrkbk").contains(&"hist_download_workbook"));
    // Only the notes of the mask speak of binary numbers.
    assert!(names("binary").contains(&"dayOfWeekMask"));
    // Nothing is about both words, so what is about one of them is found.
    assert!(names("qqqqzzzz group").contains(&"create_delete_group"));
    // Something is about both, so what is about one only is not found.
    assert!(!names("download workbook").contains(&"hist_download_flow"));
    assert_eq!(names("who signed in")[0], "hist_login");
    assert_eq!(names("qqqqzzzz"), Vec::<&str>::new());
    assert_eq!(names("  "), Vec::<&str>::new());
}

#[test]
fn search_lists_an_attribute_once() {
    let catalog = catalog();
    let mut seen = HashSet::new();
    for hit in catalog.search("owner") {
        let kind = matches!(hit.found, Found::Type(_));
        assert!(seen.insert((kind, hit.found.name())), "{} twice", hit.found.name());
    }
}

#[test]
fn the_nearest_names_are_offered() {
    let catalog = catalog();
    assert_eq!(catalog.nearest("hist_logn")[0], "hist_login");
    assert_eq!(catalog.nearest("siteRolId")[0], "siteRoleId");
    assert_eq!(catalog.nearest("set_permission")[0], "set_permissions");
    assert!(catalog.nearest("ä").len() <= 3);
}
