//! Tests of attributes over a segment.
//!
//! Where the wanted values are plain words, all bytes are searched for them first, and only records
//! that hold one are read. Others are read in one pass over their members where that is certain.

use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::base::bits::Bits;
use crate::query::exec::segment::{View, drop_bad};
use crate::query::exec::text::mark_rows;
use crate::query::extract::{Extractor, UNCERTAIN, each_member};
use crate::query::filter::{AttributeTest, KnownNames, Rule};
use crate::query::naive::{Verdict, has_attribute};
use crate::query::needle::Needle;
use crate::query::value::Wanted;
use crate::record::flat::{FlatRecord, Place};
use crate::record::head::Flags;
use crate::record::quick::members;

/// More wanted values than this are not searched for one by one.
const MOST_NEEDLES: usize = 6;

/// The sign for kelvin, whose lower case is an ASCII letter; no other sign has that.
const KELVIN: &[u8] = "\u{212a}".as_bytes();

pub(crate) fn keep_attribute(test: &AttributeTest, view: &View<'_>, care: &mut Bits) {
    drop_bad(view, care);
    keep_possible(&test.rule, view, care);
    let columns = &view.segment.columns;
    care.retain(|row| {
        let (record, flags) = (view.record(row), view.flags(row));
        let event_type = columns.event_type[row];
        let names = test.names.of_type(event_type);
        if let [name] = names {
            let mut verdict = Verdict::default();
            name.each(record, flags, &mut |text, kind| verdict.add(&test.rule, text, kind));
            return verdict.of(&test.rule);
        }
        verdict_of(test, names, record, flags).map_or_else(
            || has_attribute(test, event_type, &FlatRecord::read(record)),
            |verdict| verdict.of(&test.rule),
        )
    });
}

/// Returns what the values of several attributes amount to, if one pass over the record tells.
fn verdict_of(
    test: &AttributeTest,
    names: &[Extractor],
    record: &[u8],
    flags: Flags,
) -> Option<Verdict> {
    let mut verdict = Verdict::default();
    each_member(names, record, flags, |text, kind| verdict.add(&test.rule, text, kind))?;
    Some(verdict)
}

/// Takes out rows whose bytes hold none of the wanted values, where that rules them out.
///
/// An escape sequence may spell any letter; rows with one stay.
fn keep_possible(rule: &Rule, view: &View<'_>, care: &mut Bits) {
    let Rule::AnyOf(wanted) = rule else { return };
    let needle_of = |one: &Wanted| match one {
        Wanted::Whole(whole) => whole.needle(),
        _ => None,
    };
    let needles: Option<Vec<Needle>> = wanted.iter().map(needle_of).collect();
    let Some(needles) = needles.filter(|needles| needles.len() <= MOST_NEEDLES) else { return };
    let (escape, kelvin) = (memmem::Finder::new(b"\\u"), memmem::Finder::new(KELVIN));
    let has_k = needles.iter().any(|needle| needle.text().contains(['k', 'K']));
    // Searching all bytes at once is far quicker a byte, but few rows have few bytes.
    if care.count() * 8 < care.len() {
        care.retain(|row| {
            let record = view.record(row);
            needles.iter().any(|needle| needle.find(record).is_some())
                || escape.find(record).is_some()
                || has_k && kelvin.find(record).is_some()
        });
        return;
    }
    let mut possible = Bits::none(care.len());
    for needle in &needles {
        mark_rows(view, |bytes| needle.find_range(bytes), &mut possible);
    }
    mark_rows(view, |bytes| escape.find(bytes).map(|at| at..at + 2), &mut possible);
    if has_k {
        mark_rows(view, |bytes| kelvin.find(bytes).map(|at| at..at + KELVIN.len()), &mut possible);
    }
    care.and(&possible);
}

pub(crate) fn keep_unknown(types: &[KnownNames], view: &View<'_>, care: &mut Bits) {
    drop_bad(view, care);
    let columns = &view.segment.columns;
    // Names as they are recorded, by type, that were found to be known.
    let mut seen: Vec<FxHashSet<&[u8]>> = vec![FxHashSet::default(); types.len()];
    care.retain(|row| {
        let number = usize::from(columns.event_type[row]);
        let (Some(Some(known)), Some(seen)) = (types.get(number), seen.get_mut(number)) else {
            return true;
        };
        let record = view.record(row);
        let certain = view.flags(row).0 & UNCERTAIN == 0;
        let quick = certain.then(|| has_unknown(record, known, seen)).flatten();
        quick.unwrap_or_else(|| {
            FlatRecord::read(record).rows().any(|row| {
                row.depth() == 0 && row.place() == Place::Event && !is_known(row.key(), known)
            })
        })
    });
}

/// Returns whether a record has a member that is not known, if one pass over it tells.
fn has_unknown<'r>(
    record: &'r [u8],
    known: &[String],
    seen: &mut FxHashSet<&'r [u8]>,
) -> Option<bool> {
    let mut any = false;
    members(record, |member| {
        if !seen.contains(member.name) {
            match std::str::from_utf8(member.name) {
                Ok(name) if is_known(name, known) => {
                    seen.insert(member.name);
                }
                _ => any = true,
            }
        }
    })?;
    Some(any)
}

fn is_known(name: &str, known: &[String]) -> bool {
    known.binary_search(&name.to_ascii_lowercase()).is_ok()
}
