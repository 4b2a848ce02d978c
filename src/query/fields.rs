//! Every name that is a field of its own. Any other name is an attribute of the event.

/// How a field is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// The event type.
    Type,
    /// The category of the event type, by the schema.
    Category,
    /// Who did it.
    Actor,
    /// Any person in the event.
    Who,
    /// What was acted on.
    Object,
    /// `eventOutcome`.
    Outcome,
    /// `siteLuid`.
    Site,
    /// The file an event comes from.
    File,
    /// When it happened.
    Time,
    /// The hour of the day.
    Hour,
    /// The day of the week.
    Weekday,
    /// The text of the whole event.
    Text,
    /// The attribute has a value.
    Has,
    /// The attribute is not there.
    Missing,
    /// The attribute is there and null.
    Null,
    /// A property of the event.
    Is,
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Other names it has, attribute names among them.
    pub aliases: &'static [&'static str],
    /// How it is evaluated.
    pub kind: FieldKind,
    /// An example.
    pub example: &'static str,
    /// What it is, in a line.
    pub doc: &'static str,
}

/// All fields, in the order the help lists them.
pub const FIELDS: &[Field] = &[
    Field {
        name: "type",
        aliases: &["eventType"],
        kind: FieldKind::Type,
        example: "type:hist_login,permissions*",
        doc: "the event type's name",
    },
    Field {
        name: "category",
        aliases: &[],
        kind: FieldKind::Category,
        example: "category:permissions",
        doc: "the category of the event type in the schema",
    },
    Field {
        name: "actor",
        aliases: &[],
        kind: FieldKind::Actor,
        example: "actor:1024",
        doc: "who did it, by LUID or by number",
    },
    Field {
        name: "who",
        aliases: &[],
        kind: FieldKind::Who,
        example: "who:1024",
        doc: "any person in the event: actor, initiator, owner, grantee and so on",
    },
    Field {
        name: "object",
        aliases: &[],
        kind: FieldKind::Object,
        example: "object:\"Sales EU\"",
        doc: "what was acted on, by id or name, as the schema tells for the event type",
    },
    Field {
        name: "outcome",
        aliases: &["eventOutcome"],
        kind: FieldKind::Outcome,
        example: "outcome!=success",
        doc: "the recorded outcome",
    },
    Field {
        name: "site",
        aliases: &["siteLuid"],
        kind: FieldKind::Site,
        example: "site:5f0c0000*",
        doc: "the site's LUID",
    },
    Field {
        name: "file",
        aliases: &[],
        kind: FieldKind::File,
        example: "file:*2026-03-02*",
        doc: "the file an event comes from: its path, its name, or a part with `*`",
    },
    Field {
        name: "time",
        aliases: &["eventTime"],
        kind: FieldKind::Time,
        example: "time:2026-03-02",
        doc: "when it happened: a date or instant of any precision, a clock time, -24h before the \
              log's last event, or now-24h",
    },
    Field {
        name: "hour",
        aliases: &[],
        kind: FieldKind::Hour,
        example: "hour:0..5",
        doc: "the hour of the day in UTC, 0 to 23",
    },
    Field {
        name: "weekday",
        aliases: &[],
        kind: FieldKind::Weekday,
        example: "weekday:sat,sun",
        doc: "the day of the week in UTC, mon to sun",
    },
    Field {
        name: "text",
        aliases: &[],
        kind: FieldKind::Text,
        example: "text=\"Exact Case\"",
        doc: "text anywhere in the event; with `=`, upper and lower case differ",
    },
    Field {
        name: "has",
        aliases: &[],
        kind: FieldKind::Has,
        example: "has:workbookId",
        doc: "the attribute has a value other than null",
    },
    Field {
        name: "missing",
        aliases: &[],
        kind: FieldKind::Missing,
        example: "missing:eventOutcome",
        doc: "the event does not have the attribute",
    },
    Field {
        name: "null",
        aliases: &[],
        kind: FieldKind::Null,
        example: "null:eventOutcome",
        doc: "the attribute is recorded as null",
    },
    Field {
        name: "is",
        aliases: &[],
        kind: FieldKind::Is,
        example: "is:failed",
        doc: "a property of the event, see below",
    },
];

/// Returns the field called `name`, also by its other names; case does not matter.
pub fn find(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| {
        field.name.eq_ignore_ascii_case(name)
            || field.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    })
}

/// A property that `is:` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Counted as failed.
    Failed,
    /// No event, only bytes that could not be read.
    Bad,
    /// Type or attribute outside the schema.
    Unknown,
    /// Somebody acted as somebody else.
    Impersonated,
    /// A key occurs twice.
    DuplicateKey,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// No usable time.
    NoTime,
    /// A time without zone.
    NoZone,
    /// Wrapped by another tool.
    Wrapped,
    /// The type stands in the path only.
    TypeFromPath,
}

/// A row of the table of properties.
#[derive(Debug)]
pub struct PropertyInfo {
    /// As written after `is:`.
    pub name: &'static str,
    /// What it is.
    pub property: Property,
    /// What it means, in a line.
    pub doc: &'static str,
}

/// All properties.
pub const PROPERTIES: &[PropertyInfo] = &[
    PropertyInfo {
        name: "failed",
        property: Property::Failed,
        doc: "an outcome other than success, or isError, isFailure or a status that says so",
    },
    PropertyInfo {
        name: "bad",
        property: Property::Bad,
        doc: "a record that could not be read; only `is:bad`, `file:` and text find these",
    },
    PropertyInfo {
        name: "unknown",
        property: Property::Unknown,
        doc: "the type or an attribute is not in the schema",
    },
    PropertyInfo {
        name: "impersonated",
        property: Property::Impersonated,
        doc: "the initiating user is another than the actor",
    },
    PropertyInfo {
        name: "duplicate-key",
        property: Property::DuplicateKey,
        doc: "an attribute is recorded twice; the last one counts",
    },
    PropertyInfo {
        name: "invalid-utf8",
        property: Property::InvalidUtf8,
        doc: "some bytes are not UTF-8",
    },
    PropertyInfo { name: "no-time", property: Property::NoTime, doc: "no usable event time" },
    PropertyInfo {
        name: "no-zone",
        property: Property::NoZone,
        doc: "the time names no zone and was taken as UTC",
    },
    PropertyInfo {
        name: "wrapped",
        property: Property::Wrapped,
        doc: "another tool put the event into an envelope",
    },
    PropertyInfo {
        name: "type-from-path",
        property: Property::TypeFromPath,
        doc: "the event type is told by the folder or file name only",
    },
];

/// Returns the property called `name`.
pub fn property(name: &str) -> Option<&'static PropertyInfo> {
    PROPERTIES.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The days of the week as `weekday:` knows them, Monday first.
pub const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Returns the day of the week meant by a name (three letters or more) or a number 1 to 7.
pub fn weekday(text: &str) -> Option<u8> {
    if let Ok(number @ 1..=7) = text.parse::<u8>() {
        return Some(number - 1);
    }
    let lower = text.to_ascii_lowercase();
    let at = WEEKDAYS.iter().position(|day| lower.len() >= 3 && day.starts_with(&lower))?;
    u8::try_from(at).ok()
}
