//! What each action does: moves and pane actions go to whoever has the focus, the rest is here.

use crate::app::action::{Action, App, Jump, Move, Pane, View};
use crate::app::effect::Effect;
use crate::app::filter::{Lifted, quote};
use crate::app::intent::Intent;
use crate::app::layout;
use crate::app::overlay::choices::Choices;
use crate::app::overlay::doc::{Doc, Target};
use crate::app::overlay::prompt::Kind;
use crate::app::overlay::{Overlay, chips};
use crate::app::pane::{Ctx, PaneId, actors, chip, timeline, types};
use crate::app::viewport::Viewport;
use crate::app::{Model, prompts, work, zones};
use crate::base::id::EventId;
use crate::jobs::msg::{Direction, Order, Quarry, Slot};

/// Does what was asked, `count` times where that makes sense.
pub fn act(model: &mut Model, action: Action, count: Option<usize>, effects: &mut Vec<Effect>) {
    match action {
        Action::Move(step) => shift(model, step, count),
        Action::Edit(edit) => prompts::edit(model, edit, effects),
        Action::Pane(action) => pane(model, action, count, effects),
        Action::Jump(action) => jump(model, action, count, effects),
        Action::View(action @ (View::SearchNext | View::SearchPrev)) => {
            search_on(model, action, count.unwrap_or(1), effects);
        }
        Action::View(action) => view(model, action, effects),
        Action::App(action) => app(model, action, effects),
    }
}

/// Calls `f` with the focused pane's surroundings.
fn with_pane<T>(
    model: &mut Model,
    count: usize,
    f: impl FnOnce(&mut crate::app::pane::Panes, &Ctx<'_>) -> T,
) -> T {
    let focus = model.wish.focus;
    let rows = work::list_rows(model, focus);
    let area = model.layout.area(focus, model.wish.left).unwrap_or(model.layout.middle);
    let field = match focus {
        PaneId::Types => types::FIELD,
        PaneId::Actors => actors::FIELD,
        PaneId::Timeline => timeline::FIELD,
        PaneId::Events | PaneId::Detail => "",
    };
    let chip = model.filter.chip_of(field).map(|chip| chip.text.as_str());
    let ctx = Ctx { data: &model.data, chip, count, rows, columns: usize::from(area.w) };
    f(&mut model.panes, &ctx)
}

fn shift(model: &mut Model, step: Move, count: Option<usize>) {
    let times = count.unwrap_or(1);
    let overlay_rows = model.reading_rows();
    match model.overlays.last_mut() {
        Some(Overlay::Choices(choices)) => return choices.shift(step, overlay_rows.max(2) - 1),
        Some(Overlay::Chips(chips)) => {
            let len = model.filter.view().chips.len();
            return chips.view.apply(step, times, len, overlay_rows);
        }
        Some(Overlay::Problems(view)) => {
            let len = model.data.problems.as_ref().map_or(0, |problems| problems.rows.len());
            return view.apply(step, times, len, (overlay_rows / 3).max(1));
        }
        Some(Overlay::Doc(doc)) => return doc.shift(step, times, overlay_rows),
        Some(Overlay::Prompt(_)) | None => {}
    }
    // `G` with a count goes to that row, as `g` does.
    let step = if step == Move::Bottom && count.is_some() { Move::Top } else { step };
    let focus = model.wish.focus;
    let intent = with_pane(model, times, |panes, ctx| match focus {
        PaneId::Types => {
            panes.types.shift(step, ctx);
            None
        }
        PaneId::Actors => {
            panes.actors.shift(step, ctx);
            None
        }
        PaneId::Timeline => panes.timeline.shift(step, ctx),
        PaneId::Events => {
            panes.events.shift(step, ctx);
            None
        }
        PaneId::Detail => panes.detail.shift(step, ctx),
    });
    if focus == PaneId::Types {
        model.work.stale();
    }
    if let Some(intent) = intent {
        apply(model, intent);
    }
}

fn pane(model: &mut Model, action: Pane, count: Option<usize>, effects: &mut Vec<Effect>) {
    if !model.overlays.is_empty() {
        return overlay(model, action, effects);
    }
    let focus = model.wish.focus;
    let intent = with_pane(model, count.unwrap_or(1), |panes, ctx| match focus {
        PaneId::Types => panes.types.update(action, ctx),
        PaneId::Actors => panes.actors.update(action, ctx),
        PaneId::Timeline => panes.timeline.update(action, ctx),
        PaneId::Events => panes.events.update(action, ctx),
        PaneId::Detail => panes.detail.update(action, ctx),
    });
    model.work.stale();
    if let Some(intent) = intent {
        apply(model, intent);
    }
}

fn overlay(model: &mut Model, action: Pane, effects: &mut Vec<Effect>) {
    match model.overlays.last_mut() {
        Some(Overlay::Chips(list)) => match list.update(action, model.filter.view()) {
            Some(chips::Wish::Change(view)) => {
                let focused = focused(model);
                model.filter.change(view, focused);
                clamp_chips(model);
            }
            Some(chips::Wish::Edit(at)) => {
                let text = model.filter.view().chips.get(at).map(|chip| chip.text.clone());
                prompts::open(model, Kind::Chip(at), &text.unwrap_or_default(), effects);
            }
            None => {}
        },
        Some(Overlay::Problems(view)) if action == Pane::Open => {
            let row = view.cursor;
            let problems = model.data.problems.clone();
            if let Some(found) = problems.as_ref().and_then(|list| list.rows.get(row)) {
                model.overlays.pop();
                apply(model, Intent::Show(found.id));
            }
        }
        Some(Overlay::Doc(doc)) if action == Pane::Open => {
            let intent = match doc.target().cloned() {
                Some(Target::Type(name)) => Intent::Doc { event_type: Some(name), attribute: None },
                Some(Target::Attribute(name, event_type)) => {
                    Intent::Doc { event_type, attribute: Some(name) }
                }
                None => return,
            };
            apply(model, intent);
        }
        _ => {}
    }
}

/// Keeps the cursor of the chip list inside it.
pub fn clamp_chips(model: &mut Model) {
    let len = model.filter.view().chips.len();
    if let Some(Overlay::Chips(list)) = model.overlays.last_mut() {
        list.view.fit(len, usize::MAX);
    }
}

/// Does what a pane asked for.
pub fn apply(model: &mut Model, intent: Intent) {
    let focused = focused(model);
    match intent {
        Intent::Narrow { field, chip, then } => {
            model.filter.set(field, chip, focused);
            model.work.stale();
            if let Some(pane) = then {
                model.wish.focus = pane;
            }
        }
        Intent::Add(text) => {
            model.tell(format!("added  {text}   u undoes it"));
            model.filter.add(text, focused);
        }
        Intent::Focus(pane) => model.wish.focus = pane,
        Intent::Window(window) => {
            let mut view = model.filter.view().clone();
            view.window = window;
            model.filter.change(view, focused);
        }
        Intent::Reorder => {
            let mut view = model.filter.view().clone();
            view.order = match view.order {
                Order::Time => Order::File,
                Order::File => Order::Time,
            };
            model.data.order = view.order;
            model.filter.change(view, focused);
            model.panes.events.anchor = focused;
            model.panes.events.refind(&model.data);
        }
        Intent::Show(id) => show(model, id),
        Intent::Doc { event_type, attribute } => doc(model, event_type, attribute),
        Intent::Tell(text) => model.tell(text),
    }
}

fn show(model: &mut Model, id: EventId) {
    let focused = focused(model);
    if model.data.position(id).is_none() && model.filter.active().next().is_some() {
        model.filter.lift(focused);
        model.tell("all narrowings lifted to show it; X puts them back");
    }
    model.wish.focus = PaneId::Events;
    model.panes.events.anchor = Some(id);
    model.panes.events.row = model.layout.rows(PaneId::Events, model.wish.left) / 2;
    model.panes.events.refind(&model.data);
}

fn doc(model: &mut Model, event_type: Option<String>, attribute: Option<String>) {
    let columns = model.reading_columns();
    let catalog = &model.data.catalog;
    let (subject, page) = match (attribute, event_type) {
        (Some(name), event_type) => {
            let page = Doc::of_attribute(catalog, &name, event_type.as_deref(), columns);
            (name, page)
        }
        (None, Some(name)) => {
            let page = Doc::of_type(catalog, &name, columns);
            (name, page)
        }
        (None, None) => return,
    };
    match page {
        Some(page) => model.overlays.push(Overlay::Doc(page)),
        None => model.tell(format!("the schema does not know {subject}")),
    }
}

fn doc_of_focus(model: &mut Model) {
    let intent = match model.wish.focus {
        PaneId::Types => {
            let name = model.panes.types.focused().map(|item| item.name.clone());
            name.map(|name| Intent::Doc { event_type: Some(name), attribute: None })
        }
        PaneId::Detail => with_pane(model, 1, |panes, ctx| panes.detail.doc(ctx)),
        PaneId::Actors | PaneId::Timeline | PaneId::Events => {
            let name = focused(model).map(|id| type_name(model, id));
            name.map(|name| Intent::Doc { event_type: Some(name), attribute: None })
        }
    };
    if let Some(intent) = intent {
        apply(model, intent);
    }
}

fn type_name(model: &Model, id: EventId) -> String {
    model.data.index.type_name(model.data.index.row(id).event_type).to_owned()
}

/// Returns the event under the cursor of the list.
pub fn focused(model: &Model) -> Option<EventId> {
    model.panes.events.focused(&model.data)
}

fn jump(model: &mut Model, action: Jump, count: Option<usize>, effects: &mut Vec<Effect>) {
    let times = count.unwrap_or(1);
    match action {
        Jump::NextFailure => {
            work::step(model, Quarry::Failure, Direction::Forward, times, effects);
        }
        Jump::PrevFailure => {
            work::step(model, Quarry::Failure, Direction::Backward, times, effects);
        }
        Jump::NextSame | Jump::PrevSame => {
            let way =
                if action == Jump::NextSame { Direction::Forward } else { Direction::Backward };
            if let Some(id) = focused(model) {
                work::step(model, Quarry::TypeOf(id), way, times, effects);
            }
        }
        Jump::Actor => same_actor(model),
        Jump::Object => same_object(model),
        Jump::Context => {
            let n = model.panes.events.neighbours;
            model.panes.events.neighbours = count.unwrap_or(if n == 0 { 1 } else { n * 2 }).min(64);
        }
        Jump::NoContext => model.panes.events.neighbours /= 2,
        Jump::Time => prompts::open(model, Kind::Time, "", effects),
        Jump::CopyEvent | Jump::CopyValue | Jump::CopyFilter | Jump::CopyTime | Jump::CopyPlace => {
            copy(model, action, effects)
        }
    }
}

fn same_actor(model: &mut Model) {
    let focused_actor = match model.wish.focus {
        PaneId::Actors => model.panes.actors.focused(),
        PaneId::Types | PaneId::Timeline | PaneId::Events | PaneId::Detail => {
            focused(model).map(|id| model.data.index.row(id).actor)
        }
    };
    let Some(actor) = focused_actor else { return };
    let name = model.data.index.actor_name(actor).to_owned();
    if name.is_empty() {
        return model.tell("this event names nobody who did it");
    }
    let chip = chip::write(actors::FIELD, &[name]);
    let from = focused(model);
    // Everything: what narrowed the view before gives way, and undo brings it back.
    model.filter.replace_active(vec![chip.clone()], from);
    let chip = Some(chip);
    apply(model, Intent::Narrow { field: actors::FIELD, chip, then: Some(PaneId::Events) });
}

fn same_object(model: &mut Model) {
    let label = focused(model).and_then(|id| model.data.label(id));
    match label.map(|label| label.object_id.clone()) {
        Some(id) if !id.is_empty() => {
            let chip = format!("object:{}", quote(&id));
            let from = focused(model);
            model.filter.replace_active(vec![chip.clone()], from);
            let chip = Some(chip);
            apply(model, Intent::Narrow { field: "object", chip, then: Some(PaneId::Events) });
        }
        Some(_) => model.tell("the schema names no object for this event"),
        None => model.tell("the object of this event is still being read"),
    }
}

fn copy(model: &mut Model, action: Jump, effects: &mut Vec<Effect>) {
    let id = focused(model);
    let detail = model.data.detail.clone().filter(|detail| Some(detail.id) == id);
    let text = match action {
        Jump::CopyEvent => detail.map(|d| String::from_utf8_lossy(&d.raw).into_owned()),
        Jump::CopyPlace => detail.map(|d| d.place.clone()),
        Jump::CopyFilter => Some(model.filter.text()),
        Jump::CopyTime => id.map(|id| model.data.zone.rfc3339(model.data.time(id))),
        _ => match model.wish.focus {
            PaneId::Types => model.panes.types.focused().map(|item| item.name.clone()),
            PaneId::Actors => {
                let actor = model.panes.actors.focused();
                actor.map(|id| model.data.index.actor_name(id).to_owned())
            }
            PaneId::Detail => model.panes.detail.focused().map(|entry| entry.value.clone()),
            PaneId::Timeline | PaneId::Events => id.map(|id| type_name(model, id)),
        },
    };
    match text {
        Some(text) if !text.is_empty() => {
            model.tell(format!(
                "sent {} to the terminal's clipboard",
                crate::base::text::bytes(text.len() as u64)
            ));
            effects.push(Effect::Copy(text));
        }
        _ => model.tell("nothing to copy here yet"),
    }
}

fn view(model: &mut Model, action: View, effects: &mut Vec<Effect>) {
    let focused = focused(model);
    match action {
        View::Filter => {
            let text = prompts::filter_text(model);
            prompts::open(model, Kind::Filter, &text, effects);
        }
        View::Chips => model.overlays.push(Overlay::Chips(chips::Chips::default())),
        View::Lift => match model.filter.lift(focused) {
            Lifted::Off => model.tell("all narrowings are off; X puts them back"),
            Lifted::On => model.tell("narrowings are back"),
            Lifted::Nothing => model.tell("nothing is narrowed; f writes a filter"),
        },
        View::Undo | View::Back => match model.filter.back(focused) {
            Some(was) if action == View::Back => return_to(model, was),
            Some(_) => model.tell("undone; Ctrl-R does it again"),
            None => model.tell("this is the first view"),
        },
        View::Redo | View::Forward => match model.filter.forward(focused) {
            Some(was) if action == View::Forward => return_to(model, was),
            Some(_) => {}
            None => model.tell("this is the newest view"),
        },
        View::Search | View::SearchBack => open_search(model, action, effects),
        View::SearchNext | View::SearchPrev => search_on(model, action, 1, effects),
    }
    model.work.stale();
}

fn return_to(model: &mut Model, was: Option<EventId>) {
    if was.is_some() {
        model.panes.events.anchor = was;
        model.panes.events.refind(&model.data);
    }
}

fn open_search(model: &mut Model, action: View, effects: &mut Vec<Effect>) {
    let kind = match (model.wish.focus, action) {
        (PaneId::Types | PaneId::Actors, View::Search) => Kind::Find(model.wish.focus),
        (PaneId::Detail, _) => Kind::InDetail,
        (_, View::SearchBack) => Kind::Search(Direction::Backward),
        _ => Kind::Search(Direction::Forward),
    };
    prompts::open(model, kind, "", effects);
}

/// Goes to the next hit of the last search, `times` hits on: in the lists of types and actors to the
/// next row found, in the detail inside the event.
fn search_on(model: &mut Model, action: View, times: usize, effects: &mut Vec<Effect>) {
    let forward = action == View::SearchNext;
    let step = if forward { Move::Down } else { Move::Up };
    match model.wish.focus {
        PaneId::Types if !model.panes.types.pattern.is_empty() => {
            return shift(model, step, Some(times));
        }
        PaneId::Actors if !model.panes.actors.pattern.is_empty() => {
            return shift(model, step, Some(times));
        }
        PaneId::Detail if !model.panes.detail.needle.is_empty() => {
            let rows = work::list_rows(model, PaneId::Detail);
            if !(0..times).all(|_| model.panes.detail.search(forward, rows)) {
                model.tell("not in this event");
            }
            return;
        }
        _ => {}
    }
    let Some(search) = &mut model.work.search else {
        return model.tell("nothing searched for yet; / searches");
    };
    search.left = times.saturating_sub(1);
    let direction = match (search.direction, forward) {
        (Direction::Forward, true) | (Direction::Backward, false) => Direction::Forward,
        (Direction::Forward, false) | (Direction::Backward, true) => Direction::Backward,
    };
    work::search(model, direction, effects);
}

fn app(model: &mut Model, action: App, effects: &mut Vec<Effect>) {
    match action {
        App::NextPane => focus(model, model.wish.focus.turn(1)),
        App::PrevPane => focus(model, model.wish.focus.turn(-1)),
        App::ShowTypes => focus(model, PaneId::Types),
        App::ShowActors => focus(model, PaneId::Actors),
        App::ShowTimeline => focus(model, PaneId::Timeline),
        App::ShowEvents => focus(model, PaneId::Events),
        App::ShowDetail => focus(model, PaneId::Detail),
        App::Doc => doc_of_focus(model),
        App::Problems => {
            model.overlays.push(Overlay::Problems(Viewport::default()));
            work::problems(model, effects);
        }
        App::Palette => {
            let palette = Choices::palette(&model.data.catalog);
            model.overlays.push(Overlay::Choices(palette));
        }
        App::Help => {
            let help = Choices::help(&model.contexts());
            model.overlays.push(Overlay::Choices(help));
        }
        App::Cancel => cancel(model, effects),
        App::Leave => leave(model, effects),
        App::Quit => effects.push(Effect::Quit),
        App::Redraw => effects.push(Effect::Redraw),
        App::Zone => zones::next(model),
        App::Zones => {
            let now = model.data.time_range().map_or(model.now, |(_, last)| last);
            let list = Choices::zones(model.zones.local, now);
            model.overlays.push(Overlay::Choices(list));
        }
        App::Suspend => effects.push(Effect::Suspend),
        App::Reload => {
            model.work.banner = None;
            effects.push(Effect::Reload);
        }
        App::Follow => {
            model.work.banner = None;
            effects.push(Effect::ToggleFollow);
        }
    }
}

fn focus(model: &mut Model, pane: PaneId) {
    model.wish.focus = pane;
    model.work.stale();
}

/// Leaves the topmost thing; a narrowing is never lifted by this.
fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    if prompts::close_suggestions(model) {
        return;
    }
    if let Some(overlay) = model.overlays.pop() {
        prompts::left(model, &overlay, effects);
    } else if model.work.is_running(Slot::Search) {
        work::stop_search(model, effects);
        model.tell("search stopped");
    } else if model.panes.timeline.mark.take().is_some() {
        model.tell("range given up");
    } else if model.panes.events.neighbours != 0 && model.wish.focus == PaneId::Events {
        model.panes.events.neighbours = 0;
    } else if !model.panes.types.pattern.is_empty() && model.wish.focus == PaneId::Types {
        model.panes.types.pattern.clear();
        model.work.stale();
    } else if !model.panes.actors.pattern.is_empty() && model.wish.focus == PaneId::Actors {
        model.panes.actors.pattern.clear();
        model.work.stale();
    } else if model.layout.shape != layout::Shape::Wide {
        model.wish.focus = PaneId::Events;
    }
}

fn leave(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.wish.focus == PaneId::Events {
        effects.push(Effect::Quit);
    } else {
        model.wish.focus = PaneId::Events;
    }
}
