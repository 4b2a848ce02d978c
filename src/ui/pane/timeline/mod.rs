//! Draws the histogram.

pub mod axis;

use ratatui::buffer::Buffer;

use crate::app::Model;
use crate::app::layout::Area;
use crate::app::pane::PaneId;
use crate::base::text;
use crate::base::time::{SECOND, TimeRange, Timestamp};
use crate::base::zone::Zone;
use crate::query::ask::Histogram;
use crate::ui::pane::timeline::axis::Bars;
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
        labels(model, theme, body.row(body.h - 1), &scale, buf);
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
        let texts = bucket_texts(histogram, bucket, model.data.zone, theme);
        let room = usize::from(area.w).saturating_sub("━ Timeline  ".chars().count());
        let fits = texts.iter().position(|words| text::width(words) <= room);
        title.beside(&texts[fits.unwrap_or(texts.len() - 1)], Role::Text);
    } else {
        title.beside(&format!("{width}, {}", model.data.zone.name()), Role::Dim);
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

/// Returns what is to be said of a bucket, the longest first.
fn bucket_texts(histogram: &Histogram, bucket: usize, zone: Zone, theme: Theme) -> [String; 3] {
    let offset = i64::try_from(bucket).unwrap_or(0).saturating_mul(histogram.width);
    let start = Timestamp(histogram.window.start.0.saturating_add(offset));
    let end = Timestamp(start.0.saturating_add(histogram.width).min(Timestamp::MAX.0));
    let clock = match histogram.width {
        ..1_000_000 => "%H:%M:%S%.6f",
        1_000_000..SECOND => "%H:%M:%S%.3f",
        SECOND..60_000_000_000 => "%H:%M:%S",
        _ => "%H:%M",
    };
    let day = if histogram.width < 28 * DAY { "%a %m-%d" } else { "%Y-%m-%d" };
    let until = if zone.date(start) == zone.date(end) {
        zone.format(end, clock)
    } else {
        zone.format(end, &format!("{day} {clock}"))
    };
    let events = u64::from(histogram.all.get(bucket).copied().unwrap_or(0));
    let failed = u64::from(histogram.failed.get(bucket).copied().unwrap_or(0));
    let failed = match failed {
        0 => String::new(),
        n => format!(", {} failed", text::group(n)),
    };
    let from = zone.format(start, &format!("{day} {clock}"));
    let (dash, name, n) = (theme.glyphs.dash, zone.short(start), text::group(events));
    let s = if events == 1 { "" } else { "s" };
    [
        format!("{from}{dash}{until} {name}: {n} event{s}{failed}"),
        format!("{from} {name}: {n} event{s}"),
        format!("{}: {n}", zone.format(start, "%m-%d %H:%M")),
    ]
}

/// Returns a round span in words: `15 min`, `3 h`, `1 day`, `about 5 years`.
pub fn span_text(nanos: i64) -> String {
    let years = (nanos + 182 * DAY) / (365 * DAY);
    let units = [
        (7 * DAY, "week", "weeks"),
        (DAY, "day", "days"),
        (3_600 * SECOND, "h", "h"),
        (60 * SECOND, "min", "min"),
        (SECOND, "s", "s"),
        (1_000_000, "ms", "ms"),
        (1_000, "µs", "µs"),
    ];
    if 2 <= years {
        return format!("about {years} years");
    }
    for (unit, one, many) in units {
        if unit <= nanos && nanos % unit == 0 {
            let n = nanos / unit;
            return format!("{n} {}", if n == 1 { one } else { many });
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

/// Draws times below the bars.
fn labels(model: &Model, theme: Theme, line: Area, scale: &Scale, buf: &mut Buffer) {
    let Some(histogram) = model.data.histogram() else { return };
    let bars = Bars {
        start: histogram.window.start,
        width: histogram.width.max(1),
        n: histogram.all.len(),
        columns: scale.columns,
    };
    let mut pen = Pen::new(buf, theme, line);
    for (column, words) in axis::labels(bars, usize::from(line.w), model.data.zone) {
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        pen.to(line.x.saturating_add(column)).text(&words, Role::Dim);
    }
    pen.fill();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_words() {
        for (nanos, words) in [
            (1, "1 ns"),
            (20_000, "20 µs"),
            (500_000_000, "500 ms"),
            (15 * 60 * SECOND, "15 min"),
            (6 * 3_600 * SECOND, "6 h"),
            (DAY, "1 day"),
            (2 * DAY, "2 days"),
            (7 * DAY, "1 week"),
            (28 * DAY, "4 weeks"),
            (364 * DAY, "52 weeks"),
            (1_820 * DAY, "about 5 years"),
            (36_400 * DAY, "about 100 years"),
        ] {
            assert_eq!(span_text(nanos), words);
        }
    }
}
