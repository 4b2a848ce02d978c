//! Entering and leaving the terminal; whatever happens, it is left as it was found.

use std::io::{self, Write as _};

use ratatui::buffer::Buffer;
use ratatui::crossterm::terminal;
use ratatui::layout::Rect;

use crate::tui::paint;

/// Alternate screen on, bracketed paste on, line wrap off, screen cleared.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b[?25l\x1b[m\x1b[2J";
/// The same taken back, cursor shown.
const LEAVE: &[u8] = b"\x1b[m\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l";
/// A terminal that knows synchronised updates shows what is between these at once.
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// A terminal in raw mode on the alternate screen; dropping it gives the terminal back.
pub struct Terminal {
    shown: Buffer,
    /// Whether what is on the screen is unknown and must be drawn in full.
    stale: bool,
    cursor: Option<(u16, u16)>,
    out: Vec<u8>,
}

/// Returns the columns of the terminal on standard output, if it is one.
pub fn columns() -> Option<usize> {
    ratatui::crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns))
}

impl Terminal {
    /// Takes the terminal over; from here on a panic gives it back before it speaks.
    ///
    /// # Errors
    /// Fails when standard output is no terminal.
    pub fn enter() -> io::Result<Self> {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // Only the main thread owns the screen; a job's panic becomes a notice.
            if std::thread::current().name() == Some("main") {
                leave();
                previous(info);
            }
        }));
        take_over()?;
        Ok(Self { shown: Buffer::empty(Rect::ZERO), stale: true, cursor: None, out: Vec::new() })
    }

    /// Returns the size in columns and rows.
    ///
    /// # Errors
    /// Fails when the terminal is gone.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        terminal::size()
    }

    /// Forgets what is on the screen, so that the next frame is drawn in full.
    pub const fn forget(&mut self) {
        self.stale = true;
    }

    /// Shows a frame with a single write; `cursor` is where a prompt's cursor blinks.
    ///
    /// # Errors
    /// Fails when the terminal is gone.
    pub fn show(&mut self, frame: &Buffer, cursor: Option<(u16, u16)>) -> io::Result<usize> {
        self.out.clear();
        self.out.extend_from_slice(BEGIN);
        if self.stale || self.shown.area != frame.area {
            self.out.extend_from_slice(b"\x1b[m\x1b[2J");
            self.shown = Buffer::empty(frame.area);
            self.cursor = None;
            self.out.extend_from_slice(b"\x1b[?25l");
        }
        let start = self.out.len();
        paint::diff(&self.shown, frame, &mut self.out);
        self.place_cursor(cursor, start);
        if self.out.len() == start && !self.stale {
            return Ok(0);
        }
        self.stale = false;
        self.out.extend_from_slice(END);
        let mut stdout = io::stdout().lock();
        stdout.write_all(&self.out)?;
        stdout.flush()?;
        self.shown.clone_from(frame);
        Ok(self.out.len())
    }

    fn place_cursor(&mut self, cursor: Option<(u16, u16)>, start: usize) {
        let painted = self.out.len() != start;
        match cursor {
            Some((x, y)) if painted || cursor != self.cursor => {
                // Writing to a Vec cannot fail.
                drop(write!(self.out, "\x1b[{};{}H\x1b[?25h", y + 1, x + 1));
            }
            None if self.cursor.is_some() => self.out.extend_from_slice(b"\x1b[?25l"),
            Some(_) | None => {}
        }
        self.cursor = cursor;
    }

    /// Gives the terminal back for a while, as for Ctrl-Z.
    pub fn pause(&self) {
        leave();
    }

    /// Takes the terminal over again.
    ///
    /// # Errors
    /// Fails when the terminal is gone.
    pub fn resume(&mut self) -> io::Result<()> {
        self.stale = true;
        take_over()
    }

    /// Sends bytes that draw nothing, such as a copy to the clipboard.
    ///
    /// # Errors
    /// Fails when the terminal is gone.
    pub fn send(&self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        leave();
        if !std::thread::panicking() {
            drop(std::panic::take_hook());
        }
    }
}

fn take_over() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(ENTER)?;
    stdout.flush()
}

/// Leaves raw mode and the alternate screen; errors are of no use any more.
fn leave() {
    let mut stdout = io::stdout().lock();
    drop(stdout.write_all(LEAVE));
    drop(stdout.flush());
    drop(terminal::disable_raw_mode());
}
