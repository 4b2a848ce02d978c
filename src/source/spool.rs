//! Decoded or piped bytes on their way through an unlinked temporary file.
//!
//! One thread writes a [`Stream`] through its [`Sink`]; any number read it meanwhile. The contract:
//! the bytes of a stream lie one after another in one spool; the sink first writes them to the file,
//! then publishes the new length; readers touch only what lies below the published length; published
//! bytes never change. A spool is mapped once, at a length it will never exceed (a sparse file), so a
//! slice stays valid while the stream grows. Where the system refuses such a map, readers copy.
//!
//! A stream that stays within [`SMALL`] goes to a spool that many share and costs no descriptor; a
//! longer one gets its own, whose descriptor is closed when the stream is complete.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::base::cancel::CancelToken;
use crate::source::bytes::{outside, read_at, within, write_at};
use crate::source::map::{self, Map};
use crate::source::{Avail, Note, NoteKind, SourceError};

/// Streams up to this many bytes share a spool.
const SMALL: usize = 1 << 20;
/// The length of a shared spool; the next one is begun when it is full.
const SHARED: u64 = 4 << 30;
/// Decoded bytes that are held back at most before they are published.
const MAX_STEP: u64 = 4 << 20;
/// How often a waiting reader looks whether it was called off.
const PATIENCE: Duration = Duration::from_millis(50);
/// Bytes left free on the file system of the spools.
const RESERVE: u64 = 64 << 20;
/// Bytes written between two looks at the free space.
const SPACE_CHECK: u64 = 32 << 20;

/// Bytes that are still being decoded, or were.
#[derive(Debug, Default)]
pub(super) struct Stream {
    place: OnceLock<Place>,
    /// The published length; what lies below it is in the file and does not change.
    len: AtomicU64,
    state: Mutex<State>,
    grew: Condvar,
}

#[derive(Debug, Default)]
struct State {
    complete: bool,
    notes: Vec<Note>,
}

#[derive(Debug)]
struct Place {
    room: Room,
    start: u64,
}

/// How the bytes of a spool are read.
#[derive(Clone, Debug)]
enum Room {
    Mapped(Arc<Map>),
    /// The system gave no map that long; the descriptor stays open.
    File(Arc<File>),
}

impl Stream {
    /// Waits until there are more than `beyond` bytes or no more will come.
    pub(super) fn wait(&self, beyond: u64, cancel: &CancelToken) -> Result<Avail, SourceError> {
        let mut state = self.lock();
        loop {
            let avail = Avail { len: self.len(), complete: state.complete };
            if avail.complete || avail.len > beyond {
                return Ok(avail);
            }
            if cancel.is_cancelled() {
                return Err(SourceError::Cancelled);
            }
            let waited = self.grew.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.len.load(Ordering::Acquire)
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        self.lock().notes.clone()
    }

    pub(super) fn has_problem(&self) -> bool {
        self.lock().notes.iter().any(|note| note.kind == NoteKind::Problem)
    }

    pub(super) fn bytes(&self, range: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let len = self.len();
        if range.start > range.end || range.end > len {
            return Err(outside(&range, len));
        }
        let Some(place) = self.place.get().filter(|_| !range.is_empty()) else {
            return Ok(Cow::Borrowed(&[]));
        };
        let in_spool = place.start + range.start..place.start + range.end;
        match &place.room {
            Room::Mapped(map) => within(map.bytes(), in_spool).map(Cow::Borrowed),
            Room::File(file) => {
                let n_bytes = usize::try_from(range.end - range.start);
                let mut buf = vec![0; n_bytes.map_err(|_| io::ErrorKind::OutOfMemory)?];
                let n_read = read_at(file, &mut buf, in_spool.start)?;
                if n_read < buf.len() {
                    return Err(outside(&in_spool, in_spool.start + n_read as u64));
                }
                Ok(Cow::Owned(buf))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is plain data that is whole after every statement, even if a writer panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, len: u64) {
        let state = self.lock();
        self.len.store(len, Ordering::Release);
        drop(state);
        self.grew.notify_all();
    }

    pub(super) fn note(&self, note: Note) {
        self.lock().notes.push(note);
    }
}

/// Where spools are made, and the one that small streams share.
#[derive(Debug)]
pub(super) struct Spools {
    folder: PathBuf,
    shared: Mutex<Option<Shared>>,
}

#[derive(Debug)]
struct Shared {
    room: Room,
    file: Arc<File>,
    used: u64,
}

impl Spools {
    /// Makes spools in `folder`, or where the system keeps large temporary files.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        let folder = folder.unwrap_or_else(|| {
            let large = PathBuf::from("/var/tmp");
            let chosen = std::env::var_os("TMPDIR").is_some();
            if !chosen && large.is_dir() { large } else { std::env::temp_dir() }
        });
        Self { folder, shared: Mutex::new(None) }
    }

    /// Returns a sink for a stream of at most `limit` bytes that may be small, and the stream.
    pub(super) fn sink(self: &Arc<Self>, limit: u64) -> Sink {
        Sink {
            stream: Arc::default(),
            spools: Arc::clone(self),
            limit,
            pending: Vec::new(),
            own: None,
            len: 0,
            space_checked_at: 0,
            is_prompt: false,
        }
    }

    fn create(&self, len: u64) -> io::Result<(Arc<File>, Room)> {
        let file = Arc::new(tempfile::tempfile_in(&self.folder)?);
        let len = len.min(map::file_size_limit());
        let mapped = file.set_len(len).and_then(|()| Map::new(&file, len));
        let room = match mapped {
            Ok(map) => Room::Mapped(Arc::new(map)),
            Err(_) => Room::File(Arc::clone(&file)),
        };
        Ok((file, room))
    }

    /// Writes a whole small stream to the shared spool.
    fn place_small(&self, bytes: &[u8]) -> io::Result<Place> {
        let len = bytes.len() as u64;
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.as_ref().is_none_or(|shared| SHARED - shared.used < len) {
            let (file, room) = self.create(SHARED)?;
            *shared = Some(Shared { room, file, used: 0 });
        }
        let Some(spool) = shared.as_mut() else {
            return Err(io::ErrorKind::StorageFull.into());
        };
        let place = Place { room: spool.room.clone(), start: spool.used };
        let file = Arc::clone(&spool.file);
        spool.used += len;
        drop(shared);
        write_at(&file, bytes, place.start)?;
        Ok(place)
    }
}

/// The writing end of a [`Stream`]. Dropping it completes the stream.
#[derive(Debug)]
pub(super) struct Sink {
    stream: Arc<Stream>,
    spools: Arc<Spools>,
    limit: u64,
    /// Bytes of a stream that is small so far.
    pending: Vec<u8>,
    own: Option<Arc<File>>,
    len: u64,
    space_checked_at: u64,
    /// Whether each write is published at once.
    is_prompt: bool,
}

impl Sink {
    pub(super) fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Gives the stream its own spool from its first byte on, so that all of it shows at once.
    ///
    /// # Errors
    /// When no temporary file can be made.
    pub(super) fn be_prompt(&mut self) -> io::Result<()> {
        self.is_prompt = true;
        self.move_out()
    }

    fn move_out(&mut self) -> io::Result<()> {
        let (file, room) = self.spools.create(self.limit)?;
        // The place is set once: only here and in `finish`, which looks at `own` first.
        drop(self.stream.place.set(Place { room, start: 0 }));
        self.own = Some(file);
        Ok(())
    }

    /// Adds to the stream. Never takes it past the limit: more is an error of kind `FileTooLarge`.
    ///
    /// # Errors
    /// When the spool cannot be made or written, or little space is left where it lies.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.limit - self.len < bytes.len() as u64 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if self.own.is_none() && self.pending.len() + bytes.len() <= SMALL {
            self.pending.extend_from_slice(bytes);
            self.len += bytes.len() as u64;
            return Ok(());
        }
        if self.own.is_none() {
            self.move_out()?;
            let pending = std::mem::take(&mut self.pending);
            self.len = 0;
            self.append(&pending)?;
        }
        self.append(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = &self.own else { return Ok(()) };
        if self.space_checked_at <= self.len {
            if map::free_space(file).is_some_and(|free| free < RESERVE + SPACE_CHECK) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.space_checked_at = self.len + SPACE_CHECK;
        }
        write_at(file, bytes, self.len)?;
        self.len += bytes.len() as u64;
        // Readers of a long stream are better served with fewer, larger steps.
        let published = self.stream.len();
        if self.is_prompt || (published / 16).min(MAX_STEP) <= self.len - published {
            self.stream.publish(self.len);
        }
        Ok(())
    }

    /// Returns the bytes written so far.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether nobody but this sink has the stream.
    pub(super) fn is_abandoned(&self) -> bool {
        Arc::strong_count(&self.stream) == 1
    }

    /// Puts a stream that stayed small where it will stay, so that readers see it.
    fn settle(&mut self) -> io::Result<()> {
        if self.own.is_none() && !self.pending.is_empty() {
            let place = self.spools.place_small(&self.pending)?;
            drop(self.stream.place.set(place));
        }
        self.stream.publish(self.len);
        Ok(())
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if let Err(e) = self.settle() {
            self.stream.note(Note::problem(format!("cannot keep decoded bytes: {e}")));
        }
        self.stream.lock().complete = true;
        self.stream.grew.notify_all();
    }
}
