//! Writes planned events.

use super::clock::MINUTE;
use super::op::{Clock, Fail, Job, Net, Op, Part, Who};
use super::plan::{NOBODY, Plan, Stage};
use super::rng::{mix, reduce};
use super::story;
use super::template::Templates;
use super::text::{self, Fraction, push_hex, push_luid, push_number, push_time};
use super::thing::{Kind, Thing};
use super::values;
use super::world::World;

/// Writes events of one world by their templates.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    /// The world that is written about.
    pub(super) world: &'a World,
    /// The templates.
    pub(super) templates: &'a Templates,
}

impl Writer<'_> {
    /// Appends one event with its line end.
    pub(super) fn event(&self, plan: &Plan, out: &mut Vec<u8>) {
        for step in self.templates.steps(plan.template) {
            out.extend_from_slice(self.templates.texts.get(step.literal));
            self.value(step.op, plan, out);
        }
    }

    #[inline]
    fn value(&self, op: Op, plan: &Plan, out: &mut Vec<u8>) {
        match op {
            Op::Fixed(frag) => out.extend_from_slice(self.templates.texts.get(frag)),
            Op::Thing(who, part) => self.thing(who, part, plan, out),
            Op::Clock(clock) => Self::clock(clock, plan, out),
            Op::Fail(fail) => Self::fail(fail, plan, out),
            Op::Job(job) => self.job(job, plan, out),
            Op::Net(net) => self.net(net, plan, out),
            Op::Licence => match self.person(plan) {
                Some(person) => out.extend_from_slice(self.world.texts.get(person.licence)),
                None => out.extend_from_slice(b"null"),
            },
            Op::Role => match self.person(plan) {
                Some(person) => push_number(out, u64::from(person.role)),
                None => out.extend_from_slice(b"null"),
            },
            Op::Pick(table, salt) => {
                let table = &self.templates.tables[usize::from(table)];
                let which = reduce(draw(plan, salt), table.len() as u32) as usize;
                out.extend_from_slice(self.templates.texts.get(table[which]));
            }
            Op::Number(n, salt) => push_number(out, u64::from(reduce(draw(plan, salt), n))),
            Op::StorageUsed => push_number(out, values::STORAGE_LIMIT / 10_000 * share(plan)),
            Op::Share => {
                let share = share(plan);
                push_number(out, share / 100);
                out.push(b'.');
                push_number(out, share % 100 / 10);
                push_number(out, share % 10);
            }
            Op::Flag(per_mille, salt) => {
                push_flag(out, reduce(draw(plan, salt), 1000) < u32::from(per_mille));
            }
        }
    }

    fn person(&self, plan: &Plan) -> Option<&super::thing::Person> {
        self.world.people.get(plan.actor as usize)
    }

    /// Returns the number of the thing an attribute speaks of.
    #[inline]
    fn resolve(&self, who: Who, plan: &Plan) -> u32 {
        let subject = self.world.thing(plan.subject);
        match who {
            Who::Actor => plan.actor,
            Who::Initiator => plan.initiator,
            Who::Subject => plan.subject,
            Who::Of(kind) => self.of_kind(kind, subject, plan),
            Who::Other => plan.other,
            Who::Owner => subject.owner,
            Who::Project => subject.project,
            Who::ParentProject => self.world.thing(subject.project).parent,
            Who::ProjectOwner => self.world.thing(subject.project).owner,
            Who::Object => self.object(plan.subject),
            Who::ObjectOwner => self.world.thing(self.object(plan.subject)).owner,
            Who::Grantee if draw(plan, 7).is_multiple_of(3) => plan.other,
            Who::Grantee => self.world.related(Kind::Group, draw(plan, 8)),
        }
    }

    fn object(&self, subject: u32) -> u32 {
        let thing = self.world.thing(subject);
        if thing.kind == Kind::Task { thing.parent } else { subject }
    }

    fn of_kind(&self, kind: Kind, subject: &Thing, plan: &Plan) -> u32 {
        match (kind, subject.kind) {
            (Kind::Site, _) => self.world.range(Kind::Site).start,
            (wanted, found) if wanted == found => plan.subject,
            (Kind::User, _) => plan.other,
            (Kind::Workbook, Kind::View) => subject.parent,
            (Kind::View, Kind::Workbook) | (Kind::Schedule, Kind::Task) => subject.link,
            (Kind::Flow, Kind::FlowDraft) => {
                let flows = self.world.range(Kind::Flow);
                flows.start + subject.id % (flows.end - flows.start)
            }
            (Kind::Bridge, _) => self.world.related(kind, mix(u64::from(plan.number) + 3)),
            (wanted, _) => self.world.related(wanted, draw(plan, wanted as u32 + 900)),
        }
    }

    fn thing(&self, who: Who, part: Part, plan: &Plan, out: &mut Vec<u8>) {
        let number = self.resolve(who, plan);
        if number == NOBODY {
            out.extend_from_slice(b"null");
            return;
        }
        let thing = self.world.thing(number);
        let texts = &self.world.texts;
        match part {
            Part::Luid => out.extend_from_slice(texts.get(thing.luid)),
            Part::Name => out.extend_from_slice(texts.get(thing.name_at(plan.time))),
            Part::About => out.extend_from_slice(texts.get(thing.about)),
            Part::Made => out.extend_from_slice(texts.get(thing.dates[0])),
            Part::Changed => out.extend_from_slice(texts.get(thing.dates[1])),
            Part::FormerName => out.extend_from_slice(texts.get(thing.name)),
            Part::Id => push_number(out, u64::from(thing.id)),
            Part::Size => push_number(out, thing.size),
            Part::Version => push_number(out, u64::from(1 + thing.id % 9)),
            Part::IdText | Part::Revision | Part::VersionText => push_revision(part, thing, out),
            Part::Path | Part::ViewPath => self.path(part, thing, out),
            Part::KindWord => push_word(out, grantee_or_kind(who, thing.kind)),
            Part::KindWordLower => push_word(out, lower_word(thing.kind)),
        }
    }

    fn path(&self, part: Part, thing: &Thing, out: &mut Vec<u8>) {
        out.push(b'"');
        if thing.kind == Kind::View {
            let book = self.world.thing(thing.parent);
            out.extend_from_slice(self.world.texts.get(book.slug));
            out.extend_from_slice(if part == Part::ViewPath { b"/" } else { b"/sheets/" });
        }
        out.extend_from_slice(self.world.texts.get(thing.slug));
        out.push(b'"');
    }

    fn clock(clock: Clock, plan: &Plan, out: &mut Vec<u8>) {
        let any = plan.seed >> 6;
        match clock {
            Clock::Event => {
                let fraction = match plan.seed % 64 {
                    0..58 => Fraction::Millis,
                    58..62 => Fraction::Micros((any % 1000) as u16),
                    _ => Fraction::None,
                };
                push_time(out, plan.time, fraction);
            }
            Clock::Processed if any % 256 == 255 => out.extend_from_slice(b"null"),
            Clock::Processed => {
                let waited = 40_000 + (any % 180_000) as i64;
                push_time(out, plan.arrival + waited, Fraction::Millis);
            }
            Clock::Begun => push_time(out, plan.begun, Fraction::Millis),
            Clock::Before(minutes) => {
                let back = i64::from(reduce(draw(plan, minutes), minutes)) * MINUTE;
                push_time(out, (plan.time - back).max(0), Fraction::Millis);
            }
            Clock::After => push_time(out, plan.time + 8 * 60 * MINUTE, Fraction::Millis),
        }
    }

    fn fail(fail: Fail, plan: &Plan, out: &mut Vec<u8>) {
        let free = draw(plan, 2);
        let pick = |list: &'static [&'static str]| list[reduce(free, list.len() as u32) as usize];
        let json = match (fail, plan.failed) {
            (Fail::OutcomeBesideFlag, true) if free.is_multiple_of(2) => "null",
            (Fail::Outcome | Fail::OutcomeBesideFlag, true) => pick(&values::OUTCOMES),
            (Fail::Outcome | Fail::OutcomeBesideFlag, false) if free % 64 == 1 => "null",
            (Fail::Outcome | Fail::OutcomeBesideFlag, false) => "\"success\"",
            (Fail::OutcomeReason, true) => pick(&values::OUTCOME_REASONS),
            (Fail::Flag, true) if free % 8 == 1 => "\"true\"",
            (Fail::Flag, true) => "true",
            (Fail::Flag, false) if free % 64 == 1 => "\"false\"",
            (Fail::Flag, false) => "false",
            (Fail::FlagText, true) => "\"true\"",
            (Fail::FlagText, false) if free.is_multiple_of(2) => "\"false\"",
            (Fail::FlagText, false) => "false",
            (Fail::Status, true) => "\"failure\"",
            (Fail::Status, false) => "\"success\"",
            (Fail::StatusReason, true) => pick(&values::LOGIN_REASONS),
            (Fail::Details, true) => {
                "\"extract could not be written: disk quota of the site reached\""
            }
            (Fail::Code, true) => "\"DEMO-4031\"",
            (Fail::OutcomeReason | Fail::StatusReason | Fail::Details | Fail::Code, false) => {
                "null"
            }
        };
        out.extend_from_slice(json.as_bytes());
    }

    fn job(&self, job: Job, plan: &Plan, out: &mut Vec<u8>) {
        match job {
            Job::State => out.extend_from_slice(match (plan.stage, plan.failed) {
                (Stage::Queued, _) => b"\"Job queued\"",
                (Stage::Started, _) => b"\"Job started\"",
                (Stage::Ended, false) => b"\"Job completed successfully\"".as_slice(),
                (Stage::Ended, true) => b"\"Job failed\"",
            }),
            Job::Notes => self.notes(plan, out),
            Job::Duration => self.duration(plan, out),
            Job::Number => push_number(out, 7_000_000 + u64::from(plan.number)),
            Job::Luid => push_luid(out, 0x40, u64::from(plan.number)),
            Job::Args => self.arguments(plan, out),
            Job::Type => {
                let object = self.world.thing(self.object(plan.subject));
                out.extend_from_slice(match (object.kind, plan.number % 8) {
                    (Kind::Flow, _) => b"\"RunFlow\"".as_slice(),
                    (Kind::Workbook | Kind::Datasource, 0) => b"\"IncrementExtracts\"",
                    (Kind::Workbook | Kind::Datasource, _) => b"\"RefreshExtracts\"",
                    _ => b"\"ConnectedApp\"",
                });
            }
        }
    }

    /// A request's duration is its own; a job has one once it ended.
    fn duration(&self, plan: &Plan, out: &mut Vec<u8>) {
        if self.world.thing(plan.subject).kind == Kind::View {
            let scale = 24 + (draw(plan, 4) % 9) as u32 * 2;
            push_number(out, 2 + (draw(plan, 5) >> (64 - 40) >> scale));
        } else if plan.stage == Stage::Ended {
            push_number(out, (plan.time - plan.begun).unsigned_abs());
        } else {
            out.extend_from_slice(b"null");
        }
    }

    fn notes(&self, plan: &Plan, out: &mut Vec<u8>) {
        if plan.stage != Stage::Ended || !plan.failed {
            out.extend_from_slice(b"null");
            return;
        }
        let plain = text::Spelling::Plain;
        if plan.subject == self.world.range(Kind::Task).start + story::FAILING_TASK_RANK {
            text::push_string(out, values::STORY_NOTES, plain);
            return;
        }
        let free = draw(plan, 6);
        let note = values::NOTES[(free % values::NOTES.len() as u64) as usize];
        out.push(b'"');
        text::push_string_inside(out, note, plain);
        let n_lines = if free.is_multiple_of(5) { 20 + free % 180 } else { free % 4 };
        for line in 0..n_lines {
            out.extend_from_slice(values::TRACE_LINE.as_bytes());
            push_number(out, 40 + line * 13);
            out.push(b')');
        }
        out.push(b'"');
    }

    /// What a job was started with: an older notation in some, JSON inside a text in others.
    fn arguments(&self, plan: &Plan, out: &mut Vec<u8>) {
        let object = self.world.thing(self.object(plan.subject));
        let name = self.world.texts.get(object.name_at(plan.time));
        let inside = &name[1..name.len() - 1];
        if plan.number.is_multiple_of(3) || inside.contains(&b'\\') {
            out.extend_from_slice(b"\"[");
            out.extend_from_slice(object.kind.word().as_bytes());
            out.extend_from_slice(b", ");
            push_number(out, u64::from(object.id));
            out.extend_from_slice(b", ");
            out.extend_from_slice(inside);
            out.extend_from_slice(b", null]\"");
        } else {
            out.extend_from_slice(br#""{\"type\":\""#);
            out.extend_from_slice(object.kind.word().as_bytes());
            out.extend_from_slice(br#"\",\"id\":"#);
            push_number(out, u64::from(object.id));
            out.extend_from_slice(br#",\"name\":\""#);
            out.extend_from_slice(inside);
            out.extend_from_slice(br#"\"}""#);
        }
    }

    fn net(&self, net: Net, plan: &Plan, out: &mut Vec<u8>) {
        match net {
            Net::Address | Net::Agent => match self.person(plan) {
                Some(person) if net == Net::Address => {
                    out.extend_from_slice(self.world.texts.get(person.address));
                }
                Some(person) => out.extend_from_slice(self.world.texts.get(person.agent)),
                None => out.extend_from_slice(b"null"),
            },
            Net::Endpoint => push_word(out, endpoint(plan)),
            Net::Uri => self.uri(plan, out),
            Net::Session => {
                out.push(b'"');
                push_session(plan, out);
                out.push(b'"');
            }
            Net::Hex(digits, salt) => {
                out.push(b'"');
                push_hex(out, draw(plan, salt), digits);
                out.push(b'"');
            }
            Net::Uuid(salt) => push_luid(out, 0xF0, draw(plan, salt) & 0xFFFF_FFFF),
            Net::Trace => push_luid(out, 0xF1, u64::from(plan.number)),
        }
    }

    fn uri(&self, plan: &Plan, out: &mut Vec<u8>) {
        let view = self.world.thing(plan.subject);
        let book = self.world.thing(view.parent);
        out.extend_from_slice(b"\"/vizql/t/demo/w/");
        out.extend_from_slice(self.world.texts.get(book.slug));
        out.extend_from_slice(b"/v/");
        out.extend_from_slice(self.world.texts.get(view.slug));
        out.push(b'/');
        out.extend_from_slice(endpoint(plan).as_bytes());
        out.extend_from_slice(b"/sessions/");
        push_session(plan, out);
        out.push(b'"');
    }
}

/// Returns the number that makes one of an event's choices.
#[inline]
const fn draw(plan: &Plan, salt: u32) -> u64 {
    mix(plan.seed ^ ((salt as u64) << 20))
}

/// Returns how full the site is at the event's time, in hundredths of a percent.
const fn share(plan: &Plan) -> u64 {
    4_000 + (plan.time / (6 * 60 * MINUTE)) as u64
}

/// Returns what a request asks for; the first of a session opens it.
fn endpoint(plan: &Plan) -> &'static str {
    if plan.stage == Stage::Queued {
        return values::ENDPOINTS[0];
    }
    let n = values::ENDPOINTS.len() as u32 - 1;
    let raw = draw(plan, 9) >> 32;
    values::ENDPOINTS[1 + reduce((raw * raw) & 0xFFFF_FFFF_0000_0000, n) as usize]
}

fn push_session(plan: &Plan, out: &mut Vec<u8>) {
    push_hex(out, mix(u64::from(plan.number) ^ 0x0005_E551_0000_0000), 16);
    out.extend_from_slice(b"-0:0");
}

fn push_flag(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true".as_slice() } else { b"false" });
}

fn push_word(out: &mut Vec<u8>, word: &str) {
    out.push(b'"');
    out.extend_from_slice(word.as_bytes());
    out.push(b'"');
}

fn push_revision(part: Part, thing: &Thing, out: &mut Vec<u8>) {
    out.push(b'"');
    match part {
        Part::IdText => {
            out.extend_from_slice(b"u-");
            push_number(out, u64::from(thing.id));
        }
        Part::Revision => {
            out.extend_from_slice(b"1.");
            push_number(out, u64::from(thing.id % 9));
        }
        _ => push_number(out, u64::from(1 + thing.id % 9)),
    }
    out.push(b'"');
}

/// A grantee's word says what it is given; any other thing's says what it is.
const fn grantee_or_kind(who: Who, kind: Kind) -> &'static str {
    match (who, kind) {
        (Who::Grantee, Kind::User) => "user allow",
        (Who::Grantee, _) => "group allow",
        (_, kind) => kind.word(),
    }
}

const fn lower_word(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        _ => "group",
    }
}
