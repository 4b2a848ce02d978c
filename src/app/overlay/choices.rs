//! A prompt above a list of choices: the palette and the help.

use crate::app::action::{Action, Move};
use crate::app::keymap::{self, Context};
use crate::app::lineedit::LineEdit;
use crate::app::pane::finder;
use crate::app::viewport::Viewport;
use crate::base::time::Timestamp;
use crate::base::zone::Zone;
use crate::schema::catalog::Catalog;

/// What a choice does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// Do something.
    Action(Action),
    /// Open the documentation of a type.
    Type(String),
    /// Open the documentation of an attribute.
    Attribute(String),
    /// Show times in a zone.
    Zone(Zone),
    /// Search the events backward.
    SearchBack(String),
    /// A heading; does nothing.
    Nothing,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The key or kind, at the left.
    pub key: String,
    /// The name.
    pub name: String,
    /// One line of help.
    pub help: String,
    /// What Enter does.
    pub run: Run,
}

/// Which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Keys that work here.
    Help,
    /// Everything by name.
    Palette,
    /// Time zones.
    Zones,
}

/// The state of the list.
#[derive(Debug)]
pub struct Choices {
    /// Which list.
    pub kind: Kind,
    /// What is being looked for.
    pub line: LineEdit,
    /// Cursor and window.
    pub view: Viewport,
    /// What fits, best first.
    pub shown: Vec<Choice>,
    all: Vec<Choice>,
}

impl Choices {
    /// Returns the help for these contexts, the most special first.
    pub fn help(contexts: &[Context]) -> Self {
        let table = keymap::table();
        let mut all = Vec::new();
        for &context in contexts {
            all.push(heading(context.title()));
            all.extend(table.iter().filter(|row| row.context == context).map(|row| Choice {
                key: row.keys.join("  "),
                name: row.action.help().to_owned(),
                help: row.action.name().to_owned(),
                run: Run::Action(row.action),
            }));
        }
        all.push(heading("Notes"));
        for (key, note) in NOTES {
            all.push(Choice {
                key: key.to_owned(),
                name: note.to_owned(),
                help: String::new(),
                run: Run::Nothing,
            });
        }
        Self::new(Kind::Help, all)
    }

    /// Returns the palette: commands, then types and attributes of the schema.
    pub fn palette(catalog: &Catalog) -> Self {
        let commands = Action::ALL
            .iter()
            .filter(|action| !matches!(action, Action::Move(_) | Action::Edit(_)));
        let mut all: Vec<Choice> = commands
            .map(|&action| Choice {
                key: keymap::key_of(action).unwrap_or_default().to_owned(),
                name: action.name().to_owned(),
                help: action.help().to_owned(),
                run: Run::Action(action),
            })
            .collect();
        all.extend(catalog.types().iter().map(|known| Choice {
            key: "type".to_owned(),
            name: known.name.clone(),
            help: known.title.clone(),
            run: Run::Type(known.name.clone()),
        }));
        let mut last = "";
        for attribute in catalog.attributes() {
            if attribute.name != last {
                all.push(Choice {
                    key: "attribute".to_owned(),
                    name: attribute.name.clone(),
                    help: attribute.summary.clone(),
                    run: Run::Attribute(attribute.name.clone()),
                });
            }
            last = &attribute.name;
        }
        Self::new(Kind::Palette, all)
    }

    /// Returns the zones, those of most use first; what clocks show there is told for `now`.
    pub fn zones(local: Zone, now: Timestamp) -> Self {
        let choice = |key: &str, zone: Zone| Choice {
            key: key.to_owned(),
            name: zone.name(),
            help: zone.format(now, "%a %H:%M ") + &zone.short(now),
            run: Run::Zone(zone),
        };
        let mut all = vec![choice("logs", Zone::Utc), choice("here", local)];
        all.extend(Zone::names().filter_map(Zone::parse).map(|zone| choice("", zone)));
        Self::new(Kind::Zones, all)
    }

    fn new(kind: Kind, all: Vec<Choice>) -> Self {
        let mut choices = Self {
            kind,
            line: LineEdit::default(),
            view: Viewport::default(),
            shown: Vec::new(),
            all,
        };
        choices.refilter();
        choices
    }

    /// Lists again what fits the line.
    pub fn refilter(&mut self) {
        let pattern = self.line.text().to_owned();
        let all = if pattern.trim().is_empty() {
            self.all.clone()
        } else {
            self.all.iter().filter(|choice| choice.run != Run::Nothing).cloned().collect()
        };
        self.shown = finder::rank(&pattern, all, |choice| {
            vec![choice.name.clone(), choice.help.clone(), choice.key.clone()]
        });
        if self.kind == Kind::Help && !pattern.trim().is_empty() {
            self.shown.push(search_back(&pattern));
        }
        self.view = Viewport::default();
        self.skip_headings(Move::Down);
    }

    /// Moves in the list of `height` rows; headings are passed over.
    pub fn shift(&mut self, step: Move, height: usize) {
        self.view.apply(step, 1, self.shown.len(), height);
        self.skip_headings(step);
        self.view.fit(self.shown.len(), height);
    }

    /// Returns the choice under the cursor.
    pub fn focused(&self) -> Option<&Choice> {
        self.shown.get(self.view.cursor)
    }

    fn skip_headings(&mut self, step: Move) {
        let is_heading = |at: usize| {
            self.shown
                .get(at)
                .is_some_and(|choice| choice.run == Run::Nothing && choice.key.is_empty())
        };
        let mut cursor = self.view.cursor;
        while is_heading(cursor) {
            let up = matches!(step, Move::Up | Move::PageUp) && 0 < cursor;
            cursor = if up { cursor - 1 } else { cursor + 1 };
            if self.shown.len() <= cursor || cursor == 0 && is_heading(0) {
                cursor = (0..self.shown.len()).find(|&at| !is_heading(at)).unwrap_or(0);
                break;
            }
        }
        self.view.cursor = cursor;
    }
}

/// Who typed `?` to search backward, as in less, gets there too.
fn search_back(pattern: &str) -> Choice {
    Choice {
        key: "/ ?".to_owned(),
        name: format!("search the events backward for: {pattern}"),
        help: "as ? does in less".to_owned(),
        run: Run::SearchBack(pattern.trim().to_owned()),
    }
}

fn heading(title: &str) -> Choice {
    Choice { key: String::new(), name: title.to_owned(), help: String::new(), run: Run::Nothing }
}

/// What no single key tells.
const NOTES: [(&str, &str); 6] = [
    ("5j", "a number before a key repeats it; 120G and 120g go to row 120"),
    ("/ ?", "a question mark as the first character of a search looks backward"),
    ("✗", "failed: an outcome other than success, an error flag, or a status that says so"),
    ("R W D A S J", "read, write, delete, administration, sign-in, job: what a type does"),
    ("≥", "at least: the log is still being indexed"),
    ("times", "are shown in the zone that the header names; z and Z change it, filters mean UTC"),
];
