//! Who did it: actors with their figures.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::app::action::{Move, Pane};
use crate::app::data::Data;
use crate::app::intent::Intent;
use crate::app::pane::{Ctx, PaneId, chip, finder};
use crate::app::viewport::Viewport;
use crate::base::id::ActorId;

/// The field this pane narrows by.
pub const FIELD: &str = "actor";

/// The order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Most events first.
    #[default]
    Events,
    /// Most failures first.
    Failures,
    /// Last seen first.
    Last,
    /// By id.
    Name,
}

impl Sort {
    /// Returns the order's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "most events",
            Self::Failures => "most failures",
            Self::Last => "last seen",
            Self::Name => "id",
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::Events => Self::Failures,
            Self::Failures => Self::Last,
            Self::Last => Self::Name,
            Self::Name => Self::Events,
        }
    }
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct Actors {
    /// Cursor and window.
    pub view: Viewport,
    /// What is shown, as of the last [`Actors::rebuild`].
    pub rows: Vec<ActorId>,
    /// Actors in the narrowing, as of the last rebuild.
    pub chosen: BTreeSet<String>,
    /// The most events any one actor has.
    pub most: u64,
    /// The order.
    pub sort: Sort,
    /// What is being looked for.
    pub pattern: String,
}

impl Actors {
    /// Does what was asked.
    pub fn update(&mut self, action: Pane, ctx: &Ctx<'_>) -> Option<Intent> {
        let name = self.focused().map(|id| ctx.data.index.actor_name(id).to_owned());
        match action {
            Pane::Sort => {
                self.sort = self.sort.next();
                None
            }
            Pane::Open => self.narrow(&name?, Some(PaneId::Events)),
            Pane::Include => self.narrow(&name?, None),
            Pane::Exclude => Some(Intent::Add(format!("-{}", chip::write(FIELD, &[name?])))),
            Pane::Collect => Some(chip::toggle(FIELD, &self.chosen, vec![name?])),
            _ => None,
        }
    }

    /// Moves.
    pub fn shift(&mut self, step: Move, ctx: &Ctx<'_>) {
        self.view.apply(step, ctx.count, self.rows.len(), ctx.rows);
    }

    /// Returns the actor under the cursor.
    pub fn focused(&self) -> Option<ActorId> {
        self.rows.get(self.view.cursor).copied()
    }

    /// Lists the actors anew from the newest answer; the cursor stays on its actor.
    pub fn rebuild(&mut self, data: &Data, chip: Option<&str>, height: usize) {
        let under_cursor = self.focused();
        self.chosen = chip::read(chip, FIELD);
        let Some(answer) = data.answer.as_deref() else { return };
        let mut rows = answer.busiest.clone();
        self.most = rows.first().map_or(0, |&id| u64::from(data.actor_tally(id).events));
        let without_events = |id: &ActorId| data.actor_tally(*id).events == 0;
        let mut idle: Vec<ActorId> =
            self.chosen.iter().filter_map(|name| data.index.find_actor(name)).collect();
        idle.retain(without_events);
        idle.sort_unstable();
        idle.dedup();
        rows.extend(idle);
        self.order(&mut rows, data);
        if !self.pattern.trim().is_empty() {
            rows = finder::rank(&self.pattern, rows, |&id| vec![name_of(data, id)]);
        }
        self.rows = rows;
        if let Some(at) = under_cursor.and_then(|id| self.rows.iter().position(|&row| row == id)) {
            self.view.cursor = at;
        }
        self.view.fit(self.rows.len(), height);
    }

    /// Looks for `pattern`, the best first.
    pub fn find(&mut self, pattern: &str, data: &Data, chip: Option<&str>, height: usize) {
        pattern.clone_into(&mut self.pattern);
        self.rebuild(data, chip, height);
        self.view = Viewport::default();
    }

    /// Puts rows that come with most events first into the order of the list.
    fn order(&self, rows: &mut [ActorId], data: &Data) {
        let tally = |id: &ActorId| data.actor_tally(*id);
        match self.sort {
            Sort::Events => {}
            Sort::Failures => rows.sort_by_key(|id| Reverse(tally(id).failed)),
            Sort::Last => rows.sort_by_key(|id| (Reverse(data.actor_span(*id).last), *id)),
            Sort::Name => rows
                .sort_unstable_by(|a, b| data.index.actor_name(*a).cmp(data.index.actor_name(*b))),
        }
    }

    fn narrow(&self, name: &str, then: Option<PaneId>) -> Option<Intent> {
        let same = self.chosen.len() == 1 && self.chosen.contains(name);
        let then = if same { None } else { then };
        let chip = (!same).then(|| chip::write(FIELD, &[name.to_owned()]));
        Some(Intent::Narrow { field: FIELD, chip, then })
    }
}

/// Returns an actor's id as shown, with words for nobody.
pub fn name_of(data: &Data, id: ActorId) -> String {
    match data.index.actor_name(id) {
        "" => "(nobody)".to_owned(),
        name => name.to_owned(),
    }
}
