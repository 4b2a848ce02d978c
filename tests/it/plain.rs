//! The explorer in lines: what is typed, and what is said.

use std::io::Write as _;

use actlog::app::layout::Detail;
use actlog::app::plain::{SIZE, command};
use actlog::base::text::Charset;
use actlog::ui::plain;

use crate::support::session::{Session, long, small};

/// A talk with the explorer.
struct Talk {
    session: Session,
}

impl Talk {
    fn open(log: Vec<u8>) -> Self {
        let mut session = Session::open(SIZE, log);
        session.model.wish.detail = Detail::Open;
        let mut talk = Self { session };
        drop(talk.say("events"));
        talk
    }

    fn say(&mut self, line: &str) -> String {
        let mut effects = Vec::new();
        let reply = command(&mut self.session.model, line, &mut effects);
        self.session.waiting.extend(effects);
        self.session.settle();
        plain::reply(&self.session.model, &reply, Charset::Unicode).join("\n")
    }

    #[track_caller]
    fn hears(&mut self, line: &str, words: &str) -> &mut Self {
        let said = self.say(line);
        assert!(said.contains(words), "{words:?} is not in the answer to {line:?}:\n{said}");
        self
    }
}

#[test]
fn events_are_numbered_and_said_in_words() {
    let mut talk = Talk::open(small());
    insta::assert_snapshot!("the_small_log_in_plain_lines", talk.say("events"));
}

#[test]
fn a_number_reads_its_event() {
    let mut talk = Talk::open(small());
    talk.hears("6", "6. hist_login").hears("6", "eventOutcome: unauthorized");
    talk.hears("next", "7. Mon 2026-03-02 11:00:00 Workbook updated, by ann, on w-1");
    talk.hears("detail", "1. actorUserLuid: ann").hears("1", "1. actorUserLuid: ann");
    talk.hears("only", "Narrowed to: actorUserLuid:ann").hears("events", "6 shown, 11 in all");
}

#[test]
fn keys_names_and_words_do_the_same() {
    for line in ["e", "next-failure", "next failure"] {
        Talk::open(small()).hears(line, "6. Mon 2026-03-02 09:06:00 Signed in, failed, by bob");
    }
    for line in ["5j", "5 j", "5next", "5 next"] {
        Talk::open(small()).hears(line, "6. ");
    }
    for line in ["G", "last"] {
        Talk::open(small()).hears(line, "Event 11 of 11");
    }
}

#[test]
fn prompts_take_the_words_after_the_command() {
    let mut talk = Talk::open(small());
    talk.hears("filter actor:bob", "Event 1 of 2 shown, 11 in all");
    talk.hears("filter", "Write it after the word").hears("lift", "Off: actor:bob");
    talk.hears("filter (a", "this `(` is never closed")
        .hears("filter nofield:x", "nofield")
        .hears("u", "Off")
        .hears("/ needle", "10. Tue 2026-03-03");
    talk.hears("?bob", "8. Mon").hears("t 2026-03-02T09:02", "3. Mon 2026-03-02 09:02:00");
    talk.hears("zone asia/tokyo", "Times in Asia/Tokyo").hears("z", "Times in UTC");
    talk.hears("nonsense", "`nonsense` is no command").hears("time 99", "is no time");
}

#[test]
fn lists_are_chosen_from_by_number() {
    let mut talk = Talk::open(long());
    talk.hears("types", "2. hist_logout, Signed out: 60 events");
    talk.hears("2", "Narrowed to: type:hist_logout").hears("undo", "Event 1 of 71");
    talk.hears("actors", "1. ann: 36 events").hears("1", "Narrowed to: actor:ann");
    talk.hears("lift", "lift puts them back").hears("timeline", "steps of");
    talk.hears("1", "Narrowed to: time:2026-03-02T09:00:00Z..");
}

#[test]
fn what_lies_on_top_is_read_and_left() {
    let mut talk = Talk::open(small());
    talk.hears("problems", "1. small.jsonl:7").hears("1", "could not be read");
    talk.hears("doc hist_access_view", "Attributes (").hears("2", "Event types that carry it");
    talk.hears("close", "Attributes (").hears("events", "Event 11 of 11");
    talk.hears("filter actor:ann", "6 shown").hears("chips", "1. actor:ann: on");
    talk.hears("1", "chosen").hears("add", "actor:ann: off").hears("close", "Off: actor:ann");
    talk.hears("help", "filter, or f: edit the filter");
}

#[test]
fn commands_may_come_through_a_pipe() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&small()).unwrap();
    let mut actlog = assert_cmd::Command::cargo_bin("actlog").unwrap();
    let folder = tempfile::tempdir().unwrap();
    actlog.arg("--plain").arg(file.path()).env("XDG_STATE_HOME", folder.path());
    let done = actlog.write_stdin("filter actor:bob\n2\n").assert().success();
    let said = String::from_utf8(done.get_output().stdout.clone()).unwrap();
    assert!(said.contains("10 events\nfrom 2026-03-02 09:00 to"), "{said}");
    assert!(said.contains("Narrowed to: actor:bob"), "{said}");
    assert!(said.contains("eventType: hist_delete_workbook"), "{said}");
}
