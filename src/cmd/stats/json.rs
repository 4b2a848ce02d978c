//! Statistics as one JSON object.

use std::io::Write;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use crate::base::id::FileId;
use crate::cmd::args::{By, Stats};
use crate::cmd::stats::count::{self, Tally};
use crate::cmd::stats::problem::NOTES;
use crate::cmd::stats::{Report, human};
use crate::index::segment::Segment;

pub(super) fn write(report: &Report<'_>, args: &Stats, out: &mut dyn Write) -> anyhow::Result<()> {
    let index = report.index;
    let mut object = Map::new();
    object.insert("events".into(), index.events().into());
    object.insert("bad".into(), report.bad.into());
    for (by, tallies) in &report.by {
        object.insert(key(*by).into(), counts(tallies));
    }
    object.insert("first".into(), json!(report.first));
    object.insert("last".into(), json!(report.last));
    object.insert("files".into(), files(report));
    let problems: Vec<Value> = report
        .problems
        .iter()
        .map(|problem| {
            json!({
                "file": problem.file,
                "line": problem.place.map(|(line, _)| line),
                "offset": problem.place.map(|(_, offset)| offset),
                "reason": problem.reason,
            })
        })
        .collect();
    object.insert("problems".into(), problems.into());
    object.insert("n_problems".into(), report.n_problems.into());
    let aside = |list: &[crate::source::Aside]| -> Vec<Value> {
        list.iter().map(|aside| json!({"path": aside.label, "why": aside.why})).collect()
    };
    object.insert("refused".into(), aside(&index.sources().refused).into());
    object.insert("skipped".into(), aside(&index.sources().skipped).into());
    if args.memory {
        object.insert("index_bytes".into(), index.heap_bytes().into());
    }
    serde_json::to_writer_pretty(&mut *out, &object).map_err(std::io::Error::from)?;
    writeln!(out).context("cannot write to standard output")
}

fn files(report: &Report<'_>) -> Value {
    let index = report.index;
    let segments = count::by_file(index);
    let files = index.sources().files.iter().zip(index.files()).zip(0..);
    files
        .map(|((file, summary), number)| {
            let id = FileId(number);
            let segments = segments.get(id.at()).map_or(&[][..], Vec::as_slice);
            let torn = u64::from(summary.torn.is_some());
            let (first, last) = count::ends(index, segments.iter().copied());
            let by_type: Map<String, Value> = count::types_of(index, segments)
                .into_iter()
                .map(|(name, events)| (name, events.into()))
                .collect();
            let flags: Map<String, Value> = flags(segments);
            json!({
                "path": if file.is_decoded() { file.label().into() } else { file.path().to_string_lossy() },
                "events": summary.events,
                "bad": summary.bad + torn,
                "by_type": by_type,
                "first": first,
                "last": last,
                "notes": human::notes(index, id, segments),
                "flags": flags,
                "error": summary.error,
            })
        })
        .collect()
}

fn flags(segments: &[&Segment]) -> Map<String, Value> {
    let counts = count::flags_of(segments);
    NOTES
        .iter()
        .map(|(flag, _)| (*flag, counts[flag.0.trailing_zeros() as usize]))
        .filter(|(_, count)| *count > 0)
        .map(|(flag, count)| (flag.name().to_owned(), count.into()))
        .collect()
}

fn counts(tallies: &[Tally]) -> Value {
    let counts = tallies.iter().map(|tally| (tally.name.clone(), tally.events.into()));
    Value::Object(counts.collect())
}

const fn key(by: By) -> &'static str {
    match by {
        By::Type => "by_type",
        By::Category => "by_category",
        By::Actor => "by_actor",
        By::Outcome => "by_outcome",
        By::Hour => "by_hour",
        By::Day => "by_day",
    }
}
