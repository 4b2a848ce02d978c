//! What an event will say, before it is written.

/// Stands for nobody.
pub(super) const NOBODY: u32 = u32::MAX;

/// How far a job has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits.
    Queued,
    /// It runs.
    Started,
    /// It ended, well or not.
    Ended,
}

/// One event, ready to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// When it is written to the log, in milliseconds since the demo's start: the order of lines.
    pub(super) arrival: i64,
    /// When it happened.
    pub(super) time: i64,
    /// When its job was asked for, or its session began.
    pub(super) begun: i64,
    /// Makes its free choices.
    pub(super) seed: u64,
    /// Makes the choices that events of one job or visit share.
    pub(super) number: u32,
    /// The template it is written by.
    pub(super) template: u32,
    /// Who did it.
    pub(super) actor: u32,
    /// Who it was done as.
    pub(super) initiator: u32,
    /// What it was done to.
    pub(super) subject: u32,
    /// Another person.
    pub(super) other: u32,
    /// How far the job has come.
    pub(super) stage: Stage,
    /// Whether it failed.
    pub(super) failed: bool,
}
