//! What all commands need first: the catalogue and the indexed files.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::base::cancel::CancelToken;
use crate::base::progress::Progress;
use crate::base::text;
use crate::cmd::args::Global;
use crate::index::Index;
use crate::index::build::{Options, Watch, index_paths};
use crate::index::names::KnownTypes;
use crate::schema::catalog::Catalog;
use crate::schema::load;
use crate::source::{MmapPolicy, OpenOptions};

/// Work shorter than this shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Opens the log of actlog itself, if one is asked for.
///
/// # Errors
/// Returns an error when the file cannot be written.
pub fn start_log(global: &Global) -> anyhow::Result<()> {
    let Some(path) = &global.log else { return Ok(()) };
    let file = std::fs::File::create(path)
        .with_context(|| format!("cannot write the log {}", text::escape_path(path)))?;
    log::set_boxed_logger(Box::new(FileLog { file, started: Instant::now() }))
        .context("cannot start the log")?;
    log::set_max_level(log::LevelFilter::Debug);
    Ok(())
}

struct FileLog {
    file: std::fs::File,
    started: Instant,
}

impl log::Log for FileLog {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let millis = self.started.elapsed().as_millis();
        let line = record.args().to_string();
        // A full disk must not stop the program that only tells what it does.
        drop(writeln!(&self.file, "{millis} ms {} {}", record.level(), text::escape(&line)));
    }

    fn flush(&self) {}
}

/// Loads the built-in schema with the user's files laid over it; faults go to standard error.
///
/// # Errors
/// Returns an error when the built-in schema itself is broken.
pub fn catalog(global: &Global) -> anyhow::Result<Arc<Catalog>> {
    let loaded = load::open(&global.lang, &global.schema).map_err(|faults| {
        let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("{}", all.join("\n")).context("cannot decode the built-in schema")
    })?;
    for fault in &loaded.faults {
        complain(&format!("schema: {fault}"));
    }
    Ok(Arc::new(loaded.catalog))
}

/// Returns how files are opened.
pub fn open_options(global: &Global, catalog: &Catalog) -> OpenOptions {
    let mut options = OpenOptions { known_types: type_names(catalog), ..OpenOptions::default() };
    if global.no_mmap {
        options.mmap = MmapPolicy::Never;
    }
    if let Some(limit) = global.decode_limit {
        options.decode_limit = limit;
    }
    options
}

/// Returns how files are indexed.
pub fn index_options(catalog: &Catalog) -> Options {
    let names = type_names(catalog);
    let known = Arc::new(KnownTypes::new(names.iter().map(String::as_str)));
    Options { known, ..Options::default() }
}

fn type_names(catalog: &Catalog) -> Vec<String> {
    let names = catalog.types().iter().map(|one| one.name.to_string());
    names.chain(catalog.aliases().map(|(alias, _)| alias.to_owned())).collect()
}

/// Indexes files, with progress on standard error when that is a terminal and it takes long.
pub fn index(files: &[OsString], global: &Global, catalog: &Catalog) -> Arc<Index> {
    let (progress, cancel) = (Progress::default(), CancelToken::never());
    let started = Instant::now();
    let mut shown = None;
    let is_terminal = std::io::stderr().is_terminal();
    let mut publish = |index: Arc<Index>| {
        let now = started.elapsed();
        if is_terminal && !index.is_final() && now > PATIENCE {
            show(&progress, &index, now);
            shown = Some(());
        }
    };
    let mut watch = Watch { progress: &progress, cancel: &cancel, publish: &mut publish };
    let open = open_options(global, catalog);
    let index = index_paths(files, &open, &index_options(catalog), &mut watch);
    if shown.is_some() {
        drop(write!(std::io::stderr(), "\r\x1b[K"));
    }
    // The program ends when the question is answered: giving memory back piece by piece, for
    // thousands of files, would only keep the reader waiting.
    std::mem::forget(Arc::clone(&index));
    index
}

fn show(progress: &Progress, index: &Index, elapsed: Duration) {
    let ((done, total), (files, all)) = (progress.bytes(), progress.files());
    let rate = text::bytes((done as f64 / elapsed.as_secs_f64()) as u64);
    let percent = (done * 100).checked_div(total).unwrap_or(0);
    let (events, files, all) = (text::group(index.events()), text::group(files), text::group(all));
    let line = format!("{percent} %  {events} events  {files} / {all} files  {rate}/s");
    // Progress is a courtesy: a terminal that cannot show it changes nothing.
    drop(write!(std::io::stderr(), "\r\x1b[K{line}"));
}

/// Tells on standard error what was refused; returns whether something was.
pub fn complain_of_refused(index: &Index) -> bool {
    for aside in &index.sources().refused {
        complain(&format!("{}: error: {}", aside.label, aside.why));
    }
    for (file, summary) in index.sources().files.iter().zip(index.files()) {
        if let Some(error) = &summary.error {
            complain(&format!("{}: error: {}", file.label(), text::escape(error)));
        }
    }
    !index.sources().refused.is_empty() || index.files().iter().any(|f| f.error.is_some())
}

/// Writes a line to standard error.
pub fn complain(line: &str) {
    // There is nobody left to tell when standard error itself is closed.
    drop(writeln!(std::io::stderr(), "actlog: {line}"));
}

/// Writes to standard output through a buffer and flushes it.
///
/// # Errors
/// Returns the error of `write` or of standard output.
pub fn to_stdout<T>(
    write: impl FnOnce(&mut dyn std::io::Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = write(&mut out)?;
    out.flush().context("cannot write to standard output")?;
    Ok(result)
}
