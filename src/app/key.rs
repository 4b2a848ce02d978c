//! Keys and chords, free of any terminal library.

use std::fmt;

/// What was pressed, without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A character as typed, Shift already applied.
    Char(char),
    /// Enter or Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab; with Shift for going backwards.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1.
    F(u8),
}

/// One key press with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// What was pressed.
    pub code: Code,
    /// Whether Ctrl was down.
    pub ctrl: bool,
    /// Whether Alt was down.
    pub alt: bool,
    /// Whether Shift was down; never set for characters, which carry it in themselves.
    pub shift: bool,
}

const NAMED: [(&str, Code); 17] = [
    ("Enter", Code::Enter),
    ("Esc", Code::Esc),
    ("Tab", Code::Tab),
    ("Backspace", Code::Backspace),
    ("Del", Code::Delete),
    ("↑", Code::Up),
    ("↓", Code::Down),
    ("←", Code::Left),
    ("→", Code::Right),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("Home", Code::Home),
    ("End", Code::End),
    ("PgUp", Code::PageUp),
    ("PgDn", Code::PageDown),
];

impl Key {
    /// Returns the key without modifiers.
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// Returns the key for a typed character.
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// Returns the character to insert into a text field, if this key types one.
    pub const fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    /// Reads a key as the key table spells it: `j`, `Ctrl-D`, `Shift-Tab`, `Space`, `F1`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut key = Self::plain(Code::Esc);
        let mut rest = text;
        loop {
            rest = if let Some(after) = rest.strip_prefix("Ctrl-") {
                key.ctrl = true;
                after
            } else if let Some(after) = rest.strip_prefix("Alt-") {
                key.alt = true;
                after
            } else if let Some(after) = rest.strip_prefix("Shift-") {
                key.shift = true;
                after
            } else {
                break;
            };
        }
        key.code = parse_code(rest)?;
        if key.ctrl {
            key = key.lower_when_ctrl();
        }
        Some(key)
    }

    /// Returns the key with Ctrl-R and Ctrl-r made one.
    pub const fn lower_when_ctrl(mut self) -> Self {
        if let (true, Code::Char(c)) = (self.ctrl, self.code) {
            self.code = Code::Char(c.to_ascii_lowercase());
        }
        self
    }
}

fn parse_code(text: &str) -> Option<Code> {
    if text == "Space" {
        return Some(Code::Char(' '));
    }
    if let Some((_, code)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Some(*code);
    }
    if let Some(number) = text.strip_prefix('F').and_then(|n| n.parse().ok()) {
        return Some(Code::F(number));
    }
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Some(Code::Char(c)),
        _ => None,
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        if self.shift {
            f.write_str("Shift-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) if self.ctrl => write!(f, "{}", c.to_ascii_uppercase()),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            code => f.write_str(NAMED.iter().find(|(_, c)| *c == code).map_or("?", |(n, _)| n)),
        }
    }
}

/// Reads a chord, its keys apart by blanks: `g g`.
pub fn parse_chord(text: &str) -> Option<Vec<Key>> {
    text.split(' ').map(Key::parse).collect()
}

/// Writes a chord the way [`parse_chord`] reads it.
pub fn chord_text(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        for text in ["j", "G", "Ctrl-D", "Shift-Tab", "Space", "F1", "Alt-←", "PgDn", "[", ":", "-"]
        {
            let key = Key::parse(text).unwrap();
            assert_eq!(key.to_string(), text);
        }
        assert_eq!(parse_chord("g g").unwrap().len(), 2);
        assert_eq!(Key::parse("Down"), Key::parse("↓"));
        assert_eq!(Key::parse("nonsense"), None);
    }
}
