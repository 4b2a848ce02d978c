//! The histogram: a cursor on a bucket, a span to zoom, a range to narrow to.

use crate::app::action::{Move, Pane};
use crate::app::intent::Intent;
use crate::app::pane::{Ctx, PaneId};
use crate::base::time::{TimeRange, Timestamp};
use crate::query::ask::Histogram;

/// The field this pane narrows by.
pub const FIELD: &str = "time";

/// The narrowest span that is shown: a hundredth of a second.
const NARROWEST: i64 = 10_000_000;

/// The widest span that is shown: what the instants can tell.
const WIDEST: i128 = i64::MAX as i128;

/// The state of the pane.
#[derive(Debug, Default)]
pub struct Timeline {
    /// The instant under the cursor; the bucket that holds it is the focused one.
    pub at: Option<Timestamp>,
    /// Where a range was started.
    pub mark: Option<Timestamp>,
}

impl Timeline {
    /// Does what was asked.
    pub fn update(&mut self, action: Pane, ctx: &Ctx<'_>) -> Option<Intent> {
        let histogram = ctx.data.histogram()?;
        match action {
            Pane::Collect => {
                self.mark = match self.mark {
                    Some(_) => None,
                    None => self.bucket(histogram).map(|bucket| start_of(histogram, bucket)),
                };
                None
            }
            Pane::Open => self.narrow(histogram, Some(PaneId::Events)),
            Pane::Include => self.narrow(histogram, None),
            Pane::Exclude => {
                let range = self.range(histogram)?;
                self.mark = None;
                Some(Intent::Add(format!("-{}", chip(range))))
            }
            Pane::ZoomIn => self.zoom(histogram, 1, 2),
            Pane::ZoomOut => self.zoom(histogram, 2, 1),
            Pane::ZoomAll => Some(Intent::Window(None)),
            _ => None,
        }
    }

    /// Moves the cursor; past an edge the span moves along.
    pub fn shift(&mut self, step: Move, ctx: &Ctx<'_>) -> Option<Intent> {
        let histogram = ctx.data.histogram()?;
        let len = histogram.all.len();
        let bucket = i64::try_from(self.bucket(histogram)?).ok()?;
        let last = i64::try_from(len).ok()? - 1;
        let count = i64::try_from(ctx.count).unwrap_or(i64::MAX);
        let page = (last / 4).max(1);
        let target = match step {
            Move::Left | Move::Up => bucket.saturating_sub(count),
            Move::Right | Move::Down => bucket.saturating_add(count),
            Move::PageDown | Move::HalfDown => bucket.saturating_add(page.saturating_mul(count)),
            Move::PageUp | Move::HalfUp => bucket.saturating_sub(page.saturating_mul(count)),
            Move::Top => 0,
            Move::Bottom => last,
        };
        if (0..=last).contains(&target) {
            self.put(histogram, target);
            return None;
        }
        let hidden = if target < 0 { histogram.before } else { histogram.after };
        self.put(histogram, target.clamp(0, last));
        if hidden == 0 {
            return None;
        }
        let by = if target < 0 { -page } else { page };
        let by = by.saturating_mul(histogram.width);
        let window = histogram.window;
        Some(Intent::Window(Some(TimeRange {
            start: Timestamp(window.start.0.saturating_add(by)),
            end: Timestamp(window.end.0.saturating_add(by).min(Timestamp::MAX.0)),
        })))
    }

    /// Returns the bucket under the cursor, the last one until it was moved.
    pub fn bucket(&self, histogram: &Histogram) -> Option<usize> {
        let last = histogram.all.len().checked_sub(1)?;
        let Some(at) = self.at else { return Some(last) };
        let offset = at.0.saturating_sub(histogram.window.start.0) / histogram.width.max(1);
        Some(usize::try_from(offset).unwrap_or(0).min(last))
    }

    /// Returns the range that Enter would take: from the mark, or the bucket alone.
    pub fn range(&self, histogram: &Histogram) -> Option<TimeRange> {
        let start = start_of(histogram, self.bucket(histogram)?);
        let mark = self.mark.unwrap_or(start);
        let (first, last) = if mark < start { (mark, start) } else { (start, mark) };
        let end = Timestamp(last.0.saturating_add(histogram.width).min(Timestamp::MAX.0));
        Some(TimeRange { start: first, end })
    }

    fn put(&mut self, histogram: &Histogram, bucket: i64) {
        let offset = bucket.saturating_mul(histogram.width);
        self.at = Some(Timestamp(histogram.window.start.0.saturating_add(offset)));
    }

    fn narrow(&mut self, histogram: &Histogram, then: Option<PaneId>) -> Option<Intent> {
        let range = self.range(histogram)?;
        self.mark = None;
        Some(Intent::Narrow { field: FIELD, chip: Some(chip(range)), then })
    }

    fn zoom(&mut self, histogram: &Histogram, times: i128, part: i128) -> Option<Intent> {
        let window = histogram.window;
        let span = i128::from(window.end.0) - i128::from(window.start.0);
        let new_span = (span * times / part).clamp(i128::from(NARROWEST), WIDEST);
        let bucket = self.bucket(histogram)?;
        let start = start_of(histogram, bucket);
        self.at = Some(start);
        // The cursor keeps its place on the screen: the same share of the span is left of it.
        let share = i128::from(start.0) - i128::from(window.start.0);
        let left = share * new_span / span.max(1);
        let first = (i128::from(start.0) - left)
            .clamp(i128::from(Timestamp::MIN.0), i128::from(Timestamp::MAX.0) - new_span);
        let first = i64::try_from(first).ok()?;
        let end = first.saturating_add(i64::try_from(new_span).ok()?);
        Some(Intent::Window(Some(TimeRange { start: Timestamp(first), end: Timestamp(end) })))
    }
}

fn start_of(histogram: &Histogram, bucket: usize) -> Timestamp {
    let offset = i64::try_from(bucket).unwrap_or(0).saturating_mul(histogram.width);
    Timestamp(histogram.window.start.0.saturating_add(offset))
}

/// Returns the filter text that keeps a range, its end not included.
pub fn chip(range: TimeRange) -> String {
    format!("{FIELD}:{}", crate::query::when::range_text(range))
}
