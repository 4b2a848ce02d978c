//! What can be asked of background work, and what comes back. Plain data, no threads.

use std::sync::Arc;

use crate::base::id::{EventId, Generation};
use crate::base::json::JsonKind;
use crate::base::time::Timestamp;
use crate::index::Index;
use crate::query::ask::{Answer, Chip, Matches, Now, Question, Span};
use crate::schema::catalog::Catalog;

/// A place for one running piece of work; starting another there calls the first off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// What the view shows.
    Ask,
    /// The first and last times of actors.
    Spans,
    /// The count under the filter prompt.
    Preview,
    /// The search for a text.
    Search,
    /// The way to the next failure or event of the same type.
    Step,
    /// The focused event in full.
    Detail,
    /// Objects of the rows on the screen.
    Labels,
    /// The list of bad records.
    Problems,
}

impl Slot {
    /// Every slot.
    pub const ALL: [Self; 8] = [
        Self::Ask,
        Self::Spans,
        Self::Preview,
        Self::Search,
        Self::Step,
        Self::Detail,
        Self::Labels,
        Self::Problems,
    ];
}

/// Which work an update belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The place.
    pub slot: Slot,
    /// The version; only the newest of a slot counts.
    pub generation: Generation,
}

/// What every kind of work may read.
#[derive(Clone, Debug)]
pub struct Base {
    /// The snapshot asked about.
    pub index: Arc<Index>,
    /// The schema.
    pub catalog: Arc<Catalog>,
}

/// Which way to go through matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To later positions.
    Forward,
    /// To earlier positions.
    Backward,
}

/// The order of the events list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By time; what has none comes last.
    #[default]
    Time,
    /// As the files have it.
    File,
}

/// A way through matches.
#[derive(Clone, Debug)]
pub struct Walk {
    /// Through what.
    pub matches: Matches,
    /// In which order.
    pub order: Order,
    /// The position to start beside.
    pub from: usize,
    /// Which way.
    pub direction: Direction,
}

impl Walk {
    /// Returns the row at a position of the walk's order.
    pub fn at(&self, position: usize) -> Option<EventId> {
        match self.order {
            Order::Time => self.matches.at(position),
            Order::File => self.matches.at_in_file_order(position),
        }
    }

    /// Returns the positions to look at: from the start to the end, then the rest from the other
    /// end, the start itself last.
    pub fn positions(&self) -> impl Iterator<Item = usize> + use<> {
        let (len, from, direction) = (self.matches.len(), self.from, self.direction);
        (1..=len).map(move |n| match direction {
            Direction::Forward => (from + n) % len,
            Direction::Backward => (from + len - n % len) % len,
        })
    }
}

/// What a step looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quarry {
    /// An event that failed.
    Failure,
    /// An event of the same type as this one.
    TypeOf(EventId),
}

/// One piece of work.
#[derive(Clone, Debug)]
pub enum Request {
    /// Answers a question about the whole log.
    Ask {
        /// Index and schema.
        base: Base,
        /// Chips, window and bucket count.
        question: Question,
        /// What relative times refer to.
        now: Now,
    },
    /// Finds the first and last times of actors, without regard to the narrowing to actors.
    Spans {
        /// Index and schema.
        base: Base,
        /// The filter.
        chips: Vec<Chip>,
        /// What relative times refer to.
        now: Now,
    },
    /// Finds the next event whose text holds a needle.
    Search {
        /// Where to look.
        walk: Walk,
        /// What to look for, case ignored.
        needle: String,
    },
    /// Finds the next event by its columns.
    Step {
        /// Index and schema.
        base: Base,
        /// Where to look.
        walk: Walk,
        /// What to look for.
        quarry: Quarry,
        /// How many of them to go over.
        count: usize,
    },
    /// Reads one event in full.
    Detail {
        /// Index and schema.
        base: Base,
        /// Which one.
        id: EventId,
    },
    /// Reads the objects of some events.
    Labels {
        /// Index and schema.
        base: Base,
        /// Which ones.
        ids: Vec<EventId>,
    },
    /// Lists bad records with their places and text.
    Problems {
        /// Index and schema.
        base: Base,
    },
}

/// What comes back.
#[derive(Clone, Debug)]
pub enum Payload {
    /// The answer to a question.
    Answer(Arc<Answer>),
    /// First and last times by number of actor.
    Spans(Arc<Vec<Span>>),
    /// How far the search has come: events looked at, events in all.
    Searched(u64, u64),
    /// The event found, if any.
    Found(Option<EventId>),
    /// One event in full.
    Detail(Arc<Detail>),
    /// Objects by event.
    Labels(Vec<(EventId, Label)>),
    /// Bad records.
    Problems(Arc<Problems>),
}

/// How work goes.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An early part; more follows.
    Partial(Payload),
    /// The end.
    Done(Payload),
    /// It could not be done; in words.
    Failed(String),
    /// It was called off.
    Cancelled,
}

/// News from background work.
#[derive(Clone, Debug)]
pub struct Update {
    /// Whose.
    pub ticket: Ticket,
    /// What.
    pub outcome: Outcome,
}

/// What a row shows that only the record knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// What the event was done to, by name or else by id; raw text.
    pub object: String,
    /// The object's id, or its name when it has none.
    pub object_id: String,
    /// The clock as recorded, where it cannot be told from the instant.
    pub clock: Option<String>,
}

/// The heading an attribute stands under in the detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// Who did it.
    Actor,
    /// What was done.
    Action,
    /// To what.
    Object,
    /// With what result.
    Outcome,
    /// When, where and through what.
    Context,
    /// The rest of what the schema knows.
    Rest,
    /// What the schema does not know.
    Unknown,
    /// Fields of an envelope around the event.
    Wrapper,
    /// What the schema knows and the event lacks.
    Absent,
}

impl SectionKind {
    /// Returns the heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Actor => "ACTOR",
            Self::Action => "ACTION",
            Self::Object => "OBJECT",
            Self::Outcome => "OUTCOME",
            Self::Context => "CONTEXT",
            Self::Rest => "MORE",
            Self::Unknown => "NOT IN THE SCHEMA",
            Self::Wrapper => "AROUND THE EVENT",
            Self::Absent => "DOCUMENTED, NOT IN THIS EVENT",
        }
    }
}

/// One attribute of the focused event. Texts are raw, not yet made safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Path relative to the event.
    pub path: String,
    /// Last step of the path.
    pub key: String,
    /// The value as recorded, strings decoded.
    pub value: String,
    /// What the value is.
    pub kind: JsonKind,
    /// The documented type.
    pub expected: Option<&'static str>,
    /// The value made readable.
    pub decoded: Option<String>,
    /// The instant that the value tells, where the schema says that it is a time.
    pub time: Option<Timestamp>,
    /// One line on what the attribute means.
    pub doc: Option<String>,
    /// Steps below the event.
    pub depth: u16,
    /// What is odd about it, in words.
    pub marks: Vec<&'static str>,
}

/// Attributes under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub kind: SectionKind,
    /// Attributes in order, children after their parents.
    pub entries: Vec<Entry>,
}

/// The focused event in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Which event.
    pub id: EventId,
    /// Its type's name.
    pub type_name: String,
    /// Its type in words, or the name again.
    pub title: String,
    /// Status of the type and what else is to be said before the attributes.
    pub notes: Vec<String>,
    /// File and line.
    pub place: String,
    /// First byte in the file.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
    /// Attributes by heading.
    pub sections: Vec<Section>,
    /// The bytes as they stand, cut after a mebibyte.
    pub raw: Vec<u8>,
    /// Why the record is bad, if it is.
    pub problem: Option<String>,
}

/// One bad record in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemRow {
    /// Its row.
    pub id: EventId,
    /// File and line.
    pub place: String,
    /// First byte in the file.
    pub offset: u64,
    /// What is wrong.
    pub reason: String,
    /// A piece of the record around the fault.
    pub snippet: String,
    /// The column of the fault in the snippet.
    pub caret: usize,
}

/// The bad records, the first some thousands of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    /// In file order.
    pub rows: Vec<ProblemRow>,
    /// All there are.
    pub total: u64,
    /// What else is to be said about the files.
    pub notes: Vec<String>,
}
