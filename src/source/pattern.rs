//! File name patterns that the shell did not expand: `*`, `?`, `[a-z]` and `**` over folders.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::source::walk::natural;

/// Folders that `**` goes down before it gives up, so that links in a circle end.
const MAX_DEPTH: usize = 64;

/// Returns whether `path` holds a character that only a pattern gives a meaning.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

/// Returns the existing paths that `pattern` names, in natural order.
pub(super) fn expand(pattern: &Path) -> Vec<PathBuf> {
    let steps: Vec<Component<'_>> = pattern.components().collect();
    let mut found = Vec::new();
    descend(PathBuf::new(), &steps, MAX_DEPTH, &mut found);
    found.sort_by(|a, b| natural(a, b));
    found.dedup();
    found
}

fn descend(at: PathBuf, steps: &[Component<'_>], depth: usize, found: &mut Vec<PathBuf>) {
    let Some((step, rest)) = steps.split_first() else {
        if at.symlink_metadata().is_ok() {
            found.push(at);
        }
        return;
    };
    let name = step.as_os_str().as_encoded_bytes();
    if name == b"**" {
        descend(at.clone(), rest, depth, found);
        if depth > 0 {
            for entry in entries(&at) {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !is_hidden(&entry) {
                    descend(at.join(entry.file_name()), steps, depth - 1, found);
                }
            }
        }
    } else if is_pattern(Path::new(step.as_os_str())) {
        for entry in entries(&at) {
            let wants_hidden = name.first() == Some(&b'.');
            if matches(name, entry.file_name().as_encoded_bytes())
                && (wants_hidden || !is_hidden(&entry))
            {
                descend(at.join(entry.file_name()), rest, depth, found);
            }
        }
    } else {
        descend(at.join(step), rest, depth, found);
    }
}

fn entries(folder: &Path) -> Vec<fs::DirEntry> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::read_dir(here).map(|list| list.flatten().collect()).unwrap_or_default()
}

fn is_hidden(entry: &fs::DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
}

/// Returns whether `name` fits `pattern`; linear in both but for the last `*`.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        let step = match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p, n));
                p += 1;
                continue;
            }
            Some(b'?') => Some(p + 1),
            Some(b'[') => match class(&pattern[p..], name[n]) {
                Some((true, len)) => Some(p + len),
                Some((false, _)) => None,
                None => (name[n] == b'[').then_some(p + 1),
            },
            Some(&literal) => (literal == name[n]).then_some(p + 1),
            None => None,
        };
        match (step, retry) {
            (Some(next), _) => {
                p = next;
                n += 1;
            }
            (None, Some((star, from))) => {
                retry = Some((star, from + 1));
                p = star + 1;
                n = from + 1;
            }
            (None, None) => return false,
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

/// Reads a class such as `[a-z]` or `[!0-9]`; returns whether `byte` is in it, and its length.
fn class(pattern: &[u8], byte: u8) -> Option<(bool, usize)> {
    let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let first = if negated { 2 } else { 1 };
    let close = first + 1 + pattern.get(first + 1..)?.iter().position(|&b| b == b']')?;
    let mut inside = false;
    let mut at = first;
    while at < close {
        let low = pattern[at];
        if pattern.get(at + 1) == Some(&b'-') && at + 2 < close {
            inside |= (low..=pattern[at + 2]).contains(&byte);
            at += 3;
        } else {
            inside |= low == byte;
            at += 1;
        }
    }
    Some((inside != negated, close + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        let cases = [
            ("*.json", "a.json", true),
            ("*.json", "a.txt", false),
            ("a*b*c", "axxbyybzc", true),
            ("a*b*c", "axxbyybz", false),
            ("?.log", "x.log", true),
            ("?.log", ".log", false),
            ("part-[0-9].txt", "part-7.txt", true),
            ("part-[!0-9].txt", "part-7.txt", false),
            ("[]x", "[]x", true),
            ("*", "", true),
            ("", "", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
