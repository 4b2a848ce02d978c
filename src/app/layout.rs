//! Where everything is, computed before anything is drawn.

use crate::app::pane::PaneId;

/// A rectangle of terminal cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub w: u16,
    /// Rows.
    pub h: u16,
}

impl Area {
    /// Returns the rectangle.
    pub const fn new(x: u16, y: u16, w: u16, h: u16) -> Self {
        Self { x, y, w, h }
    }

    /// Returns whether nothing fits in.
    pub const fn is_empty(self) -> bool {
        self.w == 0 || self.h == 0
    }

    /// Returns what is left below the title line.
    pub const fn body(self) -> Self {
        let title = if self.h > 0 { 1 } else { 0 };
        Self { x: self.x, y: self.y + title, w: self.w, h: self.h - title }
    }

    /// Returns the row `n` rows down as an area one high, empty when outside.
    pub const fn row(self, n: u16) -> Self {
        let h = if n < self.h { 1 } else { 0 };
        Self { x: self.x, y: self.y.saturating_add(n), w: self.w, h }
    }

    /// Returns the first `rows` rows and the rest.
    pub const fn split_top(self, rows: u16) -> (Self, Self) {
        let rows = if rows < self.h { rows } else { self.h };
        (
            Self { x: self.x, y: self.y, w: self.w, h: rows },
            Self { x: self.x, y: self.y + rows, w: self.w, h: self.h - rows },
        )
    }

    /// Returns the first `columns` columns and the rest without a column between for a rule.
    pub const fn split_left(self, columns: u16) -> (Self, Self) {
        let columns = if columns < self.w { columns } else { self.w };
        let gap = if columns < self.w { 1 } else { 0 };
        (
            Self { x: self.x, y: self.y, w: columns, h: self.h },
            Self { x: self.x + columns + gap, y: self.y, w: self.w - columns - gap, h: self.h },
        )
    }
}

/// How much fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Catalogue, timeline, list and detail side by side.
    Wide,
    /// The list with a line of timeline; the others as drawers.
    Narrow,
    /// One pane at a time.
    Tiny,
    /// One line of words.
    #[default]
    Sliver,
}

/// What the layout depends on besides the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The pane that has the focus is always shown.
    pub focus: PaneId,
    /// Which of the two lists the left column shows.
    pub left: PaneId,
    /// Whether the detail is open although it does not have the focus.
    pub detail: Detail,
}

/// Whether the detail pane stays open without the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Open where there is room for all panes.
    #[default]
    Auto,
    /// Opened by hand.
    Open,
    /// Closed by hand.
    Closed,
}

/// The areas of one frame; a pane that is not shown has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// How much fits.
    pub shape: Shape,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Files, counts, time range.
    pub header: Area,
    /// Chips and the count of what matches.
    pub chips: Area,
    /// Types or actors.
    pub left: Option<Area>,
    /// The histogram; a single row is a sparkline without a title.
    pub timeline: Option<Area>,
    /// The list.
    pub events: Option<Area>,
    /// The focused event.
    pub detail: Option<Area>,
    /// Hints, prompts, notices.
    pub hint: Area,
    /// Everything between chips and hint: where overlays go.
    pub middle: Area,
}

/// Returns the areas for a terminal of `w` by `h` cells; right for every size, 0 included.
pub fn compute((w, h): (u16, u16), wish: Wish) -> Layout {
    let size = (w, h);
    if w < 20 || h < 4 {
        let header = Area::new(0, 0, w, h.min(1));
        return Layout { shape: Shape::Sliver, size, header, ..Layout::default() };
    }
    let shape = match (w, h) {
        (110.., 24..) => Shape::Wide,
        (60.., 15..) => Shape::Narrow,
        _ => Shape::Tiny,
    };
    let chip_rows = if shape == Shape::Tiny && h < 10 { 0 } else { 1 };
    let header = Area::new(0, 0, w, 1);
    let chips = Area::new(0, 1, w, chip_rows);
    let hint = Area::new(0, h - 1, w, 1);
    let middle = Area::new(0, 1 + chip_rows, w, h - 2 - chip_rows);
    let frame = Layout { shape, size, header, chips, hint, middle, ..Layout::default() };
    match shape {
        Shape::Wide => wide(frame, wish),
        Shape::Narrow => narrow(frame, wish),
        Shape::Tiny | Shape::Sliver => tiny(frame, wish),
    }
}

fn wide(mut layout: Layout, wish: Wish) -> Layout {
    let (w, h) = layout.size;
    let (left, right) = layout.middle.split_left((w * 17 / 60).clamp(32, 48));
    layout.left = Some(left);
    let timeline_rows = match h {
        45.. => 9,
        34.. => 7,
        28.. => 6,
        _ => 5,
    };
    let (timeline, below) = right.split_top(timeline_rows);
    layout.timeline = Some(timeline);
    layout.events = Some(below);
    if wish.focus == PaneId::Detail || wish.detail != Detail::Closed {
        let columns = (u32::from(below.w) * 43 / 100).clamp(36, 84);
        let (events, detail) = below.split_left(below.w - 1 - u16::try_from(columns).unwrap_or(36));
        // The scroll bar of the list is the rule between the two.
        layout.events = Some(Area { w: events.w + 1, ..events });
        layout.detail = Some(detail);
    }
    layout
}

fn narrow(mut layout: Layout, wish: Wish) -> Layout {
    let (w, h) = layout.size;
    let timeline_rows = if wish.focus == PaneId::Timeline { 6.min(h / 3) } else { 1 };
    let (timeline, mut below) = layout.middle.split_top(timeline_rows);
    layout.timeline = Some(timeline);
    if matches!(wish.focus, PaneId::Types | PaneId::Actors) {
        let (left, rest) = below.split_left((w / 2).clamp(34, 44));
        layout.left = Some(left);
        below = rest;
    }
    let open = wish.focus == PaneId::Detail || wish.detail == Detail::Open && layout.left.is_none();
    if !open {
        layout.events = Some(below);
    } else if w >= 100 {
        let (events, detail) = below.split_left(w / 2);
        let events = Area { w: events.w + 1, ..events };
        (layout.events, layout.detail) = (Some(events), Some(detail));
    } else {
        let (events, detail) = below.split_top((below.h / 3).max(3));
        (layout.events, layout.detail) = (Some(events), Some(detail));
    }
    layout
}

fn tiny(mut layout: Layout, wish: Wish) -> Layout {
    let area = Some(layout.middle);
    match wish.focus {
        PaneId::Types | PaneId::Actors => layout.left = area,
        PaneId::Timeline => layout.timeline = area,
        PaneId::Events => layout.events = area,
        PaneId::Detail => layout.detail = area,
    }
    layout
}

impl Layout {
    /// Returns the area of a pane, if it is shown.
    pub fn area(&self, pane: PaneId, left: PaneId) -> Option<Area> {
        match pane {
            PaneId::Types | PaneId::Actors => self.left.filter(|_| pane == left),
            PaneId::Timeline => self.timeline,
            PaneId::Events => self.events,
            PaneId::Detail => self.detail,
        }
    }

    /// Returns how many rows a list in that pane has, also while the pane is hidden.
    pub fn rows(&self, pane: PaneId, left: PaneId) -> usize {
        let area = self.area(pane, left).unwrap_or(self.middle);
        usize::from(area.body().h)
    }

    /// Returns the area of an overlay of at most `w` by `h` cells, in the middle.
    pub fn overlay(&self, w: u16, h: u16) -> Area {
        let room = if self.middle.is_empty() { self.header } else { self.middle };
        let (w, h) = (w.min(room.w), h.min(room.h));
        Area::new(room.x + (room.w - w) / 2, room.y + (room.h - h) / 2, w, h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas(layout: &Layout) -> Vec<Area> {
        let panes = [layout.left, layout.timeline, layout.events, layout.detail];
        let mut areas = vec![layout.header, layout.chips, layout.hint];
        areas.extend(panes.into_iter().flatten());
        areas
    }

    #[test]
    fn no_area_leaves_the_screen_or_covers_another() {
        for w in (0..130).chain([160, 199, 200, 499, 500]) {
            for h in (0..60).chain([100, 199, 200]) {
                for focus in PaneId::ALL {
                    for detail in [Detail::Auto, Detail::Open, Detail::Closed] {
                        let left = if focus == PaneId::Actors { focus } else { PaneId::Types };
                        let layout = compute((w, h), Wish { focus, left, detail });
                        check(&layout, w, h);
                        if layout.shape != Shape::Sliver {
                            assert!(layout.area(focus, left).is_some(), "{w}x{h} {focus:?}");
                        }
                    }
                }
            }
        }
    }

    fn check(layout: &Layout, w: u16, h: u16) {
        let areas = areas(layout);
        for (n, a) in areas.iter().enumerate() {
            assert!(a.x + a.w <= w && a.y + a.h <= h, "{w}x{h}: {a:?}");
            for b in &areas[n + 1..] {
                let apart = a.is_empty()
                    || b.is_empty()
                    || a.x + a.w <= b.x
                    || b.x + b.w <= a.x
                    || a.y + a.h <= b.y
                    || b.y + b.h <= a.y;
                assert!(apart, "{w}x{h}: {a:?} covers {b:?}");
            }
        }
    }

    #[test]
    fn the_three_shapes_begin_where_the_conventions_say() {
        let wish = Wish { focus: PaneId::Events, left: PaneId::Types, detail: Detail::Auto };
        for (size, shape) in [
            ((160, 45), Shape::Wide),
            ((120, 36), Shape::Wide),
            ((80, 24), Shape::Narrow),
            ((60, 15), Shape::Narrow),
            ((30, 8), Shape::Tiny),
            ((19, 8), Shape::Sliver),
            ((1, 1), Shape::Sliver),
        ] {
            assert_eq!(compute(size, wish).shape, shape, "{size:?}");
        }
    }
}
