//! Fuzzy finding by name, for every list that has names.

use fuzzy_matcher::FuzzyMatcher as _;
use fuzzy_matcher::skim::SkimMatcherV2;

/// Returns how well `pattern` fits the best of `texts`; nothing when it fits none.
pub fn score(pattern: &str, texts: &[&str]) -> Option<i64> {
    let matcher = SkimMatcherV2::default().ignore_case();
    // Words may come in any order; each must fit somewhere.
    let mut total = 0;
    for word in pattern.split_whitespace() {
        total += texts.iter().filter_map(|text| matcher.fuzzy_match(text, word)).max()?;
    }
    Some(total)
}

/// Returns the items that fit, the best first; an empty pattern keeps all in order.
pub fn rank<T>(pattern: &str, items: Vec<T>, texts: impl Fn(&T) -> Vec<String>) -> Vec<T> {
    if pattern.trim().is_empty() {
        return items;
    }
    let mut scored: Vec<(i64, T)> = items
        .into_iter()
        .filter_map(|item| {
            let texts = texts(&item);
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            score(pattern, &texts).map(|score| (score, item))
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_name_comes_first() {
        let names = vec!["publish_workbook", "update_workbook", "delete_user"];
        let found = rank("updwb", names.clone(), |name| vec![(*name).to_owned()]);
        assert_eq!(found, ["update_workbook"]);
        let found = rank("workbook publish", names.clone(), |name| vec![(*name).to_owned()]);
        assert_eq!(found, ["publish_workbook"]);
        assert_eq!(rank(" ", names.clone(), |name| vec![(*name).to_owned()]), names);
        assert!(rank("zzz", names, |name| vec![(*name).to_owned()]).is_empty());
    }
}
