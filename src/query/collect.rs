//! What is taken from matches: counts by type and by actor.
//!
//! Each pane's counts ignore the chips of that pane, so that choosing one type does not zero the
//! others. This is the one place that knows the rule.

use crate::base::bits::Bits;
use crate::base::id::EventId;
use crate::index::Index;
use crate::index::segment::Sum;
use crate::query::ast::{Expr, TermKind};
use crate::query::exec::segment::{View, drop_bad, keep};
use crate::query::fields::{FieldKind, find};
use crate::query::histogram::Histogram;
use crate::query::plan::Node;

/// Which pane a chip belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Facet {
    /// The catalogue of types.
    Types,
    /// The list of actors.
    Actors,
    /// The histogram.
    Time,
    /// None of them.
    Other,
}

/// Returns the pane that a filter belongs to: that of its fields, if they all have the same.
pub fn facet_of(expr: &Expr) -> Facet {
    let mut facets = Vec::new();
    expr.each_term(&mut |term| {
        facets.push(match &term.kind {
            TermKind::Field(field) => match find(&field.name).map(|known| known.kind) {
                Some(FieldKind::Type | FieldKind::Category) => Facet::Types,
                Some(FieldKind::Actor) => Facet::Actors,
                Some(FieldKind::Time) => Facet::Time,
                _ => Facet::Other,
            },
            TermKind::Text(_) => Facet::Other,
        });
    });
    match facets.first() {
        Some(&first) if facets.iter().all(|&facet| facet == first) => first,
        _ => Facet::Other,
    }
}

/// Counts of a group of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Events.
    pub events: u32,
    /// Those that tell of a failure.
    pub failed: u32,
}

/// The first and last time of a group of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The earliest time, or `i64::MAX`.
    pub first: i64,
    /// The latest time, or `i64::MIN`.
    pub last: i64,
}

impl Default for Span {
    fn default() -> Self {
        Self { first: i64::MAX, last: i64::MIN }
    }
}

impl Span {
    pub(crate) fn merge(&mut self, other: &Self) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

/// Counts of matches and, for each pane, of what would match without that pane's chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Rows that match; bad records are among them when the filter asks for them.
    pub matched: u64,
    /// Matches that tell of a failure.
    pub failed: u64,
    /// By number of type, without the chips of [`Facet::Types`].
    pub types: Vec<Tally>,
    /// By number of actor, without the chips of [`Facet::Actors`].
    pub actors: Vec<Tally>,
    /// By time, without the chips of [`Facet::Time`].
    pub histogram: Histogram,
}

/// Counts that segments add to.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    pub(crate) matched: u64,
    pub(crate) failed: u64,
    pub(crate) types: Vec<Tally>,
    pub(crate) actors: Vec<Tally>,
    /// Bad records that match the chips of all panes but the histogram.
    pub(crate) bad: u64,
}

impl Sums {
    pub(crate) fn new(index: &Index) -> Self {
        let types = vec![Tally::default(); index.n_types()];
        let actors = vec![Tally::default(); index.n_actors()];
        Self { matched: 0, failed: 0, types, actors, bad: 0 }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.matched += other.matched;
        self.failed += other.failed;
        self.bad += other.bad;
        // What one thread counted may be below zero, the sum is not.
        let tallies = |to: &mut [Tally], from: &[Tally]| {
            for (to, from) in to.iter_mut().zip(from) {
                to.events = to.events.wrapping_add(from.events);
                to.failed = to.failed.wrapping_add(from.failed);
            }
        };
        tallies(&mut self.types, &other.types);
        tallies(&mut self.actors, &other.actors);
    }
}

/// The plans of a question, one for each pane's chips.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    pub(crate) types: Node,
    pub(crate) actors: Node,
    pub(crate) time: Node,
    pub(crate) other: Node,
}

impl Plans {
    /// Returns the plan for all chips of one pane.
    pub(crate) fn all(&self) -> [&Node; 4] {
        [&self.types, &self.actors, &self.time, &self.other]
    }

    /// Returns whether there is nothing to filter.
    pub(crate) fn is_everything(&self) -> bool {
        self.all().iter().all(|node| node.is_everything())
    }

    /// Returns whether the histogram shows other rows than those that match, and not all.
    pub(crate) fn is_two_fold(&self) -> bool {
        !self.time.is_everything() && !self.is_time_only()
    }

    /// Returns whether only the histogram's chips filter.
    pub(crate) fn is_time_only(&self) -> bool {
        [&self.types, &self.actors, &self.other].iter().all(|node| node.is_everything())
    }
}

/// The rows of a segment that each pane shows; `None` for all of them.
struct Shown {
    types: Option<Bits>,
    actors: Option<Bits>,
    time: Option<Bits>,
    /// The rows that match all chips.
    matched: Option<Bits>,
}

/// What a segment has for a question; `None` for all its rows.
pub(crate) struct Rows {
    /// The rows that match.
    pub(crate) matched: Option<Bits>,
    /// Those that match all chips but the histogram's.
    pub(crate) for_time: Option<Bits>,
}

/// Evaluates all plans on a segment, counts, and returns the rows that match.
pub(crate) fn collect(plans: &Plans, view: &View<'_>, sums: &mut Sums) -> Rows {
    let shown = shown(plans, view);
    let segment = view.segment;
    let stats = &segment.stats;
    let is_event = (!segment.bad.is_empty()).then(|| events(view));
    let columns = &segment.columns;
    let types = Column { values: &columns.event_type, sums: stats.type_sums.as_deref() };
    types.count(&shown.types, None, &stats.failed_rows, &mut sums.types);
    let actors = Column { values: &columns.actor, sums: stats.actor_sums.as_deref() };
    actors.count(&shown.actors, is_event.as_ref(), &stats.failed_rows, &mut sums.actors);
    let is_in =
        |id: EventId| shown.time.as_ref().is_none_or(|rows| rows.has(id.at() - segment.first.at()));
    sums.bad += segment.bad.iter().filter(|bad| is_in(bad.id)).count() as u64;
    match &shown.matched {
        Some(matched) => {
            sums.matched += matched.count() as u64;
            let mut failed = 0;
            matched.each_in_both(&stats.failed_rows, |_| failed += 1);
            sums.failed += failed;
        }
        None => {
            sums.matched += view.rows() as u64;
            sums.failed += u64::from(stats.failed);
        }
    }
    Rows { matched: shown.matched, for_time: shown.time }
}

/// Adds the first and last times of the actors that the pane of actors shows.
pub(crate) fn add_spans(plans: &Plans, view: &View<'_>, spans: &mut [Span]) {
    let mut shown = shown(plans, view).actors.unwrap_or_else(|| Bits::full(view.rows()));
    drop_bad(view, &mut shown);
    let columns = &view.segment.columns;
    shown.each(|row| {
        let time = columns.time[row];
        if time != i64::MAX
            && let Some(span) = spans.get_mut(columns.actor[row] as usize)
        {
            span.merge(&Span { first: time, last: time });
        }
    });
}

fn events(view: &View<'_>) -> Bits {
    let mut rows = Bits::full(view.rows());
    drop_bad(view, &mut rows);
    rows
}

fn shown(plans: &Plans, view: &View<'_>) -> Shown {
    let run = |node: &Node| {
        (!node.is_everything()).then(|| {
            let mut rows = Bits::full(view.rows());
            keep(node, view, &mut rows);
            rows
        })
    };
    let [types, actors, time] = [&plans.types, &plans.actors, &plans.time].map(run);
    let mut shown = Shown {
        types: both(&actors, &time),
        actors: both(&types, &time),
        time: both(&types, &actors),
        matched: None,
    };
    let mut panes = [&mut shown.types, &mut shown.actors, &mut shown.time];
    if !plans.other.is_everything() {
        // Only rows that fail at most one pane's chips are counted anywhere.
        let all = Bits::full(view.rows());
        let mut other = Bits::none(view.rows());
        panes.iter().for_each(|rows| other.or(rows.as_ref().unwrap_or(&all)));
        if other.any() {
            keep(&plans.other, view, &mut other);
        }
        for rows in &mut panes {
            match rows {
                Some(rows) => rows.and(&other),
                None => **rows = Some(other.clone()),
            }
        }
    }
    shown.matched = both(&shown.time, &time);
    shown
}

fn both(a: &Option<Bits>, b: &Option<Bits>) -> Option<Bits> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let mut both = a.clone();
            both.and(b);
            Some(both)
        }
        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
    }
}

/// A column to count the values of, and how often each occurs in it, if that is known.
struct Column<'a, T> {
    values: &'a [T],
    sums: Option<&'a [Sum]>,
}

impl<T: Copy + Into<u32>> Column<'_, T> {
    /// Counts the values of `shown` rows, of those in `among`. Where most rows are shown, all are
    /// added up and the others taken away.
    fn count(
        &self,
        shown: &Option<Bits>,
        among: Option<&Bits>,
        failed: &Bits,
        tallies: &mut [Tally],
    ) {
        let all = || among.cloned().unwrap_or_else(|| Bits::full(self.values.len()));
        let Some(shown) = shown else {
            return match self.sums {
                Some(sums) => add(sums, tallies),
                None => self.add_rows(&all(), failed, tallies, 1),
            };
        };
        let count = shown.count();
        if count == 0 {
            return;
        }
        let mut rows;
        match self.sums {
            Some(sums) if self.values.len() < count * 2 => {
                add(sums, tallies);
                rows = all();
                rows.and_not(shown);
                self.add_rows(&rows, failed, tallies, u32::MAX);
            }
            _ => {
                let shown = match among {
                    Some(among) => {
                        rows = shown.clone();
                        rows.and(among);
                        &rows
                    }
                    None => shown,
                };
                self.add_rows(shown, failed, tallies, 1);
            }
        }
    }

    /// Adds `one` for each row; [`u32::MAX`] takes one away.
    fn add_rows(&self, rows: &Bits, failed: &Bits, tallies: &mut [Tally], one: u32) {
        let number = |row: usize| self.values.get(row).map_or(usize::MAX, |&id| id.into() as usize);
        rows.each(|row| {
            if let Some(tally) = tallies.get_mut(number(row)) {
                tally.events = tally.events.wrapping_add(one);
            }
        });
        rows.each_in_both(failed, |row| {
            if let Some(tally) = tallies.get_mut(number(row)) {
                tally.failed = tally.failed.wrapping_add(one);
            }
        });
    }
}

fn add(sums: &[Sum], tallies: &mut [Tally]) {
    for sum in sums {
        if let Some(tally) = tallies.get_mut(sum.id as usize) {
            tally.events = tally.events.wrapping_add(sum.events);
            tally.failed = tally.failed.wrapping_add(sum.failed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parser::parse;

    #[test]
    fn a_filter_belongs_to_the_pane_of_all_its_fields() {
        for (text, facet) in [
            ("type:a or category:b", Facet::Types),
            ("actor:a", Facet::Actors),
            ("time:2026", Facet::Time),
            ("eventTime:2026", Facet::Time),
            ("type:a actor:b", Facet::Other),
            ("hour:3", Facet::Other),
            ("x", Facet::Other),
            ("", Facet::Other),
        ] {
            assert_eq!(facet_of(&parse(text).0), facet, "{text}");
        }
    }
}
