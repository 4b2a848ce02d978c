//! Filters that read the records: text beside ripgrep, attributes beside indexing.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use actlog::base::cancel::CancelToken;
use actlog::base::time::Timestamp;
use actlog::index::Index;
use actlog::index::build::from_sources;
use actlog::query::ask::{Chip, Now, Question, ask};
use actlog::query::group::{By, count};
use actlog::query::parser::parse;
use actlog::query::resolve::{Scope, resolve};

use crate::log;
use crate::table::{Limit, Table};
use crate::timing::{Work, medians};

/// A text that no event has.
const RARE: &str = "Workbook of nobody";
/// A text that many events have.
const OFTEN: &str = "sales";
/// Events on a screen.
const SCREEN: usize = 50;
/// Filters on attributes without a column.
const FILTERS: [&str; 7] = [
    "workbookName:nothing",
    "workbookName:*a*",
    "duration>5s",
    "who:nobody@example.com",
    "object:*sales*",
    "is:unknown",
    "/no[bB]ody [0-9]+x/",
];

/// Measures searches through all bytes and tests of attributes.
pub(crate) fn measure(table: &mut Table) {
    let file = log::open();
    let index = from_sources(vec![Arc::clone(&file)], &log::options(2));
    compare_with_ripgrep(table, &index);
    let first = milliseconds_to_screen(&index);
    table.add("first screen of a text's hits", first, "ms", Limit::Most(100.0));
    let build = || from_sources(vec![Arc::clone(&file)], &log::options(2)).events();
    let mut works: Vec<Work<'_>> = vec![Box::new(build)];
    for filter in FILTERS {
        works.push(Box::new(|| matched(&index, filter, &[])));
    }
    works.push(Box::new(|| matched(&index, "", &["workbookName"])));
    let times = medians(3, &mut works);
    let names = FILTERS.iter().map(|filter| format!("filter {filter}"));
    let names = names.chain(["count by workbookName".to_owned()]);
    for (name, seconds) in names.zip(&times[1..]) {
        let ratio = times[0] / seconds;
        table.add(format!("{name} / indexing, rate"), ratio, "×", Limit::Least(1.0));
    }
}

fn compare_with_ripgrep(table: &mut Table, index: &Arc<Index>) {
    let (any, exact) = (format!("\"{RARE}\""), format!("text=\"{RARE}\""));
    let mut works: Vec<Work<'_>> =
        vec![Box::new(|| matched(index, &any, &[])), Box::new(|| matched(index, &exact, &[]))];
    let has_ripgrep = ripgrep(&["--version"]);
    if has_ripgrep {
        works.push(Box::new(|| u64::from(ripgrep(&["-c", "-F", "-i", RARE]))));
        works.push(Box::new(|| u64::from(ripgrep(&["-c", "-F", RARE]))));
    }
    let times = medians(5, &mut works);
    table.add("text in any case, 1 GB", times[0] * 1e3, "ms", Limit::None);
    table.add("text in exact case, 1 GB", times[1] * 1e3, "ms", Limit::None);
    if let [any, exact, rg_any, rg_exact] = times.as_slice() {
        table.add("rg -c -F -i / text in any case, time", rg_any / any, "×", Limit::Least(1.0));
        table.add("rg -c -F / text in exact case, time", rg_exact / exact, "×", Limit::Least(1.0));
    } else {
        eprintln!("  no rg here: text is not compared with it");
    }
}

/// Runs ripgrep on the log; returns whether it could be run.
fn ripgrep(args: &[&str]) -> bool {
    let mut command = Command::new("rg");
    command.args(args).arg(log::path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

fn matched(index: &Arc<Index>, text: &str, by: &[&str]) -> u64 {
    let last = index.time_range().map_or(Timestamp::NONE, |range| range.1);
    let now = Now { now: last, last };
    let scope = Scope { index, catalog: log::catalog(), now, lists: None };
    let (filter, _) = resolve(&parse(text).0, &scope);
    let by: Vec<By> = by.iter().map(|name| By::of(name, index, log::catalog())).collect();
    count(index, &filter, &by, None, &CancelToken::never()).unwrap().matched
}

/// Returns how long it takes until a screen is full of a text's hits.
fn milliseconds_to_screen(index: &Arc<Index>) -> f64 {
    let chips = vec![Chip { text: OFTEN.to_owned(), on: true }];
    let question = Question { chips, window: None, buckets: 200, shift: 0 };
    let last = index.time_range().map_or(Timestamp::NONE, |range| range.1);
    let (now, cancel) = (Now { now: last, last }, CancelToken::never());
    let mut times = Vec::new();
    for _ in 0..9 {
        let started = Instant::now();
        let mut first = None;
        ask(index, log::catalog(), &question, &now, &cancel, &mut |answer| {
            if SCREEN <= answer.matches.len() {
                first.get_or_insert_with(|| started.elapsed());
            }
        });
        times.push(first.unwrap_or_else(|| started.elapsed()).as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
