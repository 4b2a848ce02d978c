//! What a file was when it was opened, and what has become of it.

use std::fs::Metadata;
use std::hash::BuildHasher;
use std::time::SystemTime;

use rustc_hash::FxBuildHasher;

/// Bytes at the start of a file that tell two files apart and give away compressed ones.
pub(super) const HEAD: usize = 512;

/// What a second look at a file found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing happened to it.
    Same,
    /// It is the same file with more at its end; lengths in bytes.
    Grown {
        /// The length before.
        from: u64,
        /// The length now.
        to: u64,
    },
    /// It is the same file, cut; lengths in bytes. Records past `to` are gone.
    Shrunk {
        /// The length before.
        from: u64,
        /// The length now.
        to: u64,
    },
    /// Another file has its name now, or its contents were written anew.
    Replaced,
    /// No file has its name any more.
    Gone,
    /// It is there and cannot be looked at, or a part of it cannot be read from the disk.
    Unreadable,
}

/// A file's identity and state: device, inode, length, time of change, hash of its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub(super) identity: Identity,
    pub(super) len: u64,
    modified: Option<SystemTime>,
    head_len: usize,
    head_hash: u64,
}

/// (device, inode): equal for two names of one file. `None` where the system has no such thing.
pub(super) type Identity = Option<(u64, u64)>;

impl FileStamp {
    /// Describes a file from its metadata and its first bytes, at most [`HEAD`] of them.
    pub(super) fn new(meta: &Metadata, head: &[u8]) -> Self {
        let head = &head[..head.len().min(HEAD)];
        Self {
            identity: identity(meta),
            len: meta.len(),
            modified: meta.modified().ok(),
            head_len: head.len(),
            head_hash: FxBuildHasher.hash_one(head),
        }
    }

    /// Returns how many first bytes [`FileStamp::compare`] wants to see.
    pub(super) const fn head_len(&self) -> usize {
        self.head_len
    }

    /// Returns whether `meta` alone shows that nothing happened.
    pub(super) fn is_untouched(&self, meta: &Metadata) -> bool {
        identity(meta) == self.identity
            && meta.len() == self.len
            && meta.modified().ok() == self.modified
    }

    /// Compares with a newer look, whose head is as long as this one's where the file allows.
    ///
    /// A file cut and written again past its old length is told by its head; one written again to
    /// the same length by its time.
    pub(super) fn compare(&self, now: &Self) -> Change {
        let same_head = now.head_len == self.head_len && now.head_hash == self.head_hash;
        if self.identity != now.identity {
            Change::Replaced
        } else if now.len < self.len {
            Change::Shrunk { from: self.len, to: now.len }
        } else if !same_head {
            Change::Replaced
        } else if self.len < now.len {
            Change::Grown { from: self.len, to: now.len }
        } else if self.modified == now.modified {
            Change::Same
        } else {
            Change::Replaced
        }
    }
}

/// Returns what identifies the file behind `meta`, whatever its name.
#[cfg(unix)]
pub(super) fn identity(meta: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

/// Returns what identifies the file behind `meta`: nothing, on this system.
#[cfg(not(unix))]
pub(super) fn identity(_: &Metadata) -> Identity {
    None
}
