//! The things of the demo's world: people, groups, content, jobs. One shape for all of them, so that
//! any attribute of any event type can be answered for any of them.

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// A person, or an account that a program uses.
    User,
    /// A group of people.
    Group,
    /// A set of groups.
    GroupSet,
    /// A folder of content.
    Project,
    /// A workbook.
    Workbook,
    /// A sheet or dashboard of a workbook.
    View,
    /// A published data source.
    Datasource,
    /// A data preparation flow.
    Flow,
    /// A flow somebody has not published yet.
    FlowDraft,
    /// A metric (retired in 2024).
    Metric,
    /// A collection of links to content.
    Collection,
    /// A column of a table.
    Column,
    /// A table of a database.
    Table,
    /// A database.
    Database,
    /// A data role.
    DataRole,
    /// A published connection.
    Connection,
    /// A schedule of jobs.
    Schedule,
    /// A task that starts jobs on a schedule.
    Task,
    /// A token to sign in with.
    Token,
    /// A warning about the quality of data.
    Indicator,
    /// A program that reaches data behind a firewall.
    Bridge,
    /// The site.
    Site,
}

impl Kind {
    /// Every kind, in the order of its number.
    pub(super) const ALL: [Self; 22] = [
        Self::User,
        Self::Group,
        Self::GroupSet,
        Self::Project,
        Self::Workbook,
        Self::View,
        Self::Datasource,
        Self::Flow,
        Self::FlowDraft,
        Self::Metric,
        Self::Collection,
        Self::Column,
        Self::Table,
        Self::Database,
        Self::DataRole,
        Self::Connection,
        Self::Schedule,
        Self::Task,
        Self::Token,
        Self::Indicator,
        Self::Bridge,
        Self::Site,
    ];

    /// Returns the kind's place in [`Kind::ALL`].
    pub(super) const fn at(self) -> usize {
        self as usize
    }

    /// Returns what logs call things of this kind.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Group => "Group",
            Self::GroupSet => "GroupSet",
            Self::Project => "Project",
            Self::Workbook => "Workbook",
            Self::View => "View",
            Self::Datasource => "Datasource",
            Self::Flow => "Flow",
            Self::FlowDraft => "FlowDraft",
            Self::Metric => "Metric",
            Self::Collection => "Collection",
            Self::Column => "Column",
            Self::Table => "Table",
            Self::Database => "Database",
            Self::DataRole => "DataRole",
            Self::Connection => "PublishedConnection",
            Self::Schedule => "Schedule",
            Self::Task => "Task",
            Self::Token => "RefreshToken",
            Self::Indicator => "DataQualityIndicator",
            Self::Bridge => "BridgeClient",
            Self::Site => "Site",
        }
    }
}

/// A piece of the world's text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frag {
    at: u32,
    len: u32,
}

/// All texts of the world, one after another, ready to be copied into a log.
#[derive(Debug, Default)]
pub(super) struct Texts(Vec<u8>);

impl Texts {
    /// Keeps what `write` appends.
    pub(super) fn keep(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Frag {
        let at = self.0.len();
        write(&mut self.0);
        Frag { at: at as u32, len: (self.0.len() - at) as u32 }
    }

    /// Keeps bytes as they are.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> Frag {
        self.keep(|out| out.extend_from_slice(bytes))
    }

    /// Returns a kept piece.
    #[inline]
    pub(super) fn get(&self, frag: Frag) -> &[u8] {
        let at = frag.at as usize;
        &self.0[at..at + frag.len as usize]
    }
}

/// A person, a workbook, a job's task … Texts that logs quote are kept with their quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    /// What it is.
    pub(super) kind: Kind,
    /// Its number on the site.
    pub(super) id: u32,
    /// Its quoted identifier.
    pub(super) luid: Frag,
    /// Its quoted name; for people what they sign in with.
    pub(super) name: Frag,
    /// Its quoted name from [`Thing::renamed_at`] on.
    pub(super) new_name: Frag,
    /// When it is renamed; far in the future for most things.
    pub(super) renamed_at: i64,
    /// Its place in an address, without quotes: letters and digits only.
    pub(super) slug: Frag,
    /// A quoted description or `null`; for people the name that is shown.
    pub(super) about: Frag,
    /// Two quoted instants of last year: made, and last changed.
    pub(super) dates: [Frag; 2],
    /// Who it belongs to: the number of a thing.
    pub(super) owner: u32,
    /// The project it lies in.
    pub(super) project: u32,
    /// A view's workbook, a task's content, a project's parent.
    pub(super) parent: u32,
    /// A task's schedule, a workbook's first view.
    pub(super) link: u32,
    /// Its size in bytes.
    pub(super) size: u64,
}

impl Thing {
    /// Returns the quoted name the thing has at an instant.
    pub(super) const fn name_at(&self, at: i64) -> Frag {
        if at < self.renamed_at { self.name } else { self.new_name }
    }
}

/// What else is known about a person.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    /// The quoted address the person works from.
    pub(super) address: Frag,
    /// The quoted name of the program the person uses.
    pub(super) agent: Frag,
    /// The quoted licence.
    pub(super) licence: Frag,
    /// The number of the site role.
    pub(super) role: u8,
}
