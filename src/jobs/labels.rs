//! What rows of the list show that only their records know.

use crate::base::cancel::CancelToken;
use crate::base::id::EventId;
use crate::jobs::msg::{Base, Label, Outcome, Payload};
use crate::record::flat::FlatRecord;
use crate::record::head::Flags;
use crate::schema::model::EventType;

/// Records longer than this are not opened for a label.
const LONGEST: u32 = 1 << 20;

/// Reads the labels of some events.
pub fn read(base: &Base, ids: &[EventId], cancel: &CancelToken) -> Outcome {
    let mut labels = Vec::with_capacity(ids.len());
    for &id in ids {
        if cancel.is_cancelled() {
            return Outcome::Cancelled;
        }
        labels.push((id, label(base, id)));
    }
    Outcome::Done(Payload::Labels(labels))
}

fn label(base: &Base, id: EventId) -> Label {
    let row = base.index.row(id);
    if row.flags.has(Flags::BAD) || LONGEST < row.len {
        return Label::default();
    }
    let Ok(bytes) = base.index.record(id) else { return Label::default() };
    let record = FlatRecord::read(&bytes);
    let known = base.catalog.find(base.index.type_name(row.event_type));
    let (name, id) = known.map(|known| object(&record, known)).unwrap_or_default();
    let odd = Flags(Flags::LEAP_SECOND.0 | Flags::FAR_OFF.0);
    let clock = (row.flags.0 & odd.0 != 0).then(|| clock(&record)).flatten();
    let object_id = if id.is_empty() { name.clone() } else { id.clone() };
    Label { object: if name.is_empty() { id } else { name }, object_id, clock }
}

/// Returns name and id of what the event was done to.
fn object(record: &FlatRecord, known: &EventType) -> (String, String) {
    let value = |attribute: &Option<String>| {
        let row = attribute.as_deref().and_then(|path| record.get(path));
        row.map(|row| row.text().to_owned()).filter(|text| text != "null").unwrap_or_default()
    };
    known
        .object
        .as_ref()
        .map_or_else(Default::default, |object| (value(&object.name), value(&object.id)))
}

/// Returns the clock part of the recorded time.
fn clock(record: &FlatRecord) -> Option<String> {
    let time = record.get("eventTime")?;
    let (_, clock) = time.text().split_once(['T', 't', ' '])?;
    Some(clock.trim_end_matches(['Z', 'z']).to_owned())
}
