//! The `actlog` program: reads the command line, runs it, and turns errors into exit codes.

use std::io::Write as _;
use std::process::ExitCode;

use actlog::cmd::args::{self, Cli, Command, Mistake};
use actlog::cmd::demo::{self, Force, Target};
use actlog::cmd::{Ending, is_closed_pipe, load, schema, stats};
use actlog::demo::DemoOptions;

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
    match cli.command {
        Some(Command::Stats(args)) => stats::run(&args, &cli.global),
        Some(Command::Schema(args)) => {
            let args = schema::SchemaArgs {
                name: args.name,
                search: args.search,
                json: args.json,
                files: cli.global.schema,
                width: width(),
            };
            let found = load::to_stdout(|out| schema::run(&args, out, &mut std::io::stderr()))?;
            Ok(if found { Ending::Found } else { Ending::Nothing })
        }
        Some(Command::Demo(args)) => {
            let catalog = load::catalog(&cli.global)?;
            let options = DemoOptions { events: args.events, seed: args.seed, bad: args.bad };
            if let Some(path) = &args.write {
                let force = if args.force { Force::Replace } else { Force::Keep };
                let target = Target::new(path, force);
                let (mut out, mut notes) = (std::io::stdout().lock(), std::io::stderr());
                demo::write(&options, &catalog, &target, &mut out, &mut notes)?;
                return Ok(Ending::Found);
            }
            anyhow::bail!("nothing to explore with yet")
        }
        None => anyhow::bail!("nothing to do yet"),
    }
}

/// Returns the columns that text is wrapped to.
fn width() -> usize {
    100
}

fn tell(error: &anyhow::Error) {
    let mut causes =
        error.chain().map(|cause| actlog::base::text::escape(&cause.to_string()).into_owned());
    let first = causes.next().unwrap_or_default();
    load::complain(&format!("error: {first}"));
    for cause in causes {
        load::complain(&format!("caused by: {cause}"));
    }
    if let Some(unknown) = error.downcast_ref::<schema::UnknownName>() {
        load::complain(&format!("hint: {}", unknown.hint()));
    }
}
