//! The thread that reads keys, and the translation of a terminal's keys into ours.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::Sender;
use ratatui::crossterm::event::{self, KeyCode, KeyEventKind, KeyModifiers};

use crate::app::event::Event;
use crate::app::key::{Code, Key};

/// How often the thread looks whether it shall pause.
const POLL: Duration = Duration::from_millis(100);

/// The reader thread; it stops when the receiver is gone or the terminal ends.
pub struct Input {
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    stop: AtomicBool,
}

impl Input {
    /// Starts reading; every key, paste and new size goes to `events`.
    ///
    /// # Errors
    /// Fails when no thread can be had.
    pub fn start(events: Sender<Event>) -> std::io::Result<Self> {
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        let thread = std::thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || read(&shared, &events))?;
        Ok(Self { state, thread: Some(thread) })
    }

    /// Stops reading for good. The thread is not waited for: a terminal that has gone may hold it.
    pub fn leave(self) {
        self.state.stop.store(true, Ordering::Release);
    }

    /// Stops reading and waits until the thread has let go of the terminal.
    pub fn stop(mut self) {
        self.state.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn read(state: &State, events: &Sender<Event>) {
    while !state.stop.load(Ordering::Acquire) {
        let event = match event::poll(POLL) {
            Ok(false) => continue,
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        let sent = match event {
            Ok(event) => translate(event).map_or(Ok(()), |event| events.send(event)),
            Err(_) => {
                drop(events.send(Event::TerminalGone));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

fn translate(event: event::Event) -> Option<Event> {
    match event {
        event::Event::Key(key) if key.kind != KeyEventKind::Release => {
            key_of(key.code, key.modifiers).map(Event::Key)
        }
        event::Event::Paste(text) => Some(Event::Paste(text)),
        event::Event::Resize(w, h) => Some(Event::Resize(w, h)),
        _ => None,
    }
}

fn key_of(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
    let shift = modifiers.contains(KeyModifiers::SHIFT);
    let code = match code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab | KeyCode::BackTab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(n) => Code::F(n),
        _ => return None,
    };
    let key = Key {
        code,
        ctrl: modifiers.contains(KeyModifiers::CONTROL),
        alt: modifiers.contains(KeyModifiers::ALT),
        shift: shift && !matches!(code, Code::Char(_)),
    };
    Some(function_key(key).lower_when_ctrl())
}

/// Many terminals send Shift-F3 as F15.
const fn function_key(mut key: Key) -> Key {
    if let Code::F(n @ 13..=24) = key.code {
        key.code = Code::F(n - 12);
        key.shift = true;
    }
    key
}
