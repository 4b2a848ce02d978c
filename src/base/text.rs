//! Text from a log made safe and measured for a terminal.
//!
//! Log text is hostile: nothing from a record, a file name or an error reaches a terminal before
//! [`escape`] has turned what moves cursors, reorders text or hides into something visible.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Which characters the terminal is trusted to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// All of Unicode that is visible and stays in its place.
    #[default]
    Unicode,
    /// Printable ASCII only; the rest is written as `\u{…}`.
    Ascii,
}

/// Returns `text` with every control, bidi, zero-width and line-separating character as a picture.
///
/// The result holds no newline either: a line feed is shown as `⏎`.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_for(text, Charset::Unicode)
}

/// Returns `text` made safe for a terminal that draws `charset`.
pub fn escape_for(text: &str, charset: Charset) -> Cow<'_, str> {
    let safe = |c: char| match charset {
        Charset::Unicode => !is_risky(c),
        Charset::Ascii => matches!(c, ' '..='~'),
    };
    let Some(first) = text.find(|c| !safe(c)) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if safe(c) {
            out.push(c);
        } else {
            push_picture(&mut out, c, charset);
        }
    }
    Cow::Owned(out)
}

/// Returns bytes of unknown encoding as terminal-safe text; what is not UTF-8 becomes U+FFFD.
pub fn escape_bytes(bytes: &[u8]) -> String {
    escape(&String::from_utf8_lossy(bytes)).into_owned()
}

/// Returns a path as terminal-safe text.
pub fn escape_path(path: &std::path::Path) -> String {
    escape(&path.to_string_lossy()).into_owned()
}

/// Returns the terminal columns that already escaped `text` takes.
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(grapheme_width).sum()
}

/// Returns `text` cut to at most `columns`, on a grapheme edge, with `…` when something was cut.
pub fn truncate(text: &str, columns: usize) -> Cow<'_, str> {
    // A grapheme is at least one byte and at most two columns: short text cannot overflow.
    if text.len() <= columns && text.is_ascii() || fits(text, columns) {
        return Cow::Borrowed(text);
    }
    if columns == 0 {
        return Cow::Borrowed("");
    }
    let mut used = 0;
    let mut out = String::new();
    for grapheme in text.graphemes(true) {
        let next = grapheme_width(grapheme);
        if used + next > columns - 1 {
            break;
        }
        used += next;
        out.push_str(grapheme);
    }
    out.push('…');
    Cow::Owned(out)
}

/// Returns `text` cut or padded with blanks to exactly `columns`.
pub fn fit(text: &str, columns: usize) -> String {
    let mut out = truncate(text, columns).into_owned();
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    out
}

/// Returns `text` broken into lines of at most `columns`, at blanks where there are some.
///
/// A `columns` of 0 counts as 1. Always returns at least one line.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let word_width = width(word.trim_end());
        if used + word_width > columns && used > 0 {
            trim_end(lines.last_mut());
            lines.push(String::new());
            used = 0;
        }
        let word_width = if used + width(word) > columns { word_width } else { width(word) };
        let word = if word_width < width(word) { word.trim_end() } else { word };
        if word_width <= columns {
            if let Some(line) = lines.last_mut() {
                line.push_str(word);
            }
            used += word_width;
        } else {
            used = push_broken(&mut lines, word, columns);
        }
    }
    trim_end(lines.last_mut());
    lines
}

/// Returns a number with its thousands grouped: `88,310`.
pub fn group(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a byte count in binary units: `1.0 MiB`.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

fn is_risky(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn push_picture(out: &mut String, c: char, charset: Charset) {
    if charset == Charset::Ascii {
        push_ascii(out, c);
        return;
    }
    match c {
        '\n' => out.push('⏎'),
        '\0'..='\x1f' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
        '\x7f' => out.push('␡'),
        _ => match mark(c) {
            Some(name) => {
                out.push('⟨');
                out.push_str(name);
                out.push('⟩');
            }
            // Writing to a String cannot fail.
            None => drop(write!(out, "⟨U+{:04X}⟩", c as u32)),
        },
    }
}

fn push_ascii(out: &mut String, c: char) {
    match c {
        '…' => out.push('~'),
        '\0'..='\x1f' | '\x7f' => drop(write!(out, "\\x{:02x}", c as u32)),
        _ => match mark(c) {
            Some(name) => drop(write!(out, "<{name}>")),
            None => drop(write!(out, "\\u{{{:x}}}", c as u32)),
        },
    }
}

fn mark(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{85}' => "NEL",
        '\u{9b}' => "CSI",
        '\u{ad}' => "SHY",
        '\u{61c}' => "ALM",
        '\u{200b}' => "ZWSP",
        '\u{200c}' => "ZWNJ",
        '\u{200d}' => "ZWJ",
        '\u{200e}' => "LRM",
        '\u{200f}' => "RLM",
        '\u{2028}' => "LS",
        '\u{2029}' => "PS",
        '\u{202a}' => "LRE",
        '\u{202b}' => "RLE",
        '\u{202c}' => "PDF",
        '\u{202d}' => "LRO",
        '\u{202e}' => "RLO",
        '\u{2060}' => "WJ",
        '\u{2066}' => "LRI",
        '\u{2067}' => "RLI",
        '\u{2068}' => "FSI",
        '\u{2069}' => "PDI",
        '\u{fe0e}' => "VS15",
        '\u{fe0f}' => "VS16",
        '\u{feff}' => "BOM",
        _ => return None,
    })
}

fn grapheme_width(grapheme: &str) -> usize {
    if grapheme.len() == 1 { 1 } else { grapheme.width().min(2) }
}

fn fits(text: &str, columns: usize) -> bool {
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        used += grapheme_width(grapheme);
        if used > columns {
            return false;
        }
    }
    true
}

fn trim_end(line: Option<&mut String>) {
    if let Some(line) = line {
        line.truncate(line.trim_end().len());
    }
}

/// Breaks a word that is wider than a line; returns the columns used on the last line.
fn push_broken(lines: &mut Vec<String>, word: &str, columns: usize) -> usize {
    let mut used = lines.last().map_or(0, |line| width(line));
    for grapheme in word.graphemes(true) {
        let next = grapheme_width(grapheme);
        if used + next > columns && used > 0 {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(grapheme);
        }
        used += next;
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_or_hides_becomes_a_picture() {
        for (raw, shown) in [
            ("plain é 日本", "plain é 日本"),
            ("\x1b[2J", "␛[2J"),
            ("a\nb\tc\r", "a⏎b␉c␍"),
            ("\u{9b}31m\u{85}", "⟨CSI⟩31m⟨NEL⟩"),
            ("user\u{202e}gpj.exe", "user⟨RLO⟩gpj.exe"),
            ("a\u{200b}b\u{2028}", "a⟨ZWSP⟩b⟨LS⟩"),
            ("\0\x7f", "␀␡"),
            ("\u{80}", "⟨U+0080⟩"),
        ] {
            assert_eq!(escape(raw), shown);
        }
    }

    #[test]
    fn ascii_mode_draws_ascii_only() {
        assert_eq!(escape_for("é\x1b\u{202e}日…", Charset::Ascii), "\\u{e9}\\x1b<RLO>\\u{65e5}~");
    }

    #[test]
    fn text_is_cut_on_grapheme_edges() {
        for (text, columns, shown) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("日本語", 5, "日本…"),
            ("日本語", 6, "日本語"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("abc", 0, ""),
        ] {
            assert_eq!(truncate(text, columns), shown, "{text:?} in {columns}");
        }
        assert_eq!(fit("日本", 6), "日本  ");
    }

    #[test]
    fn words_wrap_at_blanks_and_long_words_break() {
        assert_eq!(wrap("the LUID of the workbook", 11), ["the LUID of", "the", "workbook"]);
        assert_eq!(wrap("a (string) `x`, y", 9), ["a", "(string)", "`x`, y"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn numbers_are_grouped_and_bytes_have_units() {
        assert_eq!(
            (group(0), group(999), group(88310)),
            ("0".into(), "999".into(), "88,310".into())
        );
        assert_eq!((bytes(1023), bytes(1_048_576)), ("1023 B".into(), "1.0 MiB".into()));
    }
}
