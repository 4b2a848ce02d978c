//! The page of documentation of a type or attribute, as blocks that any screen can draw.

use std::sync::Arc;

use super::catalog::Catalog;
use super::model::{Attribute, EventType, Mask, Term};
use crate::base::text;

#[cfg(test)]
mod tests;

/// A piece of a page, top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The page's title.
    Title(String),
    /// The heading of what follows.
    Heading(String),
    /// Running text.
    Text(String),
    /// Something with a name, explained.
    Entry(Entry),
}

/// Something with a name, explained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What kind of thing it is, in a word or two; may be empty.
    pub kind: String,
    /// One line on it.
    pub text: String,
    /// More about it, each a paragraph of its own.
    pub more: Vec<String>,
    /// The type or attribute whose page tells more.
    pub link: Option<String>,
}

/// Returns the page of an event type.
pub fn of_type(catalog: &Catalog, one: &EventType) -> Vec<Block> {
    let mut page = vec![Block::Title(format!("{} — {}", one.name, one.title))];
    let category = catalog.category(one.category).map_or("not in the schema", |c| &c.title);
    let effect = one.effect;
    page.push(Block::Text(format!("{category} · {} {}", effect.letter(), effect.word())));
    push_text(&mut page, &one.summary);
    push_text(&mut page, &one.notes);
    let aliases: Vec<&str> =
        catalog.aliases().filter(|(_, name)| *name == one.name).map(|(alias, _)| alias).collect();
    if !aliases.is_empty() {
        page.push(Block::Text(format!("Also written {}.", aliases.join(", "))));
    }
    for status in &one.status {
        page.push(Block::Text(catalog.status_text(status)));
    }
    push_named(&mut page, one);
    push_attributes(&mut page, "Attributes", &one.attributes);
    push_attributes(&mut page, "Common attributes", one.common());
    push_terms(&mut page, catalog);
    page
}

/// Returns the page of all attributes of one name; nothing if there is none.
pub fn of_attribute(catalog: &Catalog, name: &str) -> Option<Vec<Block>> {
    let meanings = catalog.meanings(name);
    (!meanings.is_empty()).then(|| of_meanings(catalog, &meanings))
}

/// Returns the page of an attribute as one type has it; other meanings of its name come after it.
pub fn of_meaning(catalog: &Catalog, one: &Attribute) -> Vec<Block> {
    let mut meanings = catalog.meanings(&one.name);
    meanings.sort_by_key(|other| other.key != one.key);
    of_meanings(catalog, &meanings)
}

fn of_meanings(catalog: &Catalog, meanings: &[&Arc<Attribute>]) -> Vec<Block> {
    let mut page: Vec<_> =
        meanings.iter().take(1).map(|one| Block::Title(one.name.clone())).collect();
    if meanings.len() > 1 {
        let count = meanings.len();
        page.push(Block::Text(format!("Has {count} meanings, depending on the event type.")));
    }
    for one in meanings {
        page.push(Block::Heading(one.summary.clone()));
        let unit = one.unit.map_or(String::new(), |unit| format!(", in {}", unit.word()));
        page.push(Block::Text(format!("{}{unit}", one.kind.name())));
        for paragraph in details(one) {
            page.push(Block::Text(paragraph));
        }
        page.extend(carriers(catalog, one));
    }
    push_terms(&mut page, catalog);
    page
}

/// Returns the page's lines, wrapped to `width` columns.
pub fn render(page: &[Block], width: usize) -> Vec<String> {
    let names = page.iter().filter_map(|block| match block {
        Block::Entry(entry) => Some(text::width(&entry.name)),
        _ => None,
    });
    // Long names take a line of their own, so that a narrow screen keeps room for the text.
    let column = names.max().unwrap_or(0).min(width / 3).max(4) + 4;
    let mut lines = Vec::new();
    for block in page {
        match block {
            Block::Title(title) => lines.extend(flow(title, width)),
            Block::Heading(heading) => {
                lines.push(String::new());
                lines.extend(flow(heading, width));
            }
            Block::Text(paragraph) => {
                let wrapped = flow(paragraph, width.saturating_sub(2));
                lines.extend(wrapped.into_iter().map(|line| format!("  {line}")));
            }
            Block::Entry(entry) => render_entry(&mut lines, entry, width, column),
        }
    }
    lines
}

fn render_entry(lines: &mut Vec<String>, entry: &Entry, width: usize, column: usize) {
    let first = match (entry.kind.as_str(), entry.text.as_str()) {
        ("", text) => String::from(text),
        (kind, "") => String::from(kind),
        (kind, text) => format!("{text} ({kind})"),
    };
    let room = width.saturating_sub(column).max(10);
    let mut texts = flow(&first, room);
    for more in &entry.more {
        texts.extend(flow(more, room));
    }
    let name = format!("  {}", entry.name);
    let fits = text::width(&name) + 2 <= column;
    if !fits {
        lines.push(name.clone());
    }
    for (at, line) in texts.into_iter().enumerate() {
        let lead = if at == 0 && fits { name.as_str() } else { "" };
        let line = format!("{}{line}", text::fit(lead, column));
        lines.push(String::from(line.trim_end()));
    }
}

/// Breaks text at blanks, and inside a word only if it is wider than the line.
fn flow(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let last = lines.last().map_or(0, |line| text::width(line));
        match lines.last_mut() {
            Some(line) if last > 0 && last + 1 + text::width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(line) if last == 0 && text::width(word) <= width => line.push_str(word),
            _ => {
                lines.retain(|line| !line.is_empty());
                lines.extend(text::wrap(word, width));
            }
        }
    }
    lines
}

fn push_text(page: &mut Vec<Block>, text: &str) {
    if !text.is_empty() {
        page.push(Block::Text(String::from(text)));
    }
}

/// Adds what the event is about and who else it names.
fn push_named(page: &mut Vec<Block>, one: &EventType) {
    let fields = |id: &Option<String>, name: &Option<String>| {
        [id.as_deref(), name.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    if one.object.is_none() && one.people.is_empty() {
        return;
    }
    page.push(Block::Heading(String::from("What it is about")));
    let object = one.object.iter().map(|o| Entry {
        name: String::from("object"),
        kind: o.kind.clone(),
        text: fields(&o.id, &o.name),
        ..Entry::default()
    });
    let people = one.people.iter().map(|r| Entry {
        name: r.role.clone(),
        kind: if r.kind == r.role { String::new() } else { r.kind.clone() },
        text: fields(&r.id, &r.name),
        ..Entry::default()
    });
    page.extend(object.chain(people).map(Block::Entry));
}

fn push_attributes(page: &mut Vec<Block>, heading: &str, attributes: &[Arc<Attribute>]) {
    if attributes.is_empty() {
        return;
    }
    page.push(Block::Heading(format!("{heading} ({})", attributes.len())));
    page.extend(attributes.iter().map(|one| {
        let unit = one.unit.map_or(String::new(), |unit| format!(", {}", unit.word()));
        Block::Entry(Entry {
            name: one.name.clone(),
            kind: format!("{}{unit}", one.kind.name()),
            text: one.summary.clone(),
            more: details(one),
            link: Some(one.name.clone()),
        })
    }));
}

/// Returns the notes, what the bits are, and the values, each a paragraph.
fn details(one: &Attribute) -> Vec<String> {
    let mut out = Vec::new();
    if !one.notes.is_empty() {
        out.push(one.notes.clone());
    }
    out.extend(one.mask.map(|mask| match mask {
        Mask::DaysOfWeek => String::from("Bit 0 (1) is Sunday, bit 6 (64) Saturday."),
        Mask::DaysOfMonth => String::from("Bit 0 (1) is the 1st, bit 30 (1073741824) the 31st."),
    }));
    out.extend(one.values.iter().map(|value| {
        let word = if value.word == value.code { "" } else { &value.word };
        let said = value.text.eq_ignore_ascii_case(&value.word);
        let parts = [value.code.as_str(), word, if said { "" } else { &value.text }];
        let said = parts.into_iter().filter(|part| !part.is_empty());
        said.collect::<Vec<_>>().join(" · ")
    }));
    out
}

fn carriers(catalog: &Catalog, one: &Attribute) -> Vec<Block> {
    let among = |list: &[Arc<Attribute>]| list.iter().any(|a| a.key == one.key);
    let mut out = Vec::new();
    for (list, words) in [
        (catalog.common(), "On every site event."),
        (catalog.tenant_common(), "On every tenant event."),
        (catalog.outside(), "May stand on any event of older or newer logs."),
    ] {
        if among(list) {
            out.push(Block::Text(String::from(words)));
        }
    }
    out.extend(catalog.carriers(one).into_iter().map(|carrier| {
        Block::Entry(Entry {
            name: carrier.name.clone(),
            text: carrier.title.clone(),
            link: Some(carrier.name.clone()),
            ..Entry::default()
        })
    }));
    out
}

/// Adds the explained words that the page uses.
fn push_terms(page: &mut Vec<Block>, catalog: &Catalog) {
    let mut all = String::new();
    for block in &*page {
        let parts: Vec<&str> = match block {
            Block::Title(text) | Block::Heading(text) | Block::Text(text) => vec![text],
            Block::Entry(entry) => {
                let more = entry.more.iter().map(String::as_str);
                std::iter::once(entry.text.as_str()).chain(more).collect()
            }
        };
        for part in parts {
            all.push_str(part);
            all.push('\n');
        }
    }
    let terms = catalog.terms_in(&all);
    if terms.is_empty() {
        return;
    }
    page.push(Block::Heading(String::from("Words")));
    page.extend(terms.into_iter().map(|Term { name, text, .. }| {
        Block::Entry(Entry { name: name.clone(), text: text.clone(), ..Entry::default() })
    }));
}
