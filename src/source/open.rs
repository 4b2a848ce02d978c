//! Opening what was found: plain files at once, compressed ones and pipes by threads.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::cancel::CancelToken;
use crate::base::progress::Progress;
use crate::source::Found;
use crate::source::file::{Mapping, Opened, SourceFile};
use crate::source::hints::PathHints;
use crate::source::sniff::{self, Shape};
use crate::source::walk::{self, Candidate, Kind, aside, why};

/// Small files that are mapped all the same, so that a deleted or rotated one stays readable.
const MAPPED_SMALL_FILES: usize = 64;

/// How files are opened.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Names of event types, to find a type in a file's name.
    pub known_types: Vec<String>,
    /// Whether files may be mapped.
    pub mmap: MmapPolicy,
    /// Bytes that one compressed file may grow to.
    pub decode_limit: u64,
    /// Bytes that one compressed byte may grow to on average, once it is past a GiB; 0 for any.
    pub decode_ratio: u64,
    /// Where decoded and piped bytes are kept; `None` for `TMPDIR`, `/var/tmp` or the system's folder.
    pub temp_folder: Option<PathBuf>,
}

/// Whether files may be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MmapPolicy {
    /// Large files, and the first few small ones.
    Auto,
    /// Never: each read opens the file anew.
    Never,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            known_types: Vec::new(),
            mmap: MmapPolicy::Auto,
            decode_limit: 64 << 30,
            decode_ratio: 250,
            temp_folder: None,
        }
    }
}

/// Finds and opens all that `inputs` name: files, folders, patterns, and `-` for standard input.
///
/// `found` is called in a fixed order: what walking left out first, then the files in the order of the
/// inputs, inside one input in natural order of paths. A compressed file is reported when its decoding
/// starts, so its bytes may still be coming; this returns when the last file was reported. The files
/// found are added to the total of `progress`, and so are their bytes as they become known.
pub fn open_all(
    inputs: &[OsString],
    options: &OpenOptions,
    progress: &Progress,
    cancel: &CancelToken,
    found: &mut dyn FnMut(Found),
) {
    let candidates = walk::walk(inputs, cancel, found);
    progress.add_files_total(candidates.len() as u64);
    let known_types: Vec<&str> = options.known_types.iter().map(String::as_str).collect();
    let mut opener = Opener { options, known_types, n_mapped: 0 };
    for candidate in &candidates {
        if cancel.is_cancelled() {
            return;
        }
        let one = opener.open(candidate);
        if let Found::File(file) = &one {
            progress.add_total(file.len());
        }
        found(one);
    }
}

struct Opener<'a> {
    options: &'a OpenOptions,
    known_types: Vec<&'a str>,
    n_mapped: usize,
}

impl Opener<'_> {
    fn open(&mut self, candidate: &Candidate) -> Found {
        let path = &candidate.path;
        if candidate.kind != Kind::File {
            return Found::Refused(aside(path, "pipes are not read yet"));
        }
        let opened = match Opened::at(path) {
            Ok(opened) => opened,
            Err(e) => return Found::Refused(aside(path, &why(&e))),
        };
        match sniff::shape(&opened.head) {
            Shape::Foreign(kind) => Found::Skipped(aside(path, kind)),
            Shape::Plain | Shape::Binary => {
                let mapping = self.mapping(opened.meta.len());
                let hints = self.hints(path);
                Found::File(Arc::new(SourceFile::plain(path, &opened, hints, mapping)))
            }
            _ => Found::Refused(aside(path, "compressed files are not read yet")),
        }
    }

    fn hints(&self, path: &Path) -> PathHints {
        let full = std::path::absolute(path);
        PathHints::of(full.as_deref().unwrap_or(path), &self.known_types)
    }

    fn mapping(&mut self, len: u64) -> Mapping {
        if self.options.mmap == MmapPolicy::Never {
            return Mapping::Never;
        }
        if self.n_mapped < MAPPED_SMALL_FILES && len > 0 {
            self.n_mapped += 1;
            return Mapping::Always;
        }
        Mapping::WhenLarge
    }
}
