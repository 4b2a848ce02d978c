//! What happens at a fixed time: the story, renames, and the runs of jobs.

use super::clock::{DAY, DAYS, MINUTE};
use super::fill::{Filler, Run};
use super::names;
use super::plan::{Plan, Stage};
use super::rng::mix;
use super::story;
use super::template::{Style, Templates};
use super::thing::Kind;
use super::world::World;
use crate::schema::catalog::Catalog;

/// The fixed events of a log, in order of arrival.
#[derive(Debug, Default)]
pub(super) struct Agenda(Vec<Plan>);

impl Agenda {
    /// Returns the events that arrive in a stretch of time.
    pub(super) fn between(&self, from: i64, to: i64) -> &[Plan] {
        let start = self.0.partition_point(|plan| plan.arrival < from);
        let end = self.0.partition_point(|plan| plan.arrival < to);
        &self.0[start..end.max(start)]
    }

    /// Returns how many events there are.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the story's scenes and the runs of its failing task.
    pub(super) fn add_story(&mut self, world: &World, templates: &[u32], filler: &Filler<'_>) {
        for (place, (scene, template)) in story::scenes().iter().zip(templates).enumerate() {
            let (kind, rank) = scene.subject;
            let mut subject = world.range(kind).start + rank;
            if kind == Kind::Workbook && wants_view(scene.event_type) {
                subject = world.thing(subject).link;
            }
            self.0.push(Plan {
                arrival: scene.at + 300,
                time: scene.at,
                begun: scene.at,
                seed: mix(place as u64) & !63,
                number: 1_703_000 + scene.actor,
                template: *template,
                actor: scene.actor,
                initiator: scene.actor,
                subject,
                other: scene.other,
                stage: Stage::Started,
                failed: false,
            });
        }
        let task = world.range(Kind::Task).start + story::FAILING_TASK_RANK;
        let mut begun = story::FIRST_RUN;
        while begun < DAYS * DAY - 60 * MINUTE {
            let seed = mix(begun as u64);
            let failed = story::run_fails(begun);
            let number = 400_000 + (begun / story::RUN_EVERY) as u32;
            filler.run(Run { task, begun, number, seed, failed }, &mut |plan| self.0.push(plan));
            begun += story::RUN_EVERY;
        }
        self.sort();
    }

    /// Adds an event for every thing that is renamed.
    pub(super) fn add_renames(&mut self, world: &World, templates: &Templates) {
        let types = [
            (Kind::Workbook, "hist_rename_workbook"),
            (Kind::Datasource, "hist_rename_datasource"),
            (Kind::Flow, "hist_rename_flow"),
            (Kind::FlowDraft, "hist_rename_flow_draft"),
            (Kind::Group, "hist_rename_group"),
            (Kind::Project, "hist_update_project"),
            (Kind::Collection, "hist_rename_collection"),
            (Kind::DataRole, "hist_rename_data_role"),
            (Kind::Connection, "hist_rename_published_connection"),
            (Kind::Metric, "hist_rename_metric"),
        ];
        for (kind, event_type) in types {
            let template = Templates::template(templates.type_of(event_type), Style::Usual);
            for number in world.range(kind) {
                let thing = world.thing(number);
                if thing.renamed_at < DAYS * DAY {
                    let seed = mix(u64::from(number));
                    self.0.push(Plan {
                        arrival: thing.renamed_at + 200 + (seed >> 54) as i64,
                        time: thing.renamed_at,
                        begun: thing.renamed_at,
                        seed,
                        number,
                        template,
                        actor: thing.owner,
                        initiator: thing.owner,
                        subject: number,
                        other: thing.owner,
                        stage: Stage::Ended,
                        failed: false,
                    });
                }
            }
        }
        self.sort();
    }

    fn sort(&mut self) {
        self.0.sort_by_key(|plan| (plan.arrival, plan.seed));
    }
}

fn wants_view(event_type: &str) -> bool {
    matches!(event_type, "hist_access_view" | "vizql_http_request")
}

/// When the tasks of the world run.
#[derive(Debug)]
pub(super) struct Jobs {
    /// For each minute of a day, the tasks that run then.
    minutes: Vec<Vec<u32>>,
    first_task: u32,
    seed: u64,
}

impl Jobs {
    /// Makes the timetable.
    pub(super) fn new(world: &World, seed: u64) -> Self {
        let day = 24 * 60;
        let mut minutes = vec![Vec::new(); day];
        let tasks = world.range(Kind::Task);
        let schedules = world.range(Kind::Schedule).start;
        let first_task = tasks.start;
        for task in tasks.skip(story::FAILING_TASK_RANK as usize + 1) {
            let which = world.thing(task).link - schedules;
            let (name, every) = names::SCHEDULES[which as usize % names::SCHEDULES.len()];
            // Runs of one schedule are spread over some minutes, as a busy server does it.
            let late = (mix(u64::from(task) ^ seed) % 12) as usize;
            let mut minute = start_of(name) + late;
            while minute < day {
                minutes[minute].push(task);
                minute += usize::from(every);
            }
        }
        Self { minutes, first_task, seed }
    }

    /// Adds the runs that begin in a stretch of time.
    pub(super) fn runs(&self, from: i64, to: i64, runs: &mut Vec<Run>) {
        let first = from.max(0) / MINUTE;
        for minute in first..=to.max(0) / MINUTE {
            let of_day = (minute % (24 * 60)) as usize;
            for task in &self.minutes[of_day] {
                let seed = mix(self.seed ^ mix((minute as u64) << 24 ^ u64::from(*task)));
                let begun = minute * MINUTE + (seed % 4_000) as i64;
                // Some content has a bad week: its runs fail more often.
                let week = (minute / (7 * 24 * 60)) as u64;
                let unlucky = mix(u64::from(*task) ^ week).is_multiple_of(16);
                let failed = seed >> 32 & 1023 < if unlucky { 300 } else { 14 };
                let number = (minute as u32 & 0xFFFF) << 7 ^ (task - self.first_task);
                runs.push(Run { task: *task, begun, number, seed, failed });
            }
        }
    }
}

/// Returns the minute of a day at which a schedule's first run begins.
fn start_of(schedule: &str) -> usize {
    match schedule.rsplit_once(' ') {
        Some((_, clock)) if clock.len() == 5 && clock.is_char_boundary(2) => {
            let number = |text: &str| text.parse::<usize>().unwrap_or(0);
            let (hours, minutes) = (number(&clock[..2]), number(&clock[3..]));
            hours % 24 * 60 + minutes % 60
        }
        _ => 15,
    }
}

/// Makes the templates of the story's events.
pub(super) fn scene_templates(templates: &mut Templates, catalog: &Catalog) -> Vec<u32> {
    story::scenes().iter().map(|scene| templates.add_scene(catalog, scene)).collect()
}
