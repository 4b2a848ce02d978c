//! A filter with its names bound to an index and a schema, ready to run.

use std::sync::Arc;

use regex::bytes::Regex;

use crate::base::time::TimeRange;
use crate::query::extract::Extractor;
use crate::query::needle::Needle;
use crate::query::value::Wanted;
use crate::record::head::Flags;

/// A condition on one record.
#[derive(Clone, Debug)]
pub enum Filter {
    /// Every record.
    All,
    /// All of them.
    And(Vec<Self>),
    /// Any of them.
    Or(Vec<Self>),
    /// Records that this does not match, bad ones among them.
    Not(Box<Self>),
    /// One test.
    Test(Test),
}

/// One test on one record. All but [`Test::Flag`] on `BAD`, [`Test::File`] and [`Test::Text`] fail
/// for bad records.
#[derive(Clone, Debug)]
pub enum Test {
    /// The type is one of these.
    Type(Set),
    /// The actor is one of these.
    Actor(Set),
    /// The outcome is one of these.
    Outcome(Set),
    /// The file is one of these; bad records too.
    File(Set),
    /// The time lies in the range.
    Time(TimeRange),
    /// The time of day lies in the range: nanoseconds since midnight UTC, end excluded.
    Clock(i64, i64),
    /// The hour is one of these bits, 0 to 23.
    Hours(u32),
    /// The day is one of these bits, Monday is 0.
    Weekdays(u8),
    /// All these flags are set; bad records only for `BAD` itself.
    Flag(Flags),
    /// The text of the record; bad records too.
    Text(TextTest),
    /// An attribute.
    Attribute(AttributeTest),
    /// An attribute outside the schema; types outside it are told by [`Test::Type`].
    Unknown(Arc<[KnownNames]>),
}

/// Numbers of a table of names, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    bits: Vec<u64>,
    members: Vec<u32>,
}

impl Set {
    /// Returns the set of some numbers.
    pub fn new(members: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::default();
        for member in members {
            if !set.has(member) {
                let word = member as usize / 64;
                if set.bits.len() <= word {
                    set.bits.resize(word + 1, 0);
                }
                set.bits[word] |= 1 << (member % 64);
                set.members.push(member);
            }
        }
        set.members.sort_unstable();
        set
    }

    /// Returns whether a number is in the set.
    #[inline]
    pub fn has(&self, member: u32) -> bool {
        self.bits.get(member as usize / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
    }

    /// Returns the numbers in the set, in order.
    pub fn members(&self) -> &[u32] {
        &self.members
    }
}

/// Text anywhere in a record: as it is recorded, or in a key or value after decoding.
#[derive(Clone, Debug)]
pub enum TextTest {
    /// A piece of text.
    Piece(Needle),
    /// A regular expression.
    Regex(TextRegex),
}

/// A regular expression for the text of a record.
#[derive(Clone, Debug)]
pub struct TextRegex {
    /// The expression.
    pub regex: Regex,
    /// Whether a match can depend on where the text begins or ends.
    pub looks: Looks,
}

/// Whether a regular expression looks at what is around a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Only at the match itself.
    Inside,
    /// Also around it (`^`, `$`, `\b`).
    Around,
}

impl TextTest {
    /// Returns whether the text is in `bytes`.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Piece(needle) => needle.find(bytes).is_some(),
            Self::Regex(text) => text.regex.is_match(bytes),
        }
    }
}

/// A test of an attribute.
#[derive(Clone, Debug)]
pub struct AttributeTest {
    /// Which attributes are meant; any of them will do.
    pub names: Names,
    /// What is asked of them.
    pub rule: Rule,
}

/// Names of attributes; they are compared without regard to ASCII case.
#[derive(Clone, Debug)]
pub enum Names {
    /// The same for every event.
    Same(Arc<[Extractor]>),
    /// By the number of the event type; types beyond the end have none.
    ByType(Arc<[Arc<[Extractor]>]>),
}

impl Names {
    /// Returns the names for an event of the type with this number.
    pub fn of_type(&self, event_type: u16) -> &[Extractor] {
        match self {
            Self::Same(names) => names,
            Self::ByType(types) => types.get(event_type as usize).map_or(&[], |names| names),
        }
    }
}

/// What is asked of an attribute.
#[derive(Clone, Debug)]
pub enum Rule {
    /// There is a value other than null.
    Has,
    /// The attribute is not there.
    Missing,
    /// A null is there.
    Null,
    /// A value is one of these.
    AnyOf(Arc<[Wanted]>),
    /// There is a value other than null, and none is one of these.
    NoneOf(Arc<[Wanted]>),
}

/// The attribute names that the schema knows for one type, in lower case and sorted.
///
/// `None` for a type it does not know: there, every attribute is unknown.
pub type KnownNames = Option<Arc<[String]>>;

impl Filter {
    /// Returns both filters as one, without needless nesting.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, one) | (one, Self::All) => one,
            (Self::And(mut parts), Self::And(more)) => {
                parts.extend(more);
                Self::And(parts)
            }
            (Self::And(mut parts), one) => {
                parts.push(one);
                Self::And(parts)
            }
            (a, b) => Self::And(vec![a, b]),
        }
    }

    /// Returns whether the index's columns alone decide.
    pub fn is_columns_only(&self) -> bool {
        match self {
            Self::All => true,
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_columns_only),
            Self::Not(part) => part.is_columns_only(),
            Self::Test(test) => test.cost() < Cost::Text,
        }
    }
}

/// How dear a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// A column of the index.
    Column,
    /// The bytes of the record.
    Text,
    /// Some values of the record.
    Values,
    /// The whole record, read value by value.
    Record,
}

impl Test {
    /// Returns how dear the test is.
    pub const fn cost(&self) -> Cost {
        match self {
            Self::Type(_)
            | Self::Actor(_)
            | Self::Outcome(_)
            | Self::File(_)
            | Self::Time(_)
            | Self::Clock(..)
            | Self::Hours(_)
            | Self::Weekdays(_)
            | Self::Flag(_) => Cost::Column,
            Self::Text(_) => Cost::Text,
            Self::Attribute(_) => Cost::Values,
            Self::Unknown(_) => Cost::Record,
        }
    }
}

impl Filter {
    /// Returns the cost of the dearest test.
    pub fn cost(&self) -> Cost {
        match self {
            Self::All => Cost::Column,
            Self::And(parts) | Self::Or(parts) => {
                parts.iter().map(Self::cost).max().unwrap_or(Cost::Column)
            }
            Self::Not(part) => part.cost(),
            Self::Test(test) => test.cost(),
        }
    }
}
