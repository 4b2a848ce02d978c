//! What was measured, beside what is allowed.

/// A limit on a measured number.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// Only told.
    None,
    /// At least this.
    Least(f64),
    /// At most this.
    Most(f64),
}

/// Rows of measurements.
#[derive(Default)]
pub(crate) struct Table(Vec<Row>);

struct Row {
    what: String,
    value: f64,
    unit: &'static str,
    limit: Limit,
}

impl Row {
    fn is_kept(&self) -> bool {
        match self.limit {
            Limit::None => true,
            Limit::Least(least) => least <= self.value,
            Limit::Most(most) => self.value <= most,
        }
    }
}

impl Table {
    /// Adds a measurement.
    pub(crate) fn add(
        &mut self,
        what: impl Into<String>,
        value: f64,
        unit: &'static str,
        limit: Limit,
    ) {
        let row = Row { what: what.into(), value, unit, limit };
        eprintln!("  {}: {:.2} {unit}", row.what, row.value);
        self.0.push(row);
    }

    /// Returns whether a limit is broken.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.iter().any(|row| !row.is_kept())
    }

    /// Prints all rows.
    pub(crate) fn print(&self) {
        println!("| {:<62} | {:>14} | {:>12} |   |", "measured", "", "limit");
        println!("|{}|{}|{}|---|", "-".repeat(64), "-".repeat(16), "-".repeat(14));
        for row in &self.0 {
            let limit = match row.limit {
                Limit::None => String::new(),
                Limit::Least(least) => format!("≥ {least}"),
                Limit::Most(most) => format!("≤ {most}"),
            };
            let sign = match (row.limit, row.is_kept()) {
                (Limit::None, _) => " ",
                (_, true) => "✓",
                (_, false) => "✗",
            };
            let value = format!("{:.2} {}", row.value, row.unit);
            println!("| {:<62} | {value:>14} | {limit:>12} | {sign} |", row.what);
        }
    }
}
