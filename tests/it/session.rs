//! The explorer typed at, key by key, without a terminal and without threads.

use actlog::app::effect::Effect;
use actlog::app::event::Event;
use actlog::app::key::Key;
use actlog::base::zone::Zone;
use actlog::ui::theme::{ASCII, Colour, Theme};
use proptest::prelude::*;

use crate::support::session::{Session, index_of, long, small};

#[test]
fn the_first_screen_tells_files_events_range_and_bad_records() {
    let mut session = Session::small();
    session.shows("small.jsonl").shows("10 events").shows("1 bad !").shows("all 11");
    session.shows("2026-03-02 09:00 – 2026-03-03 08:31 UTC").shows("Monday 2 March 2026");
    session.shows("record ends before it is complete").shows("Signed in").shows("w-1");
}

#[test]
fn choosing_a_type_narrows_the_list_and_not_the_catalogue() {
    let mut session = Session::small();
    session.keys("<F9> 1 j <enter>");
    session.shows("⟦type:hist_login⟧").shows("7 of 11").shows("hist_update_w").lacks("Sales EU");
}

#[test]
fn undo_and_redo_walk_through_narrowings() {
    let mut session = Session::small();
    session.keys("<F9> 1 j <enter>").shows("7 of 11");
    session.keys("u").shows("all 11");
    session.keys("<Ctrl-R>").shows("7 of 11");
    session.keys("H").shows("all 11");
    session.keys("L").shows("7 of 11");
}

#[test]
fn lifting_all_narrowings_keeps_the_event_on_its_row() {
    let mut session = Session::open((120, 36), long());
    session.keys("40 j").keys("f actor:ann <enter>");
    let (row, id) = (session.cursor_row(), session.model.panes.events.anchor);
    session.keys("X").shows("off: actor:ann");
    assert_eq!((session.cursor_row(), session.model.panes.events.anchor), (row, id));
    session.keys("X").shows("⟦actor:ann⟧");
}

#[test]
fn escape_never_lifts_a_narrowing() {
    let mut session = Session::small();
    session.keys("f actor:ann <enter> <esc> <esc> <esc>").shows("⟦actor:ann⟧");
}

#[test]
fn a_filter_that_matches_nothing_shows_the_way_out() {
    let mut session = Session::small();
    session.keys("f actor:nobody <enter>").shows("Nothing matches.").shows("X lifts them");
}

#[test]
fn an_empty_file_and_a_file_without_events_say_different_things() {
    Session::open((80, 24), Vec::new()).shows("no bytes");
    Session::open((80, 24), b"\n\n\n".to_vec()).shows("hold no event");
}

#[test]
fn the_filter_prompt_counts_while_it_is_typed() {
    let mut session = Session::small();
    session.keys("f actor:bob").shows("2 of 11").shows("filter: actor:bob");
    session.keys("<esc>").shows("all 11");
}

#[test]
fn the_filter_prompt_completes_fields_and_values_seen() {
    let mut session = Session::small();
    session.keys("f ou").shows("outcome:").shows("Tab takes the next of");
    session.keys("<tab> una <tab>").shows("filter: outcome:unauthorized").shows("1 of 11");
    session.keys("<enter>").shows("⟦outcome:unauthorized⟧");
}

#[test]
fn suggestions_are_chosen_by_tab_and_arrows_and_left_as_typed() {
    let mut session = Session::small();
    session.keys("f type:hist_login").keys("<Ctrl-U>").keys("type:hist_ <tab>");
    session.shows("filter: type:hist_delete_workbook").shows("1 of 11");
    session.keys("<down>").shows("filter: type:hist_login").shows("7 of 11");
    session.keys("<shift-tab>").shows("filter: type:hist_delete_workbook");
    session.keys("<up>").shows("filter: type:hist_");
}

#[test]
fn escape_closes_the_suggestions_before_the_prompt() {
    let mut session = Session::small();
    session.keys("f ty").shows("Tab takes");
    session.keys("<esc>").lacks("Tab takes").shows("filter: ty");
    session.keys("p").lacks("Tab takes").shows("filter: typ");
    session.keys("<tab>").shows("filter: type:");
    session.keys("<esc> <esc>").lacks("filter:");
}

#[test]
fn tab_on_an_empty_filter_lists_the_fields() {
    let mut session = Session::small();
    session.keys("f").lacks("category:").keys("<tab>").shows("category:").shows("actor:");
}

#[test]
fn typed_filters_are_coloured_by_their_parts() {
    let mut session = Session::small();
    session.keys("f type:hist_login");
    let buf = session.buffer();
    let style = |x: u16| buf[(x, 35)].style().fg;
    // After ` filter: ` come the field, the operator and the value.
    assert_ne!(style(9), style(13));
    assert_ne!(style(13), style(14));
    assert_eq!(style(14), style(23));
}

#[test]
fn text_written_with_escapes_is_found() {
    let mut log = small();
    log.extend_from_slice(
        b"{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-03T09:00:00Z\",\
          \"note\":\"M\\u00fcnchen\"}\n",
    );
    let mut session = Session::open((120, 36), log);
    session.keys("/ MÜNCHEN <enter>").shows("11 / 12");
}

#[test]
fn search_goes_backward_and_wraps_with_a_word() {
    let mut session = Session::small();
    session.keys("/ ? bob <enter>").shows("8 / 11").shows("past the top");
    session.keys("n").shows("6 / 11").lacks("past the top");
    session.keys("n").shows("8 / 11").shows("past the top");
}

#[test]
fn n_goes_on_with_a_count_and_in_every_pane() {
    let mut session = Session::small();
    session.keys("n").shows("nothing searched for yet");
    session.keys("/ ann <enter>").shows("2 / 11").keys("3 n").shows("5 / 11");
    session.keys("2 N").shows("3 / 11").keys("5 n").shows("2 / 11").shows("went past the end");
    session.keys("<F9> 1 / hist <enter>").keys("n").shows(" hist_delete_access_token  ");
    let mut session = Session::small();
    session.keys("/ luid <enter>").keys("<F9> 5 n n").shows("2 / 11").keys("<esc>");
}

#[test]
fn a_question_mark_and_words_lead_to_a_backward_search_as_in_less() {
    let mut session = Session::small();
    session.keys("?").keys("bob").shows("search the events backward for: bob");
    session.keys("<PgDn> <enter>").shows("8 / 11");
}

#[test]
fn a_filter_may_name_a_file_with_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("people.txt");
    std::fs::write(&list, "bob\ncat\n").unwrap();
    let mut session = Session::small();
    session.keys(&format!("f actor:@{} <enter>", list.display())).shows("4 of 11");
}

#[test]
fn choosing_a_category_makes_one_chip_that_the_pane_ignores() {
    let mut session = Session::small();
    session.keys("<F9> 1 g <enter>").shows("⟦category:").shows("hist_update_w");
    session.keys("<F9> 1 g <enter>").shows("all 11");
}

#[test]
fn search_goes_to_the_event_whose_text_holds_the_needle() {
    let mut session = Session::small();
    session.keys("/ needle <enter>").shows("Tue 2026-03-03").shows("10 / 11");
    session.keys("/ absent <enter>").shows("is in none of the events shown");
}

#[test]
fn going_to_a_time_finds_the_nearest_event() {
    let mut session = Session::small();
    session.keys("t 2026-03-03T08:30 <enter>").shows("Tue 2026-03-03");
    session.keys("t -1d <enter>").shows("Mon 2026-03-02");
}

#[test]
fn times_are_shown_in_the_chosen_zone_and_it_is_named_everywhere() {
    let mut session = Session::open((160, 45), long());
    session.model.zones.local = Zone::parse("America/New_York").unwrap();
    session.keys("g").shows("09:00:00.500 S").shows("2026-03-02 UTC").shows("1 bar = ");
    session.keys("z").shows("2026-03-02 04:00 – 2026-03-04 05:59 America/New_York");
    session.shows("04:00:00.500 S").shows("Mon 2026-03-02 EST").shows("min, America/New_York");
    session.shows("zone of this machine").shows("2026-03-02T09:00:00.500Z");
    session.shows("│ Mon 2026-03-02 04:00:00.500 EST").shows("d 1 h before the log's last event");
    session.keys("t").shows("go to time (America/New_York)").keys("2026-03-03T03:31 <enter>");
    session.shows("Tue 2026-03-03 EST").shows("10 / 71");
    session.keys("f time:2026-03-03").shows("times without a zone mean UTC").keys("<esc> z");
    session.shows("Tue 2026-03-03 UTC").shows("2026-03-04 10:59 UTC");
}

#[test]
fn a_zone_is_chosen_by_name_and_kept_among_those_of_the_key() {
    let mut session = Session::small();
    session.keys("z").shows("zone is UTC too");
    session.keys("Z").keys("kolkata <enter>").shows("14:30:00").shows("Asia/Kolkata");
    session.keys("z").shows("times are shown in UTC").keys("z").shows("shown in Asia/Kolkata");
}

#[test]
fn the_focused_event_stays_on_its_row_in_another_zone() {
    let mut session = Session::open((120, 36), long());
    session.model.zones.local = Zone::parse("Asia/Tokyo").unwrap();
    session.keys("40 j");
    let (row, id) = (session.cursor_row(), session.model.panes.events.anchor);
    for _ in 0..2 {
        session.keys("z");
        assert_eq!((session.cursor_row(), session.model.panes.events.anchor), (row, id));
    }
}

#[test]
fn the_list_tells_where_clocks_change() {
    let mut log = String::new();
    for time in ["2026-03-29T00:30:00Z", "2026-03-29T01:10:00Z", "2026-03-30T08:00:00Z"] {
        log += &format!("{{\"eventType\":\"hist_login\",\"eventTime\":\"{time}\"}}\n");
    }
    let mut session = Session::open((120, 36), log.into_bytes());
    session.lacks("from here");
    session.keys("Z").keys("europe/berlin <enter>").shows("from here CEST, +02:00");
    session.shows("01:30:00 S").shows("03:10:00 S").shows("10:00:00 S");
}

#[test]
fn a_clock_typed_at_the_time_prompt_is_meant_in_the_shown_zone() {
    for (typed, place) in [
        ("2026-03-03T09:30", "9 / 11"),
        ("09:31+01:00", "10 / 11"),
        ("2026-03-03T08:31Z", "10 / 11"),
        ("yesterday", "1 / 11"),
    ] {
        let mut session = Session::small();
        session.keys("Z").keys("europe/berlin <enter> 9 G t").keys(typed).keys("<enter>");
        session.shows(place);
    }
}

#[test]
fn failures_are_one_key_apart() {
    let mut session = Session::small();
    session.keys("e").shows("6 / 11");
    session.keys("e").shows("no other one");
}

#[test]
fn a_count_repeats_the_next_key() {
    let mut session = Session::small();
    session.keys("5 j").shows("6 / 11");
    session.keys("2 k").shows("4 / 11");
    session.keys("G").shows("11 / 11").keys("g").shows("1 / 11");
    session.keys("7 G").shows("7 / 11");
}

#[test]
fn the_detail_explains_attributes_and_marks_what_the_schema_lacks() {
    let mut session = Session::small();
    session.shows("ACTOR").shows("ACTION").shows("OUTCOME");
    session.keys("/ needle <enter>").shows("made_up_type");
    session.keys("<enter> G").shows("NOT IN THE SCHEMA").shows("odd").shows("needle");
}

#[test]
fn raw_bytes_are_a_key_away() {
    let mut session = Session::small();
    session.keys("<F9> 5 r").shows("{\"eventType\":\"hist_login\"").keys("r").shows("ACTOR");
}

#[test]
fn including_the_value_under_the_cursor_adds_a_chip() {
    let mut session = Session::small();
    session.keys("x").shows("-type:hist_login").shows("3 of 11");
    session.keys("u a").shows("⟦actor:ann⟧");
}

#[test]
fn the_object_of_an_event_leads_to_all_its_events() {
    let mut session = Session::small();
    session.keys("8 G o").shows("⟦object:w-1⟧").shows("2 of 11");
}

#[test]
fn problems_are_listed_with_place_reason_and_caret() {
    let mut session = Session::small();
    session.keys("!").shows("small.jsonl:7").shows("1 bad record ").shows("^");
    session.keys("<enter>").shows("11 / 11").shows("bad record");
}

#[test]
fn unseen_types_are_one_key_away_and_documented() {
    let mut session = Session::small();
    session.shows("not seen").keys("<F9> 1 p").lacks("not seen");
    session.keys("/ access_view <enter>").shows("hist_access_view");
    session.keys("K").shows("Attributes (").keys("<esc>").lacks("Attributes (");
}

#[test]
fn chips_are_switched_and_deleted_in_their_list() {
    let mut session = Session::small();
    session.keys("f actor:ann <enter> F <space>").shows("off").shows("all 11");
    session.keys("d <esc>").shows("everything is shown");
}

#[test]
fn a_range_of_the_timeline_becomes_a_chip() {
    let mut session = Session::small();
    session.keys("<F9> 3 g <enter>").shows("⟦time:2026-03-02T09:00:00Z..");
    session.shows("6 of 11");
}

#[test]
fn a_narrow_timeline_says_less_of_its_bar() {
    for (w, words) in
        [(100, ": 6 events, 1 failed"), (50, "Mon 03-02 09:00 UTC: 6"), (28, "03-02 09:00: 6")]
    {
        Session::open((w, 12), small()).keys("<F9> 3 g").shows(words);
    }
}

#[test]
fn help_is_searchable_and_runs_what_it_finds() {
    let mut session = Session::small();
    session.keys("?").shows("Keys that work here").shows("next failed event");
    session.keys("bad records <enter>").shows("Problems");
}

#[test]
fn the_palette_knows_commands_types_and_attributes() {
    let mut session = Session::small();
    session.keys(":").keys("siteRoleId <enter>").shows("siteRoleId");
    session.keys("<esc> :").keys("hist_access_view <enter>").shows("Attributes (");
}

#[test]
fn an_unbound_key_says_so_and_a_chord_can_be_broken_off() {
    let mut session = Session::small();
    session.keys("W").shows("does nothing here");
    session.keys("y").shows("copy the event").keys("<esc>").lacks("copy the event");
}

#[test]
fn file_order_keeps_the_focused_event() {
    let mut session = Session::small();
    session.keys("3 j s").shows("file order").shows("4 / 11");
}

#[test]
fn q_steps_out_and_then_leaves() {
    let mut session = Session::small();
    session.keys("<enter> q");
    assert!(!session.quit);
    session.keys("q");
    assert!(session.quit);
}

#[test]
fn late_answers_of_older_questions_are_dropped() {
    let mut session = Session::small();
    session.keys("f actor:ann <enter>");
    session.happen(Event::Key(Key::char('u')));
    let old: Vec<Effect> = session.waiting.drain(..).collect();
    session.happen(Event::Key(Key::parse("Ctrl-R").unwrap()));
    session.settle();
    session.waiting.extend(old);
    session.settle();
    session.shows("6 of 11").shows("⟦actor:ann⟧");
}

#[test]
fn the_event_stays_in_place_while_the_log_grows() {
    let mut session = Session::open((120, 36), long());
    session.keys("30 j");
    let (row, id) = (session.cursor_row(), session.model.panes.events.anchor);
    let mut log = long();
    let early = "{\"eventType\":\"hist_login\",\"eventTime\":\"2026-03-01T09:00:00Z\"}\n";
    log.extend_from_slice(early.as_bytes());
    let index = index_of(log, &session.model.data.catalog);
    session.happen(Event::Index(index));
    session.settle();
    session.shows("32 / 72");
    assert_eq!(session.model.panes.events.anchor, id);
    assert_eq!(row, session.cursor_row());
}

#[test]
fn without_colour_and_in_ascii_failures_still_differ() {
    let mut session = Session::small();
    session.theme = Theme { colour: Colour::None, glyphs: &ASCII };
    let screen = session.screen();
    assert!(screen.is_ascii(), "{screen}");
    assert!(screen.contains(" x "), "{screen}");
}

#[test]
fn screens_of_every_shape() {
    for (name, size) in [("wide", (120, 36)), ("narrow", (80, 24)), ("tiny", (40, 10))] {
        let session = Session::open(size, small());
        insta::assert_snapshot!(format!("the_small_log_on_a_{name}_screen"), session.screen());
    }
}

/// Text that would move cursors, reorder or hide if it reached the terminal.
fn hostile() -> Vec<u8> {
    let mut log = small();
    let nasty = "\u{202e}\\u001b[2J\\u009b31m\u{200b}日本e\u{301}👩\u{200d}👩\\u0000\\n";
    log.extend_from_slice(
        format!(
            "{{\"eventType\":\"{nasty}\",\"eventTime\":\"2026-03-02T10:00:00Z\",\
             \"actorUserLuid\":\"{nasty}\",\"{nasty}\":\"{nasty}\"}}\n"
        )
        .as_bytes(),
    );
    log.extend_from_slice(b"\x1b]0;title\x07 \xff\xfe not json\n");
    log
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_keys_on_any_screen_draw_no_control_character(
        w in prop_oneof![0_u16..40, 40_u16..200, 400_u16..=500],
        h in prop_oneof![0_u16..20, 20_u16..60, 150_u16..=200],
        keys in prop::collection::vec(
            prop::sample::select(vec![
                "j", "k", "g", "G", "<tab>", "<enter>", "<esc>", "<space>", "f", "F", "X", "?",
                ":", "!", "K", "p", "x", "i", "a", "o", "c", "C", "e", "E", "[", ".", "t", "/",
                "n", "N", "Z", "u", "H", "L", "r", "m", "s", "z", "+", "-", "0", "9", "<F9>", "1", "3",
                "h", "l", "d", "type:", "\"", "(", "<Ctrl-D>", "<Ctrl-W>", "<PgDn>", "<Ctrl-R>",
            ]),
            0..40,
        ),
    ) {
        let mut session = Session::open((w, h), hostile());
        for key in keys {
            session.keys(key);
            let buf = session.buffer();
            let bad = |c: char| c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
            let all = buf.content().iter().flat_map(|cell| cell.symbol().chars());
            prop_assert!(!all.into_iter().any(bad));
        }
        session.happen(Event::Resize(h, w));
        session.settle();
        session.buffer();
    }
}
