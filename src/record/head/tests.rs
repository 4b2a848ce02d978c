use super::*;
use crate::base::time::SECOND;

/// 2026-03-02T08:00:00Z.
const EIGHT: i64 = 1_772_438_400 * SECOND;

type Owned = (Option<String>, i64, Option<String>, String, u16);

fn head(text: &str) -> Result<Owned, Flaw> {
    HeadReader::default().read(text.as_bytes(), |head| {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let outcome = match head.outcome {
            Outcome::Missing => "(missing)",
            Outcome::Null => "(null)",
            Outcome::Text(text) => text,
        };
        let flags = head.flags.0;
        (own(head.event_type), head.time.0, own(head.actor), outcome.to_owned(), flags)
    })
}

fn check(rest: &str, actor: Option<&str>, outcome: &str, flags: Flags) {
    let text = format!(r#"{{"eventTime":"2026-03-02T08:00:00Z","eventType":"hist_login"{rest}}}"#);
    let expected = (
        Some("hist_login".to_owned()),
        EIGHT,
        actor.map(str::to_owned),
        outcome.to_owned(),
        flags.0,
    );
    assert_eq!(head(&text), Ok(expected.clone()), "{text}");
    // The same by the careful reader, which a lone surrogate calls in.
    let careful = format!("{},\"z\":\"\\ud800\"}}", &text[..text.len() - 1]);
    let (a, b, c, d, _) = expected;
    let flags = flags | Flags::INVALID_UTF8;
    assert_eq!(head(&careful), Ok((a, b, c, d, flags.0)), "{careful}");
}

const NONE: Flags = Flags(0);

#[test]
fn the_actor_is_the_first_attribute_that_names_somebody() {
    check("", None, "(missing)", NONE);
    check(r#","actorUserId":7"#, Some("7"), "(missing)", NONE);
    check(r#","actorUserId":-7"#, Some("-7"), "(missing)", NONE);
    check(r#","actorUserId":0"#, Some("0"), "(missing)", NONE);
    check(r#","actorUserId":"7","actorUserLuid":null"#, Some("7"), "(missing)", NONE);
    check(r#","actorUserId":7,"actorUserLuid":"A1""#, Some("A1"), "(missing)", NONE);
    check(
        r#","actorUserId":18446744073709551615"#,
        Some("18446744073709551615"),
        "(missing)",
        NONE,
    );
    check(
        r#","actorUserId":123456789012345678901"#,
        Some("123456789012345678901"),
        "(missing)",
        NONE,
    );
    check(r#","initiatingUserEmail":"a@example.com""#, Some("a@example.com"), "(missing)", NONE);
    check(r#","userId":9"#, Some("9"), "(missing)", NONE);
    check(r#","initiatingUserLuid":-0"#, Some("-0"), "(missing)", NONE);
    check(r#","username":1.50"#, Some("1.50"), "(missing)", NONE);
    check(r#","a":{"actorUserId":9}"#, None, "(missing)", NONE);
}

#[test]
fn failure_is_told_in_five_ways() {
    check(r#","eventOutcome":"success""#, None, "success", NONE);
    check(r#","eventOutcome":null"#, None, "(null)", NONE);
    check(r#","eventOutcome":"unauthorized""#, None, "unauthorized", Flags::FAILED);
    check(r#","isError":true"#, None, "(missing)", Flags::FAILED);
    check(r#","isError":false"#, None, "(missing)", NONE);
    check(r#","isFailure":"True""#, None, "(missing)", Flags::FAILED);
    check(r#","status":"Failure""#, None, "(missing)", Flags::FAILED);
    check(r#","status":"success""#, None, "(missing)", NONE);
    check(r#","eventState":"FAILED""#, None, "(missing)", Flags::FAILED);
    check(r#","eventState":"frobnicated""#, None, "(missing)", NONE);
}

#[test]
fn somebody_acting_as_somebody_else_is_seen() {
    check(r#","actorUserId":7,"initiatingUserId":7"#, Some("7"), "(missing)", NONE);
    check(r#","actorUserId":7,"initiatingUserId":8"#, Some("7"), "(missing)", Flags::IMPERSONATED);
    check(
        r#","actorUserLuid":"AA","initiatingUserLuid":"aa","actorUserId":7,"initiatingUserId":8"#,
        Some("AA"),
        "(missing)",
        NONE,
    );
    check(r#","impersonatedUserId":12"#, None, "(missing)", Flags::IMPERSONATED);
    check(r#","impersonatedUserId":1.5"#, None, "(missing)", Flags::IMPERSONATED);
}

#[test]
fn of_duplicate_members_the_last_counts() {
    check(r#","actorUserId":7,"actorUserId":8"#, Some("8"), "(missing)", Flags::DUPLICATE_KEY);
    check(r#","x":1,"\u0078":2"#, None, "(missing)", Flags::DUPLICATE_KEY);
    check(r#","x":{"a":1,"a":2}"#, None, "(missing)", NONE);
}

#[test]
fn escapes_in_names_are_read() {
    let text = r#"{"event\u0054ype":" hist_login ","eventTime":"nonsense"}"#;
    let expected = (Some("hist_login".to_owned()), i64::MAX, None, "(missing)".to_owned());
    let found = head(text).map(|(a, b, c, d, _)| (a, b, c, d));
    assert_eq!(found, Ok(expected));
}

#[test]
fn an_envelope_names_the_type() {
    let text = r#"{"event":{"eventTime":"2026-03-02T08:00:00Z"},"metadata":{"eventType":"mcp"}}"#;
    let named = HeadReader::default().read(text.as_bytes(), |head| {
        (head.event_type.is_none(), head.envelope_type == Some("mcp"), head.flags == Flags::WRAPPED)
    });
    assert_eq!(named, Ok((true, true, true)));
}

#[test]
fn what_is_no_event_says_why() {
    for (text, why) in [
        ("[]", Why::NotAnObject(JsonKind::Array)),
        ("7", Why::NotAnObject(JsonKind::Integer)),
        ("{}", Why::NoEvent),
        (r#"{"eventType":""}"#, Why::NoEvent),
        (r#"{"eventType":null,"eventTime":null}"#, Why::NoEvent),
        (r#"{"eventType":"x","n":007}"#, Why::Number),
    ] {
        assert_eq!(head(text).map_err(|flaw| flaw.why), Err(why), "{text}");
    }
}

#[test]
fn numbers_without_a_unit_of_their_own_may_be_types() {
    let found = head(r#"{"eventType":17,"eventTime":1772438400}"#);
    let expected = Flags::EPOCH_TIME.0;
    assert_eq!(found, Ok((Some("17".into()), EIGHT, None, "(missing)".into(), expected)));
}
