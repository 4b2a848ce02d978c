//! The parallel pipeline: pieces of files → segments → published snapshots.
//!
//! One thread finds and cuts files, some read pieces, and the caller's thread puts the answers in
//! order. A piece counts only if the piece before it ended at its start in its mode; otherwise it
//! is read again from where that one ended. So the result is that of one thread reading from left
//! to right, whatever the number of threads and wherever pieces were cut.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::base::cancel::CancelToken;
use crate::base::id::{EventId, FileId};
use crate::base::progress::Progress;
use crate::index::builder::{Draft, SegmentBuilder};
use crate::index::feed::{Feeder, Item, Task};
use crate::index::names::KnownTypes;
use crate::index::{FileSummary, Index};
use crate::record::frame::{self, Consumed, Piece};
use crate::record::head::HeadReader;
use crate::source::{Found, SourceFile, from_memory};

/// How to build.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that read; at least 1.
    pub threads: usize,
    /// Bytes of a piece of work, about; at least 1.
    pub piece: usize,
    /// Names of documented types.
    pub known: Arc<KnownTypes>,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { threads, piece: 4 << 20, known: Arc::default() }
    }
}

/// What a build reports to and listens to.
pub struct Watch<'a> {
    /// Raised while reading; ended by the caller.
    pub progress: &'a Progress,
    /// Asked at each piece.
    pub cancel: &'a CancelToken,
    /// Takes each snapshot: the first rows at once, then at growing sizes.
    pub publish: &'a mut dyn FnMut(Arc<Index>),
}

/// What is read: called on a thread of its own, it hands on all files it finds.
pub type Find<'a> = dyn FnOnce(&mut dyn FnMut(Found)) + Send + 'a;

/// Reads all files that `find` finds and returns the final snapshot, or the last one before it was
/// cancelled.
pub fn run(find: Box<Find<'_>>, options: &Options, watch: &mut Watch<'_>) -> Arc<Index> {
    let assembler = Assembler::new(Index::default(), options);
    pipeline(assembler, options, watch, |feeder| {
        let mut gone = false;
        find(&mut |found| gone = gone || feeder.found(found).is_err());
    })
}

/// Reads what was appended to files since `index` was made: each file with the source that sees it
/// at its new length. Rows keep their numbers.
pub fn extend(
    index: &Index,
    grown: Vec<(FileId, Arc<SourceFile>)>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Arc<Index> {
    let mut start = index.clone();
    start.is_final = false;
    let mut from = Vec::new();
    for (id, source) in &grown {
        if let (Some(file), Some(slot)) =
            (start.files.get_mut(id.at()), start.sources.files.get_mut(id.at()))
        {
            *slot = Arc::clone(source);
            let torn = file.torn.take().map(|torn| torn.offset);
            file.read = torn.unwrap_or(file.read);
            from.push(file.read);
        } else {
            from.push(0);
        }
    }
    let assembler = Assembler::new(start, options);
    pipeline(assembler, options, watch, |feeder| {
        for ((id, source), from) in grown.iter().zip(from) {
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            if feeder.rest_of(*id, source, from).is_err() {
                return;
            }
        }
    })
}

/// Reads files and folders as [`crate::source::open_all`] finds them.
pub fn index_paths(
    inputs: &[OsString],
    open: &crate::source::OpenOptions,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Arc<Index> {
    let (progress, cancel) = (watch.progress, watch.cancel.clone());
    let find = |found: &mut dyn FnMut(Found)| {
        crate::source::open_all(inputs, open, progress, &cancel, found);
    };
    run(Box::new(find), options, watch)
}

/// Reads one file that is in memory already.
pub fn from_bytes(name: &str, bytes: Vec<u8>, known_types: &[&str]) -> Arc<Index> {
    let known = Arc::new(KnownTypes::new(known_types.iter().copied()));
    let options = Options { known, ..Options::default() };
    from_sources(vec![Arc::new(from_memory(name, bytes))], &options)
}

/// Reads files that are open already.
pub fn from_sources(files: Vec<Arc<SourceFile>>, options: &Options) -> Arc<Index> {
    let mut watch = Watch {
        progress: &Progress::default(),
        cancel: &CancelToken::never(),
        publish: &mut |_| {},
    };
    let find = move |found: &mut dyn FnMut(Found)| {
        files.into_iter().for_each(|file| found(Found::File(file)));
    };
    run(Box::new(find), options, &mut watch)
}

/// Tasks and answers that may wait, for each thread: small files take less time than a thread takes
/// to wake up.
const AHEAD: usize = 16;

/// The answer to one task.
struct Answer {
    seq: u64,
    task: Task,
    result: Result<(Draft, Consumed), String>,
}

fn pipeline(
    mut assembler: Assembler<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
    feed: impl FnOnce(&mut Feeder<'_>) + Send,
) -> Arc<Index> {
    let threads = options.threads.max(1);
    let (task_out, task_in) = bounded::<Task>(threads * AHEAD);
    let (item_out, item_in) = bounded::<(u64, Item)>(1024);
    let (answer_out, answer_in) = bounded::<Answer>(threads * AHEAD);
    let first_file = FileId(u32::try_from(assembler.index.files.len()).unwrap_or(u32::MAX));
    let (progress, cancel) = (watch.progress, watch.cancel);
    std::thread::scope(|scope| {
        let mut feeder = Feeder {
            tasks: task_out,
            items: item_out,
            piece: options.piece.max(1),
            progress,
            cancel,
            seq: 0,
            file: first_file,
        };
        spawn(scope, "actlog-find", move || feed(&mut feeder));
        for _ in 0..threads {
            let (tasks, answers, known) = (task_in.clone(), answer_out.clone(), &options.known);
            spawn(scope, "actlog-read", move || work(&tasks, &answers, known, cancel));
        }
        drop((task_in, answer_out));
        assembler.assemble(&item_in, &answer_in, watch);
        // Dropping the receivers lets threads that still send come to an end.
        drop((item_in, answer_in));
    });
    assembler.finish(watch)
}

fn spawn<'s, 'e>(
    scope: &'s std::thread::Scope<'s, 'e>,
    name: &str,
    work: impl FnOnce() + Send + 's,
) {
    let thread = std::thread::Builder::new().name(name.to_owned());
    if let Err(error) = thread.spawn_scoped(scope, work) {
        log::error!("no thread for {name}: {error}");
    }
}

fn work(
    tasks: &Receiver<Task>,
    answers: &Sender<Answer>,
    known: &KnownTypes,
    cancel: &CancelToken,
) {
    let mut reader = PieceReader::new(known);
    let mut buffer = Vec::new();
    for task in tasks {
        if cancel.is_cancelled() {
            return;
        }
        let result = read_task(&task, &mut reader, &mut buffer);
        if answers.send(Answer { seq: task.seq, task, result }).is_err() {
            return;
        }
    }
}

fn read_task(
    task: &Task,
    reader: &mut PieceReader<'_>,
    buffer: &mut Vec<u8>,
) -> Result<(Draft, Consumed), String> {
    let bytes = task.source.read_into(buffer).map_err(|error| error.to_string())?;
    let range = task.range.start.min(bytes.len())..task.range.end.min(bytes.len());
    // More bytes may have come since the task was cut; they belong to a later one.
    let bytes = if task.complete { bytes } else { &bytes[..range.end] };
    let piece = Piece { bytes, range, mode: task.mode, complete: task.complete };
    Ok(reader.read(&piece, task.source.hints().event_type.as_deref()))
}

/// Reads pieces, one after another, with the same buffers.
struct PieceReader<'a> {
    heads: HeadReader,
    builder: SegmentBuilder<'a>,
}

impl<'a> PieceReader<'a> {
    fn new(known: &'a KnownTypes) -> Self {
        Self { heads: HeadReader::default(), builder: SegmentBuilder::new(known) }
    }

    fn read(&mut self, piece: &Piece<'_>, hint: Option<&str>) -> (Draft, Consumed) {
        self.builder.start(piece.range.start, hint);
        let consumed = frame::read(piece, &mut self.heads, &mut self.builder);
        (self.builder.finish(), consumed)
    }
}

/// Puts answers in order and grows the index.
struct Assembler<'a> {
    index: Index,
    known: &'a KnownTypes,
    published_rows: u32,
    /// Segments that are in `index.order`.
    ordered: usize,
    published_segments: usize,
}

/// A snapshot is published after this many new segments, if they are a fifth of all rows: ordering
/// and copying then cost a few times the last snapshot in all, however many there are.
const SEGMENTS_A_SNAPSHOT: usize = 128;

impl<'a> Assembler<'a> {
    fn new(index: Index, options: &'a Options) -> Self {
        let segments = index.segments.len();
        Self {
            published_rows: index.rows,
            ordered: segments,
            published_segments: segments,
            index,
            known: &options.known,
        }
    }

    fn assemble(
        &mut self,
        items: &Receiver<(u64, Item)>,
        answers: &Receiver<Answer>,
        watch: &mut Watch<'_>,
    ) {
        let mut early: BTreeMap<u64, Answer> = BTreeMap::new();
        for (seq, item) in items {
            match item {
                Item::File(source) => {
                    self.index.sources.add(Found::File(source));
                    self.index.files.push(FileSummary::default());
                    continue;
                }
                Item::Aside(found) => {
                    self.index.sources.add(found);
                    continue;
                }
                Item::Piece => {}
            }
            let answer = loop {
                if let Some(answer) = early.remove(&seq) {
                    break Some(answer);
                }
                match answers.recv() {
                    Ok(answer) => drop(early.insert(answer.seq, answer)),
                    Err(_) => break None,
                }
            };
            let Some(answer) = answer else { return };
            if watch.cancel.is_cancelled() {
                return;
            }
            self.take(answer, watch);
        }
    }

    fn take(&mut self, answer: Answer, watch: &mut Watch<'_>) {
        let Answer { task, result, .. } = answer;
        let Some(summary) = self.index.files.get(task.file.at()) else { return };
        let before = summary.read;
        let start = usize::try_from(before).unwrap_or(usize::MAX);
        match result {
            Err(error) => {
                self.index.files[task.file.at()].error = Some(error);
            }
            Ok((draft, consumed)) if task.range.start == start && task.mode == summary.mode => {
                self.add(task.file, draft, consumed);
            }
            Ok(_) => self.read_again(&task, start),
        }
        let after = self.index.files.get(task.file.at()).map_or(before, |file| file.read);
        watch.progress.add_done(after.saturating_sub(before));
        if task.last {
            watch.progress.add_files_done(1);
        }
        let grown = self.index.segments.len() - self.published_segments;
        let new_rows = self.index.rows - self.published_rows;
        let is_much = new_rows >= self.published_rows || grown >= SEGMENTS_A_SNAPSHOT;
        if is_much && new_rows >= self.published_rows / 4 {
            self.publish(watch);
        }
    }

    /// Reads what a task was meant to read from where the one before it really ended.
    fn read_again(&mut self, task: &Task, start: usize) {
        let mode = self.index.files[task.file.at()].mode;
        let source = &task.source;
        let mut buffer = Vec::new();
        let bytes = match source.read_into(&mut buffer) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.index.files[task.file.at()].error = Some(error.to_string());
                return;
            }
        };
        let end = task.range.end.min(bytes.len());
        if start >= end && !task.last {
            return;
        }
        let bytes = if task.complete { bytes } else { &bytes[..end] };
        let range = Range { start: start.min(end), end };
        let piece = Piece { bytes, range, mode, complete: task.complete };
        let hint = source.hints().event_type.as_deref();
        let (draft, consumed) = PieceReader::new(self.known).read(&piece, hint);
        self.add(task.file, draft, consumed);
    }

    fn add(&mut self, file: FileId, draft: Draft, consumed: Consumed) {
        let rows = u32::try_from(draft.rows()).unwrap_or(u32::MAX);
        let Some(total) = self.index.rows.checked_add(rows).filter(|&rows| rows < u32::MAX) else {
            self.index.is_full = true;
            return;
        };
        let first = EventId(self.index.rows);
        let (mut segment, torn) = draft.join(Arc::make_mut(&mut self.index.names), first);
        segment.file = file;
        let summary = &mut self.index.files[file.at()];
        summary.read = consumed.to as u64;
        summary.mode = consumed.mode;
        summary.events += u64::from(segment.stats.events);
        summary.bad += segment.bad.len() as u64;
        if torn.is_some() || rows > 0 {
            summary.torn = torn;
        }
        self.index.bad += segment.bad.len() as u64;
        self.index.rows = total;
        if rows > 0 {
            self.index.segments.push(Arc::new(segment));
        }
    }

    fn publish(&mut self, watch: &mut Watch<'_>) {
        self.order_rows();
        self.published_rows = self.index.rows;
        self.published_segments = self.ordered;
        (watch.publish)(Arc::new(self.index.clone()));
    }

    /// Puts the rows that came since the last time into time order.
    fn order_rows(&mut self) {
        let segments = &self.index.segments;
        self.index.order = self.index.order.extended(segments, self.ordered);
        self.index.failed = Arc::new(self.index.order.failed(segments));
        self.index.starts = segments.iter().map(|segment| segment.first.0).collect();
        self.ordered = segments.len();
    }

    fn finish(mut self, watch: &mut Watch<'_>) -> Arc<Index> {
        self.index.is_final = !watch.cancel.is_cancelled();
        self.order_rows();
        let last = Arc::new(self.index);
        (watch.publish)(Arc::clone(&last));
        last
    }
}
