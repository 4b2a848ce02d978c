//! The real program on real files: output, exit codes, and manners.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;
use serde_json::Value;

fn actlog(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("actlog").expect("the program is built");
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

/// Runs the program; returns exit code, standard output and standard error.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = actlog(args).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json(args: &[&str]) -> Value {
    let (_, out, err) = run(args);
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

const ONE: &str = "fixtures/cases/bugs/25c_one_event.ndjson";
const BROKEN: &str = "fixtures/cases/formats/16-not-objects.txt";
const LOGINS: &str = "fixtures/cases/bugs/30_precedence.ndjson";

#[test]
fn stats_as_json_has_what_scripts_need() {
    let stats = json(&["stats", "--json", BROKEN, LOGINS]);
    assert_eq!((&stats["events"], &stats["bad"]), (&6.into(), &7.into()));
    assert_eq!(stats["by_type"]["hist_login"], 2);
    assert_eq!(stats["by_actor"]["a11ce000-0000-4000-8000-000000000001"], 3);
    assert_eq!(stats["by_outcome"]["success"], 5);
    assert_eq!(stats["first"], "2026-03-02T08:00:00.000Z");
    assert_eq!(stats["last"], "2026-03-10T08:00:11.402Z");
    let files = stats["files"].as_array().expect("a list");
    let bad: Vec<&Value> = files.iter().map(|file| &file["bad"]).collect();
    assert_eq!(bad, [7, 0]);
    let first = &stats["problems"][0];
    assert_eq!((&first["line"], &first["offset"]), (&1.into(), &0.into()));
    assert_eq!(first["reason"], "a lone null, not an object");
    assert_eq!(stats["problems"][2]["line"], 3);
}

#[test]
fn exit_codes_tell_how_it_went() {
    for (args, code) in [
        (&["stats", ONE][..], 0),
        (&["stats", "fixtures/cases/bugs/25_empty.ndjson"], 1),
        (&["stats", "no/such/file"], 2),
        (&["stats", ONE, "no/such/file"], 2),
        (&["query", "type:hist_access_view", ONE], 0),
        (&["query", "type:hist_login", ONE], 1),
        (&["query", "type:hist_login)", ONE], 2),
        (&["schema", "hist_login"], 0),
        (&["schema", "hist_logn"], 2),
        (&["frobnicate"], 2),
        (&["--help"], 0),
        (&["help", "filter"], 0),
        (&["help", "no such thing"], 2),
        (&["keys"], 0),
    ] {
        assert_eq!(run(args).0, Some(code), "{args:?}");
    }
}

#[test]
fn standard_output_holds_only_results() {
    let (_, out, err) = run(&["query", "nosuchfield:1", LOGINS]);
    assert_eq!(out, "");
    assert!(err.contains("nosuchfield"), "{err}");
    let (_, out, err) = run(&["stats", "--json", ONE, "no/such/file"]);
    assert!(serde_json::from_str::<Value>(&out).is_ok());
    assert!(err.contains("no/such/file"), "{err}");
}

#[test]
fn an_unknown_name_in_the_schema_brings_near_ones() {
    let (_, _, err) = run(&["schema", "hist_logn"]);
    assert!(err.contains("hist_login"), "{err}");
}

#[test]
fn queries_print_the_recorded_bytes() {
    let log = std::fs::read_to_string(LOGINS).expect("the log");
    let (code, out, _) = run(&["query", "", LOGINS]);
    assert_eq!((code, out), (Some(0), log.clone()));
    let filter = "type:hist_login or type:hist_logout actor:a11ce000-0000-4000-8000-000000000001";
    assert_eq!(run(&["query", filter, LOGINS]).1.lines().count(), 3);
    let (_, one, _) = run(&["query", "type:hist_publish*", LOGINS, "--limit", "1"]);
    assert!(log.contains(&one) && one.lines().count() == 1);
}

#[test]
fn counts_as_json_have_matched_and_total() {
    let count = json(&["count", "type:hist_log*", LOGINS, "--json", "--by", "type"]);
    assert_eq!((&count["matched"], &count["total"]), (&4.into(), &5.into()));
    assert_eq!(count["groups"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_people_read_holds_no_control_characters() {
    let folder = tempfile::tempdir().expect("a folder");
    let hostile: PathBuf = folder.path().join("esc\u{1b}[31m\u{202e}\nline.ndjson");
    let text =
        "{\"eventType\":\"a\\u001b]0;t\\u0007\",\"eventTime\":\"\\u001b[2J\"}\n\u{1b}[31mred\n";
    std::fs::write(&hostile, text).expect("a file");
    let name = hostile.to_string_lossy();
    let missing = format!("{name}\u{1b}[0m-not-there");
    for args in [
        &["stats", &name][..],
        &["stats", "--by", "type", &name],
        &["stats", &missing],
        &["query", "type:\u{1b}[31m(", &name],
        &["query", "", &name, "--format", "table"],
        &["count", "", &name, "--by", "type"],
        &["schema", "\u{1b}[31m"],
    ] {
        let (_, out, err) = run(args);
        let is_wild = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!out.contains(is_wild), "{args:?}: {out:?}");
        assert!(!err.contains(is_wild), "{args:?}: {err:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("demo.ndjson");
    let log = log.to_string_lossy();
    assert_eq!(run(&["demo", "--write", &log, "--events", "3000"]).0, Some(0));
    for args in [&["query", "", &log][..], &["demo", "--write", "-"], &["schema", "--json"]] {
        let mut child = actlog(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).matches("error").count(), 0, "{args:?}");
    }
}

#[test]
fn a_pipe_is_read_like_a_file() {
    let log = std::fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(LOGINS));
    let mut command = actlog(&["stats", "--json", "-"]);
    command.stdin(log.expect("the log"));
    let output = command.output().expect("the program runs");
    let stats: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(stats["events"], 5);
}

#[test]
fn the_explorer_says_that_it_needs_a_terminal() {
    let (code, out, err) = run(&[ONE]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("terminal"), "{err}");
}

#[test]
fn a_users_schema_adds_to_the_built_in_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.json");
    std::fs::write(&file, "{\"types\": 7}").expect("a file");
    let (code, out, err) = run(&["schema", "hist_login", "--schema", &file.to_string_lossy()]);
    assert_eq!(code, Some(0));
    assert!(out.contains("hist_login") && err.contains("mine.json"), "{out}{err}");
}
