//! What the index needs of an event, gathered value by value in whatever order they come.

use crate::base::time::{TimeForm, Timestamp, parse_recorded};
use crate::record::head::{Flags, Head, Outcome};
use crate::record::quick::slot_of;

/// A value of a top-level member.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Text(&'a str),
    /// As recorded.
    Number(&'a str),
    /// A number whose digits are as good as recorded.
    Integer(i64),
    Nested,
}

/// Words in `status` and `eventState` that tell of a failure, compared without case.
const FAILURE_WORDS: [&str; 16] = [
    "failure",
    "failed",
    "fail",
    "error",
    "errored",
    "denied",
    "rejected",
    "unauthorized",
    "forbidden",
    "invalid",
    "timeout",
    "timed_out",
    "timedout",
    "aborted",
    "client_error",
    "internal_error",
];

/// Attributes that name the actor, the first that is there counts.
///
/// `userId` comes last and only for sign-in types: elsewhere it names whom the event is about.
const ACTORS: usize = 10;

/// The members of an event that the index looks at.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    event_type: Option<Value<'a>>,
    envelope_type: Option<&'a str>,
    time: Option<Value<'a>>,
    actors: [Option<Value<'a>>; ACTORS],
    user_id: Option<Value<'a>>,
    outcome: Outcome<'a>,
    is_error: bool,
    is_failure: bool,
    status: Option<&'a str>,
    state: Option<&'a str>,
    impersonated: bool,
}

/// Room for the digits of an actor that is a number.
pub(crate) type Digits = [u8; 24];

impl<'a> Fields<'a> {
    pub(crate) const fn new() -> Self {
        Self {
            event_type: None,
            envelope_type: None,
            time: None,
            actors: [None; ACTORS],
            user_id: None,
            outcome: Outcome::Missing,
            is_error: false,
            is_failure: false,
            status: None,
            state: None,
            impersonated: false,
        }
    }

    /// Takes the members of an event, each by its place in
    /// [`WANTED`](crate::record::quick::WANTED).
    #[inline]
    pub(crate) fn of(member: impl Fn(usize) -> Option<Value<'a>>) -> Self {
        Self {
            event_type: member(0),
            envelope_type: None,
            time: member(1),
            outcome: member(2).map_or(Outcome::Missing, outcome_of),
            is_error: member(3).is_some_and(is_true),
            is_failure: member(4).is_some_and(is_true),
            status: member(5).and_then(text_of),
            state: member(6).and_then(text_of),
            actors: std::array::from_fn(|n| member(7 + n)),
            user_id: member(17),
            impersonated: member(18).is_some_and(names_somebody),
        }
    }

    /// Takes the type that the envelope names.
    pub(crate) const fn set_envelope_type(&mut self, name: &'a str) {
        self.envelope_type = Some(name);
    }

    /// Takes a member; a later one of the same name replaces it.
    pub(crate) fn set(&mut self, key: &str, value: Value<'a>) {
        let Some(slot) = slot_of(key.as_bytes()) else { return };
        match slot {
            0 => self.event_type = Some(value),
            1 => self.time = Some(value),
            2 => self.outcome = outcome_of(value),
            3 => self.is_error = is_true(value),
            4 => self.is_failure = is_true(value),
            5 => self.status = text_of(value),
            6 => self.state = text_of(value),
            17 => self.user_id = Some(value),
            18 => self.impersonated = names_somebody(value),
            // The actors stand in the order in which they count.
            slot => {
                if let Some(actor) = self.actors.get_mut(slot.wrapping_sub(7)) {
                    *actor = Some(value);
                }
            }
        }
    }

    /// Returns whether anything here makes the record an event.
    pub(crate) fn is_event(&self) -> bool {
        self.type_text().is_some()
            || self.envelope_type.is_some()
            || self.time.is_some_and(|time| !matches!(time, Value::Null))
    }

    /// Returns whether the quick reader can tell all it needs; else the careful one must.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self.event_type, Some(Value::Text(_)))
            && matches!(self.time, Some(Value::Text(_)))
            && self.type_text().is_some()
    }

    /// Returns the head; `flags` are those found while reading.
    pub(crate) fn head<'s>(&self, mut flags: Flags, digits: &'s mut Digits) -> Head<'s>
    where
        'a: 's,
    {
        let (time, form) = self.read_time();
        flags |= time_flags(time, form);
        if self.has_failed() {
            flags |= Flags::FAILED;
        }
        if self.impersonated || self.acts_for_another() {
            flags |= Flags::IMPERSONATED;
        }
        let actor = self.choose_actor().and_then(|value| match value {
            Value::Text(text) | Value::Number(text) => trimmed(text),
            Value::Integer(number) => Some(write_digits(number, digits)),
            Value::Null | Value::Bool(_) | Value::Nested => None,
        });
        Head {
            event_type: self.type_text(),
            envelope_type: self.envelope_type.and_then(trimmed),
            time,
            actor,
            outcome: self.outcome,
            flags,
        }
    }

    fn type_text(&self) -> Option<&'a str> {
        match self.event_type {
            Some(Value::Text(text) | Value::Number(text)) => trimmed(text),
            _ => None,
        }
    }

    fn read_time(&self) -> (Timestamp, Option<TimeForm>) {
        let found = match self.time {
            Some(Value::Text(text) | Value::Number(text)) => parse_recorded(text.as_bytes()),
            _ => None,
        };
        found.map_or((Timestamp::NONE, None), |(time, form)| (time, Some(form)))
    }

    fn has_failed(&self) -> bool {
        let outcome = match self.outcome {
            Outcome::Missing | Outcome::Null => false,
            Outcome::Text(text) => {
                !text.trim().is_empty() && !text.trim().eq_ignore_ascii_case("success")
            }
        };
        let says_so = |word: Option<&str>| word.is_some_and(is_failure_word);
        outcome || self.is_error || self.is_failure || says_so(self.status) || says_so(self.state)
    }

    fn acts_for_another(&self) -> bool {
        let differ = |a: Option<Value<'_>>, b: Option<Value<'_>>| match (a, b) {
            (Some(Value::Text(a)), Some(Value::Text(b))) => {
                !a.is_empty() && !b.is_empty() && !a.eq_ignore_ascii_case(b)
            }
            (Some(Value::Integer(a)), Some(Value::Integer(b))) => a != b,
            (Some(Value::Number(a)), Some(Value::Number(b))) => a != b,
            _ => false,
        };
        let luids = matches!(self.actors[0], Some(Value::Text(_)))
            && matches!(self.actors[2], Some(Value::Text(_)));
        if luids {
            differ(self.actors[0], self.actors[2])
        } else {
            differ(self.actors[1], self.actors[3])
        }
    }

    fn choose_actor(&self) -> Option<Value<'a>> {
        let named = self.actors.iter().flatten().copied().find(|value| names_somebody(*value));
        named.or_else(|| {
            let signs_in = self.type_text().is_some_and(|name| name.contains("login"));
            self.user_id.filter(|value| signs_in && names_somebody(*value))
        })
    }
}

fn write_digits(number: i64, digits: &mut Digits) -> &str {
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    std::str::from_utf8(&digits[at..]).unwrap_or_default()
}

fn trimmed(text: &str) -> Option<&str> {
    // Nearly all text begins and ends with a visible ASCII character.
    if let [b'!'..=b'~', .., b'!'..=b'~'] = text.as_bytes() {
        return Some(text);
    }
    let text = text.trim();
    (!text.is_empty()).then_some(text)
}

fn names_somebody(value: Value<'_>) -> bool {
    match value {
        Value::Text(text) => trimmed(text).is_some(),
        Value::Number(_) | Value::Integer(_) => true,
        Value::Null | Value::Bool(_) | Value::Nested => false,
    }
}

fn outcome_of(value: Value<'_>) -> Outcome<'_> {
    match value {
        Value::Null => Outcome::Null,
        Value::Text(text) | Value::Number(text) => Outcome::Text(text),
        Value::Bool(true) => Outcome::Text("true"),
        Value::Bool(false) => Outcome::Text("false"),
        Value::Integer(_) | Value::Nested => Outcome::Text("(not a word)"),
    }
}

const fn is_true(value: Value<'_>) -> bool {
    match value {
        Value::Bool(truth) => truth,
        Value::Text(text) => text.trim_ascii().eq_ignore_ascii_case("true"),
        _ => false,
    }
}

const fn text_of(value: Value<'_>) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns whether [`Fields::set`] takes a person from this member.
pub(crate) fn names_a_person(key: &str) -> bool {
    matches!(
        key,
        "actorUserLuid"
            | "actorUserId"
            | "initiatingUserLuid"
            | "initiatingUserId"
            | "initiatingUserEmail"
            | "initiatingUserDisplayName"
            | "actorExternalId"
            | "actorUsername"
            | "username"
            | "actorGroupLuid"
            | "userId"
            | "impersonatedUserId"
    )
}

/// Returns whether a word in `status` or `eventState` tells of a failure.
pub(crate) fn is_failure_word(word: &str) -> bool {
    let word = word.trim();
    FAILURE_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn time_flags(time: Timestamp, form: Option<TimeForm>) -> Flags {
    match form {
        None => Flags::NO_TIME,
        Some(TimeForm::Plain) => Flags::default(),
        Some(TimeForm::NoZone) => Flags::NO_ZONE,
        Some(TimeForm::Epoch) => Flags::EPOCH_TIME,
        Some(TimeForm::LeapSecond) => Flags::LEAP_SECOND,
        Some(TimeForm::FarOff) if time.is_some() => Flags::FAR_OFF,
        Some(TimeForm::FarOff) => Flags::NO_TIME,
    }
}
