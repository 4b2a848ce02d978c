//! Slices written on several threads, handed over in order. The demo's only place with threads.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Makes parts `0..n_parts` on `n_threads` threads and hands them to `take` in order.
///
/// At most two finished parts per thread wait to be taken. Buffers are used again.
///
/// # Errors
/// Ends early with the first error of `take`.
pub(super) fn in_order(
    n_parts: u64,
    n_threads: usize,
    make: &(dyn Fn(u64, &mut Vec<u8>) + Sync),
    take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let n_threads = (n_threads as u64).clamp(1, n_parts.max(1));
    if n_threads == 1 {
        let mut buffer = Vec::new();
        for part in 0..n_parts {
            buffer.clear();
            make(part, &mut buffer);
            take(&buffer)?;
        }
        return Ok(());
    }
    thread::scope(|scope| {
        let mut lanes = Vec::new();
        for first in 0..n_threads {
            let (full_in, full_out) = sync_channel(1);
            let (empty_in, empty_out) = sync_channel(3);
            let parts = (first..n_parts).step_by(n_threads as usize);
            scope.spawn(move || work(parts, make, &full_in, &empty_out));
            lanes.push((full_out, empty_in));
        }
        collect(n_parts, &lanes, take)
    })
}

fn work(
    parts: impl Iterator<Item = u64>,
    make: &(dyn Fn(u64, &mut Vec<u8>) + Sync),
    full: &SyncSender<Vec<u8>>,
    empty: &Receiver<Vec<u8>>,
) {
    for part in parts {
        let mut buffer: Vec<u8> = empty.try_recv().unwrap_or_default();
        buffer.clear();
        make(part, &mut buffer);
        if full.send(buffer).is_err() {
            return;
        }
    }
}

type Lane = (Receiver<Vec<u8>>, SyncSender<Vec<u8>>);

fn collect(
    n_parts: u64,
    lanes: &[Lane],
    take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    for part in 0..n_parts {
        let (full, empty) = &lanes[(part % lanes.len() as u64) as usize];
        let buffer = full.recv().map_err(|_| io::Error::other("a writing thread ended early"))?;
        take(&buffer)?;
        // A lane that has ended needs no buffer back.
        let _unused = empty.try_send(buffer);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_order_on_any_number_of_threads() {
        for n_threads in [1, 2, 3, 8] {
            let mut seen = Vec::new();
            let make = |part: u64, out: &mut Vec<u8>| out.push(part as u8);
            let mut take = |bytes: &[u8]| {
                seen.extend_from_slice(bytes);
                Ok(())
            };
            in_order(50, n_threads, &make, &mut take).unwrap();
            assert_eq!(seen, (0..50).collect::<Vec<u8>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let make = |_: u64, out: &mut Vec<u8>| out.push(1);
        let mut take = |_: &[u8]| Err(io::Error::other("full"));
        let error = in_order(1_000, 2, &make, &mut take).unwrap_err();
        assert_eq!(error.to_string(), "full");
    }
}
