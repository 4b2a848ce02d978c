//! Signals: the ones that end us, and the one that stops us for a while.

use crossbeam_channel::Sender;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::app::event::Event;

/// Turns the signals that end a program into an event; ends when nobody listens.
///
/// # Errors
/// Fails when the system refuses.
pub fn listen(events: Sender<Event>) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _signal in signals.forever() {
            if events.send(Event::TerminalGone).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

/// Stops the program as Ctrl-Z would; returns when it is told to go on.
///
/// # Errors
/// Fails when the signal cannot be sent.
pub fn stop_here() -> std::io::Result<()> {
    signal_hook::low_level::emulate_default_handler(SIGTSTP)
}
