//! The thread that reads the files, and then watches them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::app::event::Event;
use crate::base::cancel::{CancelSource, CancelToken};
use crate::base::id::FileId;
use crate::base::progress::Progress;
use crate::base::text;
use crate::demo;
use crate::index::Index;
use crate::index::build::{self, Watch};
use crate::index::names::KnownTypes;
use crate::schema::catalog::Catalog;
use crate::source::{Change, Found, SourceFile, from_memory};
use crate::tui::{Follow, Inputs};

/// How often files are looked at, once they are read.
const LOOK: Duration = Duration::from_secs(1);

/// How often progress is told while nothing is published.
const TELL: Duration = Duration::from_millis(150);

/// The thread; stopping it waits for nothing but the piece it is at.
pub struct Indexing {
    cancel: CancelSource,
    stop: Sender<()>,
}

impl Indexing {
    /// Starts reading.
    ///
    /// # Errors
    /// Fails when no thread can be had.
    pub fn start(
        inputs: Inputs,
        catalog: &Arc<Catalog>,
        follow: Follow,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        let cancel = CancelSource::default();
        let token = cancel.renew();
        let (stop, stopped) = bounded(1);
        let names = catalog.types().iter().map(|known| known.name.as_str());
        let known = Arc::new(KnownTypes::new(names));
        let options = build::Options { known, ..build::Options::default() };
        let catalog = Arc::clone(catalog);
        let work = Work { options, catalog, follow, events, token, stopped };
        std::thread::Builder::new().name("index".to_owned()).spawn(move || work.run(inputs))?;
        Ok(Self { cancel, stop })
    }

    /// Calls the reading off.
    pub fn stop(self) {
        self.cancel.cancel();
        // A thread that has ended needs no telling.
        let _told = self.stop.try_send(());
    }
}

struct Work {
    options: build::Options,
    catalog: Arc<Catalog>,
    follow: Follow,
    events: Sender<Event>,
    token: CancelToken,
    stopped: Receiver<()>,
}

impl Work {
    fn run(&self, inputs: Inputs) {
        let progress = Arc::new(Progress::default());
        let (ended, end) = bounded::<()>(0);
        let told = {
            let (progress, events) = (Arc::clone(&progress), self.events.clone());
            std::thread::Builder::new()
                .name("progress".to_owned())
                .spawn(move || tell_progress(&progress, &events, &end))
        };
        let mut publish = |index: Arc<Index>| drop(self.events.send(Event::Index(index)));
        let mut watch = Watch { progress: &progress, cancel: &self.token, publish: &mut publish };
        let index = match inputs {
            Inputs::Paths(paths, open) => {
                build::index_paths(&paths, &open, &self.options, &mut watch)
            }
            Inputs::Demo(options) => {
                let bytes = demo::in_memory(&options, &self.catalog);
                progress.add_total(bytes.len() as u64);
                let file = Arc::new(from_memory("demo", bytes));
                let find = move |found: &mut dyn FnMut(Found)| found(Found::File(file));
                build::run(Box::new(find), &self.options, &mut watch)
            }
        };
        drop(ended);
        if let Ok(told) = told {
            drop(told.join());
        }
        if self.events.send(Event::Index(Arc::clone(&index))).is_ok() {
            self.watch(index, &progress);
        }
    }

    /// Looks at the files once a second until the program ends.
    fn watch(&self, mut index: Arc<Index>, progress: &Progress) {
        let mut told: Vec<Change> = vec![Change::Same; index.sources().files.len()];
        while self.stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if self.token.is_cancelled() {
                return;
            }
            let mut grown: Vec<(FileId, Arc<SourceFile>)> = Vec::new();
            for (n, file) in index.sources().files.iter().enumerate() {
                let change = file.check();
                if let (Follow::Show, Change::Grown { .. }) = (self.follow, change) {
                    let id = u32::try_from(n).map(FileId);
                    if let (Ok(id), Ok(source)) = (id, file.grown()) {
                        grown.push((id, Arc::new(source)));
                    }
                } else if change != Change::Same && told[n] != change {
                    told[n] = change;
                    if self.events.send(Event::FileChanged(words(file, change))).is_err() {
                        return;
                    }
                }
            }
            if !grown.is_empty() {
                let mut publish = |index: Arc<Index>| drop(self.events.send(Event::Index(index)));
                let mut watch = Watch { progress, cancel: &self.token, publish: &mut publish };
                index = build::extend(&index, grown, &self.options, &mut watch);
                if self.events.send(Event::Index(Arc::clone(&index))).is_err() {
                    return;
                }
            }
        }
    }
}

fn tell_progress(progress: &Progress, events: &Sender<Event>, end: &Receiver<()>) {
    let start = Instant::now();
    while end.recv_timeout(TELL) == Err(RecvTimeoutError::Timeout) {
        let (done, total) = progress.bytes();
        let millis = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
        let rate = done.saturating_mul(1_000) / millis;
        if events.send(Event::Indexing(done, total, rate)).is_err() {
            return;
        }
    }
}

fn words(file: &SourceFile, change: Change) -> String {
    let name = file.label();
    match change {
        Change::Same => String::new(),
        Change::Grown { from, to } => {
            format!("{name} grew by {}; --follow shows it", text::bytes(to.saturating_sub(from)))
        }
        Change::Shrunk { from, to } => {
            format!(
                "{name} shrank from {} to {}; what lies past that is gone",
                text::bytes(from),
                text::bytes(to)
            )
        }
        Change::Replaced => format!("{name} was replaced; leave and open it again"),
        Change::Gone => format!("{name} is gone; what was read stays"),
        Change::Unreadable => format!("{name} cannot be read any more"),
    }
}
