//! From a command line to the command it names.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use anyhow::Context as _;

use crate::base::time::Timestamp;
use crate::cmd::args::{self, Command, Count, Demo, Global, Query, Schema, Sort};
use crate::cmd::count::{self, CountArgs, Output};
use crate::cmd::demo::{self, Force, Target};
use crate::cmd::query::{self, QueryArgs};
use crate::cmd::{Ending, keys, load, schema, stats};
use crate::demo::DemoOptions;
use crate::export::Formulas;
use crate::index::Index;
use crate::query::search::Order;
use crate::schema::catalog::Catalog;

/// A command that is not headless after all.
pub enum Headful {
    /// The explorer on an invented log.
    Demo(Demo),
}

/// Runs a command; `columns` is the width that text is wrapped to.
///
/// # Errors
/// Returns the error of the command.
pub fn run(
    command: Command,
    global: &Global,
    columns: usize,
) -> anyhow::Result<Result<Ending, Headful>> {
    let ending = match command {
        Command::Stats(args) => stats::run(&args, global)?,
        Command::Query(args) => run_query(args, global)?,
        Command::Count(args) => run_count(args, global)?,
        Command::Schema(args) => run_schema(args, global, columns)?,
        Command::Keys => load::to_stdout(|out| {
            keys::run(out)?;
            Ok(Ending::Found)
        })?,
        Command::Help(args) => run_help(args.topic.as_deref())?,
        Command::Demo(args) if args.write.is_none() => return Ok(Err(Headful::Demo(args))),
        Command::Demo(args) => run_demo(&args, global)?,
    };
    Ok(Ok(ending))
}

fn run_query(args: Query, global: &Global) -> anyhow::Result<Ending> {
    let question = QueryArgs {
        filter: args.filter,
        format: args.format,
        columns: args.columns,
        limit: args.limit,
        sort: match args.sort {
            Sort::Time => Order::Time,
            Sort::File => Order::File,
        },
        formulas: if args.csv_safe { Formulas::Disarmed } else { Formulas::Kept },
        now: now(),
    };
    ask(&args.files, global, |index, catalog, out| {
        query::run(&question, index, catalog, out, &mut std::io::stderr())
    })
}

fn run_count(args: Count, global: &Global) -> anyhow::Result<Ending> {
    let question = CountArgs {
        filter: args.filter,
        by: args.by,
        over: args.over,
        output: if args.json { Output::Json } else { Output::Text },
        now: now(),
    };
    ask(&args.files, global, |index, catalog, out| {
        count::run(&question, index, catalog, out, &mut std::io::stderr())
    })
}

/// Indexes files, prints the answer to a question about them, and tells what could not be read.
fn ask(
    files: &[OsString],
    global: &Global,
    answer: impl FnOnce(&Arc<Index>, &Catalog, &mut dyn Write) -> anyhow::Result<Ending>,
) -> anyhow::Result<Ending> {
    let catalog = load::catalog(global)?;
    let index = load::index(files, global, &catalog);
    let ending = load::to_stdout(|out| answer(&index, &catalog, out))?;
    Ok(if load::complain_of_refused(&index) { Ending::Refused } else { ending })
}

fn run_schema(args: Schema, global: &Global, width: usize) -> anyhow::Result<Ending> {
    let args = schema::SchemaArgs { name: args.name, search: args.search, json: args.json, width };
    let catalog = load::catalog(global)?;
    let found = load::to_stdout(|out| schema::run(&catalog, &args, out))?;
    Ok(if found { Ending::Found } else { Ending::Nothing })
}

fn run_demo(args: &Demo, global: &Global) -> anyhow::Result<Ending> {
    let catalog = load::catalog(global)?;
    let options = DemoOptions { events: args.events, seed: args.seed, bad: args.bad };
    let path = args.write.as_deref().context("no file to write to")?;
    let force = if args.force { Force::Replace } else { Force::Keep };
    let target = Target::new(path, force);
    let (mut out, mut notes) = (std::io::stdout().lock(), std::io::stderr());
    demo::write(&options, &catalog, &target, &mut out, &mut notes)?;
    Ok(Ending::Found)
}

fn run_help(topic: Option<&str>) -> anyhow::Result<Ending> {
    let text = match topic {
        Some("filter") => crate::query::grammar::help(),
        topic => args::help(topic).with_context(|| {
            let topic = crate::base::text::escape(topic.unwrap_or_default()).into_owned();
            format!(
                "no help on {topic}; `actlog help` lists the commands, `help filter` the filter"
            )
        })?,
    };
    load::to_stdout(|out| {
        out.write_all(text.as_bytes())?;
        Ok(Ending::Found)
    })
}

/// Returns the present.
fn now() -> Timestamp {
    chrono::Utc::now().timestamp_nanos_opt().map_or(Timestamp::MAX, Timestamp)
}
