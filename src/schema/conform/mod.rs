//! How an event differs from what its type is documented to have.

use super::model::{EventType, ValueKind};
use crate::base::json::JsonKind;

#[cfg(test)]
mod tests;

/// An attribute whose value is of another kind than documented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistyped {
    /// The attribute as the event names it.
    pub name: String,
    /// The documented kind.
    pub expected: ValueKind,
    /// The kind in the event.
    pub found: JsonKind,
}

/// The differences; an event that conforms has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Names the schema does not have for the type, in the event's order.
    pub unknown: Vec<String>,
    /// Names the event lacks: the type's own, then the common ones.
    pub missing: Vec<String>,
    /// Values of another kind, in the event's order.
    pub mistyped: Vec<Mistyped>,
}

impl Report {
    /// Returns whether there is no difference.
    pub fn is_clean(&self) -> bool {
        self.unknown.is_empty() && self.missing.is_empty() && self.mistyped.is_empty()
    }
}

/// Compares an event's top-level attributes with its type.
pub fn check<'a>(
    event_type: &EventType,
    attributes: impl IntoIterator<Item = (&'a str, JsonKind)>,
) -> Report {
    let mut report = Report::default();
    let mut seen = Vec::new();
    for (name, found) in attributes {
        let Some(attribute) = event_type.attribute(name) else {
            report.unknown.push(String::from(name));
            continue;
        };
        seen.push(attribute.name.as_str());
        if !fits(attribute.kind, found) {
            let (name, expected) = (String::from(name), attribute.kind);
            report.mistyped.push(Mistyped { name, expected, found });
        }
    }
    let documented = event_type.attributes.iter().chain(event_type.common());
    let lacking = documented.filter(|a| !seen.contains(&a.name.as_str()));
    report.missing = lacking.map(|a| a.name.clone()).collect();
    report
}

/// Returns whether a JSON value can be one of the documented kind; `null` always can.
pub const fn fits(expected: ValueKind, found: JsonKind) -> bool {
    match found {
        JsonKind::Null => true,
        JsonKind::Bool => matches!(expected, ValueKind::Boolean),
        JsonKind::Integer => {
            matches!(expected, ValueKind::Integer | ValueKind::Long | ValueKind::Float)
        }
        JsonKind::Float => matches!(expected, ValueKind::Float),
        JsonKind::String => matches!(expected, ValueKind::String),
        JsonKind::Array | JsonKind::Object => false,
    }
}
