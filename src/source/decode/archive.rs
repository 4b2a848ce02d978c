//! The members of tar and zip archives, one after another.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

use zip::CompressionMethod;
use zip::read::{ZipArchive, ZipFile};

use super::input::{Input, Meter};
use super::{Next, Open, Place, Run};
use crate::source::{Note, walk};

/// Bytes that the headers of one tar member may take: names of any sane length fit.
const HEADER_ALLOWANCE: u64 = 1 << 20;

impl Run<'_> {
    /// Reads the members of a tar archive as they come.
    pub(super) fn tar(&mut self, place: &Place, input: Input<'_>) {
        let meter = input.meter().clone();
        let allowance = Rc::new(Cell::new(HEADER_ALLOWANCE));
        let mut archive = tar::Archive::new(Allowed { input, left: Rc::clone(&allowance) });
        let Ok(mut entries) = archive.entries() else { return };
        let mut layout = Layout::default();
        let mut last: Option<Open> = None;
        loop {
            allowance.set(HEADER_ALLOWANCE);
            let entry = match entries.next() {
                Some(Ok(entry)) => Some(entry),
                None => None,
                Some(Err(e)) => {
                    self.tell_torn(last.as_ref(), &meter, &e);
                    None
                }
            };
            if let Some(open) = last.take() {
                // What went wrong while looking for the next member is told with the last one.
                open.note_all(self.trouble.take());
            }
            let Some(mut entry) = entry else { return };
            allowance.set(u64::MAX);
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let size = entry.size();
            let kind = entry.header().entry_type();
            let member = Place { member: place.inside(&name), depth: place.depth };
            let mut taken = Counted { inner: &mut entry, n_bytes: 0 };
            if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() {
                match layout.verdict(&name) {
                    Some(why) => self.skip(&member, why),
                    None => last = self.unpack(&member, Input::new(&mut taken)),
                }
            } else if !kind.is_dir() {
                self.skip(&member, "a link or special file in an archive");
            }
            if last.as_ref().is_some_and(|open| open.next == Next::Stop) || self.is_called_off() {
                return;
            }
            if !self.step_over(&mut taken) {
                return;
            }
            if taken.n_bytes < size {
                self.tell_torn(last.as_ref(), &meter, &io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Reads the members of a zip archive by its directory, or in sequence where that is missing.
    pub(super) fn zip(&mut self, file: File) {
        let again = file.try_clone();
        let mut archive = match ZipArchive::new(BufReader::new(file)) {
            Ok(archive) => archive,
            Err(_) => {
                let Ok(mut file) = again else { return };
                if io::Seek::rewind(&mut file).is_ok() {
                    let place = Place { member: String::new(), depth: 1 };
                    self.zip_stream(&place, Input::new(file));
                }
                return;
            }
        };
        let mut layout = Layout::default();
        for name in archive.file_names().flatten() {
            layout.see(&name);
        }
        let place = Place { member: String::new(), depth: 1 };
        for number in 0..archive.len() {
            let name = match archive.name_for_index(number) {
                Some(Ok(name)) => name.into_owned(),
                _ => format!("member {number}"),
            };
            let is_deflate = archive.by_index_raw(number).is_ok_and(|member| is_ours(&member));
            let opened = if is_deflate {
                archive.by_index(number)
            } else {
                // bzip2, xz and zstd members are whole streams of their kind.
                archive.by_index_raw(number)
            };
            let at = Place { member: place.inside(&name), depth: 1 };
            match opened {
                Ok(member) if member.encrypted() => self.refuse(&at, "encrypted"),
                Ok(mut member) => {
                    if self.zip_member(&at, &mut member, &mut layout) == Next::Stop {
                        return;
                    }
                }
                Err(e) => self.refuse(&at, &crate::base::text::escape(&e.to_string())),
            }
        }
    }

    /// Reads the members of a zip archive that cannot be sought, or has lost its directory.
    pub(super) fn zip_stream(&mut self, place: &Place, mut input: Input<'_>) {
        let meter = input.meter().clone();
        let mut layout = Layout::default();
        loop {
            match zip::read::read_zipfile_from_stream(&mut input) {
                Ok(Some(mut member)) => {
                    let place = place.member(&member);
                    if self.zip_member(&place, &mut member, &mut layout) == Next::Stop {
                        return;
                    }
                }
                Ok(None) => return,
                Err(e) => {
                    let e = io::Error::other(e);
                    self.tell_torn(None, &meter, &e);
                    return;
                }
            }
        }
    }

    fn zip_member<R: Read>(
        &mut self,
        at: &Place,
        member: &mut ZipFile<'_, R>,
        layout: &mut Layout,
    ) -> Next {
        if member.is_dir() {
            return Next::GoOn;
        }
        if let Some(why) = layout.verdict(&at.member) {
            self.skip(at, why);
            return Next::GoOn;
        }
        match self.unpack(at, Input::new(member)) {
            Some(open) => open.next,
            None if self.is_called_off() => Next::Stop,
            None => Next::GoOn,
        }
    }

    /// Reads what nobody wanted; returns whether to go on.
    fn step_over(&mut self, rest: &mut dyn Read) -> bool {
        let mut buf = vec![0; 64 << 10];
        loop {
            match rest.read(&mut buf) {
                Ok(0) => return true,
                Ok(n) => {
                    if let Some(why) = self.budget.refuses(n as u64) {
                        self.trouble.add(Note::problem(why));
                        return false;
                    }
                    self.budget.written += n as u64;
                }
                Err(_) => return true,
            }
            if self.is_called_off() {
                return false;
            }
        }
    }

    fn is_called_off(&self) -> bool {
        self.shared.cancel.is_cancelled() || self.report.is_none()
    }

    /// Says that an archive ended early or is damaged, unless a layer below or the last member
    /// said so already.
    fn tell_torn(&self, last: Option<&Open>, meter: &Meter, error: &io::Error) {
        let is_told = last.is_some_and(|open| open.sink.stream().has_problem());
        if is_told || !self.trouble.is_empty() {
            return;
        }
        let at = meter.consumed();
        self.trouble.add(Note::problem(if meter.is_at_end() {
            format!("archive ends early at byte {at}")
        } else {
            let why = walk::why(error);
            format!("archive is damaged near byte {at}: {why}; what follows is lost")
        }));
    }
}

impl Place {
    fn inside(&self, name: &str) -> String {
        let name = name.trim_start_matches("./");
        if self.member.is_empty() { name.to_owned() } else { format!("{}!/{name}", self.member) }
    }

    fn member<R: Read>(&self, member: &ZipFile<'_, R>) -> Self {
        let name = match std::str::from_utf8(member.name_raw()) {
            Ok(name) => name.into(),
            // Old archives write names in the character set of DOS, which this knows.
            Err(_) => member.name().unwrap_or_else(|_| String::from_utf8_lossy(member.name_raw())),
        };
        Self { member: self.inside(&name), depth: self.depth }
    }
}

fn is_ours<R: Read>(member: &ZipFile<'_, R>) -> bool {
    matches!(member.compression(), CompressionMethod::Stored | CompressionMethod::Deflated)
}

/// What the names seen so far say about the shape of a capture.
#[derive(Debug, Default)]
struct Layout {
    /// Folders that hold an extract, so that their other folders are its neighbours.
    captures: HashSet<String>,
}

impl Layout {
    fn see(&mut self, name: &str) {
        let mut folder = String::new();
        for step in name.split('/') {
            if walk::marks_capture(step.as_ref()) {
                self.captures.insert(folder);
                return;
            }
            folder.push_str(step);
            folder.push('/');
        }
    }

    /// Returns why a member is not read, if so.
    fn verdict(&mut self, name: &str) -> Option<&'static str> {
        self.see(name);
        let steps: Vec<&str> = name.split('/').collect();
        let (file, folders) = steps.split_last()?;
        if steps.iter().any(|step| *step == "__MACOSX" || (step.starts_with('.') && step.len() > 2))
        {
            return Some("a hidden file or folder");
        }
        let after_reference = folders
            .windows(2)
            .any(|pair| pair[0] == "reference" && walk::NAME_TABLES.contains(&pair[1]));
        if after_reference {
            return Some("a reference listing, not a log");
        }
        let in_capture = folders.iter().any(|step| walk::is_capture_step((*step).as_ref()));
        if in_capture {
            let is_part = file.rsplit_once('.').is_some_and(|(_, suffix)| suffix == "part");
            return is_part.then_some("a download that was not finished");
        }
        let mut folder = String::new();
        for step in folders {
            if walk::NEIGHBOURS.contains(step) && self.captures.contains(&folder) {
                return Some("not part of the extract");
            }
            folder.push_str(step);
            folder.push('/');
        }
        None
    }
}

/// An input that ends with an error when the headers of one tar member take too much.
struct Allowed<'r> {
    input: Input<'r>,
    left: Rc<Cell<u64>>,
}

impl Read for Allowed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other("a member's name is too long"));
        }
        let n_bytes = self.input.read(out)?;
        self.left.set(self.left.get().saturating_sub(n_bytes as u64));
        Ok(n_bytes)
    }
}

/// A reader that counts.
struct Counted<R> {
    inner: R,
    n_bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.inner.read(out)?;
        self.n_bytes += n_bytes as u64;
        Ok(n_bytes)
    }
}
