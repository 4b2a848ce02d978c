//! Signals: the ones that end us, and the ones that stop us for a while and wake us again.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use rustix::process::{Signal, kill_current_process_group};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals as Caught;

use crate::app::event::Event;

/// How long stopping may take; who is not stopped by then will not be.
const PATIENCE: Duration = Duration::from_millis(250);

/// The number of the signal that a terminal sends when it goes away.
pub const HANG_UP: i32 = SIGHUP;

/// The thread that waits for signals, and what it tells besides events.
pub struct Signals {
    continued: Receiver<()>,
}

/// What became of an attempt to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// We were stopped, and go on now.
    AndContinued,
    /// The system did not stop us: there is no shell that could wake us again.
    NotAtAll,
}

impl Signals {
    /// Turns the signals that end a program into events; ends when nobody listens.
    ///
    /// # Errors
    /// Fails when the system refuses.
    pub fn listen(events: Sender<Event>) -> std::io::Result<Self> {
        let mut caught = Caught::new([SIGTERM, SIGHUP, SIGINT, SIGCONT])?;
        let (told, continued) = bounded(1);
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in caught.forever() {
                let event = if signal == SIGCONT {
                    // One that is not taken yet tells as much as two.
                    let _full = told.try_send(());
                    Event::Continued
                } else {
                    Event::Ended(signal)
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { continued })
    }

    /// Stops all processes of our group, as a terminal does on Ctrl-Z: a shell that waits for one of
    /// them notices. The system does not stop a group that no shell could wake again, such as one
    /// whose leader began the session.
    ///
    /// # Errors
    /// Fails when the signal cannot be sent.
    pub fn stop_here(&self) -> std::io::Result<Stopped> {
        while self.continued.try_recv().is_ok() {}
        let start = Instant::now();
        kill_current_process_group(Signal::TSTP)?;
        let told = self.continued.recv_timeout(PATIENCE).is_ok();
        // Time passes while we are stopped, so waiting that took too long was a stop as well.
        let stopped = told || 2 * PATIENCE < start.elapsed();
        Ok(if stopped { Stopped::AndContinued } else { Stopped::NotAtAll })
    }

    /// Returns whether we were stopped and woken by somebody else since this was asked last.
    pub fn was_continued(&self) -> bool {
        self.continued.try_recv().is_ok()
    }
}
