//! The chip of a list pane: which of its rows the view is narrowed to, as filter text and back.

use std::collections::BTreeSet;

use crate::app::filter::quote;
use crate::app::intent::Intent;

/// Returns the filter text that keeps `names` of a field.
pub fn write(field: &str, names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| quote(name)).collect();
    format!("{field}:{}", quoted.join(","))
}

/// Returns the names that a chip about `field` keeps; none when it is about something else.
pub fn read(chip: Option<&str>, field: &str) -> BTreeSet<String> {
    let Some(list) = chip.and_then(|text| text.strip_prefix(field)?.strip_prefix(':')) else {
        return BTreeSet::new();
    };
    let mut names = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for c in list.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => {
                escaped = true;
                continue;
            }
            '"' => {
                quoted = !quoted;
                continue;
            }
            ',' if !quoted => {
                names.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(name) = names.last_mut() {
            name.push(c);
        }
    }
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// Asks to narrow to `chosen` and `names` as well, or no longer to `names` if all are among them.
pub fn toggle(field: &'static str, chosen: &BTreeSet<String>, names: Vec<String>) -> Intent {
    let mut chosen = chosen.clone();
    if names.iter().all(|name| chosen.contains(name)) {
        chosen.retain(|name| !names.contains(name));
    } else {
        chosen.extend(names);
    }
    let chosen: Vec<String> = chosen.into_iter().collect();
    let chip = (!chosen.is_empty()).then(|| write(field, &chosen));
    Intent::Narrow { field, chip, then: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for names in [&["a"][..], &["a", "b c"], &["x,y", "say \"hi\"", "back\\slash"]] {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let text = write("actor", &names);
            assert_eq!(read(Some(&text), "actor"), names.into_iter().collect(), "{text}");
        }
        assert!(read(Some("actor:a"), "type").is_empty());
        assert!(read(None, "type").is_empty());
    }

    #[test]
    fn choosing_twice_takes_away() {
        let chosen = read(Some("type:a,b"), "type");
        let chip = |intent| match intent {
            Intent::Narrow { chip, .. } => chip,
            _ => None,
        };
        assert_eq!(chip(toggle("type", &chosen, vec!["c".into()])), Some("type:a,b,c".into()));
        assert_eq!(chip(toggle("type", &chosen, vec!["a".into()])), Some("type:b".into()));
        assert_eq!(chip(toggle("type", &chosen, vec!["a".into(), "b".into()])), None);
    }
}
