//! A filter said back in words, so that nobody has to know the precedence.

use crate::base::text::escape;
use crate::query::ast::{Absent, Case, Expr, FieldTerm, Op, Term, TermKind, Value, ValueKind};
use crate::query::fields::{FieldKind, find};
use crate::query::ops::info;

/// Returns `expr` in words, safe for a terminal: "type is a or b, and actor is 7".
pub fn in_words(expr: &Expr) -> String {
    let words = match expr {
        Expr::All => "everything".to_owned(),
        Expr::And(parts) => joined(parts, ", and "),
        Expr::Or(parts) => joined(parts, ", or "),
        Expr::Not(_) | Expr::Term(_) | Expr::Broken(_) => part(expr),
    };
    escape(&words).into_owned()
}

fn joined(parts: &[Expr], between: &str) -> String {
    let parts: Vec<_> = parts.iter().map(part).collect();
    parts.join(between)
}

fn part(expr: &Expr) -> String {
    match expr {
        Expr::All => "everything".to_owned(),
        Expr::And(parts) => format!("({})", joined(parts, " and ")),
        Expr::Or(parts) => format!("({})", joined(parts, " or ")),
        Expr::Not(inner) => match &**inner {
            Expr::Term(Term { kind: TermKind::Text(value), .. }) => {
                format!("no text {}", value_words(value))
            }
            inner => format!("not {}", part(inner)),
        },
        Expr::Broken(_) => "(not understood)".to_owned(),
        Expr::Term(term) => match &term.kind {
            TermKind::Text(value) => format!("text {}", value_words(value)),
            TermKind::Field(field) => field_words(field),
        },
    }
}

fn field_words(field: &FieldTerm) -> String {
    let values: Vec<_> = field.values.iter().map(value_words).collect();
    let values = values.join(" or ");
    let kind = find(&field.name).map(|known| known.kind);
    let words = match (kind, field.op) {
        (Some(FieldKind::Is), _) => format!("is {values}"),
        (Some(FieldKind::Has), _) => format!("has {values}"),
        (Some(FieldKind::Missing), _) => format!("has no {values}"),
        (Some(FieldKind::Null), _) => format!("{values} is null"),
        (_, Op::Like) => format!("{} is {values}", field.name),
        (_, op) => format!("{} {} {values}", field.name, info(op).words),
    };
    match field.absent {
        Absent::Fails => words,
        Absent::Matches => format!("{words} or not there"),
    }
}

fn value_words(value: &Value) -> String {
    match &value.kind {
        ValueKind::Word(word) => word.clone(),
        ValueKind::Quoted(text) => format!("\"{text}\""),
        ValueKind::Regex { pattern, case: Case::Exact } => format!("matching /{pattern}/"),
        ValueKind::Regex { pattern, case: Case::Ignored } => {
            format!("matching /{pattern}/ in any case")
        }
        ValueKind::Range(Some(low), Some(high)) => format!("from {low} to {high}"),
        ValueKind::Range(Some(low), None) => format!("from {low} on"),
        ValueKind::Range(None, high) => format!("up to {}", high.as_deref().unwrap_or("")),
        ValueKind::File(path) => format!("one of those in {path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parser::parse;

    #[test]
    fn precedence_is_spelled_out() {
        for (text, words) in [
            ("", "everything"),
            ("type:a,b actor:7", "type is a or b, and actor is 7"),
            (
                "type:hist_login or type:hist_logout actor:1",
                "type is hist_login, or (type is hist_logout and actor is 1)",
            ),
            ("(type:a or type:b) actor:1", "(type is a or type is b), and actor is 1"),
            ("-outcome:success draft", "not outcome is success, and text draft"),
            ("-draft", "no text draft"),
            ("time:>-24h", "time more than -24h"),
            ("is:failed missing:x", "is failed, and has no x"),
            ("a?:b", "a is b or not there"),
            ("\"a\x1b[2J\"", "text \"a␛[2J\""),
        ] {
            assert_eq!(in_words(&parse(text).0), words, "{text}");
        }
    }
}
