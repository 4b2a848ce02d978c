//! A filter as it was written: the tree, with the place of every part in the text.

use std::ops::Range;

/// Bytes of the filter's text.
pub type Span = Range<usize>;

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The part cannot be understood and was left out.
    Error,
    /// The part is understood, and may not be what was meant.
    Warning,
}

/// Something wrong with a filter's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The part of the text that is meant.
    pub span: Span,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What may have been meant, to be put in place of the span.
    pub suggestion: Option<String>,
    /// Whether the part was left out.
    pub severity: Severity,
}

impl Problem {
    /// Returns a problem that leaves the part out.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), suggestion: None, severity: Severity::Error }
    }

    /// Returns a problem that leaves the part in.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), suggestion: None, severity: Severity::Warning }
    }

    /// Returns the problem with what may have been meant.
    #[must_use]
    pub fn or_rather(mut self, suggestion: Option<String>) -> Self {
        self.suggestion = suggestion;
        self
    }

    /// Returns the message with its suggestion, in one line.
    pub fn line(&self) -> String {
        match &self.suggestion {
            Some(meant) => format!("{}; did you mean `{meant}`?", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns the text, a line of carets under the part that is meant, and the message.
    pub fn with_caret(&self, text: &str) -> String {
        use crate::base::text::{escape, width};
        let start = floor_char(text, self.span.start);
        let end = floor_char(text, self.span.end.max(start)).max(start);
        let before = width(&escape(&text[..start]));
        let marked = width(&escape(&text[start..end])).max(1);
        let blanks = " ".repeat(before);
        let carets = "^".repeat(marked);
        format!("{}\n{blanks}{carets}\n{}", escape(text), escape(&self.line()))
    }
}

fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// An empty filter: everything.
    All,
    /// All of them.
    And(Vec<Self>),
    /// Any of them.
    Or(Vec<Self>),
    /// What this does not match.
    Not(Box<Self>),
    /// One condition.
    Term(Term),
    /// A part that could not be understood; it is left out.
    Broken(Span),
}

impl Expr {
    /// Calls `visit` with every term, in the order they are written.
    pub fn each_term<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        match self {
            Self::All | Self::Broken(_) => {}
            Self::And(parts) | Self::Or(parts) => {
                parts.iter().for_each(|part| part.each_term(visit));
            }
            Self::Not(part) => part.each_term(visit),
            Self::Term(term) => visit(term),
        }
    }
}

/// One condition and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The whole condition.
    pub span: Span,
    /// What it asks.
    pub kind: TermKind,
}

/// What a condition asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Text somewhere in the event.
    Text(Value),
    /// A value of one field.
    Field(FieldTerm),
}

/// `name op value,value…`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTerm {
    /// The field's name as written, without quotes.
    pub name: String,
    /// Where the name is.
    pub name_span: Span,
    /// Whether an event without the attribute matches too.
    pub absent: Absent,
    /// The operator.
    pub op: Op,
    /// Where the operator is.
    pub op_span: Span,
    /// The values, any of which will do; never empty.
    pub values: Vec<Value>,
}

/// What an event without the attribute does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// It does not match.
    Fails,
    /// It matches (`attr?:x`).
    Matches,
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `:`
    Like,
    /// `=`
    Is,
    /// `!=`
    IsNot,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where it is, with its quotes.
    pub span: Span,
    /// What it is.
    pub kind: ValueKind,
}

/// A value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Without quotes; a `*` may stand for anything.
    Word(String),
    /// In quotes: taken as it is.
    Quoted(String),
    /// `/pattern/` or `/pattern/i`.
    Regex {
        /// What stands between the slashes.
        pattern: String,
        /// Whether upper and lower case differ.
        case: Case,
    },
    /// `low..high`; one end may be open.
    Range(Option<String>, Option<String>),
    /// `@file`: one value a line.
    File(String),
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Case {
    /// They differ.
    Exact,
    /// They are the same.
    Ignored,
}
