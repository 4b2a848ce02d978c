//! The bad records with their places, and what else went wrong with the files.

use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::id::{EventId, FileId};
use crate::base::text;
use crate::index::segment::BadRecord;
use crate::jobs::msg::{Base, Outcome, Payload, ProblemRow, Problems};
use crate::record::flat::FlatRecord;
use crate::record::head::Flags;

/// Bad records listed; all are counted.
const LISTED: usize = 2_000;

/// Bytes shown around a fault.
const SNIPPET: usize = 120;

/// Lists the bad records.
pub fn list(base: &Base, cancel: &CancelToken) -> Outcome {
    let index = &base.index;
    let mut problems = Problems { total: index.bad(), ..Problems::default() };
    notes(base, &mut problems.notes);
    let mut bad = index.bad_records().take(LISTED).peekable();
    while let Some(first) = bad.peek().copied() {
        if cancel.is_cancelled() {
            return Outcome::Cancelled;
        }
        let file = index.row(first.id).file;
        let mut of_file: Vec<&BadRecord> = Vec::new();
        while let Some(next) = bad.next_if(|next| index.row(next.id).file == file) {
            of_file.push(next);
        }
        rows(base, file, &of_file, &mut problems.rows);
    }
    doubled(base, &mut problems.rows);
    if LISTED < usize::try_from(problems.total).unwrap_or(usize::MAX) {
        problems.notes.push(format!("the first {LISTED} are listed; is:bad shows all"));
    }
    Outcome::Done(Payload::Problems(Arc::new(problems)))
}

/// Adds the events that name a member twice; the last one counts.
fn doubled(base: &Base, rows: &mut Vec<ProblemRow>) {
    let index = &base.index;
    let flagged = index
        .segments()
        .iter()
        .filter(|segment| segment.stats.any_flags.has(Flags::DUPLICATE_KEY))
        .flat_map(|segment| segment.columns.flags.iter().zip(segment.first.0..))
        .filter(|(flags, _)| Flags(**flags).has(Flags::DUPLICATE_KEY));
    for (_, id) in flagged.take(LISTED.saturating_sub(rows.len())) {
        let id = EventId(id);
        let Ok(bytes) = index.record(id) else { continue };
        let record = FlatRecord::read(&bytes);
        let Some(row) = record.rows().rfind(|row| row.is_duplicate()) else { continue };
        let place = index.location(id);
        let (snippet, caret) = snippet(&bytes, row.span().start);
        rows.push(ProblemRow {
            id,
            place: place.map_or("?".to_owned(), |at| format!("{}:{}", at.label, at.line)),
            offset: index.row(id).offset.saturating_add(row.span().start as u64),
            reason: format!("duplicate key `{}`: the last one counts", text::escape(row.key())),
            snippet,
            caret,
        });
    }
}

fn notes(base: &Base, notes: &mut Vec<String>) {
    let sources = base.index.sources();
    for (file, summary) in sources.files.iter().zip(base.index.files()) {
        if let Some(error) = &summary.error {
            notes.push(format!("{}: {error}", file.label()));
        }
        if let Some(torn) = &summary.torn {
            let bytes = text::bytes(torn.len);
            notes.push(format!(
                "{}: incomplete last line ({bytes}), still being written?",
                file.label()
            ));
        }
        notes.extend(file.notes().iter().map(|note| format!("{}: {}", file.label(), note.text)));
    }
    for aside in sources.refused.iter().chain(&sources.skipped) {
        notes.push(format!("{}: left out: {}", aside.label, aside.why));
    }
    notes.truncate(12);
}

fn rows(base: &Base, file: FileId, bad: &[&BadRecord], rows: &mut Vec<ProblemRow>) {
    let index = &base.index;
    let offsets: Vec<u64> = bad.iter().map(|bad| index.row(bad.id).offset).collect();
    let lines = index.lines(file, &offsets).unwrap_or_default();
    let label = index.sources().files.get(file.at()).map_or("", |file| file.label());
    for (n, bad) in bad.iter().enumerate() {
        let line = lines.get(n).map_or("?".to_owned(), |line| text::group(*line));
        let (snippet, caret) = match index.record(bad.id) {
            Ok(bytes) => snippet(&bytes, usize::try_from(bad.flaw.at).unwrap_or(0)),
            Err(error) => (error.to_string(), 0),
        };
        rows.push(ProblemRow {
            id: bad.id,
            place: format!("{label}:{line}"),
            offset: offsets[n].saturating_add(bad.flaw.at),
            reason: bad.flaw.to_string(),
            snippet,
            caret,
        });
    }
}

/// Returns the bytes around `at` as safe text, and the column of `at` in it.
fn snippet(bytes: &[u8], at: usize) -> (String, usize) {
    let at = at.min(bytes.len());
    let start = at.saturating_sub(SNIPPET / 2);
    let end = bytes.len().min(start + SNIPPET);
    let lead = if start == 0 { "" } else { "…" };
    let before = format!("{lead}{}", text::escape_bytes(&bytes[start..at]));
    let caret = text::width(&before);
    (format!("{before}{}", text::escape_bytes(&bytes[at..end])), caret)
}
