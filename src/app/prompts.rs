//! Prompts: what typing does while one is open, and what Enter makes of the line.

use chrono::{NaiveTime, TimeDelta};

use crate::app::action::{Action, Edit, Move};
use crate::app::data::Data;
use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::overlay::choices::{Choices, Run};
use crate::app::overlay::prompt::{Kind, Prompt};
use crate::app::overlay::suggest::{Suggestions, Way};
use crate::app::pane::{PaneId, actors, types};
use crate::app::work::{self, Search};
use crate::app::{Model, act, zones};
use crate::base::time::{SECOND, TimeRange, Timestamp, to_utc};
use crate::base::zone::Zone;
use crate::jobs::msg::{Direction, Slot};
use crate::query::ask::Chip;
use crate::query::ast::Severity;
use crate::query::complete::complete;
use crate::query::parser;
use crate::query::when::{self, Anchors, When};

/// Entries kept of a history.
const HISTORY: usize = 100;

/// Opens a prompt with `text` in it.
pub fn open(model: &mut Model, kind: Kind, text: &str, effects: &mut Vec<Effect>) {
    model.overlays.push(Overlay::Prompt(Prompt::new(kind, text)));
    changed(model, effects);
}

/// Inserts text where one is being typed; returns whether there is such a place.
pub fn insert(model: &mut Model, text: &str) -> bool {
    match model.overlays.last_mut() {
        Some(Overlay::Prompt(prompt)) => {
            if text == "?" && prompt.line.text().is_empty() && turn_search(prompt) {
                return true;
            }
            prompt.line.insert(text);
            suggest(prompt, &model.data, Asked::Typed);
            true
        }
        Some(Overlay::Choices(choices)) => {
            choices.line.insert(text);
            true
        }
        Some(Overlay::Chips(_) | Overlay::Problems(_) | Overlay::Doc(_)) | None => false,
    }
}

/// A question mark at the start of a search makes it go backward.
fn turn_search(prompt: &mut Prompt) -> bool {
    let forward = prompt.kind == Kind::Search(Direction::Forward);
    if forward {
        prompt.kind = Kind::Search(Direction::Backward);
    }
    forward
}

/// Edits the line of the topmost prompt.
pub fn edit(model: &mut Model, edit: Edit, effects: &mut Vec<Effect>) {
    if edit == Edit::Accept {
        return accept(model, effects);
    }
    let (filters, needles) = (&model.work.filters, &model.work.needles);
    match model.overlays.last_mut() {
        Some(Overlay::Prompt(prompt)) => {
            let history: &[String] = match prompt.kind {
                Kind::Filter | Kind::Chip(_) => filters,
                Kind::Search(_) => needles,
                Kind::InDetail | Kind::Time | Kind::Find(_) => &[],
            };
            if let (Kind::Find(pane), Edit::Older | Edit::Newer) = (prompt.kind, edit) {
                return move_found(model, pane, edit);
            }
            if !choose(prompt, &model.data, edit) {
                prompt.line.apply(edit, history);
                match edit {
                    Edit::DeleteBack | Edit::Delete | Edit::DeleteWord | Edit::Yank => {
                        suggest(prompt, &model.data, Asked::Typed);
                    }
                    _ => prompt.suggestions.close(),
                }
            }
        }
        Some(Overlay::Choices(choices)) => choices.line.apply(edit, &[]),
        Some(Overlay::Chips(_) | Overlay::Problems(_) | Overlay::Doc(_)) | None => return,
    }
    changed(model, effects);
}

/// Who wants suggestions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// Nobody; they are shown beside what is typed.
    Typed,
    /// The person at the keys.
    Key,
}

/// Lists what could stand at the cursor of a filter prompt.
fn suggest(prompt: &mut Prompt, data: &Data, asked: Asked) {
    prompt.suggestions.close();
    let head = &prompt.line.text()[..prompt.line.cursor()];
    let begun = !head.is_empty() && !head.ends_with([' ', '(', '-']);
    let wanted = asked == Asked::Key || begun && !prompt.suggestions.quiet;
    if !wanted || !prompt.kind.is_filter() {
        return;
    }
    let items = complete(head, head.len(), &data.index, &data.catalog);
    let Some(first) = items.first() else { return };
    let typed = head.get(first.span.start..).unwrap_or_default().to_owned();
    // What stands there in full already needs no list.
    if items.len() == 1 && first.text == typed {
        return;
    }
    prompt.suggestions = Suggestions { items, typed, ..Suggestions::default() };
}

/// Goes through the suggestions; returns whether the key was meant for them.
fn choose(prompt: &mut Prompt, data: &Data, edit: Edit) -> bool {
    let list = &prompt.suggestions;
    let arrows = list.chosen.is_some() || list.is_open() && prompt.line.is_own();
    let way = match edit {
        Edit::Complete => Way::On,
        Edit::CompleteBack => Way::Back,
        Edit::Newer if arrows => Way::On,
        Edit::Older if list.chosen.is_some() => Way::Back,
        _ => return false,
    };
    if !prompt.kind.is_filter() {
        return true;
    }
    if !prompt.suggestions.is_open() {
        prompt.suggestions.quiet = false;
        suggest(prompt, data, Asked::Key);
        // Where nothing is typed yet, the list is shown first.
        if prompt.suggestions.typed.is_empty() {
            return true;
        }
    }
    let only = prompt.suggestions.items.len() == 1;
    if let Some((from, text)) = prompt.suggestions.turn(way) {
        prompt.line.replace_before(from, &text);
        // The only one needs no choice: what comes after it is listed.
        if only {
            suggest(prompt, data, Asked::Typed);
        }
    }
    true
}

/// Closes the list of suggestions; returns whether there was one.
pub fn close_suggestions(model: &mut Model) -> bool {
    match model.overlays.last_mut() {
        Some(Overlay::Prompt(prompt)) if prompt.suggestions.is_open() => {
            prompt.suggestions.close();
            prompt.suggestions.quiet = true;
            true
        }
        _ => false,
    }
}

/// While finding, the arrows move in the list below the prompt.
fn move_found(model: &mut Model, pane: PaneId, edit: Edit) {
    let step = if edit == Edit::Older { Move::Up } else { Move::Down };
    let rows = work::list_rows(model, pane);
    if pane == PaneId::Actors {
        let len = model.panes.actors.rows.len();
        model.panes.actors.view.apply(step, 1, len, rows);
    } else {
        let len = model.panes.types.rows.len();
        model.panes.types.view.apply(step, 1, len, rows);
    }
}

/// Takes note that the line of the topmost prompt is another now.
pub fn changed(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.overlays.last_mut() {
        Some(Overlay::Choices(choices)) => choices.refilter(),
        Some(Overlay::Prompt(prompt)) => {
            prompt.error = None;
            let (kind, text) = (prompt.kind, prompt.line.text().to_owned());
            match kind {
                Kind::Filter | Kind::Chip(_) => count(model, kind, &text, effects),
                Kind::Find(pane) => find(model, pane, &text),
                Kind::Time => check_time(model),
                Kind::Search(_) | Kind::InDetail => {}
            }
        }
        Some(Overlay::Chips(_) | Overlay::Problems(_) | Overlay::Doc(_)) | None => {}
    }
}

fn find(model: &mut Model, pane: PaneId, pattern: &str) {
    let rows = work::list_rows(model, pane);
    let chip = |field| model.filter.chip_of(field).map(|chip| chip.text.clone());
    if pane == PaneId::Actors {
        let chip = chip(actors::FIELD);
        model.panes.actors.find(pattern, &model.data, chip.as_deref(), rows);
    } else {
        let chip = chip(types::FIELD);
        model.panes.types.find(pattern, &model.data, chip.as_deref(), rows);
    }
}

/// Counts what the filter typed so far would show, and says what is wrong with it.
fn count(model: &mut Model, kind: Kind, text: &str, effects: &mut Vec<Effect>) {
    let (_, problems) = parser::parse(text);
    if let Some(problem) = problems.iter().find(|problem| problem.severity == Severity::Error) {
        let words = problem.line();
        if let Some(Overlay::Prompt(prompt)) = model.overlays.last_mut() {
            prompt.error = Some(words);
        }
        return;
    }
    let mut chips: Vec<Chip> = match kind {
        Kind::Chip(at) => {
            let chips = model.filter.view().chips.iter().enumerate();
            chips.filter(|(n, chip)| *n != at && chip.on).map(|(_, chip)| chip.clone()).collect()
        }
        _ => Vec::new(),
    };
    chips.extend(split(text).into_iter().map(|text| Chip { text, on: true }));
    effects.push(work::preview(model, chips));
}

fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.overlays.pop() {
        Some(Overlay::Choices(choices)) => run(model, &choices, effects),
        Some(Overlay::Prompt(prompt)) => take(model, prompt, effects),
        Some(other @ (Overlay::Chips(_) | Overlay::Problems(_) | Overlay::Doc(_))) => {
            model.overlays.push(other);
        }
        None => {}
    }
}

fn run(model: &mut Model, choices: &Choices, effects: &mut Vec<Effect>) {
    use crate::app::intent::Intent;
    let Some(choice) = choices.focused() else { return };
    match &choice.run {
        Run::Action(Action::Edit(_)) | Run::Nothing => {}
        Run::Action(action) => act::act(model, *action, None, effects),
        Run::Zone(zone) => zones::choose(model, *zone),
        Run::SearchBack(text) => {
            begin_search(model, text.clone(), Direction::Backward, effects);
        }
        Run::Type(name) => {
            act::apply(model, Intent::Doc { event_type: Some(name.clone()), attribute: None });
        }
        Run::Attribute(name) => {
            act::apply(model, Intent::Doc { event_type: None, attribute: Some(name.clone()) });
        }
    }
}

fn take(model: &mut Model, mut prompt: Prompt, effects: &mut Vec<Effect>) {
    let text = prompt.line.text().trim().to_owned();
    match prompt.kind {
        Kind::Filter | Kind::Chip(_) if prompt.error.is_some() => {
            model.overlays.push(Overlay::Prompt(prompt));
        }
        Kind::Filter => {
            effects.push(model.work.cancel(Slot::Preview));
            remember(&mut model.work.filters, &text);
            let focused = act::focused(model);
            model.filter.replace_active(split(&text), focused);
            model.work.stale();
        }
        Kind::Chip(at) => {
            effects.push(model.work.cancel(Slot::Preview));
            change_chip(model, at, text);
        }
        Kind::Search(direction) => begin_search(model, text, direction, effects),
        Kind::InDetail => {
            model.panes.detail.needle = text;
            let rows = work::list_rows(model, PaneId::Detail);
            if !model.panes.detail.search(true, rows) {
                model.tell("not in this event");
            }
        }
        Kind::Time => match time(model, &text) {
            Ok(t) => go_to(model, t),
            Err(words) => {
                prompt.error = Some(words);
                model.overlays.push(Overlay::Prompt(prompt));
            }
        },
        Kind::Find(_) => {}
    }
}

fn change_chip(model: &mut Model, at: usize, text: String) {
    let mut view = model.filter.view().clone();
    if text.is_empty() {
        if at < view.chips.len() {
            view.chips.remove(at);
        }
    } else if let Some(chip) = view.chips.get_mut(at) {
        chip.text = text;
        chip.on = true;
    }
    let focused = act::focused(model);
    model.filter.change(view, focused);
    model.work.stale();
    act::clamp_chips(model);
}

/// Looks for a text in the events.
pub fn begin_search(
    model: &mut Model,
    text: String,
    direction: Direction,
    effects: &mut Vec<Effect>,
) {
    let needle = match &model.work.search {
        Some(search) if text.is_empty() => search.needle.clone(),
        _ => text,
    };
    if needle.is_empty() {
        return;
    }
    remember(&mut model.work.needles, &needle);
    model.panes.detail.needle.clone_from(&needle);
    model.work.search = Some(Search {
        needle,
        direction,
        going: direction,
        progress: None,
        left: 0,
        goes_on: false,
    });
    work::search(model, direction, effects);
}

fn remember(history: &mut Vec<String>, text: &str) {
    if text.is_empty() {
        return;
    }
    history.retain(|old| old != text);
    history.push(text.to_owned());
    if HISTORY < history.len() {
        history.remove(0);
    }
}

fn check_time(model: &mut Model) {
    let Some(Overlay::Prompt(prompt)) = model.overlays.last() else { return };
    let text = prompt.line.text().to_owned();
    let hint = match time(model, &text) {
        Ok(_) => None,
        Err(_) if text.is_empty() => Some(format!(
            "09:30 · 2026-03-02T09:30 · -2h · yesterday; without a zone it is {}",
            model.data.zone.name()
        )),
        Err(words) => Some(words),
    };
    if let Some(Overlay::Prompt(prompt)) = model.overlays.last_mut() {
        prompt.error = hint;
    }
}

/// Reads a time to go to. Without a zone it means the zone that times are shown in; a clock alone
/// is meant on the day of the focused event.
fn time(model: &Model, text: &str) -> Result<Timestamp, String> {
    let last = work::last_time(model);
    let anchors = Anchors { now: model.now, last };
    let focused = act::focused(model).map(|id| model.data.time(id)).filter(|t| t.is_some());
    let zone = if when::names_zone(text) { Zone::Utc } else { model.data.zone };
    let here = |as_utc: Timestamp| zone.instant(to_utc(as_utc));
    match text {
        "today" => return Ok(zone.midnight(last)),
        "yesterday" => {
            return Ok(zone.midnight(Timestamp(zone.midnight(last).0.saturating_sub(SECOND))));
        }
        _ => {}
    }
    Ok(match when::read(text, &anchors)? {
        When::Date(TimeRange { start, .. }) | When::Moment(TimeRange { start, .. }) => here(start),
        When::Clock(since_midnight, _) => {
            let day = zone.date(focused.unwrap_or(last)).and_time(NaiveTime::MIN);
            zone.instant(day + TimeDelta::nanoseconds(since_midnight))
        }
        When::Relative(t) => t,
    })
}

fn go_to(model: &mut Model, t: Timestamp) {
    let rows = model.layout.rows(PaneId::Events, model.wish.left);
    let position = model.data.nearest_time(t);
    model.panes.events.choose(position, &model.data, rows);
    model.panes.timeline.at = Some(t);
    if let Some(id) = act::focused(model) {
        let zone = model.data.zone;
        let there = zone.rfc3339(model.data.time(id));
        model.tell(format!("nearest to {} is {there}", zone.rfc3339(t)));
    }
}

/// Takes back what a prompt that is left without Enter did while it was typed.
pub fn left(model: &mut Model, overlay: &Overlay, effects: &mut Vec<Effect>) {
    let Overlay::Prompt(prompt) = overlay else { return };
    match prompt.kind {
        Kind::Filter | Kind::Chip(_) => effects.push(model.work.cancel(Slot::Preview)),
        Kind::Find(pane) => find(model, pane, ""),
        Kind::Search(_) | Kind::InDetail | Kind::Time => {}
    }
}

/// Returns the chips that are on as one text that [`split`] takes apart again.
pub fn filter_text(model: &Model) -> String {
    let chips: Vec<&str> = model.filter.active().map(|chip| chip.text.as_str()).collect();
    let alone = chips.len() == 1;
    let whole = |text: &&str| {
        let loose = !alone && split(text).len() == 1 && has_or(text);
        if loose { format!("({text})") } else { (*text).to_owned() }
    };
    chips.iter().map(whole).collect::<Vec<_>>().join(" ")
}

fn has_or(text: &str) -> bool {
    pieces(text).iter().any(|piece| piece.eq_ignore_ascii_case("or"))
}

/// Takes a filter apart into terms that must all hold; one chip when there is an `or` outside
/// parentheses.
pub fn split(text: &str) -> Vec<String> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    if has_or(text) {
        return vec![text.to_owned()];
    }
    let mut chips: Vec<String> = Vec::new();
    let mut negated = false;
    for piece in pieces(text) {
        if piece.eq_ignore_ascii_case("and") {
            continue;
        }
        if piece.eq_ignore_ascii_case("not") {
            negated = !negated;
            continue;
        }
        chips.push(if negated { format!("not {piece}") } else { piece.to_owned() });
        negated = false;
    }
    chips
}

/// Cuts at blanks outside quotes, regular expressions and parentheses.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut closing, mut escaped) = (0, 0_usize, None, false);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match closing {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(end) if c == end => closing = None,
            Some(_) => {}
            None => match c {
                '"' => closing = Some('"'),
                '/' if matches!(before, ' ' | ':' | '(' | '-') => closing = Some('/'),
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                c if c.is_whitespace() && depth == 0 => {
                    pieces.push(&text[start..at]);
                    start = at + c.len_utf8();
                }
                _ => {}
            },
        }
        before = c;
    }
    pieces.push(&text[start..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_falls_apart_into_terms_that_must_all_hold() {
        for (text, want) in [
            ("", &[][..]),
            ("type:a  actor:7", &["type:a", "actor:7"]),
            ("type:a and not actor:7", &["type:a", "not actor:7"]),
            ("type:a or actor:7", &["type:a or actor:7"]),
            ("(a or b) c", &["(a or b)", "c"]),
            ("object:\"Sales EU\" x", &["object:\"Sales EU\"", "x"]),
            ("/a b/ c", &["/a b/", "c"]),
            ("a/b c", &["a/b", "c"]),
        ] {
            assert_eq!(split(text), want, "{text}");
        }
    }
}
