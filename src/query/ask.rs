//! The front door for views: chips in, matches and counts out.

use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::id::EventId;
use crate::base::time::{TimeRange, Timestamp};
use crate::index::Index;
use crate::index::order::TimeOrder;
use crate::query::ast::{Expr, Problem, Severity};
use crate::query::collect::{Plans, facet_of, window_of};
use crate::query::echo::in_words;
use crate::query::exec::{self, Found};
use crate::query::parser::parse;
use crate::query::plan::{Node, all_of, plan};
use crate::query::resolve::{ReadList, Scope, resolve};
use crate::schema::catalog::Catalog;

pub use crate::query::collect::{Counts, Facet, Histogram, Tally};
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
    /// Whether all rows of a finished index were looked at; otherwise counts are lower bounds.
    pub is_final: bool,
    /// What is wrong with the chips. A span counts from the start of its own chip's text.
    pub problems: Vec<Problem>,
    /// The filter in words, safe to show.
    pub echo: String,
}

/// Rows that match, in time order and in file order.
#[derive(Clone, Debug)]
pub struct Matches {
    index: Arc<Index>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    All,
    Some { by_time: Arc<[EventId]>, by_file: Arc<[EventId]> },
}

impl Matches {
    /// Returns all rows of an index.
    pub const fn all(index: Arc<Index>) -> Self {
        Self { index, kind: Kind::All }
    }

    /// Returns some rows of an index, given in file order.
    pub fn some(index: Arc<Index>, ids: Vec<EventId>) -> Self {
        let by_file: Arc<[EventId]> = ids.into();
        let by_time = match index.order() {
            TimeOrder::AsFiled(_) => Arc::clone(&by_file),
            TimeOrder::Sorted(_) => sorted_by_time(&index, &by_file).into(),
        };
        Self { index, kind: Kind::Some { by_time, by_file } }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::All => self.index.rows() as usize,
            Kind::Some { by_file, .. } => by_file.len(),
        }
    }

    /// Returns whether nothing matches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether every row of the index matches.
    pub const fn is_all(&self) -> bool {
        matches!(self.kind, Kind::All)
    }

    /// Returns the index that the rows are of.
    pub const fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// Returns the row at a position in time order.
    pub fn at(&self, position: usize) -> Option<EventId> {
        match &self.kind {
            Kind::All => {
                let position = u32::try_from(position).ok().filter(|&p| p < self.index.rows())?;
                Some(self.index.order().at(position))
            }
            Kind::Some { by_time, .. } => by_time.get(position).copied(),
        }
    }

    /// Returns the position of a row in time order, if it matches.
    pub fn position(&self, id: EventId) -> Option<usize> {
        let position = self.nearest(id)?;
        (self.at(position) == Some(id)).then_some(position)
    }

    /// Returns the position of the row or of the first one after it in time order, else the last.
    pub fn nearest(&self, id: EventId) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let found = match &self.kind {
            Kind::All if id.0 >= self.index.rows() => last,
            Kind::All => self.index.position(id) as usize,
            Kind::Some { by_time, .. } => match self.index.order() {
                TimeOrder::AsFiled(_) => by_time.partition_point(|&row| row < id),
                TimeOrder::Sorted(_) => {
                    let key = (self.index.time(id), id);
                    by_time.partition_point(|&row| (self.index.time(row), row) < key)
                }
            },
        };
        Some(found.min(last))
    }

    /// Returns the position in time order of the first row at or after an instant, else the last.
    pub fn nearest_time(&self, time: Timestamp) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let before = self.at(middle).is_some_and(|id| self.index.time(id) < time);
            if before { low = middle + 1 } else { high = middle }
        }
        Some(low.min(last))
    }

    /// Returns the row at a position in file order.
    pub fn at_in_file_order(&self, position: usize) -> Option<EventId> {
        match &self.kind {
            Kind::All => {
                let position = u32::try_from(position).ok()?;
                (position < self.index.rows()).then_some(EventId(position))
            }
            Kind::Some { by_file, .. } => by_file.get(position).copied(),
        }
    }

    /// Returns the position of a row in file order, if it matches.
    pub fn position_in_file_order(&self, id: EventId) -> Option<usize> {
        match &self.kind {
            Kind::All => (id.0 < self.index.rows()).then_some(id.0 as usize),
            Kind::Some { by_file, .. } => by_file.binary_search(&id).ok(),
        }
    }

    /// Returns the rows in time order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = EventId> + '_ {
        (0..self.len()).filter_map(|position| self.at(position))
    }
}

/// Sorts rows given in file order, which is nearly time order: only those that come late are moved.
fn sorted_by_time(index: &Index, ids: &[EventId]) -> Vec<EventId> {
    let (mut spine, mut late, mut untimed) = (Vec::with_capacity(ids.len()), vec![], vec![]);
    let mut segments = index.segments().iter().peekable();
    let mut newest = Timestamp::MIN;
    for &id in ids {
        while segments.next_if(|s| s.first.at() + s.columns.rows() <= id.at()).is_some() {}
        let time = segments.peek().map_or(i64::MAX, |s| s.columns.time[id.at() - s.first.at()]);
        match Timestamp(time) {
            Timestamp::NONE => untimed.push(id),
            time if time < newest => late.push((time, id)),
            time => {
                newest = time;
                spine.push((time, id));
            }
        }
    }
    late.sort_unstable();
    let mut sorted = Vec::with_capacity(ids.len());
    let mut late = late.into_iter().peekable();
    for row in spine {
        while let Some((_, id)) = late.next_if(|one| *one < row) {
            sorted.push(id);
        }
        sorted.push(row.1);
    }
    sorted.extend(late.map(|(_, id)| id));
    sorted.extend(untimed);
    sorted
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
        let understood = self.understand(&question.chips);
        let (window, width) =
            window_of(self.index, question.window, question.buckets, question.shift);
        let empty = Counts::new(self.index, Histogram::new(window, width));
        let answer = |found: Found, is_final| Answer {
            matches: if understood.plans.is_everything() {
                Matches::all(Arc::clone(self.index))
            } else {
                Matches::some(Arc::clone(self.index), found.ids)
            },
            counts: found.counts,
            is_final,
            problems: understood.problems.clone(),
            echo: understood.echo.clone(),
        };
        let mut next = SCREEN;
        let mut partly = |found: &Found| {
            if found.ids.len() >= next {
                next = found.ids.len() * 2;
                let copy = Found { ids: found.ids.clone(), counts: found.counts.clone() };
                on_partial(answer(copy, false));
            }
        };
        let found = exec::run(self.index, &understood.plans, &empty, cancel, &mut partly)?;
        Some(answer(found, self.index.is_final()))
    }

    fn understand(&self, chips: &[Chip]) -> Understood {
        let scope =
            Scope { index: self.index, catalog: self.catalog, now: self.now, lists: self.lists };
        let mut problems = Vec::new();
        let mut exprs = Vec::new();
        let mut parts: [Vec<Node>; 4] = Default::default();
        for chip in chips.iter().filter(|chip| chip.on) {
            let (expr, mut found) = parse(&chip.text);
            let (filter, more) = resolve(&expr, &scope);
            found.extend(more);
            found.sort_by_key(|problem| problem.span.start);
            problems.extend(found);
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
    problems: Vec<Problem>,
    echo: String,
}

/// Returns whether a filter's text can be run as it stands.
pub fn has_error(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.severity == Severity::Error)
}

/// Returns the pane that a chip belongs to.
pub fn facet_of_chip(text: &str) -> Facet {
    facet_of(&parse(text).0)
}
