//! The narrowings of the view as a list of chips, and the way back through earlier views.

use crate::base::id::EventId;
use crate::base::time::TimeRange;
pub use crate::jobs::msg::Order;
use crate::query::ask::Chip;

/// Everything that decides which events are shown and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The narrowings; all that are on must hold.
    pub chips: Vec<Chip>,
    /// The span of the timeline; nothing for the default.
    pub window: Option<TimeRange>,
    /// The order of the list.
    pub order: Order,
}

/// One step of the history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Visit {
    view: View,
    focused: Option<EventId>,
}

/// The view and its history.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    view: View,
    past: Vec<Visit>,
    future: Vec<Visit>,
    /// Which chips were on before all were lifted.
    lifted: Option<Vec<bool>>,
}

impl Filter {
    /// Returns the view.
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// Returns the chips that are on.
    pub fn active(&self) -> impl Iterator<Item = &Chip> {
        self.view.chips.iter().filter(|chip| chip.on)
    }

    /// Returns the chips that are on as one filter text.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.active().map(|chip| chip.text.as_str()).collect();
        texts.join(" ")
    }

    /// Returns the chip a pane has set for `field`, as `type:…`.
    pub fn chip_of(&self, field: &str) -> Option<&Chip> {
        self.view.chips.iter().find(|chip| chip.on && is_about(chip, field))
    }

    /// Changes the view to `view`; `focused` is the event to come back to. No change is no step.
    pub fn change(&mut self, view: View, focused: Option<EventId>) {
        if view == self.view {
            return;
        }
        let old = std::mem::replace(&mut self.view, view);
        self.past.push(Visit { view: old, focused });
        self.future.clear();
        self.lifted = None;
    }

    /// Puts `chip` in the place of the one about `field`, or takes that away.
    pub fn set(&mut self, field: &str, chip: Option<String>, focused: Option<EventId>) {
        let mut view = self.view.clone();
        let old = view.chips.iter().position(|chip| chip.on && is_about(chip, field));
        match (old, chip) {
            (Some(at), Some(text)) => view.chips[at].text = text,
            (Some(at), None) => drop(view.chips.remove(at)),
            (None, Some(text)) => view.chips.push(Chip { text, on: true }),
            (None, None) => {}
        }
        self.change(view, focused);
    }

    /// Adds a chip, or switches on the one that says the same.
    pub fn add(&mut self, text: String, focused: Option<EventId>) {
        let mut view = self.view.clone();
        match view.chips.iter_mut().find(|chip| chip.text == text) {
            Some(chip) => chip.on = true,
            None => view.chips.push(Chip { text, on: true }),
        }
        self.change(view, focused);
    }

    /// Puts these chips in the place of all that are on; the ones that are off stay.
    pub fn replace_active(&mut self, texts: Vec<String>, focused: Option<EventId>) {
        let mut view = self.view.clone();
        view.chips.retain(|chip| !chip.on && !texts.contains(&chip.text));
        view.chips.extend(texts.into_iter().map(|text| Chip { text, on: true }));
        self.change(view, focused);
    }

    /// Switches all chips off, or those that were on before back on.
    pub fn lift(&mut self, focused: Option<EventId>) -> Lifted {
        let mut view = self.view.clone();
        let was: Vec<bool> = view.chips.iter().map(|chip| chip.on).collect();
        if was.iter().any(|&on| on) {
            for chip in &mut view.chips {
                chip.on = false;
            }
            self.change(view, focused);
            self.lifted = Some(was);
            return Lifted::Off;
        }
        if view.chips.is_empty() {
            return Lifted::Nothing;
        }
        let back = self.lifted.take().unwrap_or_default();
        for (at, chip) in view.chips.iter_mut().enumerate() {
            chip.on = back.get(at).copied().unwrap_or(true);
        }
        self.change(view, focused);
        Lifted::On
    }

    /// Goes one view back; returns the event that had the focus there.
    pub fn back(&mut self, focused: Option<EventId>) -> Option<Option<EventId>> {
        let visit = self.past.pop()?;
        let here = Visit { view: std::mem::replace(&mut self.view, visit.view), focused };
        self.future.push(here);
        self.lifted = None;
        Some(visit.focused)
    }

    /// Goes one view forward again; returns the event that had the focus there.
    pub fn forward(&mut self, focused: Option<EventId>) -> Option<Option<EventId>> {
        let visit = self.future.pop()?;
        let here = Visit { view: std::mem::replace(&mut self.view, visit.view), focused };
        self.past.push(here);
        self.lifted = None;
        Some(visit.focused)
    }
}

/// What lifting did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifted {
    /// All are off now.
    Off,
    /// They are back.
    On,
    /// There were none.
    Nothing,
}

/// Returns `value` as the filter language reads it back: quoted unless it is plainly one word.
pub fn quote(value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '+');
    let is_word = value.chars().all(plain) && !value.starts_with(['-', '@', '+']);
    if is_word && !value.is_empty() && !value.contains("..") {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

fn is_about(chip: &Chip, field: &str) -> bool {
    let named = |name: &str| chip.text.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    named(field) || field == "type" && named("category")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(filter: &Filter) -> String {
        let mark = |chip: &Chip| format!("{}{}", if chip.on { "" } else { "!" }, chip.text);
        filter.view().chips.iter().map(mark).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_pane_replaces_its_own_chip_only() {
        let mut filter = Filter::default();
        filter.add("-outcome:success".into(), None);
        filter.set("type", Some("type:a".into()), None);
        filter.set("type", Some("type:a,b".into()), None);
        assert_eq!(texts(&filter), "-outcome:success type:a,b");
        filter.set("type", None, None);
        assert_eq!(texts(&filter), "-outcome:success");
    }

    #[test]
    fn lifting_twice_puts_back_what_was_on() {
        let mut filter = Filter::default();
        filter.add("a".into(), None);
        filter.add("b".into(), None);
        let mut view = filter.view().clone();
        view.chips[0].on = false;
        filter.change(view, None);
        assert_eq!(filter.lift(None), Lifted::Off);
        assert_eq!(texts(&filter), "!a !b");
        assert_eq!(filter.lift(None), Lifted::On);
        assert_eq!(texts(&filter), "!a b");
    }

    #[test]
    fn back_and_forward_walk_through_the_views() {
        let mut filter = Filter::default();
        filter.add("a".into(), Some(EventId(7)));
        filter.add("b".into(), Some(EventId(8)));
        assert_eq!(filter.back(None), Some(Some(EventId(8))));
        assert_eq!(texts(&filter), "a");
        assert_eq!(filter.back(None), Some(Some(EventId(7))));
        assert_eq!(filter.back(None), None);
        filter.forward(None);
        assert_eq!(texts(&filter), "a");
        filter.add("c".into(), None);
        assert_eq!(filter.forward(None), None, "a new view ends the way forward");
    }
}
