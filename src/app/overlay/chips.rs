//! The list of chips: switch, edit, delete, reorder.

use crate::app::action::Pane;
use crate::app::filter::View;
use crate::app::viewport::Viewport;

/// The state of the list.
#[derive(Debug, Default)]
pub struct Chips {
    /// Cursor and window.
    pub view: Viewport,
}

/// What the list asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Another view.
    Change(View),
    /// Edit the chip of this number.
    Edit(usize),
}

impl Chips {
    /// Does what was asked with the chip under the cursor.
    pub fn update(&mut self, action: Pane, view: &View) -> Option<Wish> {
        let at = self.view.cursor;
        let mut view = view.clone();
        let last = view.chips.len().checked_sub(1)?;
        let chip = view.chips.get_mut(at)?;
        match action {
            Pane::Collect => chip.on = !chip.on,
            Pane::Change | Pane::Open => return Some(Wish::Edit(at)),
            Pane::Delete => drop(view.chips.remove(at)),
            Pane::Earlier if 0 < at => {
                view.chips.swap(at, at - 1);
                self.view.cursor -= 1;
            }
            Pane::Later if at < last => {
                view.chips.swap(at, at + 1);
                self.view.cursor += 1;
            }
            _ => return None,
        }
        Some(Wish::Change(view))
    }
}
