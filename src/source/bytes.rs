//! Bytes that are either mapped or owned, and positioned reads.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

/// Bytes of a file: a view of the map, or a copy.
#[derive(Debug)]
pub enum Bytes<'a> {
    /// Borrowed from a map.
    Mapped(&'a [u8]),
    /// Read into memory.
    Owned(Vec<u8>),
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Fills `buf` from `offset` on, as far as the file goes; returns how much that was.
///
/// # Errors
/// When the system cannot read.
pub(super) fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut done = 0;
    while done < buf.len() {
        match read_some_at(file, &mut buf[done..], offset + done as u64) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(done)
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// When the system cannot write, such as on a full disk.
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match write_some_at(file, &bytes[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => done += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// Returns a range of offsets as one of `slice`, if it lies inside.
pub(super) fn within(slice: &[u8], range: Range<u64>) -> io::Result<&[u8]> {
    let start = usize::try_from(range.start).unwrap_or(usize::MAX);
    let end = usize::try_from(range.end).unwrap_or(usize::MAX);
    slice.get(start..end).ok_or_else(|| outside(&range, slice.len() as u64))
}

/// Returns the error for a range that the bytes do not have.
pub(super) fn outside(range: &Range<u64>, len: u64) -> io::Error {
    let why = format!("bytes {}..{} of {len} were asked for", range.start, range.end);
    io::Error::new(io::ErrorKind::UnexpectedEof, why)
}

#[cfg(unix)]
fn read_some_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buf, offset)
}

#[cfg(unix)]
fn write_some_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_some_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buf, offset)
}

#[cfg(windows)]
fn write_some_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}
