//! The logs that are measured on.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use actlog::base::cancel::CancelToken;
use actlog::base::progress::Progress;
use actlog::demo::{DemoOptions, write_to};
use actlog::index::Index;
use actlog::index::build::{Options, from_sources};
use actlog::index::names::KnownTypes;
use actlog::schema::catalog::Catalog;
use actlog::source::{Found, OpenOptions, SourceFile, open_all};

/// Events of the log of about 1 GB.
pub(crate) const EVENTS: u64 = 1_150_000;
/// Its broken lines.
const BAD: u64 = 120;
/// How often the log is taken for the larger index, which then has about ten million events.
pub(crate) const TIMES: usize = 9;

/// Returns the built-in catalogue.
pub(crate) fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| Catalog::built_in().unwrap())
}

/// Writes the log of about 1 GB, once a run, and returns where it is.
pub(crate) fn path() -> &'static PathBuf {
    static LOG: OnceLock<PathBuf> = OnceLock::new();
    LOG.get_or_init(|| {
        let exe = std::env::current_exe().unwrap();
        let folder = exe.ancestors().nth(3).unwrap().join("bench");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("demo-1gb.jsonl");
        eprintln!("writing {} …", path.display());
        let mut file = File::create(&path).unwrap();
        let options = DemoOptions { events: EVENTS, seed: 1, bad: BAD };
        write_to(&options, catalog(), &mut file).unwrap();
        // What the system still has to write must not disturb what is measured next.
        file.sync_all().unwrap();
        path
    })
}

/// Opens the log as the program does.
pub(crate) fn open() -> Arc<SourceFile> {
    let inputs = [OsString::from(path())];
    let mut files = Vec::new();
    let (progress, cancel) = (Progress::default(), CancelToken::never());
    open_all(&inputs, &OpenOptions::default(), &progress, &cancel, &mut |found| {
        if let Found::File(file) = found {
            files.push(file);
        }
    });
    files.pop().unwrap()
}

/// Returns how the program indexes, on so many threads.
pub(crate) fn options(threads: usize) -> Options {
    let names = catalog().types().iter().map(|one| one.name.as_str());
    Options { threads, known: Arc::new(KnownTypes::new(names)), ..Options::default() }
}

/// Indexes the log taken so often that there are about ten million events, once a run.
pub(crate) fn ten_million() -> &'static Arc<Index> {
    static INDEX: OnceLock<Arc<Index>> = OnceLock::new();
    INDEX.get_or_init(|| from_sources(vec![open(); TIMES], &options(2)))
}

/// Returns a filter for somebody of whom there is much.
pub(crate) fn busiest(index: &Index) -> String {
    let mut counts = vec![0_u32; index.n_actors()];
    for segment in index.segments() {
        segment.columns.actor.iter().for_each(|actor| counts[*actor as usize] += 1);
    }
    // The first actor is nobody.
    let most = (1..counts.len()).max_by_key(|actor| counts[*actor]).unwrap();
    format!("actor:{}", index.actor_name(actlog::base::id::ActorId(most as u32)))
}
