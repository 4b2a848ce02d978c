//! `actlog count`: how many events a filter matches, by what, and over time.

use std::io::Write;
use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::text::escape;
use crate::base::time::Timestamp;
use crate::cmd::Ending;
use crate::cmd::query::{headless, now_of, read_list, tell_problems};
use crate::index::Index;
use crate::query::ask::has_error;
use crate::query::group::{By, Group, Groups, Part, count};
use crate::query::parser::parse;
use crate::query::resolve::{Scope, resolve};
use crate::query::when::duration;
use crate::schema::catalog::Catalog;

/// What `actlog count` is asked.
#[derive(Clone, Debug)]
pub struct CountArgs {
    /// The filter.
    pub filter: String,
    /// What to count by: attributes, and the names in
    /// [`GROUP_FIELDS`](crate::query::group::GROUP_FIELDS).
    pub by: Vec<String>,
    /// The step of time to count over, such as `1h`.
    pub over: Option<String>,
    /// Whether people or programs read the output.
    pub output: Output,
    /// The present, for times such as `now-24h`.
    pub now: Timestamp,
}

/// Who reads the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// People: a number, or lines of number and values.
    Text,
    /// Programs: one JSON object with `matched`, `total`, `bad` and, when counting by something,
    /// `groups`.
    Json,
}

/// Prints counts to `out` and what is wrong with the filter to `err`.
///
/// # Errors
/// Returns an error when the step of time is none, or `out` fails.
pub fn run(
    args: &CountArgs,
    index: &Arc<Index>,
    catalog: &Catalog,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Ending> {
    let over = match &args.over {
        Some(text) => match duration(text).and_then(|nanos| i64::try_from(nanos).ok()) {
            Some(nanos) if nanos > 0 => Some(nanos),
            _ => anyhow::bail!("`{text}` is no span of time; write 15m, 1h, 1d or 1w"),
        },
        None => None,
    };
    let now = now_of(index, args.now);
    let scope = Scope { index, catalog, now, lists: Some(&read_list) };
    let (expr, mut problems) = parse(headless(&args.filter));
    let (filter, more) = resolve(&expr, &scope);
    problems.extend(more);
    tell_problems(&problems, &args.filter, err)?;
    if has_error(&problems) {
        return Ok(Ending::Refused);
    }
    let by: Vec<_> = args.by.iter().map(|name| By::of(name, index, catalog)).collect();
    let Some(groups) = count(index, &filter, &by, over, &CancelToken::never()) else {
        return Ok(Ending::Nothing);
    };
    match args.output {
        Output::Text => text(args, &groups, out)?,
        Output::Json => json(args, index, &groups, out)?,
    }
    if groups.beyond > 0 {
        let beyond = groups.beyond;
        writeln!(err, "actlog: warning: {beyond} events of further groups are not shown")?;
    }
    Ok(if groups.matched == 0 { Ending::Nothing } else { Ending::Found })
}

fn text(args: &CountArgs, groups: &Groups, out: &mut dyn Write) -> std::io::Result<()> {
    if args.by.is_empty() && args.over.is_none() {
        return writeln!(out, "{}", groups.matched);
    }
    let widest = groups.groups.iter().map(|group| group.events.to_string().len()).max();
    let width = widest.unwrap_or(1);
    for group in &groups.groups {
        write!(out, "{:>width$}", group.events)?;
        if let Some(time) = group.time {
            write!(out, "  {}", time.to_rfc3339())?;
        }
        for part in &group.parts {
            match part {
                Part::Value(value) => write!(out, "  {}", escape(value))?,
                Part::Null => write!(out, "  (null)")?,
                Part::Missing => write!(out, "  (missing)")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn json(
    args: &CountArgs,
    index: &Index,
    groups: &Groups,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let (matched, total, bad) = (groups.matched, index.events(), index.bad());
    write!(out, "{{\"matched\":{matched},\"total\":{total},\"bad\":{bad}")?;
    if !args.by.is_empty() || args.over.is_some() {
        write!(out, ",\"groups\":[")?;
        for (number, group) in groups.groups.iter().enumerate() {
            write!(out, "{}", if number == 0 { "\n" } else { ",\n" })?;
            json_group(args, group, out)?;
        }
        write!(out, "]")?;
    }
    writeln!(out, "}}")
}

/// A group is an object: a member for each thing counted by, left out where an event has none.
fn json_group(args: &CountArgs, group: &Group, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "{{\"count\":{}", group.events)?;
    if let Some(time) = group.time {
        write!(out, ",\"time\":")?;
        match time.is_some() {
            true => write!(out, "\"{}\"", time.to_rfc3339())?,
            false => write!(out, "null")?,
        }
    }
    for (name, part) in args.by.iter().zip(&group.parts) {
        let value = match part {
            Part::Value(value) => Some(value.as_str()),
            Part::Null => None,
            Part::Missing => continue,
        };
        let (name, value) = (serde_json::to_string(name)?, serde_json::to_string(&value)?);
        write!(out, ",{name}:{value}")?;
    }
    write!(out, "}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::build::from_bytes;

    const LOG: &str = concat!(
        "{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-02T08:00:02Z\",\"n\":1}\n",
        "{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-02T09:10:02Z\",\"n\":\"1\"}\n",
        "nonsense\n",
        "{\"eventType\":\"hist_logout\",\"eventTime\":\"2026-03-02T09:00:01Z\",\"n\":null}\n",
        "{\"eventType\":\"hist_logout\",\"t\":[\"a\",\"b\"]}\n",
    );

    fn output(filter: &str, by: &[&str], over: Option<&str>, output: Output) -> (Ending, String) {
        let index = from_bytes("a", LOG.as_bytes().to_vec(), &["hist_login"]);
        let catalog = Catalog::built_in().expect("the schema has no faults");
        let args = CountArgs {
            filter: filter.to_owned(),
            by: by.iter().map(|&name| name.to_owned()).collect(),
            over: over.map(str::to_owned),
            output,
            now: Timestamp(0),
        };
        let mut out = Vec::new();
        let ending = run(&args, &index, &catalog, &mut out, &mut Vec::new()).expect("memory");
        (ending, String::from_utf8(out).expect("text"))
    }

    #[test]
    fn counts_are_numbers_lines_or_json() {
        for (filter, by, over, expected) in [
            ("", &[][..], None, "4\n"),
            ("nope", &[], None, "0\n"),
            ("is:bad", &[], None, "1\n"),
            ("", &["type"], None, "2  hist_login\n2  hist_logout\n"),
            ("", &["n"], None, "2  1\n1  (null)\n1  (missing)\n"),
            ("", &["t"], None, "3  (missing)\n1  a\n1  b\n"),
            (
                "",
                &["type"],
                Some("1h"),
                "1  2026-03-02T08:00:00Z  hist_login\n1  2026-03-02T09:00:00Z  hist_login\n\
                 1  2026-03-02T09:00:00Z  hist_logout\n1  no time  hist_logout\n",
            ),
        ] {
            let (ending, out) = output(filter, by, over, Output::Text);
            assert_eq!(out, expected, "{filter} by {by:?}");
            assert_eq!(ending == Ending::Nothing, out == "0\n");
        }
    }

    #[test]
    fn json_tells_matched_total_and_groups() {
        let (_, out) = output("type:hist_login,hist_logout", &["n"], None, Output::Json);
        let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let expected = serde_json::json!({
            "matched": 4, "total": 4, "bad": 1,
            "groups": [{"count": 2, "n": "1"}, {"count": 1, "n": null}, {"count": 1}],
        });
        assert_eq!(value, expected);
        let (_, out) = output("x", &[], None, Output::Json);
        assert_eq!(out, "{\"matched\":0,\"total\":4,\"bad\":1}\n");
    }
}
