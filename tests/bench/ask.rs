//! How long a question of the explorer takes: its matches, counts for every pane, and a histogram.

use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::time::Timestamp;
use actlog::index::Index;
use actlog::index::build::from_sources;
use actlog::query::ask::{Asker, Chip, Now, Question};

use crate::log;
use crate::table::{Limit, Table};
use crate::timing;

/// Eight of the log's fourteen days.
const RANGE: &str = "time:2026-03-04T06:00:00Z..2026-03-12T18:00:00Z";

/// Filters on what the index knows, beside those with the busiest actor.
const FILTERS: [(&str, &[&str]); 15] = [
    ("no filter", &[]),
    ("is:failed", &["is:failed"]),
    ("is:bad", &["is:bad"]),
    ("one type", &["type:hist_access_view"]),
    ("a range", &[RANGE]),
    ("not failed", &["-is:failed"]),
    ("not one type", &["-type:hist_access_view"]),
    ("a category", &["category:access"]),
    ("types by a pattern", &["type:hist_*"]),
    ("an outcome", &["outcome:success"]),
    ("hours of the day", &["hour:9..17"]),
    ("days of the week", &["weekday:mon,wed"]),
    ("a time of day", &["time:09:30..11:45"]),
    ("failed or one type", &["is:failed or type:hist_access_view"]),
    ("half of everything", &["-(hour:9..12 or type:hist_access_view) or is:failed"]),
];

/// Measures questions at one and at ten million events.
pub(crate) fn measure(table: &mut Table) {
    let one = from_sources(vec![log::open()], &log::options(2));
    for (index, limit) in [(&one, 5.0), (log::ten_million(), 16.0)] {
        let events = format!("{:.1} M events", index.events() as f64 / 1e6);
        let actor = log::busiest(index);
        let not_actor = format!("-{actor}");
        let narrow = ["type:hist_access_view", &actor, RANGE];
        let what = format!("type AND actor AND range, count, 200 buckets, {events}");
        table.add(what, milliseconds(index, &narrow), "ms", Limit::Most(limit));
        let of_actor = [("one actor", &[&*actor][..]), ("not one actor", &[&*not_actor][..])];
        for (what, chips) in FILTERS.into_iter().chain(of_actor) {
            let time = milliseconds(index, chips);
            table.add(format!("{what}, {events}"), time, "ms", Limit::Most(limit));
        }
        let asker = asker(index);
        let seconds = timing::one(9, || {
            let spans = asker.spans(&[], &CancelToken::never()).unwrap();
            spans.len() as u64
        });
        table.add(format!("times of all actors, {events}"), seconds * 1e3, "ms", Limit::None);
    }
}

fn asker(index: &Arc<Index>) -> Asker<'_> {
    let last = index.time_range().map_or(Timestamp::NONE, |range| range.1);
    Asker { index, catalog: log::catalog(), now: Now { now: last, last }, lists: None }
}

fn milliseconds(index: &Arc<Index>, chips: &[&str]) -> f64 {
    let chip = |text: &&str| Chip { text: (*text).to_owned(), on: true };
    let chips: Vec<_> = chips.iter().map(chip).collect();
    let question = Question { chips, window: None, buckets: 200, shift: 0 };
    let cancel = CancelToken::never();
    let seconds = timing::one(25, || {
        let answer = asker(index).ask(&question, &cancel, &mut |_| {}).unwrap();
        assert!(answer.problems.is_empty() && 0 < answer.counts.matched);
        answer.counts.matched
    });
    seconds * 1e3
}
