//! What an index holds, and what the whole process does.

use std::ffi::OsString;
use std::process::{Command, ExitCode};

use actlog::base::cancel::CancelToken;
use actlog::base::progress::Progress;
use actlog::index::build::{Watch, index_paths};
use actlog::source::OpenOptions;

use crate::log;
use crate::table::{Limit, Table};

/// Tells the program to index one file and to print what memory that took.
pub(crate) const CHILD_FLAG: &str = "--index-in-a-fresh-process";

/// Measures in a process of its own, so that nothing else counts.
pub(crate) fn measure(table: &mut Table) {
    let exe = std::env::current_exe().unwrap();
    let out = Command::new(exe).arg(CHILD_FLAG).arg(log::path()).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [rows, heap, private] = numbers.as_slice() else {
        panic!("no figures: {text} {}", String::from_utf8_lossy(&out.stderr));
    };
    table.add("index of 1 GB, per event", heap / rows, "bytes", Limit::Most(32.0));
    if *private > 0.0 {
        table.add("private memory (RssAnon) with 1 GB", private / 1e6, "MB", Limit::Most(250.0));
    }
}

/// Indexes a file and prints rows, bytes of the index, and bytes of private memory (0 if unknown).
pub(crate) fn child(path: &str) -> ExitCode {
    let mut watch = Watch {
        progress: &Progress::default(),
        cancel: &CancelToken::never(),
        publish: &mut |_| {},
    };
    let files = [OsString::from(path)];
    let index = index_paths(&files, &OpenOptions::default(), &log::options(2), &mut watch);
    println!("{} {} {}", index.rows(), index.heap_bytes(), private_bytes());
    ExitCode::SUCCESS
}

fn private_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix("kB"));
    kilobytes.and_then(|n| n.trim().parse::<u64>().ok()).map_or(0, |n| n * 1024)
}
