//! Decoding in threads: compressed files, archives and pipes become streams in spools.
//!
//! A [`Pool`] decodes files in the order in which they are queued, several at a time; a pipe has a
//! thread of its own, as it may never end. What a job finds it reports to the channel it was given,
//! in order; the channel closes when no more files will come, which for a single compressed file is
//! as soon as its decoding starts. Nothing a file holds makes a job fail: what could be decoded is
//! kept, and a note says what was lost. Decoders that panic are caught.

mod archive;
mod frames;
mod input;
mod utf16;

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender};

use self::frames::{Format, Frames};
use self::input::{Input, Meter};
use self::utf16::{Order, Utf16};
use crate::base::cancel::CancelToken;
use crate::base::text;
use crate::source::file::{Opened, SourceFile};
use crate::source::hints::PathHints;
use crate::source::open::OpenOptions;
use crate::source::sniff::{self, Shape};
use crate::source::spool::{Sink, Spools};
use crate::source::stamp::FileStamp;
use crate::source::walk::{aside, why};
use crate::source::{Aside, Found, Note};

/// Layers that are undone: a compressed file in a compressed archive is two or three.
const MAX_DEPTH: u32 = 4;
/// Bytes decoded between two looks at whether to stop.
const BLOCK: usize = 256 << 10;
/// Output below which the ratio of output to input is not judged.
const RATIO_FROM: u64 = 1 << 30;
/// The longest a pipe may be: what its map takes of the address space.
const PIPE_LIMIT: u64 = 256 << 30;

/// Threads that decode what is queued, in its order.
pub(super) struct Pool {
    queue: Sender<Job>,
    jobs: Receiver<Job>,
    n_threads: usize,
    max_threads: usize,
    shared: Arc<Shared>,
}

/// What all jobs of one run share.
struct Shared {
    options: OpenOptions,
    spools: Arc<Spools>,
    cancel: CancelToken,
}

struct Job {
    path: PathBuf,
    report: Sender<Found>,
}

impl Pool {
    pub(super) fn new(options: &OpenOptions, cancel: &CancelToken) -> Self {
        let (queue, jobs) = crossbeam_channel::unbounded();
        let n_cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let shared = Shared {
            options: options.clone(),
            spools: Arc::new(Spools::new(options.temp_folder.clone())),
            cancel: cancel.clone(),
        };
        Self { queue, jobs, n_threads: 0, max_threads: n_cores.clamp(1, 4), shared: shared.into() }
    }

    /// Queues the decoding of a regular file; returns where its files will be reported.
    pub(super) fn decode(&mut self, path: &Path) -> Receiver<Found> {
        let (report, reports) = crossbeam_channel::unbounded();
        if self.n_threads < self.max_threads {
            let jobs = self.jobs.clone();
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name("decode".to_owned());
            let started = thread.spawn(move || {
                for job in jobs {
                    shared.run(&job.path, job.report, |run| run.file());
                }
            });
            match started {
                Ok(_) => self.n_threads += 1,
                Err(e) if self.n_threads == 0 => {
                    let refused = Found::Refused(aside(path, &why(&e)));
                    // The receiver is ours.
                    drop(report.send(refused));
                    return reports;
                }
                Err(_) => {}
            }
        }
        // The pool holds a receiver, so the queue is open.
        drop(self.queue.send(Job { path: path.to_owned(), report }));
        reports
    }

    /// Starts reading a pipe, of which `head` was read already, in a thread of its own.
    pub(super) fn spool(&self, path: &Path, head: Vec<u8>, pipe: File) -> Receiver<Found> {
        let (report, reports) = crossbeam_channel::unbounded();
        let shared = Arc::clone(&self.shared);
        let owned = path.to_owned();
        let back = report.clone();
        let thread = thread::Builder::new().name("pipe".to_owned());
        let started = thread.spawn(move || {
            shared.run(&owned, report, |run| run.pipe(head, pipe));
        });
        if let Err(e) = started {
            drop(back.send(Found::Refused(aside(path, &why(&e)))));
        }
        reports
    }
}

impl Shared {
    fn run(&self, path: &Path, report: Sender<Found>, job: impl FnOnce(&mut Run<'_>)) {
        if self.cancel.is_cancelled() {
            return;
        }
        let mut run = Run::new(self, path, report);
        let caught = catch_unwind(AssertUnwindSafe(|| job(&mut run)));
        if caught.is_err() {
            run.fail("its decoder failed");
        }
    }
}

/// Notes that a layer of decoding makes for whoever writes the stream.
#[derive(Clone, Debug, Default)]
struct Trouble(Rc<RefCell<Vec<Note>>>);

impl Trouble {
    fn add(&self, note: Note) {
        self.0.borrow_mut().push(note);
    }

    fn take(&self) -> Vec<Note> {
        self.0.take()
    }

    fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

/// One job as it runs.
struct Run<'a> {
    shared: &'a Shared,
    path: &'a Path,
    /// Gone when no more files will be reported.
    report: Option<Sender<Found>>,
    known_types: Vec<&'a str>,
    stamp: Option<FileStamp>,
    trouble: Trouble,
    budget: Budget,
    is_pipe: bool,
    n_reported: u64,
}

/// What a job may still write.
struct Budget {
    written: u64,
    limit: u64,
    ratio: u64,
    /// Bytes of the compressed input, or how many of them were taken so far.
    input: Meter,
    input_len: u64,
}

impl Budget {
    /// Returns why `more` bytes are too many, if they are.
    fn refuses(&self, more: u64) -> Option<String> {
        let total = self.written + more;
        if self.limit < total {
            return Some(format!(
                "decompression stopped at {}, the limit",
                text::bytes(self.limit)
            ));
        }
        let input = self.input_len.max(self.input.consumed()).max(1);
        let is_bomb = self.ratio > 0 && RATIO_FROM < total && self.ratio < total / input;
        is_bomb.then(|| {
            format!(
                "decompression stopped at {}: {} gave {} times as much, as only a bomb does; \
                 a decompression limit set by hand reads on",
                text::bytes(self.written),
                text::bytes(input),
                text::group(total / input)
            )
        })
    }
}

/// Where in an archive a run is.
#[derive(Clone, Debug)]
struct Place {
    /// `member`, or `member!/member` deeper down; empty outside archives.
    member: String,
    depth: u32,
}

/// Whether a job goes on after a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    Stop,
}

impl<'a> Run<'a> {
    fn new(shared: &'a Shared, path: &'a Path, report: Sender<Found>) -> Self {
        let options = &shared.options;
        let (limit, ratio) = (options.decode_limit, options.judged_ratio());
        Self {
            shared,
            path,
            report: Some(report),
            known_types: options.known_types.iter().map(String::as_str).collect(),
            stamp: None,
            trouble: Trouble::default(),
            budget: Budget { written: 0, limit, ratio, input: Meter::default(), input_len: 0 },
            is_pipe: false,
            n_reported: 0,
        }
    }

    fn file(&mut self) {
        let opened = match Opened::at(self.path) {
            Ok(opened) => opened,
            Err(e) => return self.fail(&why(&e)),
        };
        self.stamp = Some(FileStamp::new(&opened.meta, opened.head()));
        if sniff::shape(opened.head()) == Shape::Zip {
            self.budget.input_len = opened.meta.len();
            self.zip(opened.file);
        } else {
            let input = Input::new(opened.file);
            self.budget.input = input.meter().clone();
            let place = Place { member: String::new(), depth: 0 };
            drop(self.unpack(&place, input));
        }
        self.end();
    }

    fn pipe(&mut self, head: Vec<u8>, pipe: File) {
        self.is_pipe = true;
        let input = Input::new(Cursor::new(head).chain(pipe));
        self.budget.input = input.meter().clone();
        let place = Place { member: String::new(), depth: 0 };
        drop(self.unpack(&place, input));
        self.end();
    }

    /// Undoes what `input` was wrapped in, layer by layer, and writes what is inside to streams.
    fn unpack(&mut self, place: &Place, mut input: Input<'_>) -> Option<Open> {
        let wanted = if self.is_pipe && place.depth == 0 { 6 } else { 512 };
        let shape = match input.peek(wanted) {
            Ok(head) => sniff::shape(head),
            Err(e) => {
                self.refuse(place, &why(&e));
                return None;
            }
        };
        let inner = Place { member: place.member.clone(), depth: place.depth + 1 };
        if MAX_DEPTH < place.depth && shape != Shape::Plain {
            self.skip(place, "packed too many times over");
            return None;
        }
        if let Some(format) = Format::of(shape) {
            let frames = Frames::new(format, input, self.trouble.clone());
            return self.unpack(&inner, Input::new(frames));
        }
        match shape {
            Shape::Tar => {
                self.tar(&inner, input);
                None
            }
            Shape::Zip => {
                self.zip_stream(&inner, input);
                None
            }
            Shape::Utf16Le => self.convert(place, Order::Little, input),
            Shape::Utf16Be => self.convert(place, Order::Big, input),
            Shape::Foreign(kind) => {
                self.skip(place, kind);
                None
            }
            Shape::Binary if !place.member.is_empty() => {
                self.skip(place, "not text");
                None
            }
            _ => self.emit(place, input),
        }
    }

    fn convert(&mut self, place: &Place, order: Order, input: Input<'_>) -> Option<Open> {
        let name = match order {
            Order::Little => "UTF-16LE",
            Order::Big => "UTF-16BE",
        };
        self.trouble.add(Note::info(format!("converted from {name}")));
        let text = Utf16::new(order, input, self.trouble.clone());
        self.emit(place, Input::new(text))
    }

    /// Reports a file and writes its stream to the end.
    fn emit(&mut self, place: &Place, mut input: Input<'_>) -> Option<Open> {
        let mut sink = self.shared.spools.sink(self.stream_limit());
        if self.is_pipe
            && let Err(e) = sink.be_prompt()
        {
            self.refuse(place, &format!("no temporary file can be made: {}", why(&e)));
            return None;
        }
        let stream = Arc::clone(sink.stream());
        let label = self.label(place);
        let hints = self.hints(place);
        let file = SourceFile::decoded(self.path, label, hints, self.stamp, stream);
        self.send(Found::File(Arc::new(file)));
        if place.member.is_empty() {
            // Nothing but this stream is in the input, so readers need not wait for its end.
            self.report = None;
        }
        let mut open = Open { sink, next: Next::GoOn };
        open.next = self.pump(&mut input, &mut open.sink);
        open.note_all(self.trouble.take());
        Some(open)
    }

    fn stream_limit(&self) -> u64 {
        let options = &self.shared.options;
        if self.is_pipe {
            return PIPE_LIMIT;
        }
        let by_ratio = match (options.judged_ratio(), self.stamp) {
            (0, _) | (_, None) => u64::MAX,
            (ratio, Some(stamp)) => stamp.len.saturating_mul(ratio).max(RATIO_FROM) + BLOCK as u64,
        };
        options.decode_limit.min(by_ratio)
    }

    /// Moves bytes from `input` to `sink` until one of them ends.
    fn pump(&mut self, input: &mut dyn Read, sink: &mut Sink) -> Next {
        let mut buf = vec![0; BLOCK];
        loop {
            if self.shared.cancel.is_cancelled() {
                self.trouble.add(Note::problem("reading was cancelled"));
                return Next::Stop;
            }
            // A stream whose readers are gone is not worth decoding; nor is what comes after it,
            // as the whole run was dropped.
            if sink.is_abandoned() && self.report.is_none() {
                return Next::Stop;
            }
            let n_bytes = match input.read(&mut buf) {
                Ok(0) => return Next::GoOn,
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => {
                    self.note_failure(&e);
                    return Next::GoOn;
                }
            };
            if !self.is_raw_pipe()
                && let Some(reason) = self.budget.refuses(n_bytes as u64)
            {
                self.trouble.add(Note::problem(reason));
                return Next::Stop;
            }
            if let Err(e) = sink.write(&buf[..n_bytes]) {
                let space = matches!(e.kind(), io::ErrorKind::StorageFull);
                let why = if space { "too little space is left".to_owned() } else { why(&e) };
                let at = text::bytes(sink.len());
                self.trouble.add(Note::problem(format!(
                    "reading stopped at {at}: the temporary file cannot be written: {why}"
                )));
                return Next::Stop;
            }
            self.budget.written += n_bytes as u64;
        }
    }

    /// What comes through a pipe as it is has no limit but that of the spool.
    fn is_raw_pipe(&self) -> bool {
        self.is_pipe && self.budget.input.consumed() >= self.budget.written
    }

    fn note_failure(&self, error: &io::Error) {
        if self.trouble.is_empty() {
            let at = self.budget.input.consumed();
            let why = why(error);
            self.trouble.add(Note::problem(format!("cannot be read past byte {at}: {why}")));
        }
    }

    fn label(&self, place: &Place) -> String {
        let path = if self.path == Path::new("-") {
            "(standard input)".to_owned()
        } else {
            text::escape_path(self.path)
        };
        if place.member.is_empty() {
            path
        } else {
            format!("{path}!/{}", text::escape(&place.member))
        }
    }

    fn hints(&self, place: &Place) -> PathHints {
        let full = std::path::absolute(self.path).unwrap_or_else(|_| self.path.to_owned());
        PathHints::of(&full.join(&place.member), &self.known_types)
    }

    fn send(&mut self, found: Found) {
        if let Some(report) = &self.report {
            self.n_reported += 1;
            // A receiver that is gone means that the run was called off; the next look stops us.
            if report.send(found).is_err() {
                self.report = None;
            }
        }
    }

    fn aside(&self, place: &Place, why: &str) -> Aside {
        Aside { path: self.path.to_owned(), label: self.label(place), why: why.to_owned() }
    }

    fn skip(&mut self, place: &Place, why: &str) {
        let aside = self.aside(place, why);
        self.send(Found::Skipped(aside));
    }

    fn refuse(&mut self, place: &Place, why: &str) {
        let aside = self.aside(place, why);
        self.send(Found::Refused(aside));
    }

    fn fail(&mut self, why: &str) {
        self.refuse(&Place { member: String::new(), depth: 0 }, why);
    }

    /// Tells what no stream could tell.
    fn end(&mut self) {
        let notes = self.trouble.take();
        if let (Some(note), true) = (notes.first(), self.report.is_some()) {
            let why = note.text.clone();
            self.fail(&why);
        } else if self.n_reported == 0 {
            self.fail("an archive with nothing in it");
        }
    }
}

/// A stream that was written and is not complete yet: what follows may still say something about it.
struct Open {
    sink: Sink,
    next: Next,
}

impl Open {
    fn note_all(&self, notes: Vec<Note>) {
        for note in notes {
            self.sink.stream().note(note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(limit: u64, ratio: u64, input_len: u64, written: u64, expected: Option<&str>) {
        let budget = Budget { written, limit, ratio, input: Meter::default(), input_len };
        assert_eq!(budget.refuses(1 << 20).as_deref(), expected);
    }

    #[test]
    fn a_bomb_is_told_by_its_size_or_its_ratio() {
        const GIB: u64 = 1 << 30;
        const MIB: u64 = 1 << 20;
        check(64 * GIB, 100, 100, 500 * MIB, None);
        check(64 * GIB, 100, 30 * MIB, 2 * GIB, None);
        let bomb = "decompression stopped at 2.0 GiB: \
                    1.0 MiB gave 2,049 times as much, as only a bomb does; \
                    a decompression limit set by hand reads on";
        check(64 * GIB, 100, MIB, 2 * GIB, Some(bomb));
        check(64 * GIB, 0, MIB, 2 * GIB, None);
        let limit = "decompression stopped at 1.0 GiB, the limit";
        check(GIB, 0, GIB, GIB, Some(limit));
        check(GIB, 100, GIB, GIB - MIB, None);
    }
}
