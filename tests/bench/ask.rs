//! How long a question of the explorer takes: its matches, counts for every pane, and a histogram.

use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::time::Timestamp;
use actlog::index::Index;
use actlog::index::build::from_sources;
use actlog::query::ask::{Chip, Now, Question, ask};

use crate::log;
use crate::table::{Limit, Table};
use crate::timing;

/// Measures questions at one and at ten million events.
pub(crate) fn measure(table: &mut Table) {
    let one = from_sources(vec![log::open()], &log::options(2));
    for (index, limit) in [(&one, 5.0), (log::ten_million(), 16.0)] {
        let events = format!("{:.1} M events", index.events() as f64 / 1e6);
        let what = format!("type AND actor AND range, count, 200 buckets, {events}");
        let narrow = ["type:hist_access_view", &log::busiest(index), RANGE];
        table.add(what, milliseconds(index, &narrow), "ms", Limit::Most(limit));
        let failed = milliseconds(index, &["is:failed"]);
        table.add(format!("is:failed, {events}"), failed, "ms", Limit::None);
        let all = milliseconds(index, &[]);
        table.add(format!("no filter, {events}"), all, "ms", Limit::None);
    }
}

/// Eight of the log's fourteen days.
const RANGE: &str = "time:2026-03-04T06:00:00Z..2026-03-12T18:00:00Z";

fn milliseconds(index: &Arc<Index>, chips: &[&str]) -> f64 {
    let chip = |text: &&str| Chip { text: (*text).to_owned(), on: true };
    let chips: Vec<_> = chips.iter().map(chip).collect();
    let question = Question { chips, window: None, buckets: 200, shift: 0 };
    let last = index.time_range().map_or(Timestamp::NONE, |range| range.1);
    let (now, cancel) = (Now { now: last, last }, CancelToken::never());
    let seconds = timing::one(25, || {
        let answer = ask(index, log::catalog(), &question, &now, &cancel, &mut |_| {}).unwrap();
        assert!(answer.problems.is_empty() && 0 < answer.counts.matched);
        answer.counts.matched
    });
    seconds * 1e3
}
