//! `cargo bench`: the limits that actlog keeps, measured and printed as ratios of one run.
//!
//! `cargo bench -- index ask` runs some parts only; the parts are `index`, `memory`, `ask`,
//! `explorer`, `schema` and `demo`. `--check` ends with an error when a limit is broken. The demo log of about 1 GB is
//! written to `target/bench` first.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a benchmark may fail")]

mod ask;
mod demo;
mod explorer;
mod index;
mod log;
mod memory;
mod schema;
mod table;
mod timing;

use std::process::ExitCode;

use table::Table;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [flag, path] = args.as_slice()
        && flag == memory::CHILD_FLAG
    {
        return memory::child(path);
    }
    let wanted = |part: &str| {
        let mut parts = args.iter().filter(|arg| !arg.starts_with("--")).peekable();
        parts.peek().is_none() || parts.any(|arg| arg == part)
    };
    let mut table = Table::default();
    if wanted("schema") {
        schema::measure(&mut table);
    }
    if wanted("demo") {
        demo::measure(&mut table);
    }
    if wanted("index") {
        index::measure(&mut table);
    }
    if wanted("memory") {
        memory::measure(&mut table);
    }
    if wanted("ask") {
        ask::measure(&mut table);
    }
    if wanted("explorer") {
        explorer::measure(&mut table);
    }
    table.print();
    let checked = args.iter().any(|arg| arg == "--check");
    if checked && table.is_broken() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
