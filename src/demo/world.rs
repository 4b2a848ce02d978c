//! The world a demo log tells of: made once from the seed, then only read.

use std::ops::Range;

use super::clock::{self, DAY, HOUR, N_ZONES};
use super::names;
use super::rng::{Rng, mix, reduce};
use super::story;
use super::text::{self, Spelling};
use super::thing::{Kind, Person, Texts, Thing};

/// Every thing there is, with its texts.
#[derive(Debug)]
pub(super) struct World {
    /// The texts of things and people.
    pub(super) texts: Texts,
    /// All things, kind after kind.
    pub(super) things: Vec<Thing>,
    /// The people, in the order of the things of kind `User`, which come first.
    pub(super) people: Vec<Person>,
    ranges: [Range<u32>; Kind::ALL.len()],
    zones: [Range<u32>; N_ZONES],
}

impl World {
    /// Makes the world for a log of so many events; more events have more people and content.
    pub(super) fn new(events: u64, seed: u64) -> Self {
        let mut maker = Maker::new(events, seed);
        for kind in Kind::ALL {
            maker.make_kind(kind);
        }
        maker.finish()
    }

    /// Returns the numbers of all things of a kind.
    pub(super) fn range(&self, kind: Kind) -> Range<u32> {
        self.ranges[kind.at()].clone()
    }

    /// Returns a thing by its number.
    #[inline]
    pub(super) fn thing(&self, number: u32) -> &Thing {
        &self.things[number as usize]
    }

    /// Returns a thing of a kind, the same for the same `raw`.
    #[inline]
    pub(super) fn related(&self, kind: Kind, raw: u64) -> u32 {
        let range = &self.ranges[kind.at()];
        range.start + reduce(raw, range.end - range.start)
    }

    /// Returns a thing of a kind that has been there long, the popular ones more often.
    pub(super) fn popular(&self, kind: Kind, rng: &mut Rng) -> u32 {
        let range = &self.ranges[kind.at()];
        range.start + rng.skewed(lasting(range))
    }

    /// Returns a thing of a kind that comes and goes, so that its making or end surprises nobody.
    pub(super) fn passing(&self, kind: Kind, rng: &mut Rng) -> u32 {
        let range = &self.ranges[kind.at()];
        let from = lasting(range).min(range.end - range.start - 1);
        range.start + from + rng.below(range.end - range.start - from)
    }

    /// Returns somebody who works in a zone, the busy ones more often.
    pub(super) fn colleague(&self, zone: usize, rng: &mut Rng) -> u32 {
        let range = &self.zones[zone];
        let n = range.end - range.start;
        range.start + if rng.chance(700) { rng.below(n) } else { rng.skewed(n) }
    }

    /// Returns one of the few who look after the site.
    pub(super) fn administrator(&self, rng: &mut Rng) -> u32 {
        let people = self.range(Kind::User);
        let n_admins = (people.end - people.start).div_ceil(ADMIN_EVERY);
        people.start + rng.below(n_admins) * ADMIN_EVERY
    }
}

/// Every so many-th person looks after the site.
const ADMIN_EVERY: u32 = 23;

/// Returns how many things of a range are there all the time.
const fn lasting(range: &Range<u32>) -> u32 {
    let n = range.end - range.start;
    n - n / 7
}

/// Returns whether the person of this rank looks after the site.
pub(super) const fn is_administrator(rank: u32) -> bool {
    rank.is_multiple_of(ADMIN_EVERY)
}

/// Far beyond the demo's end.
const NEVER: i64 = i64::MAX;

struct Maker {
    world: World,
    rng: Rng,
    scale: f64,
    jobs_scale: f64,
}

impl Maker {
    fn new(events: u64, seed: u64) -> Self {
        let times = (events as f64 / 60_000.0).max(1.0);
        let world = World {
            texts: Texts::default(),
            things: Vec::new(),
            people: Vec::new(),
            ranges: Default::default(),
            zones: Default::default(),
        };
        // Square roots are exact everywhere, so the world is the same on every machine.
        let scale = (times * times.sqrt()).sqrt().min(200.0);
        Self { world, rng: Rng::new(seed, 0x5EED), scale, jobs_scale: times.min(2_000.0) }
    }

    fn count(&self, kind: Kind) -> u32 {
        let scaled = |n: u32| (f64::from(n) * self.scale) as u32;
        match kind {
            Kind::User => scaled(160),
            Kind::Group | Kind::Project => scaled(18).min(900),
            Kind::GroupSet | Kind::Indicator => 6,
            Kind::Workbook => scaled(80),
            Kind::View => 0,
            Kind::Datasource | Kind::Token => scaled(40),
            Kind::Flow => scaled(20),
            Kind::FlowDraft | Kind::Collection => scaled(10),
            Kind::Metric | Kind::DataRole | Kind::Connection | Kind::Database => 9,
            Kind::Column => scaled(60),
            Kind::Table => scaled(24),
            Kind::Schedule => names::SCHEDULES.len() as u32,
            Kind::Task => (46.0 * self.jobs_scale) as u32,
            Kind::Bridge => 8,
            Kind::Site => 1,
        }
    }

    fn make_kind(&mut self, kind: Kind) {
        let start = self.world.things.len() as u32;
        if kind == Kind::View {
            self.make_views();
        } else {
            for rank in 0..self.count(kind) {
                self.make(kind, rank);
            }
        }
        self.world.ranges[kind.at()] = start..self.world.things.len() as u32;
    }

    fn make(&mut self, kind: Kind, rank: u32) {
        let number = self.world.things.len() as u32;
        let name = self.name(kind, rank);
        let mut thing = self.blank(kind, number, rank, &name);
        match kind {
            Kind::User => self.make_person(rank, &mut thing),
            Kind::Project => {
                let start = self.world.things.len() as u32 - rank;
                thing.parent = if rank < 4 { number } else { start + rank % 4 };
                thing.project = number;
            }
            Kind::Task => self.make_task(rank, &mut thing),
            _ => {}
        }
        self.world.things.push(thing);
    }

    fn blank(&mut self, kind: Kind, number: u32, rank: u32, name: &str) -> Thing {
        let spelling = if number % 9 == 4 { Spelling::Escaped } else { Spelling::Plain };
        let id = id_of(kind, rank);
        let texts = &mut self.world.texts;
        let name_frag = texts.keep(|out| text::push_string(out, name, spelling));
        let about = match self.rng.below(10) {
            n if n < 4 => {
                let which = self.rng.below(names::DESCRIPTIONS.len() as u32) as usize;
                texts.keep(|out| text::push_string(out, names::DESCRIPTIONS[which], spelling))
            }
            n if n < 5 => texts.raw(b"\"\""),
            _ => texts.raw(b"null"),
        };
        let dates = [0, 1].map(|which| {
            let raw = self.rng.next();
            texts.keep(|out| push_last_year(out, raw, which))
        });
        let project = match story::project_of(kind, rank) {
            Some(inside) => self.world.range(Kind::Project).start + inside,
            None => self.world.popular_or(Kind::Project, &mut self.rng, number),
        };
        let texts = &mut self.world.texts;
        let slug = texts.keep(|out| push_slug(out, name, kind, rank));
        let luid = texts.keep(|out| text::push_luid(out, kind as u8 + 1, u64::from(id)));
        Thing {
            kind,
            id,
            luid,
            name: name_frag,
            new_name: name_frag,
            renamed_at: NEVER,
            slug,
            about,
            dates,
            owner: self.someone(),
            project,
            parent: number,
            link: number,
            size: 20_000 + (self.rng.next() >> self.rng.below(24).saturating_add(36)) * 7,
        }
    }

    fn someone(&mut self) -> u32 {
        let n = (self.world.range(Kind::User).end).max(1);
        self.rng.skewed(n)
    }

    fn make_person(&mut self, rank: u32, thing: &mut Thing) {
        let rng = &mut self.rng;
        let (_, shown) = person_name(rank);
        let texts = &mut self.world.texts;
        thing.about = texts.keep(|out| text::push_string(out, &shown, Spelling::Plain));
        thing.owner = rank;
        let address = address_of(rank);
        let agent = names::AGENTS[rng.skewed(names::AGENTS.len() as u32) as usize];
        let (role, licence) = match (is_administrator(rank), rng.below(10)) {
            (true, _) => (11, "\"Creator\""),
            (false, 0..2) => (10, "\"Creator\""),
            (false, 2..4) => (2, "\"Explorer\""),
            (false, 4..6) => (3, "\"Explorer\""),
            (false, _) => (9, "\"Viewer\""),
        };
        self.world.people.push(Person {
            address: texts.keep(|out| text::push_string(out, &address, Spelling::Plain)),
            agent: texts.keep(|out| text::push_string(out, agent, Spelling::Plain)),
            licence: texts.raw(licence.as_bytes()),
            role,
        });
    }

    /// Gives a task its content and schedule. The first task is the one of the story.
    fn make_task(&mut self, rank: u32, thing: &mut Thing) {
        let kind = match self.rng.below(10) {
            _ if rank == story::FAILING_TASK_RANK => Kind::Datasource,
            0..5 => Kind::Workbook,
            5..8 => Kind::Datasource,
            _ => Kind::Flow,
        };
        let range = self.world.range(kind);
        let content = if rank == story::FAILING_TASK_RANK {
            range.start + story::FAILING_DATASOURCE_RANK
        } else {
            self.world.popular(kind, &mut self.rng)
        };
        let content = *self.world.thing(content);
        thing.parent = self.world.range(kind).start + rank_of(&content);
        thing.name = content.name;
        thing.new_name = content.new_name;
        thing.owner = content.owner;
        thing.project = content.project;
        let schedules = self.world.range(Kind::Schedule);
        let which = match rank {
            story::FAILING_TASK_RANK => 1,
            _ => self.rng.skewed(schedules.end - schedules.start),
        };
        thing.link = schedules.start + which;
    }

    fn make_views(&mut self) {
        for workbook in self.world.range(Kind::Workbook) {
            self.world.things[workbook as usize].link = self.world.things.len() as u32;
            let n_views = 1 + self.rng.skewed(8);
            for place in 0..n_views {
                let number = self.world.things.len() as u32;
                let book = *self.world.thing(workbook);
                let words = names::VIEWS.len() as u32;
                let word = names::VIEWS[((workbook * 3 + place) % words) as usize];
                let rank = number - self.world.range(Kind::Workbook).end;
                let mut thing = self.blank(Kind::View, number, rank, word);
                thing.parent = workbook;
                thing.owner = book.owner;
                thing.project = book.project;
                self.world.things.push(thing);
            }
        }
    }

    fn name(&self, kind: Kind, rank: u32) -> String {
        let pick = |list: &[&str]| list[rank as usize % list.len()].to_owned();
        let round = |list: &[&str]| rank as usize / list.len();
        let numbered = |list: &[&str]| match round(list) {
            0 => pick(list),
            n => format!("{} {}", pick(list), n + 1),
        };
        if let Some(name) = story::name_of(kind, rank) {
            return name.to_owned();
        }
        match kind {
            Kind::User => person_name(rank).0,
            Kind::Workbook => {
                let edition = round(&names::WORKBOOKS);
                let suffix = names::EDITIONS[edition % names::EDITIONS.len()];
                let more = edition / names::EDITIONS.len();
                let tail = if more == 0 { String::new() } else { format!(" {}", more + 1) };
                format!("{}{suffix}{tail}", pick(&names::WORKBOOKS))
            }
            Kind::Datasource => numbered(&names::DATASOURCES),
            Kind::Flow | Kind::FlowDraft => numbered(&names::FLOWS),
            Kind::Project | Kind::Collection => numbered(&names::PROJECTS),
            Kind::Group | Kind::GroupSet => numbered(&names::GROUPS),
            Kind::Schedule => names::SCHEDULES[rank as usize % names::SCHEDULES.len()].0.to_owned(),
            Kind::Site => story::SITE.to_owned(),
            Kind::Bridge => format!("bridge-{:02}.example.com", rank + 1),
            Kind::View
            | Kind::Metric
            | Kind::Column
            | Kind::Table
            | Kind::Database
            | Kind::DataRole
            | Kind::Connection
            | Kind::Task
            | Kind::Token
            | Kind::Indicator => numbered(&names::PLAIN),
        }
    }

    fn finish(mut self) -> World {
        let n_people = self.world.range(Kind::User).end;
        for zone in 0..N_ZONES {
            let (from, to) = clock::zone_share(zone);
            self.world.zones[zone] = n_people * from / 256..n_people * to / 256;
        }
        self.rename_some();
        self.world
    }

    /// Plans a new name for some things of every kind that can be renamed.
    fn rename_some(&mut self) {
        let kinds = [
            (Kind::Workbook, 6),
            (Kind::Datasource, 6),
            (Kind::Flow, 5),
            (Kind::Group, 5),
            (Kind::Project, 5),
            (Kind::FlowDraft, 3),
            (Kind::Collection, 3),
            (Kind::DataRole, 4),
            (Kind::Connection, 4),
            (Kind::Metric, 7),
        ];
        for (kind, every) in kinds {
            for number in self.world.range(kind).skip(2).step_by(every) {
                let thing = self.world.things[number as usize];
                if story::name_of(kind, rank_of(&thing)).is_some() {
                    continue;
                }
                let day = i64::from(self.rng.below(clock::DAYS as u32));
                let at = day * DAY + 7 * HOUR + i64::from(self.rng.below(11 * HOUR as u32));
                let mut name = self.world.texts.get(thing.name).to_vec();
                name.truncate(name.len() - 1);
                name.extend_from_slice(if number % 2 == 0 { b" (renamed)\"" } else { b" II\"" });
                let new_name = self.world.texts.raw(&name);
                let thing = &mut self.world.things[number as usize];
                thing.new_name = new_name;
                thing.renamed_at = at;
            }
        }
    }
}

impl World {
    fn popular_or(&self, kind: Kind, rng: &mut Rng, otherwise: u32) -> u32 {
        if self.range(kind).is_empty() { otherwise } else { self.popular(kind, rng) }
    }
}

/// Returns the number on the site of a thing by its rank among its kind.
pub(super) const fn id_of(kind: Kind, rank: u32) -> u32 {
    1_000 * (kind as u32 % 5) + rank + 1_000
}

/// Returns a thing's rank among its kind.
const fn rank_of(thing: &Thing) -> u32 {
    thing.id - id_of(thing.kind, 0)
}

/// Returns what a person signs in with, and the name that is shown.
fn person_name(rank: u32) -> (String, String) {
    let (n_given, n_family) = (names::GIVEN.len() as u32, names::FAMILY.len() as u32);
    let round = rank / n_given;
    let given = names::GIVEN[(rank % n_given) as usize];
    let family = names::FAMILY[((round + rank) % n_family) as usize];
    let more = round / n_family;
    let tail = if more == 0 { String::new() } else { (more + 1).to_string() };
    let sign_in = format!("{}.{}{tail}@example.com", given.0, family.0);
    (sign_in, format!("{} {}", given.1, family.1))
}

/// Returns the usual address of a person, in ranges kept for documentation.
///
/// The third range is left to visitors, so that an address from it stands out.
fn address_of(rank: u32) -> String {
    let low = 1 + mix(u64::from(rank)) % 250;
    match rank % 7 {
        0..4 => format!("198.51.100.{low}"),
        4..6 => format!("192.0.2.{low}"),
        _ => format!("2001:db8:{:x}::{low:x}", rank % 40),
    }
}

/// Appends a quoted day and time of 2025; `later` pushes it to the year's second half.
fn push_last_year(out: &mut Vec<u8>, raw: u64, later: u32) {
    let part = |shift: u32, n: u64| (((raw >> shift) & 0xFFFF) * n) >> 16;
    let month = 1 + part(0, 6) + u64::from(later) * 6;
    let text = format!(
        "\"2025-{month:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z\"",
        1 + part(16, 28),
        part(32, 24),
        part(48, 60),
        part(8, 60),
        part(24, 1000)
    );
    out.extend_from_slice(text.as_bytes());
}

/// Appends the letters and digits of a name, as addresses have it.
fn push_slug(out: &mut Vec<u8>, name: &str, kind: Kind, rank: u32) {
    let start = out.len();
    out.extend(name.bytes().filter(u8::is_ascii_alphanumeric));
    if out.len() - start < 3 {
        out.extend_from_slice(kind.word().as_bytes());
        out.push(b'_');
        text::push_number(out, u64::from(rank));
    }
}
