//! A buffered reader that can look ahead and tells, from outside, how far it came.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

const BUFFER: usize = 256 << 10;

/// How far an [`Input`] was consumed; outlives it.
#[derive(Clone, Debug, Default)]
pub(super) struct Meter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    consumed: AtomicU64,
    at_end: AtomicBool,
    failure: OnceLock<String>,
}

impl Meter {
    /// Returns the bytes taken from the input.
    pub(super) fn consumed(&self) -> u64 {
        self.0.consumed.load(Ordering::Relaxed)
    }

    /// Returns whether the input has ended and all of it was taken.
    pub(super) fn is_at_end(&self) -> bool {
        self.0.at_end.load(Ordering::Relaxed)
    }
}

impl Meter {
    /// Returns what the system said when it could not read on.
    pub(super) fn failure(&self) -> Option<String> {
        self.0.failure.get().cloned()
    }
}

/// A reader with a buffer that can be looked into.
pub(super) struct Input<'r> {
    inner: Box<dyn Read + 'r>,
    buf: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    meter: Meter,
}

impl<'r> Input<'r> {
    pub(super) fn new(inner: impl Read + 'r) -> Self {
        Self {
            inner: Box::new(inner),
            buf: Vec::new(),
            start: 0,
            end: 0,
            ended: false,
            meter: Meter::default(),
        }
    }

    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Returns the next bytes without taking them: at least `n_bytes` unless the input ends before.
    pub(super) fn peek(&mut self, n_bytes: usize) -> io::Result<&[u8]> {
        while self.end - self.start < n_bytes && !self.ended {
            self.read_more()?;
        }
        Ok(&self.buf[self.start..self.end])
    }

    fn read_more(&mut self) -> io::Result<()> {
        if self.buf.is_empty() {
            // Fresh zeros from the system cost nothing until they are touched.
            self.buf = vec![0; BUFFER];
        }
        if self.start > 0 {
            self.buf.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        match self.inner.read(&mut self.buf[self.end..]) {
            Ok(0) => {
                self.ended = true;
                self.meter.0.at_end.store(self.start == self.end, Ordering::Relaxed);
            }
            Ok(n) => self.end += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => {
                // The first failure is the one to tell.
                drop(self.meter.0.failure.set(e.to_string()));
                return Err(e);
            }
        }
        Ok(())
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, n_bytes: usize) {
        self.start = (self.start + n_bytes).min(self.end);
        self.meter.0.consumed.fetch_add(n_bytes as u64, Ordering::Relaxed);
        if self.ended && self.start == self.end {
            self.meter.0.at_end.store(true, Ordering::Relaxed);
        }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n_bytes = available.len().min(out.len());
        out[..n_bytes].copy_from_slice(&available[..n_bytes]);
        self.consume(n_bytes);
        Ok(n_bytes)
    }
}
