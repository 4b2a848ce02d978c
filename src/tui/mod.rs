//! The shell around the model: terminal, input thread, index thread and the loop.
//!
//! The loop blocks until something happens, takes in all that has happened, and draws once.

pub mod clipboard;
pub mod history;
pub mod indexing;
pub mod input;
pub mod paint;
pub mod plain;
pub mod signals;
pub mod terminal;
pub mod zone;

use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, bounded};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::effect::Effect;
use crate::app::event::Event;
use crate::app::{Model, update, zones};
use crate::base::time::Timestamp;
use crate::base::zone::Zone;
use crate::demo::DemoOptions;
use crate::index::Index;
use crate::jobs::threads::Threads;
use crate::schema::catalog::Catalog;
use crate::source::OpenOptions;
use crate::tui::indexing::Indexing;
use crate::tui::input::Input;
use crate::tui::signals::{Signals, Stopped};
use crate::tui::terminal::Terminal;
use crate::ui::theme::{ASCII, Colour, Theme, UNICODE};
use crate::ui::view;

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(16);

/// The longest time events are taken in before a frame is drawn.
const DRAIN: Duration = Duration::from_millis(4);

/// Events that may wait for the loop.
const QUEUE: usize = 1_024;

/// What is explored.
#[derive(Debug)]
pub enum Inputs {
    /// Files and folders.
    Paths(Vec<OsString>, OpenOptions),
    /// An invented log, made while the screen is there already.
    Demo(DemoOptions),
}

/// Which characters are drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Characters {
    /// Box drawing and block elements.
    #[default]
    Unicode,
    /// ASCII only.
    Ascii,
}

/// What happens when a file grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// It is told.
    #[default]
    Tell,
    /// What was appended is shown.
    Show,
}

/// How the explorer is run.
#[derive(Debug)]
pub struct Options {
    /// What is explored.
    pub inputs: Inputs,
    /// The schema.
    pub catalog: Arc<Catalog>,
    /// Which characters are drawn with.
    pub characters: Characters,
    /// Whether colours are used.
    pub colour: Colour,
    /// What happens when a file grows.
    pub follow: Follow,
    /// The zone that times are shown in at first.
    pub zone: Zone,
}

/// How the explorer was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// By a key.
    ByHand,
    /// By a signal of this number.
    BySignal(i32),
}

/// Runs the explorer until it is left; the terminal is given back in any case.
///
/// # Errors
/// Fails when the terminal cannot be taken over or is lost.
pub fn run(options: Options) -> anyhow::Result<Left> {
    let glyphs = match options.characters {
        Characters::Unicode => &UNICODE,
        Characters::Ascii => &ASCII,
    };
    let theme = Theme { colour: options.colour, glyphs };
    let (events, inbox) = bounded(QUEUE);
    let indexing =
        Indexing::start(options.inputs, &options.catalog, options.follow, events.clone())
            .context("cannot start a thread")?;
    let terminal = Terminal::enter().context("cannot take over the terminal")?;
    let signals = Signals::listen(events.clone()).context("cannot listen for signals")?;
    let size = terminal.size()?;
    let mut model = Model::new(options.catalog, Arc::new(Index::default()), size, now());
    model.zones.local = zone::local();
    zones::choose(&mut model, options.zone);
    model.notice = None;
    history::load(&mut model);
    Shell::new(terminal, model, theme, Ends { events, indexing, signals })?.serve(&inbox)
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX - 1))
}

/// What the loop holds.
struct Shell {
    terminal: Terminal,
    model: Model,
    theme: Theme,
    ends: Ends,
    threads: Threads,
    input: Option<Input>,
    frame: Buffer,
    quit: Option<Left>,
}

/// The loose ends of the threads that serve the loop.
struct Ends {
    events: Sender<Event>,
    indexing: Indexing,
    signals: Signals,
}

impl Shell {
    fn new(terminal: Terminal, model: Model, theme: Theme, ends: Ends) -> anyhow::Result<Self> {
        let listener = || {
            let events = ends.events.clone();
            Box::new(move |update| events.send(Event::Job(update)).is_ok()) as Box<_>
        };
        let threads = Threads::start(&listener).context("cannot start a thread")?;
        let input = Some(Input::start(ends.events.clone()).context("cannot start a thread")?);
        let frame = Buffer::empty(Rect::ZERO);
        Ok(Self { terminal, model, theme, ends, threads, input, frame, quit: None })
    }

    fn serve(mut self, inbox: &Receiver<Event>) -> anyhow::Result<Left> {
        let (w, h) = self.terminal.size()?;
        self.take_in(Event::Resize(w, h))?;
        self.draw()?;
        let mut drawn = Instant::now();
        let mut owed = false;
        let left = loop {
            if let Some(left) = self.quit {
                break left;
            }
            let event = if owed {
                inbox.recv_deadline(drawn + FRAME).ok()
            } else {
                Some(inbox.recv().context("the input thread has ended")?)
            };
            if let Some(event) = event {
                self.take_in(event)?;
                let until = Instant::now() + DRAIN;
                while self.quit.is_none() && Instant::now() < until {
                    let Ok(event) = inbox.try_recv() else { break };
                    self.take_in(event)?;
                }
                owed = true;
            }
            // A key after a pause is drawn at once; a flood of news shares frames.
            if owed && FRAME <= drawn.elapsed() && self.quit.is_none() {
                self.draw()?;
                drawn = Instant::now();
                owed = false;
            }
        };
        self.threads.cancel_all();
        self.ends.indexing.stop();
        history::save(&self.model);
        if let Some(input) = self.input.take() {
            input.leave();
        }
        Ok(left)
    }

    fn take_in(&mut self, event: Event) -> anyhow::Result<()> {
        let left = match event {
            Event::Ended(signal) => Left::BySignal(signal),
            Event::TerminalGone => Left::BySignal(signals::HANG_UP),
            // Stopped and woken from outside: the shell has used the terminal meanwhile.
            Event::Continued if self.ends.signals.was_continued() => {
                self.terminal.resume().context("cannot take the terminal over again")?;
                Left::ByHand
            }
            Event::Continued => return Ok(()),
            _ => Left::ByHand,
        };
        for effect in update(&mut self.model, event) {
            match effect {
                Effect::Start(ticket, request) => self.threads.begin(ticket, request),
                Effect::Cancel(slot) => self.threads.cancel(slot),
                Effect::Copy(text) => self.terminal.send(&clipboard::sequence(&text))?,
                Effect::Redraw => self.terminal.forget(),
                Effect::Reload => self.ends.indexing.reload(),
                Effect::ToggleFollow => self.ends.indexing.toggle_follow(),
                Effect::Suspend => self.suspend()?,
                Effect::Quit => self.quit = Some(left),
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (w, h) = self.model.layout.size;
        let area = Rect::new(0, 0, w, h);
        if self.frame.area == area {
            self.frame.reset();
        } else {
            self.frame = Buffer::empty(area);
        }
        let cursor = view(&self.model, self.theme, &mut self.frame);
        self.terminal.show(&self.frame, cursor).context("the terminal is gone")?;
        Ok(())
    }

    /// Gives the terminal back and stops until the shell says to go on.
    fn suspend(&mut self) -> anyhow::Result<()> {
        if let Some(input) = self.input.take() {
            input.stop();
        }
        self.terminal.pause();
        let stopped = self.ends.signals.stop_here().context("cannot stop")?;
        self.terminal.resume().context("cannot take the terminal over again")?;
        let (w, h) = self.terminal.size()?;
        let events = self.ends.events.clone();
        self.input = Some(Input::start(events).context("cannot start a thread")?);
        if stopped == Stopped::NotAtAll {
            self.model.tell("there is no shell here that could wake a stopped program; q quits");
        }
        self.take_in(Event::Resize(w, h))
    }
}
