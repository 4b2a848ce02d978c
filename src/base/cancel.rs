//! How long work learns that nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::id::Generation;

/// The newest generation of one kind of work, shared with those who may be running an older one.
#[derive(Clone, Debug, Default)]
pub struct CancelSource(Arc<AtomicU64>);

impl CancelSource {
    /// Starts a new generation, which cancels all tokens handed out before.
    pub fn renew(&self) -> CancelToken {
        let generation = self.0.fetch_add(1, Ordering::AcqRel) + 1;
        CancelToken { newest: Arc::clone(&self.0), generation }
    }

    /// Cancels all tokens handed out so far.
    pub fn cancel(&self) {
        self.0.fetch_add(1, Ordering::AcqRel);
    }
}

/// Asked at block boundaries (at most 64 Ki events or 4 MiB apart) whether to stop.
#[derive(Clone, Debug)]
pub struct CancelToken {
    newest: Arc<AtomicU64>,
    generation: u64,
}

impl CancelToken {
    /// Returns a token that nobody cancels.
    pub fn never() -> Self {
        CancelSource::default().renew()
    }

    /// Returns whether newer work was started or this was called off.
    pub fn is_cancelled(&self) -> bool {
        self.newest.load(Ordering::Acquire) != self.generation
    }

    /// Returns the generation this token stands for.
    pub const fn generation(&self) -> Generation {
        Generation(self.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_token_cancels_the_older() {
        let source = CancelSource::default();
        let old = source.renew();
        assert!(!old.is_cancelled());
        let new = source.renew();
        assert!(old.is_cancelled() && !new.is_cancelled());
        source.cancel();
        assert!(new.is_cancelled());
    }
}
