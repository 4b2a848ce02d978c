//! How fast a log is indexed, beside a bare JSON parser on the same bytes and threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actlog::index::build::from_sources;
use simd_json::{Buffers, Tape};

use crate::log;
use crate::table::{Limit, Table};
use crate::timing::{Work, medians};

/// Bytes that a thread takes at once, as the index does.
const PIECE: usize = 4 << 20;

/// Measures indexing and parsing in turn.
pub(crate) fn measure(table: &mut Table) {
    let file = log::open();
    let mut buffer = Vec::new();
    let bytes = file.read_into(&mut buffer).unwrap();
    let index = |threads| {
        let file = Arc::clone(&file);
        move || from_sources(vec![Arc::clone(&file)], &log::options(threads)).events()
    };
    let mut works: Vec<Work<'_>> = vec![
        Box::new(index(1)),
        Box::new(|| parse(bytes, 1)),
        Box::new(index(2)),
        Box::new(|| parse(bytes, 2)),
    ];
    let times = medians(5, &mut works);
    let gigabytes = bytes.len() as f64 / 1e9;
    let rates: Vec<f64> = times.iter().map(|seconds| gigabytes / seconds).collect();
    table.add("indexing 1 GB, 1 thread", rates[0], "GB/s", Limit::None);
    table.add("simd-json fill_tape per line, 1 thread", rates[1], "GB/s", Limit::None);
    table.add("indexing 1 GB, 2 threads", rates[2], "GB/s", Limit::None);
    table.add("simd-json fill_tape per line, 2 threads", rates[3], "GB/s", Limit::None);
    table.add("indexing / fill_tape, 1 thread", rates[0] / rates[1], "×", Limit::Least(0.9));
    table.add("indexing / fill_tape, 2 threads", rates[2] / rates[3], "×", Limit::Least(0.9));
    table.add("indexing, 2 threads / 1", rates[2] / rates[0], "×", Limit::Least(1.8));
    table.add("fill_tape, 2 threads / 1", rates[3] / rates[1], "×", Limit::None);
}

/// Splits bytes into lines, copies each and parses it, on so many threads; returns how many parse.
fn parse(bytes: &[u8], n_threads: usize) -> u64 {
    let pieces = pieces(bytes);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || {
            let mut parsed = 0;
            let mut state = Parser::default();
            while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                parsed += state.parse(piece);
            }
            parsed
        };
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let at = PIECE.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[at..]).map_or(rest.len(), |more| at + more + 1);
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// A parser with buffers that are used again.
struct Parser {
    buffers: Buffers,
    tape: Tape<'static>,
    line: Vec<u8>,
}

impl Default for Parser {
    fn default() -> Self {
        Self { buffers: Buffers::new(4096), tape: Tape(Vec::new()), line: Vec::new() }
    }
}

impl Parser {
    fn parse(&mut self, piece: &[u8]) -> u64 {
        let mut parsed = 0;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', piece) {
            self.line.clear();
            self.line.extend_from_slice(&piece[start..end]);
            start = end + 1;
            let mut tape = std::mem::replace(&mut self.tape, Tape(Vec::new())).reset();
            let read = simd_json::fill_tape(&mut self.line, &mut self.buffers, &mut tape);
            parsed += u64::from(read.is_ok());
            self.tape = tape.reset();
        }
        parsed
    }
}
