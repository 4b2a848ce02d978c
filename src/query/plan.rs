//! A filter made ready to run: negations moved to the tests, cheap tests first.

use crate::query::filter::{Cost, Filter, Test};
use crate::record::head::Flags;

/// A filter in the order it is evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Everything,
    All(Vec<Self>),
    Any(Vec<Self>),
    Test(Test, Polarity),
}

/// Whether a test must pass or fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Polarity {
    Is,
    IsNot,
}

impl Polarity {
    const fn flipped(self) -> Self {
        match self {
            Self::Is => Self::IsNot,
            Self::IsNot => Self::Is,
        }
    }
}

/// Returns the plan for a filter.
pub(crate) fn plan(filter: &Filter) -> Node {
    node(filter, Polarity::Is)
}

fn node(filter: &Filter, polarity: Polarity) -> Node {
    match (filter, polarity) {
        (Filter::All, Polarity::Is) => Node::Everything,
        (Filter::All, Polarity::IsNot) => Node::Any(Vec::new()),
        (Filter::And(parts), Polarity::Is) | (Filter::Or(parts), Polarity::IsNot) => {
            all_of(ordered(parts, polarity))
        }
        (Filter::Or(parts), Polarity::Is) | (Filter::And(parts), Polarity::IsNot) => {
            let mut parts = ordered(parts, polarity);
            if parts.len() == 1 { parts.remove(0) } else { Node::Any(parts) }
        }
        (Filter::Not(part), _) => node(part, polarity.flipped()),
        (Filter::Test(test), _) => Node::Test(test.clone(), polarity),
    }
}

fn ordered(parts: &[Filter], polarity: Polarity) -> Vec<Node> {
    let mut sorted: Vec<&Filter> = parts.iter().collect();
    sorted.sort_by_key(|part| part.cost());
    sorted.into_iter().map(|part| node(part, polarity)).collect()
}

/// Returns the plan for all of these.
pub(crate) fn all_of(parts: Vec<Node>) -> Node {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Node::Everything => {}
            Node::All(more) => flat.extend(more),
            one => flat.push(one),
        }
    }
    match flat.len() {
        0 => Node::Everything,
        1 => flat.remove(0),
        _ => {
            flat.sort_by_key(Node::cost);
            Node::All(flat)
        }
    }
}

impl Node {
    /// Returns the cost of the dearest test.
    pub(crate) fn cost(&self) -> Cost {
        match self {
            Self::Everything => Cost::Column,
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().map(Self::cost).max().unwrap_or(Cost::Column)
            }
            Self::Test(test, _) => test.cost(),
        }
    }

    pub(crate) const fn is_everything(&self) -> bool {
        matches!(self, Self::Everything)
    }
}

/// Returns whether a bad record can pass or fail the test at all.
pub(crate) fn applies_to_bad(test: &Test) -> bool {
    match test {
        Test::File(_) | Test::Text(_) => true,
        Test::Flag(flag) => *flag == Flags::BAD,
        Test::Type(_)
        | Test::Actor(_)
        | Test::Outcome(_)
        | Test::Time(_)
        | Test::Clock(..)
        | Test::Hours(_)
        | Test::Weekdays(_)
        | Test::Attribute(_)
        | Test::Unknown(_) => false,
    }
}
