//! Attributes: their names by the schema, and values with units, codes, networks and ranges.

use std::collections::HashMap;
use std::sync::Arc;

use regex::RegexBuilder;

use super::{Resolver, none};
use crate::base::id::TypeId;
use crate::query::ast::{Case, FieldTerm, Op, Problem, Value, ValueKind};
use crate::query::extract::Extractor;
use crate::query::fields::FIELDS;
use crate::query::filter::{AttributeTest, Filter, KnownNames, Names, Rule, Set, Test};
use crate::query::suggest::nearest;
use crate::query::value::{Bound, Edge, Limit, Net, Number, Wanted, Whole};
use crate::query::when;
use crate::schema::decode::code_for;
use crate::schema::model::{Attribute, EventType, Related, Unit};

/// People that events name whatever their type.
const PEOPLE: [&str; 7] = [
    "actorUserId",
    "actorUserLuid",
    "initiatingUserId",
    "initiatingUserLuid",
    "impersonatedUserId",
    "userId",
    "userLuid",
];

impl Resolver<'_> {
    pub(super) fn attribute(&mut self, field: &FieldTerm) -> Option<Filter> {
        self.check_attribute(&field.name, &field.name_span);
        let names = self.spelt(&field.name);
        self.values(field, names, &field.name)
    }

    /// Warns when the schema does not know an attribute.
    pub(super) fn check_attribute(&mut self, name: &str, span: &std::ops::Range<usize>) {
        let catalog = self.scope.catalog;
        if !catalog.meanings(name).is_empty() {
            return;
        }
        let message = format!("the schema has no attribute `{name}`; quote it to search for text");
        let fields = FIELDS.iter().map(|field| field.name);
        let known = catalog.attributes().iter().map(|attribute| attribute.name.as_str());
        let near = nearest(name, fields.chain(known));
        self.problems.push(Problem::warning(span.clone(), message).or_rather(near));
    }

    /// Returns the attribute as it is written and as the schema spells it.
    pub(super) fn spelt(&self, name: &str) -> Names {
        let mut names = vec![Extractor::new(name)];
        if let Some(meaning) = self.scope.catalog.meanings(name).first()
            && !meaning.name.eq_ignore_ascii_case(name)
        {
            names.push(Extractor::new(&meaning.name));
        }
        Names::Same(names.into())
    }

    /// Returns the attributes that name people, by type.
    pub(super) fn people(&self) -> Names {
        self.by_type(|one| {
            let mut names: Vec<&str> = PEOPLE.to_vec();
            let people = one.map_or(&[][..], |one| &one.people);
            for Related { id, name, kind, .. } in people {
                if kind == "user" {
                    names.extend(id.as_deref().into_iter().chain(name.as_deref()));
                }
            }
            let object = one.and_then(|one| one.object.as_ref());
            if let Some(object) = object.filter(|object| object.kind == "user") {
                names.extend(object.id.as_deref().into_iter().chain(object.name.as_deref()));
            }
            names.into_iter().map(str::to_owned).collect()
        })
    }

    /// Returns the attributes that name what was acted on, by type.
    pub(super) fn objects(&self) -> Names {
        self.by_type(|one| {
            let Some(object) = one.and_then(|one| one.object.as_ref()) else { return Vec::new() };
            let mut names: Vec<String> = Vec::new();
            names.extend(object.id.iter().chain(&object.name).cloned());
            if let Some(id) = &object.id {
                // Ids come in pairs: the number and the LUID.
                if let Some(stem) = id.strip_suffix("Luid") {
                    names.push(format!("{stem}Id"));
                } else if let Some(stem) = id.strip_suffix("Id") {
                    names.push(format!("{stem}Luid"));
                }
            }
            names
        })
    }

    fn by_type(&self, names_of: impl Fn(Option<&EventType>) -> Vec<String>) -> Names {
        let (index, catalog) = (self.scope.index, self.scope.catalog);
        let mut shared: HashMap<Vec<String>, Arc<[Extractor]>> = HashMap::new();
        let types = (0..index.n_types()).map(|id| {
            let id = TypeId(u16::try_from(id).unwrap_or(u16::MAX));
            let mut names = names_of(catalog.find(index.type_name(id)));
            names.sort();
            names.dedup();
            let build = |names: &Vec<String>| names.iter().map(|n| Extractor::new(n)).collect();
            Arc::clone(shared.entry(names.clone()).or_insert_with(|| build(&names)))
        });
        let types: Vec<_> = types.collect();
        Names::ByType(types.into())
    }

    /// Returns the filter for types and attributes outside the schema.
    pub(super) fn unknown(&self) -> Filter {
        let (index, catalog) = (self.scope.index, self.scope.catalog);
        let known: Vec<KnownNames> = (0..index.n_types())
            .map(|id| {
                let id = TypeId(u16::try_from(id).unwrap_or(u16::MAX));
                let one = catalog.find(index.type_name(id))?;
                let own = one.attributes.iter().chain(one.common()).chain(catalog.outside());
                let mut names: Vec<_> =
                    own.map(|attribute| attribute.name.to_ascii_lowercase()).collect();
                names.extend(["eventtype".to_owned(), "eventtime".to_owned()]);
                names.sort();
                names.dedup();
                Some(names.into())
            })
            .collect();
        let strange = known.iter().enumerate().skip(1).filter(|(_, names)| names.is_none());
        let types = Set::new(strange.filter_map(|(id, _)| u32::try_from(id).ok()));
        Filter::Or(vec![Filter::Test(Test::Type(types)), Filter::Test(Test::Unknown(known.into()))])
    }

    /// Returns the filter for the values of some attributes; units and codes are those of `like`.
    pub(super) fn values(&mut self, field: &FieldTerm, names: Names, like: &str) -> Option<Filter> {
        let catalog = self.scope.catalog;
        let meanings: Vec<_> = catalog.meanings(like).into_iter().map(Arc::clone).collect();
        let mut wanted = Vec::new();
        let mut is_good = false;
        for value in &field.values {
            let found = match field.op {
                Op::Like | Op::Is | Op::IsNot => self.one_of(field.op, value, &meanings),
                Op::Less | Op::AtMost | Op::More | Op::AtLeast => {
                    self.bound(field.op, value, &meanings).map(|range| vec![range])
                }
            };
            if let Some(found) = found {
                is_good = true;
                wanted.extend(found);
            }
        }
        if !is_good {
            return None;
        }
        if wanted.is_empty() && field.op != Op::IsNot {
            return Some(none());
        }
        let rule = match field.op {
            Op::IsNot => Rule::NoneOf(wanted.into()),
            _ => Rule::AnyOf(wanted.into()),
        };
        Some(Filter::Test(Test::Attribute(AttributeTest { names, rule })))
    }

    fn one_of(
        &mut self,
        op: Op,
        value: &Value,
        meanings: &[Arc<Attribute>],
    ) -> Option<Vec<Wanted>> {
        let case = if op == Op::Is { Case::Exact } else { Case::Ignored };
        match &value.kind {
            ValueKind::Word(text) if case == Case::Ignored && text.contains('*') => {
                let pattern = Wanted::pattern_of(text)?;
                let mut wanted = codes_like(&pattern, meanings);
                wanted.push(pattern);
                Some(wanted)
            }
            ValueKind::Word(text) => {
                if let Some(net) = Net::read(text) {
                    return Some(vec![Wanted::Net(net)]);
                }
                let mut wanted = whole(text, case, meanings);
                let quantity = quantity(text, meanings).ok().flatten();
                if let Some(number) = quantity.filter(|_| Number::read(text).is_none()) {
                    let bound = || Bound { at: Limit::Number(number), edge: Edge::Included };
                    wanted.push(Wanted::Between(Some(bound()), Some(bound())));
                }
                Some(wanted)
            }
            ValueKind::Quoted(text) => Some(whole(text, case, meanings)),
            ValueKind::Regex { pattern, case } => {
                let insensitive = *case == Case::Ignored;
                match RegexBuilder::new(pattern).case_insensitive(insensitive).build() {
                    Ok(regex) => Some(vec![Wanted::Pattern(regex)]),
                    Err(error) => {
                        self.bad_regex(value, &error);
                        None
                    }
                }
            }
            ValueKind::File(path) => {
                let lines = self.list(value, path)?;
                Some(lines.iter().flat_map(|line| whole(line, case, meanings)).collect())
            }
            ValueKind::Range(low, high) => {
                let low = self.end(low.as_deref(), value, meanings)?;
                let high = self.end(high.as_deref(), value, meanings)?;
                Some(vec![Wanted::Between(low, high)])
            }
        }
    }

    fn end(
        &mut self,
        text: Option<&str>,
        value: &Value,
        meanings: &[Arc<Attribute>],
    ) -> Option<Option<Bound>> {
        let Some(text) = text else { return Some(None) };
        let at = self.limit(text, value, meanings)?;
        Some(Some(Bound { at, edge: Edge::Included }))
    }

    fn limit(&mut self, text: &str, value: &Value, meanings: &[Arc<Attribute>]) -> Option<Limit> {
        match quantity(text, meanings) {
            Ok(Some(number)) => Some(Limit::Number(number)),
            Ok(None) => Some(Limit::Text(text.to_owned())),
            Err(message) => {
                self.error(&value.span, message);
                None
            }
        }
    }

    fn bound(&mut self, op: Op, value: &Value, meanings: &[Arc<Attribute>]) -> Option<Wanted> {
        let (ValueKind::Word(text) | ValueKind::Quoted(text)) = &value.kind else {
            self.error(&value.span, "one number, size, duration or text is expected here");
            return None;
        };
        let at = self.limit(text, value, meanings)?;
        let edge =
            if matches!(op, Op::AtMost | Op::AtLeast) { Edge::Included } else { Edge::Excluded };
        let bound = Some(Bound { at, edge });
        Some(match op {
            Op::Less | Op::AtMost => Wanted::Between(None, bound),
            _ => Wanted::Between(bound, None),
        })
    }
}

/// Returns the wishes for a value and for the codes it may be the word of.
fn whole(text: &str, case: Case, meanings: &[Arc<Attribute>]) -> Vec<Wanted> {
    let mut wanted = vec![Wanted::Whole(Whole::new(text, case))];
    let mut codes: Vec<_> = meanings.iter().filter_map(|meaning| code_for(meaning, text)).collect();
    codes.sort_unstable();
    codes.dedup();
    let codes = codes.into_iter().filter(|code| *code != text);
    wanted.extend(codes.map(|code| Wanted::Whole(Whole::new(code, case))));
    wanted
}

fn codes_like(pattern: &Wanted, meanings: &[Arc<Attribute>]) -> Vec<Wanted> {
    let values = meanings.iter().flat_map(|meaning| &meaning.values);
    let fitting = values
        .filter(|value| pattern.fits(&value.word, crate::base::json::JsonKind::String))
        .map(|value| Wanted::Whole(Whole::new(&value.code, Case::Ignored)));
    fitting.collect()
}

/// Reads a number with an optional unit, in the unit that the schema gives the attribute.
///
/// Returns `Ok(None)` for what is no quantity.
fn quantity(text: &str, meanings: &[Arc<Attribute>]) -> Result<Option<Number>, String> {
    if let Some(number) = Number::read(text) {
        return Ok(Some(number));
    }
    let units = || meanings.iter().filter_map(|meaning| meaning.unit);
    if let Some(bytes) = size(text) {
        if units().any(|unit| unit == Unit::Bytes) {
            return Ok(Some(Number::Int(bytes)));
        }
    } else if let Some(percent) = text.strip_suffix('%') {
        return Ok(Number::read(percent));
    }
    let Some(nanos) = when::duration(text) else {
        return match size(text) {
            Some(_) => Err(no_unit(text)),
            None => Ok(None),
        };
    };
    let step = units().find_map(|unit| match unit {
        Unit::Milliseconds => Some(1_000_000),
        Unit::Seconds => Some(1_000_000_000),
        Unit::Minutes => Some(60_000_000_000),
        Unit::Bytes | Unit::Percent => None,
    });
    match step {
        Some(step) if nanos % step == 0 => Ok(Some(Number::Int(nanos / step))),
        Some(step) => Ok(Some(Number::Float(nanos as f64 / step as f64))),
        None => Err(no_unit(text)),
    }
}

fn no_unit(text: &str) -> String {
    format!("the schema gives this attribute no unit that `{text}` could be in; write a number")
}

/// Reads `100MiB`, `5kB`, `12B`: bytes.
fn size(text: &str) -> Option<i128> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let unit = match unit.to_ascii_lowercase().as_str() {
        "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" | "k" => 1 << 10,
        "mib" => 1 << 20,
        "gib" | "g" => 1 << 30,
        "tib" | "t" => 1 << 40,
        _ => return None,
    };
    when::scaled(number, unit)
}
