use super::*;
use crate::index::build::from_bytes;

const LOG: &str = concat!(
    r#"{"eventType":"hist_login","eventTime":"2026-03-02T08:00:00Z","actorUserLuid":"ABC","eventOutcome":null,"n":1.50,"name":"=1+1, \"x\""}"#,
    "\n",
    r#"{"eventType":"hist_logout","eventTime":"2026-03-02T08:00:01Z","a":{"b":[1,2]},"name":"a|b\nc\u001b[2J"}"#,
    "\nbroken\n",
);

fn written(name: &str, columns: &[&str], formulas: Formulas) -> String {
    let index = from_bytes("a.jsonl", LOG.as_bytes().to_vec(), &["hist_login"]);
    let columns = columns.iter().map(|&name| name.to_owned()).collect();
    let mut format = (format(name).expect("a format").open)(Sheet { columns, formulas });
    let mut out = Vec::new();
    write(&index, (0..3).map(EventId), &mut *format, &mut out).expect("memory");
    String::from_utf8(out).expect("text")
}

#[test]
fn ndjson_is_the_recorded_bytes() {
    assert_eq!(written("ndjson", &[], Formulas::Kept), LOG);
    let some = written("ndjson", &["type", "n", "a", "time"], Formulas::Kept);
    let first = r#"{"type":"hist_login","n":1.50,"time":"2026-03-02T08:00:00Z"}"#;
    assert_eq!(some.lines().next(), Some(first));
    let second = r#"{"type":"hist_logout","a":{"b":[1,2]},"time":"2026-03-02T08:00:01Z"}"#;
    assert_eq!(some.lines().nth(1), Some(second));
}

#[test]
fn json_is_an_array_that_parses() {
    let text = written("json", &[], Formulas::Kept);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value.as_array().map(Vec::len), Some(3));
    assert_eq!(value[2]["badRecord"], "broken");
    let index = from_bytes("a", Vec::new(), &[]);
    let mut out = Vec::new();
    let mut format = (format("json").expect("a format").open)(Sheet::default());
    write(&index, std::iter::empty(), &mut *format, &mut out).expect("memory");
    assert_eq!(out, b"[]\n");
}

#[test]
fn csv_quotes_and_disarms_only_when_asked() {
    let kept = written("csv", &["actor", "name", "a"], Formulas::Kept);
    assert_eq!(
        kept,
        "actor,name,a\r\nABC,\"=1+1, \"\"x\"\"\",\r\n,\"a|b\nc\x1b[2J\",\"{\"\"b\"\":[1,2]}\"\r\n,,\r\n"
    );
    let safe = written("csv", &["name"], Formulas::Disarmed);
    assert!(safe.contains("\"'=1+1"), "{safe}");
}

#[test]
fn markdown_and_tables_show_one_line_an_event() {
    let text = written("md", &["type", "name"], Formulas::Kept);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[..2], ["| type | name |", "| --- | --- |"]);
    assert_eq!(lines[3], "| hist_logout | a\\|b<br>c␛\\[2J |");
    let text = written("table", &[], Formulas::Kept);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "eventTime             eventType    actor  eventOutcome");
    assert_eq!(lines[2], "2026-03-02T08:00:01Z  hist_logout");
    assert_eq!(lines.len(), 4);
}
