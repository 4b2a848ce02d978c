//! Names and values of a filter bound to an index, a schema and a clock.

mod columns;
mod operands;

use crate::base::time::{TimeRange, Timestamp};
use crate::index::Index;
use crate::query::ast::{
    Absent, Case, Expr, FieldTerm, Op, Problem, Term, TermKind, Value, ValueKind,
};
use crate::query::extract::Extractor;
use crate::query::fields::{self, FieldKind, Property};
use crate::query::filter::{AttributeTest, Filter, Looks, Names, Rule, Test, TextRegex, TextTest};
use crate::query::needle::Needle;
use crate::query::suggest::nearest;
use crate::query::when::Anchors;
use crate::record::head::Flags;
use crate::schema::catalog::Catalog;

/// Reads the text of a file named in a filter; the error is told in words.
pub type ReadList = dyn Fn(&str) -> Result<String, String> + Sync;

/// What times and names are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The present.
    pub now: Timestamp,
    /// The time of the log's last event, which `-24h` counts from.
    pub last: Timestamp,
}

/// What names are looked up in.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The log.
    pub index: &'a Index,
    /// The schema.
    pub catalog: &'a Catalog,
    /// The clock.
    pub now: Now,
    /// How `@file` is read; `None` where that is not allowed.
    pub lists: Option<&'a ReadList>,
}

/// Binds a filter. What has an error is left out, and told.
pub fn resolve(expr: &Expr, scope: &Scope<'_>) -> (Filter, Vec<Problem>) {
    let anchors = Anchors { now: scope.now.now, last: scope.now.last };
    let mut resolver = Resolver { scope, anchors, problems: Vec::new() };
    let filter = resolver.bind(expr).unwrap_or(Filter::All);
    let mut problems = resolver.problems;
    problems.sort_by_key(|problem| problem.span.start);
    (filter, problems)
}

struct Resolver<'a> {
    scope: &'a Scope<'a>,
    anchors: Anchors,
    problems: Vec<Problem>,
}

impl Resolver<'_> {
    /// Returns `None` for what is left out.
    fn bind(&mut self, expr: &Expr) -> Option<Filter> {
        match expr {
            Expr::All => Some(Filter::All),
            Expr::Broken(_) => None,
            Expr::And(parts) => {
                let parts: Vec<_> = parts.iter().filter_map(|part| self.bind(part)).collect();
                (!parts.is_empty()).then_some(Filter::And(parts))
            }
            Expr::Or(parts) => {
                let parts: Vec<_> = parts.iter().filter_map(|part| self.bind(part)).collect();
                (!parts.is_empty()).then_some(Filter::Or(parts))
            }
            Expr::Not(part) => self.bind(part).map(not),
            Expr::Term(term) => self.term(term),
        }
    }

    fn term(&mut self, term: &Term) -> Option<Filter> {
        match &term.kind {
            TermKind::Text(value) => self.text(value, Case::Ignored),
            TermKind::Field(field) => {
                let found = match fields::find(&field.name) {
                    Some(known) => self.known_field(field, known.kind),
                    None => self.attribute(field),
                }?;
                Some(match field.absent {
                    Absent::Fails => found,
                    Absent::Matches => Filter::Or(vec![found, self.absence(field)]),
                })
            }
        }
    }

    fn known_field(&mut self, field: &FieldTerm, kind: FieldKind) -> Option<Filter> {
        match kind {
            FieldKind::Type => self.types(field),
            FieldKind::Category => self.categories(field),
            FieldKind::Actor => self.actors(field),
            FieldKind::Outcome => self.outcomes(field),
            FieldKind::File => self.files(field),
            FieldKind::Time => self.times(field),
            FieldKind::Hour => self.hours(field),
            FieldKind::Weekday => self.weekdays(field),
            FieldKind::Text => self.texts(field),
            FieldKind::Site => self.values(field, names_of(["siteLuid"]), "siteLuid"),
            FieldKind::Who => {
                let names = self.people();
                self.values(field, names, "actorUserId")
            }
            FieldKind::Object => {
                let names = self.objects();
                self.values(field, names, "")
            }
            FieldKind::Has => self.presence(field, &Rule::Has),
            FieldKind::Missing => self.presence(field, &Rule::Missing),
            FieldKind::Null => self.presence(field, &Rule::Null),
            FieldKind::Is => self.properties(field),
        }
    }

    fn error(&mut self, span: &std::ops::Range<usize>, message: impl Into<String>) {
        self.problems.push(Problem::error(span.clone(), message));
    }

    fn text(&mut self, value: &Value, case: Case) -> Option<Filter> {
        let test = match &value.kind {
            ValueKind::Word(text) | ValueKind::Quoted(text) if text.is_empty() => {
                return Some(Filter::All);
            }
            ValueKind::Word(text) | ValueKind::Quoted(text) => {
                TextTest::Piece(Needle::new(text, case))
            }
            ValueKind::Regex { pattern, case } => self.text_regex(value, pattern, *case)?,
            ValueKind::Range(low, high) => {
                let end = |end: &Option<String>| end.clone().unwrap_or_default();
                let text = format!("{}..{}", end(low), end(high));
                TextTest::Piece(Needle::new(&text, case))
            }
            ValueKind::File(path) => {
                let lines = self.list(value, path)?;
                let parts = lines
                    .iter()
                    .map(|line| Filter::Test(Test::Text(TextTest::Piece(Needle::new(line, case)))));
                return Some(Filter::Or(parts.collect()));
            }
        };
        Some(Filter::Test(Test::Text(test)))
    }

    fn text_regex(&mut self, value: &Value, pattern: &str, case: Case) -> Option<TextTest> {
        let built = regex::bytes::RegexBuilder::new(pattern)
            .case_insensitive(case == Case::Ignored)
            .build();
        match built {
            Ok(regex) => {
                let around = ["^", "$", "\\b", "\\B", "\\A", "\\z", "\\<", "\\>"];
                let looks = around.iter().any(|sign| pattern.contains(sign));
                let looks = if looks { Looks::Around } else { Looks::Inside };
                Some(TextTest::Regex(TextRegex { regex, looks }))
            }
            Err(error) => {
                self.bad_regex(value, &error);
                None
            }
        }
    }

    fn bad_regex(&mut self, value: &Value, error: &regex::Error) {
        let (at, message) = match error {
            regex::Error::Syntax(text) => syntax_error(text),
            regex::Error::CompiledTooBig(_) => (None, "it is too big".to_owned()),
            _ => (None, error.to_string()),
        };
        // The library counts characters of the pattern; in the text a `/` has a backslash before it.
        let bytes_before = |chars: usize| match &value.kind {
            ValueKind::Regex { pattern, .. } => {
                let before = pattern.chars().take(chars);
                before.map(|c| c.len_utf8() + usize::from(c == '/')).sum()
            }
            _ => 0,
        };
        let span = match at.map(bytes_before) {
            Some(at) if value.span.start + 1 + at < value.span.end => {
                value.span.start + 1 + at..value.span.end
            }
            _ => value.span.clone(),
        };
        self.error(&span, format!("this regular expression does not work: {message}"));
    }

    fn texts(&mut self, field: &FieldTerm) -> Option<Filter> {
        let case = match field.op {
            Op::Like | Op::IsNot => Case::Ignored,
            Op::Is => Case::Exact,
            Op::Less | Op::AtMost | Op::More | Op::AtLeast => return self.no_order(field),
        };
        let parts: Vec<_> =
            field.values.iter().filter_map(|value| self.text(value, case)).collect();
        let any = (!parts.is_empty()).then_some(Filter::Or(parts))?;
        Some(if field.op == Op::IsNot { not(any) } else { any })
    }

    fn no_order(&mut self, field: &FieldTerm) -> Option<Filter> {
        let message = format!("`{}` has no order; use `:`, `=` or `!=`", field.name);
        self.error(&field.op_span, message);
        None
    }

    /// Returns the lines of a list file.
    fn list(&mut self, value: &Value, path: &str) -> Option<Vec<String>> {
        let Some(read) = self.scope.lists else {
            self.error(&value.span, "files with lists cannot be read here");
            return None;
        };
        match read(path) {
            Ok(text) => {
                let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
                let wanted = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
                Some(wanted.map(str::to_owned).collect())
            }
            Err(why) => {
                self.error(&value.span, format!("cannot read `{path}`: {why}"));
                None
            }
        }
    }

    /// `has:`, `missing:` and `null:` name attributes as their values.
    fn presence(&mut self, field: &FieldTerm, rule: &Rule) -> Option<Filter> {
        if !matches!(field.op, Op::Like | Op::Is) {
            let message = format!("write `{}:` and the attribute's name", field.name);
            self.error(&field.op_span, message);
            return None;
        }
        let mut parts = Vec::new();
        for value in &field.values {
            match &value.kind {
                ValueKind::Word(name) | ValueKind::Quoted(name) => {
                    let known = fields::find(name).filter(|known| known.name == name);
                    let kind = known.map(|known| known.kind);
                    parts.extend(
                        self.column_presence(kind, rule).or_else(|| {
                            Some(self.attribute_presence(kind, name, &value.span, rule))
                        }),
                    );
                }
                _ => self.error(&value.span, "the name of an attribute is expected here"),
            }
        }
        (!parts.is_empty()).then_some(Filter::Or(parts))
    }

    fn attribute_presence(
        &mut self,
        kind: Option<FieldKind>,
        name: &str,
        span: &std::ops::Range<usize>,
        rule: &Rule,
    ) -> Filter {
        let names = match kind {
            Some(FieldKind::Site) => names_of(["siteLuid"]),
            Some(FieldKind::Who) => self.people(),
            Some(FieldKind::Object) => self.objects(),
            _ => {
                self.check_attribute(name, span);
                self.spelt(name)
            }
        };
        Filter::Test(Test::Attribute(AttributeTest { names, rule: rule.clone() }))
    }

    /// What `field?` adds: events without the attribute.
    fn absence(&mut self, field: &FieldTerm) -> Filter {
        let known = fields::find(&field.name).map(|known| known.kind);
        let rule = Rule::Missing;
        if let Some(filter) = self.column_presence(known, &rule) {
            return filter;
        }
        let names = match known {
            Some(FieldKind::Site) => names_of(["siteLuid"]),
            Some(FieldKind::Who) => self.people(),
            Some(FieldKind::Object) => self.objects(),
            Some(_) => return none(),
            None => self.spelt(&field.name),
        };
        Filter::Test(Test::Attribute(AttributeTest { names, rule }))
    }

    fn properties(&mut self, field: &FieldTerm) -> Option<Filter> {
        if !matches!(field.op, Op::Like | Op::Is | Op::IsNot) {
            return self.no_order(field);
        }
        let mut parts = Vec::new();
        for value in &field.values {
            let found = match &value.kind {
                ValueKind::Word(name) | ValueKind::Quoted(name) => fields::property(name),
                _ => None,
            };
            if let Some(row) = found {
                parts.push(self.property(row.property));
                continue;
            }
            let names = fields::PROPERTIES.iter().map(|row| row.name);
            let written = match &value.kind {
                ValueKind::Word(name) | ValueKind::Quoted(name) => name.as_str(),
                _ => "",
            };
            let known: Vec<_> = names.clone().collect();
            let message = format!("`is:` knows {}", known.join(", "));
            let problem = Problem::error(value.span.clone(), message);
            self.problems.push(problem.or_rather(nearest(written, names)));
        }
        let any = (!parts.is_empty()).then_some(Filter::Or(parts))?;
        Some(if field.op == Op::IsNot { not(any) } else { any })
    }

    fn property(&self, property: Property) -> Filter {
        let flag = match property {
            Property::Failed => Flags::FAILED,
            Property::Bad => Flags::BAD,
            Property::Impersonated => Flags::IMPERSONATED,
            Property::DuplicateKey => Flags::DUPLICATE_KEY,
            Property::InvalidUtf8 => Flags::INVALID_UTF8,
            Property::NoTime => Flags::NO_TIME,
            Property::NoZone => Flags::NO_ZONE,
            Property::Wrapped => Flags::WRAPPED,
            Property::TypeFromPath => Flags::TYPE_FROM_PATH,
            Property::Unknown => return self.unknown(),
        };
        Filter::Test(Test::Flag(flag))
    }
}

/// Returns the place and the words of a syntax error as the regular expressions tell it.
fn syntax_error(text: &str) -> (Option<usize>, String) {
    let caret = text.lines().find(|line| line.trim_start().starts_with('^'));
    let at = caret.and_then(|line| line.find('^')).and_then(|at| at.checked_sub(4));
    let last = text.lines().last().unwrap_or(text);
    (at, last.trim_start_matches("error: ").to_owned())
}

fn not(filter: Filter) -> Filter {
    Filter::Not(Box::new(filter))
}

/// Returns a filter that nothing matches.
const fn none() -> Filter {
    Filter::Or(Vec::new())
}

fn names_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Names {
    Names::Same(names.into_iter().map(Extractor::new).collect())
}

/// Returns the test for times in a range.
const fn in_range(start: Timestamp, end: Timestamp) -> Filter {
    Filter::Test(Test::Time(TimeRange { start, end }))
}
