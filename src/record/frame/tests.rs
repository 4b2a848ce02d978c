use super::*;

const A: &str = r#"{"eventType":"a","eventTime":"2026-03-02T08:00:00Z"}"#;
const B: &str = r#"{"eventType":"b","eventTime":"2026-03-02T08:00:01Z","s":"}{[\"\\"}"#;

#[derive(Default)]
struct List(Vec<String>);

impl Sink for List {
    fn event(&mut self, span: Range<usize>, head: &Head<'_>) {
        let name = head.event_type.unwrap_or("?");
        self.0.push(format!("{name} {}..{}", span.start, span.end));
    }
    fn bad(&mut self, span: Range<usize>, flaw: Flaw) {
        self.0.push(format!("bad {}..{}: {flaw} at {}", span.start, span.end, flaw.at));
    }
}

fn frames(bytes: &[u8], complete: bool) -> (Vec<String>, Consumed) {
    let mut list = List::default();
    let piece = Piece { bytes, range: 0..bytes.len(), mode: Mode::Lines, complete };
    let consumed = read(&piece, &mut HeadReader::default(), &mut list);
    (list.0, consumed)
}

/// Compares what is found with one word per record: the event's type, or the reason.
fn check(bytes: &[u8], expected: &[&str]) {
    let words: Vec<String> = frames(bytes, true)
        .0
        .into_iter()
        .map(|line| match line.strip_prefix("bad ") {
            Some(rest) => {
                let (_, rest) = rest.split_once(": ").expect("a reason");
                rest.rsplit_once(" at ").expect("a place").0.to_owned()
            }
            None => line.split(' ').next().expect("a type").to_owned(),
        })
        .collect();
    assert_eq!(words, expected, "{}", String::from_utf8_lossy(bytes));
}

#[test]
fn lines_with_any_endings_and_blanks() {
    check(format!("{A}\n{B}\n").as_bytes(), &["a", "b"]);
    check(format!("{A}\r\n\r\n  \t{B}  \r\n\n").as_bytes(), &["a", "b"]);
    check(format!("\u{feff}{A}\n\u{feff}{B}").as_bytes(), &["a", "b"]);
    check(b"", &[]);
    check(b"\n\n \n\t\n", &[]);
    check(format!("\x0c\n\x0c{A}\x0c\n").as_bytes(), &["a"]);
}

#[test]
fn only_a_line_feed_ends_a_line() {
    let odd = r#"{"eventType":"a","s":"x\u2028y"}"#.replace("\\u2028", "\u{2028}\u{2029}\u{85}");
    check(format!("{odd}\n{B}").as_bytes(), &["a", "b"]);
}

#[test]
fn several_objects_on_a_line() {
    check(format!("{A}{B}\n{A} {B},{A}\n{B}").as_bytes(), &["a", "b", "a", "b", "a", "b"]);
    check(format!("{A}\u{feff}{B}").as_bytes(), &["a", "b"]);
}

#[test]
fn arrays_of_events() {
    check(format!("[{A},{B}]").as_bytes(), &["a", "b"]);
    check(format!("[\n {A},\n {B}\n]\n{A}\n").as_bytes(), &["a", "b", "a"]);
    check(format!("[{A},\n7,\n{B}]").as_bytes(), &["a", "a lone integer, not an object", "b"]);
    check(format!("[{A},{{\"a\":007}},{B}]").as_bytes(), &["a", "not a JSON number", "b"]);
    check(b"[]\n[1,2]", &["an array without events", "an array without events"]);
}

#[test]
fn objects_around_arrays_of_events() {
    check(format!("{{\"Records\":[{A},{B}]}}\n{A}").as_bytes(), &["a", "b", "a"]);
    let wide = format!("{{ \"Records\" : [\n{A},\n{B}\n], \"x\": {{\"y\":[\"]}}\"]}} }}\n{A}");
    check(wide.as_bytes(), &["a", "b", "a"]);
    check(format!("{{\"next\":\"t\",\"Records\":[{A},{B}]}}").as_bytes(), &["a", "b"]);
}

#[test]
fn pretty_objects_one_after_another() {
    let pretty = "{\n  \"eventType\": \"a\",\n  \"n\": {\n    \"x\": [1,\n 2]\n  }\n}\n";
    check(format!("{pretty}{pretty}{B}").as_bytes(), &["a", "a", "b"]);
    check(format!("[\n{pretty},{pretty}]").as_bytes(), &["a", "a"]);
    let broken = "{\n  \"eventType\": \"a\",\n  \"n\": 007,\n  \"m\": 1\n}\n";
    check(format!("{broken}{pretty}").as_bytes(), &["not a JSON number", "a"]);
}

#[test]
fn text_before_objects() {
    check(format!("2026-03-02 [x] host: {A}\nplain\n").as_bytes(), &["a", "not JSON"]);
    check(format!("{{odd}} {A}\n").as_bytes(), &["a name in quotes expected"]);
    check(format!("[main] {{odd}} {A}\n").as_bytes(), &["a"]);
}

#[test]
fn what_is_no_event_is_one_bad_record_each() {
    check(
        b"null\n42\n\"text\"\n{}\n{\"eventType\":\"\"}\ntrue\n",
        &[
            "a lone null, not an object",
            "a lone integer, not an object",
            "a lone string, not an object",
            "an object without eventType and eventTime",
            "an object without eventType and eventTime",
            "a lone boolean, not an object",
        ],
    );
    check(format!("{A}TRAILER\n{B}").as_bytes(), &["text after the end of the object", "b"]);
    check(format!("{A}\n{{\"a\":1,\n{B}\n").as_bytes(), &["a", "a name in quotes expected", "b"]);
    check(
        format!("{A}\n{{\"a\":\"x\n{B}\n").as_bytes(),
        &["a", "string without end on its line", "b"],
    );
    check(
        b"<?xml version=\"1.0\"?>\n<Error/>\n",
        &["not a log but a saved page: <?xml version=\"1.0\"?>", "not JSON"],
    );
}

#[test]
fn holes_are_one_record_and_what_follows_is_found() {
    let mut bytes = format!("{A}\n").into_bytes();
    bytes.extend([0; 4096]);
    bytes.extend(format!("{B}\n").bytes());
    check(&bytes, &["a", "hole of 4,096 zero bytes", "b"]);
    check(format!("{A}\0\0\n{B}").as_bytes(), &["a", "hole of 2 zero bytes", "b"]);
}

#[test]
fn a_torn_end_is_told_or_waited_for() {
    let torn = format!("{A}\n{}", &B[..30]);
    check(torn.as_bytes(), &["a", "incomplete last line (still being written?)"]);
    let (found, consumed) = frames(torn.as_bytes(), false);
    assert_eq!(found, [format!("a 0..{}", A.len())]);
    assert_eq!(consumed, Consumed { to: A.len() + 1, mode: Mode::Lines });
    // A whole object without a line feed may still be growing.
    assert_eq!(frames(A.as_bytes(), false).0, [] as [String; 0]);
    assert_eq!(frames(A.as_bytes(), true).0.len(), 1);
}

#[test]
fn spans_and_flaws_are_exact() {
    let text = format!("  {A}  \r\n{{\"a\":tru}}\n");
    let second = A.len() + 6;
    let expected = [
        format!("a 2..{}", 2 + A.len()),
        format!("bad {}..{}: a value expected at 5", second, second + 9),
    ];
    assert_eq!(frames(text.as_bytes(), true).0, expected);
}

#[test]
fn pieces_meet_where_the_whole_would() {
    let text = format!("{A}\n[{A},\n{B}]\n{{\n\"eventType\":\"a\"\n}}\nx {B}\n{A}{B}\n");
    let (whole, _) = frames(text.as_bytes(), true);
    for border in 0..text.len() {
        let (mut list, mut reader) = (List::default(), HeadReader::default());
        let mut piece =
            Piece { bytes: text.as_bytes(), range: 0..border, mode: Mode::Lines, complete: true };
        let first = read(&piece, &mut reader, &mut list);
        piece.range = first.to..text.len();
        piece.mode = first.mode;
        read(&piece, &mut reader, &mut list);
        assert_eq!(list.0, whole, "cut at {border}");
    }
}

#[test]
fn a_record_that_is_cut_short_does_not_swallow_the_next() {
    const SHORT: &str = "record ends before it is complete";
    check(format!("{A}\n{{\"a\":\n{B}\n{A}\n").as_bytes(), &["a", SHORT, "b", "a"]);
    check(format!("{{\"a\":[1,\n{B}\n").as_bytes(), &[SHORT, "b"]);
    check(format!("{{\"a\":\n{B}").as_bytes(), &[SHORT, "b"]);
    check(format!("[{{\"a\":\n{B},\n{A}]").as_bytes(), &[SHORT, "b", "a"]);
}

#[test]
fn nesting_and_open_braces_cost_no_stack_and_no_square() {
    let deep = "{\"a\":\n".repeat(200_000);
    let (found, _) = frames(deep.as_bytes(), true);
    assert_eq!(found.len(), 200_000);
    let deep = "{\"a\":".repeat(200_000);
    assert_eq!(frames(deep.as_bytes(), true).0.len(), 1);
}

#[test]
fn what_follows_an_array_in_an_object_is_skipped_only_up_to_the_end_of_the_object() {
    let open = format!("{{\"Records\":[\n{A}\n]\n{B}\n}}\n");
    check(open.as_bytes(), &["a", "b", "not JSON"]);
}

#[test]
fn a_comma_after_an_object_and_any_line_end() {
    check(format!("{A},\r\n{B} , \r\n{A}").as_bytes(), &["a", "b", "a"]);
}

#[test]
fn a_bad_record_holds_the_text_before_its_object() {
    let text = format!("host: {A} rest\n");
    let place = 6 + A.len() + 1;
    let expected = format!("bad 0..{}: text after the end of the object at {place}", place + 4);
    assert_eq!(frames(text.as_bytes(), true).0, [expected]);
}

#[test]
fn arrays_in_arrays_of_events_cost_no_stack() {
    let deep = "{\"x\":0,\"Records\":[".repeat(20_000);
    let text = format!("{deep}{}", "]}".repeat(20_000));
    check(text.as_bytes(), &["an object without eventType and eventTime"]);
}

#[test]
fn a_file_may_grow_by_any_number_of_bytes() {
    for text in [
        format!("[{A},\n00-4\n,{B}]\n"),
        format!("[{A},{{\"a\":007x}} {B}\n,{B}]\n"),
        format!("[\n{A},\n1, tru\n, \"x\",[{B}]\n]\n"),
        format!("{{\"Records\":[\n{A}\n], \"n\": 12, \"o\": {{}} }}\n{B}"),
        format!("{{\n\"a\": 007,\n\"b\": 1\n}}\n{B}\n\0\0{A}, {B} rest"),
    ] {
        let (whole, _) = frames(text.as_bytes(), true);
        for len in 0..text.len() {
            let (mut list, mut reader) = (List::default(), HeadReader::default());
            let bytes = &text.as_bytes()[..len];
            let mut piece = Piece { bytes, range: 0..len, mode: Mode::Lines, complete: false };
            let first = read(&piece, &mut reader, &mut list);
            piece.bytes = text.as_bytes();
            (piece.range, piece.mode) = (first.to..text.len(), first.mode);
            piece.complete = true;
            read(&piece, &mut reader, &mut list);
            assert_eq!(list.0, whole, "{len} bytes first of {text}");
        }
    }
}
