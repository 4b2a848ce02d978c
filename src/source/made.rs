//! Logs that the program makes itself, read while they are made.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use crate::base::text;
use crate::source::file::SourceFile;
use crate::source::hints::PathHints;
use crate::source::spool::{Sink, Spools};
use crate::source::{Found, Note};

/// Bytes after which a made log is given up.
const LIMIT: u64 = 64 << 30;

/// Bytes that are put into the spool at once.
const BLOCK: usize = 256 << 10;

/// Makes a log on a thread of its own; what is written can be read at once.
///
/// # Errors
/// When no temporary file or no thread can be had.
pub fn from_writer(
    name: &str,
    make: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
) -> io::Result<Found> {
    let mut sink = Arc::new(Spools::new(None)).sink(LIMIT);
    sink.be_prompt()?;
    let stream = Arc::clone(sink.stream());
    std::thread::Builder::new().name("make".to_owned()).spawn(move || {
        let problems = Arc::clone(sink.stream());
        let mut out = BufWriter::with_capacity(BLOCK, Spooling(sink));
        if let Err(error) = make(&mut out).and_then(|()| out.flush()) {
            problems.note(Note::problem(format!("not made to its end: {error}")));
        }
    })?;
    let label = text::escape(name).into_owned();
    let hints = PathHints::default();
    let file = SourceFile::decoded(Path::new(name), label, hints, None, stream);
    Ok(Found::File(Arc::new(file)))
}

struct Spooling(Sink);

impl Write for Spooling {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.is_abandoned() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.0.write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
