//! Values of one attribute straight from a record's bytes, where that is certain.
//!
//! Certain are records with one object and no backslash: there a name in quotes followed by a
//! colon is a key, and the first of its object. All others are read value by value.

use memchr::{memchr, memchr_iter, memmem};

use crate::base::json::JsonKind;
use crate::query::ast::Case;
use crate::query::naive::rows_of;
use crate::query::needle::Needle;
use crate::record::flat::FlatRecord;
use crate::record::head::Flags;
use crate::record::quick::{Kind, Member, members};

/// Looks for the values of one attribute.
#[derive(Clone, Debug)]
pub struct Extractor {
    name: String,
    /// The name in quotes; `None` when the name is not plain enough.
    key: Option<Needle>,
}

/// Flags of records that are read value by value.
pub(crate) const UNCERTAIN: u16 = Flags::DUPLICATE_KEY.0
    | Flags::INVALID_UTF8.0
    | Flags::WRAPPED.0
    | Flags::PREFIXED.0
    | Flags::LENIENT.0
    | Flags::BAD.0;

impl Extractor {
    /// Returns the way to the attribute at this name or path.
    pub fn new(name: &str) -> Self {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let is_plain = !name.is_empty() && name.bytes().all(plain);
        let key = is_plain.then(|| Needle::new(&format!("\"{name}\""), Case::Ignored));
        Self { name: name.to_owned(), key }
    }

    /// Returns the attribute's name or path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls `visit` with each value of the attribute in `record`.
    pub(crate) fn each(&self, record: &[u8], flags: Flags, visit: &mut dyn FnMut(&str, JsonKind)) {
        if self.is_surely_absent(record, flags) {
            return;
        }
        if is_certain(record, flags) {
            let mut found: Option<(&str, JsonKind)> = None;
            let mut more = Vec::new();
            let certainty = self.scan(record, &mut found, &mut more);
            if certainty == Certainty::Certain {
                if let Some((text, kind)) = found {
                    visit(text, kind);
                }
                more.into_iter().for_each(|(text, kind)| visit(text, kind));
                return;
            }
        }
        if self.key.is_some() {
            let mut found = Vec::new();
            if each_member(std::slice::from_ref(self), record, flags, |text, kind| {
                found.push((text, kind));
            })
            .is_some()
            {
                found.into_iter().for_each(|(text, kind)| visit(text, kind));
                return;
            }
        }
        let record = FlatRecord::read(record);
        for row in rows_of(&record, &self.name) {
            visit(row.text(), row.kind());
        }
    }

    /// Returns whether the record cannot have the attribute: its name is nowhere in quotes, and no
    /// escape could spell it. This also holds for nested records.
    #[inline]
    pub(crate) fn is_surely_absent(&self, record: &[u8], flags: Flags) -> bool {
        // An event in an envelope may stand in a string, where all quotes are escaped.
        let Some(key) = &self.key else { return false };
        !flags.has(Flags::WRAPPED)
            && key.find(record).is_none()
            && memmem::find(record, b"\\u").is_none()
    }

    fn scan<'r>(
        &self,
        record: &'r [u8],
        first: &mut Option<(&'r str, JsonKind)>,
        more: &mut Vec<(&'r str, JsonKind)>,
    ) -> Certainty {
        let Some(key) = &self.key else { return Certainty::Unsure };
        let mut rest = record;
        while let Some(at) = key.find(rest) {
            rest = rest[at + self.name.len() + 2..].trim_ascii_start();
            let Some(value) = rest.strip_prefix(b":") else { continue };
            match read_scalar(value.trim_ascii_start()) {
                Some(value) if first.is_none() => *first = Some(value),
                Some(value) => more.push(value),
                None => return Certainty::Unsure,
            }
        }
        Certainty::Certain
    }
}

/// Calls `visit` with each value of some attributes in one pass over the record. Returns `None` when
/// that is not certain; what was visited is then not to be relied on.
pub(crate) fn each_member<'r>(
    names: &[Extractor],
    record: &'r [u8],
    flags: Flags,
    mut visit: impl FnMut(&'r str, JsonKind),
) -> Option<()> {
    if flags.0 & UNCERTAIN != 0 || names.iter().any(|name| name.key.is_none()) {
        return None;
    }
    let mut all_read = Some(());
    members(record, |member| {
        if !names.iter().any(|name| member.name.eq_ignore_ascii_case(name.name.as_bytes())) {
            return;
        }
        match plain_value(&member) {
            Some((text, kind)) => visit(text, kind),
            None => all_read = None,
        }
    })?;
    all_read
}

/// Returns the text and kind of a value without escapes that is neither array nor object.
fn plain_value<'r>(member: &Member<'r>) -> Option<(&'r str, JsonKind)> {
    let text = std::str::from_utf8(member.value).ok()?;
    let kind = match member.kind {
        Kind::Nested => return None,
        Kind::Text if text.contains('\\') => return None,
        Kind::Text => JsonKind::String,
        Kind::Null => JsonKind::Null,
        Kind::True | Kind::False => JsonKind::Bool,
        Kind::Number if text.contains('.') => JsonKind::Float,
        Kind::Number => JsonKind::Integer,
    };
    Some((text, kind))
}

/// Whether the quick reader can answer for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Certain,
    Unsure,
}

/// Returns whether a record is one plain object without backslashes.
#[inline]
pub(crate) fn is_certain(record: &[u8], flags: Flags) -> bool {
    flags.0 & UNCERTAIN == 0
        && memchr(b'\\', record).is_none()
        && memchr_iter(b'{', record).nth(1).is_none()
}

/// Reads a string without escapes, a number or a literal.
fn read_scalar(bytes: &[u8]) -> Option<(&str, JsonKind)> {
    match bytes.first()? {
        b'"' => {
            let len = memchr(b'"', &bytes[1..])?;
            Some((std::str::from_utf8(&bytes[1..=len]).ok()?, JsonKind::String))
        }
        b'[' | b'{' => None,
        first => {
            let ends = |b: &u8| matches!(b, b',' | b'}' | b']') || b.is_ascii_whitespace();
            let len = bytes.iter().position(ends)?;
            let text = std::str::from_utf8(&bytes[..len]).ok()?;
            let kind = match first {
                b'n' => JsonKind::Null,
                b't' | b'f' => JsonKind::Bool,
                _ if text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) => JsonKind::Float,
                _ => JsonKind::Integer,
            };
            Some((text, kind))
        }
    }
}
