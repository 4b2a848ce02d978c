//! The story that every demo log of at least [`LEAST_EVENTS`] events tells, for an investigator to find.
//!
//! In the night to Wednesday 11 March 2026 somebody tries to sign in as [`ACCOUNT`] from [`ADDRESS`],
//! where nobody worked before. Three tries fail, the fourth at 01:41:07 UTC succeeds. A first export is
//! refused for want of a right. At 01:52 [`HELPER`] signs in with a token and gives the account rights
//! to download from the project [`PROJECT`]. From 01:58 to 02:37 the account downloads the five
//! [`WORKBOOKS`], takes underlying data from four of them and a data source, and signs out at 02:41.
//! At 08:52 [`KEEPER`] removes the account from the group [`GROUP`] and takes the rights back.
//! Two tries from the same address fail in the evening.
//!
//! Meanwhile the extract of [`EXTRACT`], refreshed every four hours at ten past, fails 45 times from
//! 5 March 04:10 to 12 March 12:10, until its connection is edited on the 12th at 15:32.

use super::clock::{HOUR, at};
use super::thing::Kind;

/// Below this many events a demo log leaves the story out.
pub const LEAST_EVENTS: u64 = 5_000;
/// The account that signs in at night.
pub const ACCOUNT: &str = "mara.vossberg@example.com";
/// The identifier of [`ACCOUNT`] in `actorUserLuid`.
pub const ACCOUNT_LUID: &str = "dec0de01-03f3-4000-8000-d0bdb5bbd0b5";
/// The address of that night; no other account uses it.
pub const ADDRESS: &str = "203.0.113.77";
/// The account that grants the rights.
pub const HELPER: &str = "it.desk@example.com";
/// The account that cleans up next morning.
pub const KEEPER: &str = "site.admin@example.com";
/// The project on which rights are granted.
pub const PROJECT: &str = "Finance Confidential";
/// The group the account is removed from.
pub const GROUP: &str = "Finance Reviewers";
/// The workbooks that are downloaded, in this order.
pub const WORKBOOKS: [&str; 5] = [
    "Board Pack 2026",
    "Payroll Overview",
    "Margin by Customer",
    "Supplier Contracts",
    "Merger Scenarios",
];
/// The data source whose extract keeps failing.
pub const EXTRACT: &str = "Warehouse Stock";
/// When the night's sign-in succeeds, as recorded.
pub const SIGN_IN: &str = "2026-03-11T01:41:07.000Z";
/// When the account is removed from the group, as recorded.
pub const REMOVAL: &str = "2026-03-11T08:52:30.000Z";
/// How many refreshes of [`EXTRACT`] fail.
pub const FAILED_REFRESHES: usize = 45;

/// The site all of it happens on.
pub(super) const SITE: &str = "Demo Site";
/// The rank of the task that keeps failing.
pub(super) const FAILING_TASK_RANK: u32 = 0;
/// The rank of its data source.
pub(super) const FAILING_DATASOURCE_RANK: u32 = 7;
/// The period of its runs.
pub(super) const RUN_EVERY: i64 = 4 * HOUR;
/// When the first run of the demo begins.
pub(super) const FIRST_RUN: i64 = at(2, 0, 10, 0);

const ACCOUNT_RANK: u32 = 11;
const HELPER_RANK: u32 = 23;
const KEEPER_RANK: u32 = 0;
const WORKBOOK_RANK: u32 = 20;
const DOWNLOADED_DATASOURCE_RANK: u32 = 12;

/// Returns whether the run that begins at an instant fails.
pub(super) const fn run_fails(begins: i64) -> bool {
    at(5, 4, 0, 0) <= begins && begins < at(12, 15, 32, 0)
}

/// Returns the fixed name of a thing the story needs.
pub(super) fn name_of(kind: Kind, rank: u32) -> Option<&'static str> {
    match (kind, rank) {
        (Kind::User, ACCOUNT_RANK) => Some(ACCOUNT),
        (Kind::User, HELPER_RANK) => Some(HELPER),
        (Kind::User, KEEPER_RANK) => Some(KEEPER),
        (Kind::Project, 7) => Some(PROJECT),
        (Kind::Group, 3) => Some(GROUP),
        (Kind::Datasource, FAILING_DATASOURCE_RANK) => Some(EXTRACT),
        (Kind::Datasource, DOWNLOADED_DATASOURCE_RANK) => Some("Customer Ledger"),
        (Kind::Workbook, WORKBOOK_RANK..) => {
            WORKBOOKS.get((rank - WORKBOOK_RANK) as usize).copied()
        }
        _ => None,
    }
}

/// Returns the project of a thing the story needs, by rank.
pub(super) fn project_of(kind: Kind, rank: u32) -> Option<u32> {
    let inside = match kind {
        Kind::Workbook => name_of(kind, rank).is_some(),
        Kind::Datasource => rank == DOWNLOADED_DATASOURCE_RANK,
        _ => false,
    };
    inside.then_some(7)
}

/// One event of the story.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// When, in milliseconds since the demo's start.
    pub(super) at: i64,
    /// Its event type.
    pub(super) event_type: &'static str,
    /// Who does it: the rank of a person.
    pub(super) actor: u32,
    /// What it is done to: a kind and a rank.
    pub(super) subject: (Kind, u32),
    /// The rank of the other person.
    pub(super) other: u32,
    /// Values the event must have: attribute and JSON.
    pub(super) fixed: Vec<(&'static str, String)>,
}

impl Scene {
    fn new(at: i64, event_type: &'static str, actor: u32, subject: (Kind, u32)) -> Self {
        Self { at, event_type, actor, subject, other: ACCOUNT_RANK, fixed: Vec::new() }
    }

    fn with(mut self, attribute: &'static str, json: &str) -> Self {
        self.fixed.push((attribute, json.to_owned()));
        self
    }

    fn at_the_new_address(self) -> Self {
        let address = format!("\"{ADDRESS}\"");
        self.with("sourceIp", &address).with("ipAddress", &address)
    }
}

/// Returns the events of the night, the morning and the evening, in order of time.
pub(super) fn scenes() -> Vec<Scene> {
    let mut all = arrival();
    all.extend(grant());
    all.extend(exports());
    all.extend(morning());
    all
}

const ME: (Kind, u32) = (Kind::User, ACCOUNT_RANK);

fn sign_in(at: i64, refused: Option<&str>) -> Scene {
    let scene = Scene::new(at, "login_authentication", ACCOUNT_RANK, ME).at_the_new_address();
    let scene = scene.with("loginType", "\"TABID_WITH_MFA\"");
    match refused {
        Some(reason) => {
            scene.with("status", "\"failure\"").with("reason", &format!("\"{reason}\""))
        }
        None => scene.with("status", "\"success\"").with("reason", "null"),
    }
}

fn arrival() -> Vec<Scene> {
    let book = (Kind::Workbook, WORKBOOK_RANK);
    vec![
        sign_in(at(11, 1, 38, 12), Some("invalid credentials")),
        sign_in(at(11, 1, 38, 49), Some("invalid credentials")),
        sign_in(at(11, 1, 39, 31), Some("second factor not confirmed")),
        sign_in(at(11, 1, 41, 7), None),
        Scene::new(at(11, 1, 41, 20), "login_verification", ACCOUNT_RANK, ME)
            .at_the_new_address()
            .with("status", "\"success\"")
            .with("verificationMethod", "\"recovery code\""),
        Scene::new(at(11, 1, 41, 22), "hist_login", ACCOUNT_RANK, ME),
        Scene::new(at(11, 1, 44, 3), "hist_access_view", ACCOUNT_RANK, book)
            .with("eventOutcome", "null"),
        Scene::new(at(11, 1, 45, 31), "vizql_http_request", ACCOUNT_RANK, book)
            .at_the_new_address()
            .with("endpointName", "\"export-crosstab-to-csvserver\"")
            .with("eventOutcome", "\"unauthorized\"")
            .with("eventOutcomeReason", "\"missing capability: export_data\""),
    ]
}

fn permission(at: i64, event_type: &'static str, actor: u32, capability: (&str, &str)) -> Scene {
    let grantee = crate::demo::world::id_of(Kind::User, ACCOUNT_RANK).to_string();
    Scene::new(at, event_type, actor, (Kind::Project, 7))
        .with("authorizableType", "\"Project\"")
        .with("capabilityId", capability.0)
        .with("capabilityValue", &format!("\"{}\"", capability.1))
        .with("granteeId", &grantee)
        .with("granteeLuid", &format!("\"{ACCOUNT_LUID}\""))
        .with("granteeType", "\"user\"")
        .with("granteeValue", "\"user allow\"")
        .with("permissionType", "\"explicit\"")
        .with("isError", "false")
}

/// What is granted at night and taken back in the morning: number and name.
const RIGHTS: [(&str, &str); 3] =
    [("18", "export_xml"), ("16", "export_data"), ("17", "view_underlying_data")];

fn grant() -> Vec<Scene> {
    let mut scenes =
        vec![Scene::new(at(11, 1, 52, 10), "hist_login_with_pat", HELPER_RANK, (Kind::Token, 2))];
    for (place, right) in RIGHTS.into_iter().enumerate() {
        let time = at(11, 1, 53, 5 + 6 * place as i64);
        scenes.push(permission(time, "set_permissions", HELPER_RANK, right));
    }
    scenes
}

fn exports() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for place in 0..WORKBOOKS.len() as u32 {
        let book = (Kind::Workbook, WORKBOOK_RANK + place);
        let time = at(11, 1, 58, 14) + i64::from(place) * 457_000;
        scenes.push(Scene::new(time, "hist_access_view", ACCOUNT_RANK, book));
        scenes.push(
            Scene::new(time + 3_000, "vizql_http_request", ACCOUNT_RANK, book)
                .at_the_new_address()
                .with("endpointName", "\"bootstrapSession\"")
                .with("eventOutcome", "\"success\""),
        );
        scenes.push(Scene::new(time + 61_000, "hist_download_workbook", ACCOUNT_RANK, book));
        if place != 3 {
            let taken = time + 148_000;
            scenes.push(Scene::new(taken, "hist_export_underlying_data", ACCOUNT_RANK, book));
        }
    }
    let ledger = (Kind::Datasource, DOWNLOADED_DATASOURCE_RANK);
    scenes.push(Scene::new(at(11, 2, 36, 40), "hist_download_datasource", ACCOUNT_RANK, ledger));
    scenes.push(Scene::new(at(11, 2, 41, 52), "hist_logout", ACCOUNT_RANK, ME));
    scenes
}

fn morning() -> Vec<Scene> {
    let group = (Kind::Group, 3);
    let mut scenes = vec![
        Scene::new(at(11, 8, 52, 30), "add_delete_user_to_group", KEEPER_RANK, group)
            .with("groupOperation", "\"delete\"")
            .with("isError", "false"),
        Scene::new(at(11, 8, 52, 31), "hist_delete_user_from_group", KEEPER_RANK, group),
    ];
    for (place, right) in RIGHTS.into_iter().enumerate() {
        let time = at(11, 8, 54, 2 + 5 * place as i64);
        scenes.push(permission(time, "delete_permissions", KEEPER_RANK, right));
    }
    scenes.push(sign_in(at(11, 21, 14, 6), Some("account locked")));
    scenes.push(sign_in(at(11, 21, 15, 40), Some("account locked")));
    let stock = (Kind::Datasource, FAILING_DATASOURCE_RANK);
    scenes.push(Scene::new(at(12, 15, 32, 18), "hist_update_datasource", KEEPER_RANK, stock));
    scenes
}
