//! Runs work on the spot, for tests: nothing happens until it is asked for.

use crate::base::cancel::CancelToken;
use crate::jobs::msg::{Request, Ticket, Update};
use crate::jobs::run::run;

/// Does one piece of work and returns all its news.
pub fn run_now(ticket: Ticket, request: &Request) -> Vec<Update> {
    let mut updates = Vec::new();
    run(request, &CancelToken::never(), &mut |outcome| updates.push(Update { ticket, outcome }));
    updates
}
