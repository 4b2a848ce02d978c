//! The documentation of a type or an attribute as lines, with links to others.

use crate::app::viewport::Viewport;
use crate::app::wrap::wrap;
use crate::base::text;
use crate::schema::catalog::Catalog;
use crate::schema::model::{Attribute, EventType};

/// How a line of documentation looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The name at the top.
    Title,
    /// A heading.
    Heading,
    /// Text.
    Text,
    /// A warning.
    Warn,
    /// Something Enter goes to.
    Link,
}

/// Where a line leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A type.
    Type(String),
    /// An attribute, as a type has it.
    Attribute(String, Option<String>),
}

/// One line; safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocLine {
    /// How it looks.
    pub look: Look,
    /// What it says; a link's name comes first, apart by a tab from what it means.
    pub text: String,
    /// Where Enter goes.
    pub target: Option<Target>,
}

/// The state of the overlay.
#[derive(Debug, Default)]
pub struct Doc {
    /// Cursor and window.
    pub view: Viewport,
    /// What is shown.
    pub lines: Vec<DocLine>,
    /// The subject.
    pub title: String,
}

impl Doc {
    /// Returns the page of a type; none when the schema does not have it.
    pub fn of_type(catalog: &Catalog, name: &str, columns: usize) -> Option<Self> {
        let known = catalog.find(name)?;
        let mut page = Page::new(columns);
        page.say(Look::Title, &known.title);
        let category = catalog.category(known.category).map_or("", |c| c.title.as_str());
        page.say(Look::Text, &format!("{category} · {}", known.effect.word()));
        for status in &known.status {
            page.say(Look::Warn, &catalog.status_text(status));
        }
        page.gap();
        page.say(Look::Text, &known.summary);
        page.say(Look::Text, &known.notes);
        page.people(known);
        page.heading(&format!("Attributes ({})", known.attributes.len()));
        for attribute in &known.attributes {
            page.attribute(attribute, Some(&known.name));
        }
        page.heading("Common to all events");
        for attribute in known.common() {
            page.attribute(attribute, Some(&known.name));
        }
        page.terms(catalog, &format!("{} {}", known.summary, known.notes));
        Some(page.doc(&known.name))
    }

    /// Returns the page of an attribute as a type has it, or in its first meaning.
    pub fn of_attribute(
        catalog: &Catalog,
        name: &str,
        event_type: Option<&str>,
        columns: usize,
    ) -> Option<Self> {
        let in_type = event_type.and_then(|t| catalog.find(t)).and_then(|t| t.attribute(name));
        let meanings = catalog.meanings(name);
        let attribute = in_type.or_else(|| meanings.first().map(|meaning| meaning.as_ref()))?;
        let mut page = Page::new(columns);
        page.say(Look::Title, &attribute.name);
        let unit = attribute.unit.map_or(String::new(), |unit| format!(", in {}", unit.word()));
        page.say(Look::Text, &format!("{}{unit}", attribute.kind.name()));
        page.gap();
        page.say(Look::Text, &attribute.summary);
        page.say(Look::Text, &attribute.notes);
        page.values(attribute);
        page.terms(catalog, &format!("{} {}", attribute.summary, attribute.notes));
        let others: Vec<_> = meanings.iter().filter(|m| m.key != attribute.key).collect();
        if !others.is_empty() {
            page.heading("Elsewhere it means");
            for other in others {
                page.say(Look::Text, &other.summary);
            }
        }
        let carriers = catalog.types_with(&attribute.name);
        if !carriers.is_empty() {
            page.heading(&format!("Event types that carry it ({})", carriers.len()));
            for carrier in carriers {
                let target = Target::Type(carrier.name.clone());
                page.link(&carrier.name, &carrier.title, target);
            }
        }
        Some(page.doc(&attribute.name))
    }

    /// Returns where the line under the cursor leads.
    pub fn target(&self) -> Option<&Target> {
        self.lines.get(self.view.cursor)?.target.as_ref()
    }
}

struct Page {
    lines: Vec<DocLine>,
    columns: usize,
}

impl Page {
    const fn new(columns: usize) -> Self {
        Self { lines: Vec::new(), columns }
    }

    fn doc(self, title: &str) -> Doc {
        Doc { view: Viewport::default(), lines: self.lines, title: title.to_owned() }
    }

    fn say(&mut self, look: Look, words: &str) {
        for paragraph in words.lines().filter(|line| !line.trim().is_empty()) {
            for line in wrap(&text::escape(paragraph), self.columns) {
                self.lines.push(DocLine { look, text: line, target: None });
            }
        }
    }

    fn gap(&mut self) {
        self.lines.push(DocLine { look: Look::Text, text: String::new(), target: None });
    }

    fn heading(&mut self, words: &str) {
        self.gap();
        self.say(Look::Heading, words);
    }

    fn link(&mut self, name: &str, words: &str, target: Target) {
        let line = format!("{}\t{}", text::escape(name), text::escape(words));
        self.lines.push(DocLine { look: Look::Link, text: line, target: Some(target) });
    }

    fn attribute(&mut self, attribute: &Attribute, event_type: Option<&str>) {
        let target = Target::Attribute(attribute.name.clone(), event_type.map(str::to_owned));
        self.link(&attribute.name, &attribute.summary, target);
    }

    fn people(&mut self, known: &EventType) {
        let Some(object) = &known.object else { return };
        let named: Vec<&str> =
            [&object.name, &object.id].into_iter().flatten().map(String::as_str).collect();
        self.gap();
        self.say(Look::Text, &format!("Acts on: {} ({})", object.kind, named.join(", ")));
        for related in &known.people {
            let named: Vec<&str> =
                [&related.name, &related.id].into_iter().flatten().map(String::as_str).collect();
            self.say(Look::Text, &format!("{}: {}", related.role, named.join(", ")));
        }
    }

    fn values(&mut self, attribute: &Attribute) {
        if attribute.values.is_empty() {
            return;
        }
        self.heading("Values");
        for value in &attribute.values {
            let word = if value.word == value.code { "" } else { value.word.as_str() };
            let words = [value.code.as_str(), word, value.text.as_str()];
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            self.say(Look::Text, &words.join("  "));
        }
    }

    fn terms(&mut self, catalog: &Catalog, texts: &str) {
        let terms = catalog.terms_in(texts);
        if terms.is_empty() {
            return;
        }
        self.heading("Words");
        for term in terms {
            self.say(Look::Text, &format!("{}: {}", term.name, term.text));
        }
    }
}

impl Doc {
    /// Moves: scrolls through text, stops at links.
    pub fn shift(&mut self, step: crate::app::action::Move, count: usize, height: usize) {
        self.view.apply(step, count, self.lines.len(), height);
    }
}
