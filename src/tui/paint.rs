//! The difference of two screens as the fewest bytes a terminal needs.

use std::io::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::base::text;

/// Unchanged cells that may be written again instead of jumping over them, at most.
const LONGEST_BRIDGE: u16 = 8;

/// Blanks from which on erasing may cost less than writing.
const SHORTEST_ERASURE: u16 = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

const PLAIN: Look = Look { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

impl Look {
    /// Returns whether a blank in this look is like one in any other such look.
    fn hides_blanks(self) -> bool {
        self.bg == Color::Reset
            && !self.modifier.intersects(Modifier::REVERSED | Modifier::UNDERLINED)
    }
}

/// Appends what turns a terminal showing `old` into one showing `new`; nothing when they agree.
///
/// Both buffers must be of one size, and lines must not wrap. The pen is left without colours.
pub fn diff(old: &Buffer, new: &Buffer, out: &mut Vec<u8>) {
    let mut pen = Pen { new, at: None, look: PLAIN, out };
    let changed = old.diff(new);
    let seen = |&(x, y, cell): &(u16, u16, &Cell)| {
        !(is_blank(cell) && old.cell((x, y)).is_some_and(is_blank))
    };
    let changed: Vec<(u16, u16, &Cell)> = changed.into_iter().filter(seen).collect();
    for row in changed.chunk_by(|a, b| a.1 == b.1) {
        pen.row(row);
    }
    if pen.look != PLAIN {
        pen.out.extend_from_slice(b"\x1b[m");
    }
}

/// Returns whether a cell shows nothing at all.
fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && look_of(cell).hides_blanks()
}

struct Pen<'a> {
    new: &'a Buffer,
    /// Where the terminal's cursor surely is.
    at: Option<(u16, u16)>,
    look: Look,
    out: &'a mut Vec<u8>,
}

impl Pen<'_> {
    /// Writes the changed cells of one row.
    fn row(&mut self, changed: &[(u16, u16, &Cell)]) {
        let mut n = 0;
        while let Some(&(x, y, cell)) = changed.get(n) {
            if is_blank(cell)
                && let Some(done) = self.erase(&changed[n..])
            {
                n += done;
                continue;
            }
            self.go(x, y, look_of(cell));
            self.cell(x, y, cell);
            n += 1;
        }
    }

    /// Erases the blanks that begin here, if that costs less than writing them; returns how many of
    /// the changed cells are done with.
    fn erase(&mut self, changed: &[(u16, u16, &Cell)]) -> Option<usize> {
        let &(x, y, _) = changed.first()?;
        let blank = |x: u16| self.new.cell((x, y)).is_some_and(is_blank);
        let right = self.new.area.right();
        let end = (x..right).find(|&x| !blank(x)).unwrap_or(right);
        let done = changed.iter().take_while(|(x, ..)| *x < end).count();
        let last = changed.get(done.checked_sub(1)?)?.0;
        let columns = last + 1 - x;
        let goes_on = changed.get(done).is_some_and(|next| next.0 == last + 1);
        let words = if end == right { "\x1b[K".to_owned() } else { format!("\x1b[{columns}X") };
        // What is erased takes the look of the pen; and the cursor stays before it.
        let takes_off = if self.look.hides_blanks() { 0 } else { 3 };
        let cost = words.len() + takes_off + if goes_on { 4 } else { 0 };
        if columns < SHORTEST_ERASURE || usize::from(columns) <= cost {
            return None;
        }
        self.go(x, y, PLAIN);
        if takes_off != 0 {
            self.take(PLAIN);
        }
        self.out.extend_from_slice(words.as_bytes());
        Some(done)
    }

    /// Takes the cursor to a place: a short run of unchanged cells is written again where that
    /// costs less than a jump.
    fn go(&mut self, x: u16, y: u16, look: Look) {
        if self.at == Some((x, y)) {
            return;
        }
        let jump = self.jump(x, y);
        if let Some((from, row)) = self.at
            && row == y
            && from < x
            && x - from <= LONGEST_BRIDGE
            && let Some(bridge) = self.bridge(from..x, y, look)
            && bridge <= jump.len()
        {
            for x in from..x {
                if let Some(cell) = self.new.cell((x, y)) {
                    self.cell(x, y, cell);
                }
            }
            return;
        }
        self.out.extend_from_slice(&jump);
        self.at = Some((x, y));
    }

    /// Returns the bytes that writing unchanged cells again costs, beyond those that changing to
    /// `look` costs in any case; `None` when a terminal may be of another mind about their width.
    fn bridge(&self, columns: std::ops::Range<u16>, y: u16, look: Look) -> Option<usize> {
        let mut words = Vec::new();
        let mut pen = Pen { new: self.new, at: None, look: self.look, out: &mut words };
        let mut bytes = 0;
        for x in columns {
            let cell = self.new.cell((x, y)).filter(|cell| cell.symbol().len() == 1)?;
            bytes += 1;
            if !(is_blank(cell) && pen.look.hides_blanks()) {
                pen.take(look_of(cell));
            }
        }
        pen.take(look);
        let mut direct = Vec::new();
        Pen { new: self.new, at: None, look: self.look, out: &mut direct }.take(look);
        Some((bytes + words.len()).saturating_sub(direct.len()))
    }

    fn cell(&mut self, x: u16, y: u16, cell: &Cell) {
        if !(is_blank(cell) && self.look.hides_blanks()) {
            self.take(look_of(cell));
        }
        self.out.extend_from_slice(cell.symbol().as_bytes());
        // Terminals disagree on the width of clusters, so the place after one is not trusted; nor
        // is the one after the last column.
        let mut chars = cell.symbol().chars();
        let single = chars.next().is_some_and(is_narrow);
        let trusted = single && chars.next().is_none() && x + 1 < self.new.area.right();
        self.at = trusted.then_some((x + 1, y));
    }

    fn take(&mut self, look: Look) {
        if look != self.look {
            change(self.look, look, self.out);
            self.look = look;
        }
    }

    /// Returns the shortest way to a place.
    fn jump(&self, x: u16, y: u16) -> Vec<u8> {
        let mut ways = vec![format!("\x1b[{};{}H", y + 1, x + 1)];
        if let Some((from, row)) = self.at {
            if row == y {
                ways.push(format!("\x1b[{}G", x + 1));
                ways.extend(along(from, x));
            } else if row + 1 == y {
                ways.push(format!("\r\n\x1b[{x}C").replace("\x1b[0C", ""));
                ways.extend(along(from, x).map(|way| format!("\n{way}")));
            }
        }
        let shortest = ways.into_iter().min_by_key(String::len);
        shortest.unwrap_or_default().into_bytes()
    }
}

/// Returns the move within a row.
fn along(from: u16, to: u16) -> Option<String> {
    match (to.checked_sub(from), from.abs_diff(to)) {
        (Some(0), _) => Some(String::new()),
        (Some(1), _) => Some("\x1b[C".to_owned()),
        (Some(n), _) => Some(format!("\x1b[{n}C")),
        (None, n @ 1..=4) => Some("\x08".repeat(usize::from(n))),
        (None, n) => Some(format!("\x1b[{n}D")),
    }
}

/// Returns whether every terminal gives a character one column: letters without marks, and the
/// dashes, dots, arrows, lines, blocks and crosses that the screen is made of.
fn is_narrow(c: char) -> bool {
    let drawn = matches!(c,
        '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{25ff}' | '⋯' | '✗' | '⟦' | '⟧' | '≥');
    c < '\u{300}' || drawn && text::width(c.encode_utf8(&mut [0; 4])) == 1
}

fn look_of(cell: &Cell) -> Look {
    Look { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
}

/// Appends the shortest sequence from one look to another; 0 takes everything back first.
fn change(from: Look, to: Look, out: &mut Vec<u8>) {
    let mut codes: Vec<u8> = Vec::new();
    let mut from = from;
    if !(from.modifier - to.modifier).is_empty() || to == PLAIN {
        codes.push(0);
        from = PLAIN;
    }
    for (modifier, code) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ] {
        if (to.modifier - from.modifier).contains(modifier) {
            codes.push(code);
        }
    }
    if to.fg != from.fg {
        codes.push(colour(to.fg, 30));
    }
    if to.bg != from.bg {
        codes.push(colour(to.bg, 40));
    }
    let words: Vec<String> =
        codes.iter().map(|&c| if c == 0 { String::new() } else { c.to_string() }).collect();
    // Writing to a Vec cannot fail.
    drop(write!(out, "\x1b[{}m", words.join(";")));
}

const fn colour(colour: Color, base: u8) -> u8 {
    match colour {
        Color::Black => base,
        Color::Red => base + 1,
        Color::Green => base + 2,
        Color::Yellow => base + 3,
        Color::Blue => base + 4,
        Color::Magenta => base + 5,
        Color::Cyan => base + 6,
        Color::Gray => base + 7,
        Color::DarkGray => base + 60,
        Color::LightRed => base + 61,
        Color::LightGreen => base + 62,
        Color::LightYellow => base + 63,
        Color::LightBlue => base + 64,
        Color::LightMagenta => base + 65,
        Color::LightCyan => base + 66,
        Color::White => base + 67,
        Color::Reset | Color::Rgb(..) | Color::Indexed(_) => base + 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn bytes(old: &str, new: &str, style: Style) -> String {
        let area = Rect::new(0, 0, 20, 1);
        let mut before = Buffer::empty(area);
        before.set_string(0, 0, old, Style::new());
        let mut after = Buffer::empty(area);
        after.set_string(0, 0, new, style);
        let mut out = Vec::new();
        diff(&before, &after, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_what_changed_is_sent() {
        let plain = Style::new();
        assert_eq!(bytes("same", "same", plain), "");
        assert_eq!(bytes("one", "ona", plain), "\x1b[1;3Ha");
        assert_eq!(bytes("abcde", "xbcdy", plain), "\x1b[1;1Hxbcdy");
        assert_eq!(bytes("abcdefghi", "xbcdefghy", plain), "\x1b[1;1Hx\x1b[9Gy");
    }

    #[test]
    fn blanks_are_erased_where_that_is_shorter() {
        let plain = Style::new();
        assert_eq!(bytes("abcdefgh", "ab", plain), "\x1b[1;3H\x1b[K");
        assert_eq!(bytes("abcdefghijklmnop", "a             op", plain), "\x1b[1;2H\x1b[13X");
        assert_eq!(bytes("abcd", "a  d", plain), "\x1b[1;2H  ");
    }

    #[test]
    fn only_what_surely_is_narrow_tells_where_the_cursor_is() {
        assert!("aé·…–→│█✗⟦⟧≥⋯".chars().all(is_narrow));
        assert!(!"日⌚◾👩\u{301}".chars().any(is_narrow));
    }

    #[test]
    fn looks_are_changed_and_taken_back() {
        let red = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
        assert_eq!(bytes("", "a", red), "\x1b[1;1H\x1b[1;31ma\x1b[m");
    }

    const LOOKS: [(Color, Modifier); 6] = [
        (Color::Reset, Modifier::empty()),
        (Color::Reset, Modifier::BOLD),
        (Color::Red, Modifier::empty()),
        (Color::Reset, Modifier::DIM),
        (Color::Blue, Modifier::UNDERLINED),
        (Color::Reset, Modifier::REVERSED),
    ];

    proptest::proptest! {
        /// What a terminal shows after the difference is what was to be shown, in that look.
        #[test]
        fn a_terminal_ends_up_showing_the_new_screen(
            screens in proptest::collection::vec(
                proptest::collection::vec(("[a-c é─ ]{0,12}", 0_usize..30, 0..LOOKS.len()), 0..9),
                1..4,
            ),
        ) {
            let area = Rect::new(0, 0, 30, 3);
            let mut terminal = vt100::Parser::new(3, 30, 0);
            terminal.process(b"\x1b[?7l");
            let mut shown = Buffer::empty(area);
            for pieces in screens {
                let mut next = Buffer::empty(area);
                for (n, (text, x, look)) in pieces.into_iter().enumerate() {
                    let (fg, modifier) = LOOKS[look];
                    let style = Style::reset().fg(fg).add_modifier(modifier);
                    next.set_string(x as u16, n as u16 % 3, text, style);
                }
                let mut out = Vec::new();
                diff(&shown, &next, &mut out);
                terminal.process(&out);
                shown = next;
            }
            for (n, want) in shown.content().iter().enumerate() {
                let got = terminal.screen().cell(n as u16 / 30, n as u16 % 30).unwrap();
                let contents = if got.contents().is_empty() { " " } else { got.contents() };
                assert_eq!(contents, want.symbol(), "cell {n}");
                let lit = |m: Modifier| want.modifier.contains(m);
                assert_eq!(got.inverse(), lit(Modifier::REVERSED), "cell {n}");
                assert_eq!(got.underline(), lit(Modifier::UNDERLINED), "cell {n}");
                if want.symbol() != " " {
                    assert_eq!(got.bold(), lit(Modifier::BOLD), "cell {n}");
                    let red = got.fgcolor() == vt100::Color::Idx(1);
                    assert_eq!(red, want.fg == Color::Red, "cell {n}");
                }
            }
        }

        /// Wide characters keep what follows them in place.
        #[test]
        fn wide_characters_are_shown_whole(old in "[a-c 日]{0,30}", new in "[a-c é─日]{0,30}") {
            let area = Rect::new(0, 0, 30, 1);
            let mut terminal = vt100::Parser::new(1, 30, 0);
            let mut shown = Buffer::empty(area);
            for text in [old, new] {
                let mut next = Buffer::empty(area);
                next.set_string(0, 0, &text, Style::new());
                let mut out = Vec::new();
                diff(&shown, &next, &mut out);
                terminal.process(&out);
                shown = next;
            }
            let want: String = shown.content().iter().map(Cell::symbol).collect();
            let want = want.replace("日 ", "日");
            let got = terminal.screen().contents();
            assert_eq!(got.trim_end(), want.trim_end());
        }
    }
}
