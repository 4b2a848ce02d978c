//! What was typed at prompts in earlier runs: a small file in the user's state folder.
//!
//! One entry a line, oldest first: `f` or `s` for a filter or a search, a blank, the text. History
//! is a comfort, so that whatever goes wrong with the file is passed over in silence.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::app::Model;

/// Entries kept of all runs.
const MOST: usize = 200;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// Puts the entries of earlier runs into the model.
pub fn load(model: &mut Model) {
    let Some(path) = path() else { return };
    let entries = read(&path);
    (model.work.filters, model.work.needles) = (of_kind(&entries, 'f'), of_kind(&entries, 's'));
}

/// Writes the entries of this run behind those that other runs have written since.
pub fn save(model: &Model) {
    let Some(path) = path() else { return };
    let filters = model.work.filters.iter().map(|text| format!("f {text}"));
    let needles = model.work.needles.iter().map(|text| format!("s {text}"));
    let ours: Vec<String> = filters.chain(needles).collect();
    let _passed_over = write(&path, merge(read(&path), &ours));
}

/// Returns where the history is kept, if the user has a home.
fn path() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = match absolute("XDG_STATE_HOME") {
        Some(folder) => folder,
        None => absolute("HOME")?.join(".local/state"),
    };
    Some(state.join("actlog/history"))
}

fn read(path: &Path) -> Vec<String> {
    let is_small = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= LONGEST);
    if !is_small {
        return Vec::new();
    }
    let bytes = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
}

fn of_kind(entries: &[String], kind: char) -> Vec<String> {
    let text = |entry: &String| {
        let text = entry.strip_prefix(kind)?.strip_prefix(' ')?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    entries.iter().filter_map(text).collect()
}

fn merge(mut entries: Vec<String>, ours: &[String]) -> Vec<String> {
    entries.retain(|entry| !ours.contains(entry));
    entries.extend(ours.iter().filter(|entry| !entry.contains('\n')).cloned());
    let surplus = entries.len().saturating_sub(MOST);
    entries.split_off(surplus)
}

/// Writes beside the file first, so that no run ever reads half of it.
fn write(path: &Path, entries: Vec<String>) -> std::io::Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension(format!("{}.new", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut text = entries.join("\n");
    text.push('\n');
    options.open(&draft)?.write_all(text.as_bytes())?;
    std::fs::rename(&draft, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(entries: &[&str]) -> Vec<String> {
        entries.iter().map(|&entry| entry.to_owned()).collect()
    }

    #[test]
    fn what_is_written_is_read_again_by_kind() {
        let folder = std::env::temp_dir().join(format!("actlog-history-{}", std::process::id()));
        let path = folder.join("deep/history");
        assert!(read(&path).is_empty());
        write(&path, owned(&["f type:a", "s needle", "f actor:b"])).unwrap();
        let entries = read(&path);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(of_kind(&entries, 'f'), ["type:a", "actor:b"]);
        assert_eq!(of_kind(&entries, 's'), ["needle"]);
    }

    #[test]
    fn entries_of_other_runs_stay_and_the_oldest_go() {
        let merged = merge(owned(&["f a", "f b"]), &owned(&["f c", "f a"]));
        assert_eq!(merged, ["f b", "f c", "f a"]);
        let many: Vec<String> = (0..250).map(|n| format!("f {n}")).collect();
        let kept = merge(many, &[]);
        assert_eq!((kept.len(), kept[0].as_str()), (200, "f 50"));
    }
}
