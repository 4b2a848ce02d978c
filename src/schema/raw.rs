//! The asset's files as they are written, before anything is linked.

use std::collections::HashMap;

use serde::Deserialize;

use super::model::{Effect, Format, Mask, Unit, ValueKind};

/// A file of facts; one of a user may carry the words with it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawSchema {
    pub(super) format: u32,
    pub(super) categories: Vec<String>,
    pub(super) aliases: HashMap<String, String>,
    pub(super) spellings: HashMap<String, String>,
    pub(super) relations: Vec<RawRelation>,
    pub(super) common: Vec<String>,
    pub(super) tenant: Vec<String>,
    pub(super) outside: Vec<String>,
    pub(super) attributes: HashMap<String, RawAttribute>,
    pub(super) bundles: HashMap<String, RawBundle>,
    pub(super) types: HashMap<String, RawType>,
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
    Coded(HashMap<String, String>),
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
    pub(super) statuses: HashMap<String, String>,
    pub(super) shared: HashMap<String, String>,
    pub(super) categories: HashMap<String, String>,
    pub(super) types: HashMap<String, RawTypeText>,
    pub(super) attributes: HashMap<String, RawAttributeText>,
    pub(super) glossary: HashMap<String, RawTerm>,
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
    pub(super) values: Option<HashMap<String, String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawTerm {
    pub(super) words: Vec<String>,
    pub(super) text: String,
}
