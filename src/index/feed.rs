//! Files cut into pieces of work, in order.

use std::ops::Range;
use std::sync::Arc;

use crossbeam_channel::Sender;

use crate::base::cancel::CancelToken;
use crate::base::id::FileId;
use crate::base::progress::Progress;
use crate::record::frame::{self, Mode};
use crate::source::{Found, SourceFile};

/// A border between pieces is looked for this far, so that it falls before an object.
const BORDER_REACH: usize = 256 << 10;

/// Something that must be put in its place before what comes after it.
pub(crate) enum Item {
    /// A file begins.
    File(Arc<SourceFile>),
    /// Something that is not read.
    Aside(Found),
    /// The answer to piece number `seq` follows.
    Piece,
}

/// A piece of a file to be read by a worker.
pub(crate) struct Task {
    pub(crate) seq: u64,
    pub(crate) file: FileId,
    pub(crate) source: Arc<SourceFile>,
    /// The bytes; the whole file when it is small.
    pub(crate) range: Range<usize>,
    pub(crate) mode: Mode,
    /// Whether all bytes of the file are there.
    pub(crate) complete: bool,
    /// Whether this is the last piece of the file.
    pub(crate) last: bool,
}

/// Where a piece is cut; see [`Task`].
struct Cut {
    range: Range<usize>,
    mode: Mode,
    complete: bool,
    last: bool,
}

impl Cut {
    const fn last(range: Range<usize>, mode: Mode) -> Self {
        Self { range, mode, complete: true, last: true }
    }
}

/// Cuts files into tasks; `seq` counts tasks and other items alike.
pub(crate) struct Feeder<'a> {
    pub(crate) tasks: Sender<Task>,
    pub(crate) items: Sender<(u64, Item)>,
    pub(crate) piece: usize,
    pub(crate) progress: &'a Progress,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) seq: u64,
    pub(crate) file: FileId,
}

/// The receiving side is gone: nobody wants the rest.
pub(crate) struct Gone;

impl Feeder<'_> {
    pub(crate) fn found(&mut self, found: Found) -> Result<(), Gone> {
        let source = match found {
            Found::File(source) => source,
            aside => return self.item(Item::Aside(aside)),
        };
        self.item(Item::File(Arc::clone(&source)))?;
        let file = self.file;
        self.file.0 += 1;
        self.rest_of(file, &source, 0)
    }

    /// Cuts a file from byte `from` on.
    pub(crate) fn rest_of(
        &mut self,
        file: FileId,
        source: &Arc<SourceFile>,
        from: usize,
    ) -> Result<(), Gone> {
        let mut at = from;
        let mut mode = None;
        // No line feed lies between `at` and here.
        let mut searched = from;
        let mut told = from as u64;
        // The first pieces are small, so that the first rows are there at once.
        let mut size = self.piece.min(256 << 10);
        loop {
            let Ok(avail) = source.wait(at as u64, self.cancel) else {
                return self.task(file, source, Cut::last(at..at, Mode::Lines));
            };
            self.progress.add_total(avail.len.saturating_sub(told));
            told = told.max(avail.len);
            let len = usize::try_from(avail.len).unwrap_or(usize::MAX);
            if avail.complete && len.saturating_sub(at) <= size {
                let end = if at == 0 { usize::MAX } else { len };
                let cut = Cut::last(at..end, mode.unwrap_or(Mode::Lines));
                return self.task(file, source, cut);
            }
            if self.cancel.is_cancelled() {
                return Err(Gone);
            }
            let Ok(whole) = source.whole() else {
                return self.task(file, source, Cut::last(at..len, Mode::Lines));
            };
            let bytes = whole.get(..len).unwrap_or(&whole);
            let mode = *mode.get_or_insert_with(|| frame::guess_mode(bytes));
            while let Some(end) = next_border(bytes, at, size, searched, avail.complete) {
                let last = avail.complete && end == bytes.len();
                let cut = Cut { range: at..end, mode, complete: avail.complete, last };
                self.task(file, source, cut)?;
                at = end;
                size = (size * 4).min(self.piece);
                if last {
                    return Ok(());
                }
            }
            if avail.complete {
                return self.task(file, source, Cut::last(at..len, mode));
            }
            // What is left has no line feed yet: wait for more than there is.
            searched = len;
            if source.wait(avail.len, self.cancel).is_err() || self.cancel.is_cancelled() {
                return Err(Gone);
            }
        }
    }

    fn task(&mut self, file: FileId, source: &Arc<SourceFile>, cut: Cut) -> Result<(), Gone> {
        let Cut { range, mode, complete, last } = cut;
        let (seq, source) = (self.seq, Arc::clone(source));
        self.item(Item::Piece)?;
        self.tasks.send(Task { seq, file, source, range, mode, complete, last }).map_err(|_| Gone)
    }

    fn item(&mut self, item: Item) -> Result<(), Gone> {
        let seq = self.seq;
        self.seq += 1;
        self.items.send((seq, item)).map_err(|_| Gone)
    }
}

/// Returns where a piece that starts at `at` ends: after a line feed, before an object if one
/// starts at the margin nearby; no line feed lies between `at` and `searched`. `None` when there is no border yet.
fn next_border(
    bytes: &[u8],
    at: usize,
    size: usize,
    searched: usize,
    complete: bool,
) -> Option<usize> {
    let goal = at.saturating_add(size);
    if goal >= bytes.len() {
        if complete {
            return (at < bytes.len()).then_some(bytes.len());
        }
        let from = at.max(searched);
        let feed = memchr::memrchr(b'\n', bytes.get(from..)?)?;
        return Some(from + feed + 1);
    }
    let reach = &bytes[goal..bytes.len().min(goal + BORDER_REACH)];
    if let Some(found) = memchr::memmem::find(reach, b"\n{") {
        return Some(goal + found + 1);
    }
    let from = goal.max(searched);
    match memchr::memchr(b'\n', bytes.get(from..)?) {
        Some(feed) => Some(from + feed + 1),
        None if complete => Some(bytes.len()),
        None => None,
    }
}
