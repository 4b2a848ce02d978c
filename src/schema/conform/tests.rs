use JsonKind::{Bool, Float, Integer, Null, Object, String as Text};

use super::*;
use crate::schema::catalog::Catalog;

/// The attributes of `hist_logout` as documented: one of its own and the twelve common ones.
const LOGOUT: [(&str, JsonKind); 13] = [
    ("siteName", Text),
    ("actorUserId", Integer),
    ("actorUserLuid", Text),
    ("eventOutcome", Null),
    ("eventOutcomeReason", Null),
    ("eventProcessedTime", Text),
    ("eventTime", Text),
    ("initiatingUserId", Integer),
    ("initiatingUserLuid", Text),
    ("licensingRoleName", Text),
    ("siteLuid", Text),
    ("siteRoleId", Integer),
    ("systemAdminLevel", Integer),
];

fn report(of: &str, attributes: impl IntoIterator<Item = (&'static str, JsonKind)>) -> Report {
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    check(catalog.find(of).unwrap(), attributes)
}

#[test]
fn an_event_as_documented_is_clean() {
    assert!(report("hist_logout", LOGOUT).is_clean());
    // The event's own type is no attribute of the reference, but it is known.
    let with_type = LOGOUT.into_iter().chain([("eventType", Text), ("traceUuid", Text)]);
    assert!(report("hist_logout", with_type).is_clean());
}

#[test]
fn what_the_type_does_not_have_is_unknown() {
    let more = LOGOUT.into_iter().chain([("workbookLuid", Text), ("zzz", Object)]);
    let report = report("hist_logout", more);
    assert_eq!(report.unknown, ["workbookLuid", "zzz"]);
    assert!(report.missing.is_empty() && report.mistyped.is_empty());
    assert!(!report.is_clean());
}

#[test]
fn what_the_event_lacks_is_missing() {
    let less = LOGOUT.into_iter().filter(|(name, _)| !matches!(*name, "siteName" | "siteLuid"));
    assert_eq!(report("hist_logout", less).missing, ["siteName", "siteLuid"]);
    assert_eq!(report("hist_logout", []).missing.len(), 13);
}

#[test]
fn a_value_of_another_kind_is_mistyped() {
    let odd = LOGOUT.into_iter().map(|(name, kind)| match name {
        "siteName" => (name, Integer),
        "siteRoleId" => (name, Text),
        _ => (name, kind),
    });
    let mistyped = |name: &str, expected, found| Mistyped { name: name.into(), expected, found };
    assert_eq!(
        report("hist_logout", odd).mistyped,
        [
            mistyped("siteName", ValueKind::String, Integer),
            mistyped("siteRoleId", ValueKind::Integer, Text)
        ]
    );
}

#[test]
fn another_spelling_counts_as_the_attribute() {
    let report = report("create_delete_group", [("groupID", Integer)]);
    assert!(report.unknown.is_empty());
    assert!(!report.missing.contains(&String::from("groupId")));
}

#[test]
fn kinds_fit_as_json_tells_them() {
    assert!(fits(ValueKind::Float, Integer) && fits(ValueKind::Float, Float));
    assert!(fits(ValueKind::Long, Integer) && !fits(ValueKind::Long, Float));
    assert!(fits(ValueKind::Boolean, Bool) && !fits(ValueKind::Boolean, Text));
    assert!(!fits(ValueKind::String, Object) && !fits(ValueKind::String, JsonKind::Array));
    for kind in [ValueKind::Integer, ValueKind::String, ValueKind::Boolean] {
        assert!(fits(kind, Null));
    }
}
