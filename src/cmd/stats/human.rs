//! Statistics for people.

use std::io::Write;

use crate::base::text::{self, escape, fit, group};
use crate::cmd::args::{By, Stats};
use crate::cmd::stats::Report;
use crate::cmd::stats::count::{self, Tally};
use crate::cmd::stats::problem::{NOTES, torn_reason};
use crate::index::{FileSummary, Index};
use crate::source::SourceFile;

/// Rows of a table that are shown without `--by`.
const TOP: usize = 12;

/// The longest name that widens its column.
const WIDEST: usize = 56;

pub(super) fn write(report: &Report<'_>, args: &Stats, out: &mut dyn Write) -> anyhow::Result<()> {
    let index = report.index;
    head(report, out)?;
    if index.events() == 0 {
        writeln!(out, "{}", nothing(report))?;
    }
    for (by, tallies) in &report.by {
        table(*by, tallies, args, index.events(), out)?;
    }
    problems(report, out)?;
    aside(index, out)?;
    if args.memory {
        let bytes = index.heap_bytes();
        let each = bytes as f64 / f64::from(index.rows().max(1));
        writeln!(out, "\nindex memory: {} ({each:.1} bytes a row)", text::bytes(bytes as u64))?;
    }
    Ok(())
}

fn head(report: &Report<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let index = report.index;
    let files = index.files().len();
    let plural = if files == 1 { "" } else { "s" };
    let (events, bad) = (group(index.events()), group(report.bad));
    writeln!(out, "{} file{plural} · {events} events · {bad} bad", group(files as u64))?;
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        writeln!(out, "from {} to {} (as recorded)", escape(first), escape(last))?;
    }
    let mut all: Vec<(String, usize)> = Vec::new();
    let each = index.sources().files.iter().zip(index.files());
    for ((file, summary), segments) in each.zip(count::by_file(index)) {
        for note in notes(file, summary, count::flags_of(&segments)) {
            let label = file.label();
            if files == 1 {
                all.push((note, 1));
            } else if all.len() < TOP {
                all.push((format!("{label}: {note}"), 1));
            }
        }
    }
    for (note, _) in all {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}

/// Says why there are no events: no bytes, or nothing that is an event.
fn nothing(report: &Report<'_>) -> String {
    let index = report.index;
    let read: u64 = index.files().iter().map(|file| file.read).sum();
    if index.files().is_empty() {
        return "no files to read".to_owned();
    }
    if read == 0 || report.bad == 0 {
        return if read == 0 { "no bytes in there" } else { "only blank lines" }.to_owned();
    }
    let first = report.problems.first().map_or("", |problem| &problem.reason);
    format!("no events: {} records, none an event; the first: {first}", group(report.bad))
}

fn table(
    by: By,
    tallies: &[Tally],
    args: &Stats,
    events: u64,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if tallies.is_empty() {
        return Ok(());
    }
    let title = match by {
        By::Type => "type",
        By::Category => "category",
        By::Actor => "actor",
        By::Outcome => "outcome",
        By::Hour => "hour (UTC)",
        By::Day => "day (UTC)",
    };
    let shown = if args.by.is_some() || args.all { tallies.len() } else { TOP };
    let names: Vec<_> = tallies.iter().take(shown).map(|tally| escape(&tally.name)).collect();
    let widest = names.iter().map(|name| text::width(name)).max().unwrap_or(0);
    let columns = widest.clamp(title.len(), WIDEST);
    writeln!(out, "\n{} {:>12} {:>7} {:>10}", fit(title, columns), "events", "share", "failed")?;
    for (tally, name) in tallies.iter().zip(names) {
        let failed = if tally.failed == 0 { "-".to_owned() } else { group(tally.failed) };
        let (count, share) = (group(tally.events), share(tally.events, events));
        writeln!(out, "{} {count:>12} {share:>7} {failed:>10}", fit(&name, columns))?;
    }
    if let Some(more) = tallies.len().checked_sub(shown).filter(|more| *more > 0) {
        writeln!(out, "… and {} more (--all, or --by {})", group(more as u64), flag(by))?;
    }
    Ok(())
}

const fn flag(by: By) -> &'static str {
    match by {
        By::Type => "type",
        By::Category => "category",
        By::Actor => "actor",
        By::Outcome => "outcome",
        By::Hour => "hour",
        By::Day => "day",
    }
}

/// Returns a share in percent that is never rounded to none or all.
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    match percent {
        p if part > 0 && p < 0.1 => "<0.1 %".to_owned(),
        p if part < whole && p > 99.9 => ">99.9 %".to_owned(),
        p => format!("{p:.1} %"),
    }
}

fn problems(report: &Report<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    if report.n_problems == 0 {
        return Ok(());
    }
    writeln!(out, "\nproblems")?;
    for problem in &report.problems {
        let reason = escape(&problem.reason);
        match problem.place {
            Some((line, offset)) => {
                writeln!(out, "{}:{line}: byte {offset}: {reason}", problem.file)?;
            }
            None => writeln!(out, "{}: {reason}", problem.file)?,
        }
    }
    let more = report.n_problems - report.problems.len();
    if more > 0 {
        writeln!(out, "… and {} more (--all)", group(more as u64))?;
    }
    Ok(())
}

fn aside(index: &Index, out: &mut dyn Write) -> anyhow::Result<()> {
    let skipped = &index.sources().skipped;
    if skipped.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nskipped")?;
    for aside in skipped.iter().take(TOP) {
        writeln!(out, "{}: {}", aside.label, escape(&aside.why.to_string()))?;
    }
    if skipped.len() > TOP {
        writeln!(out, "… and {} more", group((skipped.len() - TOP) as u64))?;
    }
    Ok(())
}

/// Returns what is worth knowing of a file.
pub(super) fn notes(file: &SourceFile, summary: &FileSummary, counts: [u64; 16]) -> Vec<String> {
    let mut notes: Vec<String> = file.notes().into_iter().map(|note| note.text).collect();
    for (flag, words) in NOTES {
        let count = counts[flag.0.trailing_zeros() as usize];
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            notes.push(format!("{} event{plural} {words}", group(count)));
        }
    }
    if let Some(torn) = &summary.torn {
        notes.push(torn_reason(file, torn));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_round_to_none_or_all() {
        assert_eq!(share(1, 10_000), "<0.1 %");
        assert_eq!(share(9_999, 10_000), ">99.9 %");
        assert_eq!(share(1, 4), "25.0 %");
        assert_eq!(share(0, 4), "0.0 %");
        assert_eq!(share(4, 4), "100.0 %");
    }
}
