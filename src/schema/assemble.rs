//! Facts and words linked into a catalogue; what does not fit is left out and listed.

use std::sync::Arc;

use super::catalog::Catalog;
use super::load::Fault;
use super::model::{
    Attribute, Category, CategoryId, CodeValue, Effect, EventType, ObjectRef, Related, Shared,
    Status, Term,
};
use super::raw::{
    Named, RawAttribute, RawAttributeText, RawBundle, RawObject, RawRelation, RawSchema, RawText,
    RawType, RawTypeText, RawValues,
};

/// Links the raw files.
pub(super) fn assemble(schema: RawSchema, mut text: RawText) -> (Catalog, Vec<Fault>) {
    let mut faults = Vec::new();
    let categories = categories(&schema.categories, &mut text.categories, &mut faults);
    let attributes = attributes(schema.attributes, &mut text, &mut faults);
    let linker = Linker { attributes: &attributes, bundles: &schema.bundles };
    let shared = |names: &[String], place: &str, faults: &mut Vec<Fault>| Shared {
        common: linker.all(names, place, faults),
        outside: linker.all(&schema.outside, "outside", faults),
        spellings: schema.spellings.clone(),
    };
    let site = Arc::new(shared(&schema.common, "common", &mut faults));
    let tenant = Arc::new(shared(&schema.tenant, "tenant", &mut faults));
    let mut types = Vec::with_capacity(schema.types.len());
    for (name, raw) in schema.types {
        if name.is_empty() {
            faults.push(Fault::new("types", "a type has no name"));
            continue;
        }
        let words = text.types.remove(&name).unwrap_or_default();
        let mut one = linker.event_type(name, raw, &categories, &site, &mut faults);
        set_words(&mut one, words, &text.shared, &mut faults);
        one.people = people(&one, &schema.relations);
        types.push(one);
    }
    types.sort_by(|a, b| a.name.cmp(&b.name));
    for name in text.types.keys() {
        faults.push(Fault::new(format!("text.types.{name}"), "no such type"));
    }
    for (alias, name) in &schema.aliases {
        if types.binary_search_by(|t| t.name.cmp(name)).is_err() {
            faults.push(Fault::new(format!("aliases.{alias}"), format!("no such type: {name}")));
        }
    }
    let mut attributes: Vec<_> = attributes.into_values().collect();
    attributes.sort_by(|a, b| a.key.cmp(&b.key));
    let mut glossary: Vec<_> = text.glossary.into_iter().map(term).collect();
    glossary.sort_by_cached_key(|term| term.name.to_lowercase());
    faults.sort_by(|a, b| a.place.cmp(&b.place));
    let catalog = Catalog::new(Parts {
        types,
        attributes,
        categories,
        glossary,
        statuses: text.statuses,
        aliases: schema.aliases,
        site,
        tenant,
    });
    (catalog, faults)
}

/// All that a catalogue is made of.
pub(super) struct Parts {
    pub(super) types: Vec<EventType>,
    pub(super) attributes: Vec<Arc<Attribute>>,
    pub(super) categories: Vec<Category>,
    pub(super) glossary: Vec<Term>,
    pub(super) statuses: Named<String>,
    pub(super) aliases: Named<String>,
    pub(super) site: Arc<Shared>,
    pub(super) tenant: Arc<Shared>,
}

fn categories(
    names: &[String],
    titles: &mut Named<String>,
    faults: &mut Vec<Fault>,
) -> Vec<Category> {
    let mut out = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        let title = titles.remove(name).unwrap_or_else(|| {
            faults.push(Fault::new(format!("text.categories.{name}"), "has no title"));
            name.clone()
        });
        // The last number is taken by types that the schema does not know.
        match u8::try_from(at) {
            Ok(id) if id < u8::MAX => {
                out.push(Category { id: CategoryId(id), name: name.clone(), title });
            }
            _ => faults.push(Fault::new("categories", "more than 255")),
        }
    }
    for name in titles.keys() {
        faults.push(Fault::new(format!("text.categories.{name}"), "no such category"));
    }
    out
}

fn attributes(
    raw: Named<RawAttribute>,
    text: &mut RawText,
    faults: &mut Vec<Fault>,
) -> Named<Arc<Attribute>> {
    let mut out = Named::with_capacity_and_hasher(raw.len(), Default::default());
    for (key, facts) in raw {
        let words = text.attributes.remove(&key).unwrap_or_default();
        if key.is_empty() || key.starts_with('@') {
            faults.push(Fault::new(format!("attributes.{key}"), "has no name"));
            continue;
        }
        match attribute(&key, facts, words, &text.shared, faults) {
            Some(attribute) => drop(out.insert(key, Arc::new(attribute))),
            None => faults.push(Fault::new(format!("attributes.{key}.type"), "is missing")),
        }
    }
    for key in text.attributes.keys() {
        faults.push(Fault::new(format!("text.attributes.{key}"), "no such attribute"));
    }
    out
}

fn attribute(
    key: &str,
    facts: RawAttribute,
    words: RawAttributeText,
    shared: &Named<String>,
    faults: &mut Vec<Fault>,
) -> Option<Attribute> {
    let name = key.split_once('@').map_or(key, |(name, _)| name);
    let place = format!("text.attributes.{key}");
    let mut texts = words.values.unwrap_or_default();
    let values: Vec<_> = match facts.values {
        None => Vec::new(),
        Some(RawValues::Coded(words)) => by_code(words),
        Some(RawValues::Plain(words)) => words.into_iter().map(|w| (w.clone(), w)).collect(),
    };
    let values = values.into_iter().map(|(code, word)| {
        let text = texts.remove(&code).unwrap_or_default();
        CodeValue { code, word, text }
    });
    let values = values.collect();
    for code in texts.keys() {
        faults.push(Fault::new(format!("{place}.values.{code}"), "no such value"));
    }
    Some(Attribute {
        name: String::from(name),
        key: String::from(key),
        kind: facts.kind?,
        summary: words.summary.unwrap_or_default(),
        notes: fill(words.notes.unwrap_or_default(), shared, &place, faults),
        values,
        mask: facts.mask,
        unit: facts.unit,
        format: facts.format,
    })
}

fn by_code(words: Named<String>) -> Vec<(String, String)> {
    let mut values: Vec<_> = words.into_iter().collect();
    values.sort_by_cached_key(|(code, _)| (code.parse::<i64>().unwrap_or(i64::MAX), code.clone()));
    values
}

/// Puts shared sentences in the place of their names in braces.
fn fill(text: String, shared: &Named<String>, place: &str, faults: &mut Vec<Fault>) -> String {
    if !text.contains('{') {
        return text;
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        match shared.get(name) {
            Some(sentence) => out.push_str(sentence),
            None => {
                let message = format!("no shared text of this name: {name}");
                faults.push(Fault::new(format!("{place}.notes"), message));
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn set_words(
    one: &mut EventType,
    words: RawTypeText,
    shared: &Named<String>,
    faults: &mut Vec<Fault>,
) {
    let place = format!("text.types.{}", one.name);
    one.title = words.title.unwrap_or_else(|| one.name.clone());
    one.summary = words.summary.unwrap_or_default();
    one.notes = fill(words.notes.unwrap_or_default(), shared, &place, faults);
}

struct Linker<'a> {
    attributes: &'a Named<Arc<Attribute>>,
    bundles: &'a Named<RawBundle>,
}

impl Linker<'_> {
    fn all(&self, keys: &[String], place: &str, faults: &mut Vec<Fault>) -> Vec<Arc<Attribute>> {
        let mut out = Vec::with_capacity(keys.len());
        self.add(&mut out, keys, place, faults);
        out
    }

    /// Adds attributes; one of the same name takes the place of the earlier one.
    fn add(
        &self,
        out: &mut Vec<Arc<Attribute>>,
        keys: &[String],
        place: &str,
        faults: &mut Vec<Fault>,
    ) {
        for key in keys {
            let Some(attribute) = self.attributes.get(key) else {
                faults.push(Fault::new(place, format!("no such attribute: {key}")));
                continue;
            };
            match out.iter_mut().find(|a| a.name == attribute.name) {
                Some(earlier) => *earlier = Arc::clone(attribute),
                None => out.push(Arc::clone(attribute)),
            }
        }
    }

    fn event_type(
        &self,
        name: String,
        raw: RawType,
        categories: &[Category],
        shared: &Arc<Shared>,
        faults: &mut Vec<Fault>,
    ) -> EventType {
        let place = format!("types.{name}");
        let status = statuses(&raw);
        let category = category(raw.category.as_deref(), categories, &place, faults);
        let (mut attributes, mut object) = (Vec::new(), raw.object);
        if let Some(bundle) = raw.bundle {
            match self.bundles.get(&bundle) {
                Some(found) => {
                    let from = format!("bundles.{bundle}.attributes");
                    self.add(&mut attributes, &found.attributes, &from, faults);
                    object = object.or_else(|| found.object.clone());
                }
                None => faults.push(Fault::new(
                    format!("{place}.bundle"),
                    format!("no such bundle: {bundle}"),
                )),
            }
        }
        let own = raw.attributes.unwrap_or_default();
        self.add(&mut attributes, &own, &format!("{place}.attributes"), faults);
        attributes.sort_by_cached_key(|a| a.name.to_lowercase());
        let mut one = EventType {
            name,
            title: String::new(),
            category,
            effect: raw.effect.unwrap_or(Effect::Write),
            summary: String::new(),
            notes: String::new(),
            status,
            attributes,
            object: None,
            people: Vec::new(),
            shared: Arc::clone(shared),
        };
        if raw.effect.is_none() {
            faults.push(Fault::new(format!("{place}.effect"), "is missing"));
        }
        one.object = object.and_then(|object| object_ref(&one, object, &place, faults));
        one
    }
}

fn category(
    name: Option<&str>,
    categories: &[Category],
    place: &str,
    faults: &mut Vec<Fault>,
) -> CategoryId {
    let message = match name {
        None => String::from("is missing"),
        Some(name) => match categories.iter().find(|c| c.name == name) {
            Some(category) => return category.id,
            None => format!("no such category: {name}"),
        },
    };
    faults.push(Fault::new(format!("{place}.category"), message));
    CategoryId::OTHER
}

fn object_ref(
    one: &EventType,
    raw: RawObject,
    place: &str,
    faults: &mut Vec<Fault>,
) -> Option<ObjectRef> {
    let unknown = |name: &Option<String>| name.clone().filter(|n| one.attribute(n).is_none());
    if let Some(name) = unknown(&raw.id).or_else(|| unknown(&raw.name)) {
        let message = format!("the type has no such attribute: {name}");
        faults.push(Fault::new(format!("{place}.object"), message));
        return None;
    }
    Some(ObjectRef { kind: raw.kind, id: raw.id, name: raw.name })
}

fn statuses(raw: &RawType) -> Vec<Status> {
    let deprecated = raw
        .deprecated
        .as_ref()
        .map(|d| Status::Deprecated { since: d.since.clone(), use_instead: d.use_instead.clone() });
    let retired = raw.retired.clone().map(|since| Status::Retired { since });
    let flag = |on: Option<bool>, status: Status| (on == Some(true)).then_some(status);
    let flags = [
        deprecated,
        retired,
        flag(raw.legacy, Status::Legacy),
        flag(raw.api_partial, Status::ApiPartial),
        flag(raw.outside, Status::Outside),
    ];
    flags.into_iter().flatten().collect()
}

/// Applies the rules whose attributes the type has; the first rule for an id or name wins.
fn people(one: &EventType, rules: &[RawRelation]) -> Vec<Related> {
    let object = one.object.as_ref();
    let object_id = object.and_then(|o| o.id.as_deref());
    let object_name = object.and_then(|o| o.name.as_deref());
    let mut out: Vec<Related> = Vec::new();
    for rule in rules {
        let (id, name) = (rule.id.as_deref(), rule.name.as_deref());
        let own = |attribute: &str| {
            one.attributes.iter().chain(&one.shared.common).any(|a| a.name == attribute)
        };
        let fits = [id, name].into_iter().flatten().all(own);
        let meant = rule.types.as_ref().is_none_or(|types| types.contains(&one.name));
        let taken = match id {
            Some(_) => object_id == id || out.iter().any(|r| r.id.as_deref() == id),
            None => object_name == name || out.iter().any(|r| r.name.as_deref() == name),
        };
        if fits && meant && !taken {
            out.push(Related {
                role: rule.role.clone(),
                kind: rule.kind.clone(),
                id: rule.id.clone(),
                name: rule.name.clone(),
            });
        }
    }
    out
}

fn term((name, raw): (String, super::raw::RawTerm)) -> Term {
    Term { name, words: raw.words, text: raw.text }
}
