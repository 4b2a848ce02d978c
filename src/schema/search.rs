//! Finding types and attributes by parts of names and by words of their texts.

use std::sync::Arc;

use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::catalog::Catalog;
use super::model::{Attribute, EventType};

/// What was found.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// An event type.
    Type(&'a EventType),
    /// An attribute, in the meaning that fits best.
    Attribute(&'a Arc<Attribute>),
}

impl<'a> Found<'a> {
    /// Returns the name in the log.
    pub fn name(&self) -> &'a str {
        match self {
            Self::Type(one) => &one.name,
            Self::Attribute(one) => &one.name,
        }
    }

    /// Returns one line on what it means.
    pub fn summary(&self) -> &'a str {
        match self {
            Self::Type(one) => &one.summary,
            Self::Attribute(one) => &one.summary,
        }
    }
}

/// Something that fits the searched words, and how well.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'a> {
    /// What fits.
    pub found: Found<'a>,
    /// Higher is better; comparable within one search only.
    pub score: i64,
}

/// A name that is the searched word outweighs any sum of fuzzy scores.
const EXACT: i64 = 10_000;
const PART_OF_NAME: i64 = 400;
const WHOLE_WORD: i64 = 60;
const PART_OF_TEXT: i64 = 20;
/// Fuzzy scores under this are letters met by chance.
const CHANCE: i64 = 40;
/// Words of a question that tell nothing about what is looked for.
const FILLERS: [&str; 16] = [
    "a", "an", "by", "did", "does", "how", "in", "is", "of", "or", "the", "to", "was", "what",
    "when", "who",
];

pub(super) fn search<'a>(catalog: &'a Catalog, words: &str) -> Vec<Hit<'a>> {
    let mut words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if !words.iter().all(|word| FILLERS.contains(&word.as_str())) {
        words.retain(|word| !FILLERS.contains(&word.as_str()));
    }
    if words.is_empty() {
        return Vec::new();
    }
    let matcher = SkimMatcherV2::default().ignore_case();
    let mut hits = Vec::new();
    for one in catalog.types() {
        let names = [one.name.as_str(), &one.title];
        let (fitting, score) = score(&matcher, &words, &names, [&one.summary, &one.notes]);
        hits.push((fitting, Hit { found: Found::Type(one), score }));
    }
    // Meanings of one name stand together: they are sorted by key.
    for meanings in catalog.attributes().chunk_by(|a, b| a.name == b.name) {
        let hit = |one: &'a Arc<Attribute>| {
            let texts = [&one.summary, &one.notes];
            let (fitting, score) = score(&matcher, &words, &[one.name.as_str()], texts);
            (fitting, Hit { found: Found::Attribute(one), score })
        };
        // The first of equals is the meaning without a suffix.
        hits.extend(
            meanings.iter().map(hit).rev().max_by_key(|(fitting, hit)| (*fitting, hit.score)),
        );
    }
    // Where nothing has all words, what has the most of them is better than nothing.
    let most = hits.iter().map(|(fitting, _)| *fitting).max().unwrap_or(0);
    hits.retain(|(fitting, _)| *fitting > 0 && *fitting == most);
    let mut hits: Vec<Hit<'_>> = hits.into_iter().map(|(_, hit)| hit).collect();
    hits.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.found.name().cmp(b.found.name())));
    hits
}

/// Counts the words that fit somewhere, and adds up their best places.
fn score(
    matcher: &SkimMatcherV2,
    words: &[String],
    names: &[&str],
    texts: [&String; 2],
) -> (usize, i64) {
    let best = words.iter().filter_map(|word| {
        let in_names = names.iter().filter_map(|name| in_name(matcher, word, name)).max();
        let in_texts = texts.iter().filter_map(|text| in_text(word, text)).max();
        in_names.max(in_texts)
    });
    best.fold((0, 0), |(fitting, sum), score| (fitting + 1, sum + score))
}

fn in_name(matcher: &SkimMatcherV2, word: &str, name: &str) -> Option<i64> {
    let lower = name.to_lowercase();
    if lower == word {
        return Some(EXACT);
    }
    let fuzzy = matcher.fuzzy_match(&lower, word).filter(|&score| score >= CHANCE);
    if lower.contains(word) {
        // Among names that contain the word, the shorter says less else.
        let rest = i64::try_from(lower.len() - word.len()).unwrap_or(i64::MAX);
        return Some(PART_OF_NAME + fuzzy.unwrap_or(0) - rest.min(PART_OF_NAME / 2));
    }
    fuzzy
}

fn in_text(word: &str, text: &str) -> Option<i64> {
    let lower = text.to_lowercase();
    let whole = lower.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word);
    match whole {
        true => Some(WHOLE_WORD),
        false => lower.contains(word).then_some(PART_OF_TEXT),
    }
}

/// Returns at most three names that are a few edits from `name`, nearest first, or else that a
/// search finds.
pub(super) fn nearest<'a>(catalog: &'a Catalog, name: &str) -> Vec<&'a str> {
    let wanted = name.trim().to_lowercase();
    let types = catalog.types().iter().map(|t| t.name.as_str());
    let attributes = catalog.attributes().iter().map(|a| a.name.as_str());
    let aliases = catalog.aliases().map(|(_, name)| name);
    let limit = (wanted.chars().count() / 3).clamp(1, 5);
    let mut near: Vec<_> = types
        .chain(attributes)
        .chain(aliases)
        .map(|name| (distance(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.dedup();
    let mut names: Vec<_> = near.into_iter().map(|(_, name)| name).collect();
    let spaced = wanted.replace(['_', '-'], " ");
    for hit in search(catalog, &spaced) {
        if !names.contains(&hit.found.name()) {
            names.push(hit.found.name());
        }
    }
    names.truncate(3);
    names
}

/// Counts the letters to add, drop or change to get from one word to another.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let change = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
