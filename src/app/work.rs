//! Background work: what is asked, when, and what becomes of the answers.

use std::sync::Arc;

use crate::app::effect::Effect;
use crate::app::layout;
use crate::app::overlay::Overlay;
use crate::app::pane::PaneId;
use crate::app::pane::detail::Times;
use crate::app::pane::{actors, types};
use crate::app::{Model, prompts};
use crate::base::id::{EventId, Generation};
use crate::base::time::{SECOND, TimeRange, Timestamp};
use crate::jobs::msg::{Direction, Outcome, Payload, Quarry, Request, Slot, Ticket, Update, Walk};
use crate::query::ask::{Chip, Now, Question};

/// What is known of background work.
#[derive(Debug, Default)]
pub struct Work {
    generations: [u64; Slot::ALL.len()],
    running: [bool; Slot::ALL.len()],
    asked: Option<Asked>,
    asked_detail: Option<EventId>,
    asked_labels: Vec<EventId>,
    /// The search, while there is something to search for.
    pub search: Option<Search>,
    /// Bytes indexed, bytes in all, bytes per second.
    pub indexing: Option<(u64, u64, u64)>,
    /// What happened to a file while it was open.
    pub banner: Option<String>,
    stale_lists: bool,
    /// Texts of earlier prompts, oldest first, by kind.
    pub filters: Vec<String>,
    /// Needles of earlier searches, oldest first.
    pub needles: Vec<String>,
}

/// A search in the text of the events.
#[derive(Clone, Debug)]
pub struct Search {
    /// What is searched for.
    pub needle: String,
    /// The way of `n`.
    pub direction: Direction,
    /// The way of the search that was begun last.
    pub going: Direction,
    /// Events looked at and events in all, while it runs.
    pub progress: Option<(u64, u64)>,
    /// How many hits further it is to go.
    pub left: usize,
    /// Whether the next hit is to be looked for now.
    pub goes_on: bool,
}

/// What the last question was about; a new one is asked when this differs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    chips: Vec<Chip>,
    window: Option<TimeRange>,
    buckets: u16,
    shift: i64,
    rows: u32,
    is_final: bool,
}

impl Work {
    /// Marks the lists of types and actors as out of date.
    pub const fn stale(&mut self) {
        self.stale_lists = true;
    }

    /// Forgets what was asked about rows that no longer are what they were.
    pub fn anew(&mut self) {
        self.asked = None;
        self.asked_detail = None;
        self.asked_labels.clear();
        self.search = None;
    }

    /// Returns whether work of that kind runs.
    pub const fn is_running(&self, slot: Slot) -> bool {
        self.running[slot as usize]
    }

    fn start(&mut self, slot: Slot, request: Request) -> Effect {
        self.generations[slot as usize] += 1;
        self.running[slot as usize] = true;
        let generation = Generation(self.generations[slot as usize]);
        Effect::Start(Ticket { slot, generation }, Box::new(request))
    }

    /// Calls the work of a slot off.
    pub fn cancel(&mut self, slot: Slot) -> Effect {
        self.generations[slot as usize] += 1;
        self.running[slot as usize] = false;
        Effect::Cancel(slot)
    }
}

/// Starts what a view needs, and brings panes and layout up to date.
pub fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    if matches!(model.wish.focus, PaneId::Types | PaneId::Actors) {
        model.wish.left = model.wish.focus;
    }
    model.layout = layout::compute(model.layout.size, model.wish);
    ask(model, effects);
    spans(model, effects);
    lists(model);
    let rows = model.layout.rows(PaneId::Events, model.wish.left);
    model.panes.events.settle(&model.data, rows);
    detail(model, effects);
    labels(model, effects);
    if let Some(found) = &mut model.work.search
        && std::mem::take(&mut found.goes_on)
    {
        let going = found.going;
        search(model, going, effects);
    }
}

fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let view = model.filter.view();
    model.data.order = view.order;
    let columns = model.layout.timeline.map_or(model.layout.size.0, |area| area.w);
    let asked = Asked {
        chips: model.filter.active().cloned().collect(),
        window: view.window,
        buckets: columns.clamp(8, 512),
        shift: shift_of(model),
        rows: model.data.index.rows(),
        is_final: model.data.index.is_final(),
    };
    let Some(before) = &model.work.asked else {
        return begin(model, asked, effects);
    };
    if *before == asked {
        return;
    }
    let same_view =
        before.chips == asked.chips && before.window == asked.window && before.shift == asked.shift;
    // A growing index waits for the answer under way, or none would ever arrive.
    if same_view && model.work.is_running(Slot::Ask) {
        return;
    }
    begin(model, asked, effects);
}

fn begin(model: &mut Model, asked: Asked, effects: &mut Vec<Effect>) {
    let Asked { chips, window, buckets, shift, .. } = asked.clone();
    let question = Question { chips, window, buckets, shift };
    let request = Request::Ask { base: model.data.base(), question, now: now(model) };
    model.work.asked = Some(asked);
    effects.push(model.work.start(Slot::Ask, request));
    if model.work.is_running(Slot::Spans) {
        effects.push(model.work.cancel(Slot::Spans));
    }
    let typed = matches!(model.overlays.last(), Some(Overlay::Prompt(p)) if p.kind.is_filter());
    if typed {
        prompts::changed(model, effects);
    }
}

/// Asks for the times of actors once the counts are here, where they are shown.
fn spans(model: &mut Model, effects: &mut Vec<Effect>) {
    let work = &model.work;
    let is_busy = work.is_running(Slot::Ask) || work.is_running(Slot::Spans);
    if is_busy || model.wish.left != PaneId::Actors || model.data.spans.is_some() {
        return;
    }
    let Some(asked) = &work.asked else { return };
    let (base, chips) = (model.data.base(), asked.chips.clone());
    let request = Request::Spans { base, chips, now: now(model) };
    effects.push(model.work.start(Slot::Spans, request));
}

/// Returns how far the shown zone is ahead of UTC where the timeline begins or the log ends.
fn shift_of(model: &Model) -> i64 {
    let start = model.filter.view().window.map(|window| window.start);
    let there = start.or_else(|| model.data.index.time_range().map(|(_, last)| last));
    let offset = model.data.zone.offset(there.unwrap_or(model.now));
    i64::from(offset).saturating_mul(SECOND)
}

fn now(model: &Model) -> Now {
    let last = model.data.index.time_range().map_or(model.now, |(_, last)| last);
    Now { now: model.now, last }
}

/// Asks how much a filter that is being typed would show.
pub fn preview(model: &mut Model, chips: Vec<Chip>) -> Effect {
    let question = Question { chips, window: None, buckets: 8, shift: 0 };
    let request = Request::Ask { base: model.data.base(), question, now: now(model) };
    model.work.start(Slot::Preview, request)
}

/// Starts or goes on with a search.
pub fn search(model: &mut Model, direction: Direction, effects: &mut Vec<Effect>) {
    let Some(walk) = walk(model, direction) else { return };
    let Some(search) = &mut model.work.search else { return };
    search.going = direction;
    search.progress = Some((0, walk.matches.len() as u64));
    let needle = search.needle.clone();
    effects.push(model.work.start(Slot::Search, Request::Search { walk, needle }));
}

/// Calls the search off; its text stays for `n`.
pub fn stop_search(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(search) = &mut model.work.search {
        search.progress = None;
        search.left = 0;
    }
    effects.push(model.work.cancel(Slot::Search));
}

/// Goes to the next event of some kind.
pub fn step(
    model: &mut Model,
    quarry: Quarry,
    direction: Direction,
    count: usize,
    effects: &mut Vec<Effect>,
) {
    let Some(walk) = walk(model, direction) else { return };
    let base = model.data.base();
    effects.push(model.work.start(Slot::Step, Request::Step { base, walk, quarry, count }));
}

/// Lists the bad records.
pub fn problems(model: &mut Model, effects: &mut Vec<Effect>) {
    let base = model.data.base();
    effects.push(model.work.start(Slot::Problems, Request::Problems { base }));
}

fn walk(model: &Model, direction: Direction) -> Option<Walk> {
    let matches = model.data.matches()?.clone();
    let from = model.panes.events.cursor;
    (!matches.is_empty()).then_some(Walk { matches, order: model.data.order, from, direction })
}

fn lists(model: &mut Model) {
    if !model.work.stale_lists {
        return;
    }
    let left = model.wish.left;
    let rows = list_rows(model, left);
    let chip = |field| model.filter.chip_of(field).map(|chip| chip.text.as_str());
    if left == PaneId::Types {
        model.panes.types.rebuild(&model.data, chip(types::FIELD), rows);
    } else {
        model.panes.actors.rebuild(&model.data, chip(actors::FIELD), rows);
    }
    model.work.stale_lists = false;
}

/// Rows at the foot of the lists of types and actors that tell about the one in focus.
pub const FOOT: usize = 3;

/// Returns the rows of a pane's list without its foot.
pub fn list_rows(model: &Model, pane: PaneId) -> usize {
    let rows = model.layout.rows(pane, model.wish.left);
    match pane {
        PaneId::Types | PaneId::Actors if 10 <= rows => rows - FOOT,
        PaneId::Types | PaneId::Actors | PaneId::Timeline | PaneId::Events | PaneId::Detail => rows,
    }
}

fn detail(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(area) = model.layout.detail else { return };
    let focused = model.panes.events.focused(&model.data);
    if let Some(detail) = model.data.detail.clone().filter(|detail| Some(detail.id) == focused) {
        let columns = usize::from(area.w.saturating_sub(2));
        let last = model.data.time_range().map(|(_, last)| last);
        let times = Times { zone: model.data.zone, last };
        model.panes.detail.rebuild(&detail, times, columns, usize::from(area.body().h));
    } else if let Some(id) = focused
        && model.work.asked_detail != focused
    {
        let request = Request::Detail { base: model.data.base(), id };
        effects.push(model.work.start(Slot::Detail, request));
    }
    model.work.asked_detail = focused;
}

fn labels(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.layout.events.is_none() {
        return;
    }
    let unknown = |id: &EventId| model.data.label(*id).is_none();
    let ids: Vec<EventId> = model.panes.events.visible().filter(unknown).collect();
    if ids.is_empty() || ids == model.work.asked_labels {
        return;
    }
    model.work.asked_labels.clone_from(&ids);
    let request = Request::Labels { base: model.data.base(), ids };
    effects.push(model.work.start(Slot::Labels, request));
}

/// Takes in news; what an older generation sends is dropped here and nowhere else.
pub fn receive(model: &mut Model, update: Update) {
    let slot = update.ticket.slot;
    if model.work.generations[slot as usize] != update.ticket.generation.0 {
        return;
    }
    let payload = match update.outcome {
        Outcome::Partial(payload) => payload,
        Outcome::Done(payload) => {
            model.work.running[slot as usize] = false;
            payload
        }
        Outcome::Failed(words) => {
            model.work.running[slot as usize] = false;
            return model.complain(words);
        }
        Outcome::Cancelled => {
            model.work.running[slot as usize] = false;
            return;
        }
    };
    take(model, slot, payload);
}

fn take(model: &mut Model, slot: Slot, payload: Payload) {
    match payload {
        Payload::Answer(answer) if slot == Slot::Preview => {
            if let Some(Overlay::Prompt(prompt)) = model.overlays.last_mut() {
                prompt.preview = Some(answer);
            }
        }
        Payload::Answer(answer) => {
            model.data.answer = Some(answer);
            model.data.spans = None;
            model.work.stale();
            model.panes.events.refind(&model.data);
        }
        Payload::Spans(spans) => {
            model.data.spans = Some(spans);
            model.work.stale();
        }
        Payload::Searched(done, total) => {
            if let Some(search) = &mut model.work.search {
                search.progress = Some((done, total));
            }
        }
        Payload::Found(found) => {
            if let Some(search) = &mut model.work.search {
                search.progress = None;
            }
            found_event(model, slot, found);
        }
        Payload::Detail(detail) => model.data.detail = Some(detail),
        Payload::Labels(labels) => model.data.keep_labels(labels),
        Payload::Problems(problems) => model.data.problems = Some(problems),
    }
}

fn found_event(model: &mut Model, slot: Slot, found: Option<EventId>) {
    let rows = model.layout.rows(PaneId::Events, model.wish.left);
    let position = found.and_then(|id| model.data.position(id));
    match (position, slot) {
        (Some(position), _) => {
            let before = model.panes.events.cursor;
            model.panes.events.choose(position, &model.data, rows);
            let going = model.work.search.as_ref().map(|search| search.going);
            match going.filter(|_| slot == Slot::Search) {
                Some(Direction::Forward) if position <= before => {
                    model.tell("search went past the end and on from the top");
                }
                Some(Direction::Backward) if before <= position => {
                    model.tell("search went past the top and on from the end");
                }
                _ => {}
            }
            if let Some(search) =
                model.work.search.as_mut().filter(|s| slot == Slot::Search && 0 < s.left)
            {
                search.left -= 1;
                search.goes_on = true;
            }
        }
        (None, Slot::Search) => {
            let needle = model.work.search.as_ref().map_or("", |s| s.needle.as_str()).to_owned();
            model.tell(format!("\"{needle}\" is in none of the events shown"));
        }
        (None, _) => model.tell("no other one among the events shown"),
    }
}

/// Returns the newest instant that a relative time may refer to.
pub fn last_time(model: &Model) -> Timestamp {
    now(model).last
}

/// Returns the answer that a filter prompt shows, or else the view's.
pub fn shown_answer(model: &Model) -> Option<&Arc<crate::query::ask::Answer>> {
    match model.overlays.last() {
        Some(Overlay::Prompt(prompt)) if prompt.preview.is_some() => prompt.preview.as_ref(),
        _ => model.data.answer.as_ref(),
    }
}
