//! How long the schema takes to decode at start, and a search of it.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use actlog::schema::catalog::Catalog;

/// What decoding may cost at start.
const LIMIT: Duration = Duration::from_millis(5);

fn main() {
    let decode = median(|| drop(black_box(Catalog::built_in())));
    let catalog = Catalog::built_in().expect("the built-in schema has no faults");
    let search = median(|| drop(black_box(catalog.search("download workbook"))));
    println!("schema decode  {decode:>10.2?}  limit {LIMIT:.2?}");
    println!("schema search  {search:>10.2?}");
    assert!(decode < LIMIT, "decoding the schema takes {decode:?}");
}

/// Returns the median time of 51 runs.
fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..51)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}
