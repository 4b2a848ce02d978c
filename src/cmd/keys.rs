//! `actlog keys`: the key table of the explorer, for people and for the README.

use std::io::Write;

use crate::app::keymap::table;
use crate::base::text::fit;

/// Prints the keys, what they do, and where.
///
/// # Errors
/// Returns an error of `out`.
pub fn run(out: &mut dyn Write) -> anyhow::Result<()> {
    let rows = table();
    let keys: Vec<String> = rows.iter().map(|row| row.keys.join("  ")).collect();
    let widest = keys.iter().map(|keys| crate::base::text::width(keys)).max().unwrap_or(0);
    let mut context = None;
    for (row, keys) in rows.iter().zip(&keys) {
        if context != Some(row.context) {
            let gap = if context.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", row.context.title())?;
            context = Some(row.context);
        }
        writeln!(out, "  {}  {}", fit(keys, widest), row.action.help())?;
    }
    Ok(())
}

/// Returns the key table as Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| where | key | does |\n|---|---|---|\n");
    for row in table() {
        let keys: Vec<String> =
            row.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        let (place, help) = (row.context.title(), row.action.help());
        text.push_str(&format!("| {place} | {} | {help} |\n", keys.join(" ")));
    }
    text
}
