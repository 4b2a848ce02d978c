//! Runs work on threads: one for questions, one for searches, one for reading records.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::base::cancel::{CancelSource, CancelToken};
use crate::jobs::msg::{Outcome, Request, Slot, Ticket, Update};
use crate::jobs::run::run;

/// The threads; they end when this is dropped and their work is done or called off.
pub struct Threads {
    slots: [CancelSource; Slot::ALL.len()],
    ask: Sender<Work>,
    search: Sender<Work>,
    read: Sender<Work>,
}

struct Work {
    ticket: Ticket,
    request: Box<Request>,
    cancel: CancelToken,
}

/// Takes news of work; returns false when nobody listens any more.
pub type Tell = dyn Fn(Update) -> bool + Send;

impl Threads {
    /// Starts the threads; `listener` makes for each of them what takes its news.
    ///
    /// # Errors
    /// Fails when no thread can be had.
    pub fn start(listener: &dyn Fn() -> Box<Tell>) -> std::io::Result<Self> {
        Ok(Self {
            slots: std::array::from_fn(|_| CancelSource::default()),
            ask: worker("query", listener())?,
            search: worker("search", listener())?,
            read: worker("io", listener())?,
        })
    }

    /// Starts a piece of work; the one before it in its slot is called off.
    pub fn begin(&self, ticket: Ticket, request: Box<Request>) {
        let cancel = self.slots[ticket.slot as usize].renew();
        let work = Work { ticket, request, cancel };
        let queue = match ticket.slot {
            Slot::Ask | Slot::Spans | Slot::Preview => &self.ask,
            Slot::Search | Slot::Step => &self.search,
            Slot::Detail | Slot::Labels | Slot::Problems => &self.read,
        };
        // A worker that is gone leaves its slot unanswered, which the screen shows as waiting.
        drop(queue.send(work));
    }

    /// Calls off the work of a slot.
    pub fn cancel(&self, slot: Slot) {
        self.slots[slot as usize].cancel();
    }

    /// Calls off all work.
    pub fn cancel_all(&self) {
        self.slots.iter().for_each(CancelSource::cancel);
    }
}

fn worker(name: &str, tell: Box<Tell>) -> std::io::Result<Sender<Work>> {
    let (sender, receiver) = unbounded();
    std::thread::Builder::new().name(name.to_owned()).spawn(move || serve(&receiver, &*tell))?;
    Ok(sender)
}

fn serve(queue: &Receiver<Work>, tell: &Tell) {
    while let Ok(work) = queue.recv() {
        let Work { ticket, request, cancel } = work;
        if cancel.is_cancelled() {
            continue;
        }
        let mut listening = true;
        let done = catch_unwind(AssertUnwindSafe(|| {
            run(&request, &cancel, &mut |outcome| listening = tell(Update { ticket, outcome }));
        }));
        if done.is_err() {
            let words =
                format!("the {:?} job broke off; this is a bug", ticket.slot).to_lowercase();
            listening = tell(Update { ticket, outcome: Outcome::Failed(words) });
        }
        if !listening {
            return;
        }
    }
}
