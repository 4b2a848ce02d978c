//! What fills the days: visits of people, runs of jobs, and the long tail of everything else.

use super::agenda::Jobs;
use super::attribute::Subject;
use super::clock::{self, HOUR, MINUTE};
use super::plan::{NOBODY, Plan, Stage};
use super::rng::{Rng, mix, reduce};
use super::slice::Slice;
use super::template::{Rarity, Style, Templates};
use super::thing::Kind;
use super::world::World;
use crate::schema::model::Effect;

/// Plans a slice's ordinary events.
#[derive(Debug)]
pub(super) struct Filler<'a> {
    world: &'a World,
    templates: &'a Templates,
    jobs: &'a Jobs,
    tail: Tail,
    known: Known,
    seed: u64,
}

/// The types that visits and jobs are made of.
#[derive(Clone, Copy, Debug)]
struct Known {
    authentication: u32,
    verification: u32,
    login: u32,
    token_login: u32,
    jwt_login: u32,
    logout: u32,
    view: u32,
    request: u32,
    job: u32,
    workbook_refresh: u32,
    datasource_refresh: u32,
}

/// The types of the long tail, with how much each takes of it up to its end.
#[derive(Debug)]
struct Tail {
    ends: Vec<(u32, u32)>,
    sum: u32,
}

/// The styles of 64 events.
const STYLES: [(u64, Style); 7] = [
    (15, Style::Usual),
    (20, Style::Sorted),
    (22, Style::OwnFirst),
    (25, Style::Mixed),
    (28, Style::Newer),
    (61, Style::Earlier),
    (64, Style::Older),
];

impl<'a> Filler<'a> {
    /// Prepares to fill slices of a log.
    pub(super) fn new(
        world: &'a World,
        templates: &'a Templates,
        jobs: &'a Jobs,
        seed: u64,
    ) -> Self {
        let of = |name| templates.type_of(name);
        let known = Known {
            authentication: of("login_authentication"),
            verification: of("login_verification"),
            login: of("hist_login"),
            token_login: of("hist_login_with_pat"),
            jwt_login: of("login_with_jwt"),
            logout: of("hist_logout"),
            view: of("hist_access_view"),
            request: of("vizql_http_request"),
            job: of("background_job"),
            workbook_refresh: of("hist_refresh_workbook_extracts"),
            datasource_refresh: of("hist_refresh_datasource_extract"),
        };
        Self { world, templates, jobs, tail: Tail::new(templates), known, seed }
    }

    /// Adds exactly the slice's number of events to `plans`.
    pub(super) fn fill(&self, slice: Slice, plans: &mut Vec<Plan>) {
        let mut work = Work {
            filler: self,
            rng: Rng::new(self.seed, slice.number),
            slice,
            end: plans.len() + slice.events,
            plans,
        };
        work.jobs();
        while work.plans.len() < work.end {
            if work.rng.chance(420) { work.visit() } else { work.chore() }
        }
    }

    /// Adds one run of a task: its rows, and what it did to its content.
    pub(super) fn run(&self, run: Run, push: &mut dyn FnMut(Plan)) {
        let task = *self.world.thing(run.task);
        let content = self.world.thing(task.parent).kind;
        let mut blank = Plan {
            arrival: 0,
            time: 0,
            begun: run.begun,
            seed: 0,
            number: run.number,
            template: 0,
            actor: NOBODY,
            initiator: NOBODY,
            subject: run.task,
            other: task.owner,
            stage: Stage::Queued,
            failed: false,
        };
        let waited = 900 + (run.seed % 9_000) as i64;
        let took = 2_000 + reduce(mix(run.seed), 1_500_000 >> (run.seed % 7)) as i64;
        let rows = [
            (Stage::Queued, run.begun + 120),
            (Stage::Started, run.begun + waited),
            (Stage::Ended, run.begun + waited + took),
        ];
        for (stage, time) in rows {
            blank.seed = mix(run.seed ^ (stage as u64 + 1) << 40);
            blank.time = time;
            blank.arrival = time + (blank.seed >> 40) as i64 % 1_500;
            blank.stage = stage;
            blank.failed = run.failed && stage == Stage::Ended;
            blank.template = template(self.known.job, blank.seed);
            push(blank);
        }
        blank.subject = task.parent;
        blank.seed = mix(run.seed ^ 0x77);
        blank.arrival += 40;
        blank.time += 15;
        blank.template = match content {
            Kind::Workbook => template(self.known.workbook_refresh, blank.seed),
            Kind::Datasource => template(self.known.datasource_refresh, blank.seed),
            _ => return,
        };
        push(blank);
    }
}

/// One run of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The task.
    pub(super) task: u32,
    /// When it is asked for.
    pub(super) begun: i64,
    /// The job's number.
    pub(super) number: u32,
    /// Makes its choices.
    pub(super) seed: u64,
    /// Whether it fails.
    pub(super) failed: bool,
}

/// Returns the template of an event of a type, in a style by its seed.
fn template(event_type: u32, seed: u64) -> u32 {
    let which = mix(seed) % 64;
    let style =
        STYLES.iter().find(|(end, _)| which < *end).map_or(Style::Usual, |(_, style)| *style);
    Templates::template(event_type, style)
}

impl Tail {
    fn new(templates: &Templates) -> Self {
        let mut ranked: Vec<(usize, u64, u32)> = Vec::new();
        for (number, facts) in templates.types.iter().enumerate() {
            let made_elsewhere = ["vizql_http_request", "background_job"];
            if made_elsewhere.contains(&facts.name.as_str()) || facts.name.contains("_rename_") {
                continue;
            }
            let rank = FREQUENT.iter().position(|name| *name == facts.name);
            let place = u64::from(super::op::salt(&facts.name));
            ranked.push((rank.unwrap_or(FREQUENT.len()), place, number as u32));
        }
        ranked.sort_unstable();
        let mut sum = 0;
        let mut ends = Vec::with_capacity(ranked.len());
        for (rank, (_, _, number)) in ranked.into_iter().enumerate() {
            let weight = 4_000_000 / (rank as u32 + 6);
            sum += match templates.types[number as usize].rarity {
                Rarity::Live => weight,
                Rarity::Old => weight / 2,
                Rarity::Retired => weight / 6,
            };
            ends.push((sum, number));
        }
        Self { ends, sum }
    }

    fn pick(&self, rng: &mut Rng) -> u32 {
        let point = rng.below(self.sum);
        let at = self.ends.partition_point(|(end, _)| *end <= point);
        self.ends.get(at).map_or(0, |(_, number)| *number)
    }
}

/// The head of the tail; the types that follow are in no order of meaning.
const FREQUENT: [&str; 22] = [
    "hist_access_datasource",
    "hist_send_subscription_email_for_view",
    "set_permissions",
    "hist_update_workbook",
    "hist_publish_workbook",
    "hist_access_authoring_view",
    "bridge_job",
    "bridge_client_status",
    "hist_redeem_refresh_token",
    "hist_export_summary_data",
    "login_with_jwt",
    "hist_update_datasource",
    "hist_publish_datasource",
    "hist_access_summary_data",
    "hist_download_workbook",
    "hist_export_underlying_data",
    "add_delete_user_to_group",
    "hist_run_flow",
    "site_storage_usage",
    "content_owner_change",
    "hist_increment_workbook_extracts",
    "hist_send_subscription_email_for_workbook",
];

struct Work<'a, 'b> {
    filler: &'a Filler<'a>,
    rng: Rng,
    slice: Slice,
    end: usize,
    plans: &'b mut Vec<Plan>,
}

impl Work<'_, '_> {
    /// Adds an event that was written soon after it happened; some are written late.
    fn push(&mut self, mut plan: Plan) {
        if self.plans.len() == self.end {
            return;
        }
        plan.time = plan.time.min(self.slice.to - 1);
        plan.arrival = plan.time + i64::from(self.rng.below(1_800));
        let late = match self.rng.below(1000) {
            0..12 => i64::from(self.rng.below(25 * MINUTE as u32)),
            12..15 => i64::from(self.rng.below(9 * HOUR as u32)),
            _ => 0,
        };
        plan.time = (plan.time - late).max(0);
        self.plans.push(plan);
    }

    fn jobs(&mut self) {
        let most = self.plans.len() + (self.slice.events * 45).div_ceil(100);
        let mut runs = Vec::new();
        self.filler.jobs.runs(self.slice.from - HOUR, self.slice.to, &mut runs);
        for run in runs {
            let mut rows = Vec::with_capacity(4);
            self.filler.run(run, &mut |plan| rows.push(plan));
            for row in rows {
                let inside = self.slice.from <= row.time && row.time < self.slice.to;
                if inside && self.plans.len() < most.min(self.end) {
                    self.plans.push(row);
                }
            }
        }
    }

    /// Somebody comes, looks at a few views, and perhaps signs out.
    fn visit(&mut self) {
        let known = self.filler.known;
        let middle = self.slice.from + i64::from(self.below_len());
        let zone = clock::zone_at_work(middle, &mut self.rng);
        let actor = self.filler.world.colleague(zone, &mut self.rng);
        let n_views = 1 + self.rng.skewed(4);
        let planned = 8_000 * (3 + 6 * i64::from(n_views));
        let length = planned.min(self.slice.to - self.slice.from);
        let mut visit = Visit {
            at: self.slice.from + self.within(self.slice.to - self.slice.from - length),
            gap: length as u32 / (3 + 6 * n_views),
            blank: self.blank(actor),
        };
        visit.blank.begun = visit.at;
        self.sign_in(&mut visit);
        for _ in 0..n_views {
            let world = self.filler.world;
            visit.blank.subject = world.popular(Kind::View, &mut self.rng);
            self.step(&mut visit, known.view);
            visit.blank.stage = Stage::Queued;
            self.step(&mut visit, known.request);
            visit.blank.stage = Stage::Started;
            for _ in 0..self.rng.skewed(10) {
                visit.blank.failed = self.rng.chance(18);
                self.step(&mut visit, known.request);
                visit.blank.failed = false;
            }
        }
        if self.rng.chance(300) {
            visit.blank.subject = self.site();
            self.step(&mut visit, known.logout);
        }
    }

    fn sign_in(&mut self, visit: &mut Visit) {
        let known = self.filler.known;
        visit.blank.subject = self.site();
        match self.rng.below(100) {
            0..70 => {
                while self.rng.chance(50) {
                    visit.blank.failed = true;
                    self.step(visit, known.authentication);
                }
                visit.blank.failed = false;
                self.step(visit, known.authentication);
                if self.rng.chance(250) {
                    self.step(visit, known.verification);
                }
                self.step(visit, known.login);
            }
            70..78 => {
                visit.blank.subject =
                    self.filler.world.related(Kind::Token, u64::from(visit.blank.actor) << 40);
                self.step(visit, known.token_login);
            }
            78..84 => self.step(visit, known.jwt_login),
            _ => {}
        }
    }

    fn step(&mut self, visit: &mut Visit, event_type: u32) {
        let mut plan = visit.blank;
        plan.seed = self.rng.next();
        plan.time = visit.at;
        plan.template = template(event_type, plan.seed);
        if !self.filler.templates.types[event_type as usize].can_fail {
            plan.failed = false;
        }
        visit.at += i64::from(self.rng.below(2 * visit.gap + 1));
        self.push(plan);
    }

    /// Something out of the long tail, a few times on end.
    fn chore(&mut self) {
        let event_type = self.filler.tail.pick(&mut self.rng);
        let facts = &self.filler.templates.types[event_type as usize];
        let at = self.slice.from + i64::from(self.below_len());
        let by_admin = facts.effect == Effect::Admin && self.rng.chance(700);
        let world = self.filler.world;
        let actor = if by_admin {
            world.administrator(&mut self.rng)
        } else {
            let zone = clock::zone_at_work(at, &mut self.rng);
            world.colleague(zone, &mut self.rng)
        };
        let mut visit = Visit { at, gap: 20_000, blank: self.blank(actor) };
        visit.blank.begun = at - i64::from(self.rng.below(90_000));
        visit.blank.stage = Stage::Ended;
        if facts.effect == Effect::Job {
            visit.blank.actor = NOBODY;
            visit.blank.initiator = NOBODY;
        } else if self.rng.chance(12) {
            visit.blank.initiator = world.administrator(&mut self.rng);
        }
        let passing = facts.name.contains("_delete_") || facts.name.contains("_create_");
        let n_times = 1 + self.rng.skewed(4);
        for _ in 0..n_times {
            visit.blank.subject = self.subject(facts.subject, passing);
            visit.blank.failed = self.rng.chance(45);
            self.step(&mut visit, event_type);
        }
    }

    fn subject(&mut self, subject: Subject, passing: bool) -> u32 {
        let kinds = [Kind::Workbook, Kind::Datasource, Kind::Project, Kind::Flow, Kind::View];
        let kind = match subject {
            Subject::One(kind) => kind,
            Subject::AnyContent => kinds[self.rng.skewed(kinds.len() as u32) as usize],
        };
        if passing {
            self.filler.world.passing(kind, &mut self.rng)
        } else {
            self.filler.world.popular(kind, &mut self.rng)
        }
    }

    fn blank(&mut self, actor: u32) -> Plan {
        let people = self.filler.world.range(Kind::User);
        Plan {
            arrival: 0,
            time: 0,
            begun: 0,
            seed: 0,
            number: (self.rng.next() >> 34) as u32,
            template: 0,
            actor,
            initiator: actor,
            subject: 0,
            other: people.start + self.rng.below(people.end - people.start),
            stage: Stage::Started,
            failed: false,
        }
    }

    fn site(&self) -> u32 {
        self.filler.world.range(Kind::Site).start
    }

    fn below_len(&mut self) -> u32 {
        self.rng.below((self.slice.to - self.slice.from) as u32)
    }

    fn within(&mut self, length: i64) -> i64 {
        i64::from(self.rng.below(length.max(1) as u32))
    }
}

/// A stay of one person: where it has come to.
struct Visit {
    at: i64,
    gap: u32,
    blank: Plan,
}
