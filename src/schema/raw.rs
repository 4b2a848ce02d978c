//! The asset's files as they are written, before anything is linked.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::model::{Effect, Format, Mask, Unit, ValueKind};

/// Entries by name, in no order.
pub(super) type Named<T> = FxHashMap<String, T>;

/// A file of facts; one of a user may carry the words with it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawSchema {
    pub(super) format: u32,
    pub(super) categories: Vec<String>,
    pub(super) aliases: Named<String>,
    pub(super) spellings: Named<String>,
    pub(super) relations: Vec<RawRelation>,
    pub(super) common: Vec<String>,
    pub(super) tenant: Vec<String>,
    pub(super) outside: Vec<String>,
    pub(super) attributes: Named<RawAttribute>,
    pub(super) bundles: Named<RawBundle>,
    pub(super) types: Named<RawType>,
}

/// The facts of one meaning of an attribute.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawAttribute {
    #[serde(rename = "type")]
    pub(super) kind: Option<ValueKind>,
    pub(super) unit: Option<Unit>,
    pub(super) format: Option<Format>,
    pub(super) mask: Option<Mask>,
    pub(super) values: Option<RawValues>,
}

/// Codes with the words they stand for, or words that need no code.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RawValues {
    Coded(Named<String>),
    Plain(Vec<String>),
}

/// Attributes that several types share.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawBundle {
    pub(super) object: Option<RawObject>,
    pub(super) attributes: Vec<String>,
}

/// The facts of one event type.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawType {
    pub(super) category: Option<String>,
    pub(super) effect: Option<Effect>,
    pub(super) deprecated: Option<RawDeprecated>,
    pub(super) retired: Option<String>,
    pub(super) legacy: Option<bool>,
    pub(super) api_partial: Option<bool>,
    pub(super) outside: Option<bool>,
    pub(super) bundle: Option<String>,
    pub(super) object: Option<RawObject>,
    pub(super) attributes: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDeprecated {
    pub(super) since: String,
    #[serde(rename = "use")]
    pub(super) use_instead: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawObject {
    pub(super) kind: String,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
}

/// A rule that finds people and things by the attributes a type has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRelation {
    pub(super) role: String,
    pub(super) kind: String,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) types: Option<Vec<String>>,
}

/// A file of words, in one language.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawText {
    pub(super) language: String,
    pub(super) statuses: Named<String>,
    pub(super) shared: Named<String>,
    pub(super) categories: Named<String>,
    pub(super) types: Named<RawTypeText>,
    pub(super) attributes: Named<RawAttributeText>,
    pub(super) glossary: Named<RawTerm>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawTypeText {
    pub(super) title: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) notes: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawAttributeText {
    pub(super) summary: Option<String>,
    pub(super) notes: Option<String>,
    pub(super) values: Option<Named<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawTerm {
    pub(super) words: Vec<String>,
    pub(super) text: String,
}
