//! What somebody may have meant.

/// Returns the candidate that is nearest to `word`, if one is near enough.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let wanted: Vec<char> = word.to_lowercase().chars().take(64).collect();
    let limit = (wanted.len() / 3).clamp(1, 4);
    let near = candidates.into_iter().filter_map(|candidate| {
        let lower: Vec<char> = candidate.to_lowercase().chars().take(80).collect();
        let is_start = wanted.len() > 1 && lower.starts_with(&wanted);
        let distance = if is_start { Some(1) } else { distance(&wanted, &lower, limit) };
        Some((distance?, candidate))
    });
    near.min().map(|(_, candidate)| candidate.to_owned())
}

/// Returns how many letters must be added, dropped, changed or swapped, if at most `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, x) in a.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, y) in b.iter().enumerate() {
            let change = last[column] + usize::from(x != y);
            let mut best = change.min(last[column + 1] + 1).min(next[column] + 1);
            let swapped = row > 0 && column > 0 && *x == b[column - 1] && a[row - 1] == *y;
            if swapped {
                best = best.min(before[column - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut last, next);
    }
    let found = *last.last()?;
    (found <= limit).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_near() {
        let names = ["actorUserLuid", "actorUserId", "type", "time"];
        for (word, meant) in [
            ("actorUsrLuid", Some("actorUserLuid")),
            ("tyep", Some("type")),
            ("tme", Some("time")),
            ("actorUserL", Some("actorUserLuid")),
            ("zzz", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names).as_deref(), meant, "{word}");
        }
    }
}
