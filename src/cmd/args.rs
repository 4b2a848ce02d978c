//! The command line as clap reads it. Nothing else names clap.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::schema::load::languages;

/// A terminal explorer for Tableau Cloud Activity Log files.
///
/// Give it log files or folders and it opens the explorer; give it a question and it prints the
/// answer. Files are only ever read. Any extension is fine, so are gzip, zstd, bzip2, xz, zip and
/// tar; `-` or a pipe is standard input.
#[derive(Debug, Parser)]
#[command(
    name = "actlog",
    version,
    about,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    after_help = "Examples:\n  \
        actlog demo                        look around in an invented log\n  \
        actlog logs/                       explore a folder of logs\n  \
        actlog stats logs/ --by day        how much is there of what\n  \
        actlog query 'is:failed' logs/     print what failed\n  \
        actlog schema hist_login           what does an event type mean\n\n\
        Exit codes: 0 found something, 1 found nothing, 2 error, 130 interrupted,\n129 hung up, 143 terminated."
)]
pub struct Cli {
    /// What to do; without it, the files are opened in the explorer.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The files to explore.
    #[command(flatten)]
    pub explore: Explore,
    /// What goes for all commands.
    #[command(flatten)]
    pub global: Global,
}

/// Options that go for all commands.
#[derive(Clone, Debug, Args)]
pub struct Global {
    /// Add event types, attributes and notes of your own from FILE; may be given more than once
    #[arg(long, value_name = "FILE", global = true)]
    pub schema: Vec<PathBuf>,
    /// Language of the texts about event types and attributes
    #[arg(
        long, value_name = "LANG", global = true, default_value = "en",
        value_parser = PossibleValuesParser::new(languages()),
        // A choice of one is none.
        hide = languages().nth(1).is_none()
    )]
    pub lang: String,
    /// Read files instead of mapping them into memory (for logs that are rotated by truncation)
    #[arg(long, global = true)]
    pub no_mmap: bool,
    /// Stop decompressing a file at this size, such as 500M or 64G
    #[arg(long, value_name = "SIZE", global = true, value_parser = parse_size)]
    pub decode_limit: Option<u64>,
    /// Write what actlog does to FILE
    #[arg(long, value_name = "FILE", global = true)]
    pub log: Option<PathBuf>,
}

/// What the explorer takes.
#[derive(Clone, Debug, Args)]
pub struct Explore {
    /// Log files, folders, archives, quoted globs, or - for standard input
    #[arg(value_name = "FILES")]
    pub files: Vec<OsString>,
    /// How the screen looks and whether it follows files.
    #[command(flatten)]
    pub look: Look,
}

/// How the explorer looks.
#[derive(Clone, Debug, Args)]
pub struct Look {
    /// Show what is appended to the files as it comes
    #[arg(long)]
    pub follow: bool,
    /// Say everything in lines, without a screen: for screen readers, slow lines and pipes (also
    /// where TERM is dumb)
    #[arg(long)]
    pub plain: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// Show times in ZONE at first: UTC, local, a name such as Europe/Berlin, or +02:00
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    pub tz: String,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// Unless NO_COLOR is set
    Auto,
    /// Even then
    Always,
    /// Not at all
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count events, bad records, types, actors and outcomes
    Stats(Stats),
    /// Print the events that a filter matches
    Query(Query),
    /// Count the events that a filter matches, in groups if asked to
    Count(Count),
    /// Explore, or write to a file, an invented log with a story in it
    Demo(Demo),
    /// Show what event types and attributes mean
    Schema(Schema),
    /// List the keys of the explorer
    Keys,
    /// Show help: of a command, or the filter language with `help filter`
    Help(Help),
}

/// `actlog help`.
#[derive(Clone, Debug, Args)]
pub struct Help {
    /// A command, or `filter`
    pub topic: Option<String>,
}

/// `actlog query`.
#[derive(Clone, Debug, Args)]
pub struct Query {
    /// The filter, such as 'type:hist_login is:failed time:>-24h'; see `actlog help filter`
    pub filter: String,
    /// Log files, folders, archives, quoted globs, or - for standard input
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<OsString>,
    /// How events are printed
    #[arg(long, value_name = "FORMAT", default_value = "ndjson", value_parser = formats())]
    pub format: String,
    /// Columns of csv, md and table: attributes by name, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Print at most N events
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// By time, or as they stand in the files
    #[arg(long, value_name = "ORDER", default_value = "time")]
    pub sort: Sort,
    /// In CSV, put an apostrophe before what a spreadsheet would take for a formula
    #[arg(long)]
    pub csv_safe: bool,
}

/// What `query --sort` sorts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// By time; of equal times in file order; without time last
    Time,
    /// As the files have them
    File,
}

/// `actlog count`.
#[derive(Clone, Debug, Args)]
pub struct Count {
    /// The filter; '' for all events
    pub filter: String,
    /// Log files, folders, archives, quoted globs, or - for standard input
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<OsString>,
    /// Count by attributes, separated by commas; type, category, actor, outcome, site and file too
    #[arg(long, value_name = "ATTR", value_delimiter = ',')]
    pub by: Vec<String>,
    /// Count over steps of time, such as 15m, 1h or 1d
    #[arg(long, value_name = "STEP")]
    pub over: Option<String>,
    /// Print one JSON object: matched, total, bad and groups
    #[arg(long)]
    pub json: bool,
}

fn formats() -> clap::builder::PossibleValuesParser {
    crate::export::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().into()
}

/// `actlog stats`.
#[derive(Clone, Debug, Args)]
pub struct Stats {
    /// Log files, folders, archives, quoted globs, or - for standard input
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<OsString>,
    /// Print one JSON object: events, bad, by_type, by_actor, by_outcome (name to count), first and
    /// last (as recorded), files and problems
    #[arg(long)]
    pub json: bool,
    /// Count by one thing only
    #[arg(long, value_name = "WHAT")]
    pub by: Option<By>,
    /// Show all problems, not the first ten
    #[arg(long)]
    pub all: bool,
    /// Show how much memory the index takes
    #[arg(long)]
    pub memory: bool,
}

/// What `stats --by` counts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The event type
    Type,
    /// The category of the event type
    Category,
    /// Who did it
    Actor,
    /// How it went
    Outcome,
    /// The hour, in UTC
    Hour,
    /// The day, in UTC
    Day,
}

/// `actlog demo`.
#[derive(Clone, Debug, Args)]
pub struct Demo {
    /// Write the log to FILE (- is standard output) instead of exploring it
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// How many events
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    pub events: u64,
    /// Another number gives another log
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many broken lines to strew in
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub bad: u64,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
    /// How the explorer looks.
    #[command(flatten)]
    pub look: Look,
}

/// `actlog schema`.
#[derive(Clone, Debug, Args)]
pub struct Schema {
    /// An event type or an attribute
    pub name: Option<String>,
    /// Find types and attributes by name or by words of their text
    #[arg(long, value_name = "WORDS", conflicts_with = "name")]
    pub search: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Reads the command line of this process; on `--help` or a mistake, the text to print and whether
/// it is a mistake.
pub fn parse() -> Result<Cli, (String, Mistake)> {
    Cli::try_parse().map_err(|error| {
        let mistake = if error.use_stderr() { Mistake::Yes } else { Mistake::No };
        (error.render().to_string(), mistake)
    })
}

/// Whether a command line was wrong, or asked for help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// It was wrong.
    Yes,
    /// It asked for help.
    No,
}

/// Returns the help of a command, or of the program; `None` when there is no such command.
pub fn help(topic: Option<&str>) -> Option<String> {
    use clap::CommandFactory as _;
    let mut command = Cli::command();
    command.build();
    match topic {
        None => Some(command.render_help().to_string()),
        Some(name) => {
            command.find_subcommand_mut(name).map(|found| found.render_help().to_string())
        }
    }
}

fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        "T" | "TB" | "TIB" => 1_u64 << 40,
        _ => return Err("a size is a number and K, M, G or T".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "a size is a number and K, M, G or T")?;
    number.checked_mul(unit).ok_or_else(|| "more than can be counted".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        for (text, size) in [("7", Ok(7)), ("2K", Ok(2048)), ("3GiB", Ok(3 << 30))] {
            assert_eq!(parse_size(text), size);
        }
        assert!(parse_size("x").is_err() && parse_size("9999999999T").is_err());
    }
}
