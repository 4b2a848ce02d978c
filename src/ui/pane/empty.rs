//! What the list says when it has nothing to show, and the way out of it.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::wrap::wrap;
use crate::base::text;
use crate::ui::theme::{Role, Theme};
use crate::ui::widget::line::Pen;

/// Draws the words for why there is nothing.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let lines = words(model);
    let top = area.h.saturating_sub(u16::try_from(lines.len()).unwrap_or(0)) / 3;
    let columns = usize::from(area.w.saturating_sub(4)).clamp(1, 72);
    let mut row = top;
    for (line, role) in lines {
        for piece in wrap(&text::escape(&line), columns) {
            Pen::new(buf, theme, area.row(row)).text("  ", Role::Text).text(&piece, role).left();
            row += 1;
        }
    }
}

fn words(model: &Model) -> Vec<(String, Role)> {
    let index = &model.data.index;
    let n_chips = model.filter.active().count();
    if 0 < n_chips && 0 < index.rows() && model.data.answer.is_some() {
        let chips = if n_chips == 1 { "1 chip".to_owned() } else { format!("{n_chips} chips") };
        return vec![
            ("Nothing matches.".to_owned(), Role::Heading),
            (String::new(), Role::Text),
            (format!("{chips} leave none of {} events.", text::group(index.events())), Role::Text),
            ("X lifts them all · u undoes the last · F lists them · f edits".to_owned(), Role::Dim),
        ];
    }
    if !index.is_final() || 0 < index.rows() {
        return vec![
            ("Reading the log…".to_owned(), Role::Heading),
            ("The first events appear in a moment.".to_owned(), Role::Dim),
        ];
    }
    let files = &index.sources().files;
    let bytes: u64 = files.iter().map(|file| file.len()).sum();
    if files.is_empty() {
        return vec![
            ("No file is open.".to_owned(), Role::Heading),
            ("actlog FILES… opens logs; actlog demo shows an invented one.".to_owned(), Role::Dim),
        ];
    }
    let mut lines = if bytes == 0 {
        let what = if files.len() == 1 { "The file has" } else { "The files have" };
        vec![
            ("Nothing to show.".to_owned(), Role::Heading),
            (String::new(), Role::Text),
            (format!("{what} no bytes."), Role::Text),
        ]
    } else {
        vec![
            ("No events.".to_owned(), Role::Heading),
            (String::new(), Role::Text),
            (format!("{} were read and hold no event.", text::bytes(bytes)), Role::Text),
        ]
    };
    for file in files.iter().take(5) {
        lines.push((file.label().to_owned(), Role::Dim));
        let notes = file.notes();
        lines.extend(notes.iter().take(3).map(|note| (format!("  {}", note.text), Role::Warn)));
    }
    lines.push((String::new(), Role::Text));
    lines.push(("! lists problems · q leaves".to_owned(), Role::Dim));
    lines
}
