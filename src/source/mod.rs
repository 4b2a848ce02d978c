//! Bytes from disk: files found, opened, mapped or decoded, and watched.
//!
//! [`open_all`] turns what the user named (files, folders, patterns, `-`) into [`SourceFile`]s, in a
//! fixed order, and tells what it left out and why. Compressed files and archives are decoded by
//! threads of this module into unlinked temporary files, readable while they grow. The only `unsafe`
//! of the program is in `map`, whose guard keeps a reader alive when a mapped file is truncated.
//!
//! Nothing here knows what a record is, and no descriptor is held for a file that was opened.

mod bytes;
mod decode;
mod file;
mod hints;
mod loan;
mod made;
mod map;
mod open;
mod pattern;
mod sniff;
mod spool;
mod stamp;
mod walk;

use std::path::PathBuf;
use std::sync::Arc;

pub use bytes::Bytes;
pub use file::SourceFile;
pub use hints::PathHints;
pub use made::from_writer;
pub use open::{MmapPolicy, OpenOptions, open_all};
pub use stamp::Change;

/// All files of one run, in the order in which they are read, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct SourceSet {
    /// The files; a `FileId` is a place in this list.
    pub files: Vec<Arc<SourceFile>>,
    /// What was asked for and could not be opened: the reader must be told, and the exit code tells.
    pub refused: Vec<Aside>,
    /// What was found and left out on purpose.
    pub skipped: Vec<Aside>,
    /// Pages of a reference listing that give names to users and sites.
    pub name_tables: Vec<PathBuf>,
}

impl SourceSet {
    /// Files what [`open_all`] found.
    pub fn add(&mut self, found: Found) {
        match found {
            Found::File(file) => self.files.push(file),
            Found::Refused(aside) => self.refused.push(aside),
            Found::Skipped(aside) => self.skipped.push(aside),
            Found::NameTable(path) => self.name_tables.push(path),
        }
    }
}

/// One thing that [`open_all`] came upon.
#[derive(Debug)]
pub enum Found {
    /// A file to read; its bytes may still be coming.
    File(Arc<SourceFile>),
    /// Something that could not be opened.
    Refused(Aside),
    /// Something that is no log or was opened already.
    Skipped(Aside),
    /// A page of `reference/tenant_users` or `reference/tenant_sites`.
    NameTable(PathBuf),
}

/// A path that is not read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The path as found.
    pub path: PathBuf,
    /// The path, or the member of an archive, as it may be shown.
    pub label: String,
    /// The reason, safe to show: `permission denied`, `same file as a.json`.
    pub why: String,
}

/// Something the reader should know about how a file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub kind: NoteKind,
    /// The text, safe to show: `archive ends early at byte 1044`.
    pub text: String,
}

/// How much a [`Note`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// All is well: `converted from UTF-16LE`.
    Info,
    /// Something was lost.
    Problem,
}

impl Note {
    /// Makes a note that takes nothing away.
    pub(crate) fn info(text: impl Into<String>) -> Self {
        Self { kind: NoteKind::Info, text: text.into() }
    }

    /// Makes a note about something lost.
    pub(crate) fn problem(text: impl Into<String>) -> Self {
        Self { kind: NoteKind::Problem, text: text.into() }
    }
}

/// How much of a file is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avail {
    /// Bytes that can be read now.
    pub len: u64,
    /// Whether no more will come.
    pub complete: bool,
}

/// Why waiting for bytes ended without them.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The work was called off.
    #[error("reading was cancelled")]
    Cancelled,
}

/// Returns a file whose bytes are in memory, under a name for display.
pub fn from_memory(name: &str, bytes: Vec<u8>) -> SourceFile {
    SourceFile::in_memory(name, bytes)
}
