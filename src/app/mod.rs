//! The model and every decision: [`update`] takes an [`Event`] and returns [`Effect`]s.
//!
//! No terminal, no threads, no files here. Keys become [`action::Action`]s in [`keymap`]; panes
//! answer with [`intent::Intent`]s; what changed in the view decides which work is started.

pub mod act;
pub mod action;
pub mod data;
pub mod effect;
pub mod event;
pub mod filter;
pub mod intent;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod lineedit;
pub mod overlay;
pub mod pane;
pub mod plain;
pub mod prompts;
pub mod viewport;
pub mod work;
pub mod wrap;
pub mod zones;

use std::sync::Arc;

use crate::app::data::Data;
use crate::app::effect::Effect;
use crate::app::event::Event;
use crate::app::filter::Filter;
use crate::app::key::{Code, Key};
use crate::app::keymap::{Context, Resolved};
use crate::app::layout::{Layout, Wish};
use crate::app::overlay::Overlay;
use crate::app::pane::{PaneId, Panes};
use crate::app::work::Work;
use crate::app::zones::Zones;
use crate::base::time::Timestamp;
use crate::index::Index;
use crate::schema::catalog::Catalog;

/// The whole state of the explorer.
pub struct Model {
    /// What panes may read.
    pub data: Data,
    /// The view and its history.
    pub filter: Filter,
    /// The panes.
    pub panes: Panes,
    /// What lies on top of them, the topmost last.
    pub overlays: Vec<Overlay>,
    /// Which pane has the focus and what is shown beside it.
    pub wish: Wish,
    /// The chord and count typed so far.
    pub keys: Keys,
    /// What is told at the bottom until the next key.
    pub notice: Option<Notice>,
    /// Where everything is.
    pub layout: Layout,
    /// Background work.
    pub work: Work,
    /// The zones that a key goes through.
    pub zones: Zones,
    /// The time of the last event that told it.
    pub now: Timestamp,
}

/// The chord and count typed so far.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// Keys of a chord that is not complete.
    pub pending: Vec<Key>,
    /// The count typed before a key.
    pub count: Option<usize>,
}

/// Words at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What is told.
    pub text: String,
    /// Whether something went wrong.
    pub kind: NoticeKind,
}

/// How a notice looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Good to know.
    Info,
    /// Something went wrong.
    Problem,
}

impl Model {
    /// Returns a model that shows `index` on a screen of `size`.
    pub fn new(catalog: Arc<Catalog>, index: Arc<Index>, size: (u16, u16), now: Timestamp) -> Self {
        let wish =
            Wish { focus: PaneId::Events, left: PaneId::Types, detail: layout::Detail::default() };
        Self {
            data: Data::new(catalog, index),
            filter: Filter::default(),
            panes: Panes::default(),
            overlays: Vec::new(),
            wish,
            keys: Keys::default(),
            notice: None,
            layout: layout::compute(size, wish),
            work: Work::default(),
            zones: Zones::default(),
            now,
        }
    }

    /// Returns the contexts whose keys hold now, the most special first.
    pub fn contexts(&self) -> Vec<Context> {
        match self.overlays.last() {
            Some(overlay) => overlay.contexts().to_vec(),
            None => vec![self.wish.focus.context(), Context::List, Context::Global],
        }
    }

    /// Tells something at the bottom.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), kind: NoticeKind::Info });
    }

    /// Tells that something went wrong.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), kind: NoticeKind::Problem });
    }

    /// Returns the columns of the area texts are read in.
    pub fn reading_columns(&self) -> usize {
        usize::from(self.layout.overlay(READING_COLUMNS, u16::MAX).w.saturating_sub(7))
    }

    /// Returns the rows of the area texts are read in.
    pub fn reading_rows(&self) -> usize {
        usize::from(self.layout.middle.h.saturating_sub(2))
    }
}

/// The widest that documentation is set.
pub const READING_COLUMNS: u16 = 92;

/// Takes in what happened and returns what the outside shall do.
pub fn update(model: &mut Model, event: Event) -> Vec<Effect> {
    let mut effects = Vec::new();
    match event {
        Event::Key(key) => press(model, key, &mut effects),
        Event::Paste(text) => {
            if prompts::insert(model, &text) {
                prompts::changed(model, &mut effects);
            }
        }
        Event::Resize(w, h) => model.layout.size = (w, h),
        Event::TerminalGone | Event::Ended(_) => effects.push(Effect::Quit),
        Event::Continued => effects.push(Effect::Redraw),
        Event::Index(index) => {
            if model.data.take_index(index) {
                model.work.anew();
            }
            model.work.stale();
        }
        Event::Tail(tail) => model.data.take_tail(tail),
        Event::Indexing(done, total, rate) => model.work.indexing = Some((done, total, rate)),
        Event::FileChanged(text) => model.work.banner = Some(text),
        Event::Job(update) => work::receive(model, update),
        Event::Clock(now) => model.now = now,
    }
    work::settle(model, &mut effects);
    effects
}

fn press(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    model.notice = None;
    let contexts = model.contexts();
    let in_prompt = contexts.contains(&Context::Prompt);
    if !in_prompt && model.keys.pending.is_empty() && take_digit(model, key) {
        return;
    }
    let mut chord = std::mem::take(&mut model.keys.pending);
    let began = !chord.is_empty();
    chord.push(key);
    match keymap::resolve(&contexts, &chord) {
        Resolved::Action(action) => {
            let count = model.keys.count.take();
            act::act(model, action, count, effects);
        }
        Resolved::Pending => model.keys.pending = chord,
        Resolved::Nothing => {
            model.keys.count = None;
            unbound(model, key, &chord, effects);
            // A key that breaks a chord off means what it means alone, but for Escape.
            if began && key.code != Code::Esc && model.notice.is_some() {
                model.notice = None;
                press(model, key, effects);
            }
        }
    }
}

fn unbound(model: &mut Model, key: Key, chord: &[Key], effects: &mut Vec<Effect>) {
    let in_prompt = model.contexts().contains(&Context::Prompt);
    match key.typed().filter(|_| in_prompt) {
        Some(c) => {
            let mut buffer = [0; 4];
            if prompts::insert(model, c.encode_utf8(&mut buffer)) {
                prompts::changed(model, effects);
            }
        }
        None if in_prompt => {}
        None => {
            let text = key::chord_text(chord);
            model.tell(format!("{text} does nothing here; ? shows the keys that do"));
        }
    }
}

/// Takes a digit as part of a count; 0 only after another digit.
fn take_digit(model: &mut Model, key: Key) -> bool {
    let digit =
        key.typed().and_then(|c| c.to_digit(10)).filter(|&d| 0 < d || model.keys.count.is_some());
    let Some(digit) = digit else { return false };
    let count = model.keys.count.unwrap_or(0);
    model.keys.count =
        Some(count.saturating_mul(10).saturating_add(digit as usize).min(u32::MAX as usize));
    true
}
