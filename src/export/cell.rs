//! The text of one column of an event.

use std::borrow::Cow;

use crate::base::json::JsonKind;
use crate::export::Event;
use crate::record::flat::{FlatRow, Place};
use crate::record::head::Flags;

/// Returns the row of the attribute at `name`, which may differ in case.
pub(super) fn find<'a>(event: &'a Event<'_>, name: &str) -> Option<FlatRow<'a>> {
    let record = event.record();
    record.get(name).or_else(|| {
        let same = |row: &FlatRow<'_>| row.path().eq_ignore_ascii_case(name);
        let in_event = |row: &FlatRow<'_>| row.place() == Place::Event && same(row);
        record.rows().rev().find(in_event).or_else(|| record.rows().rev().find(same))
    })
}

/// Returns the text of a column: recorded text, JSON for arrays and objects, "" for null and none.
pub(super) fn text<'a>(event: &'a Event<'_>, column: &str) -> Cow<'a, str> {
    let index = event.index;
    let is_bad = event.row.flags.has(Flags::BAD);
    match column {
        "type" => return Cow::Borrowed(index.type_name(event.row.event_type)),
        "file" => {
            let file = index.sources().files.get(event.row.file.at());
            return Cow::Borrowed(file.map_or("", |file| file.label()));
        }
        "line" => {
            let line = index.location(event.id).map(|place| place.line);
            return Cow::Owned(line.map_or_else(|_| String::new(), |line| line.to_string()));
        }
        _ if is_bad => {
            let first = matches!(column, "text" | "eventTime" | "time");
            return Cow::Owned(if first {
                String::from_utf8_lossy(event.bytes).into_owned()
            } else {
                String::new()
            });
        }
        "actor" => return actor(event),
        "time" => return value(event, find(event, "eventTime")),
        "outcome" => return value(event, find(event, "eventOutcome")),
        "eventType" => {
            // The type may stand in the path only.
            let found = value(event, find(event, column));
            let named = index.type_name(event.row.event_type);
            return if found.is_empty() { Cow::Borrowed(named) } else { found };
        }
        _ => {}
    }
    value(event, find(event, column))
}

/// The index has actors in lower case; here the recorded spelling is wanted.
fn actor<'a>(event: &'a Event<'_>) -> Cow<'a, str> {
    let name = event.index.actor_name(event.row.actor);
    let spelt = ["actorUserLuid", "actorUserId", "initiatingUserLuid"]
        .into_iter()
        .filter_map(|attribute| find(event, attribute))
        .find(|row| row.text().trim().eq_ignore_ascii_case(name));
    spelt.map_or(Cow::Borrowed(name), |row| Cow::Borrowed(row.text()))
}

fn value<'a>(event: &'a Event<'_>, row: Option<FlatRow<'a>>) -> Cow<'a, str> {
    match row.map(|row| (row, row.kind())) {
        None | Some((_, JsonKind::Null)) => Cow::Borrowed(""),
        Some((row, JsonKind::Array | JsonKind::Object)) => {
            String::from_utf8_lossy(event.bytes.get(row.span()).unwrap_or(b""))
        }
        Some((row, _)) => Cow::Borrowed(row.text()),
    }
}
