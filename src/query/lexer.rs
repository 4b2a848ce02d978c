//! Text to tokens. A field with its operator and values is one token.

use crate::query::ast::{Absent, Case, FieldTerm, Op, Problem, Span, TermKind, Value, ValueKind};
use crate::query::ops::op_at;

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Open,
    Close,
    And,
    Or,
    Not,
    Term(TermKind),
    /// A term that could not be understood; the problem is told.
    Broken,
}

/// Returns the tokens of `text` and what is wrong with it.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Problem>) {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), problems: Vec::new() };
    while lexer.step() {}
    (lexer.tokens, lexer.problems)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    problems: Vec<Problem>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token { kind, span: start..end });
        self.at = end;
    }

    /// Reads one token; returns whether there was one.
    fn step(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return false };
        match first {
            '(' => self.push(TokenKind::Open, start, start + 1),
            ')' => self.push(TokenKind::Close, start, start + 1),
            '-' if self.negates() => self.push(TokenKind::Not, start, start + 1),
            '"' => self.quoted_or_field(),
            '/' => self.regex_or_word(),
            _ => self.field_or_word(),
        }
        true
    }

    fn negates(&self) -> bool {
        self.rest()[1..].chars().next().is_some_and(|c| !c.is_whitespace() && c != ')')
    }

    fn quoted_or_field(&mut self) {
        let start = self.at;
        let (name, end, closed) = read_quoted(self.text, start);
        if !closed {
            let problem = Problem::error(start..start + 1, "this quote is never closed");
            self.problems.push(problem);
        } else if let Some((absent, op, op_span)) = op_after(self.text, end) {
            self.field(name, start..end, absent, (op, op_span));
            return;
        }
        let value = Value { span: start..end, kind: ValueKind::Quoted(name) };
        self.push(TokenKind::Term(TermKind::Text(value)), start, end);
    }

    fn regex_or_word(&mut self) {
        let start = self.at;
        match read_regex(self.text, start) {
            Some((kind, end)) => {
                let value = Value { span: start..end, kind };
                self.push(TokenKind::Term(TermKind::Text(value)), start, end);
            }
            None => self.word(),
        }
    }

    fn field_or_word(&mut self) {
        let start = self.at;
        let end = start + name_len(self.rest());
        let is_url = self.text[end..].starts_with("://");
        if end > start
            && !is_url
            && let Some((absent, op, op_span)) = op_after(self.text, end)
        {
            let name = self.text[start..end].to_owned();
            self.field(name, start..end, absent, (op, op_span));
        } else {
            self.word();
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let stop = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
        let end = self.rest().find(stop).map_or(self.text.len(), |len| start + len);
        let word = &self.text[start..end];
        let kind = match word {
            "and" | "AND" => TokenKind::And,
            "or" | "OR" => TokenKind::Or,
            "not" | "NOT" => TokenKind::Not,
            _ => {
                if matches!(word, "=" | "!=" | "<" | "<=" | ">" | ">=" | ":") {
                    let note = "an operator with blanks around it is searched as text";
                    self.problems.push(Problem::warning(start..end, note));
                }
                let kind = ValueKind::Word(word.to_owned());
                TokenKind::Term(TermKind::Text(Value { span: start..end, kind }))
            }
        };
        self.push(kind, start, end);
    }

    fn field(&mut self, name: String, name_span: Span, absent: Absent, op: (Op, Span)) {
        let (op, op_span) = op;
        let start = name_span.start;
        self.at = op_span.end;
        let mut values = Vec::new();
        loop {
            match self.value() {
                Some(value) => values.push(value),
                None => {
                    let written = &self.text[op_span.start..self.at];
                    let message = format!("a value is missing after `{name}{written}`");
                    self.problems.push(Problem::error(start..self.at, message));
                    self.push(TokenKind::Broken, start, self.at);
                    return;
                }
            }
            if !self.rest().starts_with(',') {
                break;
            }
            self.at += 1;
        }
        let end = self.at;
        let field = FieldTerm { name, name_span, absent, op, op_span, values };
        self.push(TokenKind::Term(TermKind::Field(field)), start, end);
    }

    fn value(&mut self) -> Option<Value> {
        let start = self.at;
        if self.rest().starts_with('"') {
            let (text, end, closed) = read_quoted(self.text, start);
            if !closed {
                let problem = Problem::error(start..start + 1, "this quote is never closed");
                self.problems.push(problem);
            }
            self.at = end;
            return Some(Value { span: start..end, kind: ValueKind::Quoted(text) });
        }
        if self.rest().starts_with('/')
            && let Some((kind, end)) = read_regex(self.text, start)
        {
            self.at = end;
            return Some(Value { span: start..end, kind });
        }
        if self.rest().starts_with("@\"") {
            let (text, end, _) = read_quoted(self.text, start + 1);
            self.at = end;
            return Some(Value { span: start..end, kind: ValueKind::File(text) });
        }
        let end = start + value_len(self.rest());
        if end == start {
            return None;
        }
        self.at = end;
        Some(Value { span: start..end, kind: word_value(&self.text[start..end]) })
    }
}

fn word_value(word: &str) -> ValueKind {
    if let Some(path) = word.strip_prefix('@')
        && !path.is_empty()
    {
        return ValueKind::File(path.to_owned());
    }
    match word.split_once("..") {
        Some((low, high)) if !(low.is_empty() && high.is_empty()) => {
            let end = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            ValueKind::Range(end(low), end(high))
        }
        _ => ValueKind::Word(word.to_owned()),
    }
}

/// Returns the operator after a name that ends at `at`, with the `?` that may stand before it.
fn op_after(text: &str, at: usize) -> Option<(Absent, Op, Span)> {
    let rest = &text[at..];
    let (absent, rest, skipped) = match rest.strip_prefix('?') {
        Some(after) => (Absent::Matches, after, 1),
        None => (Absent::Fails, rest, 0),
    };
    let (op, len) = op_at(rest)?;
    Some((absent, op, at..at + skipped + len))
}

fn name_len(text: &str) -> usize {
    let starts = |c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@');
    if !text.starts_with(starts) {
        return 0;
    }
    let inside =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '.' | '-' | '[' | ']');
    text.find(|c| !inside(c)).unwrap_or(text.len())
}

/// Returns the length of a value without quotes: up to a blank, a comma or a `)` of an outer group.
fn value_len(text: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            ',' => return at,
            c if c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

/// Reads a quoted text that starts at `start`; returns it, its end, and whether it was closed.
fn read_quoted(text: &str, start: usize) -> (String, usize, bool) {
    let mut out = String::new();
    let mut chars = text[start + 1..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => return (out, start + 1 + at + 1, true),
            ('\\', Some(&(_, next @ ('"' | '\\')))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    (out, text.len(), false)
}

/// Reads `/pattern/` with an optional `i`, which must end the word; `\/` is a slash.
fn read_regex(text: &str, start: usize) -> Option<(ValueKind, usize)> {
    let mut pattern = String::new();
    let mut chars = text[start + 1..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&(_, '/'))) => {
                pattern.push('/');
                chars.next();
            }
            ('\\', Some(&(_, next))) => {
                pattern.push('\\');
                pattern.push(next);
                chars.next();
            }
            ('/', _) if pattern.is_empty() => return None,
            ('/', _) => {
                let mut end = start + 1 + at + 1;
                let case = if text[end..].starts_with('i') {
                    end += 1;
                    Case::Ignored
                } else {
                    Case::Exact
                };
                let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ')');
                let closed = text[end..].chars().next().is_none_or(ends);
                return closed.then_some((ValueKind::Regex { pattern, case }, end));
            }
            _ => pattern.push(c),
        }
    }
    None
}
