//! Files as they are met in the wild, with the right answer for each.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::id::EventId;
use actlog::base::progress::Progress;
use actlog::index::Index;
use actlog::index::build::{Options, Watch, index_paths};
use actlog::index::names::KnownTypes;
use actlog::record::head::Flags;
use actlog::schema::catalog::Catalog;
use actlog::source::OpenOptions;
use serde_json::Value;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cases")
}

/// Indexes files or folders as the program does.
fn index(paths: &[PathBuf]) -> Arc<Index> {
    let catalog = Catalog::built_in().expect("the built-in schema");
    let names: Vec<String> = catalog.types().iter().map(|t| t.name.to_string()).collect();
    let known = Arc::new(KnownTypes::new(names.iter().map(String::as_str)));
    let options = Options { known, ..Options::default() };
    let open = OpenOptions { known_types: names, ..OpenOptions::default() };
    let mut watch = Watch {
        progress: &Progress::default(),
        cancel: &CancelToken::never(),
        publish: &mut |_| {},
    };
    let paths: Vec<OsString> = paths.iter().map(Into::into).collect();
    index_paths(&paths, &open, &options, &mut watch)
}

fn bad(index: &Index) -> u64 {
    index.bad() + index.files().iter().filter(|file| file.torn.is_some()).count() as u64
}

fn types(index: &Index) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for row in (0..index.rows()).map(|id| index.row(EventId(id))) {
        if !row.flags.has(Flags::BAD) {
            *counts.entry(index.type_name(row.event_type).to_owned()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_known_shape_of_file_has_its_events() {
    let folder = fixtures().join("formats");
    let expected = std::fs::read(folder.join("expect.json")).expect("the right answers");
    let expected: Vec<Value> = serde_json::from_slice(&expected).expect("JSON");
    assert!(expected.len() > 40);
    for case in expected {
        let name = case["file"].as_str().expect("a name");
        let index = index(&[folder.join(name)]);
        if !case["skip"].is_null() {
            assert_eq!((index.rows(), index.sources().skipped.len()), (0, 1), "{name}");
            continue;
        }
        let right: BTreeMap<String, u64> =
            serde_json::from_value(case["types"].clone()).expect("counts");
        assert_eq!(types(&index), right, "{name}");
        assert_eq!(Some(index.events()), case["events"].as_u64(), "{name}");
        assert_eq!(Some(bad(&index)), case["bad_lines"].as_u64(), "{name}");
    }
}

#[test]
fn trees_are_read_whole_and_neighbours_left_out() {
    for (tree, events, skipped) in [
        ("formats/02-tree-date-first", 8, true),
        ("formats/03-tree-schema-first", 4, false),
        ("formats/04-flat-names-type-in-filename", 6, false),
        ("formats/20-cepp-envelope", 7, false),
        ("formats/21-server-cepp-canonical-events-UNVERIFIED", 6, false),
        ("bugs/27b_tree", 3, false),
    ] {
        let index = index(&[fixtures().join(tree)]);
        assert_eq!(index.events(), events, "{tree}");
        assert_eq!(!index.sources().skipped.is_empty(), skipped, "{tree}");
    }
}

/// (file, events, bad, reason of the first bad record, flags that occur with how often).
type Case = (&'static str, u64, u64, &'static str, &'static [(Flags, u64)]);

const HOSTILE: &[Case] = &[
    ("01_shrink_base.ndjson", 40, 0, "", &[]),
    ("02_torn_last_line.ndjson", 2, 1, "", &[]),
    ("04_escapes.ndjson", 5, 0, "", &[]),
    ("04b_escapes_raw.ndjson", 2, 0, "", &[(Flags::LENIENT, 1)]),
    ("06_wide_combining.ndjson", 5, 0, "", &[]),
    ("07_long_value.ndjson", 3, 0, "", &[]),
    ("08_wide_record.ndjson", 2, 0, "", &[]),
    ("10_duplicate_keys.ndjson", 3, 0, "", &[(Flags::DUPLICATE_KEY, 3)]),
    ("12_nul_bytes.ndjson", 4, 1, "hole of 4,096 zero bytes", &[(Flags::LENIENT, 1)]),
    ("13_crlf.ndjson", 3, 0, "", &[]),
    ("13b_mixed_endings.ndjson", 4, 0, "", &[]),
    ("14_bom.ndjson", 2, 0, "", &[]),
    ("14c_utf16le.txt", 2, 0, "", &[]),
    ("15_invalid_utf8.ndjson", 3, 0, "", &[(Flags::INVALID_UTF8, 1)]),
    ("16_out_of_order.ndjson", 5, 0, "", &[]),
    ("17_offsets.ndjson", 10, 0, "", &[(Flags::NO_ZONE, 2)]),
    ("21_dst.ndjson", 11, 0, "", &[]),
    ("24_skew.ndjson", 3, 0, "", &[]),
    ("25_empty.ndjson", 0, 0, "", &[]),
    ("25b_blank_lines.ndjson", 0, 0, "", &[]),
    ("25c_one_event.ndjson", 1, 0, "", &[]),
    ("25d_same_instant.ndjson", 20, 0, "", &[]),
    ("25e_none_valid.ndjson", 0, 3, "not JSON", &[]),
    ("26b_null_missing.ndjson", 5, 0, "", &[]),
    ("27_unknown_schema.ndjson", 7, 0, "", &[]),
    ("28b_concatenated.ndjson", 3, 0, "", &[]),
    ("28c_array.json", 2, 0, "", &[]),
    ("28d_pretty.json", 2, 0, "", &[(Flags::MULTILINE, 2)]),
    ("28f_wrapped.ndjson", 2, 0, "", &[]),
    ("29_search_syntax.ndjson", 21, 0, "", &[]),
    ("30_precedence.ndjson", 5, 0, "", &[]),
    ("32_json_in_string.ndjson", 3, 0, "", &[]),
    ("34_multi_member.ndjson.gz", 2, 0, "", &[]),
    ("34c_not_gzip.ndjson.gz", 2, 0, "", &[]),
    ("34d_gzip_no_suffix.ndjson", 2, 0, "", &[]),
];

#[test]
fn every_hostile_file_has_its_events() {
    for (name, events, bad_records, reason, flags) in HOSTILE {
        let index = index(&[fixtures().join("bugs").join(name)]);
        assert_eq!((index.events(), bad(&index)), (*events, *bad_records), "{name}");
        let first = index.bad_records().next().map(|bad| bad.flaw.to_string());
        assert_eq!(first.unwrap_or_default(), *reason, "{name}");
        for (flag, count) in *flags {
            let rows = (0..index.rows()).map(|id| index.row(EventId(id)));
            assert_eq!(rows.filter(|row| row.flags.has(*flag)).count() as u64, *count, "{name}");
        }
    }
    let mut listed: Vec<&str> = HOSTILE.iter().map(|case| case.0).collect();
    let folder = std::fs::read_dir(fixtures().join("bugs")).expect("the folder");
    let mut there: Vec<String> = folder
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().into_string().expect("a plain name"))
        .collect();
    there.sort();
    listed.sort_unstable();
    assert_eq!(there, listed, "a file without a case, or a case without a file");
}

#[test]
fn one_instant_in_ten_spellings_sorts_in_file_order() {
    let index = index(&[fixtures().join("bugs/17_offsets.ndjson")]);
    let times: Vec<_> = (0..10).map(|id| index.time(EventId(id))).collect();
    assert!(times.iter().all(|time| *time == times[0]));
    let order: Vec<u32> = index.order().iter().map(|id| id.0).collect();
    assert_eq!(order, (0..10).collect::<Vec<u32>>());
}

#[test]
fn time_order_never_rewrites_a_time() {
    let index = index(&[fixtures().join("bugs/16_out_of_order.ndjson")]);
    let order: Vec<u32> = index.order().iter().map(|id| id.0).collect();
    assert_eq!(order, [4, 2, 0, 3, 1]);
}

/// Records that are easier told here than kept in files.
#[test]
fn small_shapes_are_read_right() {
    let hit = r#"{"eventType":"hist_login","eventTime":"2026-03-02T08:00:00Z","actorUserId":7}"#;
    let deep = format!(
        "{{\"eventType\":\"x\",\"a\":{}{},\"b\":{}1{}}}",
        "[".repeat(3000),
        "]".repeat(3000),
        "{\"k\":".repeat(400),
        "}".repeat(400),
    );
    let wide: Vec<String> = (0..2000).map(|n| format!("\"a{n}\":{n}")).collect();
    let wide = format!("{{\"eventType\":\"x\",{}}}", wide.join(","));
    let long = format!("{{\"eventType\":\"x\",\"v\":\"{}\"}}", "v".repeat(8 << 20));
    let surrogate = r#"{"eventType":"x","t":"\ud800"}"#.to_owned();
    let big = r#"{"eventType":"x","n":123456789012345678901234567890,"f":1e999}"#.to_owned();
    for (text, events, bad_records) in [
        (deep, 1, 0),
        (wide, 1, 0),
        (long, 1, 0),
        (surrogate, 1, 0),
        (big, 1, 0),
        (format!("{hit}TRAILER\n{hit}\n"), 1, 1),
        (format!("{hit}\n\u{feff}{hit}\n"), 2, 0),
        (r#"{"eventType":"x","n":007}"#.to_owned(), 0, 1),
        (format!("<html>\n<body>{hit}</body>\n"), 0, 2),
        (hit.replace("7}", "7,\"t\":\"\u{2028}\u{2029}\u{85}\u{b}\"}"), 1, 0),
    ] {
        let index = actlog::index::build::from_bytes("x", text.clone().into_bytes(), &[]);
        let shown: String = text.chars().take(80).collect();
        assert_eq!((index.events(), bad(&index)), (events, bad_records), "{shown}");
    }
}

#[test]
fn a_type_in_the_path_wins_over_an_attribute_of_that_name() {
    let catalog = Catalog::built_in().expect("the built-in schema");
    let body = br#"{"eventType":"create","eventTime":"2026-03-02T08:00:00Z","workbookLuid":"x"}"#;
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["hist_create_materialized_views", "hist_rekey_materialized_views"] {
        assert!(catalog.find(name).is_some());
        let path = folder.path().join(format!("eventType={name}"));
        std::fs::create_dir(&path).expect("a folder");
        std::fs::write(path.join("part-0.txt"), body).expect("a file");
        let index = index(&[path]);
        assert_eq!(types(&index), BTreeMap::from([(name.to_owned(), 1)]));
        assert!(index.row(EventId(0)).flags.has(Flags::TYPE_DISAGREES));
    }
}
