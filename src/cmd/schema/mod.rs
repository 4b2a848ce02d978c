//! `actlog schema`: the documentation of event types and attributes, for people and machines.

use std::io::Write;

use serde_json::{Value, json};

use crate::base::text;
use crate::schema::catalog::Catalog;
use crate::schema::model::{Attribute, EventType, ObjectRef, Related, Status};
use crate::schema::page;
use crate::schema::search::Found;

#[cfg(test)]
mod tests;

/// What to print, and how.
#[derive(Clone, Debug, Default)]
pub struct SchemaArgs {
    /// The event type or attribute; none for a list of all types.
    pub name: Option<String>,
    /// Words to search for, instead of a name.
    pub search: Option<String>,
    /// Print JSON.
    pub json: bool,
    /// Columns to wrap to; 0 counts as 80.
    pub width: usize,
}

/// A name that the schema does not have.
#[derive(Debug, thiserror::Error)]
#[error("no event type or attribute is called {}", text::escape(name))]
pub struct UnknownName {
    /// The name as given.
    pub name: String,
    /// Names that look like it, best first; at most three.
    pub nearest: Vec<String>,
}

impl UnknownName {
    /// Returns what to try instead.
    pub fn hint(&self) -> String {
        match self.nearest.as_slice() {
            [] => String::from("`actlog schema` lists all event types"),
            names => format!("did you mean {}?", names.join(", ")),
        }
    }
}

/// Prints to `out` what was asked for of a catalogue.
///
/// Returns whether anything was found; a search may find nothing.
///
/// # Errors
///
/// [`UnknownName`] for a name that the schema does not have; an error of `out`.
pub fn run(catalog: &Catalog, args: &SchemaArgs, out: &mut dyn Write) -> anyhow::Result<bool> {
    match (&args.name, &args.search) {
        (Some(name), _) => print_name(catalog, name, args, out)?,
        (None, Some(words)) => return print_search(catalog, words, args, out),
        (None, None) if args.json => print_json(out, &everything(catalog))?,
        (None, None) => print_list(catalog, args, out)?,
    }
    Ok(true)
}

fn width(args: &SchemaArgs) -> usize {
    if args.width == 0 { 80 } else { args.width }
}

fn print_name(
    catalog: &Catalog,
    name: &str,
    args: &SchemaArgs,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if let Some(one) = catalog.find(name) {
        return match args.json {
            true => print_json(out, &type_json(catalog, one)),
            false => print_lines(out, &page::render(&page::of_type(catalog, one), width(args))),
        };
    }
    let Some(blocks) = page::of_attribute(catalog, name) else {
        let nearest = catalog.nearest(name).into_iter().map(String::from).collect();
        return Err(UnknownName { name: String::from(name), nearest }.into());
    };
    match args.json {
        true => print_json(out, &meanings_json(catalog, name)),
        false => print_lines(out, &page::render(&blocks, width(args))),
    }
}

fn print_search(
    catalog: &Catalog,
    words: &str,
    args: &SchemaArgs,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let hits = catalog.search(words);
    let kind = |found: Found<'_>| match found {
        Found::Type(_) => "type",
        Found::Attribute(_) => "attribute",
    };
    if args.json {
        let all: Vec<Value> = hits
            .iter()
            .map(|hit| {
                let found = hit.found;
                json!({"kind": kind(found), "name": found.name(), "summary": found.summary()})
            })
            .collect();
        print_json(out, &Value::from(all))?;
        return Ok(!hits.is_empty());
    }
    let column = hits.iter().map(|hit| hit.found.name().len()).max().unwrap_or(0);
    for hit in &hits {
        let found = hit.found;
        let line = format!("{:<9}  {:<column$}  {}", kind(found), found.name(), found.summary());
        print_lines(out, &[text::truncate(&line, width(args)).into_owned()])?;
    }
    Ok(!hits.is_empty())
}

fn print_list(catalog: &Catalog, args: &SchemaArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let column = catalog.types().iter().map(|t| t.name.len()).max().unwrap_or(0);
    for (at, category) in catalog.categories().iter().enumerate() {
        let mut lines = Vec::new();
        if at > 0 {
            lines.push(String::new());
        }
        lines.push(format!("{} ({})", category.title, category.name));
        for one in catalog.types_in(category.id) {
            let letter = one.effect.letter();
            let marks: Vec<&str> = one.status.iter().map(Status::name).collect();
            let marks =
                if marks.is_empty() { String::new() } else { format!(" [{}]", marks.join(", ")) };
            let line = format!("  {letter} {:<column$}  {}{marks}", one.name, one.title);
            lines.push(text::truncate(&line, width(args)).into_owned());
        }
        print_lines(out, &lines)?;
    }
    Ok(())
}

fn print_lines(out: &mut dyn Write, lines: &[String]) -> anyhow::Result<()> {
    for line in lines {
        // A user's schema file can hold anything.
        writeln!(out, "{}", text::escape(line))?;
    }
    Ok(())
}

fn print_json(out: &mut dyn Write, value: &Value) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}

/// The whole schema; `assets/README.md` documents the form.
fn everything(catalog: &Catalog) -> Value {
    let list = |attributes: &[std::sync::Arc<Attribute>]| -> Vec<Value> {
        attributes.iter().map(|one| attribute_json(one)).collect()
    };
    let types: Vec<Value> = catalog.types().iter().map(|t| type_json(catalog, t)).collect();
    let categories = catalog.categories().iter();
    let categories: Vec<Value> =
        categories.map(|c| json!({"name": c.name, "title": c.title})).collect();
    let glossary = catalog.glossary().iter();
    let glossary: Vec<Value> = glossary.map(|t| json!({"name": t.name, "text": t.text})).collect();
    json!({
        "common": list(catalog.common()),
        "tenant": list(catalog.tenant_common()),
        "outside": list(catalog.outside()),
        "categories": categories,
        "types": types,
        "glossary": glossary,
    })
}

fn type_json(catalog: &Catalog, one: &EventType) -> Value {
    let attributes: Vec<Value> = one.attributes.iter().map(|a| attribute_json(a)).collect();
    let object = one.object.as_ref();
    let object =
        object.map(|ObjectRef { kind, id, name }| json!({"kind": kind, "id": id, "name": name}));
    let related: Vec<Value> = one
        .people
        .iter()
        .map(|Related { role, kind, id, name }| {
            json!({"role": role, "kind": kind, "id": id, "name": name})
        })
        .collect();
    json!({
        "name": one.name,
        "title": one.title,
        "category": catalog.category(one.category).map(|c| &c.name),
        "effect": one.effect.letter().to_string(),
        "summary": one.summary,
        "notes": one.notes,
        "flags": flags_json(&one.status),
        "object": object,
        "related": related,
        "attributes": attributes,
    })
}

fn flags_json(status: &[Status]) -> Value {
    let flags = status.iter().map(|status| {
        let value = match status {
            Status::Deprecated { since, use_instead } => {
                json!({"since": since, "use": use_instead})
            }
            Status::Retired { since } => json!(since),
            Status::Legacy | Status::ApiPartial | Status::Outside => json!(true),
        };
        (String::from(status.name()), value)
    });
    Value::Object(flags.collect())
}

fn attribute_json(one: &Attribute) -> Value {
    let values: Vec<Value> = one
        .values
        .iter()
        .map(|v| json!({"code": v.code, "word": v.word, "text": v.text}))
        .collect();
    json!({
        "name": one.name,
        "type": one.kind.name(),
        "summary": one.summary,
        "notes": one.notes,
        "values": values,
        "unit": one.unit.map(|unit| unit.name()),
    })
}

fn meanings_json(catalog: &Catalog, name: &str) -> Value {
    let all: Vec<Value> = catalog
        .meanings(name)
        .into_iter()
        .map(|one| {
            let mut value = attribute_json(one);
            let types: Vec<&str> =
                catalog.carriers(one).into_iter().map(|t| t.name.as_str()).collect();
            value["types"] = json!(types);
            value
        })
        .collect();
    Value::from(all)
}
