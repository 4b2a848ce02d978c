//! `actlog query`: prints the events that a filter matches.

use std::io::Write;
use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::text::escape;
use crate::base::time::Timestamp;
use crate::cmd::Ending;
use crate::export::{FORMATS, Formulas, Sheet, format, write};
use crate::index::Index;
use crate::query::ask::{Asker, Chip, Matches, Now, Question, has_error};
use crate::query::ast::{Expr, Problem, Severity};
use crate::query::parser::parse;
use crate::query::search::Order;
use crate::schema::catalog::Catalog;

/// What `actlog query` is asked.
#[derive(Clone, Debug)]
pub struct QueryArgs {
    /// The filter.
    pub filter: String,
    /// The name of the format, one of [`FORMATS`].
    pub format: String,
    /// The columns; empty for those of the format.
    pub columns: Vec<String>,
    /// The most events that are printed.
    pub limit: Option<usize>,
    /// The order in which they are printed.
    pub sort: Order,
    /// What CSV does with formulas.
    pub formulas: Formulas,
    /// The present, for times such as `now-24h`.
    pub now: Timestamp,
}

/// Prints matching events to `out` and what is wrong with the filter to `err`.
///
/// # Errors
/// Returns an error when the format is unknown, a log cannot be read any more, or `out` fails.
pub fn run(
    args: &QueryArgs,
    index: &Arc<Index>,
    catalog: &Catalog,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let Some(info) = format(&args.format) else {
        let known: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        anyhow::bail!("no format `{}`; there are {}", args.format, known.join(", "));
    };
    let Some(matches) = matches(&args.filter, index, catalog, args.now, err)? else {
        return Ok(Ending::Refused);
    };
    let sheet = Sheet { columns: args.columns.clone(), formulas: args.formulas };
    let mut format = (info.open)(sheet);
    let len = matches.len().min(args.limit.unwrap_or(usize::MAX));
    match args.sort {
        Order::Time => write(index, matches.iter().take(len), &mut *format, out)?,
        Order::File => write(index, matches.iter_in_file_order().take(len), &mut *format, out)?,
    };
    Ok(if matches.is_empty() { Ending::Nothing } else { Ending::Found })
}

/// Returns what matches, or `None` when the filter has an error. Problems go to `err`.
fn matches(
    filter: &str,
    index: &Arc<Index>,
    catalog: &Catalog,
    now: Timestamp,
    err: &mut dyn Write,
) -> anyhow::Result<Option<Matches>> {
    let now = now_of(index, now);
    let asker = Asker { index, catalog, now, lists: Some(&read_list) };
    let chips = vec![Chip { text: headless(filter).to_owned(), on: true }];
    let question = Question { chips, window: None, buckets: 1, shift: 0 };
    let answer = asker.ask(&question, &CancelToken::never(), &mut |_| {});
    let Some(answer) = answer else { return Ok(None) };
    let has_error = answer.has_error();
    let problems: Vec<_> = answer.problems.into_iter().map(|one| one.problem).collect();
    tell_problems(&problems, filter, err)?;
    Ok((!has_error).then_some(answer.matches))
}

/// Without a filter, all events are meant, and no bad records.
pub(super) fn headless(filter: &str) -> &str {
    let (expr, problems) = parse(filter);
    if expr == Expr::All && problems.is_empty() { "-is:bad" } else { filter }
}

pub(super) fn now_of(index: &Index, now: Timestamp) -> Now {
    Now { now, last: index.time_range().map_or(now, |(_, last)| last) }
}

/// Reads a file named in a filter.
pub(super) fn read_list(path: &str) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes what is wrong with a filter, each with a caret under the place.
pub(super) fn tell_problems(
    problems: &[Problem],
    filter: &str,
    err: &mut dyn Write,
) -> std::io::Result<()> {
    for problem in problems {
        let word = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(err, "actlog: {word}: {}", escape(&problem.line()))?;
        let shown = problem.with_caret(filter);
        for line in shown.lines().take(2) {
            writeln!(err, "    {line}")?;
        }
    }
    if has_error(problems) {
        writeln!(err, "actlog: hint: `actlog help filter` explains the filter language")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::build::from_bytes;

    const LOG: &str = concat!(
        "{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-02T08:00:02Z\",\"n\":1}\n",
        "nonsense\n",
        "{\"eventType\":\"hist_logout\",\"eventTime\":\"2026-03-02T08:00:01Z\",\"n\":2}\n",
    );

    fn output(filter: &str, sort: Order, limit: Option<usize>) -> (Ending, String, String) {
        let index = from_bytes("a", LOG.as_bytes().to_vec(), &["hist_login"]);
        let catalog = Catalog::built_in().expect("the schema has no faults");
        let args = QueryArgs {
            filter: filter.to_owned(),
            format: "ndjson".to_owned(),
            columns: vec!["n".to_owned()],
            limit,
            sort,
            formulas: Formulas::Kept,
            now: Timestamp(0),
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let ending = run(&args, &index, &catalog, &mut out, &mut err).expect("memory");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (ending, text(out), text(err))
    }

    #[test]
    fn events_come_in_the_wanted_order_and_number() {
        let found = |text: &str| (Ending::Found, text.to_owned(), String::new());
        assert_eq!(output("", Order::Time, None), found("{\"n\":2}\n{\"n\":1}\n"));
        assert_eq!(output("", Order::File, None), found("{\"n\":1}\n{\"n\":2}\n"));
        assert_eq!(output("", Order::Time, Some(1)), found("{\"n\":2}\n"));
        assert_eq!(output("type:hist_login", Order::Time, None), found("{\"n\":1}\n"));
        assert_eq!(output("nope", Order::Time, None).0, Ending::Nothing);
    }

    #[test]
    fn a_wrong_filter_prints_a_caret_and_nothing_else() {
        let (ending, out, err) = output("type:hist_login or", Order::Time, None);
        assert_eq!((ending, out.as_str()), (Ending::Refused, ""));
        assert!(err.starts_with(
            "actlog: error: a term is missing after `or`\n    type:hist_login or\n                    ^^\n"
        ), "{err}");
        let (ending, _, err) = output("type:hist_logn", Order::Time, None);
        assert_eq!(ending, Ending::Nothing);
        assert!(err.starts_with("actlog: warning: no event type `hist_logn`"), "{err}");
    }
}
