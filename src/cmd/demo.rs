//! `actlog demo --write`: an invented log, to a file or to standard output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use tempfile::NamedTempFile;

use crate::demo::{self, DemoOptions, Summary};
use crate::schema::catalog::Catalog;

/// Where a demo log goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To standard output: the path `-`.
    Stdout,
    /// To a file that must not exist yet.
    NewFile(PathBuf),
    /// To a file, in place of any that is there.
    File(PathBuf),
}

impl Target {
    /// Makes a target of what `--write` and `--force` say.
    pub fn new(path: &Path, force: Force) -> Self {
        match force {
            _ if path.as_os_str() == "-" => Self::Stdout,
            Force::Keep => Self::NewFile(path.to_owned()),
            Force::Replace => Self::File(path.to_owned()),
        }
    }
}

/// Whether a file that is there may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// It is left as it is.
    Keep,
    /// It is replaced.
    Replace,
}

/// Writes a demo log to its target and says on `notes` what was written.
///
/// A file appears under its name only when it is whole.
///
/// # Errors
/// Fails when the file is there and must be kept, or when it cannot be written. A closed pipe is an
/// error of kind `BrokenPipe`, which the caller takes for a quiet end.
pub fn write(
    options: &DemoOptions,
    catalog: &Catalog,
    target: &Target,
    stdout: &mut dyn Write,
    notes: &mut dyn Write,
) -> anyhow::Result<Summary> {
    let summary = match target {
        Target::Stdout => demo::write_to(options, catalog, stdout)?,
        Target::NewFile(path) => {
            if path.symlink_metadata().is_ok() {
                bail!("{} is there already; --force replaces it", path.display());
            }
            write_file(options, catalog, path, Force::Keep)?
        }
        Target::File(path) => write_file(options, catalog, path, Force::Replace)?,
    };
    let name = match target {
        Target::Stdout => "standard output".to_owned(),
        Target::NewFile(path) | Target::File(path) => path.display().to_string(),
    };
    // The note is a courtesy: a log that is written must not fail for want of a terminal.
    let _noted = writeln!(notes, "{}", summary_line(&summary, options.seed, &name));
    Ok(summary)
}

/// Returns what was written, in words.
fn summary_line(summary: &Summary, seed: u64, name: &str) -> String {
    let bad = match summary.bad {
        0 => String::new(),
        1 => " and 1 broken line".to_owned(),
        n => format!(" and {n} broken lines"),
    };
    let events = summary.events;
    let megabytes = summary.bytes as f64 / 1e6;
    format!("wrote {events} events{bad} ({megabytes:.1} MB, seed {seed}) to {name}")
}

fn write_file(
    options: &DemoOptions,
    catalog: &Catalog,
    path: &Path,
    force: Force,
) -> anyhow::Result<Summary> {
    let doing = || format!("cannot write {}", path.display());
    let is_special = path.metadata().is_ok_and(|found| !found.is_file());
    if is_special && force == Force::Replace {
        // A device or pipe cannot be replaced, only written to.
        let mut out = File::options().write(true).open(path).with_context(doing)?;
        return demo::write_to(options, catalog, &mut out).with_context(doing);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let file = NamedTempFile::new_in(folder).with_context(doing)?;
    let mut out = BufWriter::new(file);
    let summary = demo::write_to(options, catalog, &mut out).with_context(doing)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error).with_context(doing)?;
    make_readable(file.as_file()).with_context(doing)?;
    match force {
        Force::Keep => file.persist_noclobber(path),
        Force::Replace => file.persist(path),
    }
    .map_err(|failed| failed.error)
    .with_context(doing)?;
    Ok(summary)
}

/// Gives a log the permissions of a file that everybody may read; temporary files have fewer.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// Temporary files have the folder's permissions here.
#[cfg(not(unix))]
fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
}
