//! The `actlog` program: reads the command line, runs it, and turns errors into exit codes.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

use actlog::base::text::escape;
use actlog::cmd::args::{self, Cli, Color, Look, Mistake};
use actlog::cmd::run::{self, Headful};
use actlog::cmd::{Ending, is_closed_pipe, load, schema};
use actlog::demo::DemoOptions;
use actlog::schema::catalog::Catalog;
use actlog::tui::{self, Characters, Follow, Inputs, Left, zone};
use actlog::ui::theme::Colour;

fn main() -> ExitCode {
    let cli = match args::parse() {
        Ok(cli) => cli,
        Err((text, Mistake::No)) => {
            // Help into a closed pipe is no error.
            drop(write!(std::io::stdout(), "{text}"));
            return ExitCode::SUCCESS;
        }
        Err((text, Mistake::Yes)) => {
            drop(write!(std::io::stderr(), "{text}"));
            return ExitCode::from(2);
        }
    };
    match run(cli) {
        Ok(ending) => ExitCode::from(ending.code()),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&error);
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Ending> {
    load::start_log(&cli.global)?;
    let Some(command) = cli.command else {
        let mut files = cli.explore.files;
        if files.is_empty() && std::io::stdin().is_terminal() {
            anyhow::bail!("no files: name log files or folders, or try `actlog demo`");
        }
        if files.is_empty() {
            files.push("-".into());
        }
        let catalog = load::catalog(&cli.global)?;
        let open = load::open_options(&cli.global, &catalog);
        return explore(Inputs::Paths(files, open), catalog, &cli.explore.look);
    };
    match run::run(command, &cli.global, columns())? {
        Ok(ending) => Ok(ending),
        Err(Headful::Demo(args)) => {
            let catalog = load::catalog(&cli.global)?;
            let options = DemoOptions { events: args.events, seed: args.seed, bad: args.bad };
            explore(Inputs::Demo(options), catalog, &args.look)
        }
    }
}

fn explore(inputs: Inputs, catalog: Arc<Catalog>, look: &Look) -> anyhow::Result<Ending> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let plain = look.plain || dumb && std::io::stdout().is_terminal();
    if !plain && !std::io::stdout().is_terminal() {
        anyhow::bail!(
            "the explorer needs a terminal; for pipes there are stats, query, count and --plain"
        );
    }
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = match look.color {
        Color::Never => Colour::None,
        Color::Auto if no_color => Colour::None,
        Color::Auto | Color::Always => Colour::Sixteen,
    };
    let characters = if look.ascii { Characters::Ascii } else { Characters::Unicode };
    let follow = if look.follow { Follow::Show } else { Follow::Tell };
    let zone = zone::chosen(&look.tz)?;
    let options = tui::Options { inputs, catalog, characters, colour, follow, zone };
    let left = if plain { tui::plain::run(options)? } else { tui::run(options)? };
    Ok(match left {
        Left::ByHand => Ending::Found,
        Left::BySignal(number) => Ending::Signal(u8::try_from(number).unwrap_or(0)),
    })
}

/// Returns the columns that text is wrapped to: those of the terminal, at most 100.
fn columns() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    told.or_else(tui::terminal::columns).map_or(80, |columns: usize| columns.clamp(40, 100))
}

fn tell(error: &anyhow::Error) {
    for (place, cause) in error.chain().enumerate() {
        let word = if place == 0 { "error" } else { "caused by" };
        load::complain(&format!("{word}: {}", escape(&cause.to_string())));
    }
    if let Some(unknown) = error.downcast_ref::<schema::UnknownName>() {
        load::complain(&format!("hint: {}", escape(&unknown.hint())));
    }
}
