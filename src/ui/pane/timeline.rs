//! Draws the histogram.

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::base::text;
use crate::base::time::{SECOND, TimeRange, Timestamp, to_utc};
use crate::query::ask::Histogram;
use crate::ui::theme::{Role, Theme};
use crate::ui::title;
use crate::ui::widget::bars;
use crate::ui::widget::line::Pen;

const DAY: i64 = 86_400 * SECOND;

/// Draws the pane; one row high it is a line of bars without words.
pub fn draw(model: &Model, theme: Theme, area: Area, buf: &mut Buffer) {
    let histogram = model.data.histogram().filter(|histogram| !histogram.all.is_empty());
    if area.h == 1 {
        if let Some(histogram) = histogram {
            let scale = Scale::new(model, histogram, area);
            bar_row(theme, area, histogram, &scale, (0, 1), buf);
        }
        return;
    }
    let Some(histogram) = histogram else {
        title(model, theme, PaneId::Timeline, area, buf).name("Timeline").end("", Role::Dim);
        return;
    };
    head(model, theme, area, histogram, buf);
    let body = area.body();
    let scale = Scale::new(model, histogram, body);
    let bars_top = u16::from(2 < body.h);
    let axis = u16::from(1 < body.h);
    if bars_top == 1 {
        fail_row(theme, body.row(0), histogram, &scale, buf);
    }
    let rows = body.h - bars_top - axis;
    for row in 0..rows {
        let line = body.row(bars_top + row);
        bar_row(theme, line, histogram, &scale, (rows - 1 - row, rows), buf);
    }
    if axis == 1 {
        labels(theme, body.row(body.h - 1), histogram, &scale, buf);
    }
}

/// How buckets become columns, and which of them stand out.
struct Scale {
    columns: u16,
    most: u64,
    most_failed: u64,
    cursor: Option<usize>,
    range: Option<(usize, usize)>,
}

impl Scale {
    fn new(model: &Model, histogram: &Histogram, area: Area) -> Self {
        let buckets = u16::try_from(histogram.all.len()).unwrap_or(u16::MAX).max(1);
        let pane = &model.panes.timeline;
        let focused = model.wish.focus == PaneId::Timeline;
        let cursor = if focused { pane.bucket(histogram) } else { None };
        let range = pane.range(histogram).filter(|_| focused && pane.mark.is_some());
        let bucket_of = |t: Timestamp| {
            let offset = t.0.saturating_sub(histogram.window.start.0) / histogram.width.max(1);
            usize::try_from(offset).unwrap_or(0)
        };
        Self {
            columns: (area.w / buckets).clamp(1, 6),
            most: histogram.all.iter().copied().max().unwrap_or(0).into(),
            most_failed: histogram.failed.iter().copied().max().unwrap_or(0).into(),
            cursor,
            range: range.map(|TimeRange { start, end }| {
                (bucket_of(start), bucket_of(Timestamp(end.0.saturating_sub(1))))
            }),
        }
    }

    fn is_marked(&self, bucket: usize) -> bool {
        self.cursor == Some(bucket)
            || self.range.is_some_and(|(first, last)| (first..=last).contains(&bucket))
    }

    fn is_on_cursor(&self, bucket: usize) -> bool {
        self.cursor == Some(bucket)
    }
}

fn head(model: &Model, theme: Theme, area: Area, histogram: &Histogram, buf: &mut Buffer) {
    let mut title = title(model, theme, PaneId::Timeline, area, buf);
    title.name("Timeline");
    let focused = model.wish.focus == PaneId::Timeline;
    let width = format!("1 bar = {}", span_text(histogram.width));
    if let Some(bucket) = model.panes.timeline.bucket(histogram).filter(|_| focused) {
        title.beside(&bucket_text(histogram, bucket, theme), Role::Text);
    } else {
        title.beside(&format!("{width}, UTC"), Role::Dim);
    }
    title.end(&outside(histogram, theme), Role::Warn);
}

fn outside(histogram: &Histogram, theme: Theme) -> String {
    let closed = theme.glyphs.closed;
    let events = |n: u64| format!("{} event{}", text::group(n), if n == 1 { "" } else { "s" });
    match (histogram.before, histogram.after) {
        (0, 0) if histogram.no_time == 0 => String::new(),
        (0, 0) => format!("{} without time", events(histogram.no_time)),
        (before, 0) => format!("{closed} {} before", events(before)),
        (0, after) => format!("{} outside {closed}", events(after)),
        (before, after) => format!("{} outside {closed}", events(before + after)),
    }
}

fn bucket_text(histogram: &Histogram, bucket: usize, theme: Theme) -> String {
    let offset = i64::try_from(bucket).unwrap_or(0).saturating_mul(histogram.width);
    let start = histogram.window.start.0.saturating_add(offset);
    let end = start.saturating_add(histogram.width);
    let (a, b) = (to_utc(Timestamp(start)), to_utc(Timestamp(end)));
    let form = if histogram.width < 60 * SECOND { "%H:%M:%S%.3f" } else { "%H:%M" };
    let until = if histogram.width < DAY { b.format(form) } else { b.format("%a %m-%d %H:%M") };
    let events = histogram.all.get(bucket).copied().unwrap_or(0);
    let failed = histogram.failed.get(bucket).copied().unwrap_or(0);
    let failed = match failed {
        0 => String::new(),
        n => format!(", {} failed", text::group(u64::from(n))),
    };
    format!(
        "{} {}{}{} UTC: {} events{failed}",
        a.format("%a %m-%d"),
        a.format(form),
        theme.glyphs.dash,
        until,
        text::group(u64::from(events)),
    )
}

/// Returns a round span in words: `15 min`, `3 h`, `1 day`.
pub fn span_text(nanos: i64) -> String {
    let units = [
        (365 * DAY, "y"),
        (7 * DAY, "weeks"),
        (DAY, "d"),
        (3_600 * SECOND, "h"),
        (60 * SECOND, "min"),
        (SECOND, "s"),
        (1_000_000, "ms"),
        (1_000, "µs"),
    ];
    for (unit, name) in units {
        if unit <= nanos && nanos % unit == 0 {
            return format!("{} {name}", nanos / unit);
        }
    }
    format!("{nanos} ns")
}

fn bar_row(
    theme: Theme,
    line: Area,
    histogram: &Histogram,
    scale: &Scale,
    (row, rows): (u16, u16),
    buf: &mut Buffer,
) {
    let mut pen = Pen::new(buf, theme, line);
    for (bucket, &events) in histogram.all.iter().enumerate() {
        let mut glyph = bars::upright(theme.glyphs, u64::from(events), scale.most, row, rows);
        let on_cursor = scale.is_on_cursor(bucket);
        if on_cursor && glyph == " " && row == 0 {
            glyph = "_";
        }
        let role = if scale.is_marked(bucket) {
            Role::Focus
        } else if rows == 1 && is_bad_time(histogram, bucket) {
            Role::Fail
        } else {
            Role::Bar
        };
        for _ in 0..scale.columns {
            pen.ink(glyph, role);
        }
    }
    pen.fill();
}

/// Returns whether a fifth or more of a bucket's events failed.
fn is_bad_time(histogram: &Histogram, bucket: usize) -> bool {
    let failed = histogram.failed.get(bucket).copied().unwrap_or(0);
    let all = histogram.all.get(bucket).copied().unwrap_or(0);
    0 < failed && all / 5 <= failed
}

fn fail_row(theme: Theme, line: Area, histogram: &Histogram, scale: &Scale, buf: &mut Buffer) {
    let mut pen = Pen::new(buf, theme, line);
    for &failed in &histogram.failed {
        let glyph = bars::upright(theme.glyphs, u64::from(failed), scale.most_failed, 0, 1);
        for column in 0..scale.columns {
            // A gap between the bars of failures keeps the row apart from the events below it.
            let blank = 1 < scale.columns && column + 1 == scale.columns;
            pen.ink(if blank { " " } else { glyph }, Role::Fail);
        }
    }
    if 0 < scale.most_failed {
        let used = pen.column();
        let word = format!(" {} failed", theme.glyphs.failed);
        if text::width(&word) < usize::from((line.x + line.w).saturating_sub(used)) {
            pen.text(&word, Role::Fail);
        }
    }
    pen.fill();
}

/// Draws times below the bars, at round places, as many as fit.
fn labels(theme: Theme, line: Area, histogram: &Histogram, scale: &Scale, buf: &mut Buffer) {
    let form = if histogram.width < 60 * SECOND { "%H:%M:%S" } else { "%H:%M" };
    let buckets = i64::try_from(histogram.all.len()).unwrap_or(0);
    let span = buckets.saturating_mul(histogram.width);
    let by_day = 2 * DAY < span;
    let mut pen = Pen::new(buf, theme, line);
    let mut last_day = None;
    let mut bucket = 0_i64;
    while bucket < buckets {
        let t = Timestamp(
            histogram.window.start.0.saturating_add(bucket.saturating_mul(histogram.width)),
        );
        let column = i64::from(line.x) + bucket * i64::from(scale.columns);
        let utc = to_utc(t);
        let new_day = last_day != Some(utc.date());
        let words = match (by_day, new_day) {
            (true, true) => utc.format("%a %d").to_string(),
            (true, false) => String::new(),
            (false, true) => utc.format(&format!("%a %d {form}")).to_string(),
            (false, false) => utc.format(form).to_string(),
        };
        let wide_enough = i64::from(pen.column()) <= column && words.len() < pen.left();
        if !words.is_empty() && wide_enough {
            last_day = Some(utc.date());
            pen.to(u16::try_from(column).unwrap_or(u16::MAX));
            pen.text(&words, Role::Dim);
            let gap = if by_day { 2 } else { 6 };
            pen.blank(gap);
        }
        let used = i64::from(pen.column()) - i64::from(line.x);
        let next = used.div_euclid(i64::from(scale.columns));
        bucket = if by_day { (bucket + 1).max(next) } else { next.max(bucket + 1) };
    }
    pen.fill();
}
