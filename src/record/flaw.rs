//! Why a record is bad: data, not an error.

use std::fmt;

use crate::base::json::JsonKind;
use crate::base::text;

/// What is wrong with a record, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Bytes from the start of the record to what could not be read.
    pub at: u64,
    /// What is wrong.
    pub why: Why,
}

/// The kinds of flaw a record can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A whole JSON value, but no object.
    NotAnObject(JsonKind),
    /// An object without `eventType` and `eventTime`.
    NoEvent,
    /// Text where no JSON begins.
    NotJson,
    /// The start of a saved web or XML page, with its first line.
    MarkupPage(Box<str>),
    /// Another character was wanted here.
    Wanted(&'static str),
    /// A number that JSON does not know, such as `007`.
    Number,
    /// A backslash followed by something JSON does not know.
    Escape,
    /// A string that its line ends.
    OpenString,
    /// The record ends before it is complete.
    Incomplete,
    /// The next record begins before this one is complete.
    CutShort,
    /// The last line of the file ends before its record does; perhaps it is still being written.
    IncompleteLastLine,
    /// A complete object followed by something else.
    Trailing,
    /// This many zero bytes.
    Hole(u64),
    /// Longer than 4 GiB, or a record over many lines longer than 16 MiB.
    TooLong,
}

impl Flaw {
    pub(crate) const fn new(at: usize, why: Why) -> Self {
        Self { at: at as u64, why }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::NotAnObject(JsonKind::Array | JsonKind::Object) => {
                f.write_str("an array without events")
            }
            Why::NotAnObject(kind) => write!(f, "a lone {}, not an object", kind.name()),
            Why::NoEvent => f.write_str("an object without eventType and eventTime"),
            Why::NotJson => f.write_str("not JSON"),
            Why::MarkupPage(first) => {
                write!(f, "not a log but a saved page: {}", text::escape(first))
            }
            Why::Wanted(what) => write!(f, "{what} expected"),
            Why::Number => f.write_str("not a JSON number"),
            Why::Escape => f.write_str("unknown escape in a string"),
            Why::OpenString => f.write_str("string without end on its line"),
            Why::Incomplete | Why::CutShort => f.write_str("record ends before it is complete"),
            Why::IncompleteLastLine => f.write_str("incomplete last line (still being written?)"),
            Why::Trailing => f.write_str("text after the end of the object"),
            Why::Hole(n) => write!(f, "hole of {} zero bytes", text::group(*n)),
            Why::TooLong => f.write_str("record longer than can be indexed"),
        }
    }
}
