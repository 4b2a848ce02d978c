//! How fast demo logs are written.

use std::io::{self, Write};

use actlog::demo::{DemoOptions, in_memory, write_on};

use crate::log;
use crate::table::{Limit, Table};
use crate::timing::{self, Work, medians};

/// Measures writing about 1 GB to nowhere, and making the default log in memory.
pub(crate) fn measure(table: &mut Table) {
    let options = DemoOptions { events: log::EVENTS, seed: 1, bad: 0 };
    let write = |n_threads| {
        move || write_on(n_threads, &options, log::catalog(), &mut Nowhere).unwrap().bytes
    };
    let bytes = write(2)() as f64;
    let mut works: Vec<Work<'_>> = vec![Box::new(write(1)), Box::new(write(2))];
    let times = medians(3, &mut works);
    table.add("demo log, 1 thread", bytes / 1e6 / times[0], "MB/s", Limit::Least(200.0));
    table.add("demo log, 2 threads", bytes / 1e6 / times[1], "MB/s", Limit::Least(200.0));
    let default = DemoOptions::default();
    let seconds = timing::one(9, || in_memory(&default, log::catalog()).len() as u64);
    table.add("default demo log in memory", seconds * 1e3, "ms", Limit::Most(100.0));
}

/// Takes everything and keeps nothing.
struct Nowhere;

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(std::hint::black_box(bytes).len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
