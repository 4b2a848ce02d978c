//! From framed records to the columns of one segment.

use std::ops::Range;

use crate::base::id::{ActorId, EventId, OutcomeId, TypeId};
use crate::base::intern::{Interner, NameList};
use crate::base::time::Timestamp;
use crate::index::column::Columns;
use crate::index::names::{KnownTypes, Names, choose_type};
use crate::index::segment::{BadRecord, Segment, SegmentStats};
use crate::record::flaw::{Flaw, Why};
use crate::record::frame::Sink;
use crate::record::head::{Flags, Head, Outcome};

/// A segment whose numbers are its own: [`Draft::join`] makes them those of the index.
pub(crate) struct Draft {
    base: usize,
    columns: Columns,
    bad: Vec<BadRecord>,
    /// The names that the columns speak of, in the order of their numbers.
    types: NameList,
    actors: NameList,
    outcomes: NameList,
    torn: Option<Torn>,
}

/// The last record of a file that ends before it is complete: a status, not a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    /// Where it starts in the file.
    pub offset: u64,
    /// Its bytes so far.
    pub len: u64,
    /// What is missing.
    pub flaw: Flaw,
}

/// Takes the records of one piece after another and fills columns. Its buffers are used again.
pub(crate) struct SegmentBuilder<'a> {
    known: &'a KnownTypes,
    hint: Option<Box<str>>,
    base: usize,
    columns: Columns,
    bad: Vec<BadRecord>,
    torn: Option<Torn>,
    names: Names,
    /// Types as bodies write them, and what each of them comes to.
    bodies: Interner,
    chosen: Vec<(TypeId, Flags)>,
    folded: String,
}

impl<'a> SegmentBuilder<'a> {
    pub(crate) fn new(known: &'a KnownTypes) -> Self {
        Self {
            known,
            hint: None,
            base: 0,
            columns: Columns::default(),
            bad: Vec::new(),
            torn: None,
            names: Names::default(),
            bodies: Interner::default(),
            chosen: Vec::new(),
            folded: String::new(),
        }
    }

    /// Begins a piece: offsets count from `base`, and the path says `hint` about the type.
    pub(crate) fn start(&mut self, base: usize, hint: Option<&str>) {
        self.base = base;
        self.hint = hint.map(Into::into);
        self.columns.clear();
        self.bad.clear();
        self.torn = None;
        self.names.clear();
        self.bodies.clear();
        self.chosen.clear();
    }

    /// Returns what the piece came to.
    pub(crate) fn finish(&mut self) -> Draft {
        Draft {
            base: self.base,
            columns: self.columns.clone(),
            bad: std::mem::take(&mut self.bad),
            types: self.names.types.list(),
            actors: self.names.actors.list(),
            outcomes: self.names.outcomes.list(),
            torn: self.torn.take(),
        }
    }

    fn push(&mut self, span: &Range<usize>, row: Row) {
        let columns = &mut self.columns;
        columns.time.push(row.time.0);
        columns.event_type.push(row.event_type.0);
        columns.actor.push(row.actor.0);
        columns.outcome.push(row.outcome.0);
        columns.flags.push(row.flags.0);
        columns.offset.push(u32::try_from(span.start - self.base).unwrap_or(u32::MAX));
        columns.len.push(u32::try_from(span.len()).unwrap_or(u32::MAX));
    }

    #[inline]
    fn type_of(&mut self, head: &Head<'_>) -> (TypeId, Flags) {
        match (head.event_type, head.envelope_type) {
            (Some(body), None) => {
                if let Some(known) = self.bodies.find(body) {
                    return self.chosen[known];
                }
                let (name, flags) = choose_type(self.known, Some(body), self.hint.as_deref());
                let id = self.names.event_type(name.unwrap_or(body));
                if self.bodies.intern(body).is_some() {
                    self.chosen.push((id, flags));
                }
                (id, flags)
            }
            (body, envelope) => {
                let (name, flags) =
                    choose_type(self.known, body, envelope.or(self.hint.as_deref()));
                let id = name.map_or(TypeId::UNKNOWN, |name| self.names.event_type(name));
                (id, flags)
            }
        }
    }

    #[inline]
    fn actor_of(&mut self, name: &str) -> ActorId {
        // All bytes are looked at, which is faster than to stop at the first.
        if name.bytes().fold(false, |found, b| found | b.is_ascii_uppercase()) {
            self.folded.clear();
            self.folded.push_str(name);
            self.folded.make_ascii_lowercase();
            self.names.actor(&self.folded)
        } else {
            self.names.actor(name)
        }
    }
}

struct Row {
    time: Timestamp,
    event_type: TypeId,
    actor: ActorId,
    outcome: OutcomeId,
    flags: Flags,
}

impl Sink for SegmentBuilder<'_> {
    fn event(&mut self, span: Range<usize>, head: &Head<'_>) {
        let (event_type, type_flags) = self.type_of(head);
        let row = Row {
            time: head.time,
            event_type,
            actor: head.actor.map_or(ActorId::NONE, |name| self.actor_of(name)),
            outcome: match head.outcome {
                Outcome::Missing => OutcomeId::MISSING,
                Outcome::Null => OutcomeId::NULL,
                Outcome::Text(text) => self.names.outcome(text),
            },
            flags: head.flags | type_flags,
        };
        self.push(&span, row);
    }

    fn bad(&mut self, span: Range<usize>, flaw: Flaw) {
        if flaw.why == Why::IncompleteLastLine {
            let (offset, len) = (span.start as u64, span.len() as u64);
            self.torn = Some(Torn { offset, len, flaw });
            return;
        }
        let id = EventId(u32::try_from(self.columns.rows()).unwrap_or(u32::MAX));
        self.bad.push(BadRecord { id, flaw });
        let row = Row {
            time: Timestamp::NONE,
            event_type: TypeId::BAD,
            actor: ActorId::NONE,
            outcome: OutcomeId::MISSING,
            flags: Flags::BAD,
        };
        self.push(&span, row);
    }
}

impl Draft {
    /// Returns the segment with numbers of `names`, new names added in order of appearance.
    pub(crate) fn join(mut self, names: &mut Names, first: EventId) -> (Segment, Option<Torn>) {
        let types: Vec<u16> = self.types.iter().map(|n| names.event_type(n).0).collect();
        let actors: Vec<u32> = self.actors.iter().map(|n| names.actor(n).0).collect();
        let outcomes: Vec<u8> = self.outcomes.iter().map(|n| names.outcome(n).0).collect();
        let columns = &mut self.columns;
        columns.event_type.iter_mut().for_each(|id| *id = types[usize::from(*id)]);
        columns.actor.iter_mut().for_each(|id| *id = actors[*id as usize]);
        columns.outcome.iter_mut().for_each(|id| *id = outcomes[usize::from(*id)]);
        self.bad.iter_mut().for_each(|bad| bad.id = EventId(bad.id.0.saturating_add(first.0)));
        let segment = Segment {
            stats: SegmentStats::of(&self.columns),
            columns: self.columns,
            base: self.base as u64,
            first,
            bad: self.bad,
            ..Segment::default()
        };
        (segment, self.torn)
    }

    pub(crate) const fn rows(&self) -> usize {
        self.columns.rows()
    }
}
