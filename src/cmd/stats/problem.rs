//! What could not be read, guessed or doubted, with its place.

use crate::base::id::{EventId, FileId};
use crate::index::{Index, Torn};
use crate::record::flat::FlatRecord;
use crate::record::head::Flags;
use crate::source::{NoteKind, SourceFile};

/// One problem; safe to show.
pub(super) struct Problem {
    pub(super) file: String,
    /// Line from 1 and bytes from the start of the file, where there is a place.
    pub(super) place: Option<(u64, u64)>,
    pub(super) reason: String,
}

/// Flags of events that are problems, not mere notes.
const DOUBTED: [Flags; 1] = [Flags::DUPLICATE_KEY];

/// What the flags of events come to, in words: one, many.
pub(super) const NOTES: [(Flags, &str); 12] = [
    (Flags::DUPLICATE_KEY, "with a key named twice (the last counts)"),
    (Flags::INVALID_UTF8, "with text that is not valid Unicode"),
    (Flags::NO_ZONE, "without zone offset, taken as UTC"),
    (Flags::EPOCH_TIME, "timed by an epoch number"),
    (Flags::LEAP_SECOND, "in a leap second"),
    (Flags::NO_TIME, "without usable time"),
    (Flags::FAR_OFF, "timed before 1677 or after 2262"),
    (Flags::TYPE_FROM_PATH, "with the type taken from path or envelope"),
    (Flags::TYPE_DISAGREES, "whose body and path disagree about the type"),
    (Flags::WRAPPED, "unwrapped from an envelope"),
    (Flags::PREFIXED, "with text before the object"),
    (Flags::LENIENT, "with characters that JSON forbids"),
];

/// Returns the first problems in file order, and how many there are.
pub(super) fn list(index: &Index, most: usize) -> (Vec<Problem>, usize) {
    let mut problems = Vec::new();
    let mut found = 0;
    let mut segments = index.segments().iter().peekable();
    for (number, (file, summary)) in index.sources().files.iter().zip(index.files()).enumerate() {
        let id = FileId(u32::try_from(number).unwrap_or(u32::MAX));
        let mut places: Vec<(u64, String)> = Vec::new();
        let room = most - problems.len().min(most);
        while let Some(segment) = segments.next_if(|segment| segment.file == id) {
            let doubted = DOUBTED.iter().any(|flag| segment.stats.any_flags.has(*flag));
            if segment.bad.is_empty() && !doubted {
                continue;
            }
            let rows = segment.columns.flags.iter().zip(segment.first.0..);
            for (&flags, row) in rows {
                let flags = Flags(flags);
                if !flags.has(Flags::BAD) && !DOUBTED.iter().any(|flag| flags.has(*flag)) {
                    continue;
                }
                found += 1;
                if places.len() < room {
                    let row = EventId(row);
                    places.push((index.row(row).offset, reason(index, row, flags)));
                }
            }
        }
        if let Some(torn) = &summary.torn {
            found += 1;
            places.push((torn.offset, torn_reason(file, torn)));
        }
        places.truncate(room);
        let offsets: Vec<u64> = places.iter().map(|(offset, _)| *offset).collect();
        let lines = index.lines(id, &offsets).unwrap_or_default();
        let label = || file.label().to_owned();
        for (at, (offset, reason)) in places.into_iter().enumerate() {
            let place = lines.get(at).map(|&line| (line, offset));
            problems.push(Problem { file: label(), place, reason });
        }
        for note in file.notes().into_iter().filter(|note| note.kind == NoteKind::Problem) {
            found += 1;
            if problems.len() < most {
                problems.push(Problem { file: label(), place: None, reason: note.text });
            }
        }
    }
    (problems, found)
}

/// Returns what a torn last record is; one in an archive is not being written any more.
pub(super) fn torn_reason(file: &SourceFile, torn: &Torn) -> String {
    if file.is_decoded() { "incomplete last line".to_owned() } else { torn.flaw.to_string() }
}

fn reason(index: &Index, row: EventId, flags: Flags) -> String {
    if let Some(flaw) = index.flaw(row) {
        return flaw.to_string();
    }
    if flags.has(Flags::DUPLICATE_KEY) {
        let bytes = index.record(row).unwrap_or_default();
        let record = FlatRecord::read(&bytes);
        let twice = record.rows().find(|row| row.is_duplicate() && row.depth() == 0);
        let key = twice.map_or(String::new(), |row| crate::base::text::escape(row.key()).into());
        return format!("duplicate key `{key}`: the last one counts");
    }
    "unknown".to_owned()
}
