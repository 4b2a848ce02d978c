//! What panes may read: the index, the answer to the view's question, and what jobs have read.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::id::{ActorId, EventId, TypeId};
use crate::base::text;
use crate::base::time::Timestamp;
use crate::base::zone::Zone;
use crate::index::Index;
use crate::jobs::msg::{Base, Detail, Label, Order, Problems};
use crate::query::ask::{Answer, Histogram, Matches, Span, Tally};
use crate::schema::catalog::Catalog;
use crate::schema::model::EventType;

/// Labels kept before the oldest screenful is let go.
const LABELS_KEPT: usize = 4_096;

/// Shared, read-only for panes.
pub struct Data {
    /// The schema.
    pub catalog: Arc<Catalog>,
    /// The newest snapshot.
    pub index: Arc<Index>,
    /// The newest answer; it may be about an older snapshot.
    pub answer: Option<Arc<Answer>>,
    /// First and last times of the answer's actors, once they are known.
    pub spans: Option<Arc<Vec<Span>>>,
    /// The order of the list.
    pub order: Order,
    /// The zone that times are shown in.
    pub zone: Zone,
    /// The event in full that was read last.
    pub detail: Option<Arc<Detail>>,
    /// Bad records, once listed.
    pub problems: Option<Arc<Problems>>,
    labels: HashMap<EventId, Label>,
    /// The end of a log that is still being read.
    tail: Option<Arc<Index>>,
}

impl Data {
    /// Returns data about `index` with nothing answered yet.
    pub fn new(catalog: Arc<Catalog>, index: Arc<Index>) -> Self {
        Self {
            catalog,
            index,
            answer: None,
            spans: None,
            order: Order::Time,
            zone: Zone::Utc,
            detail: None,
            problems: None,
            labels: HashMap::new(),
            tail: None,
        }
    }

    /// Returns what jobs need.
    pub fn base(&self) -> Base {
        Base { index: Arc::clone(&self.index), catalog: Arc::clone(&self.catalog) }
    }

    /// Returns the matches, if the question has been answered at all.
    pub fn matches(&self) -> Option<&Matches> {
        self.answer.as_deref().map(|answer| &answer.matches)
    }

    /// Returns the number of matching rows.
    pub fn len(&self) -> usize {
        self.matches().map_or(0, Matches::len)
    }

    /// Returns whether nothing matches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the row at a position of the list.
    pub fn at(&self, position: usize) -> Option<EventId> {
        let matches = self.matches()?;
        match self.order {
            Order::Time => matches.at(position),
            Order::File => matches.at_in_file_order(position),
        }
    }

    /// Returns the position of a row in the list.
    pub fn position(&self, id: EventId) -> Option<usize> {
        let matches = self.matches()?;
        match self.order {
            Order::Time => matches.position(id),
            Order::File => matches.position_in_file_order(id),
        }
    }

    /// Returns the position of the row itself or else of the nearest, in time or in the files.
    pub fn nearest(&self, id: EventId) -> usize {
        if let Some(position) = self.position(id) {
            return position;
        }
        match self.order {
            Order::Time => self.nearest_time(self.time(id)),
            Order::File => {
                self.matches().and_then(|matches| matches.nearest_in_file_order(id)).unwrap_or(0)
            }
        }
    }

    /// Returns the position of the row nearest to an instant.
    pub fn nearest_time(&self, t: Timestamp) -> usize {
        let Some(matches) = self.matches() else { return 0 };
        let last = matches.len().saturating_sub(1);
        let after = matches.nearest_time(t).unwrap_or(0);
        let distance = |at: usize| {
            let there = matches.at(at).map_or(Timestamp::NONE, |id| self.time(id));
            there.0.abs_diff(t.0)
        };
        let (before, after) = (after.saturating_sub(1), after.min(last));
        let found = if distance(before) < distance(after) { before } else { after };
        match self.order {
            Order::Time => found,
            Order::File => matches.at(found).and_then(|id| self.position(id)).unwrap_or(0),
        }
    }

    /// Returns the time of a row.
    pub fn time(&self, id: EventId) -> Timestamp {
        self.index.row(id).time
    }

    /// Returns the schema's entry for a type of the index.
    pub fn event_type(&self, id: TypeId) -> Option<&EventType> {
        self.catalog.find(self.index.type_name(id))
    }

    /// Returns the type in words, or its name.
    pub fn title(&self, id: TypeId) -> &str {
        self.event_type(id).map_or_else(|| self.index.type_name(id), |known| known.title.as_str())
    }

    /// Returns the histogram, if there is one.
    pub fn histogram(&self) -> Option<&Histogram> {
        self.answer.as_deref().map(|answer| &answer.counts.histogram)
    }

    /// Returns a type's figures, without regard to the narrowing to types.
    pub fn type_tally(&self, id: TypeId) -> Tally {
        let answer = self.answer.as_deref();
        answer.and_then(|a| a.counts.types.get(id.at())).cloned().unwrap_or_default()
    }

    /// Returns an actor's figures, without regard to the narrowing to actors.
    pub fn actor_tally(&self, id: ActorId) -> Tally {
        let answer = self.answer.as_deref();
        answer.and_then(|a| a.counts.actors.get(id.at())).copied().unwrap_or_default()
    }

    /// Returns an actor's first and last time; an empty span while that is not known.
    pub fn actor_span(&self, id: ActorId) -> Span {
        let spans = self.spans.as_deref();
        spans.and_then(|spans| spans.get(id.at())).copied().unwrap_or_default()
    }

    /// Returns what is known of a row's object.
    pub fn label(&self, id: EventId) -> Option<&Label> {
        self.labels.get(&id)
    }

    /// Takes the end of a file; of several, the latest end counts.
    pub fn take_tail(&mut self, tail: Arc<Index>) {
        let end = |index: &Index| index.time_range().map(|(_, last)| last);
        if self.tail.as_deref().and_then(end) <= end(&tail) {
            self.tail = Some(tail);
        }
    }

    /// Returns the end of the log while what lies before it is still being read.
    pub fn tail(&self) -> Option<&Index> {
        self.tail.as_deref().filter(|tail| !self.index.is_final() && 0 < tail.rows())
    }

    /// Returns the times of the first and last event known so far.
    pub fn time_range(&self) -> Option<(Timestamp, Timestamp)> {
        let ranges = [self.index.time_range(), self.tail().and_then(Index::time_range)];
        let known = ranges.into_iter().flatten();
        known.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Takes a new snapshot; one with fewer rows was read anew, so that numbers of rows mean others.
    ///
    /// Returns whether it was read anew.
    pub fn take_index(&mut self, index: Arc<Index>) -> bool {
        let is_anew = index.rows() < self.index.rows();
        if is_anew {
            self.labels.clear();
            (self.answer, self.detail, self.problems) = (None, None, None);
            self.spans = None;
        }
        self.index = index;
        is_anew
    }

    /// Keeps labels that were read.
    pub fn keep_labels(&mut self, labels: Vec<(EventId, Label)>) {
        if self.labels.len() + labels.len() > LABELS_KEPT {
            self.labels.clear();
        }
        self.labels.extend(labels);
    }

    /// Returns whether counts may still grow.
    pub fn is_final(&self) -> bool {
        self.index.is_final()
    }

    /// Returns a count as text, with a mark while it may still grow.
    pub fn count(&self, n: u64, at_least: &str) -> String {
        let mark = if self.is_final() { "" } else { at_least };
        format!("{mark}{}", text::group(n))
    }
}
