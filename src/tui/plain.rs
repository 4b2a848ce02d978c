//! The explorer without a screen: lines in, lines out.
//!
//! Nothing is drawn, cleared or moved, so it works on any terminal, through a pipe, and with a
//! screen reader. The terminal is never taken over.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Read, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, bounded, select};

use crate::app::effect::Effect;
use crate::app::event::Event;
use crate::app::plain::{Reply, SIZE, command};
use crate::app::{Model, layout, update, zones};
use crate::base::text::Charset;
use crate::index::Index;
use crate::jobs::msg::Slot;
use crate::jobs::threads::Threads;
use crate::tui::indexing::Indexing;
use crate::tui::signals::Signals;
use crate::tui::{Characters, Inputs, Left, Options, QUEUE, history, now, zone};
use crate::ui::plain;

/// Lines that are said at once on a terminal.
const PAGE: usize = 24;

/// How often it is told how far reading has come.
const TELL: Duration = Duration::from_secs(5);

/// The signal of Ctrl-C.
const INTERRUPT: i32 = signal_hook::consts::SIGINT;

/// Runs the explorer on lines until it is left.
///
/// # Errors
/// Fails when output cannot be written or a thread cannot be started.
pub fn run(options: Options) -> anyhow::Result<Left> {
    let commands = open_commands(&options.inputs)?;
    let charset = match options.characters {
        Characters::Unicode => Charset::Unicode,
        Characters::Ascii => Charset::Ascii,
    };
    let (events, inbox) = bounded(QUEUE);
    let indexing =
        Indexing::start(options.inputs, &options.catalog, options.follow, events.clone())
            .context("cannot start a thread")?;
    let listener = || {
        let events = events.clone();
        Box::new(move |update| events.send(Event::Job(update)).is_ok()) as Box<_>
    };
    let threads = Threads::start(&listener).context("cannot start a thread")?;
    let _signals = Signals::listen(events.clone()).context("cannot listen for signals")?;
    let mut model = Model::new(options.catalog, Arc::new(Index::default()), SIZE, now());
    model.wish.detail = layout::Detail::Open;
    model.zones.local = zone::local();
    zones::choose(&mut model, options.zone);
    history::load(&mut model);
    let lines = read_lines(commands).context("cannot start a thread")?;
    let pages = io::stdout().is_terminal();
    let mut shell = Shell {
        model,
        threads,
        indexing,
        inbox,
        lines,
        charset,
        pages,
        rest: VecDeque::new(),
        left: None,
    };
    let left = shell.serve()?;
    shell.threads.cancel_all();
    shell.indexing.stop();
    history::save(&shell.model);
    Ok(left)
}

/// Returns where commands come from: standard input, or the terminal when that is the log.
fn open_commands(inputs: &Inputs) -> anyhow::Result<Box<dyn Read + Send>> {
    let from_log =
        matches!(inputs, Inputs::Paths(paths, _) if paths.iter().any(|path| path == "-"));
    if from_log {
        let terminal = std::fs::File::open("/dev/tty");
        return Ok(Box::new(terminal.context(
            "the log is read from standard input, and there is \
                                             no terminal for commands",
        )?));
    }
    Ok(Box::new(io::stdin()))
}

fn read_lines(from: Box<dyn Read + Send>) -> io::Result<Receiver<String>> {
    let (sender, lines): (Sender<String>, _) = bounded(0);
    std::thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        // What is too long for a line is taken as several.
        while let Ok(1..) = (&mut from).take(1 << 16).read_until(b'\n', &mut line) {
            if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                return;
            }
            line.clear();
        }
    })?;
    Ok(lines)
}

struct Shell {
    model: Model,
    threads: Threads,
    indexing: Indexing,
    inbox: Receiver<Event>,
    lines: Receiver<String>,
    charset: Charset,
    /// Whether somebody reads along, so that long texts wait to be asked for.
    pages: bool,
    rest: VecDeque<String>,
    left: Option<Left>,
}

impl Shell {
    fn serve(&mut self) -> anyhow::Result<Left> {
        say(&["actlog without a screen: type a command and Enter; help lists them, quit leaves"
            .to_owned()])?;
        self.read_log()?;
        self.model.notice = None;
        self.start_page(plain::welcome(&self.model, self.charset))?;
        self.answer(&Reply::Pane)?;
        loop {
            if let Some(left) = self.left {
                return Ok(left);
            }
            self.prompt()?;
            select! {
                recv(self.inbox) -> event => self.hear(event.context("the threads have ended")?)?,
                recv(self.lines) -> line => match line {
                    Ok(line) => self.obey(&line)?,
                    // The end of the commands is the end of the talk.
                    Err(_) => self.left = Some(Left::ByHand),
                },
            }
        }
    }

    /// Waits until the log is read, and tells now and then how far that has come.
    fn read_log(&mut self) -> anyhow::Result<()> {
        let mut told = Instant::now();
        while !self.model.data.is_final() || self.is_busy() {
            let event = self.inbox.recv().context("the threads have ended")?;
            self.take_in(event);
            if self.left.is_some() {
                return Ok(());
            }
            if let Some((done, total, _)) =
                self.model.work.indexing.filter(|_| TELL < told.elapsed())
            {
                told = Instant::now();
                let percent = done.saturating_mul(100) / total.max(1);
                say(&[format!("reading, {} percent", percent.min(99))])?;
            }
        }
        Ok(())
    }

    /// Does what a line asks for, waits for what that needs, and says what came of it.
    fn obey(&mut self, line: &str) -> anyhow::Result<()> {
        if line.is_empty() && !self.rest.is_empty() {
            return self.go_on();
        }
        self.rest.clear();
        let mut effects = Vec::new();
        let reply = command(&mut self.model, line, &mut effects);
        self.effect(effects)?;
        while self.left.is_none() && (self.is_busy() || !self.model.data.is_final()) {
            let event = self.inbox.recv().context("the threads have ended")?;
            if matches!(event, Event::Ended(INTERRUPT)) {
                self.threads.cancel_all();
                return say(&["stopped".to_owned()]);
            }
            self.take_in(event);
        }
        if self.left.is_none() { self.answer(&reply) } else { Ok(()) }
    }

    /// Takes in what happened while a command was waited for, and tells what a person must know.
    fn hear(&mut self, event: Event) -> anyhow::Result<()> {
        let before = self.model.data.index.events();
        let told = if let Event::FileChanged(words) = &event { Some(words.clone()) } else { None };
        self.take_in(event);
        let more = self.model.data.index.events().saturating_sub(before);
        let grown = (0 < more && self.model.data.is_final()).then(|| format!("{more} more events"));
        let lines: Vec<String> = told.into_iter().chain(grown).collect();
        if lines.is_empty() { Ok(()) } else { say(&lines) }
    }

    fn take_in(&mut self, event: Event) {
        if let Event::Ended(signal) = event {
            self.left = Some(Left::BySignal(signal));
        }
        let effects = update(&mut self.model, event);
        // Only commands ask for more than work.
        for effect in effects {
            match effect {
                Effect::Start(ticket, request) => self.threads.begin(ticket, request),
                Effect::Cancel(slot) => self.threads.cancel(slot),
                _ => {}
            }
        }
    }

    fn effect(&mut self, effects: Vec<Effect>) -> anyhow::Result<()> {
        for effect in effects {
            match effect {
                Effect::Start(ticket, request) => self.threads.begin(ticket, request),
                Effect::Cancel(slot) => self.threads.cancel(slot),
                Effect::Copy(text) => {
                    let safe = crate::base::text::escape_for(&text, self.charset).into_owned();
                    self.model.notice = None;
                    say(&[safe])?;
                }
                Effect::Reload => self.indexing.reload(),
                Effect::ToggleFollow => self.indexing.toggle_follow(),
                Effect::Quit => self.left = Some(Left::ByHand),
                Effect::Redraw | Effect::Suspend => {}
            }
        }
        Ok(())
    }

    fn is_busy(&self) -> bool {
        Slot::ALL.iter().any(|slot| self.model.work.is_running(*slot))
    }

    fn answer(&mut self, reply: &Reply) -> anyhow::Result<()> {
        self.start_page(plain::reply(&self.model, reply, self.charset))
    }

    fn start_page(&mut self, lines: Vec<String>) -> anyhow::Result<()> {
        if !self.pages {
            return say(&lines);
        }
        self.rest = lines.into();
        self.go_on()
    }

    /// Says the next page of what there is to say.
    fn go_on(&mut self) -> anyhow::Result<()> {
        let mut lines: Vec<String> = self.rest.drain(..self.rest.len().min(PAGE)).collect();
        match self.rest.len() {
            0 => {}
            1 => lines.extend(self.rest.pop_front()),
            more => lines.push(format!("{more} more lines; Enter goes on")),
        }
        say(&lines)
    }

    fn prompt(&self) -> anyhow::Result<()> {
        if self.pages {
            let mut out = io::stdout().lock();
            out.write_all(b"actlog> ")?;
            out.flush()?;
        }
        Ok(())
    }
}

fn say(lines: &[String]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}
