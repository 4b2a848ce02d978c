//! One file, or one member of an archive, as the rest of the program reads it.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::base::cancel::CancelToken;
use crate::base::text;
use crate::source::bytes::{Bytes, outside, read_at, within};
use crate::source::hints::PathHints;
use crate::source::loan::{Loan, Loans};
use crate::source::map::Map;
use crate::source::spool::Stream;
use crate::source::stamp::{Change, FileStamp, HEAD};
use crate::source::{Avail, Note, SourceError};

/// Files up to this many bytes are read rather than mapped when there are many of them.
pub(super) const SMALL_FILE: u64 = 1 << 20;

/// Files longer than this that may not be mapped are kept in memory once they were read, as they are
/// read in many pieces.
const KEPT_FILE: u64 = 32 << 20;

/// A file that was opened: its bytes, its name, what its path says, and what it was then.
///
/// It holds no descriptor. Bytes below the length that [`SourceFile::wait`] returned stay readable at
/// the same offsets; what a change on disk does to them is told by [`SourceFile::check`].
#[derive(Debug)]
pub struct SourceFile {
    path: PathBuf,
    label: String,
    hints: PathHints,
    notes: Vec<Note>,
    /// What the file on disk was; `None` for bytes that never were one.
    stamp: Option<FileStamp>,
    mapping: Mapping,
    backing: Backing,
}

#[derive(Debug)]
enum Backing {
    Memory(Vec<u8>),
    Mapped(Map),
    /// Opened anew for each read, but for the first where it was read ahead.
    OnDisk(Mutex<Option<Loan>>),
    /// Long and not mapped: opened anew for single records, read whole the first time all of it
    /// is wanted.
    Loaded(OnceLock<Vec<u8>>),
    Decoded(Arc<Stream>),
}

/// Whether a plain file is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mapping {
    /// Map it, whatever its length.
    Always,
    /// Map it when it is longer than [`SMALL_FILE`].
    WhenLarge,
    /// Read it.
    Never,
}

impl SourceFile {
    /// Wraps an open regular file that holds plain text.
    pub(super) fn plain(path: &Path, opened: Opened, hints: PathHints, mapping: Mapping) -> Self {
        let stamp = FileStamp::new(&opened.meta, opened.head());
        let wanted = match mapping {
            Mapping::Always => stamp.len > 0,
            Mapping::WhenLarge => stamp.len > SMALL_FILE,
            Mapping::Never => false,
        };
        let map = if wanted { Map::new(&opened.file, stamp.len).ok() } else { None };
        let backing = match map {
            Some(map) => Backing::Mapped(map),
            None if stamp.len == 0 => Backing::Memory(Vec::new()),
            None if KEPT_FILE < stamp.len => Backing::Loaded(OnceLock::new()),
            None => Backing::OnDisk(Mutex::new(opened.into_whole())),
        };
        Self {
            path: path.to_owned(),
            label: text::escape_path(path),
            hints,
            notes: Vec::new(),
            stamp: Some(stamp),
            mapping,
            backing,
        }
    }

    /// Wraps bytes that are still being decoded from the file at `path`.
    pub(super) fn decoded(
        path: &Path,
        label: String,
        hints: PathHints,
        stamp: Option<FileStamp>,
        stream: Arc<Stream>,
    ) -> Self {
        let (backing, mapping) = (Backing::Decoded(stream), Mapping::Never);
        Self { path: path.to_owned(), label, hints, notes: Vec::new(), stamp, mapping, backing }
    }

    /// Wraps bytes in memory under a name for display.
    pub(super) fn in_memory(name: &str, bytes: Vec<u8>) -> Self {
        let path = PathBuf::from(name);
        let label = text::escape(name).into_owned();
        let (hints, notes, backing) = (PathHints::default(), Vec::new(), Backing::Memory(bytes));
        Self { path, label, hints, notes, stamp: None, mapping: Mapping::Never, backing }
    }

    /// Returns the path that was opened; for a member, that of its archive.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name to show, safe for a terminal: `capture.zip!/logs/a.txt` for a member.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns what the path says about the events.
    pub const fn hints(&self) -> &PathHints {
        &self.hints
    }

    /// Returns what there is to say about the reading of this file, so far.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = self.notes.clone();
        if let Backing::Decoded(stream) = &self.backing {
            notes.extend(stream.notes());
        }
        notes
    }

    /// Waits until there are more than `beyond` bytes, or all that will come are there.
    ///
    /// # Errors
    /// Returns [`SourceError::Cancelled`] when `cancel` is called off meanwhile.
    pub fn wait(&self, beyond: u64, cancel: &CancelToken) -> Result<Avail, SourceError> {
        match &self.backing {
            Backing::Decoded(stream) => stream.wait(beyond, cancel),
            Backing::Memory(_) | Backing::Mapped(_) | Backing::OnDisk(_) | Backing::Loaded(_) => {
                Ok(Avail { len: self.len(), complete: true })
            }
        }
    }

    /// Returns the number of bytes there are now.
    pub fn len(&self) -> u64 {
        match &self.backing {
            Backing::Memory(bytes) => bytes.len() as u64,
            Backing::Decoded(stream) => stream.len(),
            Backing::Mapped(map) => map.bytes().len() as u64,
            // A file that shrank before it was loaded has fewer bytes than it had.
            Backing::Loaded(bytes) => {
                bytes.get().map_or_else(|| self.stamped_len(), |bytes| bytes.len() as u64)
            }
            Backing::OnDisk(_) => self.stamped_len(),
        }
    }

    /// Returns whether there are no bytes now.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the bytes are decoded or piped rather than those of the file on disk.
    pub const fn is_decoded(&self) -> bool {
        matches!(self.backing, Backing::Decoded(_))
    }

    /// Returns whether the file is mapped.
    pub const fn is_mapped(&self) -> bool {
        matches!(self.backing, Backing::Mapped(_))
    }

    /// Returns the bytes of `range`: one record, or a chunk.
    ///
    /// # Errors
    /// When the range is not there (any more), or the file cannot be opened or read again.
    pub fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        match &self.backing {
            Backing::Memory(bytes) => within(bytes, range).map(Cow::Borrowed),
            Backing::Mapped(map) => within(map.bytes(), range).map(Cow::Borrowed),
            Backing::Decoded(stream) => stream.bytes(range),
            Backing::Loaded(bytes) => match bytes.get() {
                Some(bytes) => within(bytes, range).map(Cow::Borrowed),
                None => self.read_range(range).map(Cow::Owned),
            },
            Backing::OnDisk(_) => self.read_range(range).map(Cow::Owned),
        }
    }

    /// Returns the bytes of two ranges, for which the file is opened at most once.
    ///
    /// # Errors
    /// As [`SourceFile::bytes`].
    pub fn two_bytes(&self, ranges: [Range<u64>; 2]) -> io::Result<[Cow<'_, [u8]>; 2]> {
        let is_opened = match &self.backing {
            Backing::OnDisk(_) => true,
            Backing::Loaded(bytes) => bytes.get().is_none(),
            Backing::Memory(_) | Backing::Mapped(_) | Backing::Decoded(_) => false,
        };
        let [first, second] = ranges;
        if !is_opened {
            return Ok([self.bytes(first)?, self.bytes(second)?]);
        }
        let file = self.open_again()?;
        let read = |range| self.read_from(&file, range).map(Cow::Owned);
        Ok([read(first)?, read(second)?])
    }

    /// Returns all bytes there are now.
    ///
    /// # Errors
    /// As [`SourceFile::bytes`]; a file that shrank gives what is left.
    pub fn whole(&self) -> io::Result<Bytes<'_>> {
        match self.borrow_whole()? {
            Some(Cow::Borrowed(bytes)) => Ok(Bytes::Mapped(bytes)),
            Some(Cow::Owned(bytes)) => Ok(Bytes::Owned(bytes)),
            None => {
                let mut buf = Vec::new();
                self.read_disk(&mut buf)?;
                Ok(Bytes::Owned(buf))
            }
        }
    }

    /// Returns all bytes there are now: the map where there is one, else `buf` with them read into it.
    ///
    /// # Errors
    /// As [`SourceFile::whole`].
    pub fn read_into<'a>(&'a self, buf: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match self.borrow_whole()? {
            Some(Cow::Borrowed(bytes)) => return Ok(bytes),
            Some(Cow::Owned(bytes)) => *buf = bytes,
            None => self.read_disk(buf)?,
        }
        Ok(buf)
    }

    /// Returns all bytes, unless they are to be read from the disk each time.
    fn borrow_whole(&self) -> io::Result<Option<Cow<'_, [u8]>>> {
        match &self.backing {
            Backing::OnDisk(_) => Ok(None),
            Backing::Loaded(bytes) => {
                if bytes.get().is_none() {
                    let mut buf = Vec::new();
                    self.read_disk(&mut buf)?;
                    // Another reader may have been faster; its bytes are as good.
                    drop(bytes.set(buf));
                }
                Ok(bytes.get().map(|bytes| Cow::Borrowed(bytes.as_slice())))
            }
            Backing::Memory(_) | Backing::Mapped(_) | Backing::Decoded(_) => {
                self.bytes(0..self.len()).map(Some)
            }
        }
    }

    /// Looks again at the file on disk: one `stat` when nothing happened.
    ///
    /// A file that was decoded or piped is not followed: when it grew it counts as replaced.
    pub fn check(&self) -> Change {
        let Some(before) = &self.stamp else { return Change::Same };
        let damage = match &self.backing {
            Backing::Mapped(map) => map.damage(),
            _ => None,
        };
        match (look_again(&self.path, before), damage) {
            (Change::Grown { .. }, None) if self.is_decoded() => Change::Replaced,
            (Change::Same, Some(_)) => Change::Unreadable,
            // It was shorter for a while; what grew since may be anything.
            (Change::Grown { .. }, Some(_)) => Change::Replaced,
            (change, _) => change,
        }
    }

    /// Opens the same file at its present length; offsets into the old one hold in the new one.
    ///
    /// # Errors
    /// When it is not the same file any more, is shorter, was decoded, or cannot be opened.
    pub fn grown(&self) -> io::Result<Self> {
        let opened = Opened::at(&self.path)?;
        let now = FileStamp::new(&opened.meta, opened.head_like(self.stamp.as_ref()));
        let change = self.stamp.map_or(Change::Replaced, |before| before.compare(&now));
        if self.is_decoded() || !matches!(change, Change::Same | Change::Grown { .. }) {
            return Err(io::Error::other("the file is not the one that was opened"));
        }
        let mut file = Self::plain(&self.path, opened, self.hints.clone(), self.mapping);
        file.notes.clone_from(&self.notes);
        Ok(file)
    }

    /// Returns the length the file had when it was opened.
    fn stamped_len(&self) -> u64 {
        self.stamp.map_or(0, |stamp| stamp.len)
    }

    fn read_range(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        self.read_from(&self.open_again()?, range)
    }

    fn read_from(&self, file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
        let len = self.stamped_len();
        if range.start > range.end || range.end > len {
            return Err(outside(&range, len));
        }
        let n_bytes = usize::try_from(range.end - range.start);
        let mut buf = vec![0; n_bytes.map_err(|_| io::ErrorKind::OutOfMemory)?];
        let n_read = read_at(file, &mut buf, range.start)?;
        if n_read < buf.len() {
            return Err(outside(&range, range.start + n_read as u64));
        }
        Ok(buf)
    }

    fn read_disk(&self, buf: &mut Vec<u8>) -> io::Result<()> {
        if let Backing::OnDisk(ahead) = &self.backing
            && let Some(loan) = lock(ahead).take()
        {
            loan.swap(buf);
            return Ok(());
        }
        let file = self.open_again()?;
        let len = usize::try_from(self.stamped_len());
        let len = len.map_err(|_| io::ErrorKind::OutOfMemory)?;
        buf.resize(len, 0);
        let n_read = read_at(&file, buf, 0)?;
        buf.truncate(n_read);
        Ok(())
    }

    fn open_again(&self) -> io::Result<File> {
        let file = open_regular(&self.path)?;
        let same = self.stamp.is_none_or(|stamp| {
            file.metadata().is_ok_and(|meta| super::stamp::identity(&meta) == stamp.identity)
        });
        if same { Ok(file) } else { Err(io::Error::other("another file has its name now")) }
    }
}

/// A loan is taken or not; nothing can leave it half taken.
fn lock(ahead: &Mutex<Option<Loan>>) -> MutexGuard<'_, Option<Loan>> {
    ahead.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file just opened, and the first look at it.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) file: File,
    pub(super) meta: Metadata,
    read: Read,
}

/// What was read of a file when it was opened.
#[derive(Debug)]
enum Read {
    Head(Vec<u8>),
    Whole(Loan),
}

impl Opened {
    /// Opens the file at `path` without ever waiting, and reads its first bytes if it is regular.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let meta = file.metadata()?;
        let wanted = if meta.is_file() { HEAD } else { 0 };
        let read = Read::Head(read_head(&file, wanted)?);
        Ok(Self { file, meta, read })
    }

    /// Opens as [`Opened::at`] does, and reads all of the file if it is small and a buffer is free.
    pub(super) fn ahead(path: &Path, loans: &Arc<Loans>) -> io::Result<Self> {
        let file = open_regular(path)?;
        let meta = file.metadata()?;
        let len = usize::try_from(meta.len()).unwrap_or(usize::MAX);
        let loan = if meta.is_file() && len > HEAD { loans.lend(len) } else { None };
        let read = match loan {
            Some(mut loan) => {
                loan.fill(|buf| read_at(&file, buf, 0))?;
                Read::Whole(loan)
            }
            None => Read::Head(read_head(&file, if meta.is_file() { HEAD } else { 0 })?),
        };
        Ok(Self { file, meta, read })
    }

    /// Returns the first bytes, at most [`HEAD`] of them.
    pub(super) fn head(&self) -> &[u8] {
        let bytes = match &self.read {
            Read::Head(head) => head,
            Read::Whole(loan) => loan.bytes(),
        };
        &bytes[..bytes.len().min(HEAD)]
    }

    /// Returns as much of the head as `before` had of its own.
    pub(super) fn head_like(&self, before: Option<&FileStamp>) -> &[u8] {
        let wanted = before.map_or(HEAD, FileStamp::head_len);
        let head = self.head();
        &head[..head.len().min(wanted)]
    }

    fn into_whole(self) -> Option<Loan> {
        match self.read {
            Read::Head(_) => None,
            Read::Whole(loan) => Some(loan),
        }
    }
}

fn read_head(file: &File, wanted: usize) -> io::Result<Vec<u8>> {
    let mut head = vec![0; wanted];
    let n_read = read_at(file, &mut head, 0)?;
    head.truncate(n_read);
    Ok(head)
}

/// Opens for reading; a FIFO that took the file's place does not block us.
fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, super::map::OPEN_FLAGS);
    options.open(path)
}

fn look_again(path: &Path, before: &FileStamp) -> Change {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Change::Gone,
        Err(_) => return Change::Unreadable,
    };
    if before.is_untouched(&meta) {
        return Change::Same;
    }
    match Opened::at(path) {
        Ok(opened) => before.compare(&FileStamp::new(&opened.meta, opened.head_like(Some(before)))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Change::Gone,
        Err(_) => Change::Unreadable,
    }
}
