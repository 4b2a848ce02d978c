//! Compressed bytes to plain ones, frame after frame, as far as they can be decoded.

use std::io::{self, BufRead, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use zstd::stream::read::Decoder as ZstdDecoder;

use super::Trouble;
use super::input::{Input, Meter};
use crate::source::Note;
use crate::source::sniff::{self, Shape};

/// Memory that an xz decoder may take, in KiB: eight times what `xz -9` needs.
const XZ_MEMORY_KIB: u32 = 512 << 10;
/// The largest window that a zstd frame may ask for, as a power of two: 128 MiB, what `zstd -d`
/// takes when it is not told otherwise.
const ZSTD_WINDOW_LOG: u32 = 27;

/// The compressed formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Format {
    pub(super) const fn of(shape: Shape) -> Option<Self> {
        match shape {
            Shape::Gzip => Some(Self::Gzip),
            Shape::Zstd => Some(Self::Zstd),
            Shape::Bzip2 => Some(Self::Bzip2),
            Shape::Xz => Some(Self::Xz),
            Shape::Plain
            | Shape::Tar
            | Shape::Zip
            | Shape::Utf16Le
            | Shape::Utf16Be
            | Shape::Foreign(_)
            | Shape::Binary => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }
}

impl Format {
    /// Returns whether `head`, which is short only at the end of the input, starts a frame.
    fn may_begin(self, head: &[u8]) -> bool {
        let magic: &[u8] = match self {
            Self::Gzip => &[0x1f, 0x8b, 8],
            Self::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
            Self::Bzip2 => b"BZh",
            Self::Xz => b"\xfd7zXZ\0",
        };
        let n_bytes = magic.len().min(head.len());
        n_bytes > 0 && head[..n_bytes] == magic[..n_bytes]
    }
}

/// Reads all frames (members, streams) of a compressed input as one run of bytes.
///
/// It never fails: where decoding cannot go on, the bytes end and [`Trouble`] says where and why.
pub(super) struct Frames<'r> {
    format: Format,
    state: State<'r>,
    meter: Meter,
    trouble: Trouble,
}

enum State<'r> {
    Between(Input<'r>),
    Gzip(Box<GzDecoder<Input<'r>>>),
    Bzip2(Box<BzDecoder<Input<'r>>>),
    Zstd(Box<ZstdDecoder<'static, Input<'r>>>),
    Xz(Box<XzReader<Input<'r>>>),
    Done,
}

impl<'r> Frames<'r> {
    pub(super) fn new(format: Format, input: Input<'r>, trouble: Trouble) -> Self {
        let meter = input.meter().clone();
        Self { format, state: State::Between(input), meter, trouble }
    }

    /// Starts the next frame, or ends with a note when what follows is none.
    fn next_frame(&mut self, mut input: Input<'r>) -> io::Result<State<'r>> {
        loop {
            let head = input.peek(16)?;
            if self.format == Format::Zstd && sniff::is_skippable_frame(head) && head.len() >= 8 {
                let len = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
                io::copy(&mut (&mut input).take(8 + u64::from(len)), &mut io::sink())?;
                continue;
            }
            if self.format.may_begin(head) {
                break;
            }
            self.end_after(input)?;
            return Ok(State::Done);
        }
        Ok(match self.format {
            Format::Gzip => State::Gzip(Box::new(GzDecoder::new(input))),
            Format::Bzip2 => State::Bzip2(Box::new(BzDecoder::new(input))),
            Format::Zstd => {
                let mut decoder = ZstdDecoder::with_buffer(input)?.single_frame();
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                State::Zstd(Box::new(decoder))
            }
            Format::Xz => State::Xz(Box::new(XzReader::new_mem_limit(input, false, XZ_MEMORY_KIB))),
        })
    }

    /// Looks at what follows the last frame: padding is no news, anything else is.
    fn end_after(&self, mut input: Input<'r>) -> io::Result<()> {
        let end = self.meter.consumed();
        loop {
            let rest = input.fill_buf()?;
            if rest.is_empty() {
                return Ok(());
            }
            if rest.iter().any(|&byte| byte != 0) {
                break;
            }
            let n_bytes = rest.len();
            input.consume(n_bytes);
        }
        let name = self.format.name();
        self.trouble.add(Note::problem(format!(
            "what follows the {name} data at byte {end} is not {name}; it was ignored"
        )));
        Ok(())
    }

    fn read_frame(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.state {
            State::Gzip(decoder) => decoder.read(out),
            State::Bzip2(decoder) => decoder.read(out),
            State::Xz(decoder) => decoder.read(out),
            State::Zstd(decoder) => decoder.read(out),
            State::Between(_) | State::Done => Ok(0),
        }
    }

    fn tell(&self, error: &io::Error) {
        let at = self.meter.consumed();
        let text = if self.meter.is_at_end() && self.meter.failure().is_none() {
            format!("archive ends early at byte {at}")
        } else {
            let why = self.meter.failure().unwrap_or_else(|| error.to_string());
            let why = crate::base::text::escape(&why).into_owned();
            format!("archive is damaged near byte {at}: {why}; what follows is lost")
        };
        self.trouble.add(Note::problem(text));
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if matches!(self.state, State::Done) {
                return Ok(0);
            }
            if !matches!(self.state, State::Between(_)) {
                match self.read_frame(out) {
                    Ok(0) => {}
                    Ok(n) => return Ok(n),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                    Err(e) => {
                        self.tell(&e);
                        self.state = State::Done;
                        return Ok(0);
                    }
                }
            }
            let input = match std::mem::replace(&mut self.state, State::Done) {
                State::Between(input) => input,
                State::Gzip(decoder) => decoder.into_inner(),
                State::Bzip2(decoder) => decoder.into_inner(),
                State::Zstd(decoder) => decoder.finish(),
                State::Xz(decoder) => decoder.into_inner(),
                State::Done => return Ok(0),
            };
            match self.next_frame(input) {
                Ok(state) => self.state = state,
                Err(e) => self.tell(&e),
            }
        }
    }
}
