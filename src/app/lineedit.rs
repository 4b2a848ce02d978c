//! One line of text with readline keys and a history.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::action::Edit;

/// The text, the cursor as a byte offset on a grapheme edge, and what was deleted last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineEdit {
    text: String,
    cursor: usize,
    killed: String,
    /// How far back in the history we are; 0 is the line being written.
    back: usize,
    draft: String,
}

impl LineEdit {
    /// Returns an editor with `text` and the cursor at its end.
    pub fn with(text: &str) -> Self {
        Self { text: text.to_owned(), cursor: text.len(), ..Self::default() }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether no entry of the history was fetched.
    pub const fn is_own(&self) -> bool {
        self.back == 0
    }

    /// Returns the cursor as a byte offset into the text.
    pub const fn cursor(&self) -> usize {
        self.cursor
    }

    /// Inserts `text` at the cursor; line breaks become blanks.
    pub fn insert(&mut self, text: &str) {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.text.insert_str(self.cursor, &line);
        self.cursor += line.len();
    }

    /// Puts `text` in the place of the bytes `from..cursor`.
    pub fn replace_before(&mut self, from: usize, text: &str) {
        if self.text.is_char_boundary(from) && from <= self.cursor {
            self.text.replace_range(from..self.cursor, text);
            self.cursor = from + text.len();
        }
    }

    /// Does what was asked; `history` is oldest first.
    pub fn apply(&mut self, edit: Edit, history: &[String]) {
        match edit {
            Edit::Left => self.cursor = self.before(),
            Edit::Right => self.cursor = self.after(),
            Edit::WordLeft => self.cursor = self.word_before(),
            Edit::WordRight => self.cursor = self.word_after(),
            Edit::Start => self.cursor = 0,
            Edit::End => self.cursor = self.text.len(),
            Edit::DeleteBack => self.delete(self.before(), self.cursor),
            Edit::Delete => self.delete(self.cursor, self.after()),
            Edit::DeleteWord => self.kill(self.word_before(), self.cursor),
            Edit::KillStart => self.kill(0, self.cursor),
            Edit::KillEnd => self.kill(self.cursor, self.text.len()),
            Edit::Yank => {
                let killed = std::mem::take(&mut self.killed);
                self.insert(&killed);
                self.killed = killed;
            }
            Edit::Older => self.recall(self.back + 1, history),
            Edit::Newer => self.recall(self.back.saturating_sub(1), history),
            Edit::Accept | Edit::Complete | Edit::CompleteBack => {}
        }
    }

    fn before(&self) -> usize {
        self.text[..self.cursor].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        let rest = &self.text[self.cursor..];
        self.cursor + rest.graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let head = self.text[..self.cursor].trim_end();
        head.char_indices().rfind(|(_, c)| !is_word(*c)).map_or(0, |(at, c)| {
            let start = at + c.len_utf8();
            if start == head.len() { at } else { start }
        })
    }

    fn word_after(&self) -> usize {
        let rest = &self.text[self.cursor..];
        let start = rest.find(is_word).unwrap_or(rest.len());
        let len = rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
        self.cursor + start + len
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    fn kill(&mut self, from: usize, to: usize) {
        if from < to {
            self.killed = self.text[from..to].to_owned();
            self.delete(from, to);
        }
    }

    fn recall(&mut self, back: usize, history: &[String]) {
        if back > history.len() || back == self.back {
            return;
        }
        if self.back == 0 {
            self.draft = std::mem::take(&mut self.text);
        }
        self.back = back;
        self.text = match back {
            0 => std::mem::take(&mut self.draft),
            _ => history[history.len() - back].clone(),
        };
        self.cursor = self.text.len();
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` is the cursor.
    fn check(start: &str, edits: &[Edit], want: &str) {
        let at = start.find('|').unwrap();
        let mut line = LineEdit::with(&start.replace('|', ""));
        line.cursor = at;
        for &edit in edits {
            line.apply(edit, &["old".to_owned(), "newer".to_owned()]);
        }
        let mut got = line.text.clone();
        got.insert(line.cursor, '|');
        assert_eq!(got, want, "{start} {edits:?}");
    }

    #[test]
    fn readline_keys_do_what_fingers_expect() {
        check("type:login|", &[Edit::DeleteWord], "type:|");
        check("type:|", &[Edit::DeleteWord], "type|");
        check("one two  |", &[Edit::DeleteWord], "one |");
        check("one| two", &[Edit::KillEnd, Edit::Start, Edit::Yank], " two|one");
        check("one| two", &[Edit::WordRight], "one two|");
        check("one two|", &[Edit::WordLeft, Edit::KillStart], "|two");
        check("e\u{301}x|", &[Edit::Left, Edit::DeleteBack], "|x");
        check("|", &[Edit::DeleteBack, Edit::Left, Edit::Delete, Edit::Right], "|");
        check("draft|", &[Edit::Older], "newer|");
        check("draft|", &[Edit::Older, Edit::Older, Edit::Older], "old|");
        check("draft|", &[Edit::Older, Edit::Newer], "draft|");
    }

    #[test]
    fn pasted_line_breaks_become_blanks() {
        let mut line = LineEdit::default();
        line.insert("a\nb\u{1b}c");
        assert_eq!(line.text(), "a b c");
    }
}
