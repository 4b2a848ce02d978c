//! The whole schema, ready to be asked.

use std::sync::Arc;

use super::assemble::Parts;
use super::load::{self, Fault};
use super::model::{Attribute, Category, CategoryId, Effect, EventType, Shared, Status, Term};
use super::raw::Named;
use super::search::{self, Hit};

#[cfg(test)]
mod tests;

/// All event types, attributes, categories and words; share it in an `Arc`.
#[derive(Debug)]
pub struct Catalog {
    types: Vec<EventType>,
    attributes: Vec<Arc<Attribute>>,
    categories: Vec<Category>,
    glossary: Vec<Term>,
    statuses: Named<String>,
    aliases: Named<String>,
    /// Lower-case names and aliases, with places in `types`.
    by_name: Named<usize>,
    site: Arc<Shared>,
    tenant: Arc<Shared>,
}

impl Catalog {
    /// Decodes the built-in schema.
    ///
    /// # Errors
    ///
    /// Lists every fault of the asset; the tests see to it that there is none.
    pub fn built_in() -> Result<Self, Vec<Fault>> {
        load::built_in()
    }

    pub(super) fn new(parts: Parts) -> Self {
        let Parts { types, attributes, categories, glossary, statuses, aliases, site, tenant } =
            parts;
        let mut by_name = Named::default();
        for (place, one) in types.iter().enumerate() {
            by_name.insert(one.name.to_lowercase(), place);
        }
        for (alias, name) in &aliases {
            if let Some(&place) = by_name.get(&name.to_lowercase()) {
                by_name.entry(alias.to_lowercase()).or_insert(place);
            }
        }
        Self { types, attributes, categories, glossary, statuses, aliases, by_name, site, tenant }
    }

    /// Returns all types, by name.
    pub fn types(&self) -> &[EventType] {
        &self.types
    }

    /// Returns the type of this name or alias; case and blanks around it do not matter.
    pub fn find(&self, name: &str) -> Option<&EventType> {
        let exact = self.types.binary_search_by(|t| t.name.as_str().cmp(name)).ok();
        let place = exact.or_else(|| self.by_name.get(&name.trim().to_lowercase()).copied());
        self.types.get(place?)
    }

    /// Returns the attributes of every site event.
    pub fn common(&self) -> &[Arc<Attribute>] {
        &self.site.common
    }

    /// Returns the attributes of every tenant event, whatever its type.
    pub fn tenant_common(&self) -> &[Arc<Attribute>] {
        &self.tenant.common
    }

    /// Returns attributes that older and newer logs carry on any type.
    pub fn outside(&self) -> &[Arc<Attribute>] {
        &self.site.outside
    }

    /// Returns every meaning of every attribute, by key.
    pub fn attributes(&self) -> &[Arc<Attribute>] {
        &self.attributes
    }

    /// Returns every meaning of the attributes of this name; case does not matter if nothing has
    /// the exact name.
    pub fn meanings(&self, name: &str) -> Vec<&Arc<Attribute>> {
        let spelt = self.site.spellings.get(name).map_or(name, String::as_str);
        let with = |same: &dyn Fn(&str) -> bool| -> Vec<_> {
            self.attributes.iter().filter(|a| same(&a.name)).collect()
        };
        let exact = with(&|n| n == spelt);
        if exact.is_empty() { with(&|n| n.eq_ignore_ascii_case(spelt.trim())) } else { exact }
    }

    /// Returns the types that carry this meaning as an attribute of their own, by name.
    pub fn carriers(&self, meaning: &Attribute) -> Vec<&EventType> {
        let carries = |t: &&EventType| t.attributes.iter().any(|a| a.key == meaning.key);
        self.types.iter().filter(carries).collect()
    }

    /// Returns the types that carry an attribute of this name, whatever it means there, by name.
    pub fn types_with(&self, name: &str) -> Vec<&EventType> {
        let carries = |t: &&EventType| t.attributes.iter().any(|a| a.name == name);
        self.types.iter().filter(carries).collect()
    }

    /// Returns a stand-in for a type that the schema does not know, with what all events share.
    ///
    /// `keys` are the names of the event's attributes: they tell a tenant event from a site event.
    pub fn stand_in<'a>(&self, name: &str, keys: impl IntoIterator<Item = &'a str>) -> EventType {
        let mut tenant = false;
        for key in keys {
            let is = |a: &Arc<Attribute>| a.name == key;
            // What both families share tells nothing.
            match (self.site.common.iter().any(is), self.tenant.common.iter().any(is)) {
                (true, false) => return self.blank(name, &self.site),
                (false, true) => tenant = true,
                _ => {}
            }
        }
        self.blank(name, if tenant { &self.tenant } else { &self.site })
    }

    fn blank(&self, name: &str, shared: &Arc<Shared>) -> EventType {
        EventType {
            name: String::from(name),
            title: String::from(name),
            category: CategoryId::OTHER,
            effect: Effect::Write,
            summary: String::new(),
            notes: String::new(),
            status: vec![Status::Outside],
            attributes: Vec::new(),
            object: None,
            people: Vec::new(),
            shared: Arc::clone(shared),
        }
    }

    /// Returns the categories in display order.
    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// Returns a category, or nothing for [`CategoryId::OTHER`].
    pub fn category(&self, id: CategoryId) -> Option<&Category> {
        self.categories.get(usize::from(id.0))
    }

    /// Returns the types of a category, by name.
    pub fn types_in(&self, id: CategoryId) -> impl Iterator<Item = &EventType> {
        self.types.iter().filter(move |t| t.category == id)
    }

    /// Returns other names of types, with the name that counts.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.aliases.iter().map(|(alias, name)| (alias.as_str(), name.as_str()))
    }

    /// Returns the explained words, by name.
    pub fn glossary(&self) -> &[Term] {
        &self.glossary
    }

    /// Returns the explained words that `text` uses, by name.
    pub fn terms_in(&self, text: &str) -> Vec<&Term> {
        let text = text.to_ascii_lowercase();
        let used = |term: &&Term| term.words.iter().any(|word| has_word(&text, word));
        self.glossary.iter().filter(used).collect()
    }

    /// Returns a status in words.
    pub fn status_text(&self, status: &Status) -> String {
        let text = self.statuses.get(status.name()).map_or(status.name(), String::as_str);
        match status {
            Status::Deprecated { since, use_instead } => {
                text.replace("{since}", since).replace("{use}", use_instead)
            }
            Status::Retired { since } => text.replace("{since}", since),
            Status::Legacy | Status::ApiPartial | Status::Outside => String::from(text),
        }
    }

    /// Returns types and attributes that fit `words`, best first: by fuzzy name and title, and by
    /// the words of their texts. What fits most of the words is found.
    pub fn search(&self, words: &str) -> Vec<Hit<'_>> {
        search::search(self, words)
    }

    /// Returns at most three names of types and attributes that look like `name`.
    pub fn nearest(&self, name: &str) -> Vec<&str> {
        search::nearest(self, name)
    }
}

/// Returns whether lower-case `text` has `word` between word borders, whatever its case.
fn has_word(text: &str, word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(&word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}
