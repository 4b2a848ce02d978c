//! The demo log: what it promises to tests, benchmarks and people.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use actlog::base::json::JsonKind;
use actlog::base::time::parse_recorded;
use actlog::cmd::demo::{Force, Target, write};
use actlog::demo::{DemoOptions, in_memory, is_extra, story, write_on};
use actlog::schema::catalog::Catalog;
use actlog::schema::conform;
use actlog::schema::model::Status;
use serde_json::Value;

fn catalog() -> Catalog {
    Catalog::built_in().unwrap()
}

fn bytes(n_threads: usize, events: u64, seed: u64, bad: u64) -> Vec<u8> {
    let mut log = Vec::new();
    let options = DemoOptions { events, seed, bad };
    let summary = write_on(n_threads, &options, &catalog(), &mut log).unwrap();
    assert_eq!((summary.events, summary.bad, summary.bytes), (events, bad, log.len() as u64));
    log
}

/// The demo as it is by default, read by a plain JSON reader.
fn default_events() -> &'static [Value] {
    static EVENTS: OnceLock<Vec<Value>> = OnceLock::new();
    EVENTS.get_or_init(|| {
        let log = in_memory(&DemoOptions::default(), &catalog());
        log.split(|b| *b == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    })
}

fn text<'a>(event: &'a Value, name: &str) -> &'a str {
    event[name].as_str().unwrap_or("")
}

#[test]
fn a_seed_makes_the_same_bytes_on_any_number_of_threads() {
    let one = bytes(1, 7_000, 5, 12);
    assert!(one == bytes(2, 7_000, 5, 12));
    assert!(one == bytes(5, 7_000, 5, 12));
    assert!(one != bytes(2, 7_000, 6, 12));
}

#[test]
fn logs_of_any_size_have_so_many_events_and_broken_lines() {
    for (events, bad) in [(0, 0), (0, 2), (1, 0), (3, 9), (999, 1), (4_999, 50), (5_000, 0)] {
        let log = bytes(2, events, 3, bad);
        let mut found = (0, 0);
        for line in log.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
            let event: Value = serde_json::from_slice(line).unwrap_or_default();
            if event["eventType"].is_string() { found.0 += 1 } else { found.1 += 1 }
        }
        assert_eq!(found, (events, bad));
        assert!(log.is_empty() || log.ends_with(b"\n"));
    }
}

#[test]
fn every_event_has_a_type_and_time_and_conforms_to_the_schema() {
    let catalog = catalog();
    for event in default_events() {
        let event_type = catalog.find(text(event, "eventType")).unwrap();
        let (time, _) = parse_recorded(text(event, "eventTime").as_bytes()).unwrap();
        let time = time.to_rfc3339();
        assert!(("2026-03-02".."2026-03-16").contains(&&time[..10]), "{event}");
        let object = event.as_object().unwrap();
        let report = conform::check(event_type, object.iter().map(|(k, v)| (k.as_str(), kind(v))));
        assert!(report.unknown.iter().all(|name| is_extra(name)), "{:?} {event}", report.unknown);
        let told_as_text = |name: &str| name == "isError" || name == "isFailure";
        assert!(
            report.mistyped.iter().all(|m| told_as_text(&m.name) && m.found == JsonKind::String),
            "{:?} {event}",
            report.mistyped
        );
    }
}

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

#[test]
fn no_key_is_told_twice_in_an_event() {
    let log = bytes(2, 2_000, 1, 0);
    for line in log.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        let event: BTreeMap<String, Value> = serde_json::from_slice(line).unwrap();
        let compact = serde_json::to_string(&event).unwrap();
        let escapes = compact.contains('\\') || line.windows(2).any(|pair| pair == b"\\u");
        // Without escapes, the same members in another order have the same length.
        assert!(escapes || compact.len() == line.len(), "{compact}");
    }
}

#[test]
fn nearly_all_live_types_occur_by_default_and_all_types_in_a_larger_log() {
    let catalog = catalog();
    let here: HashSet<&str> = default_events().iter().map(|e| text(e, "eventType")).collect();
    let documented: Vec<_> = catalog.types().iter().filter(|t| !t.is_outside()).collect();
    assert_eq!(documented.len(), 226);
    let retired = |t: &Status| matches!(t, Status::Retired { .. });
    let live = documented.iter().filter(|t| !t.status.iter().any(retired));
    let lacking: Vec<_> = live.filter(|t| !here.contains(t.name.as_str())).collect();
    assert!(lacking.len() < 6, "{:?}", lacking.iter().map(|t| &t.name).collect::<Vec<_>>());

    let log = bytes(2, 200_000, 1, 0);
    let types: HashSet<&[u8]> = log.split(|b| *b == b'\n').filter_map(type_in).collect();
    let lacking: Vec<_> =
        documented.iter().filter(|t| !types.contains(t.name.as_bytes())).map(|t| &t.name).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

/// Finds the type of an event by its text, for speed.
fn type_in(line: &[u8]) -> Option<&[u8]> {
    let key = b"\"eventType\":\"";
    let at = memchr::memmem::find(line, key)? + key.len();
    line[at..].split(|b| *b == b'"').next()
}

#[test]
fn the_busy_types_dominate_and_events_have_the_size_of_real_ones() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for event in default_events() {
        *counts.entry(text(event, "eventType")).or_default() += 1;
    }
    let of = |name: &str| counts[name];
    let n = default_events().len();
    assert_eq!(n, 60_000);
    assert!(of("vizql_http_request") > n / 3);
    for busy in ["hist_access_view", "background_job", "login_authentication"] {
        assert!(of(busy) > n / 30, "{busy} {}", of(busy));
        assert!(of("vizql_http_request") > of(busy));
    }
    let size = in_memory(&DemoOptions::default(), &catalog()).len() / n;
    assert!((600..=950).contains(&size), "{size}");
}

#[test]
fn failures_are_told_in_five_ways() {
    let (mut outcome, mut flag, mut words, mut status, mut state) = (0, 0, 0, 0, 0);
    let (mut null_outcomes, mut older, mut newer) = (0, 0, 0);
    for event in default_events() {
        let told = text(event, "eventOutcome");
        outcome += usize::from(!told.is_empty() && told != "success");
        flag += usize::from(event["isError"] == true || event["isFailure"] == true);
        words += usize::from(event["isError"] == "true" || event["isFailure"] == "true");
        status += usize::from(text(event, "status") == "failure");
        state += usize::from(text(event, "eventState") == "Job failed");
        null_outcomes += usize::from(event.get("eventOutcome").is_some_and(Value::is_null));
        older += usize::from(event.get("impersonatedUserId").is_some());
        newer += usize::from(event.get("eventCategory").is_some());
    }
    for ways in [outcome, flag, words, status, state, older, newer] {
        assert!(
            (10..3_000).contains(&ways),
            "{:?}",
            (outcome, flag, words, status, state, older, newer)
        );
    }
    assert!(null_outcomes > 5_000);
}

#[test]
fn lines_are_roughly_in_order_of_time_and_some_are_late() {
    let times: Vec<i64> = default_events()
        .iter()
        .map(|e| parse_recorded(text(e, "eventTime").as_bytes()).unwrap().0.0 / 1_000_000_000)
        .collect();
    let mut latest = 0;
    let (mut seconds, mut minutes, mut hours) = (0, 0, 0);
    for time in times {
        match latest - time {
            ..=2 => seconds += 1,
            3..=1_800 => minutes += 1,
            _ => hours += 1,
        }
        latest = latest.max(time);
    }
    assert!(seconds > 57_000, "{seconds} {minutes} {hours}");
    assert!((100..2_500).contains(&minutes), "{minutes}");
    assert!((20..600).contains(&hours), "{hours}");
}

#[test]
fn people_work_by_day() {
    let mut by_hour = BTreeMap::new();
    // The account of the story works in Central Europe, one hour ahead of UTC.
    for event in default_events().iter().filter(|e| e["actorUserLuid"] == story::ACCOUNT_LUID) {
        *by_hour.entry(text(event, "eventTime")[11..13].to_owned()).or_insert(0) += 1;
    }
    let sum = |from: &str, to: &str| {
        by_hour.range(from.to_owned()..to.to_owned()).map(|h| h.1).sum::<i32>()
    };
    assert!(sum("06", "18") > 3 * (sum("00", "06") + sum("18", "24")), "{by_hour:?}");
}

#[test]
fn names_and_addresses_are_visibly_invented() {
    let log = String::from_utf8(in_memory(&DemoOptions::default(), &catalog())).unwrap();
    let mail = regex::Regex::new(r"@([a-zA-Z0-9.-]+)").unwrap();
    assert!(mail.captures_iter(&log).all(|found| &found[1] == "example.com"));
    let host = regex::Regex::new(r"https?://([^/\x22\\:]+)").unwrap();
    assert!(host.captures_iter(&log).all(|found| found[1].ends_with(".example.com")));
    let dotted = regex::Regex::new(r"\b(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}\b").unwrap();
    let ranges = ["192.0.2", "198.51.100", "203.0.113"];
    for found in dotted.captures_iter(&log) {
        assert!(ranges.contains(&&found[1]), "{}", &found[0]);
    }
    let sixes = regex::Regex::new(r#""(?:sourceIp|ipAddress)":"([0-9a-f]+:[^"]*)""#).unwrap();
    assert!(sixes.captures_iter(&log).all(|found| found[1].starts_with("2001:db8:")));
    let luid = regex::Regex::new(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-").unwrap();
    assert!(luid.find_iter(&log).all(|found| found.as_str().starts_with("dec0de")));
}

#[test]
fn things_persist_and_are_renamed() {
    let mut names: BTreeMap<&str, BTreeMap<&str, (&str, &str)>> = BTreeMap::new();
    for event in default_events() {
        let (luid, name) = (text(event, "workbookLuid"), text(event, "workbookName"));
        if !luid.is_empty() && !name.is_empty() {
            let time = text(event, "eventTime");
            let seen = names.entry(luid).or_default().entry(name).or_insert((time, time));
            *seen = (seen.0.min(time), seen.1.max(time));
        }
    }
    assert!((40..200).contains(&names.len()), "{}", names.len());
    let renamed: Vec<_> = names.values().filter(|n| n.len() > 1).collect();
    assert!(renamed.len() > 5);
    for spans in renamed {
        let mut spans: Vec<_> = spans.values().collect();
        spans.sort();
        assert!(spans.windows(2).all(|pair| pair[0].1 < pair[1].0), "{spans:?}");
    }
}

#[test]
fn the_night_of_the_story_can_be_found() {
    let night = |e: &&Value| text(e, "eventTime").starts_with("2026-03-11T0");
    let from_outside = |e: &&Value| {
        text(e, "sourceIp") == story::ADDRESS || text(e, "ipAddress") == story::ADDRESS
    };
    let events = default_events();

    // Who used the new address? One account only, which failed before it succeeded.
    let outside: Vec<_> = events.iter().filter(from_outside).collect();
    assert!(outside.iter().all(|e| e["actorUserLuid"] == story::ACCOUNT_LUID));
    let tries: Vec<_> =
        outside.iter().filter(|e| text(e, "eventType") == "login_authentication").collect();
    let statuses: Vec<_> = tries.iter().map(|e| text(e, "status")).collect();
    let (no, yes) = ("failure", "success");
    assert_eq!(statuses, [no, no, no, yes, no, no]);
    assert_eq!(text(tries[3], "eventTime"), story::SIGN_IN);
    assert!(tries.iter().all(|e| text(e, "username") == story::ACCOUNT));

    // What was it given, and by whom?
    let grants = |e: &&Value| e["granteeLuid"] == story::ACCOUNT_LUID;
    let given: Vec<_> = events
        .iter()
        .filter(night)
        .filter(grants)
        .filter(|e| text(e, "eventType") == "set_permissions")
        .collect();
    let rights: Vec<_> = given.iter().map(|e| text(e, "capabilityValue")).collect();
    assert_eq!(rights, ["export_xml", "export_data", "view_underlying_data"]);
    assert!(given.iter().all(|e| text(e, "contentName") == story::PROJECT));
    let helper = events.iter().find(|e| {
        e["actorUserLuid"] == given[0]["actorUserLuid"] && !text(e, "username").is_empty()
    });
    assert_eq!(helper.map(|e| text(e, "username")), Some(story::HELPER));

    // What was taken?
    let taken = |event_type: &'static str| {
        let mine = |e: &&Value| e["actorUserLuid"] == story::ACCOUNT_LUID;
        let named = events.iter().filter(night).filter(mine);
        named.filter(|e| text(e, "eventType") == event_type).map(|e| text(e, "name")).collect()
    };
    let downloads: Vec<&str> = taken("hist_download_workbook");
    assert_eq!(downloads, story::WORKBOOKS);
    let exports: Vec<&str> = taken("hist_export_underlying_data");
    assert_eq!(exports.len(), 4);
    let sources: Vec<&str> = taken("hist_download_datasource");
    assert_eq!(sources.len(), 1);

    // And next morning?
    let removal = events.iter().find(|e| text(e, "eventTime") == story::REMOVAL).unwrap();
    assert_eq!(text(removal, "eventType"), "add_delete_user_to_group");
    assert_eq!(text(removal, "groupOperation"), "delete");
    assert_eq!(removal["userLuid"], story::ACCOUNT_LUID);
    let mut morning = events.iter().filter(|e| text(e, "eventTime") > story::REMOVAL);
    let named = morning.find(|e| text(e, "eventType") == "hist_delete_user_from_group");
    assert_eq!(
        named.map(|e| (text(e, "name"), text(e, "userName"))),
        Some((story::GROUP, story::ACCOUNT))
    );
}

#[test]
fn one_extract_keeps_failing_for_days() {
    let mut last: Vec<_> = default_events()
        .iter()
        .filter(|e| {
            text(e, "eventType") == "background_job" && text(e, "objName") == story::EXTRACT
        })
        .filter(|e| text(e, "scheduleName") == "Every 4 hours")
        .filter(|e| ["Job failed", "Job completed successfully"].contains(&text(e, "eventState")))
        .filter(|e| text(e, "eventInitiatedTime")[14..16] == *"10")
        .collect();
    last.sort_by_key(|e| text(e, "eventTime"));
    let failed: Vec<_> = last.iter().filter(|e| text(e, "eventState") == "Job failed").collect();
    assert_eq!(failed.len(), story::FAILED_REFRESHES);
    assert!(text(failed[0], "eventTime").starts_with("2026-03-05T04:1"));
    assert!(text(failed[44], "eventTime").starts_with("2026-03-12T12:"));
    assert!(failed.iter().all(|e| text(e, "notes").contains("has expired\n\tat com.example.")));
    assert_eq!(last.len(), 84);
}

#[test]
fn a_file_is_never_replaced_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.jsonl");
    let options = DemoOptions { events: 50, seed: 1, bad: 2 };
    let run = |target: &Target, notes: &mut Vec<u8>| {
        let mut stdout = Vec::new();
        write(&options, &catalog(), target, &mut stdout, notes).map(|_| stdout)
    };
    let mut notes = Vec::new();
    run(&Target::new(&path, Force::Keep), &mut notes).unwrap();
    let said = String::from_utf8(notes).unwrap();
    assert!(said.starts_with("wrote 50 events and 2 broken lines ("), "{said}");
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(whole, in_memory(&options, &catalog()));

    std::fs::write(&path, "mine").unwrap();
    let error = run(&Target::new(&path, Force::Keep), &mut Vec::new()).unwrap_err();
    assert!(error.to_string().ends_with("is there already; --force replaces it"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    run(&Target::new(&path, Force::Replace), &mut Vec::new()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);

    let out = run(&Target::new("-".as_ref(), Force::Keep), &mut Vec::new()).unwrap();
    assert_eq!(out, whole);
}
