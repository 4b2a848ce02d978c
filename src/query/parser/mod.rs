//! Tokens to a tree, by precedence climbing. Never fails: what is wrong is told and left out.

use crate::query::ast::{Expr, Problem, Term};
use crate::query::lexer::{Token, TokenKind, lex};

/// Groups and negations may be this deep; below, the text is left out.
const MAX_DEPTH: usize = 64;

/// Returns the filter that `text` asks for, and everything that is wrong with the text.
///
/// `and` (also unwritten, between two terms) binds tighter than `or`; `not` and `-` bind tightest.
pub fn parse(text: &str) -> (Expr, Vec<Problem>) {
    let (tokens, problems) = lex(text);
    let mut parser = Parser { text, tokens: tokens.into_iter().peekable(), problems, depth: 0 };
    let mut parts = Vec::new();
    loop {
        parts.extend(parser.any_of());
        match parser.tokens.next() {
            Some(token) => {
                let message = "this `)` closes nothing";
                parser.problems.push(Problem::error(token.span, message));
            }
            None => break,
        }
    }
    let mut problems = parser.problems;
    problems.sort_by_key(|problem| problem.span.start);
    (join(parts, Expr::And).unwrap_or(Expr::All), problems)
}

struct Parser<'a> {
    text: &'a str,
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    problems: Vec<Problem>,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<&TokenKind> {
        self.tokens.peek().map(|token| &token.kind)
    }

    /// Reads terms joined by `or`, up to a `)` or the end.
    fn any_of(&mut self) -> Option<Expr> {
        let mut parts = Vec::new();
        parts.extend(self.all_of());
        while let Some(TokenKind::Or) = self.peek() {
            if parts.is_empty() {
                self.operand_missing_before();
            }
            let word = self.tokens.next();
            match self.all_of() {
                Some(part) => parts.push(part),
                None => self.operand_missing_after(word),
            }
        }
        join(parts, Expr::Or)
    }

    /// Reads terms joined by `and` or by nothing.
    fn all_of(&mut self) -> Option<Expr> {
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                None | Some(TokenKind::Or | TokenKind::Close) => break,
                Some(TokenKind::And) => {
                    if parts.is_empty() {
                        self.operand_missing_before();
                    }
                    let word = self.tokens.next();
                    if matches!(
                        self.peek(),
                        None | Some(TokenKind::Or | TokenKind::And | TokenKind::Close)
                    ) {
                        self.operand_missing_after(word);
                    }
                }
                Some(_) => parts.extend(self.one()),
            }
        }
        join(parts, Expr::And)
    }

    /// Reads one term, negation or group.
    fn one(&mut self) -> Option<Expr> {
        let token = self.tokens.next()?;
        match token.kind {
            TokenKind::Term(kind) => Some(Expr::Term(Term { span: token.span, kind })),
            TokenKind::Broken => Some(Expr::Broken(token.span)),
            TokenKind::Not => self.negation(token),
            TokenKind::Open => self.group(token),
            TokenKind::And | TokenKind::Or | TokenKind::Close => None,
        }
    }

    fn negation(&mut self, word: Token) -> Option<Expr> {
        let operand = match self.peek() {
            None | Some(TokenKind::And | TokenKind::Or | TokenKind::Close) => None,
            Some(_) => self.deeper(&word, Self::one)?,
        };
        if operand.is_none() {
            self.operand_missing_after(Some(word));
        }
        match operand? {
            broken @ Expr::Broken(_) => Some(broken),
            part => Some(Expr::Not(Box::new(part))),
        }
    }

    fn group(&mut self, open: Token) -> Option<Expr> {
        let inside = self.deeper(&open, Self::any_of)?;
        match self.tokens.peek() {
            Some(_) => drop(self.tokens.next()),
            None => {
                let problem = Problem::error(open.span.clone(), "this `(` is never closed");
                self.problems.push(problem);
            }
        }
        if inside.is_none() {
            let message = "nothing stands between these parentheses";
            self.problems.push(Problem::error(open.span, message));
        }
        inside
    }

    /// Runs `read` one level down; past the deepest level, the rest of the text is left out.
    fn deeper(
        &mut self,
        token: &Token,
        read: fn(&mut Self) -> Option<Expr>,
    ) -> Option<Option<Expr>> {
        if self.depth == MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            self.problems.push(Problem::error(token.span.start..self.text.len(), message));
            self.tokens.by_ref().for_each(drop);
            return None;
        }
        self.depth += 1;
        let inside = read(self);
        self.depth -= 1;
        Some(inside)
    }

    fn operand_missing_before(&mut self) {
        if let Some(token) = self.tokens.peek() {
            let word = &self.text[token.span.clone()];
            let message = format!("a term is missing before `{word}`");
            self.problems.push(Problem::error(token.span.clone(), message));
        }
    }

    fn operand_missing_after(&mut self, token: Option<Token>) {
        if let Some(token) = token {
            let word = &self.text[token.span.clone()];
            let message = format!("a term is missing after `{word}`");
            self.problems.push(Problem::error(token.span, message));
        }
    }
}

fn join(mut parts: Vec<Expr>, how: fn(Vec<Expr>) -> Expr) -> Option<Expr> {
    match parts.len() {
        0 | 1 => parts.pop(),
        _ => Some(how(parts)),
    }
}

#[cfg(test)]
mod tests;
