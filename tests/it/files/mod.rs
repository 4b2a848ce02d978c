//! Files as they are met: folders, links, pipes, archives, and files that change while they are read.
mod archives;
mod changing;
mod compressed;
mod crowds;
mod folders;
mod pipes;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::progress::Progress;
use actlog::source::{Aside, OpenOptions, SourceFile, SourceSet, open_all};
use tempfile::TempDir;

/// One event, as every file here holds.
const EVENT: &str = "{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-02T08:00:00Z\"}\n";

/// A folder on the disk that holds the build, not in memory.
fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Writes a file, making the folders above it.
fn put(root: &Path, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

fn open(inputs: &[&Path]) -> SourceSet {
    open_with(inputs, &OpenOptions::default())
}

fn open_with(inputs: &[&Path], options: &OpenOptions) -> SourceSet {
    let inputs: Vec<OsString> = inputs.iter().map(OsString::from).collect();
    let mut set = SourceSet::default();
    let (progress, cancel) = (Progress::default(), CancelToken::never());
    open_all(&inputs, options, &progress, &cancel, &mut |found| set.add(found));
    set
}

/// Opens one input that gives one file and nothing else.
fn open_one(input: &Path) -> Arc<SourceFile> {
    let set = open(&[input]);
    assert_eq!((&set.refused, &set.skipped), (&Vec::new(), &Vec::new()));
    assert_eq!(set.files.len(), 1);
    Arc::clone(&set.files[0])
}

/// Returns all bytes of a file, once they are all there.
fn contents(file: &SourceFile) -> Vec<u8> {
    let mut beyond = 0;
    loop {
        let avail = file.wait(beyond, &CancelToken::never()).unwrap();
        if avail.complete {
            let whole = file.whole().unwrap().to_vec();
            assert_eq!(whole.len() as u64, avail.len);
            return whole;
        }
        beyond = avail.len;
    }
}

/// Returns the notes of a file that was read to its end.
fn notes(file: &SourceFile) -> Vec<String> {
    drop(contents(file));
    file.notes().into_iter().map(|note| note.text).collect()
}

/// Returns (name, reason) of what was left out, sorted.
fn left_out<'a>(root: &Path, asides: &'a [Aside]) -> Vec<(String, &'a str)> {
    let mut list: Vec<_> =
        asides.iter().map(|aside| (below(root, &aside.label), aside.why.as_str())).collect();
    list.sort();
    list
}

fn labels(root: &Path, set: &SourceSet) -> Vec<String> {
    set.files.iter().map(|file| below(root, file.label())).collect()
}

fn below(root: &Path, label: &str) -> String {
    let root = format!("{}/", root.display());
    label.strip_prefix(&root).unwrap_or(label).to_owned()
}
