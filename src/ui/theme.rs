//! Roles and their looks: the terminal's own sixteen colours, and none of them needed.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text is, as far as its look goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Text,
    /// What may be overlooked.
    Dim,
    /// Rules and titles of panes without the focus.
    Rule,
    /// Rule and title of the pane with the focus.
    Focus,
    /// A heading.
    Heading,
    /// A key to press.
    Key,
    /// Something that failed.
    Fail,
    /// Something doubtful.
    Warn,
    /// A chip that is on.
    Chip,
    /// Bars of the histogram and of shares.
    Bar,
    /// What the search or a fuzzy pattern found.
    Match,
    /// A value made readable.
    Decoded,
    /// The line under the cursor.
    Cursor,
    /// The line under the cursor of a pane without the focus.
    Rest,
}

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Which colours may be used.
    pub colour: Colour,
    /// Which characters may be used.
    pub glyphs: &'static Glyphs,
}

/// Whether colours are used at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own sixteen.
    #[default]
    Sixteen,
    /// Bold, dim, underline and reverse only.
    None,
}

impl Theme {
    /// Returns the look of a role.
    pub fn style(&self, role: Role) -> Style {
        let style = Style::new();
        let plain = match role {
            Role::Text | Role::Decoded | Role::Bar => style,
            Role::Dim | Role::Rule => style.add_modifier(Modifier::DIM),
            Role::Focus | Role::Heading | Role::Key | Role::Fail | Role::Warn | Role::Rest => {
                style.add_modifier(Modifier::BOLD)
            }
            Role::Chip | Role::Match => style.add_modifier(Modifier::UNDERLINED),
            Role::Cursor => style.add_modifier(Modifier::REVERSED),
        };
        if self.colour == Colour::None {
            return plain;
        }
        match role {
            Role::Text | Role::Dim | Role::Rule | Role::Heading | Role::Rest | Role::Cursor => {
                plain
            }
            Role::Focus => plain.fg(Color::Cyan),
            Role::Key => style.fg(Color::Cyan),
            Role::Fail => style.fg(Color::Red),
            Role::Warn => style.fg(Color::Yellow),
            Role::Chip => style.fg(Color::Cyan),
            Role::Bar => style.fg(Color::Blue),
            Role::Match => plain.fg(Color::Yellow),
            Role::Decoded => style.fg(Color::Green),
        }
    }
}

/// The characters beyond letters that the screen is made of.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Rule of a pane without the focus.
    pub rule: &'static str,
    /// Rule of the pane with the focus.
    pub focus_rule: &'static str,
    /// Between columns.
    pub bar: &'static str,
    /// Outcome: went well.
    pub good: &'static str,
    /// Outcome: failed.
    pub failed: &'static str,
    /// Outcome: none recorded.
    pub none: &'static str,
    /// Something unfolded.
    pub open: &'static str,
    /// Something folded.
    pub closed: &'static str,
    /// Leads to a value made readable.
    pub arrow: &'static str,
    /// Left and right of a chip.
    pub chip: (&'static str, &'static str),
    /// Cut text.
    pub more: &'static str,
    /// Apart things in one line.
    pub dot: &'static str,
    /// At least.
    pub at_least: &'static str,
    /// Left of a line of documentation.
    pub quote: &'static str,
    /// The cursor of a pane without the focus.
    pub rest: &'static str,
    /// Chosen.
    pub chosen: &'static str,
    /// Around a silence.
    pub gap: &'static str,
    /// The part of a scroll bar that is on the screen.
    pub thumb: &'static str,
    /// Between the ends of a range.
    pub dash: &'static str,
    /// Eight heights of a bar, lowest first.
    pub heights: [&'static str; 8],
    /// Eight lengths of a bar, shortest first.
    pub lengths: [&'static str; 8],
    /// Corners and sides of a box: top left, top right, bottom left, bottom right, across, down.
    pub frame: [&'static str; 6],
}

/// Box drawing and block elements.
pub const UNICODE: Glyphs = Glyphs {
    rule: "─",
    focus_rule: "━",
    bar: "│",
    good: "·",
    failed: "✗",
    none: " ",
    open: "▾",
    closed: "▸",
    arrow: "→",
    chip: ("⟦", "⟧"),
    more: "…",
    dot: "·",
    at_least: "≥",
    quote: "│",
    rest: "▎",
    chosen: "●",
    gap: "⋯",
    thumb: "┃",
    dash: "–",
    heights: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    lengths: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    frame: ["╭", "╮", "╰", "╯", "─", "│"],
};

/// Nothing but printable ASCII.
pub const ASCII: Glyphs = Glyphs {
    rule: "-",
    focus_rule: "=",
    bar: "|",
    good: ".",
    failed: "x",
    none: " ",
    open: "v",
    closed: ">",
    arrow: "->",
    chip: ("[", "]"),
    more: "~",
    dot: "-",
    at_least: ">=",
    quote: "|",
    rest: ">",
    chosen: "*",
    gap: "...",
    thumb: "#",
    dash: "-",
    heights: [".", ".", ":", ":", "|", "|", "#", "#"],
    lengths: [".", ".", "-", "-", "=", "=", "#", "#"],
    frame: ["+", "+", "+", "+", "-", "|"],
};
