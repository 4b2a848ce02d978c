//! The filter cases of `fixtures/query`: what they match, what the prompt says of them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::time::{Timestamp, parse_recorded};
use actlog::index::Index;
use actlog::index::build::from_bytes;
use actlog::query::ask::{Asker, Chip, Now, Question};
use actlog::query::ast::Severity;
use actlog::schema::catalog::Catalog;

/// The folder of the cases.
const CASES: &str = "fixtures/query";

pub(crate) fn catalog() -> Catalog {
    Catalog::built_in().expect("the schema has no faults")
}

pub(crate) fn index_of(bytes: &[u8]) -> Arc<Index> {
    from_bytes("logs/mixed.jsonl", bytes.to_vec(), &["hist_login", "hist_logout"])
}

pub(crate) fn now_of(index: &Index) -> Now {
    let now = parse_recorded(b"2026-03-09T00:00:00Z").map_or(Timestamp(0), |(time, _)| time);
    Now { now, last: index.time_range().map_or(now, |(_, last)| last) }
}

fn read_list(path: &str) -> Result<String, String> {
    match path {
        "people.txt" => Ok("# who left\n3\n a11ce000-0000-4000-8000-000000000002 \n\n".to_owned()),
        _ => Err("no such file".to_owned()),
    }
}

/// Returns rows that match in file order, and what is said about the filter.
fn answer(index: &Arc<Index>, catalog: &Catalog, filter: &str) -> String {
    let chips = vec![Chip { text: filter.to_owned(), on: true }];
    let question = Question { chips, window: None, buckets: 10, shift: 0 };
    let now = now_of(index);
    let asker = Asker { index, catalog, now, lists: Some(&read_list) };
    let answer = asker.ask(&question, &CancelToken::never(), &mut |_| {}).expect("not cancelled");
    let mut out = String::new();
    for one in &answer.problems {
        assert_eq!(one.chip, 0);
        let problem = &one.problem;
        let word = if problem.severity == Severity::Error { "error" } else { "warning" };
        writeln!(out, "{}\n{word}", problem.with_caret(filter)).expect("text");
    }
    if !answer.has_error() {
        let rows = (0..answer.matches.len()).filter_map(|at| answer.matches.at_in_file_order(at));
        let rows: Vec<_> = rows.map(|id| id.0.to_string()).collect();
        out += if rows.is_empty() { "none".to_owned() } else { rows.join(" ") }.as_str();
    }
    out.trim_end().to_owned()
}

/// A case file: the log's name, then cases of filter, `---` and what is expected, with `===`
/// between them.
fn run_file(path: &Path, catalog: &Catalog) -> usize {
    let text = fs::read_to_string(path).expect("a case file");
    let (log, cases) = text.split_once('\n').expect("the log's name");
    let index = index_of(&fs::read(Path::new(CASES).join(log)).expect("a log"));
    let mut wrong = String::new();
    let mut count = 0;
    for case in cases.split("\n===\n") {
        let (filter, expected) = case.trim_matches('\n').split_once("\n---\n").expect("a case");
        let found = answer(&index, catalog, filter);
        if found != expected.trim_end() {
            writeln!(wrong, "{filter}\n  expected: {expected}\n  found: {found}").expect("text");
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}:\n{wrong}", path.display());
    count
}

#[test]
fn filters_match_what_their_case_files_say() {
    let catalog = catalog();
    let mut files: Vec<_> = fs::read_dir(CASES)
        .expect("the cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    files.sort();
    let cases: usize = files.iter().map(|path| run_file(path, &catalog)).sum();
    assert!(cases > 100, "{cases} cases");
}
