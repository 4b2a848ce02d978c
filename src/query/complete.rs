//! What could be typed next, and what each part of a filter is.

use crate::base::id::{ActorId, OutcomeId, TypeId};
use crate::index::Index;
use crate::query::ast::{Span, TermKind, Value, ValueKind};
use crate::query::fields::{FIELDS, FieldKind, PROPERTIES, WEEKDAYS, find};
use crate::query::lexer::{Token, TokenKind, lex};
use crate::query::ops::OPS;
use crate::schema::catalog::Catalog;

/// Completions that are offered at most.
const MOST: usize = 50;

/// Actors that are looked through at most while somebody types.
const MOST_ACTORS: u32 = 50_000;

/// Something that could stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The bytes of the text that it replaces.
    pub span: Span,
    /// What it puts there. Values of the log are quoted where needed, but not made safe to show.
    pub text: String,
    /// What it is, in a line; safe to show.
    pub doc: String,
}

/// Returns what could stand at byte `cursor` of a filter, best first.
pub fn complete(text: &str, cursor: usize, index: &Index, catalog: &Catalog) -> Vec<Completion> {
    let cursor = (0..=cursor.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    let head = &text[..cursor.unwrap_or(0)];
    let word = word_start(head);
    let (span, typed) = (word..head.len(), &head[word..]);
    let body = typed.trim_start_matches(['-', '(']);
    let span = span.end - body.len()..span.end;
    let place = Place { span, index, catalog };
    let operator = body.char_indices().find_map(|(at, _)| {
        let found = crate::query::ops::op_at(&body[at..])?;
        Some((at, at + found.1))
    });
    match operator {
        Some((name_end, values)) if name_end > 0 => {
            let name = body[..name_end].trim_end_matches('?');
            let value = body.rfind(',').map_or(values, |comma| comma + 1);
            let place = Place { span: place.span.start + value..place.span.end, ..place };
            place.values(name, &body[value..])
        }
        _ => place.names(body),
    }
}

/// Returns where the word before the cursor begins: quotes may hold blanks.
fn word_start(head: &str) -> usize {
    let (tokens, _) = lex(head);
    match tokens.last() {
        Some(token) if token.span.end == head.len() => match token.kind {
            TokenKind::Open | TokenKind::Close | TokenKind::Not => head.len(),
            _ => token.span.start,
        },
        _ => head.len(),
    }
}

struct Place<'a> {
    span: Span,
    index: &'a Index,
    catalog: &'a Catalog,
}

impl Place<'_> {
    fn one(&self, text: impl Into<String>, doc: impl Into<String>) -> Completion {
        Completion { span: self.span.clone(), text: text.into(), doc: doc.into() }
    }

    /// Returns fields, then attributes, whose names go on like `typed`.
    fn names(&self, typed: &str) -> Vec<Completion> {
        let mut found = Vec::new();
        for field in FIELDS.iter().filter(|field| goes_on(field.name, typed)) {
            found.push(self.one(format!("{}:", field.name), field.doc));
        }
        if typed.is_empty() {
            return found;
        }
        let words = [("and", "both"), ("or", "either"), ("not", "what it does not match")];
        for (word, doc) in words {
            if goes_on(word, typed) {
                found.push(self.one(word, doc));
            }
        }
        let mut seen = std::collections::HashSet::new();
        let attributes = self.catalog.attributes().iter();
        let (starts, others): (Vec<_>, Vec<_>) = attributes
            .filter(|attribute| contains(&attribute.name, typed))
            .filter(|attribute| seen.insert(attribute.name.as_str()))
            .partition(|attribute| goes_on(&attribute.name, typed));
        for attribute in starts.into_iter().chain(others) {
            found.push(self.one(format!("{}:", attribute.name), attribute.summary.clone()));
        }
        // Typed in full, the operators are what comes next.
        if find(typed).is_some() || !self.catalog.meanings(typed).is_empty() {
            for row in OPS {
                found.push(self.one(format!("{typed}{}", row.spelling), row.doc));
            }
        }
        found.truncate(MOST);
        found
    }

    fn values(&self, name: &str, typed: &str) -> Vec<Completion> {
        let typed = typed.trim_start_matches('"');
        let mut found = match find(name).map(|field| field.kind) {
            Some(FieldKind::Type) => self.types(typed),
            Some(FieldKind::Category) => {
                let all = self.catalog.categories().iter();
                let all = all.filter(|one| contains(&one.name, typed));
                all.map(|one| self.one(one.name.clone(), one.title.clone())).collect()
            }
            Some(FieldKind::Actor) => self.actors(typed),
            Some(FieldKind::Outcome) => self.outcomes(typed),
            Some(FieldKind::Is) => {
                let all = PROPERTIES.iter().filter(|row| contains(row.name, typed));
                all.map(|row| self.one(row.name, row.doc)).collect()
            }
            Some(FieldKind::Has | FieldKind::Missing | FieldKind::Null) => {
                let mut names = self.names(typed);
                names.retain(|one| one.text.ends_with(':'));
                names.iter_mut().for_each(|one| one.text.truncate(one.text.len() - 1));
                names
            }
            Some(FieldKind::Weekday) => {
                let days = WEEKDAYS.iter().filter(|day| goes_on(day, typed));
                days.map(|day| self.one(&day[..3], *day)).collect()
            }
            Some(FieldKind::Time) => self.times(typed),
            Some(FieldKind::File) => {
                let files = self.index.sources().files.iter().map(|file| file.label());
                let files = files.filter(|label| contains(label, typed)).take(MOST);
                files.map(|label| self.one(quoted(label), "a file of this log")).collect()
            }
            _ => self.codes(name, typed),
        };
        found.truncate(MOST);
        found
    }

    /// Returns the types of the log, then those of the schema.
    fn types(&self, typed: &str) -> Vec<Completion> {
        let seen = (2..self.index.n_types())
            .filter_map(|id| u16::try_from(id).ok())
            .map(|id| self.index.type_name(TypeId(id)));
        let mut names: Vec<_> = seen.filter(|name| contains(name, typed)).collect();
        names.sort_unstable();
        let known = self.catalog.types().iter().map(|one| one.name.as_str());
        let known: Vec<_> =
            known.filter(|name| contains(name, typed) && !names.contains(name)).collect();
        names.extend(known);
        names.sort_by_key(|name| !goes_on(name, typed));
        let doc = |name: &str| match self.catalog.find(name) {
            Some(one) => one.title.clone(),
            None => "not in the schema".to_owned(),
        };
        names.into_iter().take(MOST).map(|name| self.one(quoted(name), doc(name))).collect()
    }

    fn actors(&self, typed: &str) -> Vec<Completion> {
        let typed = typed.to_ascii_lowercase();
        let last = u32::try_from(self.index.n_actors()).unwrap_or(u32::MAX).min(MOST_ACTORS);
        let names = (1..last).map(|id| self.index.actor_name(ActorId(id)));
        let fitting = names.filter(|name| name.contains(&typed)).take(MOST);
        fitting.map(|name| self.one(quoted(name), "an actor of this log")).collect()
    }

    fn outcomes(&self, typed: &str) -> Vec<Completion> {
        let ids = (2..self.index.n_outcomes()).filter_map(|id| u8::try_from(id).ok());
        let names = ids.map(|id| self.index.outcome_name(OutcomeId(id)));
        let fitting = names.filter(|name| contains(name, typed));
        fitting.map(|name| self.one(quoted(name), "an outcome in this log")).collect()
    }

    fn times(&self, typed: &str) -> Vec<Completion> {
        let mut all = vec![
            (">-24h".to_owned(), "the last 24 hours of the log"),
            (">now-24h".to_owned(), "the last 24 hours"),
            ("09:00..17:00".to_owned(), "office hours in UTC, on any day"),
        ];
        if let Some((first, last)) = self.index.time_range() {
            let day = |t: crate::base::time::Timestamp| t.to_rfc3339()[..10].to_owned();
            all.push((day(last), "the last day of the log"));
            all.push((day(first), "the first day of the log"));
        }
        let fitting = all.into_iter().filter(|(text, _)| goes_on(text, typed));
        fitting.map(|(text, doc)| self.one(text, doc)).collect()
    }

    /// Returns the coded values that the schema lists for an attribute.
    fn codes(&self, name: &str, typed: &str) -> Vec<Completion> {
        let meanings = self.catalog.meanings(name);
        let values = meanings.iter().flat_map(|meaning| &meaning.values);
        let fitting = values.filter(|one| contains(&one.word, typed) || goes_on(&one.code, typed));
        fitting.map(|one| self.one(quoted(&one.word), one.text.clone())).collect()
    }
}

fn goes_on(name: &str, typed: &str) -> bool {
    name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
}

fn contains(name: &str, typed: &str) -> bool {
    typed.is_empty() || name.to_ascii_lowercase().contains(&typed.to_ascii_lowercase())
}

/// Returns a value as a filter writes it: in quotes when it would otherwise mean something else.
pub fn quoted(value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '@' | '+');
    let is_plain = !value.is_empty()
        && value.chars().all(plain)
        && !value.contains("..")
        && !value.starts_with(['@', '-', '+', ':', '.']);
    if is_plain {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the chip that includes a value of a field, or of an attribute.
pub fn include(field: &str, value: &str) -> String {
    format!("{}:{}", field_name(field), quoted(value))
}

/// Returns the chip that excludes a value of a field, or of an attribute.
pub fn exclude(field: &str, value: &str) -> String {
    format!("-{}", include(field, value))
}

fn field_name(name: &str) -> String {
    let starts_well = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    if starts_well && name.chars().all(inside) { name.to_owned() } else { quoted_always(name) }
}

fn quoted_always(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What a part of a filter is, for colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A field or attribute.
    Field,
    /// An operator of a field.
    Operator,
    /// A value of a field.
    Value,
    /// Text that is searched for.
    Text,
    /// A regular expression.
    Regex,
    /// `and`, `or`, `not`, `-`, `(` and `)`.
    Keyword,
    /// Something that could not be understood.
    Broken,
}

/// Returns the parts of a filter, in order; what lies between them is blank.
pub fn highlight(text: &str) -> Vec<(Span, Role)> {
    let mut parts = Vec::new();
    for Token { kind, span } in lex(text).0 {
        match kind {
            TokenKind::Open | TokenKind::Close => parts.push((span, Role::Keyword)),
            TokenKind::And | TokenKind::Or | TokenKind::Not => parts.push((span, Role::Keyword)),
            TokenKind::Broken => parts.push((span, Role::Broken)),
            TokenKind::Term(TermKind::Text(value)) => {
                let role = role_of(&value, Role::Text);
                parts.push((value.span, role));
            }
            TokenKind::Term(TermKind::Field(field)) => {
                parts.push((field.name_span, Role::Field));
                parts.push((field.op_span, Role::Operator));
                for value in field.values {
                    let role = role_of(&value, Role::Value);
                    parts.push((value.span, role));
                }
            }
        }
    }
    parts
}

const fn role_of(value: &Value, role: Role) -> Role {
    match value.kind {
        ValueKind::Regex { .. } => Role::Regex,
        _ => role,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::build::from_bytes;
    use crate::query::ast::Expr;
    use crate::query::parser::parse;

    fn completions(text: &str) -> Vec<(String, Span)> {
        let log = "{\"eventType\":\"odd thing\",\"eventTime\":\"2026-03-02T08:00:00Z\",\
                   \"actorUserLuid\":\"ABC\",\"eventOutcome\":\"success\"}\n";
        let index = from_bytes("a", log.as_bytes().to_vec(), &[]);
        let catalog = Catalog::built_in().expect("the schema has no faults");
        let found = complete(text, text.len(), &index, &catalog);
        found.into_iter().map(|one| (one.text, one.span)).collect()
    }

    #[test]
    fn names_and_values_are_completed_in_place() {
        for (text, first, span) in [
            ("", "type:", 0..0),
            ("ty", "type:", 0..2),
            ("a -ty", "type:", 3..5),
            ("(ou", "outcome:", 1..3),
            ("type:odd", "\"odd thing\"", 5..8),
            ("type:a,hist_logi", "hist_login", 7..16),
            ("is:fa", "failed", 3..5),
            ("actor:AB", "abc", 6..8),
            ("outcome!=s", "success", 9..10),
            ("has:workbookNa", "workbookName", 4..14),
            ("siteRoleId:creat", "Creator", 11..16),
            ("time:2026", "2026-03-02", 5..9),
            ("workbookNam", "workbookName:", 0..11),
            ("weekday:sa", "sat", 8..10),
        ] {
            let found = completions(text);
            assert_eq!(found.first(), Some(&(first.to_owned(), span)), "{text}: {found:?}");
        }
        assert!(completions("zzzz").is_empty());
    }

    #[test]
    fn parts_have_roles() {
        let roles: Vec<_> = highlight("a or -type:x,/y/ b:").into_iter().collect();
        let expected = [
            (0..1, Role::Text),
            (2..4, Role::Keyword),
            (5..6, Role::Keyword),
            (6..10, Role::Field),
            (10..11, Role::Operator),
            (11..12, Role::Value),
            (13..16, Role::Regex),
            (17..19, Role::Broken),
        ];
        assert_eq!(roles, expected);
    }

    proptest::proptest! {
        #[test]
        fn any_value_can_be_included(field in "[a-z .:\"\\\\-]{1,8}", value in "\\PC{0,12}") {
            let (expr, problems) = parse(&include(&field, &value));
            proptest::prop_assert!(problems.is_empty(), "{:?}", problems);
            let Expr::Term(term) = expr else { return Err(TestCaseError::fail("no term")) };
            let TermKind::Field(term) = term.kind else { return Err(TestCaseError::fail("text")) };
            proptest::prop_assert_eq!(term.name, field);
            let kind = &term.values[0].kind;
            let written = match kind {
                ValueKind::Word(text) | ValueKind::Quoted(text) => text,
                _ => return Err(TestCaseError::fail("not a value")),
            };
            proptest::prop_assert_eq!(written, &value);
        }
    }

    #[test]
    fn completion_never_panics() {
        let index = from_bytes("a", Vec::new(), &[]);
        let catalog = Catalog::built_in().expect("the schema has no faults");
        proptest::proptest!(|(text in "[a-z:\"(\u{e9},= -]{0,12}", cursor in 0_usize..14)| {
            let _found = complete(&text, cursor, &index, &catalog);
            let _parts = highlight(&text);
        });
    }

    use proptest::test_runner::TestCaseError;
}
