//! Any bytes as a log: what is found depends neither on pieces, nor on threads, nor on how much of
//! the file was there when reading began, and no byte goes astray.
//!
//! The first two bytes of an input are the size of pieces and the step by which the file grows.

#![no_main]

use std::ops::Range;
use std::sync::Arc;

use actlog::base::cancel::CancelToken;
use actlog::base::id::EventId;
use actlog::base::progress::Progress;
use actlog::index::Index;
use actlog::index::build::{Options, Watch, run};
use actlog::index::names::KnownTypes;
use actlog::record::flaw::{Flaw, Why};
use actlog::record::frame::{self, Consumed, Mode, Piece, Sink};
use actlog::record::head::{Flags, Head, HeadReader, Outcome};
use actlog::source::{Found, from_memory};
use libfuzzer_sys::fuzz_target;

/// A file is made to grow in at most this many steps.
const STEPS: usize = 40;

/// Members that may hold an array of events: what is around the array is no record.
const ARRAYS: [&str; 7] = [
    "\"Records\"",
    "\"records\"",
    "\"events\"",
    "\"results\"",
    "\"items\"",
    "\"logEvents\"",
    "\"value\"",
];

fuzz_target!(|data: &[u8]| {
    let [size, step, log @ ..] = data else { return };
    // Threads cost a hundred times what the rest does, so only some inputs get them.
    let is_threaded = step % 16 == 0;
    let (size, step) = (usize::from(*size) + 1, usize::from(*step) + 1);
    if is_threaded {
        same(&build(log, 1, 4 << 20), &build(log, 2, size));
    }
    let rows = all_at_once(log);
    assert_eq!(rows, in_pieces(log, size), "pieces of {size}");
    assert_eq!(rows, growing(log, step), "steps of {step}");
    in_order(&rows, log.len());
    nothing_is_lost(log, &rows);
});

fn build(log: &[u8], threads: usize, piece: usize) -> Arc<Index> {
    let options = Options { threads, piece, known: Arc::new(KnownTypes::default()) };
    let mut watch = Watch {
        progress: &Progress::default(),
        cancel: &CancelToken::never(),
        publish: &mut |_| {},
    };
    let source = Arc::new(from_memory("log", log.to_vec()));
    run(Box::new(|found| found(Found::File(source))), &options, &mut watch)
}

fn same(whole: &Index, cut: &Index) {
    assert_eq!((whole.rows(), whole.bad()), (cut.rows(), cut.bad()));
    assert_eq!(whole.files()[0].torn, cut.files()[0].torn);
    assert!(whole.is_final() && cut.is_final());
    for id in (0..whole.rows()).map(EventId) {
        let (a, b) = (whole.row(id), cut.row(id));
        assert_eq!(a, b);
        assert_eq!(whole.flaw(id), cut.flaw(id));
        assert_eq!(a.flags.has(Flags::BAD), whole.flaw(id).is_some());
        assert_eq!(whole.type_name(a.event_type), cut.type_name(b.event_type));
        assert_eq!(whole.actor_name(a.actor), cut.actor_name(b.actor));
        assert_eq!(whole.outcome_name(a.outcome), cut.outcome_name(b.outcome));
        assert!(whole.record(id).is_ok_and(|bytes| bytes.len() == a.len as usize));
    }
    assert!(whole.order().iter().eq(cut.order().iter()));
}

/// A record as framing hands it on.
#[derive(Debug, PartialEq)]
enum Row {
    Event { span: Range<usize>, flags: Flags, words: [Option<String>; 4], time: i64 },
    Bad { span: Range<usize>, flaw: Flaw },
}

impl Row {
    fn span(&self) -> Range<usize> {
        match self {
            Self::Event { span, .. } | Self::Bad { span, .. } => span.clone(),
        }
    }

    fn is_prefixed(&self) -> bool {
        matches!(self, Self::Event { flags, .. } if flags.has(Flags::PREFIXED))
    }
}

#[derive(Default)]
struct Rows(Vec<Row>);

impl Sink for Rows {
    fn event(&mut self, span: Range<usize>, head: &Head<'_>) {
        let outcome = match head.outcome {
            Outcome::Missing => None,
            Outcome::Null => Some("(null)"),
            Outcome::Text(text) => Some(text),
        };
        let words = [head.event_type, head.envelope_type, head.actor, outcome];
        let words = words.map(|word| word.map(str::to_owned));
        self.0.push(Row::Event { span, flags: head.flags, words, time: head.time.0 });
    }

    fn bad(&mut self, span: Range<usize>, flaw: Flaw) {
        self.0.push(Row::Bad { span, flaw });
    }
}

fn all_at_once(log: &[u8]) -> Vec<Row> {
    let mut rows = Rows::default();
    let piece = Piece { bytes: log, range: 0..log.len(), mode: Mode::Lines, complete: true };
    let consumed = frame::read(&piece, &mut HeadReader::default(), &mut rows);
    assert_eq!(consumed.to, log.len(), "a complete file is read to its end");
    rows.0
}

fn in_pieces(log: &[u8], size: usize) -> Vec<Row> {
    let (mut rows, mut reader) = (Rows::default(), HeadReader::default());
    let mut read = Consumed { to: 0, mode: Mode::Lines };
    for end in (size..log.len()).step_by(size).chain([log.len()]) {
        let range = read.to.min(end)..end;
        if range.start == read.to {
            let piece = Piece { bytes: log, range, mode: read.mode, complete: true };
            read = frame::read(&piece, &mut reader, &mut rows);
        }
    }
    rows.0
}

fn growing(log: &[u8], step: usize) -> Vec<Row> {
    let (mut rows, mut reader) = (Rows::default(), HeadReader::default());
    let mut read = Consumed { to: 0, mode: Mode::Lines };
    let steps = (step..log.len()).step_by(step).take(STEPS).map(|len| (len, false));
    for (len, complete) in steps.chain([(log.len(), true)]) {
        let bytes = &log[..len];
        let range = read.to.min(len)..len;
        if range.start == read.to {
            let piece = Piece { bytes, range, mode: read.mode, complete };
            read = frame::read(&piece, &mut reader, &mut rows);
        }
    }
    rows.0
}

fn in_order(rows: &[Row], len: usize) {
    let mut before = 0;
    for row in rows {
        let span = row.span();
        assert!(before <= span.start && span.start < span.end && span.end <= len, "{row:?}");
        before = span.end;
        if let Row::Bad { flaw, .. } = row {
            // The place may be the byte after the record, or later when its end was looked for.
            assert!(span.start as u64 + flaw.at <= len as u64, "{row:?}");
            let hole = matches!(flaw.why, Why::Hole(zeros) if zeros != span.len() as u64);
            assert!(!hole, "{row:?}");
        }
    }
}

/// Whatever is in no row is blank, punctuation of an array, or text before an event.
fn nothing_is_lost(log: &[u8], rows: &[Row]) {
    let mut gaps = Vec::new();
    let mut at = 0;
    for row in rows {
        gaps.push((at..row.span().start, row.is_prefixed()));
        at = row.span().end;
    }
    gaps.push((at..log.len(), false));
    let text = String::from_utf8_lossy(log);
    let has_wrapper = text.contains("\\u") || ARRAYS.iter().any(|name| text.contains(name));
    for (span, before_prefixed) in gaps {
        let mut gap = &log[span.clone()];
        if before_prefixed {
            let feed = gap.iter().rposition(|&b| b == b'\n');
            gap = &gap[..feed.map_or(0, |feed| feed + 1)];
        }
        if has_wrapper {
            for line in gap.split(|&b| b == b'\n') {
                let is_event = HeadReader::default().read(line, |_| ()).is_ok();
                assert!(!line.starts_with(b"{") || !is_event, "an event in {span:?} is nowhere");
            }
            continue;
        }
        while let [first, rest @ ..] = gap {
            let mark = gap.strip_prefix(b"\xef\xbb\xbf");
            let is_fine = mark.is_some() || b" \t\r\n\x0c,[]".contains(first);
            assert!(is_fine, "a byte in {span:?} is nowhere");
            gap = mark.unwrap_or(rest);
        }
    }
}
