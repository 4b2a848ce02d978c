//! Counting the columns of an index.

use std::collections::BTreeMap;

use crate::base::id::{ActorId, EventId, OutcomeId, TypeId};
use crate::base::time::{Timestamp, to_utc};
use crate::cmd::args::By;
use crate::index::Index;
use crate::index::segment::Segment;
use crate::record::flat::FlatRecord;
use crate::record::head::Flags;
use crate::record::quick::{Kind, members};
use crate::schema::catalog::Catalog;

/// How often something occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) name: String,
    pub(super) events: u64,
    pub(super) failed: u64,
}

/// Counts events by one thing: the most frequent first, hours and days in order.
pub(super) fn by(index: &Index, catalog: &Catalog, by: By) -> Vec<Tally> {
    match by {
        By::Type => named(index, |s, at| s.event_type[at].into(), |id| type_name(index, id)),
        By::Actor => named(
            index,
            |s, at| s.actor[at],
            |id| match id {
                0 => "(nobody)".to_owned(),
                id => index.actor_name(ActorId(id)).to_owned(),
            },
        ),
        By::Outcome => named(
            index,
            |s, at| s.outcome[at].into(),
            |id| index.outcome_name(OutcomeId(u8::try_from(id).unwrap_or(0))).to_owned(),
        ),
        By::Category => {
            let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
            for tally in self::by(index, catalog, By::Type) {
                let category = catalog.find(&tally.name).and_then(|t| catalog.category(t.category));
                let title = category.map_or("(not in the schema)", |c| &c.title);
                let sum = sums.entry(title.to_owned()).or_default();
                *sum = (sum.0 + tally.events, sum.1 + tally.failed);
            }
            sorted(sums.into_iter().map(|(name, sum)| Tally::new(name, sum)).collect())
        }
        By::Hour => periods(index, "%Y-%m-%dT%H"),
        By::Day => periods(index, "%Y-%m-%d"),
    }
}

/// The segments of each file, by the file's number.
pub(super) fn by_file(index: &Index) -> Vec<Vec<&Segment>> {
    let mut files = vec![Vec::new(); index.files().len()];
    for segment in index.segments() {
        if let Some(file) = files.get_mut(segment.file.at()) {
            file.push(&**segment);
        }
    }
    files
}

/// Counts the events of some segments by type.
pub(super) fn types_of(index: &Index, segments: &[&Segment]) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
    for segment in segments {
        for &id in segment.columns.event_type.iter().filter(|&&id| id != TypeId::BAD.0) {
            *counts.entry(id).or_default() += 1;
        }
    }
    counts.into_iter().map(|(id, n)| (type_name(index, id.into()), n)).collect()
}

/// Returns how often each flag is set in the rows of some segments.
pub(super) fn flags_of(segments: &[&Segment]) -> [u64; 16] {
    let mut counts = [0; 16];
    for segment in segments {
        let any = segment.stats.any_flags.0;
        for (bit, count) in counts.iter_mut().enumerate().filter(|(bit, _)| any >> bit & 1 == 1) {
            let rows = segment.columns.flags.iter().filter(|flags| **flags >> bit & 1 == 1);
            *count += rows.count() as u64;
        }
    }
    counts
}

/// Returns the earliest and latest time of the events of some segments, as recorded.
pub(super) fn ends<'s>(
    index: &Index,
    segments: impl Iterator<Item = &'s Segment>,
) -> (Option<String>, Option<String>) {
    let (mut first, mut last): (Option<End>, Option<End>) = (None, None);
    for segment in segments {
        if first.is_none_or(|end| segment.stats.min_time < end.time) {
            first = End::first(segment).or(first);
        }
        if last.is_none_or(|end| segment.stats.max_time >= end.time) {
            last = End::last(segment).or(last);
        }
    }
    let (Some(first), Some(last)) = (first, last) else { return (None, None) };
    match index.two_records([first.id, last.id]) {
        Ok([one, two]) => (Some(first.recorded(&one)), Some(last.recorded(&two))),
        Err(_) => (Some(first.recorded(&[])), Some(last.recorded(&[]))),
    }
}

/// The earliest or the latest event.
#[derive(Clone, Copy)]
struct End {
    time: i64,
    id: EventId,
    flags: Flags,
}

impl End {
    /// Returns the first event at the earliest time of a segment.
    fn first(segment: &Segment) -> Option<Self> {
        let time = segment.stats.min_time;
        let at = segment.columns.time.iter().position(|&one| one == time)?;
        Self::at(segment, at)
    }

    /// Returns the last event at the latest time of a segment.
    fn last(segment: &Segment) -> Option<Self> {
        let time = segment.stats.max_time;
        let at = segment.columns.time.iter().rposition(|&one| one == time)?;
        Self::at(segment, at)
    }

    fn at(segment: &Segment, at: usize) -> Option<Self> {
        let time = segment.columns.time[at];
        let id = EventId(segment.first.0 + u32::try_from(at).ok()?);
        Timestamp(time).is_some().then_some(Self {
            time,
            id,
            flags: Flags(segment.columns.flags[at]),
        })
    }

    /// Returns the time as recorded in the event's bytes, or as RFC 3339 when these are gone.
    fn recorded(self, bytes: &[u8]) -> String {
        if let Some(time) = plain_time(bytes).filter(|_| !self.flags.has(Flags::WRAPPED)) {
            return time.to_owned();
        }
        let record = FlatRecord::read(bytes);
        let recorded = record.get("eventTime").map(|row| row.text().to_owned());
        recorded.unwrap_or_else(|| Timestamp(self.time).to_rfc3339())
    }
}

/// Returns the `eventTime` of a record that is easily read.
fn plain_time(bytes: &[u8]) -> Option<&str> {
    let mut time = None;
    members(bytes, |member| {
        if member.name == b"eventTime" {
            time = Some((member.kind, member.value));
        }
    })?;
    let (Kind::Text, value) = time? else { return None };
    std::str::from_utf8(value).ok().filter(|text| !text.contains('\\'))
}

fn type_name(index: &Index, id: u32) -> String {
    index.type_name(TypeId(u16::try_from(id).unwrap_or(0))).to_owned()
}

fn named(
    index: &Index,
    column: impl Fn(&crate::index::column::Columns, usize) -> u32,
    name: impl Fn(u32) -> String,
) -> Vec<Tally> {
    let mut counts: Vec<(u64, u64)> = Vec::new();
    for_events(index, |segment, at, failed| {
        let id = column(&segment.columns, at) as usize;
        if counts.len() <= id {
            counts.resize(id + 1, (0, 0));
        }
        counts[id].0 += 1;
        counts[id].1 += u64::from(failed);
    });
    let seen = counts.into_iter().zip(0..).filter(|((events, _), _)| *events > 0);
    sorted(seen.map(|(sum, id)| Tally::new(name(id), sum)).collect())
}

fn periods(index: &Index, format: &str) -> Vec<Tally> {
    const HOUR: i64 = 3_600 * crate::base::time::SECOND;
    let mut hours: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    for_events(index, |segment, at, failed| {
        let sum = hours.entry(Timestamp(segment.columns.time[at]).hour_start(HOUR)).or_default();
        *sum = (sum.0 + 1, sum.1 + u64::from(failed));
    });
    let mut tallies: Vec<Tally> = Vec::new();
    for (hour, sum) in hours {
        let name = match Timestamp(hour) {
            time if time.is_some() => to_utc(time).format(format).to_string(),
            _ => "(no time)".to_owned(),
        };
        match tallies.last_mut().filter(|tally| tally.name == name) {
            Some(tally) => {
                tally.events += sum.0;
                tally.failed += sum.1;
            }
            None => tallies.push(Tally::new(name, sum)),
        }
    }
    tallies
}

fn for_events(index: &Index, mut each: impl FnMut(&Segment, usize, bool)) {
    for segment in index.segments() {
        for (at, &flags) in segment.columns.flags.iter().enumerate() {
            if !Flags(flags).has(Flags::BAD) {
                each(segment, at, Flags(flags).has(Flags::FAILED));
            }
        }
    }
}

fn sorted(mut tallies: Vec<Tally>) -> Vec<Tally> {
    tallies.sort_by(|a, b| b.events.cmp(&a.events).then_with(|| a.name.cmp(&b.name)));
    tallies
}

impl Tally {
    const fn new(name: String, (events, failed): (u64, u64)) -> Self {
        Self { name, events, failed }
    }
}

impl Timestamp {
    const fn hour_start(self, hour: i64) -> i64 {
        if self.is_some() { self.floor(hour).0 } else { self.0 }
    }
}
