//! How many bytes go to the terminal when the cursor moves.

use actlog::app::key::Key;
use actlog::demo::{DemoOptions, in_memory};
use actlog::schema::catalog::Catalog;
use actlog::tui::paint;
use ratatui::buffer::Buffer;

use crate::support::session::Session;

/// Bytes around each frame that make it appear at once.
const AROUND: usize = 16;

/// The screen that is measured on.
const SIZE: (u16, u16) = (120, 36);

/// The most bytes that one line up or down in the list may send, with the list scrolled by a line
/// and another event in the detail. Half of all moves send less than [`MEDIAN`].
const MOST: usize = 1_850;

/// The bytes that half of all moves in the list stay below.
const MEDIAN: usize = 1_300;

/// The bytes that moves which scroll nothing stay below.
const STILL: usize = 1_200;

struct Wire {
    session: Session,
    shown: Buffer,
}

impl Wire {
    fn open() -> Self {
        let options = DemoOptions { events: 6_000, ..DemoOptions::default() };
        let log = in_memory(&options, &Catalog::built_in().unwrap());
        let session = Session::open(SIZE, log);
        let shown = session.buffer();
        Self { session, shown }
    }

    /// Presses keys and returns the bytes that the screen after each sends.
    fn press(&mut self, keys: &str, times: usize) -> Vec<usize> {
        let mut sent = Vec::new();
        for _ in 0..times {
            for key in keys.split(' ') {
                self.session.key(Key::parse(key).unwrap());
                let next = self.session.buffer();
                let mut out = Vec::new();
                paint::diff(&self.shown, &next, &mut out);
                sent.push(if out.is_empty() { 0 } else { out.len() + AROUND });
                self.shown = next;
            }
        }
        sent.sort_unstable();
        sent
    }
}

fn told(what: &str, sent: &[usize]) -> String {
    let at = |share: usize| sent.get(sent.len() * share / 100).copied().unwrap_or(0);
    let most = sent.last().copied().unwrap_or(0);
    format!("{what}: median {}, nine of ten {}, most {most}", at(50), at(90))
}

#[test]
#[allow(clippy::print_stdout, reason = "the figures are what the README tells")]
fn a_cursor_move_sends_few_bytes() {
    let mut wire = Wire::open();
    let mut report = Vec::new();
    let down = wire.press("j", 400);
    let up = wire.press("k", 400);
    report.push(told("down, scrolling", &down));
    report.push(told("up", &up));
    for (what, before, keys) in [
        ("next failure", "g", "e"),
        ("page down", "g", "PgDn"),
        ("types, down", "F9 1 g", "j"),
        ("timeline, right", "F9 3 g", "l"),
        ("detail, down", "F9 5 g", "j"),
    ] {
        before.split(' ').for_each(|key| drop(wire.press(key, 1)));
        report.push(told(what, &wire.press(keys, 40)));
    }
    // On the first screen nothing scrolls.
    drop(wire.press("F9", 1));
    drop(wire.press("4", 1));
    drop(wire.press("g", 1));
    let still = wire.press("j", 20);
    report.push(told("down, not scrolling", &still));
    let report = report.join("\n");
    println!("{report}");
    for (what, sent) in [("down", &down), ("up", &up)] {
        assert!(sent.last().is_some_and(|&most| most <= MOST), "{what}\n{report}");
        assert!(sent[sent.len() / 2] <= MEDIAN, "{what}\n{report}");
    }
    assert!(still.last().is_some_and(|&most| most <= STILL), "{report}");
}
