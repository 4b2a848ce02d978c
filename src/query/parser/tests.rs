use super::*;
use crate::query::ast::{Absent, Case, TermKind, Value, ValueKind};
use crate::query::ops::info;

/// Writes the tree as nested lists, which shows what binds what.
fn show(expr: &Expr) -> String {
    let list = |name: &str, parts: &[Expr]| {
        let parts: Vec<_> = parts.iter().map(show).collect();
        format!("({name} {})", parts.join(" "))
    };
    match expr {
        Expr::All => "all".to_owned(),
        Expr::And(parts) => list("and", parts),
        Expr::Or(parts) => list("or", parts),
        Expr::Not(part) => format!("(not {})", show(part)),
        Expr::Broken(_) => "broken".to_owned(),
        Expr::Term(term) => match &term.kind {
            TermKind::Text(value) => show_value(value),
            TermKind::Field(field) => {
                let values: Vec<_> = field.values.iter().map(show_value).collect();
                let absent = if field.absent == Absent::Matches { "?" } else { "" };
                format!("[{}{absent} {} {}]", field.name, info(field.op).spelling, values.join(" "))
            }
        },
    }
}

fn show_value(value: &Value) -> String {
    match &value.kind {
        ValueKind::Word(word) => word.clone(),
        ValueKind::Quoted(text) => format!("'{text}'"),
        ValueKind::Regex { pattern, case: Case::Exact } => format!("/{pattern}/"),
        ValueKind::Regex { pattern, case: Case::Ignored } => format!("/{pattern}/i"),
        ValueKind::Range(low, high) => {
            format!("{}~{}", low.as_deref().unwrap_or(""), high.as_deref().unwrap_or(""))
        }
        ValueKind::File(path) => format!("@{path}"),
    }
}

fn check(text: &str, tree: &str) {
    let (expr, problems) = parse(text);
    assert_eq!(show(&expr), tree, "{text}");
    assert!(problems.is_empty(), "{text}: {problems:?}");
}

fn check_problem(text: &str, tree: &str, at: std::ops::Range<usize>, message: &str) {
    let (expr, problems) = parse(text);
    assert_eq!(show(&expr), tree, "{text}");
    let found: Vec<_> = problems.iter().map(|p| (p.span.clone(), p.message.as_str())).collect();
    assert_eq!(found, [(at, message)], "{text}");
}

#[test]
fn and_binds_tighter_than_or() {
    check("", "all");
    check("  ", "all");
    check("a b", "(and a b)");
    check("a or b c", "(or a (and b c))");
    check("a b or c and d", "(or (and a b) (and c d))");
    check("(a or b) c", "(and (or a b) c)");
    check("a AND b OR c", "(or (and a b) c)");
    check("not a b", "(and (not a) b)");
    check("-a or not (b c)", "(or (not a) (not (and b c)))");
    check("- -a", "(and - (not a))");
    check("--a", "(not (not a))");
    check(
        "type:hist_login or type:hist_logout actor:1",
        "(or [type : hist_login] (and [type : hist_logout] [actor : 1]))",
    );
}

#[test]
fn signs_in_words_are_only_signs() {
    for word in [
        "a.*b", "[draft]", "50%", "it's", "~tilde", "!bang", "*", "?", "{}", "-", "/slash", "09:30",
    ] {
        check(word, word);
    }
    check("path\\to\\x", "path\\to\\x");
    check("user07@example.test", "user07@example.test");
    check("https://example.test/a?b=c", "https://example.test/a?b=c");
    check("/usr/local/bin", "/usr/local/bin");
    check("\"say \\\"hi\\\"\"", "'say \"hi\"'");
    check("\"path\\to\"", "'path\\to'");
    check("\"and\" \"type:x\" \"/slash/\"", "(and 'and' 'type:x' '/slash/')");
    check("f(x)", "(and f x)");
}

#[test]
fn fields_take_operators_and_lists() {
    check("type:a,b,c*", "[type : a b c*]");
    check("a=1 b!=2 c<3 d<=4 e>5 f>=6", "(and [a = 1] [b != 2] [c < 3] [d <= 4] [e > 5] [f >= 6])");
    check("time:>-24h", "[time > -24h]");
    check("time:09:00..11:30", "[time : 09:00~11:30]");
    check("size:..5 size:5..", "(and [size : ~5] [size : 5~])");
    check("a.b.c:\"x, y\",z", "[a.b.c : 'x, y' z]");
    check("name:Sales(2) x", "(and [name : Sales(2)] x)");
    check("(name:Sales)", "[name : Sales]");
    check("attr?:x attr?!=y", "(and [attr? : x] [attr? != y])");
    check("actor:@list.txt actor:@\"my list\"", "(and [actor : @list.txt] [actor : @my list])");
    check("name:/a\\/b c/i", "[name : /a/b c/i]");
    check("\"odd key\":1", "[odd key : 1]");
    check("a==b", "[a = b]");
    check("ipAddress:::1", "[ipAddress : ::1]");
}

#[test]
fn regexes_stand_between_slashes() {
    check("/a b/", "/a b/");
    check("/a/i or /b\\d/", "(or /a/i /b\\d/)");
    check("(/a|b/)", "/a|b/");
    check("//", "//");
}

#[test]
fn what_is_wrong_is_told_and_the_rest_stays() {
    check_problem("type:", "broken", 0..5, "a value is missing after `type:`");
    check_problem("a type: b", "(and a broken b)", 2..7, "a value is missing after `type:`");
    check_problem("type:a,", "broken", 0..7, "a value is missing after `type:a,`");
    check_problem("(a b", "(and a b)", 0..1, "this `(` is never closed");
    check_problem("a) b", "(and a b)", 1..2, "this `)` closes nothing");
    check_problem("a or", "a", 2..4, "a term is missing after `or`");
    check_problem("or a", "a", 0..2, "a term is missing before `or`");
    check_problem("a and", "a", 2..5, "a term is missing after `and`");
    check_problem("not", "all", 0..3, "a term is missing after `not`");
    check_problem("()", "all", 0..1, "nothing stands between these parentheses");
    check_problem("\"abc", "'abc'", 0..1, "this quote is never closed");
    check_problem(
        "a > b",
        "(and a > b)",
        2..3,
        "an operator with blanks around it is searched as text",
    );
}

#[test]
fn deep_nesting_is_cut_and_never_overflows() {
    for piece in ["(", "not ", "-"] {
        let (_, problems) = parse(&piece.repeat(100_000));
        assert!(problems.iter().any(|p| p.message == "nested deeper than 64 levels"), "{piece}");
    }
    let (_, problems) = parse(&"a or ".repeat(50_000));
    assert_eq!(problems.len(), 1);
}

#[test]
fn carets_stand_under_the_part_that_is_meant() {
    let (_, problems) = parse("日本 type:");
    let shown = problems[0].with_caret("日本 type:");
    assert_eq!(shown, "日本 type:\n     ^^^^^\na value is missing after `type:`");
}

proptest::proptest! {
    #[test]
    fn any_text_parses(text in "[a-c:=<>!?()\"/\\\\@,.* \u{e9}-]{0,40}") {
        let (_, problems) = parse(&text);
        for problem in problems {
            proptest::prop_assert!(text.get(problem.span.clone()).is_some());
            let _shown = problem.with_caret(&text);
        }
    }
}
