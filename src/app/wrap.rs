//! Text set in lines: broken at blanks only, so that ids and addresses stay whole.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::base::text::width;

/// Returns safe `text` in lines of at most `columns`; a word that is wider is broken anywhere.
///
/// A `columns` of 0 counts as 1. Always returns at least one line.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let bare = width(word.trim_end_matches(' '));
        if 0 < used && columns < used + bare && bare <= columns {
            lines.push(String::new());
            used = 0;
        }
        for grapheme in word.graphemes(true) {
            let next = width(grapheme);
            if columns < used + next {
                if grapheme == " " {
                    continue;
                }
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(grapheme);
            }
            used += next;
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_long_words_anywhere() {
        for (text, columns, want) in [
            ("all of it.", 9, &["all of", "it."][..]),
            ("dec0de01-0465 x", 13, &["dec0de01-0465", "x"]),
            ("abcdefgh", 3, &["abc", "def", "gh"]),
            ("", 5, &[""]),
            ("日本語", 4, &["日本", "語"]),
            ("ab", 0, &["a", "b"]),
        ] {
            assert_eq!(wrap(text, columns), want, "{text}");
        }
    }
}
