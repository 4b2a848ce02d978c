use super::*;
use crate::schema::catalog::Catalog;

/// Decodes what an attribute of a type recorded.
fn check(of: &str, attribute: &str, recorded: &str, expected: Option<&str>) {
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    let one = catalog.find(of).unwrap().attribute(attribute).unwrap();
    assert_eq!(decode(one, recorded).as_deref(), expected, "{of}.{attribute} {recorded}");
}

#[test]
fn codes_become_words() {
    check("hist_login", "siteRoleId", "11", Some("SiteAdministratorCreator"));
    check("hist_login", "siteRoleId", "0", Some("SiteAdministratorExplorer"));
    check("hist_update_task_state", "state", "1", Some("suspended"));
    check("hist_create_schedule", "scheduleType", "3", Some("monthly"));
    // Numbers recorded as texts or with a fraction of nothing are the same numbers.
    check("hist_login", "siteRoleId", " 11 ", Some("SiteAdministratorCreator"));
    check("hist_login", "siteRoleId", "11.0", Some("SiteAdministratorCreator"));
    // Codes that nobody documented stay as they are.
    for odd in ["4", "-1", "11.5", "", "null", "x", "1e400", "99999999999999999999"] {
        check("hist_login", "siteRoleId", odd, None);
    }
    // A word needs no other word.
    check("hist_login", "eventOutcome", "success", None);
}

#[test]
fn the_same_name_is_decoded_by_its_type() {
    check("hist_create_project", "state", "1", None);
    check("login_with_jwt", "type", "UAT JWT", None);
    check("bridge_job", "duration", "5321", Some("5.3 s"));
    // The reference gives no unit for this one.
    check("background_job", "duration", "5321", None);
}

#[test]
fn masks_become_days() {
    let week =
        |bits: &str, expected| check("hist_create_schedule", "dayOfWeekMask", bits, expected);
    week("62", Some("Mon–Fri"));
    week("1", Some("Sun"));
    week("65", Some("Sun, Sat"));
    week("3", Some("Sun, Mon"));
    week("7", Some("Sun–Tue"));
    week("42", Some("Mon, Wed, Fri"));
    week("127", Some("every day"));
    week("0", Some("no day"));
    week("128", Some("bit 7"));
    week("9223372036854775807", Some("every day, bit 7–bit 62"));
    week("129", Some("Sun, bit 7"));
    week("-2", None);
    week("1.5", None);
    let month = |bits: &str, expected| {
        check("hist_create_schedule", "dayOfMonthMask", bits, expected);
    };
    month("1", Some("1st"));
    month("5", Some("1st, 3rd"));
    month("7", Some("1st–3rd"));
    month("1073741824", Some("31st"));
    month("4196352", Some("12th, 23rd"));
    month("2147483647", Some("every day"));
    month("2147483648", Some("bit 31"));
}

#[test]
fn units_are_said_as_people_do() {
    let bytes = |n: &str, expected| check("hist_publish_workbook", "size", n, expected);
    bytes("1048576", Some("1.0 MiB"));
    bytes("1536", Some("1.5 KiB"));
    bytes("512", Some("512 B"));
    bytes("-1", None);
    bytes("inf", None);
    bytes("", None);
    let request = |n: &str, expected| check("vizql_http_request", "duration", n, expected);
    request("850", Some("850 ms"));
    request("0", Some("0 ms"));
    request("5321", Some("5.3 s"));
    request("59949", Some("59.9 s"));
    request("59960", Some("1 min"));
    request("125000", Some("2 min 5 s"));
    request("5400000", Some("1 h 30 min"));
    request("183600000", Some("2 d 3 h"));
    let queue =
        |n: &str, expected| check("hist_create_flow_task", "historicalQueueTime", n, expected);
    queue("75", Some("1 min 15 s"));
    queue("0", Some("0 s"));
    queue("2", Some("2.0 s"));
    check("hist_create_schedule", "minuteInterval", "60", Some("1 h"));
    check("hist_create_schedule", "startAtMinute", "375", Some("6 h 15 min"));
    check("hist_create_schedule", "startAtMinute", "0", Some("0 min"));
    check("site_storage_usage", "totalPercentageStorageQuotaUsed", "45.678", Some("45.7 %"));
}

#[test]
fn attributes_without_more_to_say_say_nothing() {
    check("hist_login", "siteName", "1048576", None);
    check("hist_publish_workbook", "viewCount", "3", None);
}

#[test]
fn words_lead_back_to_codes() {
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    let role = catalog.meanings("siteRoleId")[0];
    assert_eq!(code_for(role, "Creator"), Some("10"));
    assert_eq!(code_for(role, "siteadministratorcreator"), Some("11"));
    assert_eq!(code_for(role, "explorer can publish"), Some("2"));
    assert_eq!(code_for(role, "nobody"), None);
    assert_eq!(code_for(catalog.meanings("eventOutcome")[0], "SUCCESS"), Some("success"));
    assert_eq!(find_code(role, "10").unwrap().word, "Creator");
}

#[test]
fn every_documented_code_leads_there_and_back() {
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    let coded: Vec<_> = catalog.attributes().iter().filter(|a| !a.values.is_empty()).collect();
    assert!(coded.len() > 10);
    for one in coded {
        for value in &one.values {
            assert_eq!(code_for(one, &value.word), Some(value.code.as_str()), "{}", one.key);
        }
    }
}
