//! The plain evaluator: one record at a time, every value read. It defines what is right; the
//! planned one in `exec` must agree with it on every record.

use crate::base::id::FileId;
use crate::base::time::Timestamp;
use crate::query::filter::{AttributeTest, Filter, Rule, Test, TextTest};
use crate::query::when::DAY;
use crate::record::flat::{FlatRecord, FlatRow};
use crate::record::head::Flags;

/// A record with what the index tells of it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The number of its type.
    pub event_type: u16,
    /// The number of its actor.
    pub actor: u32,
    /// The number of its outcome.
    pub outcome: u8,
    /// Its time.
    pub time: Timestamp,
    /// Facts about it.
    pub flags: Flags,
    /// Its file.
    pub file: FileId,
}

/// Returns whether a record matches a filter.
pub fn matches(filter: &Filter, subject: &Subject<'_>) -> bool {
    truth(filter, subject) == Some(true)
}

/// Whether a filter holds; `None` when that cannot be asked of a bad record.
fn truth(filter: &Filter, subject: &Subject<'_>) -> Option<bool> {
    match filter {
        Filter::All => Some(true),
        Filter::And(parts) => {
            let found: Vec<_> = parts.iter().map(|part| truth(part, subject)).collect();
            if found.contains(&Some(false)) {
                return Some(false);
            }
            (!found.contains(&None)).then_some(true)
        }
        Filter::Or(parts) => {
            let found: Vec<_> = parts.iter().map(|part| truth(part, subject)).collect();
            if found.contains(&Some(true)) {
                return Some(true);
            }
            (!found.contains(&None)).then_some(false)
        }
        Filter::Not(part) => truth(part, subject).map(|found| !found),
        Filter::Test(test) => passes(test, subject),
    }
}

fn passes(test: &Test, subject: &Subject<'_>) -> Option<bool> {
    let is_bad = subject.flags.has(Flags::BAD);
    match test {
        Test::File(set) => Some(set.has(subject.file.0)),
        Test::Text(text) => Some(has_text(text, subject)),
        Test::Flag(flag) if *flag == Flags::BAD => Some(is_bad),
        _ if is_bad => None,
        _ => Some(passes_event(test, subject)),
    }
}

fn passes_event(test: &Test, subject: &Subject<'_>) -> bool {
    let since_midnight = subject.time.0.rem_euclid(DAY);
    let days = subject.time.0.div_euclid(DAY);
    match test {
        Test::File(_) | Test::Text(_) => false,
        Test::Flag(flag) => subject.flags.has(*flag),
        Test::Type(set) => set.has(u32::from(subject.event_type)),
        Test::Actor(set) => set.has(subject.actor),
        Test::Outcome(set) => set.has(u32::from(subject.outcome)),
        Test::Time(range) => subject.time.is_some() && range.contains(subject.time),
        Test::Clock(start, end) => subject.time.is_some() && in_clock(since_midnight, *start, *end),
        Test::Hours(hours) => {
            subject.time.is_some() && hours >> (since_midnight / (DAY / 24)) & 1 == 1
        }
        // 1970-01-01 was a Thursday.
        Test::Weekdays(bits) => subject.time.is_some() && bits >> (days + 3).rem_euclid(7) & 1 == 1,
        Test::Attribute(attribute) => {
            let record = FlatRecord::read(subject.bytes);
            has_attribute(attribute, subject.event_type, &record)
        }
        Test::Unknown(types) => {
            let record = FlatRecord::read(subject.bytes);
            match types.get(subject.event_type as usize) {
                Some(Some(known)) => {
                    let mut rows = record.rows().filter(is_of_event);
                    rows.any(|row| known.binary_search(&row.key().to_ascii_lowercase()).is_err())
                }
                _ => true,
            }
        }
    }
}

fn is_of_event(row: &FlatRow<'_>) -> bool {
    row.depth() == 0 && row.place() == crate::record::flat::Place::Event
}

/// Returns whether a time of day lies in a range that may pass midnight.
pub(crate) const fn in_clock(since_midnight: i64, start: i64, end: i64) -> bool {
    let from_start = (since_midnight - start).rem_euclid(DAY);
    from_start < end - start
}

/// Text is looked for in the record as it is recorded, and in its decoded keys and values.
fn has_text(test: &TextTest, subject: &Subject<'_>) -> bool {
    if test.is_in(subject.bytes) {
        return true;
    }
    if subject.flags.has(Flags::BAD) {
        return false;
    }
    has_decoded(test, &FlatRecord::read(subject.bytes))
}

/// Returns whether a decoded key or value has the text.
pub(crate) fn has_decoded(test: &TextTest, record: &FlatRecord) -> bool {
    record.rows().any(|row| test.is_in(row.text().as_bytes()) || test.is_in(row.key().as_bytes()))
}

/// Returns whether a record passes the test of an attribute.
pub(crate) fn has_attribute(test: &AttributeTest, event_type: u16, record: &FlatRecord) -> bool {
    let names = test.names.of_type(event_type);
    let mut verdict = Verdict::default();
    for name in names {
        for row in rows_of(record, name.name()) {
            verdict.add(&test.rule, row.text(), row.kind());
        }
    }
    verdict.of(&test.rule)
}

/// What the values of an attribute amount to.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    has_value: bool,
    has_null: bool,
    has_wanted: bool,
}

impl Verdict {
    /// Takes one value.
    pub(crate) fn add(&mut self, rule: &Rule, text: &str, kind: crate::base::json::JsonKind) {
        use crate::base::json::JsonKind;
        match kind {
            JsonKind::Null => self.has_null = true,
            _ => self.has_value = true,
        }
        if let Rule::AnyOf(wanted) | Rule::NoneOf(wanted) = rule
            && !self.has_wanted
        {
            self.has_wanted = wanted.iter().any(|one| one.fits(text, kind));
        }
    }

    /// Returns whether that is what the rule asks.
    pub(crate) const fn of(&self, rule: &Rule) -> bool {
        match rule {
            Rule::Has => self.has_value,
            Rule::Missing => !self.has_value && !self.has_null,
            Rule::Null => self.has_null,
            Rule::AnyOf(_) => self.has_wanted,
            Rule::NoneOf(_) => self.has_value && !self.has_wanted,
        }
    }
}

/// Returns the rows of the attribute at `name`, elements of arrays among them; of duplicate keys
/// the last one.
pub(crate) fn rows_of<'a>(record: &'a FlatRecord, name: &str) -> Vec<FlatRow<'a>> {
    let mut found: Vec<FlatRow<'a>> = Vec::new();
    for row in record.rows().filter(|row| is_at(row, name)) {
        if row.is_duplicate() {
            found.retain(|earlier| earlier.path() != row.path() || earlier.place() != row.place());
        }
        found.push(row);
    }
    found
}

fn is_at(row: &FlatRow<'_>, name: &str) -> bool {
    let path = row.path();
    if row.depth() == 0 {
        return path.eq_ignore_ascii_case(name);
    }
    if path.len() < name.len() {
        return false;
    }
    without_indices(path).eq_ignore_ascii_case(name) || path.eq_ignore_ascii_case(name)
}

/// Returns `a[0].b[12]` as `a.b`.
fn without_indices(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(open) = rest.find('[') {
        let digits = rest[open + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = open + 1 + digits;
        if digits > 0 && rest[end..].starts_with(']') {
            out.push_str(&rest[..open]);
            rest = &rest[end + 1..];
        } else {
            out.push_str(&rest[..=open]);
            rest = &rest[open + 1..];
        }
    }
    out.push_str(rest);
    out
}
