//! Commands typed as lines, for terminals without screens and for screen readers.
//!
//! A line is a key or the name of an action, a count before it, words after it; or the number that
//! a list has printed before one of its rows. It ends in the same actions as keys do.

use crate::app::action::{Action, App, Edit, Jump, Move, Pane, View};
use crate::app::effect::Effect;
use crate::app::intent::Intent;
use crate::app::key::{Key, parse_chord};
use crate::app::keymap::{self, Resolved};
use crate::app::lineedit::LineEdit;
use crate::app::overlay::Overlay;
use crate::app::pane::PaneId;
use crate::app::{Model, act, prompts, work};
use crate::base::time::Timestamp;

/// Columns and rows that panes are laid out for: a page of the list has about twenty rows.
pub const SIZE: (u16, u16) = (80, 66);

/// What there is to say after a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The row under the cursor.
    Row,
    /// The focused pane.
    Pane,
    /// The focused event in full.
    Event,
    /// What lies on top of the panes.
    Overlay,
    /// The commands there are.
    Commands,
    /// These words.
    Words(String),
}

/// Words for actions that people say rather than the actions' names.
const WORDS: [(&str, Action); 22] = [
    ("types", Action::App(App::ShowTypes)),
    ("actors", Action::App(App::ShowActors)),
    ("timeline", Action::App(App::ShowTimeline)),
    ("events", Action::App(App::ShowEvents)),
    ("detail", Action::App(App::ShowDetail)),
    ("next", Action::Move(Move::Down)),
    ("previous", Action::Move(Move::Up)),
    ("first", Action::Move(Move::Top)),
    ("last", Action::Move(Move::Bottom)),
    ("page", Action::Move(Move::PageDown)),
    ("find", Action::View(View::Search)),
    ("again", Action::View(View::SearchNext)),
    ("time", Action::Jump(Jump::Time)),
    ("actor", Action::Jump(Jump::Actor)),
    ("object", Action::Jump(Jump::Object)),
    ("only", Action::Pane(Pane::Include)),
    ("not", Action::Pane(Pane::Exclude)),
    ("read", Action::Pane(Pane::Open)),
    ("add", Action::Pane(Pane::Collect)),
    ("close", Action::App(App::Cancel)),
    ("exit", Action::App(App::Quit)),
    ("commands", Action::App(App::Help)),
];

/// Returns the words that people say for an action.
pub fn word_of(action: Action) -> &'static str {
    let known = WORDS.iter().find(|(_, known)| *known == action);
    known.map_or(action.name(), |(word, _)| word)
}

/// A line as it was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    /// The row of that number.
    Number(usize),
    /// An action, how often, and the words after it.
    Action(Action, Option<usize>, &'a str),
    /// None of these.
    Unknown,
}

/// Does what a line asks for.
pub fn command(model: &mut Model, line: &str, effects: &mut Vec<Effect>) -> Reply {
    model.notice = None;
    let reply = match understand(model, line.trim()) {
        Line::Number(n) => number(model, n, effects),
        Line::Action(action, count, rest) => run(model, action, count, rest, effects),
        Line::Unknown => {
            return Reply::Words(format!("`{}` is no command; help lists them", line.trim()));
        }
    };
    work::settle(model, effects);
    let covered = !model.overlays.is_empty();
    if covered && matches!(reply, Reply::Row | Reply::Pane) { Reply::Overlay } else { reply }
}

fn understand<'a>(model: &Model, line: &'a str) -> Line<'a> {
    if line.is_empty() {
        return Line::Action(Action::Move(Move::PageDown), None, "");
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let count = line[..digits].parse::<usize>().ok();
    let line = line[digits..].trim_start();
    if line.is_empty() {
        return count.map_or(Line::Unknown, Line::Number);
    }
    let found = |action, rest: &'a str| Line::Action(action, count, rest.trim());
    if let Some(rest) = line.strip_prefix('/') {
        return found(Action::View(View::Search), rest);
    }
    if let Some(rest) = line.strip_prefix('?').filter(|rest| !rest.is_empty()) {
        return found(Action::View(View::SearchBack), rest);
    }
    let line = line.strip_prefix(':').unwrap_or(line);
    if let Some(action) = Action::named(&line.replace(' ', "-")) {
        return found(action, "");
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let said = WORDS.iter().find(|(known, _)| *known == word).map(|(_, action)| *action);
    match said.or_else(|| Action::named(word)).or_else(|| bound(model, word)) {
        Some(Action::Edit(_)) | None => Line::Unknown,
        Some(Action::App(App::Zone)) if !rest.is_empty() => found(Action::App(App::Zones), rest),
        Some(action) => found(action, rest),
    }
}

/// Returns what keys mean here; those of a chord may be written together, as `yy`.
fn bound(model: &Model, word: &str) -> Option<Action> {
    let together = || word.chars().map(Key::char).collect::<Vec<_>>();
    let chord = parse_chord(word).unwrap_or_else(together);
    match keymap::resolve(&model.contexts(), &chord) {
        Resolved::Action(action) => Some(action),
        Resolved::Pending | Resolved::Nothing => None,
    }
}

fn number(model: &mut Model, n: usize, effects: &mut Vec<Effect>) -> Reply {
    let row = Action::Move(Move::Top);
    let open = Action::Pane(Pane::Open);
    match model.overlays.last_mut() {
        Some(Overlay::Doc(doc)) => {
            let links = doc.lines.iter().enumerate().filter(|(_, line)| line.target.is_some());
            let Some((at, _)) = links.take(n).last() else { return Reply::Overlay };
            doc.view.cursor = at;
            act::act(model, open, None, effects);
            return Reply::Overlay;
        }
        Some(Overlay::Problems(_)) => {
            act::act(model, row, Some(n), effects);
            act::act(model, open, None, effects);
            return Reply::Event;
        }
        Some(_) => {
            act::act(model, row, Some(n), effects);
            return Reply::Overlay;
        }
        None => {}
    }
    match model.wish.focus {
        PaneId::Events => {
            act::act(model, row, Some(n), effects);
            Reply::Event
        }
        PaneId::Detail => {
            model.panes.detail.go_to_entry(n.saturating_sub(1));
            Reply::Row
        }
        PaneId::Timeline => {
            let there = model.data.histogram().map(|histogram| {
                let offset = i64::try_from(n.saturating_sub(1)).unwrap_or(i64::MAX);
                let offset = offset.saturating_mul(histogram.width);
                Timestamp(histogram.window.start.0.saturating_add(offset).min(Timestamp::MAX.0))
            });
            model.panes.timeline.at = there;
            act::act(model, open, None, effects);
            Reply::Pane
        }
        PaneId::Types | PaneId::Actors => {
            act::act(model, row, Some(n), effects);
            act::act(model, open, None, effects);
            Reply::Pane
        }
    }
}

fn run(
    model: &mut Model,
    action: Action,
    count: Option<usize>,
    rest: &str,
    effects: &mut Vec<Effect>,
) -> Reply {
    let on_top = matches!(action, Action::Pane(_) | Action::Move(_) | Action::App(App::Cancel));
    if !on_top {
        model.overlays.clear();
    }
    match action {
        Action::App(App::Help | App::Palette) if rest.is_empty() => return Reply::Commands,
        Action::App(App::Doc) if !rest.is_empty() => {
            let known = model.data.catalog.find(rest).is_some();
            let name = Some(rest.to_owned());
            let (event_type, attribute) = if known { (name, None) } else { (None, name) };
            act::apply(model, Intent::Doc { event_type, attribute });
            return Reply::Overlay;
        }
        Action::App(App::Suspend | App::Redraw) => return Reply::Pane,
        _ => {}
    }
    act::act(model, action, count, effects);
    if let Some(overlay) = model.overlays.last_mut()
        && !fill_in(overlay, rest)
    {
        return reply_to(action, model.wish.focus);
    }
    if !model.overlays.is_empty() {
        if rest.is_empty() {
            model.overlays.pop();
            let word = word_of(action);
            return Reply::Words(format!("{word} what? Write it after the word: {word} …"));
        }
        prompts::changed(model, effects);
        prompts::edit(model, Edit::Accept, effects);
        if let Some(Overlay::Prompt(prompt)) = model.overlays.last() {
            let words = prompt.error.clone().unwrap_or_default();
            model.overlays.pop();
            return Reply::Words(words);
        }
    }
    reply_to(action, model.wish.focus)
}

/// Writes words into an overlay that asks for some; returns whether it does.
fn fill_in(overlay: &mut Overlay, words: &str) -> bool {
    match overlay {
        Overlay::Prompt(prompt) => prompt.line = LineEdit::with(words),
        Overlay::Choices(choices) => choices.line = LineEdit::with(words),
        Overlay::Chips(_) | Overlay::Problems(_) | Overlay::Doc(_) => return false,
    }
    true
}

fn reply_to(action: Action, focus: PaneId) -> Reply {
    match action {
        Action::Move(Move::Down | Move::Up) => Reply::Row,
        Action::Pane(Pane::Open | Pane::Raw) if focus == PaneId::Detail => Reply::Event,
        Action::Jump(Jump::Actor | Jump::Object | Jump::Context | Jump::NoContext) => Reply::Pane,
        Action::Jump(
            Jump::CopyEvent | Jump::CopyValue | Jump::CopyFilter | Jump::CopyTime | Jump::CopyPlace,
        ) => Reply::Words(String::new()),
        Action::Jump(_) => Reply::Row,
        Action::View(View::SearchNext | View::SearchPrev) => Reply::Row,
        Action::View(View::Search | View::SearchBack) if focus == PaneId::Events => Reply::Row,
        Action::App(App::ShowDetail) => Reply::Event,
        Action::App(App::Quit | App::Follow) => Reply::Words(String::new()),
        Action::Move(_) | Action::Edit(_) | Action::Pane(_) | Action::View(_) | Action::App(_) => {
            Reply::Pane
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_word_means_two_things() {
        let mut seen = HashSet::new();
        for (word, action) in WORDS {
            assert!(seen.insert(word), "{word} twice");
            assert!(
                Action::named(word).is_none_or(|named| named == action),
                "{word} is another action's name"
            );
        }
    }
}
