//! Any text as a filter: it is always understood to some degree, and every part and problem has a
//! place in the text.

#![no_main]

use std::sync::{Arc, LazyLock};

use actlog::base::time::Timestamp;
use actlog::index::Index;
use actlog::index::build::from_bytes;
use actlog::query::ast::{Expr, Problem, Span, TermKind};
use actlog::query::complete::{complete, highlight};
use actlog::query::echo::in_words;
use actlog::query::parser::parse;
use actlog::query::resolve::{Now, Scope, resolve};
use actlog::schema::catalog::Catalog;
use libfuzzer_sys::fuzz_target;

const LOG: &[u8] = include_bytes!("../../../fixtures/query/mixed.jsonl");

static CATALOG: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::built_in().expect("the built-in schema"));

static INDEX: LazyLock<Arc<Index>> = LazyLock::new(|| from_bytes("log", LOG.to_vec(), &[]));

fuzz_target!(|text: &str| {
    let (expr, problems) = parse(text);
    places(text, &expr);
    told(text, &problems);
    // `last` and `now`: early and late on 2026-03-08.
    let now = Now {
        now: Timestamp(1_772_996_400_000_000_000),
        last: Timestamp(1_772_928_000_000_000_000),
    };
    let lists = |name: &str| match name.len() % 2 {
        0 => Ok("sales\n\n7\n".to_owned()),
        _ => Err("no such file".to_owned()),
    };
    let scope = Scope { index: &INDEX, catalog: &CATALOG, now, lists: Some(&lists) };
    let (_, problems) = resolve(&expr, &scope);
    told(text, &problems);
    is_plain(&in_words(&expr));
    for (span, _) in highlight(text) {
        inside(text, &span);
    }
    for at in [0, text.len() / 2, text.len()] {
        for found in complete(text, at, &INDEX, &CATALOG) {
            inside(text, &found.span);
            is_plain(&found.doc);
        }
    }
});

/// Every part has a place, within that of what it is a part of and after that of its neighbour.
fn places(text: &str, expr: &Expr) {
    if let Expr::Broken(span) = expr {
        inside(text, span);
    }
    let mut before = 0;
    expr.each_term(&mut |term| {
        inside(text, &term.span);
        assert!(before <= term.span.start);
        before = term.span.end;
        let mut parts = Vec::new();
        match &term.kind {
            TermKind::Text(value) => parts.push(&value.span),
            TermKind::Field(field) => {
                assert!(!field.values.is_empty());
                parts.extend([&field.name_span, &field.op_span]);
                parts.extend(field.values.iter().map(|value| &value.span));
            }
        }
        let mut at = term.span.start;
        for part in parts {
            inside(text, part);
            assert!(at <= part.start && part.end <= term.span.end, "{term:?}");
            at = part.end;
        }
    });
}

fn told(text: &str, problems: &[Problem]) {
    assert!(problems.is_sorted_by_key(|problem| problem.span.start));
    for problem in problems {
        // Faults of regular expressions are placed by the column their library tells.
        assert!(text.get(problem.span.clone()).is_some(), "{problem:?} of {text:?}");
        assert!(problem.span.start <= problem.span.end && problem.span.end <= text.len());
        let shown = problem.with_caret(text);
        assert_eq!(shown.lines().count(), 3, "{shown}");
        is_plain(&shown.replace('\n', ""));
    }
}

fn inside(text: &str, span: &Span) {
    assert!(span.start <= span.end && text.get(span.clone()).is_some(), "{span:?} of {text:?}");
}

fn is_plain(text: &str) {
    assert!(!text.chars().any(char::is_control), "{text:?}");
}
