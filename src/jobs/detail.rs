//! One event in full: its attributes in the order people ask, with what the schema says of each.

use std::collections::HashSet;
use std::sync::Arc;

use crate::base::id::EventId;
use crate::base::json::JsonKind;
use crate::base::text;
use crate::base::time::parse_recorded;
use crate::index::Row;
use crate::jobs::msg::{Base, Detail, Entry, Outcome, Payload, Section, SectionKind};
use crate::record::flat::{FlatRecord, FlatRow, Place};
use crate::record::head::Flags;
use crate::schema::catalog::Catalog;
use crate::schema::conform;
use crate::schema::decode::decode;
use crate::schema::model::{Attribute, EventType, Format};

/// Bytes of a record kept for the raw view.
const RAW: usize = 1 << 20;

/// Strings longer than this are not unfolded as JSON.
const LONGEST_UNFOLDED: usize = 64 << 10;

/// Rows of one record shown; the rest is in the raw view.
const MOST_ROWS: usize = 5_000;

const ACTOR: [&str; 14] = [
    "actorUserLuid",
    "actorUserId",
    "actorUserName",
    "actorExternalId",
    "actorGroupLuid",
    "actorUserSiteRole",
    "initiatingUserLuid",
    "initiatingUserId",
    "initiatingUserEmail",
    "initiatingUserDisplayName",
    "initiatingUserRole",
    "impersonatedUserId",
    "systemAdminLevel",
    "username",
];

const OUTCOME: [&str; 8] = [
    "eventOutcome",
    "eventOutcomeReason",
    "isError",
    "isFailure",
    "status",
    "statusCode",
    "errorMessage",
    "finishCode",
];

const CONTEXT: [&str; 16] = [
    "eventTime",
    "siteLuid",
    "siteId",
    "siteName",
    "siteUri",
    "podUri",
    "serviceName",
    "sessionId",
    "initiatingSessionId",
    "ipAddress",
    "initiatingUserIpAddress",
    "userAgent",
    "initiatingUserAgent",
    "initiatingUrl",
    "licensingRoleName",
    "traceUuid",
];

/// Reads one event.
pub fn read(base: &Base, id: EventId) -> Outcome {
    let index = &base.index;
    let bytes = match index.record(id) {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::Failed(format!("cannot read the event: {error}")),
    };
    let row = index.row(id);
    let type_name = index.type_name(row.event_type).to_owned();
    let record = FlatRecord::read(&bytes);
    let keys = record.rows().filter(|row| row.depth() == 0).map(FlatRow::key);
    let stand_in;
    let known = match base.catalog.find(&type_name) {
        Some(known) => known,
        None => {
            stand_in = base.catalog.stand_in(&type_name, keys);
            &stand_in
        }
    };
    let is_bad = row.flags.has(Flags::BAD);
    let location = index.location(id).ok();
    let place = location.map_or_else(String::new, |at| {
        let (line, offset) = (text::group(at.line), text::group(at.offset));
        format!("{}:{line}, byte {offset}, {}", at.label, text::bytes(u64::from(row.len)))
    });
    let flaw = index.flaw(id).map(ToString::to_string).filter(|_| is_bad);
    let detail = Detail {
        id,
        title: known.title.clone(),
        type_name: if is_bad { "bad record".to_owned() } else { type_name },
        notes: notes(&base.catalog, known, row, &place),
        place,
        offset: row.offset,
        len: u64::from(row.len),
        sections: if is_bad { Vec::new() } else { sections(&record, known) },
        raw: bytes[..bytes.len().min(RAW)].to_vec(),
        problem: flaw,
    };
    Outcome::Done(Payload::Detail(Arc::new(detail)))
}

fn notes(catalog: &Catalog, known: &EventType, row: Row, place: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if known.title != known.name {
        notes.push(known.title.clone());
    }
    notes.push(place.to_owned());
    if row.flags.has(Flags::BAD) {
        return notes;
    }
    notes.extend(known.status.iter().map(|status| catalog.status_text(status)));
    for (flag, words) in [
        (Flags::DUPLICATE_KEY, "A key occurs twice; the last one counts."),
        (Flags::INVALID_UTF8, "Some bytes are not UTF-8; they are shown as \u{fffd}."),
        (Flags::NO_ZONE, "The time has no zone; it is taken as UTC."),
        (Flags::EPOCH_TIME, "The time is a number counted from 1970."),
        (Flags::LEAP_SECOND, "The time is a leap second."),
        (Flags::FAR_OFF, "The time is too far off to be sorted exactly."),
        (Flags::NO_TIME, "There is no usable time."),
        (Flags::TYPE_FROM_PATH, "The type was told by the file's path."),
        (Flags::TYPE_DISAGREES, "The path names another type than the event."),
        (Flags::LENIENT, "The record breaks a rule of JSON that could be let pass."),
    ] {
        if row.flags.has(flag) {
            notes.push(words.to_owned());
        }
    }
    notes
}

fn sections(record: &FlatRecord, known: &EventType) -> Vec<Section> {
    let kinds = [
        SectionKind::Actor,
        SectionKind::Action,
        SectionKind::Object,
        SectionKind::Outcome,
        SectionKind::Context,
        SectionKind::Rest,
        SectionKind::Unknown,
        SectionKind::Wrapper,
    ];
    let mut sections: Vec<Section> =
        kinds.iter().map(|&kind| Section { kind, entries: Vec::new() }).collect();
    let mut kind = SectionKind::Rest;
    let mut seen = HashSet::new();
    for row in record.rows().take(MOST_ROWS) {
        if row.place() == Place::Wrapper {
            kind = SectionKind::Wrapper;
        } else if row.depth() == 0 {
            kind = kind_of(row.key(), known);
            seen.insert(row.key().to_owned());
        }
        let attribute = if row.depth() == 0 { known.attribute(row.key()) } else { None };
        if let Some(section) = sections.iter_mut().find(|section| section.kind == kind) {
            section.entries.push(entry(row, attribute));
            unfold(row, &mut section.entries);
        }
    }
    for section in &mut sections {
        in_order(section, known);
    }
    sections.push(absent(known, &seen));
    sections
}

fn kind_of(key: &str, known: &EventType) -> SectionKind {
    let is_object = known.object.as_ref().is_some_and(|object| {
        [&object.id, &object.name].into_iter().flatten().any(|attribute| attribute == key)
    });
    match key {
        "eventType" => SectionKind::Action,
        _ if is_object => SectionKind::Object,
        _ if ACTOR.contains(&key) => SectionKind::Actor,
        _ if OUTCOME.contains(&key) => SectionKind::Outcome,
        _ if CONTEXT.contains(&key) => SectionKind::Context,
        _ if known.attribute(key).is_some() => SectionKind::Rest,
        _ => SectionKind::Unknown,
    }
}

/// Sorts the attributes of a section, children staying with their parents.
fn in_order(section: &mut Section, known: &EventType) {
    let names: Vec<&str> = match section.kind {
        SectionKind::Actor => ACTOR.to_vec(),
        SectionKind::Outcome => OUTCOME.to_vec(),
        SectionKind::Context => CONTEXT.to_vec(),
        SectionKind::Rest => {
            let all = known.attributes.iter().chain(known.common());
            all.map(|attribute| attribute.name.as_str()).collect()
        }
        SectionKind::Action
        | SectionKind::Object
        | SectionKind::Unknown
        | SectionKind::Wrapper
        | SectionKind::Absent => return,
    };
    let place = |key: &str| names.iter().position(|name| *name == key).unwrap_or(names.len());
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for entry in section.entries.drain(..) {
        match groups.last_mut() {
            Some(group) if 0 < entry.depth => group.push(entry),
            _ => groups.push(vec![entry]),
        }
    }
    groups.sort_by_key(|group| group.first().map_or(0, |entry| place(&entry.key)));
    section.entries = groups.into_iter().flatten().collect();
}

fn entry(row: FlatRow<'_>, attribute: Option<&Attribute>) -> Entry {
    let mut marks = Vec::new();
    if row.is_duplicate() {
        marks.push("this key occurs more than once; the last one counts");
    }
    if row.is_lossy() {
        marks.push("not valid UTF-8; shown with \u{fffd} in place of the odd bytes");
    }
    if attribute.is_some_and(|attribute| !conform::fits(attribute.kind, row.kind())) {
        marks.push(mistyped(row.kind()));
    }
    Entry {
        path: row.path().to_owned(),
        key: row.key().to_owned(),
        value: row.text().to_owned(),
        kind: row.kind(),
        expected: attribute.map(|attribute| attribute.kind.name()),
        decoded: attribute.and_then(|attribute| decode(attribute, row.text())),
        time: attribute.filter(|known| known.format == Some(Format::Time)).and_then(|_| {
            parse_recorded(row.text().as_bytes()).map(|(t, _)| t).filter(|t| t.far().is_none())
        }),
        doc: attribute.map(|attribute| attribute.summary.clone()),
        depth: row.depth(),
        marks,
    }
}

const fn mistyped(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Null => "recorded as null, of another type than documented",
        JsonKind::Bool => "recorded as a boolean, another type than documented",
        JsonKind::Integer => "recorded as an integer, another type than documented",
        JsonKind::Float => "recorded as a number, another type than documented",
        JsonKind::String => "recorded as a string, another type than documented",
        JsonKind::Array => "recorded as an array, another type than documented",
        JsonKind::Object => "recorded as an object, another type than documented",
    }
}

/// Adds the fields of JSON inside a string.
fn unfold(row: FlatRow<'_>, entries: &mut Vec<Entry>) {
    let text = row.text().trim();
    let looks_like = text.starts_with(['{', '[']) && text.ends_with(['}', ']']);
    if row.kind() != JsonKind::String || !looks_like || LONGEST_UNFOLDED < text.len() {
        return;
    }
    let inner = FlatRecord::read(text.as_bytes());
    if inner.problem().is_some() {
        return;
    }
    if let Some(parent) = entries.last_mut() {
        parent.marks.push("JSON inside a string, unfolded here");
    }
    for inner_row in inner.rows() {
        let mut entry = entry(inner_row, None);
        entry.path = row.path().to_owned();
        entry.depth = inner_row.depth() + row.depth() + 1;
        entries.push(entry);
    }
}

fn absent(known: &EventType, seen: &HashSet<String>) -> Section {
    let documented = known.attributes.iter().chain(known.common());
    let lacking = documented.filter(|attribute| !seen.contains(&attribute.name));
    let entries = lacking
        .map(|attribute| Entry {
            path: attribute.name.clone(),
            key: attribute.name.clone(),
            value: String::new(),
            kind: JsonKind::Null,
            expected: Some(attribute.kind.name()),
            decoded: None,
            time: None,
            doc: Some(attribute.summary.clone()),
            depth: 0,
            marks: Vec::new(),
        })
        .collect();
    Section { kind: SectionKind::Absent, entries }
}
