//! A record flattened to rows of path and value, as the detail pane, filters and exports read it.

use std::collections::HashMap;
use std::ops::Range;

use crate::base::json::JsonKind;
use crate::record::flaw::{Flaw, Why};
use crate::record::walk::{Token, Walk, decode_string};
use crate::record::wrapper;

/// Containers nested deeper than this are one row that holds their recorded text.
pub const DEEPEST: usize = 64;

/// So are containers whose path is longer than this many bytes: each value in them repeats it.
const LONGEST_PATH: usize = 512;

/// One record as rows, in recorded order, parents before children.
#[derive(Clone, Debug, Default)]
pub struct FlatRecord {
    pub(crate) text: String,
    pub(crate) rows: Vec<RowData>,
    /// The kind of the whole value when it is a container.
    root: Option<JsonKind>,
    pub(crate) lenient: bool,
    flaw: Option<Flaw>,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the event proper.
    Event,
    /// In an envelope around the event.
    Wrapper,
}

#[derive(Clone, Debug)]
pub(crate) struct RowData {
    pub(crate) path: Range<usize>,
    pub(crate) key: usize,
    pub(crate) text: Range<usize>,
    pub(crate) span: Range<usize>,
    pub(crate) kind: JsonKind,
    pub(crate) depth: u16,
    pub(crate) place: Place,
    pub(crate) duplicate: bool,
    pub(crate) lossy: bool,
    pub(crate) cut: bool,
}

/// One value of a record.
#[derive(Clone, Copy, Debug)]
pub struct FlatRow<'a> {
    record: &'a FlatRecord,
    row: &'a RowData,
}

impl FlatRecord {
    /// Flattens a record. A broken one yields the rows before the break, and [`Self::problem`].
    pub fn read(bytes: &[u8]) -> Self {
        let mut record = Self::default();
        record.flaw = match record.fill(bytes) {
            Ok(end) if end < bytes.len() => Some(Flaw::new(end, Why::Trailing)),
            Ok(_) => None,
            Err(flaw) => Some(flaw),
        };
        record.mark_duplicates(0);
        wrapper::unwrap(&mut record);
        record
    }

    /// Returns the rows in recorded order.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = FlatRow<'_>> {
        self.rows.iter().map(|row| FlatRow { record: self, row })
    }

    /// Returns the value at `path` in the event; of duplicate keys the last one.
    pub fn get(&self, path: &str) -> Option<FlatRow<'_>> {
        self.rows().rev().find(|row| row.place() == Place::Event && row.path() == path)
    }

    /// Returns the value at `path` in the envelope around the event; of duplicate keys the last one.
    pub fn get_wrapper(&self, path: &str) -> Option<FlatRow<'_>> {
        self.rows().rev().find(|row| row.place() == Place::Wrapper && row.path() == path)
    }

    /// Returns what is wrong with the record, if it could not be read to its end.
    pub const fn problem(&self) -> Option<&Flaw> {
        self.flaw.as_ref()
    }

    /// Returns the kind of the whole value, if there is one.
    pub fn kind(&self) -> Option<JsonKind> {
        self.root.or_else(|| self.rows.first().map(|row| row.kind))
    }

    /// Returns whether something was let pass that RFC 8259 forbids.
    pub const fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// Appends the rows of the value in `bytes`; returns the first byte after it that is not blank.
    pub(crate) fn fill(&mut self, bytes: &[u8]) -> Result<usize, Flaw> {
        let mut walk = Walk::new(bytes, 0);
        let mut open: Vec<Open> = Vec::new();
        let mut name: Option<(Range<usize>, bool)> = None;
        let result = loop {
            let token = match walk.step() {
                Ok(Some(token)) => token,
                Ok(None) => break Ok(walk.next_byte()),
                Err(flaw) => break Err(flaw),
            };
            match token {
                Token::Key(span, escaped) => name = Some((span, escaped)),
                Token::Close(end) => {
                    if let Some(row) = open.pop().and_then(|o| o.row) {
                        self.rows[row].span.end = end;
                    }
                }
                Token::Open(_, kind) if open.is_empty() => {
                    self.root.get_or_insert(kind);
                    open.push(Open { row: None, next: 0 });
                }
                Token::Open(start, kind) => {
                    let row = self.push(bytes, &mut open, name.take(), kind);
                    self.rows[row].span = start..start + 1;
                    if open.len() >= DEEPEST || self.rows[row].path.len() > LONGEST_PATH {
                        let end = walk.leave(walk.depth() - 1).unwrap_or(bytes.len());
                        self.set_text(row, &bytes[start..end], false);
                        self.rows[row].span = start..end;
                        self.rows[row].cut = true;
                    } else {
                        open.push(Open { row: Some(row), next: 0 });
                    }
                }
                Token::Text(span, escaped) => {
                    let row = self.push(bytes, &mut open, name.take(), JsonKind::String);
                    self.rows[row].span = span.start - 1..span.end + 1;
                    self.set_text(row, &bytes[span], escaped);
                }
                Token::Scalar(span, kind) => {
                    let row = self.push(bytes, &mut open, name.take(), kind);
                    self.rows[row].span = span.clone();
                    self.set_text(row, &bytes[span], false);
                }
            }
        };
        self.lenient |= walk.is_lenient();
        result
    }

    fn set_text(&mut self, row: usize, inner: &[u8], escaped: bool) {
        let start = self.text.len();
        let lossy = decode_string(inner, escaped, &mut self.text);
        self.rows[row].text = start..self.text.len();
        self.rows[row].lossy |= lossy;
    }

    /// Appends a row for the value that comes next; returns its number.
    fn push(
        &mut self,
        bytes: &[u8],
        open: &mut [Open],
        name: Option<(Range<usize>, bool)>,
        kind: JsonKind,
    ) -> usize {
        let start = self.text.len();
        let depth = open.len().saturating_sub(1);
        let parent = open.last().and_then(|o| o.row);
        if let Some(parent) = parent {
            let parent = self.rows[parent].path.clone();
            self.text.extend_from_within(parent);
        }
        let mut key = self.text.len();
        let mut lossy = false;
        match (name, open.last_mut()) {
            (Some((span, escaped)), _) => {
                if parent.is_some() {
                    self.text.push('.');
                    key += 1;
                }
                lossy = decode_string(&bytes[span], escaped, &mut self.text);
            }
            (None, Some(parent)) => {
                self.text.push_str(&format!("[{}]", parent.next));
                parent.next += 1;
            }
            (None, None) => {}
        }
        self.rows.push(RowData {
            path: start..self.text.len(),
            key,
            text: 0..0,
            span: 0..0,
            kind,
            depth: u16::try_from(depth).unwrap_or(u16::MAX),
            place: Place::Event,
            duplicate: false,
            lossy,
            cut: false,
        });
        self.rows.len() - 1
    }

    pub(crate) fn mark_duplicates(&mut self, from: usize) {
        let mut seen: HashMap<(u16, &str), usize> = HashMap::new();
        let mut twice = Vec::new();
        for (number, row) in self.rows.iter().enumerate().skip(from) {
            if let Some(first) = seen.insert((row.depth, &self.text[row.path.clone()]), number) {
                twice.extend([first, number]);
            }
        }
        for number in twice {
            self.rows[number].duplicate = true;
        }
    }
}

/// A container that is being read.
struct Open {
    /// Its row; the outermost container has none.
    row: Option<usize>,
    /// The number of its next element.
    next: usize,
}

impl<'a> FlatRow<'a> {
    /// Returns where the value is: `a.b[0].c`, counted from the event.
    pub fn path(self) -> &'a str {
        &self.record.text[self.row.path.clone()]
    }

    /// Returns the last step of the path.
    pub fn key(self) -> &'a str {
        &self.record.text[self.row.key..self.row.path.end]
    }

    /// Returns a string's decoded text, a number or literal as recorded, "" for containers.
    ///
    /// A container nested deeper than [`DEEPEST`] has its recorded text here.
    pub fn text(self) -> &'a str {
        &self.record.text[self.row.text.clone()]
    }

    /// Returns the kind of value.
    pub const fn kind(self) -> JsonKind {
        self.row.kind
    }

    /// Returns how many containers are around it, the outermost not counted.
    pub const fn depth(self) -> u16 {
        self.row.depth
    }

    /// Returns whether it belongs to the event or to an envelope around it.
    pub const fn place(self) -> Place {
        self.row.place
    }

    /// Returns the bytes of the value as recorded, counted from the start of the record.
    pub fn span(self) -> Range<usize> {
        self.row.span.clone()
    }

    /// Returns whether its key occurs more than once in its object.
    pub const fn is_duplicate(self) -> bool {
        self.row.duplicate
    }

    /// Returns whether its key or text holds what is no Unicode text, replaced by U+FFFD.
    pub const fn is_lossy(self) -> bool {
        self.row.lossy
    }

    /// Returns whether it is a container too deep to be unfolded, with its recorded text.
    pub const fn is_cut(self) -> bool {
        self.row.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<(String, String)> {
        let record = FlatRecord::read(text.as_bytes());
        record.rows().map(|r| (r.path().to_owned(), r.text().to_owned())).collect()
    }

    #[test]
    fn values_have_paths_and_keep_their_recorded_numbers() {
        let text = r#"{"eventType":"x","a":{"b":[1,{"c":12345678901234567890123}]},"d":null}"#;
        let expected = [
            ("eventType", "x"),
            ("a", ""),
            ("a.b", ""),
            ("a.b[0]", "1"),
            ("a.b[1]", ""),
            ("a.b[1].c", "12345678901234567890123"),
            ("d", "null"),
        ];
        let expected: Vec<_> = expected.map(|(p, t)| (p.to_owned(), t.to_owned())).into();
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn of_duplicate_keys_the_last_counts_and_both_are_marked() {
        let record = FlatRecord::read(br#"{"eventType":"a","n":1,"event\u0054ype":"b"}"#);
        assert_eq!(record.get("eventType").map(FlatRow::text), Some("b"));
        let marked: Vec<_> = record.rows().map(FlatRow::is_duplicate).collect();
        assert_eq!(marked, [true, false, true]);
    }

    #[test]
    fn spans_point_at_the_recorded_bytes() {
        let text = br#"{"eventType":"x", "o":{"k":"v\n"},"n": -1.0}"#;
        let record = FlatRecord::read(text);
        let span = |path: &str| {
            let span = record.get(path).map(FlatRow::span).expect("a row");
            std::str::from_utf8(&text[span]).expect("text")
        };
        assert_eq!((span("eventType"), span("o.k"), span("n")), ("\"x\"", r#""v\n""#, "-1.0"));
        assert_eq!(span("o"), r#"{"k":"v\n"}"#);
    }

    #[test]
    fn what_is_too_deep_is_shown_as_text() {
        let deep = format!("{{\"eventType\":\"x\",\"a\":{}{}}}", "[".repeat(500), "]".repeat(500));
        let record = FlatRecord::read(deep.as_bytes());
        assert!(record.problem().is_none());
        let last = record.rows().last().expect("rows");
        assert!(last.is_cut());
        assert_eq!(last.text().len(), 2 * (500 - DEEPEST + 1));
    }

    #[test]
    fn a_long_path_is_not_repeated() {
        let name = "k".repeat(1000);
        let text = format!("{{\"{name}\":[1,[2]]}}");
        assert_eq!(rows(&text), [(name, "[1,[2]]".to_owned())]);
    }

    #[test]
    fn a_member_without_a_name_is_a_step_too() {
        let found = rows(r#"{"":{"eventType":"y"},"eventType":"x"}"#);
        let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["", ".eventType", "eventType"]);
    }

    #[test]
    fn what_follows_the_value_is_a_flaw() {
        let record = FlatRecord::read(b"{\"eventType\":\"x\"} rest");
        assert_eq!(record.problem(), Some(&Flaw::new(18, Why::Trailing)));
        assert_eq!(FlatRecord::read(b" {\"eventType\":\"x\"} \r\n").problem(), None);
    }

    #[test]
    fn a_broken_record_yields_what_came_before() {
        let record = FlatRecord::read(br#"{"eventType":"x","a":tru"#);
        assert_eq!(record.get("eventType").map(FlatRow::text), Some("x"));
        assert_eq!(record.problem().map(|flaw| flaw.at), Some(24));
    }
}
