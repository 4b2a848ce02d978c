//! The quick reader against a naive one: heads, index and counts, for any cut and any threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::id::EventId;
use actlog::base::progress::Progress;
use actlog::index::Index;
use actlog::index::build::{Options, Watch, run};
use actlog::index::names::KnownTypes;
use actlog::record::flat::FlatRecord;
use actlog::record::head::Flags;
use actlog::source::{Found, from_memory};
use proptest::prelude::*;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

/// One row as a naive reader sees it.
#[derive(Debug, PartialEq)]
struct Naive {
    event_type: String,
    time: Option<i64>,
    actor: String,
    outcome: String,
    failed: bool,
    duplicate: bool,
    text: String,
}

/// Members in recorded order, so that duplicates are seen.
struct Members(Vec<(String, Value)>);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// Reads a log of lines with serde_json: `None` for a bad record.
fn naive(log: &[u8]) -> Vec<Option<Naive>> {
    let lines = log.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty()).map(naive_line).collect()
}

fn naive_line(line: &[u8]) -> Option<Naive> {
    let Members(members) = serde_json::from_slice(line).ok()?;
    let last = |name: &str| members.iter().rev().find(|(key, _)| key == name).map(|(_, v)| v);
    let word = |name: &str| last(name).and_then(Value::as_str).map(str::trim).unwrap_or("");
    let id = |name: &str| match last(name) {
        Some(Value::String(text)) => text.trim().to_ascii_lowercase(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let is_event =
        !word("eventType").is_empty() || !matches!(last("eventTime"), None | Some(Value::Null));
    if !is_event {
        return None;
    }
    let time = chrono::DateTime::parse_from_rfc3339(word("eventTime")).ok();
    let outcome = match last("eventOutcome") {
        None => "(missing)".to_owned(),
        Some(Value::Null) => "(null)".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(_) => return None,
    };
    let yes = |name: &str| match last(name) {
        Some(Value::Bool(truth)) => *truth,
        Some(Value::String(text)) => text == "true",
        _ => false,
    };
    let names: std::collections::HashSet<_> = members.iter().map(|(key, _)| key).collect();
    let actors = ["actorUserLuid", "actorUserId"].map(id);
    Some(Naive {
        event_type: match word("eventType") {
            "" => "(unknown)".to_owned(),
            name => name.to_owned(),
        },
        time: time.and_then(|time| time.timestamp_nanos_opt()),
        actor: actors.into_iter().find(|name| !name.is_empty()).unwrap_or_default(),
        failed: !["(missing)", "(null)", "success"].contains(&outcome.as_str())
            || yes("isError")
            || yes("isFailure")
            || word("status") == "failure",
        outcome,
        duplicate: names.len() < members.len(),
        text: std::str::from_utf8(line).expect("valid JSON is UTF-8").to_owned(),
    })
}

fn rows(index: &Index) -> Vec<Option<Naive>> {
    (0..index.rows())
        .map(EventId)
        .map(|id| {
            let row = index.row(id);
            if row.flags.has(Flags::BAD) {
                assert!(index.flaw(id).is_some(), "a bad record without a reason");
                return None;
            }
            let bytes = index.record(id).expect("in memory");
            Some(Naive {
                event_type: index.type_name(row.event_type).to_owned(),
                time: row.time.is_some().then_some(row.time.0),
                actor: index.actor_name(row.actor).to_owned(),
                outcome: index.outcome_name(row.outcome).to_owned(),
                failed: row.flags.has(Flags::FAILED),
                duplicate: row.flags.has(Flags::DUPLICATE_KEY),
                text: String::from_utf8(bytes.into_owned()).expect("text"),
            })
        })
        .collect()
}

/// Builds with so many threads and such pieces; checks what is published on the way.
fn build(log: &[u8], threads: usize, piece: usize) -> Arc<Index> {
    let options = Options { threads, piece, known: Arc::new(KnownTypes::default()) };
    let mut seen = BTreeMap::new();
    let mut before = 0;
    let mut publish = |index: Arc<Index>| {
        assert!(before <= index.rows(), "a published count shrank");
        before = index.rows();
        for id in 0..index.rows() {
            let row = index.row(EventId(id));
            let first = *seen.entry(id).or_insert((row.offset, row.event_type));
            assert_eq!(first, (row.offset, row.event_type), "a row changed its number");
        }
    };
    let mut watch = Watch {
        progress: &Progress::default(),
        cancel: &CancelToken::never(),
        publish: &mut publish,
    };
    let source = Arc::new(from_memory("log", log.to_vec()));
    run(Box::new(|found| found(Found::File(source))), &options, &mut watch)
}

fn event() -> impl Strategy<Value = String> {
    let member = prop_oneof![
        5 => prop::sample::select(vec![
            r#""eventType":"hist_login""#, r#""event\u0054ype":" hist_logout ""#,
            r#""eventType":"caf\u00e9""#, r#""eventType":"""#, r#""eventType":null"#,
            r#""eventTime":"2026-03-02T08:00:00.123Z""#, r#""eventTime":"2026-03-02T11:00:00+03:00""#,
            r#""eventTime":"2026-03-01T08:00:00Z""#, r#""eventTime":"never""#, r#""eventTime":null"#,
        ]).prop_map(str::to_owned),
        3 => prop::sample::select(vec![
            r#""actorUserLuid":"A11CE000-0000-4000-8000-000000000007""#,
            r#""actorUserLuid":"a11ce000-0000-4000-8000-000000000007""#,
            r#""actorUserLuid":null"#, r#""actorUserId":7"#, r#""actorUserId":"8""#,
            r#""eventOutcome":"success""#, r#""eventOutcome":null"#,
            r#""eventOutcome":"unauthorized""#, r#""isError":true"#, r#""isFailure":"true""#,
            r#""status":"failure""#, r#""status":"success""#,
        ]).prop_map(str::to_owned),
        3 => prop::sample::select(vec![
            r#""x":{"eventType":"wrong","eventTime":"1999-01-01T00:00:00Z","b":[1,{"c":null}]}"#,
            r#""note":"{\"eventType\":\"wrong\"}\n[}]""#, r#""n":-1.5e3"#, r#""u":"日本 é \ud83d\ude00""#,
            r#""actorUserLuid ":"no""#, r#""":"empty""#, r#""a":[]"#, r#""o":{}"#, r#""big":9007199254740993"#,
        ]).prop_map(str::to_owned),
        1 => (0..40_u32).prop_map(|n| format!("\"k{n}\":{n}")),
    ];
    (prop::collection::vec(member, 0..14), prop::sample::select(vec![",", " , ", ",\t"]))
        .prop_map(|(members, comma)| format!("{{{}}}", members.join(comma)))
}

fn line() -> impl Strategy<Value = String> {
    let broken = vec![
        "null",
        "42",
        "\"text\"",
        "[]",
        "[1,2]",
        "hello",
        "{\"a\":007}",
        "{\"a\":1}TRAILER",
        "{\"a\":tru}",
        "{\"a\":\"open",
        "{\"eventType\":\"x\",}",
        "{\"a\" 1}",
        "}",
        "]",
        ",",
        "\u{1}",
    ];
    prop_oneof![
        20 => event(),
        4 => prop::sample::select(broken).prop_map(str::to_owned),
        2 => prop::sample::select(vec!["", "  ", "\t"]).prop_map(str::to_owned),
    ]
}

fn log() -> impl Strategy<Value = String> {
    let ending = prop::sample::select(vec!["\n", "\r\n", " \n"]);
    prop::collection::vec((line(), ending), 0..60)
        .prop_map(|lines| lines.into_iter().map(|(line, ending)| line + ending).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn index_equals_naive_reader_for_any_threads_and_cuts(log in log(), piece in 1_usize..400) {
        let expected = naive(log.as_bytes());
        for (threads, piece) in [(1, 4 << 20), (1, piece), (2, piece), (8, 1)] {
            let index = build(log.as_bytes(), threads, piece);
            prop_assert_eq!(&rows(&index), &expected, "{} threads, pieces of {}", threads, piece);
            let bad = expected.iter().filter(|row| row.is_none()).count();
            prop_assert_eq!(index.bad() as usize, bad);
            prop_assert!(index.is_final());
            let mut sorted: Vec<u32> = (0..index.rows()).collect();
            sorted.sort_by_key(|&id| index.time(EventId(id)));
            let order: Vec<u32> = index.order().iter().map(|id| id.0).collect();
            prop_assert_eq!(order, sorted);
        }
    }

    #[test]
    fn any_bytes_are_read_alike_however_they_are_cut(
        parts in prop::collection::vec(prop_oneof![
            event(),
            line(),
            event().prop_map(|e| e.replace(',', ",\n  ").replace('{', "{\n")),
            prop::sample::select(vec![
                "[", "]", "{", "}", ",", "\n", "\n", "\"", "{\"Records\":[", "]}", "\u{feff}", "\0\0",
                "2026-03-02 host: ", "<html>", "\\", "{\"event\":{", "},\"metadata\":{\"eventType\":\"m\"}}",
            ]).prop_map(str::to_owned),
        ], 0..40),
        piece in 1_usize..300,
    ) {
        let log = parts.concat();
        let whole = build(log.as_bytes(), 1, 4 << 20);
        for (threads, piece) in [(2, piece), (8, 1)] {
            let index = build(log.as_bytes(), threads, piece);
            prop_assert_eq!(whole.rows(), index.rows());
            prop_assert_eq!(&whole.files()[0].torn, &index.files()[0].torn);
            for id in (0..whole.rows()).map(EventId) {
                prop_assert_eq!(whole.row(id), index.row(id));
                prop_assert_eq!(whole.flaw(id), index.flaw(id));
            }
        }
    }

    #[test]
    fn every_byte_that_is_not_blank_has_a_row(parts in prop::collection::vec(line(), 0..30)) {
        let log = parts.join("\n");
        let index = build(log.as_bytes(), 2, 64);
        let mut covered = vec![false; log.len()];
        let mut cover = |from: u64, len: u64| {
            covered[from as usize..(from + len) as usize].fill(true);
        };
        for row in (0..index.rows()).map(|id| index.row(EventId(id))) {
            cover(row.offset, row.len.into());
        }
        if let Some(torn) = &index.files()[0].torn {
            cover(torn.offset, torn.len);
        }
        for (at, byte) in log.bytes().enumerate().filter(|&(at, _)| !covered[at]) {
            prop_assert!(b" \t\r\n,".contains(&byte), "byte {} is nowhere", at);
        }
    }

    #[test]
    fn flattening_any_bytes_never_fails(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let record = FlatRecord::read(&bytes);
        for row in record.rows() {
            prop_assert!(row.path().ends_with(row.key()));
        }
    }

    #[test]
    fn flat_rows_equal_serde_json(text in event()) {
        let record = FlatRecord::read(text.as_bytes());
        let value: Value = serde_json::from_str(&text).expect("an event is valid");
        for row in record.rows().filter(|row| !row.is_duplicate() && !row.path().is_empty()) {
            if row.depth() == 0 {
                let found = &value[row.key()];
                match found {
                    Value::String(text) => prop_assert_eq!(row.text(), text),
                    Value::Null | Value::Bool(_) => prop_assert_eq!(row.text(), found.to_string()),
                    Value::Number(n) => prop_assert_eq!(row.text().parse::<f64>().ok(), n.as_f64()),
                    Value::Array(_) | Value::Object(_) => prop_assert_eq!(row.text(), ""),
                }
            }
        }
    }
}
