//! Text over a segment: one search through all its bytes, hits mapped to rows by their offsets.
//!
//! A record also matches when the text is in a key or value only after decoding. That takes an
//! escape sequence, so only records with one that could matter are read value by value.

use memchr::{memchr, memmem};

use crate::base::bits::Bits;
use crate::query::exec::segment::View;
use crate::query::extract::UNCERTAIN;
use crate::query::filter::{Looks, TextRegex, TextTest};
use crate::query::naive::has_decoded;
use crate::query::needle::Needle;
use crate::record::flat::FlatRecord;
use crate::record::head::Flags;
use crate::record::quick::{Kind, members};

pub(crate) fn keep_text(test: &TextTest, view: &View<'_>, care: &mut Bits) {
    match test {
        TextTest::Piece(needle) if needle.text().is_empty() => {}
        TextTest::Piece(needle) => keep_piece(test, needle, view, care),
        TextTest::Regex(_) => keep_one_by_one(test, view, care),
    }
}

fn keep_piece(test: &TextTest, needle: &Needle, view: &View<'_>, care: &mut Bits) {
    let wanted = care.count();
    // Searching all bytes at once is far quicker a byte, but few rows have few bytes.
    if wanted * 8 < care.len() {
        keep_one_by_one(test, view, care);
        return;
    }
    let mut found = Bits::none(care.len());
    mark_rows(view, |bytes| needle.find_range(bytes), &mut found);
    let mut maybe = Bits::none(care.len());
    match Escape::of(needle) {
        Escape::Any => {
            mark_rows(view, |bytes| memchr(b'\\', bytes).map(|at| at..at + 1), &mut maybe)
        }
        Escape::Unicode(start) => {
            let finder = memmem::Finder::new(start);
            mark_rows(view, |bytes| finder.find(bytes).map(|at| at..at + start.len()), &mut maybe);
        }
    }
    mark_lossy(needle.text(), view, &mut maybe);
    maybe.and(care);
    maybe.and_not(&found);
    maybe.each(|row| {
        let is_bad = view.flags(row).has(Flags::BAD);
        if !is_bad && has_by_decoding(test, view.record(row), view.flags(row)) {
            found.add(row);
        }
    });
    care.and(&found);
}

/// Which escape sequence must be in a record for the text to appear by decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// Any: the text has characters with short escapes.
    Any,
    /// One that starts like this.
    Unicode(&'static [u8]),
}

impl Escape {
    fn of(needle: &Needle) -> Self {
        let short = |c: char| matches!(c, '"' | '\\' | '/') || c.is_ascii_control();
        if needle.text().contains(short) {
            Self::Any
        } else if needle.text().is_ascii() {
            Self::Unicode(b"\\u00")
        } else {
            Self::Unicode(b"\\u")
        }
    }
}

fn may_be_escaped(needle: &Needle, record: &[u8], flags: Flags) -> bool {
    if flags.has(Flags::BAD) {
        return false;
    }
    let has_escape = match Escape::of(needle) {
        Escape::Any => memchr(b'\\', record).is_some(),
        Escape::Unicode(start) => memmem::find(record, start).is_some(),
    };
    has_escape || flags.has(Flags::INVALID_UTF8) && needle.text().contains('\u{fffd}')
}

/// Bytes that are no UTF-8 decode to U+FFFD.
fn mark_lossy(text: &str, view: &View<'_>, rows: &mut Bits) {
    if text.contains('\u{fffd}') {
        let lossy = Flags::INVALID_UTF8.0;
        rows.or(&Bits::of(&view.segment.columns.flags, |flags| flags & lossy != 0));
    }
}

/// Marks each row in whose record `find` finds something.
pub(crate) fn mark_rows(
    view: &View<'_>,
    find: impl Fn(&[u8]) -> Option<std::ops::Range<usize>>,
    rows: &mut Bits,
) {
    let columns = &view.segment.columns;
    let bytes = view.bytes();
    let mut at = 0;
    let mut row = 0;
    while let Some(hit) = bytes.get(at..).and_then(&find) {
        let hit = at + hit.start..at + hit.end;
        let later = columns.offset[row..].partition_point(|&offset| offset as usize <= hit.start);
        let Some(inside) = (row + later).checked_sub(1) else {
            at = hit.start + 1;
            continue;
        };
        row = inside;
        let end = columns.offset[row] as usize + columns.len[row] as usize;
        if hit.end <= end {
            rows.add(row);
            at = end;
        } else {
            at = hit.start + 1;
        }
    }
}

fn keep_one_by_one(test: &TextTest, view: &View<'_>, care: &mut Bits) {
    care.retain(|row| record_has(test, view.record(row), view.flags(row)));
}

/// Returns whether one record has the text, as recorded or decoded.
pub(crate) fn record_has(test: &TextTest, record: &[u8], flags: Flags) -> bool {
    if test.is_in(record) {
        return true;
    }
    let may = match test {
        TextTest::Piece(needle) => may_be_escaped(needle, record, flags),
        TextTest::Regex(regex) => {
            regex.looks == Looks::Around
                || memchr(b'\\', record).is_some()
                || flags.has(Flags::INVALID_UTF8)
        }
    };
    may && !flags.has(Flags::BAD) && has_by_decoding(test, record, flags)
}

/// Returns whether a record that does not have the text as recorded has it in a decoded key or value.
///
/// What has no escapes is the same decoded, so there only tests that look around a match can differ.
fn has_by_decoding(test: &TextTest, record: &[u8], flags: Flags) -> bool {
    let looks_around = matches!(test, TextTest::Regex(TextRegex { looks: Looks::Around, .. }));
    let (mut found, mut has_nested, mut text) = (false, false, String::new());
    let certain = (flags.0 & UNCERTAIN == 0).then(|| {
        members(record, |member| {
            let is_escaped = memchr(b'\\', member.value).is_some();
            if found || !(is_escaped || looks_around) {
                return;
            }
            if member.kind == Kind::Nested {
                has_nested = true;
                return;
            }
            text.clear();
            member.decode(&mut text);
            found = test.is_in(text.as_bytes()) || looks_around && test.is_in(member.name);
        })
    });
    if certain.flatten().is_some() && (found || !has_nested) {
        return found;
    }
    has_decoded(test, &FlatRecord::read(record))
}
