//! The nouns of the schema: event types, attributes, their values and how they hang together.

use std::sync::Arc;

use serde::Deserialize;

use super::raw::Named;

/// A category's place in [`Catalog::categories`](super::catalog::Catalog::categories).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CategoryId(pub u8);

impl CategoryId {
    /// The category of types that the schema does not know.
    pub const OTHER: Self = Self(u8::MAX);
}

/// A group of event types that belong together for the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// Its place in display order.
    pub id: CategoryId,
    /// The short name used in files and filters: `sign-in`.
    pub name: String,
    /// The name for people: `Sign-in & tokens`.
    pub title: String,
}

/// What an event of a type does, in one letter for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Effect {
    /// Content or data was looked at or taken out.
    #[serde(rename = "R")]
    Read,
    /// Something was made or changed.
    #[serde(rename = "W")]
    Write,
    /// Something was deleted.
    #[serde(rename = "D")]
    Delete,
    /// Permissions, people, ownership or settings changed.
    #[serde(rename = "A")]
    Admin,
    /// Somebody signed in or out, or a token was used.
    #[serde(rename = "S")]
    SignIn,
    /// Work done in the background.
    #[serde(rename = "J")]
    Job,
}

impl Effect {
    /// Returns the letter that lists show.
    pub const fn letter(self) -> char {
        match self {
            Self::Read => 'R',
            Self::Write => 'W',
            Self::Delete => 'D',
            Self::Admin => 'A',
            Self::SignIn => 'S',
            Self::Job => 'J',
        }
    }

    /// Returns what the letter stands for.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Admin => "permission and administration",
            Self::SignIn => "sign-in",
            Self::Job => "job",
        }
    }
}

/// What is to be known about a type besides its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Replaced: since when (`2024-10`), and by which type.
    Deprecated {
        /// Year and month.
        since: String,
        /// The type to use instead.
        use_instead: String,
    },
    /// No longer logged since a month (`2024-02`).
    Retired {
        /// Year and month.
        since: String,
    },
    /// From the older historical events.
    Legacy,
    /// The API delivers only part of the data.
    ApiPartial,
    /// Not in the reference pages.
    Outside,
}

impl Status {
    /// Returns the short name that files and `--json` use.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Deprecated { .. } => "deprecated",
            Self::Retired { .. } => "retired",
            Self::Legacy => "legacy",
            Self::ApiPartial => "api_partial",
            Self::Outside => "outside",
        }
    }
}

/// The kind of value that an attribute has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// A whole number.
    Integer,
    /// A whole number that may be large.
    Long,
    /// A number with a fraction.
    Float,
    /// A text.
    String,
    /// True or false.
    Boolean,
}

impl ValueKind {
    /// Returns the kind's name as the reference says it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Long => "long",
            Self::Float => "float",
            Self::String => "string",
            Self::Boolean => "boolean",
        }
    }
}

/// The unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub enum Unit {
    /// Bytes.
    #[serde(rename = "bytes")]
    Bytes,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Minutes.
    #[serde(rename = "min")]
    Minutes,
    /// Hundredths.
    #[serde(rename = "percent")]
    Percent,
}

impl Unit {
    /// Returns the unit's short name as files and `--json` use it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Minutes => "min",
            Self::Percent => "percent",
        }
    }

    /// Returns the unit in words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Milliseconds => "milliseconds",
            Self::Seconds => "seconds",
            Self::Minutes => "minutes",
            Self::Percent => "percent",
        }
    }
}

/// What the bits of a number stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mask {
    /// Bit 0 is Sunday, bit 6 Saturday.
    DaysOfWeek,
    /// Bit 0 is the 1st of the month, bit 30 the 31st.
    DaysOfMonth,
}

/// How a text is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A point in time.
    Time,
    /// JSON inside the text.
    Json,
}

/// One of the values that an attribute can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeValue {
    /// The value as recorded: `11`, `success`.
    pub code: String,
    /// What it stands for: `SiteAdministratorCreator`. Equals `code` where that is a word already.
    pub word: String,
    /// What that means.
    pub text: String,
}

/// A named member of an event, with one meaning.
///
/// The same name can have several meanings: `name` is the workbook's in one type and the user's in
/// another. Types that share a meaning share one `Attribute`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name in the log.
    pub name: String,
    /// The name of this meaning in the asset: the name, or `name@workbook`.
    pub key: String,
    /// The documented kind of value.
    pub kind: ValueKind,
    /// One line on what it means.
    pub summary: String,
    /// What else is to be known; may be empty.
    pub notes: String,
    /// The values it can have, if they are listed.
    pub values: Vec<CodeValue>,
    /// What its bits stand for.
    pub mask: Option<Mask>,
    /// The unit of the number.
    pub unit: Option<Unit>,
    /// How its text is to be read.
    pub format: Option<Format>,
}

/// The attributes that name what an event is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRef {
    /// What it is: `workbook`, `user`.
    pub kind: String,
    /// The attribute that holds its id.
    pub id: Option<String>,
    /// The attribute that holds its name.
    pub name: Option<String>,
}

/// The attributes that name somebody or something else in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Its part in the event: `new owner`, `source project`.
    pub role: String,
    /// What it is: `user`, `project`.
    pub kind: String,
    /// The attribute that holds its id.
    pub id: Option<String>,
    /// The attribute that holds its name.
    pub name: Option<String>,
}

/// The attributes that many types have, and other spellings of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    pub(super) common: Vec<Arc<Attribute>>,
    pub(super) outside: Vec<Arc<Attribute>>,
    pub(super) spellings: Named<String>,
}

impl Shared {
    fn find(&self, name: &str) -> Option<&Arc<Attribute>> {
        self.common.iter().chain(&self.outside).find(|a| a.name == name)
    }
}

/// One value of `eventType`, and all that is known about it.
#[derive(Clone, Debug)]
pub struct EventType {
    /// The name in the log.
    pub name: String,
    /// What happened, in words: `Workbook downloaded`.
    pub title: String,
    /// Its category.
    pub category: CategoryId,
    /// What an event of this type does.
    pub effect: Effect,
    /// One line on what it records.
    pub summary: String,
    /// What else is to be known; may be empty.
    pub notes: String,
    /// Deprecated, retired and the like.
    pub status: Vec<Status>,
    /// The type's own attributes, by name; the common ones are not among them.
    pub attributes: Vec<Arc<Attribute>>,
    /// What an event of this type is about.
    pub object: Option<ObjectRef>,
    /// Who and what else it names.
    pub people: Vec<Related>,
    pub(super) shared: Arc<Shared>,
}

impl EventType {
    /// Returns the attribute of this name: the type's own, else a common one, else one that older
    /// and newer logs carry. Other spellings of a name are understood.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let spelt = self.shared.spellings.get(name).map_or(name, String::as_str);
        let own = self.attributes.iter().find(|a| a.name == spelt);
        own.or_else(|| self.shared.find(spelt)).map(AsRef::as_ref)
    }

    /// Returns the attributes that every event of this type's family has.
    pub fn common(&self) -> &[Arc<Attribute>] {
        &self.shared.common
    }

    /// Returns whether the type is outside the reference pages.
    pub fn is_outside(&self) -> bool {
        self.status.contains(&Status::Outside)
    }
}

/// A word that the texts use, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word.
    pub name: String,
    /// The forms in which texts use it.
    pub words: Vec<String>,
    /// What it means.
    pub text: String,
}
