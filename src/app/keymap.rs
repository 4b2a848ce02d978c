//! The one key table: help, hint line, palette, `actlog keys` and the README come from it.

use crate::app::action::{Action, App, Edit, Jump, Move, Pane, View};
use crate::app::key::{Key, chord_text, parse_chord};

/// Where a binding holds. The first context that knows a key decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// Any list or text without a prompt.
    List,
    /// The event types.
    Types,
    /// The actors.
    Actors,
    /// The timeline.
    Timeline,
    /// The events.
    Events,
    /// One event in full.
    Detail,
    /// Everywhere but in prompts.
    Global,
    /// A prompt with a line of text.
    Prompt,
    /// A prompt above a list of choices.
    Choices,
    /// The list of chips.
    Chips,
    /// Lists and texts on top of the panes: problems, documentation.
    Reading,
}

impl Context {
    /// Every context in the order of the help.
    pub const ALL: [Self; 11] = [
        Self::Events,
        Self::Types,
        Self::Actors,
        Self::Timeline,
        Self::Detail,
        Self::List,
        Self::Global,
        Self::Chips,
        Self::Reading,
        Self::Choices,
        Self::Prompt,
    ];

    /// Returns the heading of the context in help and documents.
    pub const fn title(self) -> &'static str {
        match self {
            Self::List => "Moving",
            Self::Types => "Event types",
            Self::Actors => "Actors",
            Self::Timeline => "Timeline",
            Self::Events => "Events",
            Self::Detail => "Detail",
            Self::Global => "Everywhere",
            Self::Prompt => "Prompts",
            Self::Choices => "Palette and help",
            Self::Chips => "Chips",
            Self::Reading => "Problems and documentation",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// The chord as text, keys apart by blanks.
    pub keys: &'static str,
    /// What it does.
    pub action: Action,
    /// The word for the hint line; empty when it is not hinted.
    pub hint: &'static str,
}

const fn bind(context: Context, keys: &'static str, action: Action) -> Binding {
    Binding { context, keys, action, hint: "" }
}

const fn hint(context: Context, keys: &'static str, action: Action, hint: &'static str) -> Binding {
    Binding { context, keys, action, hint }
}

const EVENTS: &[Binding] = {
    use Context::Events as C;
    &[
        hint(C, "Enter", Action::Pane(Pane::Open), "read"),
        hint(C, "i", Action::Pane(Pane::Include), "only this type"),
        hint(C, "x", Action::Pane(Pane::Exclude), "not this type"),
        hint(C, "a", Action::Jump(Jump::Actor), "actor"),
        hint(C, "o", Action::Jump(Jump::Object), "object"),
        hint(C, "e", Action::Jump(Jump::NextFailure), "next failure"),
        hint(C, "t", Action::Jump(Jump::Time), "time"),
        bind(C, "→", Action::Pane(Pane::Open)),
        bind(C, "l", Action::Pane(Pane::Open)),
        bind(C, "s", Action::Pane(Pane::Sort)),
        bind(C, "r", Action::Pane(Pane::Raw)),
    ]
};

const TYPES: &[Binding] = {
    use Context::Types as C;
    &[
        hint(C, "Enter", Action::Pane(Pane::Open), "show events"),
        hint(C, "Space", Action::Pane(Pane::Collect), "add"),
        hint(C, "x", Action::Pane(Pane::Exclude), "leave out"),
        hint(C, "/", Action::View(View::Search), "find"),
        hint(C, "p", Action::Pane(Pane::Present), "unseen types"),
        hint(C, "K", Action::App(App::Doc), "doc"),
        bind(C, "i", Action::Pane(Pane::Include)),
        bind(C, "s", Action::Pane(Pane::Sort)),
        bind(C, "-", Action::Pane(Pane::Fold)),
    ]
};

const ACTORS: &[Binding] = {
    use Context::Actors as C;
    &[
        hint(C, "Enter", Action::Pane(Pane::Open), "show events"),
        hint(C, "Space", Action::Pane(Pane::Collect), "add"),
        hint(C, "x", Action::Pane(Pane::Exclude), "leave out"),
        hint(C, "/", Action::View(View::Search), "find"),
        hint(C, "s", Action::Pane(Pane::Sort), "sort"),
        bind(C, "i", Action::Pane(Pane::Include)),
    ]
};

const TIMELINE: &[Binding] = {
    use Context::Timeline as C;
    &[
        hint(C, "Enter", Action::Pane(Pane::Open), "only this time"),
        hint(C, "Space", Action::Pane(Pane::Collect), "start a range"),
        hint(C, "+", Action::Pane(Pane::ZoomIn), "closer"),
        hint(C, "-", Action::Pane(Pane::ZoomOut), "wider"),
        hint(C, "0", Action::Pane(Pane::ZoomAll), "all"),
        bind(C, "=", Action::Pane(Pane::ZoomIn)),
        bind(C, "↑", Action::Pane(Pane::ZoomIn)),
        bind(C, "↓", Action::Pane(Pane::ZoomOut)),
        bind(C, "k", Action::Pane(Pane::ZoomIn)),
        bind(C, "j", Action::Pane(Pane::ZoomOut)),
        bind(C, "x", Action::Pane(Pane::Exclude)),
        bind(C, "i", Action::Pane(Pane::Include)),
    ]
};

const DETAIL: &[Binding] = {
    use Context::Detail as C;
    &[
        hint(C, "i", Action::Pane(Pane::Include), "only this value"),
        hint(C, "x", Action::Pane(Pane::Exclude), "not this value"),
        hint(C, "K", Action::App(App::Doc), "doc"),
        hint(C, "r", Action::Pane(Pane::Raw), "raw"),
        hint(C, "m", Action::Pane(Pane::Absent), "missing attributes"),
        hint(C, "/", Action::View(View::Search), "find"),
        hint(C, "Esc", Action::App(App::Leave), "back"),
        bind(C, "Enter", Action::Pane(Pane::Open)),
        bind(C, "Space", Action::Pane(Pane::Fold)),
        bind(C, "h", Action::Move(Move::Left)),
    ]
};

const LIST: &[Binding] = {
    use Context::List as C;
    &[
        bind(C, "j", Action::Move(Move::Down)),
        bind(C, "↓", Action::Move(Move::Down)),
        bind(C, "Ctrl-N", Action::Move(Move::Down)),
        bind(C, "k", Action::Move(Move::Up)),
        bind(C, "↑", Action::Move(Move::Up)),
        bind(C, "Ctrl-P", Action::Move(Move::Up)),
        bind(C, "h", Action::Move(Move::Left)),
        bind(C, "←", Action::Move(Move::Left)),
        bind(C, "l", Action::Move(Move::Right)),
        bind(C, "→", Action::Move(Move::Right)),
        bind(C, "g", Action::Move(Move::Top)),
        bind(C, "Home", Action::Move(Move::Top)),
        bind(C, "G", Action::Move(Move::Bottom)),
        bind(C, "End", Action::Move(Move::Bottom)),
        bind(C, "Space", Action::Move(Move::PageDown)),
        bind(C, "PgDn", Action::Move(Move::PageDown)),
        bind(C, "Ctrl-F", Action::Move(Move::PageDown)),
        bind(C, "b", Action::Move(Move::PageUp)),
        bind(C, "PgUp", Action::Move(Move::PageUp)),
        bind(C, "Ctrl-B", Action::Move(Move::PageUp)),
        bind(C, "Ctrl-D", Action::Move(Move::HalfDown)),
        bind(C, "Ctrl-U", Action::Move(Move::HalfUp)),
    ]
};

const GLOBAL: &[Binding] = {
    use Context::Global as C;
    &[
        bind(C, "Tab", Action::App(App::NextPane)),
        bind(C, "F6", Action::App(App::NextPane)),
        bind(C, "Shift-Tab", Action::App(App::PrevPane)),
        bind(C, "F9 1", Action::App(App::ShowTypes)),
        bind(C, "F9 2", Action::App(App::ShowActors)),
        bind(C, "F9 3", Action::App(App::ShowTimeline)),
        bind(C, "F9 4", Action::App(App::ShowEvents)),
        bind(C, "F9 5", Action::App(App::ShowDetail)),
        hint(C, "f", Action::View(View::Filter), "filter"),
        bind(C, "&", Action::View(View::Filter)),
        bind(C, "F4", Action::View(View::Filter)),
        bind(C, "F", Action::View(View::Chips)),
        bind(C, "F7", Action::View(View::Chips)),
        bind(C, "X", Action::View(View::Lift)),
        bind(C, "F8", Action::View(View::Lift)),
        bind(C, "u", Action::View(View::Undo)),
        bind(C, "Ctrl-R", Action::View(View::Redo)),
        bind(C, "H", Action::View(View::Back)),
        bind(C, "Alt-←", Action::View(View::Back)),
        bind(C, "Backspace", Action::View(View::Back)),
        bind(C, "L", Action::View(View::Forward)),
        bind(C, "Alt-→", Action::View(View::Forward)),
        bind(C, "/", Action::View(View::Search)),
        bind(C, "Alt-/", Action::View(View::SearchBack)),
        bind(C, "\\", Action::View(View::SearchBack)),
        bind(C, "n", Action::View(View::SearchNext)),
        bind(C, "F3", Action::View(View::SearchNext)),
        bind(C, "N", Action::View(View::SearchPrev)),
        bind(C, "Shift-F3", Action::View(View::SearchPrev)),
        bind(C, "e", Action::Jump(Jump::NextFailure)),
        bind(C, "E", Action::Jump(Jump::PrevFailure)),
        bind(C, "]", Action::Jump(Jump::NextSame)),
        bind(C, ".", Action::Jump(Jump::NextSame)),
        bind(C, "[", Action::Jump(Jump::PrevSame)),
        bind(C, ",", Action::Jump(Jump::PrevSame)),
        bind(C, "a", Action::Jump(Jump::Actor)),
        bind(C, "o", Action::Jump(Jump::Object)),
        bind(C, "c", Action::Jump(Jump::Context)),
        bind(C, "C", Action::Jump(Jump::NoContext)),
        bind(C, "t", Action::Jump(Jump::Time)),
        bind(C, "y y", Action::Jump(Jump::CopyEvent)),
        bind(C, "y v", Action::Jump(Jump::CopyValue)),
        bind(C, "y f", Action::Jump(Jump::CopyFilter)),
        bind(C, "y t", Action::Jump(Jump::CopyTime)),
        bind(C, "y p", Action::Jump(Jump::CopyPlace)),
        bind(C, "K", Action::App(App::Doc)),
        bind(C, "!", Action::App(App::Problems)),
        hint(C, ":", Action::App(App::Palette), "commands"),
        bind(C, "F2", Action::App(App::Palette)),
        hint(C, "?", Action::App(App::Help), "help"),
        bind(C, "F1", Action::App(App::Help)),
        bind(C, "Esc", Action::App(App::Cancel)),
        bind(C, "q", Action::App(App::Leave)),
        bind(C, "Q", Action::App(App::Quit)),
        bind(C, "Ctrl-C", Action::App(App::Quit)),
        bind(C, "Ctrl-L", Action::App(App::Redraw)),
        bind(C, "R", Action::App(App::Reload)),
        bind(C, "F5", Action::App(App::Reload)),
        bind(C, "T", Action::App(App::Follow)),
        bind(C, "z", Action::App(App::Zone)),
        bind(C, "Z", Action::App(App::Zones)),
        bind(C, "Ctrl-Z", Action::App(App::Suspend)),
    ]
};

const CHIPS: &[Binding] = {
    use Context::Chips as C;
    &[
        hint(C, "Space", Action::Pane(Pane::Collect), "on/off"),
        hint(C, "Enter", Action::Pane(Pane::Change), "edit"),
        hint(C, "d", Action::Pane(Pane::Delete), "delete"),
        hint(C, "-", Action::Pane(Pane::Earlier), "earlier"),
        hint(C, "+", Action::Pane(Pane::Later), "later"),
        hint(C, "Esc", Action::App(App::Cancel), "close"),
        bind(C, "Del", Action::Pane(Pane::Delete)),
        bind(C, "q", Action::App(App::Cancel)),
        bind(C, "F", Action::App(App::Cancel)),
        bind(C, "X", Action::View(View::Lift)),
        bind(C, "u", Action::View(View::Undo)),
        bind(C, "Ctrl-R", Action::View(View::Redo)),
        bind(C, "Ctrl-C", Action::App(App::Quit)),
        bind(C, "Ctrl-Z", Action::App(App::Suspend)),
    ]
};

const READING: &[Binding] = {
    use Context::Reading as C;
    &[
        hint(C, "Enter", Action::Pane(Pane::Open), "go there"),
        hint(C, "Esc", Action::App(App::Cancel), "close"),
        bind(C, "q", Action::App(App::Cancel)),
        bind(C, "K", Action::App(App::Cancel)),
        bind(C, "Ctrl-C", Action::App(App::Quit)),
        bind(C, "Ctrl-Z", Action::App(App::Suspend)),
    ]
};

const CHOICES: &[Binding] = {
    use Context::Choices as C;
    &[
        hint(C, "Enter", Action::Edit(Edit::Accept), "run"),
        hint(C, "Esc", Action::App(App::Cancel), "close"),
        bind(C, "↓", Action::Move(Move::Down)),
        bind(C, "Ctrl-N", Action::Move(Move::Down)),
        bind(C, "↑", Action::Move(Move::Up)),
        bind(C, "Ctrl-P", Action::Move(Move::Up)),
        bind(C, "PgDn", Action::Move(Move::PageDown)),
        bind(C, "PgUp", Action::Move(Move::PageUp)),
    ]
};

const PROMPT: &[Binding] = {
    use Context::Prompt as C;
    &[
        hint(C, "Enter", Action::Edit(Edit::Accept), "take"),
        hint(C, "Esc", Action::App(App::Cancel), "leave"),
        hint(C, "Tab", Action::Edit(Edit::Complete), "suggest"),
        bind(C, "Shift-Tab", Action::Edit(Edit::CompleteBack)),
        bind(C, "←", Action::Edit(Edit::Left)),
        bind(C, "Ctrl-B", Action::Edit(Edit::Left)),
        bind(C, "→", Action::Edit(Edit::Right)),
        bind(C, "Ctrl-F", Action::Edit(Edit::Right)),
        bind(C, "Alt-b", Action::Edit(Edit::WordLeft)),
        bind(C, "Ctrl-←", Action::Edit(Edit::WordLeft)),
        bind(C, "Alt-f", Action::Edit(Edit::WordRight)),
        bind(C, "Ctrl-→", Action::Edit(Edit::WordRight)),
        bind(C, "Home", Action::Edit(Edit::Start)),
        bind(C, "Ctrl-A", Action::Edit(Edit::Start)),
        bind(C, "End", Action::Edit(Edit::End)),
        bind(C, "Ctrl-E", Action::Edit(Edit::End)),
        bind(C, "Backspace", Action::Edit(Edit::DeleteBack)),
        bind(C, "Ctrl-H", Action::Edit(Edit::DeleteBack)),
        bind(C, "Del", Action::Edit(Edit::Delete)),
        bind(C, "Ctrl-D", Action::Edit(Edit::Delete)),
        bind(C, "Ctrl-W", Action::Edit(Edit::DeleteWord)),
        bind(C, "Alt-Backspace", Action::Edit(Edit::DeleteWord)),
        bind(C, "Ctrl-U", Action::Edit(Edit::KillStart)),
        bind(C, "Ctrl-K", Action::Edit(Edit::KillEnd)),
        bind(C, "Ctrl-Y", Action::Edit(Edit::Yank)),
        bind(C, "↑", Action::Edit(Edit::Older)),
        bind(C, "Ctrl-P", Action::Edit(Edit::Older)),
        bind(C, "↓", Action::Edit(Edit::Newer)),
        bind(C, "Ctrl-N", Action::Edit(Edit::Newer)),
        bind(C, "Ctrl-C", Action::App(App::Cancel)),
        bind(C, "Ctrl-Z", Action::App(App::Suspend)),
    ]
};

/// Returns every binding, context by context.
pub fn bindings() -> impl Iterator<Item = &'static Binding> {
    Context::ALL.iter().flat_map(|&context| of(context))
}

const fn of(context: Context) -> &'static [Binding] {
    match context {
        Context::List => LIST,
        Context::Types => TYPES,
        Context::Actors => ACTORS,
        Context::Timeline => TIMELINE,
        Context::Events => EVENTS,
        Context::Detail => DETAIL,
        Context::Global => GLOBAL,
        Context::Prompt => PROMPT,
        Context::Choices => CHOICES,
        Context::Chips => CHIPS,
        Context::Reading => READING,
    }
}

/// What a chord typed so far means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// It is bound.
    Action(Action),
    /// It begins a longer chord.
    Pending,
    /// It means nothing here.
    Nothing,
}

/// Looks `chord` up through `contexts` in order.
pub fn resolve(contexts: &[Context], chord: &[Key]) -> Resolved {
    let mut pending = false;
    for &context in contexts {
        for binding in of(context) {
            let Some(keys) = parse_chord(binding.keys) else { continue };
            if keys == chord {
                return Resolved::Action(binding.action);
            }
            pending |= keys.starts_with(chord);
        }
    }
    if pending { Resolved::Pending } else { Resolved::Nothing }
}

/// Returns the bindings that go on from a pending chord.
pub fn continuations(contexts: &[Context], chord: &[Key]) -> Vec<&'static Binding> {
    let longer = |binding: &&Binding| {
        parse_chord(binding.keys)
            .is_some_and(|keys| keys.len() > chord.len() && keys.starts_with(chord))
    };
    contexts.iter().flat_map(|&context| of(context)).filter(longer).collect()
}

/// Returns the hints of the contexts, the most special first.
pub fn hints(contexts: &[Context]) -> Vec<&'static Binding> {
    let mut seen: Vec<&'static Binding> = Vec::new();
    for binding in contexts.iter().flat_map(|&context| of(context)) {
        if !binding.hint.is_empty() && !seen.iter().any(|b| b.keys == binding.keys) {
            seen.push(binding);
        }
    }
    seen
}

/// One line of the key table for people: all keys of one action in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The heading it stands under.
    pub context: Context,
    /// The keys, the first binding first, apart by two blanks.
    pub keys: Vec<String>,
    /// What they do.
    pub action: Action,
}

/// Returns the key table for help, `actlog keys` and the README.
pub fn table() -> Vec<KeyRow> {
    let mut rows: Vec<KeyRow> = Vec::new();
    for binding in bindings() {
        let keys = parse_chord(binding.keys).map(|keys| chord_text(&keys)).unwrap_or_default();
        match rows
            .iter_mut()
            .find(|row| row.context == binding.context && row.action == binding.action)
        {
            Some(row) => row.keys.push(keys),
            None => rows.push(KeyRow {
                context: binding.context,
                keys: vec![keys],
                action: binding.action,
            }),
        }
    }
    rows
}

/// Returns the first key of an action, for the palette.
pub fn key_of(action: Action) -> Option<&'static str> {
    bindings().find(|binding| binding.action == action).map(|binding| binding.keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binding_is_readable_and_unique_in_its_context() {
        let mut seen = std::collections::HashSet::new();
        for binding in bindings() {
            let keys = parse_chord(binding.keys).unwrap();
            assert!(seen.insert((binding.context, keys)), "{binding:?} is bound twice");
        }
    }

    #[test]
    fn every_action_has_a_key() {
        for &action in Action::ALL {
            assert!(key_of(action).is_some(), "{} has no key", action.name());
        }
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::HashSet<_> = Action::ALL.iter().map(|a| a.name()).collect();
        assert_eq!(names.len(), Action::ALL.len());
    }

    #[test]
    fn keys_that_need_alt_gr_somewhere_have_another_way() {
        for awkward in ["[", "]", "\\"] {
            let Some(binding) = bindings().find(|b| b.keys == awkward) else { continue };
            let others = bindings().filter(|b| b.action == binding.action).count();
            assert!(others > 1, "{awkward} has no second binding");
        }
    }

    #[test]
    fn chords_wait_for_their_second_key() {
        let y = parse_chord("y").unwrap();
        assert_eq!(resolve(&[Context::Global], &y), Resolved::Pending);
        assert_eq!(continuations(&[Context::Global], &y).len(), 5);
        let none = parse_chord("y q").unwrap();
        assert_eq!(resolve(&[Context::Global], &none), Resolved::Nothing);
    }
}
