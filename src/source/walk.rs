//! From what the user named to the list of files to open: folders walked, links and copies told.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::base::cancel::CancelToken;
use crate::base::text;
use crate::source::pattern;
use crate::source::stamp::identity;
use crate::source::{Aside, Found};

/// A file to open.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    input: usize,
}

/// How a candidate is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A regular file.
    File,
    /// A named pipe, socket or device that the user named.
    Special,
    /// Standard input.
    Stdin,
}

/// What is expected of the files in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zone {
    /// Any folder.
    Plain,
    /// Inside a capture, whose folders are named `key=value`.
    Capture,
    /// Inside a reference listing of a capture.
    NameTable,
}

/// Steps that make a folder a capture.
const CAPTURE_KEYS: &[&str] = &["pod", "siteLuid", "siteId", "tenantId", "eventType"];
/// Folders beside a capture's extract that hold no events.
pub(super) const NEIGHBOURS: &[&str] = &["logs", "transform", "loader"];
/// Listings of a capture that give names to identifiers.
pub(super) const NAME_TABLES: &[&str] = &["tenant_users", "tenant_sites"];
/// Said of an input that may be a name or a pattern and is neither.
const NO_MATCH: &str = "no such file or folder, and none matches it as a pattern";

/// Lists the files that `inputs` name, in the order of the inputs and in natural order of paths.
pub(super) fn walk(
    inputs: &[OsString],
    cancel: &CancelToken,
    found: &mut dyn FnMut(Found),
) -> Vec<Candidate> {
    let mut walker = Walker {
        seen: HashMap::new(),
        links: VecDeque::new(),
        candidates: Vec::new(),
        cancel,
        found,
    };
    for (number, input) in inputs.iter().enumerate() {
        walker.input(number, input);
    }
    // Links come after all that is real, so that of two names of one file the real one is kept.
    while let Some((number, link, zone)) = walker.links.pop_front() {
        walker.link(number, link, zone);
    }
    let mut candidates = walker.candidates;
    candidates.sort_by(|a, b| a.input.cmp(&b.input).then_with(|| natural(&a.path, &b.path)));
    candidates
}

struct Walker<'a> {
    seen: HashMap<(u64, u64), PathBuf>,
    links: VecDeque<(usize, PathBuf, Zone)>,
    candidates: Vec<Candidate>,
    cancel: &'a CancelToken,
    found: &'a mut dyn FnMut(Found),
}

impl Walker<'_> {
    fn input(&mut self, number: usize, input: &OsStr) {
        if input == "-" {
            self.push(number, PathBuf::from("-"), Kind::Stdin);
            return;
        }
        let path = Path::new(input);
        match fs::metadata(path) {
            Ok(meta) => self.named(number, path.to_owned(), &meta),
            Err(e) if e.kind() == io::ErrorKind::NotFound && pattern::is_pattern(path) => {
                let paths = pattern::expand(path);
                if paths.is_empty() {
                    self.refuse(path, NO_MATCH);
                }
                for path in paths {
                    self.entry(number, path, Zone::Plain);
                }
            }
            Err(e) => self.refuse(path, &why(&e)),
        }
    }

    /// Takes a path that the user named: it is read whatever it is called.
    fn named(&mut self, number: usize, path: PathBuf, meta: &Metadata) {
        if meta.is_dir() {
            let zone = zone_of_root(&path);
            self.folder(number, path, meta, zone);
        } else if meta.is_file() {
            self.file(number, path, meta);
        } else {
            self.push(number, path, Kind::Special);
        }
    }

    /// Takes a path that was come upon.
    fn entry(&mut self, number: usize, path: PathBuf, zone: Zone) {
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_symlink() => self.links.push_back((number, path, zone)),
            Ok(meta) => self.real(number, path, &meta, zone),
            Err(e) => self.refuse(&path, &why(&e)),
        }
    }

    fn real(&mut self, number: usize, path: PathBuf, meta: &Metadata, zone: Zone) {
        if meta.is_dir() {
            self.folder(number, path, meta, zone);
        } else if !meta.is_file() {
            self.skip(&path, special_kind(meta));
        } else if zone == Zone::NameTable {
            (self.found)(Found::NameTable(path));
        } else if zone == Zone::Capture && path.extension().is_some_and(|ext| ext == "part") {
            self.skip(&path, "a download that was not finished");
        } else {
            self.file(number, path, meta);
        }
    }

    fn link(&mut self, number: usize, path: PathBuf, zone: Zone) {
        match fs::metadata(&path) {
            Ok(meta) => self.real(number, path, &meta, zone),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                self.skip(&path, "a link to nothing");
            }
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => self.refuse(&path, &why(&e)),
            // The standard library has no stable name yet for "too many links".
            Err(e) => self.skip(&path, &format!("a link that leads nowhere: {}", why(&e))),
        }
    }

    fn file(&mut self, number: usize, path: PathBuf, meta: &Metadata) {
        if self.is_new(&path, meta, "file") {
            self.push(number, path, Kind::File);
        }
    }

    fn push(&mut self, input: usize, path: PathBuf, kind: Kind) {
        self.candidates.push(Candidate { path, kind, input });
    }

    /// Remembers a file or folder; says so when it was met before under another name.
    fn is_new(&mut self, path: &Path, meta: &Metadata, what: &str) -> bool {
        let Some(identity) = identity(meta) else { return true };
        if let Some(first) = self.seen.get(&identity) {
            let why = format!("same {what} as {}", text::escape_path(first));
            self.skip(path, &why);
            return false;
        }
        self.seen.insert(identity, path.to_owned());
        true
    }

    /// Walks a folder and what is below it.
    fn folder(&mut self, number: usize, root: PathBuf, meta: &Metadata, zone: Zone) {
        if !self.is_new(&root, meta, "folder") {
            return;
        }
        let mut folders = vec![(root, zone)];
        while let Some((folder, zone)) = folders.pop() {
            if self.cancel.is_cancelled() {
                return;
            }
            for (name, zone) in self.members(&folder, zone) {
                let path = folder.join(name);
                match fs::symlink_metadata(&path) {
                    Ok(meta) if meta.is_symlink() => self.links.push_back((number, path, zone)),
                    Ok(meta) if meta.is_dir() => {
                        if self.is_new(&path, &meta, "folder") {
                            folders.push((path, zone));
                        }
                    }
                    Ok(meta) => self.real(number, path, &meta, zone),
                    Err(e) => self.refuse(&path, &why(&e)),
                }
            }
        }
    }

    /// Returns the names in a folder that are to be looked at, each with its zone.
    fn members(&mut self, folder: &Path, zone: Zone) -> Vec<(OsString, Zone)> {
        let mut names = match list(folder) {
            Ok(names) => names,
            Err(e) => {
                self.refuse(folder, &why(&e));
                return Vec::new();
            }
        };
        names.sort_by(|a, b| natural(Path::new(a), Path::new(b)));
        let is_capture = zone == Zone::Capture || names.iter().any(|name| marks_capture(name));
        let is_reference = folder.file_name().is_some_and(|name| name == "reference")
            && names.iter().any(|name| is_one_of(name, NAME_TABLES));
        let mut members = Vec::with_capacity(names.len());
        for name in names {
            let hidden = name.as_encoded_bytes().first() == Some(&b'.');
            if hidden {
                self.skip(&folder.join(&name), "a hidden file or folder");
            } else if zone == Zone::NameTable {
                members.push((name, zone));
            } else if is_reference && is_one_of(&name, NAME_TABLES) {
                members.push((name, Zone::NameTable));
            } else if is_reference {
                self.skip(&folder.join(&name), "a reference listing, not a log");
            } else if is_capture && is_neighbour(folder, &name) {
                self.skip(&folder.join(&name), "not part of the extract");
            } else if is_capture {
                members.push((name, Zone::Capture));
            } else {
                members.push((name, zone));
            }
        }
        members
    }

    fn skip(&mut self, path: &Path, why: &str) {
        (self.found)(Found::Skipped(aside(path, why)));
    }

    fn refuse(&mut self, path: &Path, why: &str) {
        (self.found)(Found::Refused(aside(path, why)));
    }
}

/// Describes a path that is not read.
pub(super) fn aside(path: &Path, why: &str) -> Aside {
    Aside { path: path.to_owned(), label: text::escape_path(path), why: why.to_owned() }
}

/// Returns a reason a reader understands for what the system said.
pub(super) fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotADirectory => "part of the path is not a folder".to_owned(),
        _ => text::escape(&error.to_string()).into_owned(),
    }
}

/// Orders paths step by step, digits by their value, so that `h=2` comes before `h=10`.
pub(super) fn natural(a: &Path, b: &Path) -> Ordering {
    let mut left = a.components();
    let mut right = b.components();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(l), Some(r)) => {
                let (l, r) = (l.as_os_str().as_encoded_bytes(), r.as_os_str().as_encoded_bytes());
                match natural_bytes(l, r) {
                    Ordering::Equal => {}
                    unequal => return unequal,
                }
            }
        }
    }
}

fn natural_bytes(a: &[u8], b: &[u8]) -> Ordering {
    let (mut left, mut right) = (a, b);
    while let (Some(&l), Some(&r)) = (left.first(), right.first()) {
        if l.is_ascii_digit() && r.is_ascii_digit() {
            let (l_digits, l_rest) = split_digits(left);
            let (r_digits, r_rest) = split_digits(right);
            let by_value = l_digits.len().cmp(&r_digits.len()).then_with(|| l_digits.cmp(r_digits));
            if by_value != Ordering::Equal {
                return by_value;
            }
            (left, right) = (l_rest, r_rest);
        } else if l == r {
            (left, right) = (&left[1..], &right[1..]);
        } else {
            return l.cmp(&r);
        }
    }
    // `h=08` and `h=8` have one value: the bytes decide, so that the order is total.
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Splits a run of digits, without its leading zeros, from what follows.
fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let n_digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let n_zeros = bytes[..n_digits].iter().take_while(|&&byte| byte == b'0').count();
    (&bytes[n_zeros..n_digits], &bytes[n_digits..])
}

fn list(folder: &Path) -> io::Result<Vec<OsString>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

pub(super) fn marks_capture(name: &OsStr) -> bool {
    name == "extract" || is_capture_step(name)
}

pub(super) fn is_capture_step(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.split_once('=').is_some_and(|(key, _)| CAPTURE_KEYS.contains(&key))
}

fn is_one_of(name: &OsStr, names: &[&str]) -> bool {
    names.iter().any(|one| name == *one)
}

/// Neighbours lie beside the extract, not inside a step of it.
fn is_neighbour(folder: &Path, name: &OsStr) -> bool {
    let inside_step = folder.file_name().is_some_and(is_capture_step);
    !inside_step && is_one_of(name, NEIGHBOURS)
}

fn zone_of_root(root: &Path) -> Zone {
    let full = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let mut zone = Zone::Plain;
    let mut before: &OsStr = OsStr::new("");
    for step in full.iter() {
        if before == "reference" && is_one_of(step, NAME_TABLES) {
            return Zone::NameTable;
        }
        if is_capture_step(step) {
            zone = Zone::Capture;
        }
        before = step;
    }
    zone
}

/// Returns whether this is a pipe, with a name or without.
#[cfg(unix)]
pub(super) fn is_pipe(meta: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&meta.file_type())
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Returns what a path that is no file and no folder is.
#[cfg(unix)]
pub(super) fn special_kind(meta: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = meta.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
pub(super) fn special_kind(_: &Metadata) -> &'static str {
    "not a regular file"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_sort_by_steps_and_digits_by_value() {
        let mut paths = ["a/h=10/x", "a/h=9/x", "a/h=9/x1", "a/h=09/x", "a-b", "a", "é", "a/h=2/y"];
        paths.sort_by(|a, b| natural(Path::new(a), Path::new(b)));
        let expected = ["a", "a/h=2/y", "a/h=09/x", "a/h=9/x", "a/h=9/x1", "a/h=10/x", "a-b", "é"];
        assert_eq!(paths, expected);
    }
}
