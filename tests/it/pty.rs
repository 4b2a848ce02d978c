//! The real program on a pseudo-terminal: what it leaves behind, and how it lives with signals.
#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a screen may take to come; far longer than it ever does.
const PATIENCE: Duration = Duration::from_secs(30);

struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn std::io::Write + Send>,
    output: Receiver<Vec<u8>>,
    raw: Vec<u8>,
    screen: vt100::Parser,
    _log: tempfile::TempDir,
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    fn start(term: &str) -> Self {
        Self::run(term, CommandBuilder::new(env!("CARGO_BIN_EXE_actlog")))
    }

    /// Runs `command` with the path of a log of two events as its last argument.
    fn run(term: &str, mut command: CommandBuilder) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.jsonl");
        let event = "{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-02T09:00:00Z\"}\n";
        std::fs::write(&path, event.repeat(2)).unwrap();
        let pty = native_pty_system().openpty(size(100, 30)).unwrap();
        command.arg(&path);
        command.env("TERM", term);
        command.env("XDG_STATE_HOME", folder.path());
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buf = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut buf) {
                if sender.send(buf[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keyboard = pty.master.take_writer().unwrap();
        let screen = vt100::Parser::new(30, 100, 0);
        let (master, raw) = (pty.master, Vec::new());
        Self { master, child, keyboard, output, raw, screen, _log: folder }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn signal(&self, signal: i32) {
        let pid = self.child.process_id().unwrap();
        let done = std::process::Command::new("kill")
            .args([format!("-{signal}"), pid.to_string()])
            .status()
            .unwrap();
        assert!(done.success());
    }

    /// Waits until the screen or the bytes so far are as wanted.
    #[track_caller]
    fn until(&mut self, what: &str, wanted: impl Fn(&vt100::Screen, &[u8]) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !wanted(self.screen.screen(), &self.raw) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    self.screen.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(_) => panic!("no {what}:\n{}", self.screen.screen().contents()),
            }
        }
    }

    #[track_caller]
    fn until_shown(&mut self, words: &str) {
        self.until(words, |screen, _| screen.contents().contains(words));
    }

    /// Waits until the program has given the terminal back.
    #[track_caller]
    fn until_restored(&mut self) {
        self.until("restored terminal", |screen, raw| {
            let left = raw.windows(8).any(|bytes| bytes == b"\x1b[?1049l");
            left && !screen.hide_cursor() && !screen.alternate_screen()
        });
    }
}

#[test]
fn quitting_gives_the_terminal_back() {
    let mut terminal = Terminal::start("xterm-256color");
    terminal.until_shown("2 events");
    assert!(terminal.screen.screen().alternate_screen());
    terminal.press("q");
    terminal.until_restored();
    assert!(terminal.child.wait().unwrap().success());
}

#[test]
fn being_told_to_end_gives_the_terminal_back() {
    for (signal, code) in [(15, 143), (1, 129), (2, 130)] {
        let mut terminal = Terminal::start("xterm");
        terminal.until_shown("2 events");
        terminal.signal(signal);
        terminal.until_restored();
        assert_eq!(terminal.child.wait().unwrap().exit_code(), code);
    }
}

#[test]
fn a_new_size_is_drawn_in_full() {
    let mut terminal = Terminal::start("xterm");
    terminal.until_shown("2 events");
    terminal.screen.screen_mut().set_size(10, 44);
    terminal.master.resize(size(44, 10)).unwrap();
    terminal.until("smaller screen", |screen, _| {
        screen.contents().contains("2 / 2") || screen.contents().contains("1 / 2")
    });
    terminal.press("Q");
    terminal.until_restored();
}

#[test]
fn a_terminal_without_screens_is_talked_to_in_lines() {
    let mut terminal = Terminal::start("dumb");
    terminal.until_shown("actlog>");
    terminal.press("2\r");
    terminal.until_shown("two.jsonl:2");
    terminal.press("quit\r");
    assert!(terminal.child.wait().unwrap().success());
    assert!(!terminal.raw.contains(&0x1b), "lines need no escape sequences");
}

#[test]
fn stopping_goes_back_to_a_shell_and_nowhere_else() {
    // Nobody could wake it here: it leads the session itself.
    let mut terminal = Terminal::start("xterm");
    terminal.until_shown("2 events");
    terminal.press("\x1a");
    terminal.until_shown("no shell here");
    terminal.press("Q");
    terminal.until("end", |screen, _| !screen.alternate_screen());

    let mut shell = CommandBuilder::new("sh");
    shell.args(["-c", "set -m; \"$0\" \"$1\"; echo code $?; fg"]);
    shell.arg(env!("CARGO_BIN_EXE_actlog"));
    let mut terminal = Terminal::run("xterm", shell);
    terminal.until_shown("2 events");
    terminal.press("\x1a");
    terminal.until("the shell and then the screen again", |screen, raw| {
        let shell = raw.windows(8).position(|bytes| bytes == b"code 148");
        let enter = raw.windows(8).rposition(|bytes| bytes == b"\x1b[?1049h");
        screen.contents().contains("2 events") && shell.is_some() && shell < enter
    });
    terminal.press("Q");
    terminal.until("end", |screen, _| !screen.alternate_screen());
}
