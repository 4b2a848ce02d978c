//! How far long work has come, read while it runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters that workers raise and the screen reads; all in bytes or files, none ever falls.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    files_done: AtomicU64,
    files_total: AtomicU64,
    finished: AtomicBool,
}

impl Progress {
    /// Adds to the bytes that are done.
    pub fn add_done(&self, bytes: u64) {
        self.done.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Adds to the bytes there are to do.
    pub fn add_total(&self, bytes: u64) {
        self.total.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Adds to the files that are done.
    pub fn add_files_done(&self, files: u64) {
        self.files_done.fetch_add(files, Ordering::Relaxed);
    }

    /// Adds to the files there are to do.
    pub fn add_files_total(&self, files: u64) {
        self.files_total.fetch_add(files, Ordering::Relaxed);
    }

    /// Marks the work as ended, well or not.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Returns whether the work has ended.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// Returns (bytes done, bytes in all).
    pub fn bytes(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Returns (files done, files in all).
    pub fn files(&self) -> (u64, u64) {
        (self.files_done.load(Ordering::Relaxed), self.files_total.load(Ordering::Relaxed))
    }
}
