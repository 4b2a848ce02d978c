//! How long the explorer takes from a key to its frame, with about ten million events.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use actlog::app::effect::Effect;
use actlog::app::event::Event;
use actlog::app::key::{Code, Key};
use actlog::app::{Model, update};
use actlog::base::cancel::CancelToken;
use actlog::base::progress::Progress;
use actlog::base::time::Timestamp;
use actlog::index::Index;
use actlog::index::build::{self, Watch};
use actlog::jobs::msg::Slot;
use actlog::jobs::threads::Threads;
use actlog::schema::catalog::Catalog;
use actlog::source::Found;
use actlog::tui::paint;
use actlog::ui::theme::{Colour, Theme, UNICODE};
use actlog::ui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::log;
use crate::table::{Limit, Table};

/// Keys that are typed over and over.
const KEYS: [&str; 16] =
    ["j", "j", "k", "PgDn", "e", "G", "k", "g", "PgDn", "]", "[", "Tab", "j", "PgDn", "k", "Tab"];
/// How often.
const ROUNDS: usize = 25;
/// The most milliseconds a frame may take.
const FRAME: f64 = 16.0;
/// Bytes around each frame that make it appear at once.
const AROUND: usize = 16;

/// Measures keys, frames, narrowings and bytes sent.
pub(crate) fn measure(table: &mut Table) {
    let index = log::ten_million();
    let events = format!("{:.1} M events", index.events() as f64 / 1e6);
    keys(table, index, &events);
    while_indexing(table);
    frames(table, index);
    narrowings(table, index, &events);
    bytes(table, index);
}

fn keys(table: &mut Table, index: &Arc<Index>, events: &str) {
    let mut session = Session::open(index, (120, 36));
    let (mut frames, mut news) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for name in KEYS {
            frames.push(session.press(key(name)));
            news.extend(session.settle());
        }
        session.focus_list();
    }
    table.add(format!("key to frame, p99, {events}"), p99(frames), "ms", Limit::Most(FRAME));
    table.add("answer of a job to frame, p99", p99(news), "ms", Limit::Most(FRAME));
}

fn while_indexing(table: &mut Table) {
    let mut session = Session::open(&Arc::new(Index::default()), (120, 36));
    let (sender, snapshots) = channel();
    let files = vec![log::open(); log::TIMES];
    let reader = std::thread::spawn(move || {
        let mut watch = Watch {
            progress: &Progress::default(),
            cancel: &CancelToken::never(),
            publish: &mut |index| drop(sender.send(index)),
        };
        let find = move |found: &mut dyn FnMut(Found)| {
            files.into_iter().for_each(|file| found(Found::File(file)));
        };
        build::run(Box::new(find), &log::options(2), &mut watch).events()
    });
    let (mut frames, mut news) = (Vec::new(), Vec::new());
    for name in KEYS.iter().cycle() {
        while let Ok(index) = snapshots.try_recv() {
            news.push(session.timed(Event::Index(index)));
        }
        while let Ok(update) = session.inbox.try_recv() {
            news.push(session.timed(update));
        }
        if reader.is_finished() {
            break;
        }
        frames.push(session.press(key(name)));
    }
    assert!(0 < reader.join().unwrap());
    let what = format!("key to frame while indexing, p99 of {}", frames.len());
    table.add(what, p99(frames), "ms", Limit::Most(FRAME));
    let what = format!("snapshot or answer to frame while indexing, p99 of {}", news.len());
    table.add(what, p99(news), "ms", Limit::Most(FRAME));
}

fn frames(table: &mut Table, index: &Arc<Index>) {
    let mut session = Session::open(index, (200, 60));
    let mut times: Vec<f64> = (0..300).map(|_| session.draw()).collect();
    times.sort_by(f64::total_cmp);
    table.add("view at 200×60, median", times[times.len() / 2], "ms", Limit::Most(5.0));
    table.add("view at 200×60, most", times[times.len() - 1], "ms", Limit::Most(5.0));
}

fn narrowings(table: &mut Table, index: &Arc<Index>, events: &str) {
    let actor = log::busiest(index);
    let range = "time:2026-03-04T06:00:00Z..2026-03-12T18:00:00Z";
    for (what, filter) in [("type", "type:hist_access_view"), ("actor", &*actor), ("range", range)]
    {
        let mut session = Session::open(index, (120, 36));
        let mut times = Vec::new();
        for _ in 0..15 {
            session.press(key("f"));
            for c in filter.chars() {
                session.press(Key::char(c));
            }
            session.settle();
            let started = Instant::now();
            session.press(Key::plain(Code::Enter));
            session.wait(&[Slot::Ask]);
            times.push(milliseconds(started));
            session.settle();
            assert!(!session.model.data.is_empty(), "{filter} finds nothing");
            assert!(session.model.data.len() < index.rows() as usize, "{filter} is not applied");
            session.press(key("u"));
            session.settle();
        }
        times.sort_by(f64::total_cmp);
        let what = format!("narrowing by {what} to its frame, median, {events}");
        table.add(what, times[times.len() / 2], "ms", Limit::Most(FRAME));
    }
}

fn bytes(table: &mut Table, index: &Arc<Index>) {
    let mut session = Session::open(index, (120, 36));
    let mut sums = Vec::new();
    for n in 0..200 {
        session.sent = 0;
        session.press(key(if n % 40 < 30 { "j" } else { "k" }));
        session.settle();
        sums.push(session.sent as f64);
    }
    sums.sort_by(f64::total_cmp);
    let (median, most) = (sums[sums.len() / 2], sums[sums.len() - 1]);
    table.add("bytes sent per cursor move at 120×36, median", median, "bytes", Limit::Most(1536.0));
    table.add("bytes sent per cursor move at 120×36, most", most, "bytes", Limit::None);
}

/// The explorer with its real threads and without a terminal.
struct Session {
    model: Model,
    theme: Theme,
    threads: Threads,
    inbox: Receiver<Event>,
    frame: Buffer,
    shown: Buffer,
    /// Bytes that a terminal was sent.
    sent: usize,
}

impl Session {
    fn open(index: &Arc<Index>, size: (u16, u16)) -> Self {
        let catalog = Arc::new(Catalog::built_in().unwrap());
        let now = index.time_range().map_or(Timestamp(0), |range| range.1);
        let (sender, inbox) = channel();
        let threads = start(&sender);
        let area = Rect::new(0, 0, size.0, size.1);
        let mut session = Self {
            model: Model::new(catalog, Arc::new(Index::default()), size, now),
            theme: Theme { colour: Colour::Sixteen, glyphs: &UNICODE },
            threads,
            inbox,
            frame: Buffer::empty(area),
            shown: Buffer::empty(area),
            sent: 0,
        };
        session.timed(Event::Index(Arc::clone(index)));
        session.settle();
        session
    }

    /// Presses a key and draws; returns the milliseconds that took.
    fn press(&mut self, key: Key) -> f64 {
        self.timed(Event::Key(key))
    }

    /// Takes an event in and draws; returns the milliseconds that took.
    fn timed(&mut self, event: Event) -> f64 {
        let started = Instant::now();
        for effect in update(&mut self.model, event) {
            match effect {
                Effect::Start(ticket, request) => self.threads.begin(ticket, request),
                Effect::Cancel(slot) => self.threads.cancel(slot),
                _ => {}
            }
        }
        self.draw();
        let time = milliseconds(started);
        let mut out = Vec::new();
        paint::diff(&self.shown, &self.frame, &mut out);
        self.sent += if out.is_empty() { 0 } else { out.len() + AROUND };
        self.shown.clone_from(&self.frame);
        time
    }

    fn draw(&mut self) -> f64 {
        let started = Instant::now();
        self.frame.reset();
        view(&self.model, self.theme, &mut self.frame);
        milliseconds(started)
    }

    /// Waits for all work; returns the milliseconds that each piece of news took to its frame.
    fn settle(&mut self) -> Vec<f64> {
        self.wait(&Slot::ALL)
    }

    fn wait(&mut self, slots: &[Slot]) -> Vec<f64> {
        let mut times = Vec::new();
        while slots.iter().any(|slot| self.model.work.is_running(*slot)) {
            let news = self.inbox.recv().unwrap();
            times.push(self.timed(news));
        }
        times
    }

    fn focus_list(&mut self) {
        self.model.wish.focus = actlog::app::pane::PaneId::Events;
    }
}

fn start(sender: &Sender<Event>) -> Threads {
    let listener = || {
        let sender = sender.clone();
        Box::new(move |update| sender.send(Event::Job(update)).is_ok()) as Box<_>
    };
    Threads::start(&listener).unwrap()
}

fn key(name: &str) -> Key {
    Key::parse(name).unwrap()
}

fn milliseconds(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

fn p99(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}
