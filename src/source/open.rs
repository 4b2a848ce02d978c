//! Opening what was found: plain files at once, compressed ones and pipes by threads.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};

use crate::base::cancel::CancelToken;
use crate::base::progress::Progress;
use crate::source::Found;
use crate::source::decode::Pool;
use crate::source::file::{Mapping, Opened, SourceFile};
use crate::source::hints::PathHints;
use crate::source::loan::Loans;
use crate::source::map::make_blocking;
use crate::source::sniff::{self, Shape};
use crate::source::stamp::HEAD;
use crate::source::walk::{self, Candidate, Kind, aside, why};

/// Small files that are mapped all the same, so that a deleted or rotated one stays readable.
const MAPPED_SMALL_FILES: usize = 64;
/// How often a wait for decoders looks whether it was called off.
const PATIENCE: Duration = Duration::from_millis(50);

/// How files are opened.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Names of event types, to find a type in a file's name.
    pub known_types: Vec<String>,
    /// Whether files may be mapped.
    pub mmap: MmapPolicy,
    /// Bytes that one compressed file may grow to. Any but the default also lifts `decode_ratio`.
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

impl OpenOptions {
    /// What one compressed file may grow to unless told otherwise: 64 GiB.
    pub const DEFAULT_DECODE_LIMIT: u64 = 64 << 30;

    /// Returns the ratio that is judged: none where the user chose a limit.
    pub(super) const fn judged_ratio(&self) -> u64 {
        if self.decode_limit == Self::DEFAULT_DECODE_LIMIT { self.decode_ratio } else { 0 }
    }
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            known_types: Vec::new(),
            mmap: MmapPolicy::Auto,
            decode_limit: Self::DEFAULT_DECODE_LIMIT,
            decode_ratio: 100,
            temp_folder: None,
        }
    }
}

/// Finds and opens all that `inputs` name: files, folders, patterns, and `-` for standard input.
///
/// `found` is called in a fixed order: what walking left out first, then the files in the order of the
/// inputs, inside one input in natural order of paths. A compressed file is reported when its decoding
/// starts, so its bytes may still be coming; this returns when the last file was reported.
///
/// `progress` learns the number of files before the first is reported, and of more members as archives
/// turn out to have them. What is skipped or refused counts as done; the rest, and all bytes, are for
/// the reader to count.
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
    let pool = Pool::new(options, cancel);
    let loans = Arc::default();
    let mut opener = Opener { options, known_types, n_mapped: 0, loans, pool };
    let mut reporter = Reporter { waiting: VecDeque::new(), progress, cancel, found };
    for candidate in &candidates {
        if cancel.is_cancelled() {
            return;
        }
        reporter.take(opener.open(candidate));
    }
    reporter.finish();
}

/// What opening one candidate gave: it, or where it will come from.
enum Opening {
    Ready(Found),
    Coming(Coming),
}

/// The reports of one job, the first of which was counted before it came.
struct Coming {
    reports: Receiver<Found>,
    is_counted: bool,
}

/// Keeps what is found in order while files are decoded side by side.
struct Reporter<'a> {
    waiting: VecDeque<Opening>,
    progress: &'a Progress,
    cancel: &'a CancelToken,
    found: &'a mut dyn FnMut(Found),
}

impl Reporter<'_> {
    fn take(&mut self, opening: Opening) {
        self.waiting.push_back(opening);
        while let Some(opening) = self.waiting.pop_front() {
            match opening {
                Opening::Ready(found) => self.report(found),
                Opening::Coming(mut coming) => {
                    let end = loop {
                        match coming.reports.try_recv() {
                            Ok(found) => self.report_one_of(&mut coming, found),
                            Err(end) => break end,
                        }
                    };
                    if end == TryRecvError::Empty {
                        self.waiting.push_front(Opening::Coming(coming));
                        return;
                    }
                }
            }
        }
    }

    fn finish(mut self) {
        while let Some(opening) = self.waiting.pop_front() {
            match opening {
                Opening::Ready(found) => self.report(found),
                Opening::Coming(coming) => self.report_all(coming),
            }
        }
    }

    fn report_all(&mut self, mut coming: Coming) {
        loop {
            match coming.reports.recv_timeout(PATIENCE) {
                Ok(found) => self.report_one_of(&mut coming, found),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Members of an archive but the first are files that nobody counted yet.
    fn report_one_of(&mut self, coming: &mut Coming, found: Found) {
        if !std::mem::replace(&mut coming.is_counted, false) {
            self.progress.add_files_total(1);
        }
        self.report(found);
    }

    fn report(&mut self, found: Found) {
        if !matches!(found, Found::File(_)) {
            self.progress.add_files_done(1);
        }
        (self.found)(found);
    }
}

struct Opener<'a> {
    options: &'a OpenOptions,
    known_types: Vec<&'a str>,
    n_mapped: usize,
    loans: Arc<Loans>,
    pool: Pool,
}

impl Opener<'_> {
    fn open(&mut self, candidate: &Candidate) -> Opening {
        let path = &candidate.path;
        match candidate.kind {
            Kind::File => self.open_file(path),
            Kind::Stdin => self.open_stdin(path),
            Kind::Special => self.open_special(path),
        }
    }

    fn open_file(&mut self, path: &Path) -> Opening {
        let opened = match self.look_into(path) {
            Ok(opened) => opened,
            Err(e) => return refused(path, &why(&e)),
        };
        if !opened.meta.is_file() {
            return refused(path, "it changed into something else while it was opened");
        }
        match sniff::shape(opened.head()) {
            Shape::Foreign(kind) => Opening::Ready(Found::Skipped(aside(path, kind))),
            // Files of the system that are made when they are read have no length beforehand.
            Shape::Plain | Shape::Binary if opened.meta.len() == 0 && !opened.head().is_empty() => {
                coming(self.pool.spool(path, Vec::new(), opened.file))
            }
            Shape::Plain | Shape::Binary => {
                let mapping = self.mapping(opened.meta.len());
                let hints = self.hints(path);
                let file = SourceFile::plain(path, opened, hints, mapping);
                Opening::Ready(Found::File(Arc::new(file)))
            }
            Shape::Gzip
            | Shape::Zstd
            | Shape::Bzip2
            | Shape::Xz
            | Shape::Tar
            | Shape::Zip
            | Shape::Utf16Le
            | Shape::Utf16Be => coming(self.pool.decode(path)),
        }
    }

    /// Opens a file; the ones that are not mapped are small and read at once.
    fn look_into(&self, path: &Path) -> io::Result<Opened> {
        if self.options.mmap == MmapPolicy::Auto && self.n_mapped < MAPPED_SMALL_FILES {
            Opened::at(path)
        } else {
            Opened::ahead(path, &self.loans)
        }
    }

    fn open_stdin(&self, path: &Path) -> Opening {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return refused(path, "standard input is a terminal; pipe a log into it");
        }
        match duplicate(&stdin) {
            Ok(file) => coming(self.pool.spool(path, Vec::new(), file)),
            Err(e) => refused(path, &why(&e)),
        }
    }

    /// Opens a named pipe that has a writer, as a shell makes for `<(command)`.
    fn open_special(&self, path: &Path) -> Opening {
        // Opening a device may do something; a pipe opened without waiting may not.
        match std::fs::metadata(path) {
            Ok(meta) if walk::is_pipe(&meta) => {}
            Ok(meta) => return skipped(path, walk::special_kind(&meta)),
            Err(e) => return refused(path, &why(&e)),
        }
        let opened = match Opened::at(path) {
            Ok(opened) => opened,
            Err(e) => return refused(path, &why(&e)),
        };
        let mut head = vec![0; HEAD];
        match io::Read::read(&mut &opened.file, &mut head) {
            Ok(0) => return skipped(path, "a named pipe that nobody writes to"),
            Ok(n_read) => head.truncate(n_read),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => head.clear(),
            Err(e) => return refused(path, &why(&e)),
        }
        match make_blocking(&opened.file) {
            Ok(()) => coming(self.pool.spool(path, head, opened.file)),
            Err(e) => refused(path, &why(&e)),
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

fn coming(reports: Receiver<Found>) -> Opening {
    Opening::Coming(Coming { reports, is_counted: true })
}

fn refused(path: &Path, why: &str) -> Opening {
    Opening::Ready(Found::Refused(aside(path, why)))
}

fn skipped(path: &Path, why: &str) -> Opening {
    Opening::Ready(Found::Skipped(aside(path, why)))
}

#[cfg(unix)]
fn duplicate(stdin: &io::Stdin) -> io::Result<File> {
    std::os::fd::AsFd::as_fd(stdin).try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn duplicate(stdin: &io::Stdin) -> io::Result<File> {
    std::os::windows::io::AsHandle::as_handle(stdin).try_clone_to_owned().map(File::from)
}
