//! The difference of two screens as the fewest bytes a terminal needs.

use std::io::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Unchanged cells that are cheaper to write again than to jump over.
const SHORT_JUMP: u16 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

const PLAIN: Look = Look { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

/// Appends what turns a terminal showing `old` into one showing `new`; nothing when they agree.
///
/// Both buffers must be of one size. The pen is left without colours.
pub fn diff(old: &Buffer, new: &Buffer, out: &mut Vec<u8>) {
    let mut pen = Pen { at: None, look: PLAIN };
    for (x, y, cell) in old.diff(new) {
        pen.bridge(new, x, y, out);
        pen.cell(x, y, cell, out);
    }
    if pen.look != PLAIN {
        out.extend_from_slice(b"\x1b[m");
    }
}

struct Pen {
    /// Where the terminal's cursor surely is.
    at: Option<(u16, u16)>,
    look: Look,
}

impl Pen {
    /// Writes a short run of unchanged cells again instead of jumping, where that costs less.
    fn bridge(&mut self, new: &Buffer, x: u16, y: u16, out: &mut Vec<u8>) {
        let Some((from, row)) = self.at else { return };
        if row != y || x <= from || SHORT_JUMP < x - from {
            return;
        }
        let same_look = (from..x).all(|x| {
            new.cell((x, y)).is_some_and(|c| look_of(c) == self.look && c.symbol().len() == 1)
        });
        if same_look {
            for x in from..x {
                if let Some(cell) = new.cell((x, y)) {
                    self.cell(x, y, cell, out);
                }
            }
        }
    }

    fn cell(&mut self, x: u16, y: u16, cell: &Cell, out: &mut Vec<u8>) {
        if self.at != Some((x, y)) {
            self.jump(x, y, out);
        }
        let look = look_of(cell);
        if look != self.look {
            change(self.look, look, out);
            self.look = look;
        }
        out.extend_from_slice(cell.symbol().as_bytes());
        // Terminals disagree on the width of clusters, so the place after one is not trusted.
        let mut chars = cell.symbol().chars();
        let single =
            chars.next().is_some_and(|c| c < '\u{300}' || matches!(c, '\u{2190}'..='\u{25ff}'));
        self.at = (single && chars.next().is_none()).then_some((x + 1, y));
    }

    fn jump(&self, x: u16, y: u16, out: &mut Vec<u8>) {
        let written = match self.at {
            Some((_, row)) if row == y => write!(out, "\x1b[{}G", x + 1),
            _ => write!(out, "\x1b[{};{}H", y + 1, x + 1),
        };
        // Writing to a Vec cannot fail.
        drop(written);
    }
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
        assert_eq!(bytes("abcdefgh", "xbcdefgy", plain), "\x1b[1;1Hx\x1b[8Gy");
    }

    #[test]
    fn looks_are_changed_and_taken_back() {
        let red = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
        assert_eq!(bytes("", "a", red), "\x1b[1;1H\x1b[1;31ma\x1b[m");
    }

    proptest::proptest! {
        /// What a terminal shows after the difference is what was to be shown.
        #[test]
        fn a_terminal_ends_up_showing_the_new_screen(
            old in "[a-c é─日]{0,30}", new in "[a-c é─日]{0,30}", bold in 0_u16..30,
        ) {
            let area = Rect::new(0, 0, 30, 1);
            let mut terminal = vt100::Parser::new(1, 30, 0);
            let mut blank = Buffer::empty(area);
            let mut shown = blank.clone();
            for text in [old, new] {
                let mut next = Buffer::empty(area);
                next.set_string(0, 0, &text, Style::new());
                next.set_style(Rect::new(bold, 0, 30 - bold, 1), Modifier::BOLD);
                let mut out = Vec::new();
                diff(&blank, &next, &mut out);
                terminal.process(&out);
                blank = next.clone();
                shown = next;
            }
            let want: String = shown.content().iter().map(Cell::symbol).collect();
            let mut want = want.replace("日 ", "日");
            want.truncate(want.trim_end().len());
            let got = terminal.screen().contents();
            assert_eq!(got.trim_end(), want);
        }
    }
}
