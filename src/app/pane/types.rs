//! The catalogue: event types by category, with what occurs and what could.

use std::collections::BTreeSet;

use crate::app::action::{Move, Pane};
use crate::app::data::Data;
use crate::app::filter::quote;
use crate::app::intent::Intent;
use crate::app::pane::{Ctx, PaneId, chip, finder};
use crate::app::viewport::Viewport;
use crate::base::id::TypeId;

/// The field this pane narrows by.
pub const FIELD: &str = "type";

/// The field of filters for whole categories.
const CATEGORY: &str = "category";

/// The heading of types that the schema does not know.
pub const OUTSIDE: &str = "Not in the schema";

/// One type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeItem {
    /// Its name.
    pub name: String,
    /// Its title, or the name when undocumented.
    pub title: String,
    /// Events of it.
    pub events: u64,
    /// Failed ones among them.
    pub failed: u64,
    /// Whether the schema says something to be warned of.
    pub flagged: bool,
    /// Whether the schema knows it.
    pub known: bool,
}

/// The types of one category.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// What it is called.
    pub title: String,
    /// What filters call it, if they can.
    pub category: Option<String>,
    /// Events of its types.
    pub events: u64,
    /// Failed ones among them.
    pub failed: u64,
    /// Its types that are listed.
    pub types: Vec<TypeItem>,
}

/// One row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeRow {
    /// A heading; the number is the group's.
    Category(usize),
    /// A type: group and place in it.
    Type(usize, usize),
    /// How many documented types do not occur; opens them.
    Unseen(usize),
}

/// The order within a category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Most events first.
    #[default]
    Events,
    /// Most failures first.
    Failures,
    /// By name.
    Name,
}

impl Sort {
    /// Returns the order's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "most events",
            Self::Failures => "most failures",
            Self::Name => "name",
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::Events => Self::Failures,
            Self::Failures => Self::Name,
            Self::Name => Self::Events,
        }
    }
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct Types {
    /// Cursor and window.
    pub view: Viewport,
    /// What is shown, as of the last [`Types::rebuild`].
    pub rows: Vec<TypeRow>,
    /// The categories that have something to show.
    pub groups: Vec<Group>,
    /// Names in the narrowing, as of the last rebuild.
    pub chosen: BTreeSet<String>,
    /// The most events any one type has.
    pub most: u64,
    /// The order.
    pub sort: Sort,
    /// What is being looked for; empty for everything by category.
    pub pattern: String,
    all: bool,
    folded: BTreeSet<String>,
}

impl Types {
    /// Does what was asked.
    pub fn update(&mut self, action: Pane, ctx: &Ctx<'_>) -> Option<Intent> {
        match action {
            Pane::Open => return self.open(ctx),
            Pane::Include => return self.narrow(None, ctx),
            Pane::Collect => return self.collect(),
            Pane::Exclude => {
                return self.chip_under_cursor().map(|chip| Intent::Add(format!("-{chip}")));
            }
            Pane::Fold => self.toggle_fold(),
            Pane::Present => self.all = !self.all,
            Pane::Sort => self.sort = self.sort.next(),
            _ => {}
        }
        None
    }

    /// Moves; left and right fold and unfold.
    pub fn shift(&mut self, step: Move, ctx: &Ctx<'_>) {
        match (step, self.rows.get(self.view.cursor)) {
            (Move::Left, Some(&TypeRow::Category(group))) => {
                self.folded.insert(self.title(group));
            }
            (Move::Right, Some(&TypeRow::Category(group))) => {
                self.folded.remove(&self.title(group));
            }
            (Move::Left, Some(&TypeRow::Type(group, _))) => self.go_to_category(group),
            (Move::Right, Some(TypeRow::Unseen(_))) => self.all = true,
            _ => self.view.apply(step, ctx.count, self.rows.len(), ctx.rows),
        }
    }

    /// Returns the type under the cursor.
    pub fn focused(&self) -> Option<&TypeItem> {
        match self.rows.get(self.view.cursor)? {
            TypeRow::Type(group, at) => self.item(*group, *at),
            TypeRow::Category(_) | TypeRow::Unseen(_) => None,
        }
    }

    /// Returns a type by its row.
    pub fn item(&self, group: usize, at: usize) -> Option<&TypeItem> {
        self.groups.get(group)?.types.get(at)
    }

    /// Returns whether types that do not occur are listed.
    pub const fn shows_all(&self) -> bool {
        self.all
    }

    /// Returns whether a group is folded.
    pub fn is_folded(&self, group: &Group) -> bool {
        self.folded.contains(&group.title)
    }

    /// Lists the types anew from the newest answer; the cursor stays on its row's name.
    pub fn rebuild(&mut self, data: &Data, chip: Option<&str>, height: usize) {
        let under_cursor = self.focused().map(|item| item.name.clone());
        self.chosen = chosen(data, chip);
        let (mut groups, unseen) = self.collect_groups(data);
        self.most = groups.iter().flat_map(|g| &g.types).map(|t| t.events).max().unwrap_or(0);
        for group in &mut groups {
            self.order(&mut group.types);
        }
        self.groups = groups;
        self.rows = self.list(unseen);
        let same = |row: &TypeRow| match row {
            TypeRow::Type(group, at) => {
                self.item(*group, *at).map(|item| &item.name) == under_cursor.as_ref()
            }
            TypeRow::Category(_) | TypeRow::Unseen(_) => false,
        };
        if under_cursor.is_some()
            && let Some(at) = self.rows.iter().position(same)
        {
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

    fn collect_groups(&self, data: &Data) -> (Vec<Group>, usize) {
        let catalog = &data.catalog;
        let n_categories = catalog.categories().len();
        let known = catalog.categories().iter();
        let named = known.map(|one| (one.title.clone(), Some(one.name.clone())));
        let mut groups: Vec<Group> = named
            .chain([(OUTSIDE.to_owned(), None)])
            .map(|(title, category)| Group { title, category, ..Group::default() })
            .collect();
        let mut seen = BTreeSet::new();
        for id in (1..data.index.n_types()).filter_map(|id| u16::try_from(id).ok()) {
            let id = TypeId(id);
            let name = data.index.type_name(id);
            let known = catalog.find(name);
            let tally = data.type_tally(id);
            let item = TypeItem {
                name: name.to_owned(),
                title: known.map_or(name, |t| t.title.as_str()).to_owned(),
                events: u64::from(tally.events),
                failed: u64::from(tally.failed),
                flagged: known.is_some_and(|t| !t.status.is_empty()),
                known: known.is_some(),
            };
            if item.events == 0 && !self.chosen.contains(name) && !(self.all && known.is_none()) {
                continue;
            }
            seen.insert(known.map_or(name, |t| t.name.as_str()).to_owned());
            let group = known.map_or(n_categories, |t| usize::from(t.category.0));
            add(&mut groups, group, item);
        }
        let mut unseen = 0;
        for known in catalog.types() {
            if seen.contains(&known.name) || known.is_outside() {
                continue;
            }
            unseen += 1;
            if self.all || !self.pattern.trim().is_empty() {
                let item = TypeItem {
                    name: known.name.clone(),
                    title: known.title.clone(),
                    flagged: !known.status.is_empty(),
                    known: true,
                    ..TypeItem::default()
                };
                add(&mut groups, usize::from(known.category.0), item);
            }
        }
        groups.retain(|group| !group.types.is_empty());
        (groups, unseen)
    }

    fn order(&self, types: &mut [TypeItem]) {
        types.sort_by(|a, b| {
            let figures = match self.sort {
                Sort::Events => b.events.cmp(&a.events),
                Sort::Failures => b.failed.cmp(&a.failed).then(b.events.cmp(&a.events)),
                Sort::Name => std::cmp::Ordering::Equal,
            };
            figures.then_with(|| a.name.cmp(&b.name))
        });
    }

    fn list(&self, unseen: usize) -> Vec<TypeRow> {
        let of_group = |(group, g): (usize, &Group)| {
            (0..g.types.len()).map(move |at| (group, at)).collect::<Vec<_>>()
        };
        if !self.pattern.trim().is_empty() {
            let all: Vec<(usize, usize)> =
                self.groups.iter().enumerate().flat_map(of_group).collect();
            let texts = |&(group, at): &(usize, usize)| match self.item(group, at) {
                Some(item) => vec![item.name.clone(), item.title.clone()],
                None => Vec::new(),
            };
            let found = finder::rank(&self.pattern, all, texts);
            return found.into_iter().map(|(group, at)| TypeRow::Type(group, at)).collect();
        }
        let mut rows = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            rows.push(TypeRow::Category(at));
            if !self.is_folded(group) {
                rows.extend(of_group((at, group)).into_iter().map(|(g, t)| TypeRow::Type(g, t)));
            }
        }
        if !self.all && 0 < unseen {
            rows.push(TypeRow::Unseen(unseen));
        }
        rows
    }

    fn open(&mut self, ctx: &Ctx<'_>) -> Option<Intent> {
        match *self.rows.get(self.view.cursor)? {
            TypeRow::Unseen(_) => {
                self.all = true;
                None
            }
            TypeRow::Type(group, at) => {
                let item = self.item(group, at)?;
                if item.events == 0 && !self.chosen.contains(&item.name) {
                    let event_type = Some(item.name.clone());
                    ctx.data.catalog.find(&item.name)?;
                    return Some(Intent::Doc { event_type, attribute: None });
                }
                self.narrow(Some(PaneId::Events), ctx)
            }
            TypeRow::Category(_) => self.narrow(Some(PaneId::Events), ctx),
        }
    }

    /// Narrows to what is under the cursor, or lifts that narrowing when it is in place.
    fn narrow(&self, then: Option<PaneId>, ctx: &Ctx<'_>) -> Option<Intent> {
        let chip = self.chip_under_cursor()?;
        let names = self.names_under_cursor();
        let same = ctx.chip == Some(chip.as_str())
            || names.iter().collect::<BTreeSet<_>>() == self.chosen.iter().collect();
        let then = if same { None } else { then };
        Some(Intent::Narrow { field: FIELD, chip: (!same).then_some(chip), then })
    }

    /// Returns the filter text that keeps what is under the cursor.
    fn chip_under_cursor(&self) -> Option<String> {
        let names = self.names_under_cursor();
        let category = match self.rows.get(self.view.cursor) {
            Some(&TypeRow::Category(group)) => self.groups.get(group)?.category.as_deref(),
            Some(TypeRow::Type(..) | TypeRow::Unseen(_)) | None => None,
        };
        match category {
            _ if names.is_empty() => None,
            Some(category) => Some(format!("{CATEGORY}:{}", quote(category))),
            None => Some(chip::write(FIELD, &names)),
        }
    }

    fn collect(&mut self) -> Option<Intent> {
        let names = self.names_under_cursor();
        if names.is_empty() {
            return None;
        }
        Some(chip::toggle(FIELD, &self.chosen, names))
    }

    fn names_under_cursor(&self) -> Vec<String> {
        let name = |item: &TypeItem| item.name.clone();
        match self.rows.get(self.view.cursor) {
            Some(&TypeRow::Type(group, at)) => self.item(group, at).map(name).into_iter().collect(),
            Some(&TypeRow::Category(group)) => {
                let types = self.groups.get(group).map_or(&[][..], |group| &group.types);
                types.iter().filter(|item| 0 < item.events).map(name).collect()
            }
            Some(TypeRow::Unseen(_)) | None => Vec::new(),
        }
    }

    fn toggle_fold(&mut self) {
        let group = match self.rows.get(self.view.cursor) {
            Some(&TypeRow::Category(group) | &TypeRow::Type(group, _)) => group,
            Some(TypeRow::Unseen(_)) | None => return,
        };
        let title = self.title(group);
        if !self.folded.remove(&title) {
            self.go_to_category(group);
            self.folded.insert(title);
        }
    }

    fn go_to_category(&mut self, group: usize) {
        if let Some(at) = self.rows.iter().position(|row| *row == TypeRow::Category(group)) {
            self.view.cursor = at;
        }
    }

    fn title(&self, group: usize) -> String {
        self.groups.get(group).map(|group| group.title.clone()).unwrap_or_default()
    }
}

fn add(groups: &mut [Group], at: usize, item: TypeItem) {
    let last = groups.len() - 1;
    let group = &mut groups[at.min(last)];
    group.events += item.events;
    group.failed += item.failed;
    group.types.push(item);
}

/// Returns the names a chip keeps, of those that occur.
fn chosen(data: &Data, chip_text: Option<&str>) -> BTreeSet<String> {
    let (types, categories) = (chip::read(chip_text, FIELD), chip::read(chip_text, CATEGORY));
    if types.is_empty() && categories.is_empty() {
        return BTreeSet::new();
    }
    let category = |name: &str| {
        let at = usize::from(data.catalog.find(name)?.category.0);
        data.catalog.categories().get(at)
    };
    let is_chosen = |name: &str| {
        types.contains(name) || category(name).is_some_and(|one| categories.contains(&one.name))
    };
    let occurs = (1..data.index.n_types())
        .filter_map(|id| u16::try_from(id).ok())
        .map(|id| data.index.type_name(TypeId(id)))
        .filter(|name| is_chosen(name));
    occurs.map(str::to_owned).collect()
}
