//! Fields that the index keeps a column of.

use regex::{Regex, RegexBuilder};

use super::{Resolver, in_range, none, not};
use crate::base::id::{ActorId, OutcomeId, TypeId};
use crate::base::time::{TimeRange, Timestamp};
use crate::index::Index;
use crate::query::ast::{Case, FieldTerm, Op, Problem, Value, ValueKind};
use crate::query::extract::Extractor;
use crate::query::fields::{FieldKind, weekday};
use crate::query::filter::{AttributeTest, Filter, Names, Rule, Set, Test};
use crate::query::suggest::nearest;
use crate::query::value::{Wanted, Whole, same_ignoring_case};
use crate::query::when::{When, read};
use crate::record::head::Flags;

/// One value of a field of names.
enum Name {
    Same(String, Case),
    Like(Regex),
}

impl Name {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Same(wanted, Case::Exact) => wanted == name,
            Self::Same(wanted, Case::Ignored) => same_ignoring_case(wanted, name),
            Self::Like(regex) => regex.is_match(name),
        }
    }
}

impl Resolver<'_> {
    /// Returns the names that a field of names may have, each with its value.
    fn names<'f>(&mut self, field: &'f FieldTerm) -> Option<Vec<(Name, &'f Value)>> {
        let case = match field.op {
            Op::Like | Op::IsNot => Case::Ignored,
            Op::Is => Case::Exact,
            Op::Less | Op::AtMost | Op::More | Op::AtLeast => {
                self.no_order(field);
                return None;
            }
        };
        let mut names = Vec::new();
        for value in &field.values {
            match &value.kind {
                ValueKind::Word(text) if case == Case::Ignored && text.contains('*') => {
                    if let Some(Wanted::Pattern(regex)) = Wanted::pattern_of(text) {
                        names.push((Name::Like(regex), value));
                    }
                }
                ValueKind::Word(text) | ValueKind::Quoted(text) => {
                    names.push((Name::Same(text.clone(), case), value));
                }
                ValueKind::Regex { pattern, case } => {
                    let insensitive = *case == Case::Ignored;
                    match RegexBuilder::new(pattern).case_insensitive(insensitive).build() {
                        Ok(regex) => names.push((Name::Like(regex), value)),
                        Err(error) => self.bad_regex(value, &error),
                    }
                }
                ValueKind::File(path) => {
                    let lines = self.list(value, path).unwrap_or_default();
                    names.extend(lines.into_iter().map(|line| (Name::Same(line, case), value)));
                }
                ValueKind::Range(..) => {
                    self.error(&value.span, format!("`{}` has no ranges", field.name));
                }
            }
        }
        let is_empty_list = field.values.iter().any(|v| matches!(v.kind, ValueKind::File(_)));
        (!names.is_empty() || is_empty_list).then_some(names)
    }

    pub(super) fn types(&mut self, field: &FieldTerm) -> Option<Filter> {
        let (index, catalog) = (self.scope.index, self.scope.catalog);
        let names = self.names(field)?;
        let mut found = Vec::new();
        for (name, value) in names {
            let canonical = match &name {
                Name::Same(text, Case::Ignored) => catalog.find(text),
                _ => None,
            };
            let before = found.len();
            for id in event_types(index.n_types()) {
                let known = index.type_name(TypeId(id));
                let is_alias = canonical.is_some_and(|wanted| {
                    catalog.find(known).is_some_and(|one| one.name == wanted.name)
                });
                if name.fits(known) || is_alias {
                    found.push(u32::from(id));
                }
            }
            let in_schema = || catalog.types().iter().any(|one| name.fits(&one.name));
            if found.len() == before && canonical.is_none() && !in_schema() {
                self.no_such_type(&name, value);
            }
        }
        let any = Filter::Test(Test::Type(Set::new(found)));
        let all = || Set::new(event_types(index.n_types()).map(u32::from));
        Some(match field.op {
            Op::IsNot => Filter::And(vec![Filter::Test(Test::Type(all())), not(any)]),
            _ => any,
        })
    }

    fn no_such_type(&mut self, name: &Name, value: &Value) {
        let (index, catalog) = (self.scope.index, self.scope.catalog);
        let problem = match name {
            Name::Same(text, _) => {
                let message = format!("no event type `{text}` in the schema or this log");
                let known = catalog.types().iter().map(|one| one.name.as_str());
                let seen = event_types(index.n_types()).map(|id| index.type_name(TypeId(id)));
                let near = nearest(text, known.chain(seen));
                Problem::warning(value.span.clone(), message).or_rather(near)
            }
            Name::Like(_) => {
                let message = "no event type in the schema or this log fits this";
                Problem::warning(value.span.clone(), message)
            }
        };
        self.problems.push(problem);
    }

    pub(super) fn categories(&mut self, field: &FieldTerm) -> Option<Filter> {
        let (index, catalog) = (self.scope.index, self.scope.catalog);
        let names = self.names(field)?;
        let mut found = Vec::new();
        for (name, value) in names {
            let wanted: Vec<_> = catalog
                .categories()
                .iter()
                .filter(|category| name.fits(&category.name) || name.fits(&category.title))
                .map(|category| category.id)
                .collect();
            let other = name.fits("other");
            if wanted.is_empty() && !other {
                let known = catalog.categories().iter().map(|category| category.name.as_str());
                let list: Vec<_> = known.clone().chain(["other"]).collect();
                let near = match &name {
                    Name::Same(text, _) => nearest(text, known),
                    Name::Like(_) => None,
                };
                let message = format!("no such category; there are {}", list.join(", "));
                let problem = Problem::error(value.span.clone(), message).or_rather(near);
                self.problems.push(problem);
            }
            for id in event_types(index.n_types()) {
                let category = catalog.find(index.type_name(TypeId(id))).map(|one| one.category);
                if category.map_or(other, |category| wanted.contains(&category)) {
                    found.push(u32::from(id));
                }
            }
        }
        let any = Filter::Test(Test::Type(Set::new(found)));
        Some(if field.op == Op::IsNot { not(any) } else { any })
    }

    pub(super) fn actors(&mut self, field: &FieldTerm) -> Option<Filter> {
        let index = self.scope.index;
        let names = self.names(field)?;
        let mut found = Vec::new();
        let mut numbers = Vec::new();
        for (name, _) in &names {
            found.extend(actors_named(index, name));
            if let Name::Same(text, case) = name
                && !text.is_empty()
                && text.bytes().all(|b| b.is_ascii_digit())
            {
                numbers.push(Wanted::Whole(Whole::new(text, *case)));
            }
        }
        let mut any = Filter::Test(Test::Actor(Set::new(found)));
        if !numbers.is_empty() {
            let names = Names::Same([Extractor::new("actorUserId")].into());
            let rule = Rule::AnyOf(numbers.into());
            let by_number = Filter::Test(Test::Attribute(AttributeTest { names, rule }));
            any = Filter::Or(vec![any, by_number]);
        }
        Some(if field.op == Op::IsNot {
            Filter::And(vec![not(Filter::Test(Test::Actor(Set::new([0])))), not(any)])
        } else {
            any
        })
    }

    pub(super) fn outcomes(&mut self, field: &FieldTerm) -> Option<Filter> {
        let index = self.scope.index;
        let names = self.names(field)?;
        let words = || 2..u8::try_from(index.n_outcomes()).unwrap_or(u8::MAX);
        let mut found = Vec::new();
        for (name, _) in &names {
            let fitting = words().filter(|&id| name.fits(index.outcome_name(OutcomeId(id))));
            found.extend(fitting.map(u32::from));
        }
        let any = Filter::Test(Test::Outcome(Set::new(found)));
        Some(if field.op == Op::IsNot {
            let all = Set::new(words().map(u32::from));
            Filter::And(vec![Filter::Test(Test::Outcome(all)), not(any)])
        } else {
            any
        })
    }

    pub(super) fn files(&mut self, field: &FieldTerm) -> Option<Filter> {
        let names = self.names(field)?;
        let files = &self.scope.index.sources().files;
        let mut found = Vec::new();
        for (name, value) in names {
            let before = found.len();
            for (number, file) in (0_u32..).zip(files) {
                let label = file.label();
                let last = label.rsplit(['/', '\\']).next().unwrap_or(label);
                if name.fits(label) || name.fits(last) {
                    found.push(number);
                }
            }
            if found.len() == before {
                let message = "no file of this log has this name; `*` stands for any part";
                self.problems.push(Problem::warning(value.span.clone(), message));
            }
        }
        let any = Filter::Test(Test::File(Set::new(found)));
        Some(if field.op == Op::IsNot { not(any) } else { any })
    }

    pub(super) fn times(&mut self, field: &FieldTerm) -> Option<Filter> {
        let mut parts = Vec::new();
        for value in &field.values {
            match self.time_value(field.op, value) {
                Ok(filter) => parts.push(filter),
                Err(message) => self.error(&value.span, message),
            }
        }
        let any = match parts.len() {
            0 => return None,
            1 => parts.remove(0),
            _ => Filter::Or(parts),
        };
        Some(if field.op == Op::IsNot {
            Filter::And(vec![in_range(Timestamp::MIN, Timestamp::NONE), not(any)])
        } else {
            any
        })
    }

    fn time_value(&self, op: Op, value: &Value) -> Result<Filter, String> {
        let (low, high) = match &value.kind {
            ValueKind::Word(text) | ValueKind::Quoted(text) => {
                return read(text, &self.anchors).map(|when| one_time(op, when));
            }
            ValueKind::Range(low, high) => (low, high),
            ValueKind::Regex { .. } | ValueKind::File(_) => {
                return Err("a time is expected here".to_owned());
            }
        };
        if !matches!(op, Op::Like | Op::Is | Op::IsNot) {
            return Err("a range goes with `:`".to_owned());
        }
        let end = |text: &Option<String>| match text {
            Some(text) => read(text, &self.anchors).map(Some),
            None => Ok(None),
        };
        match (end(low)?, end(high)?) {
            (Some(When::Clock(start, _)), Some(When::Clock(end, _))) => {
                let end = if end <= start { end + crate::query::when::DAY } else { end };
                Ok(Filter::Test(Test::Clock(start, end)))
            }
            (Some(When::Clock(start, _)), None) => {
                Ok(Filter::Test(Test::Clock(start, crate::query::when::DAY.max(start))))
            }
            (None, Some(When::Clock(end, _))) => Ok(Filter::Test(Test::Clock(0.min(end), end))),
            (Some(When::Clock(..)), _) | (_, Some(When::Clock(..))) => {
                Err("both ends must be times of day, or none".to_owned())
            }
            (low, high) => {
                let start = low.map_or(Timestamp::MIN, |when| span(when).start);
                let end = match high {
                    None => Timestamp::NONE,
                    Some(When::Date(range)) => range.end,
                    Some(when) => span(when).start,
                };
                Ok(in_range(start, end))
            }
        }
    }

    pub(super) fn hours(&mut self, field: &FieldTerm) -> Option<Filter> {
        let hour = |text: &str| text.parse::<u8>().ok().filter(|&hour| hour < 24);
        let bits = self.cycle(field, 24, hour, "an hour is a number from 0 to 23")?;
        Some(Filter::Test(Test::Hours(bits)))
    }

    pub(super) fn weekdays(&mut self, field: &FieldTerm) -> Option<Filter> {
        let message = "a day of the week is mon, tue, wed, thu, fri, sat or sun";
        let bits = self.cycle(field, 7, weekday, message)?;
        Some(Filter::Test(Test::Weekdays(u8::try_from(bits).unwrap_or(0))))
    }

    /// Returns the bits of the hours or days that a field's values name; ranges may wrap.
    fn cycle(
        &mut self,
        field: &FieldTerm,
        len: u8,
        read: impl Fn(&str) -> Option<u8>,
        message: &str,
    ) -> Option<u32> {
        let mut bits = 0_u32;
        let mut is_good = false;
        for value in &field.values {
            let ends = match &value.kind {
                ValueKind::Word(text) | ValueKind::Quoted(text) => {
                    read(text).map(|one| match field.op {
                        Op::Like | Op::Is | Op::IsNot => (one, one),
                        Op::Less if one == 0 => (1, 0),
                        Op::Less => (0, one - 1),
                        Op::AtMost => (0, one),
                        Op::More => (one + 1, len - 1),
                        Op::AtLeast => (one, len - 1),
                    })
                }
                ValueKind::Range(low, high) => {
                    let low = low.as_deref().map_or(Some(0), &read);
                    low.zip(high.as_deref().map_or(Some(len - 1), &read))
                }
                ValueKind::Regex { .. } | ValueKind::File(_) => None,
            };
            match ends {
                Some((low, high)) => {
                    is_good = true;
                    let wraps = matches!(value.kind, ValueKind::Range(..)) && low > high;
                    let inside = |at: u8| {
                        if wraps { at >= low || at <= high } else { low <= at && at <= high }
                    };
                    bits |= (0..len).filter(|&at| inside(at)).fold(0, |all, at| all | 1 << at);
                }
                None => self.error(&value.span, message),
            }
        }
        if field.op == Op::IsNot {
            bits = !bits & ((1 << len) - 1);
        }
        is_good.then_some(bits)
    }

    /// Returns the filter for `has:`, `missing:` or `null:` of a field with a column.
    pub(super) fn column_presence(&self, kind: Option<FieldKind>, rule: &Rule) -> Option<Filter> {
        let index = self.scope.index;
        let (has, null) = match kind? {
            FieldKind::Type => {
                let named = event_types(index.n_types()).map(u32::from).filter(|&id| id > 1);
                (Filter::Test(Test::Type(Set::new(named))), none())
            }
            FieldKind::Actor => (not(Filter::Test(Test::Actor(Set::new([0])))), none()),
            FieldKind::Outcome => {
                let empty = [OutcomeId::MISSING, OutcomeId::NULL].map(|id| u32::from(id.0));
                let null = Set::new([u32::from(OutcomeId::NULL.0)]);
                (
                    not(Filter::Test(Test::Outcome(Set::new(empty)))),
                    Filter::Test(Test::Outcome(null)),
                )
            }
            FieldKind::Time => (not(Filter::Test(Test::Flag(Flags::NO_TIME))), none()),
            _ => return None,
        };
        Some(match rule {
            Rule::Has => has,
            Rule::Null => null,
            _ => Filter::And(vec![not(has), not(null)]),
        })
    }
}

/// Returns the numbers of the actors that a name fits; the index has them in lower case.
fn actors_named(index: &Index, name: &Name) -> Vec<u32> {
    match name {
        Name::Same(text, _) if text.is_empty() => Vec::new(),
        Name::Same(text, _) => index.find_actor(text).map(|id| id.0).into_iter().collect(),
        Name::Like(_) => {
            let ids = 1..u32::try_from(index.n_actors()).unwrap_or(u32::MAX);
            ids.filter(|&id| name.fits(index.actor_name(ActorId(id)))).collect()
        }
    }
}

/// Returns the numbers of all types but that of bad records.
fn event_types(n_types: usize) -> impl Iterator<Item = u16> + Clone {
    1..u16::try_from(n_types).unwrap_or(u16::MAX)
}

fn span(when: When) -> TimeRange {
    match when {
        When::Date(range) | When::Moment(range) => range,
        When::Relative(t) => TimeRange { start: t, end: t },
        When::Clock(start, len) => {
            TimeRange { start: Timestamp(start), end: Timestamp(start + len) }
        }
    }
}

fn one_time(op: Op, when: When) -> Filter {
    let day = crate::query::when::DAY;
    if let When::Clock(start, len) = when {
        let (start, end) = match op {
            Op::Like | Op::Is | Op::IsNot => (start, start + len),
            Op::Less => (0.min(start), start),
            Op::AtMost => (0.min(start), start + len),
            Op::More => (start + len, day.max(start + len)),
            Op::AtLeast => (start, day.max(start)),
        };
        return Filter::Test(Test::Clock(start, end));
    }
    let range = span(when);
    match (op, when) {
        (Op::Less, _) => in_range(Timestamp::MIN, range.start),
        (Op::AtLeast, _) | (Op::Like | Op::Is | Op::IsNot, When::Relative(_)) => {
            in_range(range.start, Timestamp::NONE)
        }
        (Op::AtMost, When::Relative(t)) => in_range(Timestamp::MIN, Timestamp(t.0 + 1)),
        (Op::AtMost, _) => in_range(Timestamp::MIN, range.end),
        (Op::More, When::Relative(t)) => in_range(Timestamp(t.0 + 1), Timestamp::NONE),
        (Op::More, _) => in_range(range.end, Timestamp::NONE),
        (Op::Like | Op::Is | Op::IsNot, _) => in_range(range.start, range.end),
    }
}
