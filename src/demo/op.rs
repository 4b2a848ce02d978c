//! What stands behind an attribute's name: the small instructions a template is made of.

use super::rng::mix;
use super::thing::{Frag, Kind};

/// Who or what an attribute speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Who did it; nobody for most jobs.
    Actor,
    /// Who it was done as: the actor, but for impersonation.
    Initiator,
    /// What it was done to.
    Subject,
    /// The subject, its workbook or content, or else some thing of this kind.
    Of(Kind),
    /// Another person than the actor.
    Other,
    /// The subject's owner.
    Owner,
    /// The project the subject lies in.
    Project,
    /// The project around that project.
    ParentProject,
    /// Who owns the project.
    ProjectOwner,
    /// The subject's content: what a task refreshes.
    Object,
    /// Who owns that content.
    ObjectOwner,
    /// Who gets a right: a group or a person.
    Grantee,
}

/// What is told of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The quoted identifier.
    Luid,
    /// The quoted name at that time.
    Name,
    /// The quoted name before it was renamed.
    FormerName,
    /// The number on the site.
    Id,
    /// The same number, quoted.
    IdText,
    /// The quoted path of a workbook, sheet or data source in addresses.
    Path,
    /// The quoted path of a view: workbook and view.
    ViewPath,
    /// A revision such as `"1.4"`.
    Revision,
    /// A revision such as `4`.
    Version,
    /// A revision such as `"4"`.
    VersionText,
    /// The size in bytes.
    Size,
    /// The description, or a person's shown name.
    About,
    /// The quoted instant it was made.
    Made,
    /// The quoted instant it was last changed before the demo.
    Changed,
    /// The quoted word for its kind.
    KindWord,
    /// The quoted word for its kind in small letters.
    KindWordLower,
}

/// An instant told by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// When it happened.
    Event,
    /// When it was written to the log.
    Processed,
    /// When the job was asked for.
    Begun,
    /// Some time before the event.
    Before(u32),
    /// Some time after the event.
    After,
}

/// The ways of telling a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fail {
    /// `eventOutcome` alone tells it.
    Outcome,
    /// `eventOutcome` where a flag tells it too, so that it may be left null.
    OutcomeBesideFlag,
    /// Why the outcome was not a success.
    OutcomeReason,
    /// `true` or `false`.
    Flag,
    /// `"true"` or `"false"`.
    FlagText,
    /// `"success"` or `"failure"`.
    Status,
    /// Why a sign-in failed.
    StatusReason,
    /// What went wrong with an extract.
    Details,
    /// A code for the error.
    Code,
}

/// What is told of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// How far it has come, in words.
    State,
    /// What it wrote when it failed.
    Notes,
    /// How long it took in milliseconds.
    Duration,
    /// Its number.
    Number,
    /// Its identifier.
    Luid,
    /// What it was started with.
    Args,
    /// What kind of job it is.
    Type,
}

/// What is told of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Net {
    /// Where it came from.
    Address,
    /// The program that sent it.
    Agent,
    /// What it asked for.
    Endpoint,
    /// The path it asked for.
    Uri,
    /// The session it belongs to.
    Session,
    /// A quoted number of so many hexadecimal digits.
    Hex(u8, u32),
    /// An identifier made for this event.
    Uuid(u32),
    /// An identifier that events of one visit share.
    Trace,
}

/// One instruction: how an attribute's value is made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// The same text always.
    Fixed(Frag),
    /// Told of a thing or person.
    Thing(Who, Part),
    /// An instant.
    Clock(Clock),
    /// A success or failure.
    Fail(Fail),
    /// Told of a job.
    Job(Job),
    /// Told of a request.
    Net(Net),
    /// The actor's licence.
    Licence,
    /// The number of the actor's site role.
    Role,
    /// One of the texts of a table, by salt.
    Pick(u16, u32),
    /// A number from 0 to below this, by salt.
    Number(u32, u32),
    /// How much of the site's storage is used, in hundredths.
    Share,
    /// The same in bytes.
    StorageUsed,
    /// True so many times in a thousand, by salt.
    Flag(u16, u32),
}

/// Returns a number that makes unrelated choices for attributes of different names.
pub(super) fn salt(name: &str) -> u32 {
    let hash = name.bytes().fold(0x00C0_FFEE_u64, |h, b| mix(h ^ u64::from(b)));
    (hash >> 32) as u32
}
