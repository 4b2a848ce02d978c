//! The front door for views: chips in, matches and counts out.

use std::sync::Arc;

use crate::base::bits::Bits;
use crate::base::cancel::CancelToken;
use crate::base::id::ActorId;
use crate::base::time::TimeRange;
use crate::index::Index;
use crate::index::order::TimeOrder;
use crate::query::ast::{Expr, Problem, Severity};
use crate::query::collect::{Plans, Sums, facet_of};
use crate::query::echo::in_words;
use crate::query::exec::{self, Found, Pass, THREADS, in_pair};
use crate::query::filter::Test;
use crate::query::histogram::window_of;
use crate::query::matches::in_time_order;
use crate::query::parser::parse;
use crate::query::plan::{Node, Polarity, all_of, plan};
use crate::query::ranked::Ranked;
use crate::query::resolve::{ReadList, Scope, resolve};
use crate::schema::catalog::Catalog;

pub use crate::query::collect::{Counts, Facet, Span, Tally};
pub use crate::query::histogram::Histogram;
pub use crate::query::matches::Matches;
pub use crate::query::resolve::Now;

/// Matches that fill a screen: the first partial answer comes with them.
const SCREEN: usize = 64;

/// A piece of a filter that can be switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// The filter.
    pub text: String,
    /// Whether it counts.
    pub on: bool,
}

/// What a view wants to know.
#[derive(Clone, Debug)]
pub struct Question {
    /// The filter: all chips that are on.
    pub chips: Vec<Chip>,
    /// The span of the histogram; `None` for one that leaves out stray events.
    pub window: Option<TimeRange>,
    /// The most buckets that the histogram may have.
    pub buckets: u16,
    /// Nanoseconds that the clock which its buckets are round for is ahead of UTC.
    pub shift: i64,
}

/// The answer, or as much of it as is known.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What matches.
    pub matches: Matches,
    /// Counts.
    pub counts: Counts,
    /// The actors that have events by [`Counts::actors`], those with most events first.
    pub busiest: Vec<ActorId>,
    /// Whether all rows of a finished index were looked at; otherwise counts are lower bounds.
    pub is_final: bool,
    /// What is wrong with the chips.
    pub problems: Vec<ChipProblem>,
    /// The filter in words, safe to show.
    pub echo: String,
}

/// What is wrong with one of the chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChipProblem {
    /// Which one, from 0; those that are off are counted too.
    pub chip: usize,
    /// The chip's text.
    pub text: String,
    /// What is wrong. Its span counts from the start of the chip's text.
    pub problem: Problem,
}

impl Answer {
    /// Returns whether a chip has an error, so that the answer is not what was meant.
    pub fn has_error(&self) -> bool {
        self.problems.iter().any(|one| one.problem.severity == Severity::Error)
    }
}

/// Answers a question. `on_partial` gets what is known when a first screen is full and then at
/// doubling sizes. Returns `None` when cancelled.
pub fn ask(
    index: &Arc<Index>,
    catalog: &Catalog,
    question: &Question,
    now: &Now,
    cancel: &CancelToken,
    on_partial: &mut dyn FnMut(Answer),
) -> Option<Answer> {
    Asker { index, catalog, now: *now, lists: None }.ask(question, cancel, on_partial)
}

/// Who asks, of what.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// The log.
    pub index: &'a Arc<Index>,
    /// The schema.
    pub catalog: &'a Catalog,
    /// The clock.
    pub now: Now,
    /// How `@file` is read; `None` where that is not allowed.
    pub lists: Option<&'a ReadList>,
}

impl Asker<'_> {
    /// Answers a question, as [`ask`] does.
    pub fn ask(
        &self,
        question: &Question,
        cancel: &CancelToken,
        on_partial: &mut dyn FnMut(Answer),
    ) -> Option<Answer> {
        self.ask_on(THREADS, question, cancel, on_partial)
    }

    /// Answers a question on so many threads; the answer is the same for any number.
    pub fn ask_on(
        &self,
        threads: usize,
        question: &Question,
        cancel: &CancelToken,
        on_partial: &mut dyn FnMut(Answer),
    ) -> Option<Answer> {
        let understood = self.understand(&question.chips);
        let (window, width) =
            window_of(self.index, question.window, question.buckets, question.shift);
        let empty = Histogram::new(window, width);
        let edges = empty.edges(self.index);
        let told = Told { index: self.index, understood: &understood, empty, edges, threads };
        let mut next = SCREEN;
        let mut partly = |found: &Found| {
            let matched = usize::try_from(found.sums.matched).unwrap_or(usize::MAX);
            if next <= matched {
                next = matched.saturating_mul(2);
                on_partial(told.answer(found.clone(), false));
            }
        };
        let pass = self.pass(threads, cancel);
        let found = exec::run(&pass, &understood.plans, &mut partly)?;
        Some(told.answer(found, self.index.is_final()))
    }

    /// Returns the first and last time of each actor's events, without regard to the chips of
    /// [`Facet::Actors`], or `None` when cancelled. By number of actor, like [`Counts::actors`].
    pub fn spans(&self, chips: &[Chip], cancel: &CancelToken) -> Option<Vec<Span>> {
        exec::spans(&self.pass(THREADS, cancel), &self.understand(chips).plans)
    }

    fn pass<'p>(&'p self, threads: usize, cancel: &'p CancelToken) -> Pass<'p> {
        Pass { index: self.index, range: 0..self.index.segments().len(), threads, cancel }
    }

    fn understand(&self, chips: &[Chip]) -> Understood {
        let scope =
            Scope { index: self.index, catalog: self.catalog, now: self.now, lists: self.lists };
        let mut problems = Vec::new();
        let mut exprs = Vec::new();
        let mut parts: [Vec<Node>; 4] = Default::default();
        for (number, chip) in chips.iter().enumerate().filter(|(_, chip)| chip.on) {
            let (expr, mut found) = parse(&chip.text);
            let (filter, more) = resolve(&expr, &scope);
            found.extend(more);
            found.sort_by_key(|problem| problem.span.start);
            let of_chip = |problem| ChipProblem { chip: number, text: chip.text.clone(), problem };
            problems.extend(found.into_iter().map(of_chip));
            parts[facet_of(&expr) as usize].push(plan(&filter));
            match expr {
                Expr::All => {}
                Expr::And(more) => exprs.extend(more),
                one => exprs.push(one),
            }
        }
        let [types, actors, time, other] = parts.map(all_of);
        let echo = match exprs.len() {
            0 => in_words(&Expr::All),
            1 => in_words(&exprs.remove(0)),
            _ => in_words(&Expr::And(exprs)),
        };
        Understood { plans: Plans { types, actors, time, other }, problems, echo }
    }
}

struct Understood {
    plans: Plans,
    problems: Vec<ChipProblem>,
    echo: String,
}

/// How what was found is told.
struct Told<'a> {
    index: &'a Arc<Index>,
    understood: &'a Understood,
    empty: Histogram,
    edges: Vec<u32>,
    threads: usize,
}

impl Told<'_> {
    fn answer(&self, found: Found, is_final: bool) -> Answer {
        let Found { matched, for_time, sums } = found;
        let rows = self.index.rows() as usize;
        let matched = matched.padded(rows);
        let shown = self.in_time(&matched, for_time);
        let Sums { types, actors, bad, .. } = sums;
        let is_everything = self.understood.plans.is_everything();
        let by_file = || {
            let busiest = busiest(&actors);
            let by_file = (!is_everything).then(|| Arc::new(Ranked::new(matched)));
            (busiest, by_file)
        };
        let by_time = || {
            let InTime { matched, shown } = shown;
            let matched = matched.map(|bits| Arc::new(Ranked::new(bits)));
            let shown = shown.map(Ranked::new);
            (matched, shown)
        };
        let (by_file, by_time) = in_pair(self.threads, by_file, by_time);
        let ((busiest, by_file), (by_time, shown)) = (by_file, by_time);
        let by_time = by_time.or_else(|| by_file.clone());
        let mut histogram = self.empty.clone();
        let rows = shown.as_ref().or(by_time.as_deref()).filter(|_| !self.shows_all_times());
        histogram.count(self.index, rows, &self.edges, bad);
        let index = Arc::clone(self.index);
        let matches = match by_file.zip(by_time) {
            Some((by_file, by_time)) => Matches::new(index, by_file, by_time),
            None => Matches::all(index),
        };
        let counts =
            Counts { matched: sums.matched, failed: sums.failed, types, actors, histogram };
        let (problems, echo) = (self.understood.problems.clone(), self.understood.echo.clone());
        Answer { matches, counts, busiest, is_final, problems, echo }
    }

    /// Returns whether the histogram shows all rows.
    fn shows_all_times(&self) -> bool {
        self.understood.plans.is_time_only()
    }

    /// Returns rows by position in time order, where that is another order or they are others.
    fn in_time(&self, matched: &Bits, for_time: Bits) -> InTime {
        let plans = &self.understood.plans;
        let by_time = |rows: &Bits| in_time_order(self.index, rows, self.threads);
        if plans.is_everything() {
            return InTime { matched: None, shown: None };
        }
        let shown = plans.is_two_fold().then(|| {
            let shown = for_time.padded(matched.len());
            by_time(&shown).unwrap_or(shown)
        });
        let is_other_order = matches!(self.index.order(), TimeOrder::Sorted(_));
        let matched = match range_of(&plans.time).filter(|_| is_other_order) {
            // In time order, the rows of a range are next to one another.
            Some(range) => {
                let first = self.index.first_at(range.start, 0, self.index.rows());
                let end = self.index.first_at(range.end, first, self.index.rows());
                let mut rows = shown.clone().unwrap_or_else(|| Bits::full(matched.len()));
                rows.keep_range(first as usize..end as usize);
                Some(rows)
            }
            None => by_time(matched),
        };
        InTime { matched, shown }
    }
}

/// Rows by position in time order.
struct InTime {
    /// Those that match; `None` where the two orders are the same.
    matched: Option<Bits>,
    /// Those of the histogram; `None` where they are all or those that match.
    shown: Option<Bits>,
}

/// Returns the range that a plan is about, if it is about nothing else.
fn range_of(node: &Node) -> Option<TimeRange> {
    match node {
        Node::Test(Test::Time(range), Polarity::Is) => Some(*range),
        _ => None,
    }
}

fn busiest(actors: &[Tally]) -> Vec<ActorId> {
    let some = (0..).zip(actors).filter(|(_, tally)| 0 < tally.events);
    let mut keys: Vec<(u32, u32)> = some.map(|(id, tally)| (!tally.events, id)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, id)| ActorId(id)).collect()
}

/// Returns whether a filter's text can be run as it stands.
pub fn has_error(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.severity == Severity::Error)
}

/// Returns the pane that a chip belongs to.
pub fn facet_of_chip(text: &str) -> Facet {
    facet_of(&parse(text).0)
}
