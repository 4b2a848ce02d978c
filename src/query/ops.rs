//! The operators, in one table that the lexer, the completion and the help share.

use crate::query::ast::Op;

/// One way to write an operator.
#[derive(Debug)]
pub struct OpInfo {
    /// How it is written after a field's name.
    pub spelling: &'static str,
    /// What it is.
    pub op: Op,
    /// How the echo says it.
    pub words: &'static str,
    /// An example, for the help.
    pub example: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
}

/// Every operator; the lexer takes the first whose spelling fits, so longer ones come first.
pub const OPS: &[OpInfo] = &[
    OpInfo {
        spelling: "!=",
        op: Op::IsNot,
        words: "has another value than",
        example: "outcome!=success",
        doc: "the attribute has a value, and none of these",
    },
    OpInfo {
        spelling: "<=",
        op: Op::AtMost,
        words: "at most",
        example: "size<=100MiB",
        doc: "at most; a number, a size, a duration or a time, else in the order of the text",
    },
    OpInfo {
        spelling: ">=",
        op: Op::AtLeast,
        words: "at least",
        example: "time>=2026-03-02",
        doc: "at least",
    },
    OpInfo {
        spelling: "<",
        op: Op::Less,
        words: "less than",
        example: "hour<6",
        doc: "less than, or before",
    },
    OpInfo {
        spelling: ">",
        op: Op::More,
        words: "more than",
        example: "duration>5s",
        doc: "more than, or after",
    },
    OpInfo {
        spelling: "=",
        op: Op::Is,
        words: "is exactly",
        example: "workbookName=\"Sales EU\"",
        doc: "as `:`, but upper and lower case differ and `*` is only a star",
    },
    OpInfo {
        spelling: ":",
        op: Op::Like,
        words: "is",
        example: "type:hist_*,login*",
        doc: "is one of these values; case does not matter, `*` stands for anything",
    },
];

/// A piece of grammar that is no operator of a field.
#[derive(Debug)]
pub struct Syntax {
    /// How it is written.
    pub spelling: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
}

/// What joins terms, and how values are written.
pub const SYNTAX: &[Syntax] = &[
    Syntax { spelling: "word", doc: "the text, anywhere in the event; case does not matter" },
    Syntax {
        spelling: "\"some words\"",
        doc: "the same, with blanks and signs; write \\\" for a quote",
    },
    Syntax { spelling: "/regex/", doc: "a regular expression; /regex/i ignores case" },
    Syntax { spelling: "a b, a and b", doc: "both; binds tighter than `or`" },
    Syntax { spelling: "a or b", doc: "either" },
    Syntax { spelling: "not a, -a", doc: "what `a` does not match" },
    Syntax { spelling: "( )", doc: "groups" },
    Syntax { spelling: "field:a,b", doc: "one of several values" },
    Syntax {
        spelling: "field:low..high",
        doc: "between, both ends included; an end may be left open",
    },
    Syntax { spelling: "field:@file", doc: "one of the values in a file, one a line" },
    Syntax { spelling: "field?:a", doc: "also when the attribute is not there" },
];

/// Returns the table's row for `op`.
pub fn info(op: Op) -> &'static OpInfo {
    OPS.iter().find(|row| row.op == op).unwrap_or(&OPS[OPS.len() - 1])
}

/// Returns the operator at the start of `text` and its length: also `:` before a comparison.
pub(crate) fn op_at(text: &str) -> Option<(Op, usize)> {
    let (body, skipped) = match text.strip_prefix(':') {
        Some(rest) if rest.starts_with(['<', '>', '=']) => (rest, 1),
        _ => (text, 0),
    };
    let row = OPS.iter().find(|row| body.starts_with(row.spelling))?;
    let mut len = row.spelling.len();
    if row.op == Op::Is && body.starts_with("==") {
        len += 1;
    }
    Some((row.op, skipped + len))
}
