//! The filter language explained, from the tables that drive it.

use std::fmt::Write as _;

use crate::query::fields::{FIELDS, PROPERTIES};
use crate::query::ops::{OPS, SYNTAX};

/// Returns the whole help, for `actlog help filter`.
pub fn help() -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    write_help(&mut out).unwrap_or_default();
    out
}

fn write_help(out: &mut String) -> std::fmt::Result {
    writeln!(out, "A filter is a list of terms; an event matches when all of them hold.\n")?;
    writeln!(out, "TERMS")?;
    for row in SYNTAX {
        entry(out, row.spelling, row.doc)?;
    }
    writeln!(out, "\nFIELDS (any other name is an attribute of the event; a.b is b inside a)")?;
    for field in FIELDS {
        entry(out, field.example, field.doc)?;
    }
    writeln!(out, "\nOPERATORS")?;
    for row in OPS {
        entry(out, row.example, row.doc)?;
    }
    writeln!(out, "\nPROPERTIES")?;
    for row in PROPERTIES {
        entry(out, &format!("is:{}", row.name), row.doc)?;
    }
    writeln!(out, "{NOTES}")
}

/// Writes a spelling and what it means, broken into lines under each other.
fn entry(out: &mut String, spelling: &str, doc: &str) -> std::fmt::Result {
    const COLUMN: usize = 30;
    let mut spelling = spelling;
    for line in crate::base::text::wrap(doc, 66) {
        writeln!(out, "  {spelling:<COLUMN$}{line}")?;
        spelling = "";
    }
    Ok(())
}

/// What no table tells.
const NOTES: &str = "
VALUES
  Numbers compare as numbers, also when they are recorded as strings: 7, 7.0 and \"7\" are equal.
  Sizes and durations take units where the schema has one: size>100MiB, duration>5s.
  Coded values go by code or by word: siteRoleId:10 or siteRoleId:Creator.
  Addresses go by network: ipAddress:10.0.0.0/8, ipAddress:2001:db8::/32.
  Elements of arrays are values of the attribute; any of them will do.
  null is no value: null:attr, missing:attr and has:attr tell the three cases apart.

TIMES (UTC unless a zone is given)
  2026, 2026-03, 2026-03-02     the whole year, month or day
  2026-03-02T09:30:15.250Z      to any precision; +02:00 is a zone
  09:30..11:30                  the time of day, on any day; may pass midnight
  -24h, 7d, 90m, 30s, 2w        before the last event of the log: time:>-24h
  now-24h                       before the present
  As the end of a range, a day is included as a whole; a time of day is where the range ends.

TEXT
  Text is looked for in the event as it is recorded, keys and signs among it, and in its keys and
  values after decoding, so that caf\\u00e9 is found by café, and \\u0041 by a. Without upper and
  lower case, letters beyond ASCII are folded as Unicode has it.

FAILED
  is:failed means one notion everywhere: an eventOutcome other than success and null; isError or
  isFailure true, also as text; or a word of failure in status or eventState. Words that are not
  known as failures are not guessed.

BAD RECORDS
  A record that could not be read has only its text and its file. For any other condition it is
  neither in nor out: type:x does not find it, and neither does -type:x. On the command line, a
  filter that is empty means all events and no bad records.

PRECEDENCE
  not, then and (written or not), then or. `a or b c` is `a or (b c)`; the explorer says each
  filter back in words.";

/// Returns Markdown tables of fields, operators and properties, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| filter | matches |\n| --- | --- |\n");
    let syntax = SYNTAX.iter().map(|row| (row.spelling.to_owned(), row.doc));
    let fields = FIELDS.iter().map(|row| (row.example.to_owned(), row.doc));
    let ops = OPS.iter().map(|row| (row.example.to_owned(), row.doc));
    let properties = PROPERTIES.iter().map(|row| (format!("is:{}", row.name), row.doc));
    for (spelling, doc) in syntax.chain(fields).chain(ops).chain(properties) {
        let doc = doc.replace('|', "\\|").replace('*', "\\*");
        out.push_str(&format!("| `{}` | {doc} |\n", spelling.replace('|', "\\|")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parser::parse;

    #[test]
    fn every_example_of_the_tables_parses() {
        let fields = FIELDS.iter().map(|row| row.example);
        for example in fields.chain(OPS.iter().map(|row| row.example)) {
            let (_, problems) = parse(example);
            assert!(problems.is_empty(), "{example}: {problems:?}");
            assert!(help().contains(example));
            assert!(markdown().contains(example));
        }
    }

    #[test]
    fn lines_fit_a_terminal() {
        for line in help().lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
