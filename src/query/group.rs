//! Matches counted by columns or attributes, and by steps of time.

use rustc_hash::FxHashMap;

use crate::base::bits::Bits;
use crate::base::cancel::CancelToken;
use crate::base::id::{ActorId, OutcomeId, TypeId};
use crate::base::json::JsonKind;
use crate::base::time::Timestamp;
use crate::index::Index;
use crate::query::exec::segment::{View, keep};
use crate::query::exec::{Pass, THREADS, in_parallel};
use crate::query::extract::Extractor;
use crate::query::fields::{FieldKind, WEEKDAYS, find};
use crate::query::filter::Filter;
use crate::query::plan::plan;
use crate::query::when::DAY;
use crate::record::head::Flags;
use crate::schema::catalog::Catalog;

/// Different groups that one thread keeps apart; events of later ones are counted together.
const MOST_GROUPS: usize = 1 << 20;

/// Names that `--by` knows beside attributes.
pub const GROUP_FIELDS: [&str; 8] =
    ["type", "category", "actor", "outcome", "file", "hour", "weekday", "day"];

/// One thing to count by.
#[derive(Clone, Debug)]
pub enum By {
    /// The event type.
    Type,
    /// The category of the event type: names by number of type.
    Category(Vec<String>),
    /// Who did it.
    Actor,
    /// How it went.
    Outcome,
    /// The file.
    File,
    /// The hour of the day, in UTC.
    Hour,
    /// The day of the week, in UTC.
    Weekday,
    /// The date, in UTC.
    Day,
    /// An attribute.
    Attribute(Box<Extractor>),
}

/// A value that events were grouped by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The value as text.
    Value(String),
    /// It is null.
    Null,
    /// There is none.
    Missing,
}

/// Events of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The start of the step of time, when counted over time; no time for events without one.
    pub time: Option<Timestamp>,
    /// A value for each thing that was counted by.
    pub parts: Vec<Part>,
    /// Events in it.
    pub events: u64,
}

/// All groups.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// By time, then the largest first.
    pub groups: Vec<Group>,
    /// Events that match; one with several values is in several groups.
    pub matched: u64,
    /// Events of groups beyond the first million.
    pub beyond: u64,
}

impl By {
    /// Returns what a name of `--by` means.
    pub fn of(name: &str, index: &Index, catalog: &Catalog) -> Self {
        if name.eq_ignore_ascii_case("day") {
            return Self::Day;
        }
        match find(name).map(|field| field.kind) {
            Some(FieldKind::Type) => Self::Type,
            Some(FieldKind::Category) => Self::Category(categories(index, catalog)),
            Some(FieldKind::Actor) => Self::Actor,
            Some(FieldKind::Outcome) => Self::Outcome,
            Some(FieldKind::File) => Self::File,
            Some(FieldKind::Hour) => Self::Hour,
            Some(FieldKind::Weekday) => Self::Weekday,
            Some(FieldKind::Site) => Self::Attribute(Box::new(Extractor::new("siteLuid"))),
            _ => Self::Attribute(Box::new(Extractor::new(name))),
        }
    }

    /// Appends the values of a row, each as a coded part.
    fn add(&self, view: &View<'_>, row: usize, values: &mut Values) {
        let columns = &view.segment.columns;
        let time = columns.time[row];
        let column = |number: u32| (COLUMN, number.to_le_bytes());
        let (tag, bytes) = match self {
            Self::Type | Self::Category(_) => column(u32::from(columns.event_type[row])),
            Self::Actor if columns.actor[row] == 0 => return values.push(MISSING, &[]),
            Self::Actor => column(columns.actor[row]),
            Self::Outcome => match columns.outcome[row] {
                0 => return values.push(MISSING, &[]),
                1 => return values.push(NULL, &[]),
                number => column(u32::from(number)),
            },
            Self::File => column(view.segment.file.0),
            Self::Hour | Self::Weekday | Self::Day if time == i64::MAX => {
                return values.push(MISSING, &[]);
            }
            Self::Hour => column(small(time.rem_euclid(DAY) / (DAY / 24))),
            Self::Weekday => column(small((time.div_euclid(DAY) + 3).rem_euclid(7))),
            Self::Day => {
                let day = i32::try_from(time.div_euclid(DAY)).unwrap_or(0);
                (COLUMN, day.to_le_bytes())
            }
            Self::Attribute(name) => {
                let mut any = false;
                name.each(view.record(row), view.flags(row), &mut |text, kind| {
                    any = true;
                    match kind {
                        JsonKind::Null => values.push(NULL, &[]),
                        JsonKind::Array | JsonKind::Object => any = false,
                        _ => values.push(VALUE, text.as_bytes()),
                    }
                });
                if !any && values.is_open() {
                    values.push(MISSING, &[]);
                }
                return;
            }
        };
        values.push(tag, &bytes);
    }

    fn part(&self, coded: &[u8], index: &Index) -> Part {
        let (tag, rest) = coded.split_first().unwrap_or((&MISSING, &[]));
        let number = rest.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let small = number as usize;
        Part::Value(match (*tag, self) {
            (NULL, _) => return Part::Null,
            (VALUE, _) => String::from_utf8_lossy(rest).into_owned(),
            (COLUMN, Self::Type) => index.type_name(TypeId(number as u16)).to_owned(),
            (COLUMN, Self::Category(names)) => names.get(small).cloned().unwrap_or_default(),
            (COLUMN, Self::Actor) => index.actor_name(ActorId(number)).to_owned(),
            (COLUMN, Self::Outcome) => index.outcome_name(OutcomeId(number as u8)).to_owned(),
            (COLUMN, Self::File) => {
                index.sources().files.get(small).map_or("", |file| file.label()).to_owned()
            }
            (COLUMN, Self::Hour) => format!("{number:02}"),
            (COLUMN, Self::Weekday) => WEEKDAYS.get(small).map_or("", |day| &day[..3]).to_owned(),
            (COLUMN, Self::Day) => {
                let day = Timestamp(i64::from(number.cast_signed()).saturating_mul(DAY));
                day.to_rfc3339().split('T').next().unwrap_or("").to_owned()
            }
            _ => return Part::Missing,
        })
    }
}

fn small(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(0)
}

fn categories(index: &Index, catalog: &Catalog) -> Vec<String> {
    let types = (0..index.n_types()).map(|id| {
        let name = index.type_name(TypeId(u16::try_from(id).unwrap_or(u16::MAX)));
        let category = catalog.find(name).and_then(|one| catalog.category(one.category));
        category.map_or_else(|| "other".to_owned(), |category| category.name.clone())
    });
    types.collect()
}

const MISSING: u8 = 0;
const NULL: u8 = 1;
const COLUMN: u8 = 2;
const VALUE: u8 = 3;

/// The values of one row for one thing to count by, coded one after the other.
#[derive(Default)]
struct Values {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Values {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    const fn is_open(&self) -> bool {
        self.ends.is_empty()
    }

    fn push(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }
}

#[derive(Default)]
struct Counted {
    groups: FxHashMap<Box<[u8]>, u64>,
    matched: u64,
    beyond: u64,
}

impl Counted {
    fn add(&mut self, key: &[u8], events: u64) {
        if let Some(count) = self.groups.get_mut(key) {
            *count += events;
        } else if self.groups.len() < MOST_GROUPS {
            self.groups.insert(key.into(), events);
        } else {
            self.beyond += events;
        }
    }
}

/// Counts the matches of a filter by some things and, with `over`, by steps of so many nanoseconds.
/// Returns `None` when cancelled.
pub fn count(
    index: &Index,
    filter: &Filter,
    by: &[By],
    over: Option<i64>,
    cancel: &CancelToken,
) -> Option<Groups> {
    let node = plan(filter);
    let over = over.map(|width| width.max(1));
    let work = |number: usize, counted: &mut Counted| {
        let view = View::new(index, index.segments().get(number)?);
        let mut rows = Bits::full(view.rows());
        keep(&node, &view, &mut rows);
        count_rows(&view, &rows, by, over, counted);
        Some(())
    };
    let all = Pass { index, range: 0..index.segments().len(), threads: THREADS, cancel };
    let parts = in_parallel(&all, Counted::default, &work)?;
    let mut all = Counted::default();
    for (counted, _) in parts {
        all.matched += counted.matched;
        all.beyond += counted.beyond;
        counted.groups.iter().for_each(|(key, &events)| all.add(key, events));
    }
    let mut groups: Vec<_> =
        all.groups.iter().map(|(key, &events)| decoded(key, events, by, over, index)).collect();
    groups.sort_by(|a, b| (a.time, b.events, &a.parts).cmp(&(b.time, a.events, &b.parts)));
    Some(Groups { groups, matched: all.matched, beyond: all.beyond })
}

fn count_rows(view: &View<'_>, rows: &Bits, by: &[By], over: Option<i64>, counted: &mut Counted) {
    let columns = &view.segment.columns;
    let mut values: Vec<Values> = by.iter().map(|_| Values::default()).collect();
    let mut key = Vec::new();
    rows.each(|row| {
        counted.matched += 1;
        if by.is_empty() && over.is_none() {
            return;
        }
        for (by, values) in by.iter().zip(&mut values) {
            values.clear();
            if view.flags(row).has(Flags::BAD) && !matches!(by, By::File | By::Type) {
                values.push(MISSING, &[]);
            } else {
                by.add(view, row, values);
            }
        }
        key.clear();
        if let Some(width) = over {
            let time = columns.time[row];
            let step = if time == i64::MAX { time } else { Timestamp(time).floor(width).0 };
            key.extend_from_slice(&step.to_le_bytes());
        }
        add_products(&values, &mut key, counted);
    });
}

/// Counts each combination of values once.
fn add_products(values: &[Values], key: &mut Vec<u8>, counted: &mut Counted) {
    let Some((first, rest)) = values.split_first() else {
        counted.add(key, 1);
        return;
    };
    for value in first.iter() {
        let before = key.len();
        key.extend_from_slice(&u32::try_from(value.len()).unwrap_or(u32::MAX).to_le_bytes());
        key.extend_from_slice(value);
        add_products(rest, key, counted);
        key.truncate(before);
    }
}

fn decoded(key: &[u8], events: u64, by: &[By], over: Option<i64>, index: &Index) -> Group {
    let mut rest = key;
    let mut time = None;
    if over.is_some()
        && let Some((step, after)) = rest.split_first_chunk::<8>()
    {
        time = Some(Timestamp(i64::from_le_bytes(*step)));
        rest = after;
    }
    let mut parts = Vec::new();
    for by in by {
        let Some((len, after)) = rest.split_first_chunk::<4>() else { break };
        let len = (u32::from_le_bytes(*len) as usize).min(after.len());
        let (value, after) = after.split_at(len);
        parts.push(by.part(value, index));
        rest = after;
    }
    Group { time, parts, events }
}
