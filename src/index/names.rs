//! The names that columns speak of by number, and how an event gets its type.

use std::collections::HashSet;

use crate::base::id::{ActorId, OutcomeId, TypeId};
use crate::base::intern::Interner;
use crate::record::head::Flags;

/// Stands for all types past the first 65,534.
const MORE_TYPES: &str = "(more types)";

/// Stands for all outcomes past the first 254.
const MORE_OUTCOMES: &str = "(more outcomes)";

/// The tables of names of an index.
#[derive(Clone, Debug)]
pub struct Names {
    pub(crate) types: Interner,
    pub(crate) actors: Interner,
    pub(crate) outcomes: Interner,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self {
            types: Interner::default(),
            actors: Interner::default(),
            outcomes: Interner::default(),
        };
        names.clear();
        names
    }
}

impl Names {
    /// Forgets all names but those that every index has.
    pub(crate) fn clear(&mut self) {
        self.types.clear();
        self.actors.clear();
        self.outcomes.clear();
        self.event_type("(bad record)");
        self.event_type("(unknown)");
        self.actor("");
        self.outcome("(missing)");
        self.outcome("(null)");
    }

    pub(crate) fn event_type(&mut self, name: &str) -> TypeId {
        if let Some(id) = self.types.find(name) {
            return TypeId(u16::try_from(id).unwrap_or(u16::MAX));
        }
        let is_last = self.types.len() >= usize::from(u16::MAX);
        let id = self.types.intern(if is_last { MORE_TYPES } else { name });
        TypeId(id.and_then(|id| u16::try_from(id).ok()).unwrap_or(u16::MAX))
    }

    pub(crate) fn outcome(&mut self, name: &str) -> OutcomeId {
        if let Some(id) = self.outcomes.find(name) {
            return OutcomeId(u8::try_from(id).unwrap_or(u8::MAX));
        }
        let is_last = self.outcomes.len() >= usize::from(u8::MAX);
        let id = self.outcomes.intern(if is_last { MORE_OUTCOMES } else { name });
        OutcomeId(id.and_then(|id| u8::try_from(id).ok()).unwrap_or(u8::MAX))
    }

    /// Returns the number of an actor; a table that is full gives [`ActorId::NONE`].
    pub(crate) fn actor(&mut self, name: &str) -> ActorId {
        let id = self.actors.intern(name);
        ActorId(id.and_then(|id| u32::try_from(id).ok()).unwrap_or(0))
    }

    /// Returns the bytes of memory in use.
    pub const fn heap_bytes(&self) -> usize {
        self.types.heap_bytes() + self.actors.heap_bytes() + self.outcomes.heap_bytes()
    }
}

/// The names of types that are documented, compared without case.
#[derive(Clone, Debug, Default)]
pub struct KnownTypes(HashSet<String>);

impl KnownTypes {
    /// Takes the names.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(str::to_ascii_lowercase).collect())
    }

    /// Returns whether `name` is documented.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name) || self.0.contains(&name.to_ascii_lowercase())
    }
}

/// Returns an event's type, given what its body, and what its envelope or else its path say.
///
/// The body counts first. But some types document an attribute that is called `eventType` too and
/// holds the kind of a change: where the body names no documented type and the outside does, the
/// outside counts. Disagreement is flagged.
pub(crate) fn choose_type<'n>(
    known: &KnownTypes,
    body: Option<&'n str>,
    outside: Option<&'n str>,
) -> (Option<&'n str>, Flags) {
    match (body, outside) {
        (Some(body), Some(outside)) if !body.eq_ignore_ascii_case(outside) => {
            if !known.has(body) && known.has(outside) {
                (Some(outside), Flags::TYPE_FROM_PATH | Flags::TYPE_DISAGREES)
            } else {
                (Some(body), Flags::TYPE_DISAGREES)
            }
        }
        (Some(body), _) => (Some(body), Flags::default()),
        (None, Some(outside)) => (Some(outside), Flags::TYPE_FROM_PATH),
        (None, None) => (None, Flags::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_wins_only_over_what_is_no_type() {
        let known = KnownTypes::new(["hist_login", "hist_create_materialized_views"]);
        let both = Flags::TYPE_FROM_PATH | Flags::TYPE_DISAGREES;
        for (body, outside, name, flags) in [
            (Some("hist_login"), None, Some("hist_login"), Flags(0)),
            (Some("HIST_LOGIN"), Some("hist_login"), Some("HIST_LOGIN"), Flags(0)),
            (None, Some("hist_login"), Some("hist_login"), Flags::TYPE_FROM_PATH),
            (
                Some("create"),
                Some("hist_create_materialized_views"),
                Some("hist_create_materialized_views"),
                both,
            ),
            (Some("hist_login"), Some("other"), Some("hist_login"), Flags::TYPE_DISAGREES),
            (Some("new"), Some("newer"), Some("new"), Flags::TYPE_DISAGREES),
            (None, None, None, Flags(0)),
        ] {
            assert_eq!(choose_type(&known, body, outside), (name, flags));
        }
    }

    #[test]
    fn full_tables_say_more() {
        let mut names = Names::default();
        for n in 0..300 {
            names.outcome(&format!("o{n}"));
        }
        let last = names.outcome("o299");
        assert_eq!(names.outcomes.get(last.at()), MORE_OUTCOMES);
        assert_eq!(names.outcome("o7"), OutcomeId(9));
    }
}
