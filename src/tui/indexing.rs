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
use crate::source::{Change, Found, SourceFile, from_memory, from_writer, open_all};
use crate::tui::{Follow, Inputs};

/// How often files are looked at, once they are read.
const LOOK: Duration = Duration::from_secs(1);

/// How often progress is told while nothing is published.
const TELL: Duration = Duration::from_millis(150);

/// Files from this size on have their end read first.
const LARGE: u64 = 8 << 20;

/// Bytes of the end that is read first.
const TAIL: u64 = 64 << 10;

/// So many files have their end read first.
const TAILS: usize = 16;

/// What the thread is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Stop,
    Reload,
    Follow,
}

/// The thread; stopping it waits for nothing but the piece it is at.
pub struct Indexing {
    cancel: CancelSource,
    commands: Sender<Command>,
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
        let (commands, inbox) = bounded(8);
        let names = catalog.types().iter().map(|known| known.name.as_str());
        let known = Arc::new(KnownTypes::new(names));
        let options = build::Options { known, ..build::Options::default() };
        let catalog = Arc::clone(catalog);
        let mut work = Work { options, catalog, inputs, follow, events, token, commands: inbox };
        std::thread::Builder::new().name("index".to_owned()).spawn(move || work.run())?;
        Ok(Self { cancel, commands })
    }

    /// Calls the reading off.
    pub fn stop(&self) {
        self.cancel.cancel();
        let _told = self.commands.try_send(Command::Stop);
    }

    /// Asks for all files to be read anew.
    pub fn reload(&self) {
        let _told = self.commands.try_send(Command::Reload);
    }

    /// Asks to show what is appended from now on, or to stop that.
    pub fn toggle_follow(&self) {
        let _told = self.commands.try_send(Command::Follow);
    }
}

struct Work {
    options: build::Options,
    catalog: Arc<Catalog>,
    inputs: Inputs,
    follow: Follow,
    events: Sender<Event>,
    token: CancelToken,
    commands: Receiver<Command>,
}

/// Whether the files are read anew.
#[derive(PartialEq, Eq)]
enum Next {
    Again,
    End,
}

impl Work {
    fn run(&mut self) {
        loop {
            let progress = Arc::new(Progress::default());
            let index = self.read(&progress);
            if self.events.send(Event::Index(Arc::clone(&index))).is_err() {
                return;
            }
            if self.watch(index, &progress) == Next::End {
                return;
            }
        }
    }

    fn read(&self, progress: &Arc<Progress>) -> Arc<Index> {
        let (ended, end) = bounded::<()>(0);
        let told = {
            let (progress, events) = (Arc::clone(progress), self.events.clone());
            std::thread::Builder::new()
                .name("progress".to_owned())
                .spawn(move || tell_progress(&progress, &events, &end))
        };
        let mut publish = |index: Arc<Index>| drop(self.events.send(Event::Index(index)));
        let mut watch = Watch { progress, cancel: &self.token, publish: &mut publish };
        let index = match &self.inputs {
            Inputs::Paths(paths, open) => {
                let find = |found: &mut dyn FnMut(Found)| {
                    let mut looked = 0;
                    open_all(paths, open, progress, &self.token, &mut |one| {
                        if let Found::File(file) = &one
                            && looked < TAILS
                        {
                            looked += 1;
                            self.show_tail(file);
                        }
                        found(one);
                    });
                };
                build::run(Box::new(find), &self.options, &mut watch)
            }
            Inputs::Demo(options) => {
                let (options, catalog) = (*options, Arc::clone(&self.catalog));
                let spare = Arc::clone(&catalog);
                let made = from_writer("demo", move |out| {
                    demo::write_to(&options, &catalog, out).map(drop)
                });
                let find = move |found: &mut dyn FnMut(Found)| {
                    found(made.unwrap_or_else(|error| {
                        log::warn!("the demo log is made in memory: {error}");
                        let bytes = demo::in_memory(&options, &spare);
                        Found::File(Arc::new(from_memory("demo", bytes)))
                    }));
                };
                build::run(Box::new(find), &self.options, &mut watch)
            }
        };
        drop(ended);
        if let Ok(told) = told {
            drop(told.join());
        }
        index
    }

    /// Reads the end of a large file, so that it is on the first screen.
    fn show_tail(&self, file: &SourceFile) {
        let len = file.len();
        if file.is_decoded() || len < LARGE {
            return;
        }
        let Ok(bytes) = file.bytes(len - TAIL..len) else { return };
        let start = bytes.iter().position(|&b| b == b'\n').map_or(0, |feed| feed + 1);
        let end = from_memory(file.label(), bytes[start..].to_vec());
        let tail = build::from_sources(vec![Arc::new(end)], &self.options);
        let _told = self.events.send(Event::Tail(tail));
    }

    /// Looks at the files once a second until the program ends or they are to be read anew.
    fn watch(&mut self, mut index: Arc<Index>, progress: &Progress) -> Next {
        let mut told: Vec<Change> = vec![Change::Same; index.sources().files.len()];
        loop {
            match self.commands.recv_timeout(LOOK) {
                Ok(Command::Reload) => return Next::Again,
                Ok(Command::Follow) => {
                    self.follow = match self.follow {
                        Follow::Show => Follow::Tell,
                        Follow::Tell => Follow::Show,
                    };
                    told.fill(Change::Same);
                    let state = match self.follow {
                        Follow::Show => "following the files; T stops",
                        Follow::Tell => "not following the files any more",
                    };
                    if self.events.send(Event::FileChanged(state.to_owned())).is_err() {
                        return Next::End;
                    }
                }
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return Next::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.token.is_cancelled() {
                return Next::End;
            }
            let Some(grown) = self.look(&index, &mut told) else { return Next::Again };
            if !grown.is_empty() {
                let mut publish = |index: Arc<Index>| drop(self.events.send(Event::Index(index)));
                let mut watch = Watch { progress, cancel: &self.token, publish: &mut publish };
                index = build::extend(&index, grown, &self.options, &mut watch);
                if self.events.send(Event::Index(Arc::clone(&index))).is_err() {
                    return Next::End;
                }
            }
        }
    }

    /// Returns the files that grew and are followed; `None` when one shrank, so that all that is
    /// known of it is in doubt.
    fn look(&self, index: &Index, told: &mut [Change]) -> Option<Vec<(FileId, Arc<SourceFile>)>> {
        let mut grown = Vec::new();
        let mut shrank = false;
        for ((n, file), told) in index.sources().files.iter().enumerate().zip(told) {
            let change = file.check();
            if let (Follow::Show, Change::Grown { .. }) = (self.follow, change) {
                let id = u32::try_from(n).map(FileId);
                if let (Ok(id), Ok(source)) = (id, file.grown()) {
                    grown.push((id, Arc::new(source)));
                }
            } else if change != Change::Same && *told != change {
                *told = change;
                shrank |= matches!(change, Change::Shrunk { .. });
                let news = Event::FileChanged(words(file, change));
                if self.events.send(news).is_err() {
                    return Some(Vec::new());
                }
            }
        }
        (!shrank).then_some(grown)
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
            format!("{name} grew by {}; T follows it", text::bytes(to.saturating_sub(from)))
        }
        Change::Shrunk { from, to } => {
            format!("{name} shrank from {} to {}; read anew", text::bytes(from), text::bytes(to))
        }
        Change::Replaced => format!("{name} was replaced; R reads it anew"),
        Change::Gone => format!("{name} is gone; what was read stays"),
        Change::Unreadable => format!("{name} cannot be read any more"),
    }
}
