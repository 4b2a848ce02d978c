//! The planned evaluator against the plain one, over generated logs and filters.

use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::id::EventId;
use actlog::base::time::Timestamp;
use actlog::index::Index;
use actlog::index::build::{Options, from_sources};
use actlog::index::names::KnownTypes;
use actlog::query::ask::{Answer, Asker, Chip, Facet, Question, Span, Tally, facet_of_chip};
use actlog::query::filter::Filter;
use actlog::query::naive::{Subject, matches};
use actlog::query::parser::parse;
use actlog::query::resolve::{Scope, resolve};
use actlog::record::head::Flags;
use actlog::schema::catalog::Catalog;
use actlog::source::from_memory;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::query::{catalog, now_of};

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec![
            "null",
            "true",
            "7",
            "7.0",
            "\"7\"",
            "10",
            "\"\"",
            "\"null\"",
            "\"Sales\"",
            "\"sales eu\"",
            "\"caf\\u00e9\"",
            "\"CAFÉ\"",
            "\"s\\u0061les\"",
            "\"a\\/b\"",
            "\"a/b\"",
            "\"x\\ny\"",
            "\"10.1.2.3\"",
            "\"path\\\\to\"",
            "[\"Sales\",7]",
            "{\"b\":\"Sales\"}",
            "[]",
            "5000",
            "\"5300\"",
            "\"2026-03-02T08:00:00Z\"",
            "\"say \\\"hi\\\"\"",
            "[{\"b\":7},{\"b\":\"x\"}]",
            "\"\\ud800x\"",
            "\"\u{212a}EY\"",
            "\"\\u212aey\"",
            "\"work-book\"",
        ])
        .prop_map(str::to_owned),
        "[a-cS7]{0,4}".prop_map(|text| format!("\"{text}\"")),
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    select(vec![
        "workbookName",
        "workbookname",
        "actorUserId",
        "actorUserLuid",
        "eventOutcome",
        "duration",
        "a",
        "ipAddress",
        "n",
        "isError",
        "work\\u0062ookName",
        "initiatingUserLuid",
        "status",
    ])
}

fn time() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (1_u8..4, 0_u8..24, 0_u8..60)
            .prop_map(|(day, hour, minute)| format!("\"2026-03-0{day}T{hour:02}:{minute:02}:00Z\"")),
        1 => Just("null".to_owned()),
        1 => Just("\"never\"".to_owned()),
    ]
}

fn record() -> impl Strategy<Value = String> {
    let kind = select(vec!["hist_login", "hist_logout", "HIST_LOGIN", "odd", "vizql_http_request"]);
    let event = (kind, time(), vec((name(), value()), 0..5))
        .prop_map(|(kind, time, rest)| {
            let rest: String =
                rest.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
            format!("{{\"eventType\":\"{kind}\",\"eventTime\":{time}{rest}}}")
        })
        .boxed();
    prop_oneof![
        12 => event.clone(),
        1 => event.prop_map(|event| format!("{{\"event\":{event},\"extra\":\"Sales\"}}")),
        1 => Just("nothing of Sales".to_owned()),
        1 => Just("{\"eventType\":\"cut".to_owned()),
    ]
}

fn word() -> impl Strategy<Value = &'static str> {
    select(vec![
        "sales",
        "SALES",
        "7",
        "café",
        "\"a/b\"",
        "\"x\ny\"",
        "\"\\\"hi\\\"\"",
        "path",
        "b",
        "nothing",
        "/s.les/",
        "/^7$/",
        "/SALES/i",
        "/a.b/",
        "event",
        "\"\"",
        "text=Sales",
        "\"\u{fffd}x\"",
    ])
}

fn field() -> impl Strategy<Value = &'static str> {
    select(vec![
        "workbookName",
        "actorUserId",
        "duration",
        "a",
        "a.b",
        "ipAddress",
        "n",
        "isError",
        "who",
        "object",
        "eventOutcome",
        "outcome",
        "actor",
    ])
}

fn op() -> impl Strategy<Value = &'static str> {
    select(vec![":", "=", "!=", "?:", "?!="])
}

fn operand() -> impl Strategy<Value = &'static str> {
    select(vec![
        "7",
        "Sales",
        "sales",
        "sales*",
        "*",
        "\"\"",
        "null",
        "10.0.0.0/8",
        "/^s/i",
        "5..5300",
        "x,7",
        "true",
        "abc",
        "key",
        "work-book",
    ])
}

fn column() -> impl Strategy<Value = &'static str> {
    select(vec![
        "type:hist_login",
        "type:hist_*",
        "type=hist_login",
        "type!=odd",
        "category:other",
        "actor:7",
        "is:failed",
        "is:bad",
        "is:unknown",
        "is:impersonated",
        "is:no-time",
        "time:2026-03-02",
        "time:08:00..12:00",
        "time>=2026-03-02T10:00",
        "time:-24h",
        "hour:22..3",
        "weekday:mon",
        "has:workbookName",
        "missing:workbookName",
        "null:workbookName",
        "has:outcome",
        "missing:outcome",
        "null:outcome",
        "missing:actor",
        "has:time",
        "file:nowhere",
        "file:mixed*",
        "time!=2026-03-02",
        "hour!=8",
        "is:wrapped",
        "outcome:success",
    ])
}

fn ordered() -> impl Strategy<Value = String> {
    (select(vec!["duration", "n", "a", "workbookName"]), select(vec!["<", "<=", ">", ">="]))
        .prop_flat_map(|(field, op)| {
            select(vec!["7", "5s", "a", "10"]).prop_map(move |value| format!("{field}{op}{value}"))
        })
        .prop_filter("no unit", |text| !text.ends_with("5s") || text.starts_with("duration"))
}

fn term() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => word().prop_map(str::to_owned),
        4 => (field(), op(), operand()).prop_map(|(field, op, value)| format!("{field}{op}{value}"))
            .prop_filter("ranges go with names of no order", |text| {
                !(text.contains("5..5300") && ["outcome", "actor", "eventOutcome"].iter().any(|name| {
                    text.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', '=', '!', '?']))
                }))
            }),
        2 => ordered(),
        4 => column().prop_map(str::to_owned),
    ]
}

fn filter() -> impl Strategy<Value = String> {
    term().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(|parts| parts.join(" ")),
            vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" or "))),
            inner.prop_map(|part| format!("not ({part})")),
        ]
    })
}

fn scope<'a>(index: &'a Index, catalog: &'a Catalog) -> Scope<'a> {
    Scope { index, catalog, now: now_of(index), lists: None }
}

fn bound(text: &str, index: &Index, catalog: &Catalog) -> Filter {
    resolve(&parse(text).0, &scope(index, catalog)).0
}

fn passes(filter: &Filter, index: &Index, id: EventId) -> bool {
    let row = index.row(id);
    let bytes = index.record(id).expect("memory");
    matches(
        filter,
        &Subject {
            bytes: &bytes,
            event_type: row.event_type.0,
            actor: row.actor.0,
            outcome: row.outcome.0,
            time: row.time,
            flags: row.flags,
            file: row.file,
        },
    )
}

/// Returns the rows that pass all chips but those of a pane.
fn rows_without(chips: &[(Facet, Filter)], out: Option<Facet>, index: &Index) -> Vec<EventId> {
    let counted: Vec<_> = chips.iter().filter(|(facet, _)| Some(*facet) != out).collect();
    let passes_all = |id: &EventId| counted.iter().all(|(_, filter)| passes(filter, index, *id));
    (0..index.rows()).map(EventId).filter(passes_all).collect()
}

/// Reads a log in pieces of about so many bytes: each of them is a segment.
fn index_of(log: &str, piece: usize) -> Arc<Index> {
    let known = Arc::new(KnownTypes::new(["hist_login", "hist_logout"]));
    let file = from_memory("logs/mixed.jsonl", log.as_bytes().to_vec());
    from_sources(vec![Arc::new(file)], &Options { threads: 2, piece, known })
}

fn check(log: &str, texts: &[String], piece: usize) -> Result<(), TestCaseError> {
    let catalog = catalog();
    let index = index_of(log, piece);
    let chips: Vec<Chip> = texts.iter().map(|text| Chip { text: text.clone(), on: true }).collect();
    let asker = Asker { index: &index, catalog: &catalog, now: now_of(&index), lists: None };
    let bound: Vec<_> =
        texts.iter().map(|text| (facet_of_chip(text), bound(text, &index, &catalog))).collect();
    let naive = rows_without(&bound, None, &index);
    let spans = asker.spans(&chips, &CancelToken::never()).expect("not cancelled");
    let question = Question { chips, window: None, buckets: 7, shift: 0 };
    for threads in [1, 2, 8] {
        let answer = asker.ask_on(threads, &question, &CancelToken::never(), &mut |_| {});
        let answer = answer.expect("not cancelled");
        let found: Vec<_> = answer.matches.iter_in_file_order().collect();
        prop_assert_eq!(&found, &naive, "{:?} in\n{}", texts, log);
        check_matches(&answer, &naive, &index)?;
        check_counts(&answer.counts, &bound, &index)?;
        check_actors(&answer, &spans, &bound, &index)?;
    }
    Ok(())
}

/// Checks every way into the matches, of which `naive` is what they are.
fn check_matches(answer: &Answer, naive: &[EventId], index: &Index) -> Result<(), TestCaseError> {
    let matches = &answer.matches;
    let mut by_time = naive.to_vec();
    by_time.sort_by_key(|&id| index.time(id));
    prop_assert_eq!(&matches.iter().collect::<Vec<_>>(), &by_time);
    prop_assert_eq!((matches.len(), matches.at(naive.len())), (naive.len(), None));
    let last = naive.len().checked_sub(1);
    let clamped = |found: usize| last.map(|last| found.min(last));
    for position in 0..naive.len() {
        prop_assert_eq!(matches.at(position), Some(by_time[position]));
        prop_assert_eq!(matches.at_in_file_order(position), Some(naive[position]));
    }
    for id in (0..index.rows() + 2).map(EventId) {
        let at = |rows: &[EventId]| rows.iter().position(|&row| row == id);
        prop_assert_eq!(matches.position(id), at(&by_time));
        prop_assert_eq!(matches.position_in_file_order(id), at(naive));
        let time = index.time(id);
        let earlier = |row: EventId| (index.time(row), row) < (time, id);
        let is_row = id.0 < index.rows();
        let before = by_time.iter().filter(|&&row| !is_row || earlier(row)).count();
        prop_assert_eq!(matches.nearest(id), clamped(before));
        let before = naive.iter().filter(|&&row| row < id).count();
        prop_assert_eq!(matches.nearest_in_file_order(id), clamped(before));
        let before = by_time.iter().filter(|&&row| index.time(row) < time).count();
        prop_assert_eq!(matches.nearest_time(time), clamped(before));
    }
    Ok(())
}

fn check_actors(
    answer: &Answer,
    spans: &[Span],
    chips: &[(Facet, Filter)],
    index: &Index,
) -> Result<(), TestCaseError> {
    let rows = rows_without(chips, Some(Facet::Actors), index);
    let mut naive = vec![Span::default(); index.n_actors()];
    for row in rows.into_iter().map(|id| index.row(id)) {
        if row.time.is_some() && !row.flags.has(Flags::BAD) {
            let span = &mut naive[row.actor.at()];
            span.first = span.first.min(row.time.0);
            span.last = span.last.max(row.time.0);
        }
    }
    prop_assert_eq!(spans, &naive);
    let actors = &answer.counts.actors;
    let seen = (0..actors.len()).filter(|&at| 0 < actors[at].events);
    let mut busiest: Vec<usize> = seen.collect();
    busiest.sort_by_key(|&at| std::cmp::Reverse(actors[at].events));
    prop_assert_eq!(answer.busiest.iter().map(|id| id.at()).collect::<Vec<_>>(), busiest);
    Ok(())
}

fn check_counts(
    counts: &actlog::query::ask::Counts,
    chips: &[(Facet, Filter)],
    index: &Arc<Index>,
) -> Result<(), TestCaseError> {
    let has = |id: EventId, flag| index.row(id).flags.has(flag);
    let tally = |rows: &[EventId], of: &dyn Fn(EventId) -> bool| {
        let mut tally = Tally::default();
        for &id in rows.iter().filter(|&&id| of(id)) {
            tally.events += 1;
            tally.failed += u32::from(has(id, Flags::FAILED));
        }
        tally
    };
    let rows = rows_without(chips, Some(Facet::Types), index);
    for (number, counted) in counts.types.iter().enumerate() {
        let naive = tally(&rows, &|id| index.row(id).event_type.at() == number);
        prop_assert_eq!(counted, &naive, "type {}", number);
    }
    let rows = rows_without(chips, Some(Facet::Actors), index);
    for (number, counted) in counts.actors.iter().enumerate() {
        let is_of = |id| index.row(id).actor.at() == number && !has(id, Flags::BAD);
        prop_assert_eq!(counted, &tally(&rows, &is_of), "actor {}", number);
    }
    let rows = rows_without(chips, Some(Facet::Time), index);
    let times = &counts.histogram;
    for (number, &counted) in times.all.iter().enumerate() {
        let start = times.window.start.0 + i64::try_from(number).expect("small") * times.width;
        let inside = |t: Timestamp| t.is_some() && t.0 >= start && t.0 < start + times.width;
        let naive = tally(&rows, &|id| inside(index.time(id)));
        prop_assert_eq!((counted, times.failed[number]), (naive.events, naive.failed));
    }
    let all: u64 = times.all.iter().map(|&count| u64::from(count)).sum();
    let events = rows.iter().filter(|&&id| !has(id, Flags::BAD)).count() as u64;
    prop_assert_eq!(all + times.before + times.after + times.no_time, events);
    let rows = rows_without(chips, None, index);
    prop_assert_eq!(counts.matched, rows.len() as u64);
    let failed = rows.iter().filter(|&&id| has(id, Flags::FAILED)).count() as u64;
    prop_assert_eq!(counts.failed, failed);
    Ok(())
}

#[test]
fn planned_and_plain_evaluation_agree() {
    let config =
        ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let piece = select(vec![100, 1000, 1 << 20]);
    proptest!(config, |(records in vec(record(), 0..12), filters in vec(filter(), 1..4), piece in piece)| {
        check(&format!("{}\n", records.join("\n")), &filters, piece)?;
    });
}

/// Records of few types and actors: enough of each that segments are summed up.
fn plain_record() -> impl Strategy<Value = String> {
    let kind = select(vec!["hist_login", "hist_login", "hist_logout"]);
    let outcome = select(vec!["success", "success", "failure", "odd"]);
    let event = (time(), kind, 1_u8..4, outcome).prop_map(|(time, kind, actor, outcome)| {
        format!(
            "{{\"eventTime\":{time},\"eventType\":\"{kind}\",\"actorUserId\":{actor},\"eventOutcome\":\"{outcome}\"}}"
        )
    });
    prop_oneof![40 => event, 1 => Just("{\"cut".to_owned())]
}

fn column_filter() -> impl Strategy<Value = String> {
    let term = prop_oneof![
        column().prop_map(str::to_owned),
        select(vec![
            "actor:1",
            "actor:2,3",
            "actor:9",
            "-actor:1",
            "type:hist_login",
            "-type:hist_login",
            "outcome:success",
            "outcome!=success",
            "-is:failed",
            "-is:bad",
            "time:2026-03-02..2026-03-03T12:00",
            "time:2026-03-03T05:00..",
            "-time:2026-03-02",
            "hour:0..13",
            "-weekday:mon",
            "time:23:00..01:30",
        ])
        .prop_map(str::to_owned),
    ];
    term.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(|parts| format!("({})", parts.join(" or "))),
            inner.prop_map(|part| format!("not ({part})")),
        ]
    })
}

#[test]
fn sums_of_segments_and_counts_of_rows_agree() {
    let config =
        ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() };
    let piece = select(vec![2_000, 6_000, 1 << 20]);
    let filters = vec(column_filter(), 0..4);
    proptest!(config, |(records in vec(plain_record(), 0..160), filters in filters, piece in piece, is_sorted: bool)| {
        let mut records = records;
        if is_sorted {
            records.sort();
        }
        check(&format!("{}\n", records.join("\n")), &filters, piece)?;
    });
}
