//! Event types made ready for writing: for each a few templates, which are literal text with gaps.

use std::ops::Range;

use super::attribute::{self, Shape, Subject};
use super::op::{Clock, Fail, Job, Net, Op, Part, Who, salt};
use super::story::Scene;
use super::thing::{Frag, Texts};
use super::values;
use crate::schema::catalog::Catalog;
use crate::schema::model::{Attribute, Effect, EventType, Status, ValueKind};

/// The order and set of an event's attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Type and time, the common attributes, the type's own.
    Usual,
    /// All by name.
    Sorted,
    /// The type's own, then the common ones, the type last.
    OwnFirst,
    /// In no order.
    Mixed,
    /// As usual, with a category and version as newer logs have them.
    Newer,
    /// As before people could act for others: without the newer common attributes.
    Earlier,
    /// As in 2022: even fewer common attributes, and the service that logged.
    Older,
}

impl Style {
    /// Every style, in the order of a type's templates.
    pub(super) const ALL: [Self; 7] = [
        Self::Usual,
        Self::Sorted,
        Self::OwnFirst,
        Self::Mixed,
        Self::Newer,
        Self::Earlier,
        Self::Older,
    ];
}

/// How often a type occurs among the rarer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rarity {
    /// As its place in the tail says.
    Live,
    /// Now and then: its feature is old.
    Old,
    /// Hardly ever: it is no longer logged.
    Retired,
}

/// What the planner must know of an event type.
#[derive(Clone, Debug)]
pub(super) struct TypeFacts {
    /// Its name.
    pub(super) name: String,
    /// What it is done to.
    pub(super) subject: Subject,
    /// What it does.
    pub(super) effect: Effect,
    /// How often it occurs.
    pub(super) rarity: Rarity,
    /// Whether its events can tell a failure.
    pub(super) can_fail: bool,
}

/// A literal and the gap behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// What is written first.
    pub(super) literal: Frag,
    /// What is written then.
    pub(super) op: Op,
}

/// The templates of all types.
#[derive(Debug, Default)]
pub(super) struct Templates {
    /// The literals.
    pub(super) texts: Texts,
    /// The tables that [`Op::Pick`] picks from.
    pub(super) tables: Vec<Vec<Frag>>,
    /// The types, in the catalogue's order.
    pub(super) types: Vec<TypeFacts>,
    steps: Vec<Step>,
    templates: Vec<Range<u32>>,
}

impl Templates {
    /// Makes the templates of every type of the reference pages.
    pub(super) fn new(catalog: &Catalog) -> Self {
        let mut made = Self::default();
        for event_type in catalog.types().iter().filter(|t| !t.is_outside()) {
            let category = catalog.category(event_type.category).map_or("other", |c| &c.name);
            made.add_type(catalog, event_type, category);
        }
        made
    }

    /// Returns the number of a type by its name; 0 when there is none.
    pub(super) fn type_of(&self, name: &str) -> u32 {
        self.types.binary_search_by(|t| t.name.as_str().cmp(name)).unwrap_or(0) as u32
    }

    /// Returns the number of a type's template in a style.
    pub(super) const fn template(event_type: u32, style: Style) -> u32 {
        event_type * Style::ALL.len() as u32 + style as u32
    }

    /// Returns a template's steps.
    #[inline]
    pub(super) fn steps(&self, template: u32) -> &[Step] {
        let range = &self.templates[template as usize];
        &self.steps[range.start as usize..range.end as usize]
    }

    /// Makes the template of an event of the story and returns its number.
    pub(super) fn add_scene(&mut self, catalog: &Catalog, scene: &Scene) -> u32 {
        let Some(event_type) = catalog.find(scene.event_type) else {
            return 0;
        };
        let mut fields = self.fields(catalog.common(), event_type);
        for (name, op) in &mut fields {
            if let Some((_, json)) = scene.fixed.iter().find(|(fixed, _)| fixed == name) {
                *op = Op::Fixed(self.texts.raw(json.as_bytes()));
            }
        }
        self.compile(&fields);
        self.templates.len() as u32 - 1
    }

    fn add_type(&mut self, catalog: &Catalog, event_type: &EventType, category: &str) {
        let usual = self.fields(catalog.common(), event_type);
        let can_fail = usual.iter().any(|(_, op)| {
            use Fail::{Code, Flag, Outcome, OutcomeBesideFlag, Status as Told};
            let tells = [Outcome, OutcomeBesideFlag, Flag, Told, Code];
            matches!(op, Op::Fail(way) if tells.contains(way)) || matches!(op, Op::Job(Job::State))
        });
        let n_own = usual.len() - event_type.attributes.len();
        for style in Style::ALL {
            let fields = self.styled(style, &usual, n_own, category);
            self.compile(&fields);
        }
        self.types.push(TypeFacts {
            name: event_type.name.clone(),
            subject: attribute::subject_of(|name| {
                event_type.attributes.iter().any(|a| a.name == name)
            }),
            effect: event_type.effect,
            rarity: rarity(event_type),
            can_fail,
        });
    }

    /// Returns a type's attributes in their usual order, each with how it is made.
    fn fields<'a>(
        &mut self,
        common: &'a [std::sync::Arc<Attribute>],
        event_type: &'a EventType,
    ) -> Vec<(&'a str, Op)> {
        let own_flag = event_type
            .attributes
            .iter()
            .any(|a| matches!(a.name.as_str(), "isError" | "isFailure" | "status" | "eventState"));
        let name_json = self.texts.keep(|out| {
            super::text::push_string(out, &event_type.name, super::text::Spelling::Plain);
        });
        let mut fields = vec![("eventType", Op::Fixed(name_json))];
        let time_first = |a: &&std::sync::Arc<Attribute>| a.name != "eventTime";
        fields.push(("eventTime", Op::Clock(Clock::Event)));
        for attribute in common.iter().filter(time_first) {
            let op = match attribute.name.as_str() {
                "eventOutcome" if outcome_is_null(&event_type.name) => self.null(),
                "eventOutcomeReason" if outcome_is_null(&event_type.name) => self.null(),
                "eventOutcome" if own_flag => Op::Fail(Fail::OutcomeBesideFlag),
                "eventOutcome" => Op::Fail(Fail::Outcome),
                "eventOutcomeReason" => Op::Fail(Fail::OutcomeReason),
                _ => self.op(&event_type.name, attribute),
            };
            fields.push((&attribute.name, op));
        }
        for attribute in &event_type.attributes {
            if attribute.name != "eventType" {
                fields.push((&attribute.name, self.op(&event_type.name, attribute)));
            }
        }
        fields
    }

    fn null(&mut self) -> Op {
        Op::Fixed(self.texts.raw(b"null"))
    }

    fn op(&mut self, event_type: &str, attribute: &Attribute) -> Op {
        let name = attribute.name.as_str();
        let shape = match attribute.kind {
            ValueKind::Integer | ValueKind::Long => Shape::Integer,
            ValueKind::Float => Shape::Float,
            ValueKind::String => Shape::Text,
            ValueKind::Boolean => Shape::Boolean,
        };
        let op = attribute::op_of(event_type, name, shape);
        if name == "systemAdminLevel" {
            return Op::Fixed(self.texts.raw(b"0"));
        }
        if name == "siteUri" {
            return Op::Fixed(self.texts.raw(b"\"demo\""));
        }
        if let Some(op) = op {
            return op;
        }
        let choice = salt(attribute::choice_name(name));
        let listed = values::VALUES.iter().find(|(of, _)| *of == name);
        if let Some((_, texts)) = listed {
            let table = texts.iter().map(|json| self.texts.raw(json.as_bytes())).collect();
            return self.pick(table, choice);
        }
        if !attribute.values.is_empty() {
            let codes = attribute.values.iter().map(|value| match shape {
                Shape::Text => format!("\"{}\"", value.code),
                Shape::Integer | Shape::Float | Shape::Boolean => value.code.clone(),
            });
            let table = codes.map(|json| self.texts.raw(json.as_bytes())).collect();
            return self.pick(table, choice);
        }
        match name {
            "granteeValue" => Op::Thing(Who::Grantee, Part::KindWord),
            "tenantId" => Op::Fixed(self.texts.raw(b"\"ten-demo-0001\"")),
            "logRecordType" => Op::Fixed(self.texts.raw(b"\"authentication\"")),
            "actorExternalId" => self.null(),
            "totalStorageQuotaLimit" => {
                let limit = values::STORAGE_LIMIT.to_string();
                Op::Fixed(self.texts.raw(limit.as_bytes()))
            }
            _ => attribute::by_shape(name, shape),
        }
    }

    fn pick(&mut self, table: Vec<Frag>, choice: u32) -> Op {
        self.tables.push(table);
        Op::Pick((self.tables.len() - 1) as u16, choice)
    }

    fn styled<'a>(
        &mut self,
        style: Style,
        usual: &[(&'a str, Op)],
        n_common: usize,
        category: &str,
    ) -> Vec<(&'a str, Op)> {
        let mut fields = usual.to_vec();
        match style {
            Style::Usual => {}
            Style::Sorted => fields.sort_by_key(|(name, _)| *name),
            Style::OwnFirst => {
                fields.rotate_left(n_common.min(usual.len()));
                fields.sort_by_key(|(name, _)| *name == "eventType");
            }
            Style::Mixed => fields.sort_by_key(|(name, _)| salt(name)),
            Style::Newer => {
                let category = format!("\"{}\"", category.replace(['-', ' '], "_"));
                let category = Op::Fixed(self.texts.raw(category.as_bytes()));
                let version = Op::Fixed(self.texts.raw(b"\"1.0\""));
                fields.extend([("eventCategory", category), ("eventVersion", version)]);
                fields.extend(self.service());
            }
            Style::Earlier => fields.retain(|(name, _)| {
                let later = [
                    "initiatingUserId",
                    "initiatingUserLuid",
                    "licensingRoleName",
                    "siteRoleId",
                    "systemAdminLevel",
                    "eventOutcomeReason",
                    "sessionId",
                ];
                !later.contains(name)
            }),
            Style::Older => {
                let tells = |name: &str| usual.iter().any(|(of, _)| *of == name);
                if !tells("isError") {
                    return fields;
                }
                let own = usual[n_common..].iter().map(|(name, _)| *name);
                let kept: Vec<_> =
                    own.chain(["eventType", "eventTime", "actorUserId", "siteLuid"]).collect();
                fields.retain(|(name, _)| kept.contains(name));
                fields.retain(|(name, _)| *name != "granteeLuid" && *name != "contentLuid");
                for (name, op) in &mut fields {
                    if *name == "isError" {
                        *op = Op::Fail(Fail::FlagText);
                    }
                }
                fields.push(("impersonatedUserId", self.null()));
                fields.extend(self.service());
                fields[2..].sort_by_key(|(name, _)| *name);
            }
        }
        fields
    }

    fn service(&mut self) -> [(&'static str, Op); 2] {
        let service = Op::Fixed(self.texts.raw(b"\"vizportal\""));
        [("serviceName", service), ("traceUuid", Op::Net(Net::Trace))]
    }

    /// Turns attributes into steps, joining what is always the same into one literal.
    fn compile(&mut self, fields: &[(&str, Op)]) {
        let start = self.steps.len() as u32;
        let mut literal = Vec::with_capacity(256);
        let nothing = Frag::default();
        for (place, (name, op)) in fields.iter().enumerate() {
            literal.push(if place == 0 { b'{' } else { b',' });
            literal.push(b'"');
            literal.extend_from_slice(name.as_bytes());
            literal.extend_from_slice(b"\":");
            if let Op::Fixed(frag) = op {
                literal.extend_from_slice(self.texts.get(*frag));
            } else {
                let text = self.texts.raw(&literal);
                self.steps.push(Step { literal: text, op: *op });
                literal.clear();
            }
        }
        literal.extend_from_slice(b"}\n");
        let text = self.texts.raw(&literal);
        self.steps.push(Step { literal: text, op: Op::Fixed(nothing) });
        self.templates.push(start..self.steps.len() as u32);
    }
}

fn rarity(event_type: &EventType) -> Rarity {
    let has = |wanted: fn(&Status) -> bool| event_type.status.iter().any(wanted);
    if has(|s| matches!(s, Status::Retired { .. })) {
        Rarity::Retired
    } else if has(|s| matches!(s, Status::Deprecated { .. } | Status::Legacy)) {
        Rarity::Old
    } else {
        Rarity::Live
    }
}

/// Returns whether events of a type never have an outcome: sign-ins, accesses and jobs.
fn outcome_is_null(event_type: &str) -> bool {
    let starts =
        ["login_", "hist_login", "hist_logout", "hist_access_", "background_job", "bridge_"];
    starts.iter().any(|start| event_type.starts_with(start))
}

/// Returns whether a name is one that only older or newer logs carry beside the documented ones.
pub fn is_extra(name: &str) -> bool {
    matches!(
        name,
        "eventCategory" | "eventVersion" | "serviceName" | "traceUuid" | "impersonatedUserId"
    )
}
