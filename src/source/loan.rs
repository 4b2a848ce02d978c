//! Buffers for files that are read when they are opened, so that they are opened once.
//!
//! There are only so many: whoever opens more files than are read meanwhile gets none, and the file is
//! opened again when it is read. A buffer goes back when its file is read or dropped.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files up to this many bytes are read when they are opened.
pub(super) const LARGEST: usize = 256 << 10;
/// Buffers lent out at one time: at most 32 MiB.
pub(super) const MOST: usize = 64;

/// The buffers of one run.
#[derive(Debug, Default)]
pub(super) struct Loans(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    lent: usize,
    free: Vec<Vec<u8>>,
}

/// A buffer that holds all bytes of a file.
#[derive(Debug)]
pub(super) struct Loan {
    bytes: Vec<u8>,
    home: Arc<Loans>,
}

impl Loans {
    /// Lends a buffer of `len` bytes, if a file that long is small and a buffer is free.
    pub(super) fn lend(self: &Arc<Self>, len: usize) -> Option<Loan> {
        if len > LARGEST {
            return None;
        }
        let mut state = self.lock();
        if state.lent >= MOST {
            return None;
        }
        state.lent += 1;
        let mut bytes = state.free.pop().unwrap_or_default();
        drop(state);
        bytes.resize(len, 0);
        Some(Loan { bytes, home: Arc::clone(self) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that is done under the lock can leave the state half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loan {
    /// Fills the buffer; `read` returns how far it came.
    pub(super) fn fill(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> io::Result<usize>,
    ) -> io::Result<()> {
        let n_read = read(&mut self.bytes)?;
        self.bytes.truncate(n_read);
        Ok(())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Puts the bytes into `buf`, and gives back what `buf` was.
    pub(super) fn swap(mut self, buf: &mut Vec<u8>) {
        std::mem::swap(&mut self.bytes, buf);
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        let mut state = self.home.lock();
        state.lent -= 1;
        // A reader's own buffer may be as long as the longest file it met; growing doubles it.
        if self.bytes.capacity() <= 2 * LARGEST {
            state.free.push(std::mem::take(&mut self.bytes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_are_lent_and_what_is_given_back_is_lent_again() {
        let loans = Arc::new(Loans::default());
        assert!(loans.lend(LARGEST + 1).is_none());
        let mut lent: Vec<Loan> = (0..MOST).map(|_| loans.lend(100).expect("a buffer")).collect();
        assert!(loans.lend(1).is_none());
        lent[0]
            .fill(|buf| {
                buf[..2].copy_from_slice(b"ab");
                Ok(2)
            })
            .expect("filled");
        let mut own = Vec::with_capacity(5_000);
        lent.swap_remove(0).swap(&mut own);
        assert_eq!(own, b"ab");
        let again = loans.lend(10).expect("a buffer");
        assert_eq!((again.bytes(), again.bytes.capacity()), (&[0; 10][..], 5_000));
        drop((again, lent));
        assert_eq!(loans.lock().lent, 0);
        assert_eq!(loans.lock().free.len(), MOST);
    }
}
