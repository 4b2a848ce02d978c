//! Envelopes that tools put around an event, and arrays of events.

use std::ops::Range;

use crate::base::json::JsonKind;
use crate::record::flat::{FlatRecord, FlatRow, Place, RowData};

/// Members whose object may be the event: Tableau's own envelope, EventBridge, Splunk, Tableau
/// Server's native log lines, Elasticsearch, and what other collectors use.
const OBJECTS: [&str; 10] =
    ["event", "detail", "result", "v", "_source", "payload", "record", "data", "body", "message"];

/// Members whose string may hold the event as JSON text.
const STRINGS: [&str; 9] =
    ["_raw", "message", "event", "log", "body", "payload", "data", "detail", "Message"];

/// Members that hold an array of events.
pub(crate) const ARRAYS: [&str; 7] =
    ["Records", "records", "events", "results", "items", "logEvents", "value"];

/// An event may be in a string in an object in an object.
const DEEPEST_WRAPPER: usize = 4;

/// Finds the event in a record that has none at its top, and makes its rows those of the event.
pub(crate) fn unwrap(record: &mut FlatRecord) {
    let mut stripped = 0;
    for _ in 0..DEEPEST_WRAPPER {
        if has_event(record, "") || !step(record, &mut stripped) {
            return;
        }
    }
}

/// Returns the spans of the events in a record that is an array of them under a known name.
pub(crate) fn elements(record: &FlatRecord) -> Option<Vec<Range<usize>>> {
    if has_event(record, "") {
        return None;
    }
    ARRAYS.iter().find_map(|name| {
        let found = record.get(name).filter(|row| row.kind() == JsonKind::Array)?;
        // In a string of the envelope, the elements have no bytes of their own.
        let is_outer = |row: FlatRow<'_>| row.place() == Place::Wrapper;
        if record.rows().any(|row| is_outer(row) && row.span() == found.span()) {
            return None;
        }
        let prefix = format!("{}[", found.path());
        let spans: Vec<_> = record
            .rows()
            .filter(|row| row.depth() == found.depth() + 1 && row.path().starts_with(&prefix))
            .map(|row| row.span())
            .collect();
        (!spans.is_empty()).then_some(spans)
    })
}

fn has_event(record: &FlatRecord, prefix: &str) -> bool {
    record.rows().any(|row| {
        row.place() == Place::Event
            && row.kind() != JsonKind::Null
            && row
                .path()
                .strip_prefix(prefix)
                .is_some_and(|rest| rest == "eventType" || rest == "eventTime")
    })
}

/// Takes one envelope off; returns whether there was one.
fn step(record: &mut FlatRecord, stripped: &mut usize) -> bool {
    let is = |name: &str, kind: JsonKind| record.get(name).is_some_and(|r| r.kind() == kind);
    let objects = || OBJECTS.iter().filter(|name| is(name, JsonKind::Object));
    let found = objects()
        .find(|name| has_event(record, &format!("{name}.")))
        .or_else(|| objects().find(|name| **name == "event" && is("metadata", JsonKind::Object)))
        .or_else(|| objects().find(|name| holds_wrapper(record, name)));
    if let Some(name) = found {
        strip(record, name, stripped);
        return true;
    }
    let texts: Vec<&str> =
        STRINGS.iter().filter(|name| is(name, JsonKind::String)).copied().collect();
    texts.into_iter().any(|name| open_string(record, name, stripped))
}

fn holds_wrapper(record: &FlatRecord, name: &str) -> bool {
    record.rows().any(|row| {
        row.place() == Place::Event
            && row.path().strip_prefix(name).and_then(|rest| rest.strip_prefix('.')).is_some_and(
                |rest| match row.kind() {
                    JsonKind::Object => OBJECTS.contains(&rest),
                    JsonKind::String => STRINGS.contains(&rest) && row.text().starts_with('{'),
                    _ => false,
                },
            )
    })
}

/// Makes the members of object `name` the event, and all else the envelope.
fn strip(record: &mut FlatRecord, name: &str, stripped: &mut usize) {
    let cut = name.len() + 1;
    let is_event = |row: &RowData| row.place == Place::Event;
    let is_named = |row: &RowData| is_event(row) && record.text[row.path.clone()] == *name;
    let Some(object) = record.rows.iter().rposition(is_named) else { return };
    let members = record.rows[object + 1..].iter().take_while(|row| is_event(row) && row.depth > 0);
    let members = object + 1..object + 1 + members.count();
    for (number, row) in record.rows.iter_mut().enumerate().filter(|(_, row)| is_event(row)) {
        if members.contains(&number) {
            row.path.start += cut;
            row.depth = row.depth.saturating_sub(1);
        } else {
            row.path.start -= *stripped;
            row.place = Place::Wrapper;
        }
    }
    *stripped += cut;
}

/// Makes the JSON in string `name` the event; returns whether it is an object.
fn open_string(record: &mut FlatRecord, name: &str, stripped: &mut usize) -> bool {
    let Some(row) = record.get(name) else { return false };
    let (inner, span) = (row.text().to_owned(), row.span());
    if !inner.trim_start().starts_with('{') {
        return false;
    }
    let before = record.rows.len();
    let was_lenient = record.is_lenient();
    if record.fill(inner.as_bytes()).is_err() {
        record.rows.truncate(before);
        record.lenient = was_lenient;
        return false;
    }
    for row in record.rows.iter_mut().take(before).filter(|row| row.place == Place::Event) {
        row.path.start -= *stripped;
        row.place = Place::Wrapper;
    }
    record.rows[before..].iter_mut().for_each(|row| row.span = span.clone());
    record.mark_duplicates(before);
    *stripped = 0;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, event: &[&str], envelope: &[&str]) {
        let record = FlatRecord::read(text.as_bytes());
        let paths = |place| -> Vec<&str> {
            record.rows().filter(|r| r.place() == place).map(|r| r.path()).collect()
        };
        assert_eq!(paths(Place::Event), event, "{text}");
        assert_eq!(paths(Place::Wrapper), envelope, "{text}");
    }

    #[test]
    fn known_envelopes_come_off() {
        check(
            r#"{"traceUuid":"t","event":{"eventTime":"x","a":{"b":1}},"metadata":{"eventType":"y"}}"#,
            &["eventTime", "a", "a.b"],
            &["traceUuid", "event", "metadata", "metadata.eventType"],
        );
        check(
            r#"{"event":{"toolName":"x"},"metadata":{"eventType":"y"}}"#,
            &["toolName"],
            &["event", "metadata", "metadata.eventType"],
        );
        check(r#"{"id":"1","detail":{"eventType":"x"}}"#, &["eventType"], &["id", "detail"]);
        check(r#"{"k":"e","v":{"eventType":"x"}}"#, &["eventType"], &["k", "v"]);
    }

    #[test]
    fn an_event_in_a_string_in_an_object() {
        check(
            r#"{"result":{"_time":"t","_raw":"{\"eventType\":\"x\",\"n\":1}"},"offset":0}"#,
            &["eventType", "n"],
            &["result", "result._time", "result._raw", "offset"],
        );
    }

    #[test]
    fn the_envelope_of_a_string_keeps_its_places() {
        let text = r#"{"result":{"_raw":"{\"eventType\":\"x\"}"},"offset":12}"#;
        let record = FlatRecord::read(text.as_bytes());
        let offset = record.get_wrapper("offset").expect("a row");
        assert_eq!(&text[offset.span()], "12");
        let event = record.get("eventType").expect("a row");
        assert_eq!(&text[event.span()], r#""{\"eventType\":\"x\"}""#);
    }

    #[test]
    fn a_dot_in_a_name_is_no_step() {
        check(r#"{"event":{"eventType":"x"},"event.y":1}"#, &["eventType"], &["event", "event.y"]);
    }

    #[test]
    fn events_in_a_string_have_no_bytes_of_their_own() {
        let text = r#"{"_raw":"{\"Records\":[{\"eventType\":\"x\"}]}"}"#;
        assert_eq!(elements(&FlatRecord::read(text.as_bytes())), None);
    }

    #[test]
    fn an_event_is_never_unwrapped() {
        check(
            r#"{"eventType":"x","event":{"eventType":"y"}}"#,
            &["eventType", "event", "event.eventType"],
            &[],
        );
        check(r#"{"message":"hello"}"#, &["message"], &[]);
    }

    #[test]
    fn arrays_of_events_are_found_by_name() {
        let record = FlatRecord::read(br#"{"Records":[{"eventType":"x"},{"a":[1]}]}"#);
        assert_eq!(elements(&record), Some(vec![12..29, 30..39]));
    }
}
