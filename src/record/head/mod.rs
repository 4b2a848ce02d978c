//! The head of an event: what the index keeps of it.

use std::ops::{BitOr, BitOrAssign};

use simd_json::{Buffers, Node, StaticNode, Tape, fill_tape_padded};

use crate::base::json::JsonKind;
use crate::base::time::Timestamp;
use crate::record::fields::{self, Digits, Fields, Value};
use crate::record::flat::{FlatRecord, Place};
use crate::record::flaw::{Flaw, Why};
use crate::record::keys::{KeyTable, Seen};
use crate::record::quick::{Kind, Quick};

/// Facts about a record, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    /// The record could not be read.
    pub const BAD: Self = Self(1);
    /// The event tells of a failure: `eventOutcome` other than success and null, `isError` or
    /// `isFailure` true, or a word of failure in `status` or `eventState`.
    pub const FAILED: Self = Self(1 << 1);
    /// A member of the event is named twice; the last one counts.
    pub const DUPLICATE_KEY: Self = Self(1 << 2);
    /// A value holds what is no Unicode text: invalid UTF-8 or a lone surrogate.
    pub const INVALID_UTF8: Self = Self(1 << 3);
    /// The time has no zone and was taken as UTC.
    pub const NO_ZONE: Self = Self(1 << 4);
    /// The time is an epoch number.
    pub const EPOCH_TIME: Self = Self(1 << 5);
    /// The time is a leap second.
    pub const LEAP_SECOND: Self = Self(1 << 6);
    /// There is no usable time.
    pub const NO_TIME: Self = Self(1 << 7);
    /// The type was taken from the path or the envelope, not from the body.
    pub const TYPE_FROM_PATH: Self = Self(1 << 8);
    /// Body and path (or envelope) name different types.
    pub const TYPE_DISAGREES: Self = Self(1 << 9);
    /// The event stood in an envelope.
    pub const WRAPPED: Self = Self(1 << 10);
    /// Text stood before the event on its line.
    pub const PREFIXED: Self = Self(1 << 11);
    /// Somebody acted as somebody else.
    pub const IMPERSONATED: Self = Self(1 << 12);
    /// Something was let pass that JSON forbids, such as a raw control character.
    pub const LENIENT: Self = Self(1 << 13);
    /// The time lies outside 1677 to 2262.
    pub const FAR_OFF: Self = Self(1 << 14);
    /// The record spans several lines.
    pub const MULTILINE: Self = Self(1 << 15);

    /// Returns the name of the lowest bit that is set, as scripts read it.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 17] = [
            "bad",
            "failed",
            "duplicate_key",
            "invalid_utf8",
            "no_zone",
            "epoch_time",
            "leap_second",
            "no_time",
            "type_from_path",
            "type_disagrees",
            "wrapped",
            "prefixed",
            "impersonated",
            "lenient",
            "far_off",
            "multiline",
            "none",
        ];
        NAMES[self.0.trailing_zeros() as usize]
    }

    /// Returns whether all bits of `other` are set here.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// `eventOutcome` as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// No such member.
    Missing,
    /// `null`.
    Null,
    /// A word.
    Text(&'a str),
}

/// What the index keeps of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    /// The body's `eventType`, trimmed; `None` when missing or empty.
    pub event_type: Option<&'a str>,
    /// The type the envelope around the event names.
    pub envelope_type: Option<&'a str>,
    /// The event's time, or [`Timestamp::NONE`].
    pub time: Timestamp,
    /// Who did it, as recorded. The first of: actorUserLuid, actorUserId, initiatingUserLuid,
    /// initiatingUserId, initiatingUserEmail, initiatingUserDisplayName, actorExternalId,
    /// actorUsername, username, actorGroupLuid, and userId in sign-in types.
    pub actor: Option<&'a str>,
    /// How it went.
    pub outcome: Outcome<'a>,
    /// What else is known.
    pub flags: Flags,
}

/// What a record turned out to be.
#[derive(Debug)]
pub(crate) enum Careful {
    /// One event, or nothing of use.
    Record(FlatRecord),
    /// An object around an array of events: their spans.
    Many(Vec<std::ops::Range<usize>>),
}

/// Reads heads; holds the buffers that are used again for each record.
pub struct HeadReader {
    buffers: Buffers,
    tape: Tape<'static>,
    line: Vec<u8>,
    keys: KeyTable,
    quick: Quick,
}

impl Default for HeadReader {
    fn default() -> Self {
        Self {
            buffers: Buffers::new(4096),
            tape: Tape(Vec::with_capacity(256)),
            line: Vec::with_capacity(4096),
            keys: KeyTable::new(),
            quick: Quick::default(),
        }
    }
}

impl HeadReader {
    /// Reads the head of one whole record and hands it to `take`.
    ///
    /// # Errors
    /// Returns the flaw when the record is no event; an array of events under a known name counts
    /// as a flaw here, only framing knows what to do with it.
    pub fn read<R>(&mut self, record: &[u8], take: impl FnOnce(&Head<'_>) -> R) -> Result<R, Flaw> {
        let mut take = Some(take);
        let mut once = |head: &Head<'_>| take.take().map(|take| take(head));
        let mut taken = None;
        self.read_quick(record, 0, |span, head| {
            if span.end == record.len() {
                taken = once(head);
            }
        });
        if let Some(taken) = taken {
            return Ok(taken);
        }
        if let Some(Some(taken)) = self.read_certain(record, &mut once) {
            return Ok(taken);
        }
        let record = match read_careful(record)? {
            Careful::Record(record) => record,
            Careful::Many(_) => return Err(Flaw::new(0, Why::NoEvent)),
        };
        let taken = with_careful_head(&record, Flags::default(), &mut once)?;
        taken.ok_or_else(|| Flaw::new(0, Why::NoEvent))
    }

    /// Reads the record that starts at byte `at` and ends on its line, if nothing about it is odd;
    /// returns the byte after it.
    #[inline]
    pub(crate) fn read_quick(
        &mut self,
        bytes: &[u8],
        at: usize,
        take: impl FnOnce(std::ops::Range<usize>, &Head<'_>),
    ) -> Option<usize> {
        let quick = &mut self.quick;
        let end = quick.scan(bytes, at)?;
        let text = simdutf8::basic::from_utf8(&bytes[at..end]).ok()?;
        let fields = Fields::of(|slot| {
            let (kind, span) = quick.get(slot)?;
            let text = text.get(span.start - at..span.end - at)?;
            Some(match kind {
                Kind::Text => Value::Text(text),
                Kind::Number => Value::Number(text),
                Kind::True => Value::Bool(true),
                Kind::False => Value::Bool(false),
                Kind::Null => Value::Null,
                Kind::Nested => Value::Nested,
            })
        });
        if !fields.is_certain() {
            return None;
        }
        take(at..end, &fields.head(Flags::default(), &mut Digits::default()));
        Some(end)
    }

    /// Reads a record that is plain in all respects; `None` means that a careful look is needed.
    #[inline]
    pub(crate) fn read_certain<R>(
        &mut self,
        record: &[u8],
        take: &mut impl FnMut(&Head<'_>) -> R,
    ) -> Option<R> {
        self.line.clear();
        self.line.extend_from_slice(record);
        self.line.resize(record.len() + simd_json::INPUT_PADDING, b' ');
        let mut tape = std::mem::replace(&mut self.tape, Tape(Vec::new())).reset();
        let read = fill_tape_padded(&mut self.line, record.len(), &mut self.buffers, &mut tape);
        let taken = match read {
            Ok(()) => certain_fields(&tape.0, &mut self.keys)
                .map(|(fields, flags)| take(&fields.head(flags, &mut Digits::default()))),
            Err(_) => None,
        };
        self.tape = tape.reset();
        taken
    }
}

/// Gathers the fields of a parsed record, unless something about it wants a careful look.
fn certain_fields<'a>(tape: &[Node<'a>], keys: &mut KeyTable) -> Option<(Fields<'a>, Flags)> {
    let Some(Node::Object { len, .. }) = tape.first() else { return None };
    let mut fields = Fields::new();
    let mut flags = Flags::default();
    let mut at = 1;
    keys.start();
    for _ in 0..*len {
        let Some(Node::String(key)) = tape.get(at) else { return None };
        let seen =
            keys.add(key.as_bytes(), u16::try_from(at).ok()?, |n| match tape.get(usize::from(n)) {
                Some(Node::String(name)) => name.as_bytes(),
                _ => b"",
            });
        match seen {
            Seen::New => {}
            Seen::Twice => flags |= Flags::DUPLICATE_KEY,
            Seen::Full => return None,
        }
        let value = match tape.get(at + 1)? {
            Node::String(text) => Value::Text(text),
            Node::Static(StaticNode::Null) => Value::Null,
            Node::Static(StaticNode::Bool(truth)) => Value::Bool(*truth),
            // Zero may have been recorded as -0.
            Node::Static(StaticNode::I64(0)) if is_wanted_id(key) => return None,
            Node::Static(StaticNode::I64(_) | StaticNode::U64(_)) if *key == "eventOutcome" => {
                return None;
            }
            Node::Static(StaticNode::I64(number)) => Value::Integer(*number),
            Node::Static(StaticNode::U64(number)) => Value::Integer(i64::try_from(*number).ok()?),
            Node::Static(_) if is_wanted_id(key) => return None,
            Node::Static(_) => Value::Nested,
            Node::Object { count, .. } | Node::Array { count, .. } => {
                at += count;
                Value::Nested
            }
        };
        at += 2;
        fields.set(key, value);
    }
    fields.is_certain().then_some((fields, flags))
}

/// Members whose recorded digits matter: a fraction or `-0` needs a careful look.
fn is_wanted_id(key: &str) -> bool {
    key == "eventOutcome" || fields::names_a_person(key)
}

/// Reads a record value by value.
pub(crate) fn read_careful(record: &[u8]) -> Result<Careful, Flaw> {
    let flat = FlatRecord::read(record);
    if let Some(flaw) = flat.problem() {
        return Err(flaw.clone());
    }
    match flat.kind() {
        Some(JsonKind::Object) => {}
        kind => return Err(Flaw::new(0, Why::NotAnObject(kind.unwrap_or(JsonKind::Null)))),
    }
    match crate::record::wrapper::elements(&flat) {
        Some(spans) => Ok(Careful::Many(spans)),
        None => Ok(Careful::Record(flat)),
    }
}

/// Hands the head of a carefully read record to `take`.
pub(crate) fn with_careful_head<R>(
    record: &FlatRecord,
    mut flags: Flags,
    take: &mut impl FnMut(&Head<'_>) -> R,
) -> Result<R, Flaw> {
    let mut fields = Fields::new();
    for row in record.rows() {
        if row.is_lossy() {
            flags |= Flags::INVALID_UTF8;
        }
        if row.place() == Place::Wrapper {
            flags |= Flags::WRAPPED;
        } else if row.depth() == 0 {
            fields.set(row.key(), value_of(row.kind(), row.text()));
        }
        if row.depth() == 0 && row.is_duplicate() {
            flags |= Flags::DUPLICATE_KEY;
        }
    }
    if record.is_lenient() {
        flags |= Flags::LENIENT;
    }
    if let Some(row) = record.get_wrapper("metadata.eventType")
        && !row.text().trim().is_empty()
        && row.kind() == JsonKind::String
    {
        fields.set_envelope_type(row.text());
    }
    if !fields.is_event() {
        return Err(Flaw::new(0, Why::NoEvent));
    }
    Ok(take(&fields.head(flags, &mut Digits::default())))
}

fn value_of(kind: JsonKind, text: &str) -> Value<'_> {
    match kind {
        JsonKind::Null => Value::Null,
        JsonKind::Bool => Value::Bool(text == "true"),
        JsonKind::Integer | JsonKind::Float => Value::Number(text),
        JsonKind::String => Value::Text(text),
        JsonKind::Array | JsonKind::Object => Value::Nested,
    }
}

#[cfg(test)]
mod tests;
