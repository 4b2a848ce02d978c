//! Text set in lines: broken at blanks, so that ids and addresses stay whole where they can.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::base::text::width;

/// Signs behind which a word that is too wide is broken rather than elsewhere.
const JOINTS: [&str; 8] = ["-", "/", "_", ".", ",", "@", "&", ";"];

/// Returns safe `text` in lines of at most `columns`; a word that is wider is broken at a sign, or
/// anywhere.
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
                let rest = lines.last_mut().map(behind_joint).unwrap_or_default();
                used = width(&rest);
                lines.push(rest);
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

/// Takes what stands behind the last joint off a full line, if that is at most half of it.
fn behind_joint(line: &mut String) -> String {
    let joint = line.grapheme_indices(true).rev().find(|(_, grapheme)| JOINTS.contains(grapheme));
    let Some(end) = joint.map(|(at, grapheme)| at + grapheme.len()) else { return String::new() };
    if line[end..].contains(' ') || width(line) < 2 * width(&line[end..]) {
        return String::new();
    }
    line.split_off(end)
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
            (
                "dec0de05-1392-4000-8000-3f98c8fe0566",
                15,
                &["dec0de05-1392-", "4000-8000-", "3f98c8fe0566"],
            ),
            ("a-bcdefghij", 6, &["a-bcde", "fghij"]),
            ("", 5, &[""]),
            ("日本語", 4, &["日本", "語"]),
            ("ab", 0, &["a", "b"]),
        ] {
            assert_eq!(wrap(text, columns), want, "{text}");
        }
    }
}
