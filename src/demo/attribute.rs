//! From an attribute's name and kind to how the demo makes its values.

use super::op::{Clock, Fail, Job, Net, Op, Part, Who, salt};
use super::thing::Kind;

/// What kind of value an attribute has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A whole number.
    Integer,
    /// A number with a fraction.
    Float,
    /// A text.
    Text,
    /// True or false.
    Boolean,
}

/// Returns how an attribute's value is made, or `None` when tables or its shape must decide.
pub(super) fn op_of(event_type: &str, name: &str, shape: Shape) -> Option<Op> {
    common(name)
        .or_else(|| special(event_type, name, shape))
        .or_else(|| people(name, shape))
        .or_else(|| parts(name, shape))
        .or_else(|| jobs(name, shape))
        .or_else(|| requests(name))
        .or_else(|| times(name))
        .or_else(|| identifiers(name, shape))
}

/// Returns a plausible value for a shape when nothing is known of an attribute but its name.
pub(super) fn by_shape(name: &str, shape: Shape) -> Op {
    match shape {
        Shape::Integer => Op::Number(100, salt(name)),
        Shape::Float => Op::Share,
        Shape::Boolean => Op::Flag(true_per_mille(name), salt(name)),
        Shape::Text => Op::Net(Net::Hex(8, salt(name))),
    }
}

/// Returns a name under which attributes that belong together make the same choice.
pub(super) fn choice_name(name: &str) -> &str {
    match name {
        "capabilityId" | "capabilityValue" => "capability",
        other => other,
    }
}

fn true_per_mille(name: &str) -> u16 {
    match name {
        "active" | "isActive" | "activated" | "dataEngineExtracts" | "refreshableExtracts" => 940,
        "displayTabs" | "publishedAllSheets" => 500,
        "isPrivate" | "isSevere" | "isSecretUpdated" => 30,
        _ => 200,
    }
}

fn common(name: &str) -> Option<Op> {
    Some(match name {
        "actorUserId" => Op::Thing(Who::Actor, Part::Id),
        "actorUserLuid" => Op::Thing(Who::Actor, Part::Luid),
        "initiatingUserId" => Op::Thing(Who::Initiator, Part::Id),
        "initiatingUserLuid" => Op::Thing(Who::Initiator, Part::Luid),
        "eventTime" | "timestamp" => Op::Clock(Clock::Event),
        "eventProcessedTime" => Op::Clock(Clock::Processed),
        "licensingRoleName" => Op::Licence,
        "siteRoleId" => Op::Role,
        "siteLuid" => Op::Thing(Who::Of(Kind::Site), Part::Luid),
        "siteName" | "tenantName" => Op::Thing(Who::Of(Kind::Site), Part::Name),
        "systemAdminLevel" => Op::Flag(0, 0),
        _ => return None,
    })
}

/// Attributes that mean different things in different event types.
fn special(event_type: &str, name: &str, shape: Shape) -> Option<Op> {
    Some(match (event_type, name) {
        ("login_authentication" | "login_verification", "userId") => {
            Op::Thing(Who::Actor, Part::IdText)
        }
        (_, "contentVersion") if shape == Shape::Text => Op::Thing(Who::Subject, Part::VersionText),
        (_, "contentVersion" | "workbookRevision") => Op::Thing(Who::Subject, Part::Version),
        ("hist_add_user_to_group" | "hist_delete_user_from_group", "userName") => {
            Op::Thing(Who::Other, Part::Name)
        }
        (_, "type") if shape == Shape::Text && event_type.starts_with("hist_") => {
            Op::Job(Job::Type)
        }
        (_, "totalStorageQuotaUsed") => Op::StorageUsed,
        _ => return None,
    })
}

fn people(name: &str, shape: Shape) -> Option<Op> {
    let (who, part) = match name {
        "username" | "actorUsername" | "userName" => (Who::Actor, Part::Name),
        "initiatingUsername" => (Who::Initiator, Part::Name),
        "ownerLuid" | "oldOwnerLuid" | "oldContactLuid" | "creatorLuid" | "thumbUserLuid"
        | "modifiedByUserLuid" => (Who::Owner, Part::Luid),
        "ownerName" | "oldOwnerName" | "oldContactName" | "creatorName" => (Who::Owner, Part::Name),
        "oldOwnerId" | "flowOwnerId" => (Who::Owner, Part::Id),
        "newOwnerLuid" | "newContactLuid" => (Who::Other, Part::Luid),
        "newOwnerName" | "newContactName" => (Who::Other, Part::Name),
        "newOwnerId" => (Who::Other, Part::Id),
        "userLuid" | "targetUserLuid" => (Who::Of(Kind::User), Part::Luid),
        "userId" | "targetUserId" if shape == Shape::Integer => (Who::Of(Kind::User), Part::Id),
        "email" | "forUserName" => (Who::Of(Kind::User), Part::Name),
        "formerEmail" => (Who::Of(Kind::User), Part::FormerName),
        "userDisplayName" => (Who::Actor, Part::About),
        "granteeId" => (Who::Grantee, Part::Id),
        "granteeLuid" => (Who::Grantee, Part::Luid),
        "granteeType" => (Who::Grantee, Part::KindWordLower),
        "projectOwnerLuid" => (Who::ProjectOwner, Part::Luid),
        "projectOwnerEmail" => (Who::ProjectOwner, Part::Name),
        "objOwnerLuid" => (Who::ObjectOwner, Part::Luid),
        "objOwnerName" => (Who::ObjectOwner, Part::Name),
        "bridgeClientOwnerLuid" => (Who::Owner, Part::Luid),
        "bridgeClientOwnerName" => (Who::Owner, Part::Name),
        _ => return None,
    };
    Some(Op::Thing(who, part))
}

fn parts(name: &str, shape: Shape) -> Option<Op> {
    let (who, part) = match name {
        "name" | "contentName" | "title" => (Who::Subject, Part::Name),
        "formerName" => (Who::Subject, Part::FormerName),
        "description" => (Who::Subject, Part::About),
        "size" => (Who::Subject, Part::Size),
        "repositoryUrl" => (Who::Subject, Part::Path),
        "revision" => (Who::Subject, Part::Revision),
        "contentId" if shape == Shape::Integer => (Who::Subject, Part::Id),
        "contentLuid" => (Who::Subject, Part::Luid),
        "contentType" | "authorizableType" => (Who::Subject, Part::KindWord),
        "objLuid" => (Who::Object, Part::Luid),
        "objName" => (Who::Object, Part::Name),
        "objType" => (Who::Object, Part::KindWord),
        "objRepositoryUrl" => (Who::Object, Part::Path),
        "objRevision" => (Who::Object, Part::Revision),
        "objSize" => (Who::Object, Part::Size),
        "projectLuid" | "sourceProjectLuid" => (Who::Project, Part::Luid),
        "projectName" | "sourceProjectName" => (Who::Project, Part::Name),
        "parentProjectLuid" | "controllingProjectLuid" => (Who::ParentProject, Part::Luid),
        "destinationProjectLuid" | "newContainerLuid" => (Who::Of(Kind::Project), Part::Luid),
        "destinationProjectName" => (Who::Of(Kind::Project), Part::Name),
        "oldContainerLuid" => (Who::Project, Part::Luid),
        "newContainerType" | "oldContainerType" => (Who::Project, Part::KindWord),
        "viewName" | "sheetName" => (Who::Of(Kind::View), Part::Name),
        "viewRepoUrl" => (Who::Of(Kind::View), Part::ViewPath),
        "workbookName" => (Who::Of(Kind::Workbook), Part::Name),
        "flowName" => (Who::Of(Kind::Flow), Part::Name),
        "groupName" => (Who::Of(Kind::Group), Part::Name),
        "groupSetName" => (Who::Of(Kind::GroupSet), Part::Name),
        "scheduleName" | "subtitle" => (Who::Of(Kind::Schedule), Part::Name),
        "bridgeClientComputerName" => (Who::Of(Kind::Bridge), Part::Name),
        _ => return None,
    };
    Some(Op::Thing(who, part))
}

fn jobs(name: &str, shape: Shape) -> Option<Op> {
    Some(match name {
        "eventState" => Op::Job(Job::State),
        "notes" => Op::Job(Job::Notes),
        "duration" => Op::Job(Job::Duration),
        "jobId" => Op::Job(Job::Number),
        "jobLuid" => Op::Job(Job::Luid),
        "args" => Op::Job(Job::Args),
        "jobType" => Op::Job(Job::Type),
        "isError" | "isFailure" => Op::Fail(Fail::Flag),
        "status" => Op::Fail(Fail::Status),
        "reason" => Op::Fail(Fail::StatusReason),
        "details" => Op::Fail(Fail::Details),
        "errorCode" if shape == Shape::Text => Op::Fail(Fail::Code),
        "isRunNow" => Op::Flag(40, 0x0051),
        _ => return None,
    })
}

fn requests(name: &str) -> Option<Op> {
    Some(match name {
        "sourceIp" | "ipAddress" => Op::Net(Net::Address),
        "userAgent" => Op::Net(Net::Agent),
        "endpointName" => Op::Net(Net::Endpoint),
        "requestUri" => Op::Net(Net::Uri),
        "vizqlSessionId" | "sessionId" => Op::Net(Net::Session),
        "requestId" => Op::Net(Net::Hex(12, salt("requestId"))),
        "loginKey" => Op::Net(Net::Hex(16, salt("loginKey"))),
        "uuid" | "jti" | "configId" | "clientId" | "flowRunLuid" => Op::Net(Net::Uuid(salt(name))),
        _ => return None,
    })
}

fn times(name: &str) -> Option<Op> {
    Some(match name {
        "firstPublishedAt" | "createdAt" => Op::Thing(Who::Subject, Part::Made),
        "lastPublishedAt" | "publishedAt" => Op::Thing(Who::Subject, Part::Changed),
        "eventInitiatedTime" => Op::Clock(Clock::Begun),
        "extractsRefreshedAt" | "extractsIncrementedAt" | "lastSuccessCompletedAt" => {
            Op::Clock(Clock::Before(1_440))
        }
        "updatedAt" | "lastUsedAt" => Op::Clock(Clock::Before(4_000)),
        "bridgeClientLastConnectedTime" | "issuedAt" => Op::Clock(Clock::Before(4)),
        "expiresAt" | "endScheduleAt" => Op::Clock(Clock::After),
        _ => return None,
    })
}

/// Identifiers and numbers of things, by what their name begins with.
fn identifiers(name: &str, shape: Shape) -> Option<Op> {
    let (stem, part) = if let Some(stem) = name.strip_suffix("Luid") {
        (stem, Part::Luid)
    } else if let Some(stem) = name.strip_suffix("Guid") {
        (stem, Part::Luid)
    } else {
        let part = if shape == Shape::Integer { Part::Id } else { Part::Luid };
        (name.strip_suffix("Id")?, part)
    };
    let kind = match stem {
        "workbook" => Kind::Workbook,
        "view" | "customizedView" => Kind::View,
        "datasource" => Kind::Datasource,
        "flow" => Kind::Flow,
        "flowDraft" => Kind::FlowDraft,
        "metric" => Kind::Metric,
        "collection" => Kind::Collection,
        "column" => Kind::Column,
        "table" => Kind::Table,
        "database" => Kind::Database,
        "dataRole" => Kind::DataRole,
        "publishedConnection" => Kind::Connection,
        "schedule" => Kind::Schedule,
        "task" => Kind::Task,
        "refreshToken" => Kind::Token,
        "dataQualityIndicator" => Kind::Indicator,
        "group" | "actorGroup" => Kind::Group,
        "groupSet" => Kind::GroupSet,
        "bridgeClientDevice" | "device" | "pool" => Kind::Bridge,
        "site" | "siteEvent" => Kind::Site,
        _ => return None,
    };
    Some(Op::Thing(Who::Of(kind), part))
}

/// What an event type is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Always a thing of this kind.
    One(Kind),
    /// A project or any content that lies in one.
    AnyContent,
}

/// Returns what an event type is done to, by the attributes it has.
pub(super) fn subject_of(has: impl Fn(&str) -> bool) -> Subject {
    let signs = [
        ("flowDraftLuid", Kind::FlowDraft),
        ("metricLuid", Kind::Metric),
        ("viewLuid", Kind::View),
        ("objLuid", Kind::Task),
        ("scheduleType", Kind::Schedule),
        ("workbookLuid", Kind::Workbook),
        ("workbookId", Kind::Workbook),
        ("datasourceLuid", Kind::Datasource),
        ("flowLuid", Kind::Flow),
        ("flowId", Kind::Flow),
        ("columnLuid", Kind::Column),
        ("tableLuid", Kind::Table),
        ("databaseLuid", Kind::Database),
        ("dataRoleLuid", Kind::DataRole),
        ("publishedConnectionLuid", Kind::Connection),
        ("collectionLuid", Kind::Collection),
        ("groupSetLuid", Kind::GroupSet),
        ("groupLuid", Kind::Group),
        ("dataQualityIndicatorLuid", Kind::Indicator),
        ("refreshTokenGuid", Kind::Token),
        ("email", Kind::User),
        ("targetUserLuid", Kind::User),
        ("bridgeClientDeviceLuid", Kind::Bridge),
        ("parentProjectLuid", Kind::Project),
        ("controllingProjectLuid", Kind::Project),
    ];
    let sign = signs.iter().find(|(name, _)| has(name));
    match sign {
        Some((_, kind)) => Subject::One(*kind),
        None if has("contentLuid") => Subject::AnyContent,
        None => Subject::One(Kind::Site),
    }
}
