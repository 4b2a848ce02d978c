//! One line as a record: its head is what serde_json finds, read quickly or carefully alike.

#![no_main]

use std::collections::HashSet;

use actlog::base::json::JsonKind;
use actlog::record::flat::{FlatRecord, Place};
use actlog::record::flaw::Why;
use actlog::record::head::{Flags, HeadReader, Outcome};
use libfuzzer_sys::fuzz_target;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

fuzz_target!(|line: &[u8]| {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    if line.contains(&b'\n') {
        return;
    }
    rows_are_sane(line);
    let ours = read(line);
    let parsed: Result<Value, _> = serde_json::from_slice(line);
    match parsed {
        Ok(Value::Object(_)) => {}
        Ok(_) => return assert!(ours.is_err(), "no object is an event"),
        Err(error) => {
            // Depth is all that serde_json refuses and JSON does not.
            if error.to_string().starts_with("recursion limit") {
                return;
            }
            let is_flagged =
                ours.is_ok_and(|head| head.flags & (Flags::LENIENT.0 | Flags::INVALID_UTF8.0) != 0);
            return assert!(ours_refuses(line) || is_flagged, "let pass: {error}");
        }
    }
    let Ok(Members(members)) = serde_json::from_slice(line) else { return };
    if members.iter().any(|(name, _)| name == LOSSY) {
        return;
    }
    let careful = read(&forced(line, members.is_empty()));
    assert!(careful.as_ref().is_ok_and(|head| head.flags & Flags::LENIENT.0 != 0) || ours.is_err());
    // An event in a string of an envelope may be lenient where its envelope is not.
    assert_eq!(ours.clone().map(strict), careful.map(strict));
    match (naive(&members), ours) {
        (Some(naive), Ok(ours)) => naive.check(&ours),
        (Some(_), Err(why)) => panic!("refused: {why:?}"),
        (None, Ok(ours)) => assert_ne!(ours.flags & Flags::WRAPPED.0, 0, "an event of nothing"),
        (None, Err(_)) => {}
    }
});

fn strict(mut head: Owned) -> Owned {
    head.flags &= !(Flags::LENIENT.0 | Flags::INVALID_UTF8.0);
    head
}

/// A member with a lone surrogate makes the quick reader step aside.
const LOSSY: &str = "~lossy~";

fn forced(line: &[u8], is_empty: bool) -> Vec<u8> {
    let line = line.trim_ascii_end();
    let comma = if is_empty { "" } else { "," };
    let mut forced = line[..line.len() - 1].to_vec();
    forced.extend(format!("{comma}\"{LOSSY}\":\"\\ud800\"}}").bytes());
    forced
}

#[derive(Clone, Debug, PartialEq)]
struct Owned {
    event_type: Option<String>,
    envelope_type: Option<String>,
    time: i64,
    actor: Option<String>,
    outcome: Option<String>,
    flags: u16,
}

fn read(line: &[u8]) -> Result<Owned, Why> {
    let own = |text: Option<&str>| text.map(str::to_owned);
    let found = HeadReader::default().read(line, |head| Owned {
        event_type: own(head.event_type),
        envelope_type: own(head.envelope_type),
        time: head.time.0,
        actor: own(head.actor),
        outcome: match head.outcome {
            Outcome::Missing => None,
            Outcome::Null => Some("(null)".to_owned()),
            Outcome::Text(text) => Some(text.to_owned()),
        },
        flags: head.flags.0,
    });
    found.map_err(|flaw| flaw.why)
}

fn ours_refuses(line: &[u8]) -> bool {
    read(line).is_err()
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

/// The head of an event that is in no envelope, in the plainest way.
struct Naive {
    event_type: Option<String>,
    /// `None` when RFC 3339 does not say.
    time: Option<i64>,
    actor: Option<String>,
    outcome: Option<String>,
    /// `None` when a word decides that is not looked at here.
    failed: Option<bool>,
    duplicate: bool,
}

/// The first of these that names somebody is the actor.
const ACTORS: [&str; 10] = [
    "actorUserLuid",
    "actorUserId",
    "initiatingUserLuid",
    "initiatingUserId",
    "initiatingUserEmail",
    "initiatingUserDisplayName",
    "actorExternalId",
    "actorUsername",
    "username",
    "actorGroupLuid",
];

fn naive(members: &[(String, Value)]) -> Option<Naive> {
    let last = |name: &str| members.iter().rev().find(|(key, _)| key == name).map(|(_, v)| v);
    let word = |name: &str| match last(name) {
        Some(Value::String(text)) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let event_type = word("eventType");
    if event_type.is_none() && matches!(last("eventTime"), None | Some(Value::Null)) {
        return None;
    }
    let time = match last("eventTime") {
        Some(Value::String(text)) => chrono::DateTime::parse_from_rfc3339(text)
            .ok()
            .filter(|time| chrono::Timelike::nanosecond(time) < 1_000_000_000)
            .and_then(|time| time.timestamp_nanos_opt()),
        Some(Value::Number(_)) => None,
        _ => Some(i64::MAX),
    };
    let outcome = last("eventOutcome").map(|value| match value {
        Value::Null => "(null)".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => "(not a word)".to_owned(),
        plain => plain.to_string(),
    });
    let is_bad = match last("eventOutcome") {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => {
            !text.trim().is_empty() && !text.trim().eq_ignore_ascii_case("success")
        }
        Some(_) => true,
    };
    let yes = |name: &str| match last(name) {
        Some(Value::Bool(truth)) => *truth,
        Some(Value::String(text)) => text.trim_ascii().eq_ignore_ascii_case("true"),
        _ => false,
    };
    let told = ["status", "eventState"].map(|name| last(name).and_then(Value::as_str));
    let failed = if is_bad || yes("isError") || yes("isFailure") {
        Some(true)
    } else if told.iter().flatten().any(|word| word.eq_ignore_ascii_case("failed")) {
        Some(true)
    } else {
        told.iter().all(Option::is_none).then_some(false)
    };
    let signs_in = event_type.as_ref().is_some_and(|name| name.contains("login"));
    let actor = ACTORS.iter().find_map(|name| word(name));
    let names: HashSet<_> = members.iter().map(|(key, _)| key).collect();
    Some(Naive {
        actor: actor.or_else(|| word("userId").filter(|_| signs_in)),
        event_type,
        time,
        outcome,
        failed,
        duplicate: names.len() < members.len(),
    })
}

impl Naive {
    fn check(&self, ours: &Owned) {
        let has = |flag: Flags| ours.flags & flag.0 != 0;
        assert_eq!(bare(&ours.event_type), bare(&self.event_type));
        assert_eq!(ours.envelope_type, None);
        assert!(self.time.is_none_or(|time| time == ours.time), "{:?} {ours:?}", self.time);
        assert_eq!(has(Flags::NO_TIME), ours.time == i64::MAX);
        assert_eq!(bare(&ours.actor), bare(&self.actor));
        assert_eq!(bare(&ours.outcome), bare(&self.outcome));
        assert!(self.failed.is_none_or(|failed| failed == has(Flags::FAILED)));
        assert_eq!(has(Flags::DUPLICATE_KEY), self.duplicate);
        let odd = Flags::WRAPPED | Flags::LENIENT | Flags::INVALID_UTF8 | Flags::PREFIXED;
        assert_eq!(ours.flags & odd.0, 0);
    }
}

/// serde_json writes every exponent with a small letter and a sign.
fn bare(text: &Option<String>) -> Option<String> {
    text.as_ref().map(|text| text.replace('+', "").replace('E', "e"))
}

/// The rows of any bytes lie within them and tell what is recorded there.
fn rows_are_sane(line: &[u8]) {
    let record = FlatRecord::read(line);
    let envelope: Vec<_> = record.rows().filter(|row| row.place() == Place::Wrapper).collect();
    if let Some(flaw) = record.problem() {
        assert!(flaw.at <= line.len() as u64);
    }
    for row in record.rows() {
        let span = row.span();
        assert!(span.start < span.end && span.end <= line.len(), "{row:?}");
        assert!(row.path().ends_with(row.key()));
        assert!(usize::from(row.depth()) <= row.path().len() + 1);
        assert!(record.kind().is_some());
        // What stood in a string of the envelope has the place of that string.
        let is_inner = |outer: &&_| {
            let outer: &actlog::record::flat::FlatRow<'_> = outer;
            outer.kind() == JsonKind::String && outer.span() == span
        };
        if row.place() == Place::Event && envelope.iter().any(|outer| is_inner(&outer)) {
            continue;
        }
        let bytes = &line[span.clone()];
        match row.kind() {
            JsonKind::String => {
                let text: Option<String> = serde_json::from_slice(bytes).ok();
                let is_lossy = row.is_lossy();
                assert!(is_lossy || text.is_none_or(|text| text == row.text()), "{row:?}");
            }
            JsonKind::Array | JsonKind::Object => {
                assert!(matches!(bytes[0], b'{' | b'['));
                let is_closed = matches!(bytes[bytes.len() - 1], b'}' | b']');
                assert!(is_closed || record.problem().is_some(), "{row:?}");
                assert!(row.is_cut() || row.text().is_empty());
            }
            _ => assert_eq!(row.text().as_bytes(), bytes),
        }
    }
}
