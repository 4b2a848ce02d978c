//! Statistics as one JSON object.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Context as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::cmd::args::{By, Stats};
use crate::cmd::stats::count::{self, Tally};
use crate::cmd::stats::problem::NOTES;
use crate::cmd::stats::{Report, human};
use crate::index::Index;

pub(super) fn write(report: &Report<'_>, args: &Stats, out: &mut dyn Write) -> anyhow::Result<()> {
    let index = report.index;
    let mut object: BTreeMap<&str, Member<'_>> = BTreeMap::new();
    let mut insert = |name, value: Value| drop(object.insert(name, Member::Value(value)));
    insert("events", index.events().into());
    insert("bad", report.bad.into());
    for (by, tallies) in &report.by {
        insert(key(*by), counts(tallies));
    }
    insert("first", json!(report.first));
    insert("last", json!(report.last));
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
    insert("problems", problems.into());
    insert("n_problems", report.n_problems.into());
    let aside = |list: &[crate::source::Aside]| -> Vec<Value> {
        list.iter().map(|aside| json!({"path": aside.label, "why": aside.why})).collect()
    };
    insert("refused", aside(&index.sources().refused).into());
    insert("skipped", aside(&index.sources().skipped).into());
    if args.memory {
        insert("index_bytes", index.heap_bytes().into());
    }
    object.insert("files", Member::Files(Files(index)));
    serde_json::to_writer_pretty(&mut *out, &object).map_err(std::io::Error::from)?;
    writeln!(out).context("cannot write to standard output")
}

#[derive(Serialize)]
#[serde(untagged)]
enum Member<'a> {
    Value(Value),
    Files(Files<'a>),
}

/// What is told of one file; the members in the order in which all objects here have theirs.
#[derive(Serialize)]
struct File<'a> {
    bad: u64,
    by_type: BTreeMap<String, u64>,
    error: Option<&'a str>,
    events: u64,
    first: Option<String>,
    flags: BTreeMap<&'static str, u64>,
    last: Option<String>,
    notes: Vec<String>,
    path: Cow<'a, str>,
}

/// The files, written one by one: there may be ten thousand.
struct Files<'a>(&'a Index);

impl Serialize for Files<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let segments = count::by_file(self.0);
        let files = self.0.sources().files.iter().zip(self.0.files()).zip(segments);
        serializer.collect_seq(files.map(|((file, summary), segments)| {
            let counts = count::flags_of(&segments);
            let (first, last) = count::ends(self.0, segments.iter().copied());
            File {
                bad: summary.bad + u64::from(summary.torn.is_some()),
                by_type: count::types_of(self.0, &segments).into_iter().collect(),
                error: summary.error.as_deref(),
                events: summary.events,
                first,
                flags: flags(counts),
                last,
                notes: human::notes(file, summary, counts),
                path: match file.is_decoded() {
                    true => file.label().into(),
                    false => file.path().to_string_lossy(),
                },
            }
        }))
    }
}

fn flags(counts: [u64; 16]) -> BTreeMap<&'static str, u64> {
    NOTES
        .iter()
        .map(|(flag, _)| (flag.name(), counts[flag.0.trailing_zeros() as usize]))
        .filter(|(_, count)| *count > 0)
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
