//! A recorded value against a wanted one: text, number, pattern, network or range.

use std::cmp::Ordering;
use std::net::IpAddr;

use regex::{Regex, RegexBuilder};

use crate::base::json::JsonKind;
use crate::query::ast::Case;
use crate::query::needle::Needle;

/// A number of a log or a filter; whole ones are exact up to 38 digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Without fraction and exponent.
    Int(i128),
    /// Any other, and very long ones.
    Float(f64),
}

impl Number {
    /// Reads a decimal number, as JSON writes them and with a leading `+` or zeros.
    pub fn read(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let first = *bytes.first()?;
        if !(first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.')) {
            return None;
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.bytes().all(|b| b.is_ascii_digit()) {
            if let Ok(whole) = text.parse() {
                return Some(Self::Int(whole));
            }
        } else if !bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
        {
            return None;
        }
        let value: f64 = text.parse().ok()?;
        Some(Self::Float(value))
    }

    /// Compares two numbers by value.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (a, b) => a.as_float().partial_cmp(&b.as_float()),
        }
    }

    const fn as_float(self) -> f64 {
        match self {
            Self::Int(whole) => whole as f64,
            Self::Float(value) => value,
        }
    }
}

/// A network of IP addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Net {
    bits: u128,
    mask: u128,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    V4,
    V6,
}

impl Net {
    /// Reads `10.0.0.0/8` or `2001:db8::/32`.
    pub fn read(text: &str) -> Option<Self> {
        let (address, len) = text.split_once('/')?;
        let address: IpAddr = address.parse().ok()?;
        let len: u32 = len.parse().ok()?;
        let (bits, version, width) = numbered(address);
        if len > width {
            return None;
        }
        let all = if width == 128 { u128::MAX } else { (1 << width) - 1 };
        let mask = if len == 0 { 0 } else { all & (all << (width - len)) };
        Some(Self { bits: bits & mask, mask, version })
    }

    /// Returns whether `text` is an address inside.
    pub fn contains(&self, text: &str) -> bool {
        let Some(address) = read_ip(text) else { return false };
        let (bits, version, _) = numbered(address);
        version == self.version && bits & self.mask == self.bits
    }
}

/// Reads an IP address; an IPv4 address written as IPv6 is the IPv4 address.
fn read_ip(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_hexdigit() || first == b':') || text.len() > 45 {
        return None;
    }
    text.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

fn numbered(address: IpAddr) -> (u128, Version, u32) {
    match address {
        IpAddr::V4(v4) => (u128::from(u32::from(v4)), Version::V4, 32),
        IpAddr::V6(v6) => (u128::from(v6), Version::V6, 128),
    }
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Where it is.
    pub at: Limit,
    /// Whether the end itself is inside.
    pub edge: Edge,
}

/// What an end is compared as.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// Values that are numbers, also when written as strings.
    Number(Number),
    /// Strings, by their bytes.
    Text(String),
}

/// Whether the end of a range is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It is.
    Included,
    /// It is not.
    Excluded,
}

/// One way for a value to be the wanted one.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// The whole value is this text, number or address.
    Whole(Whole),
    /// The value fits a pattern.
    Pattern(Regex),
    /// The value is an address in a network.
    Net(Net),
    /// The value lies between two ends.
    Between(Option<Bound>, Option<Bound>),
}

/// A whole value.
#[derive(Clone, Debug)]
pub struct Whole {
    text: String,
    case: Case,
    number: Option<Number>,
    ip: Option<IpAddr>,
}

impl Whole {
    /// Returns the wish for `text`, which may also be a number or an address.
    pub fn new(text: &str, case: Case) -> Self {
        let number = Number::read(text);
        let ip = if number.is_none() { read_ip(text) } else { None };
        Self { text: text.to_owned(), case, number, ip }
    }

    /// Returns the text that is wanted.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number that is wanted, if the text is one.
    pub const fn number(&self) -> Option<Number> {
        self.number
    }

    /// Returns the search for the text, when no value can fit whose decoded text does not hold it:
    /// in any case, or with a letter for which [`same_ignoring_case`] knows another.
    pub(crate) fn needle(&self) -> Option<Needle> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'@');
        let is_plain = !self.text.is_empty() && self.text.bytes().all(plain);
        let is_text = self.number.is_none() && self.ip.is_none();
        (is_plain && is_text).then(|| Needle::new(&self.text, self.case))
    }

    fn fits(&self, text: &str) -> bool {
        let same = match self.case {
            Case::Exact => self.text == text,
            Case::Ignored => same_ignoring_case(&self.text, text),
        };
        same || self.number.is_some_and(|wanted| {
            Number::read(text).and_then(|n| n.compare(wanted)) == Some(Ordering::Equal)
        }) || self.ip.is_some_and(|wanted| read_ip(text) == Some(wanted))
    }
}

impl Wanted {
    /// Returns the wish for text in which `*` stands for anything, in any case.
    pub fn pattern_of(text: &str) -> Option<Self> {
        let mut pattern = String::from("^");
        for (at, part) in text.split('*').enumerate() {
            if at > 0 {
                pattern.push_str(".*");
            }
            pattern.push_str(&regex::escape(part));
        }
        pattern.push('$');
        let built =
            RegexBuilder::new(&pattern).case_insensitive(true).dot_matches_new_line(true).build();
        built.ok().map(Self::Pattern)
    }

    /// Returns whether a recorded value is a wanted one. Null, arrays and objects never are.
    pub fn fits(&self, text: &str, kind: JsonKind) -> bool {
        if matches!(kind, JsonKind::Null | JsonKind::Array | JsonKind::Object) {
            return false;
        }
        match self {
            Self::Whole(whole) => whole.fits(text),
            Self::Pattern(regex) => regex.is_match(text),
            Self::Net(net) => net.contains(text),
            Self::Between(low, high) => {
                let above = |bound: &Bound| passes(bound, text, Ordering::Greater);
                let below = |bound: &Bound| passes(bound, text, Ordering::Less);
                low.as_ref().is_none_or(above) && high.as_ref().is_none_or(below)
            }
        }
    }
}

fn passes(bound: &Bound, text: &str, side: Ordering) -> bool {
    let found = match &bound.at {
        Limit::Number(limit) => match Number::read(text).and_then(|n| n.compare(*limit)) {
            Some(found) => found,
            None => return false,
        },
        Limit::Text(limit) => text.cmp(limit),
    };
    found == side || (found == Ordering::Equal && bound.edge == Edge::Included)
}

/// Returns whether two texts are the same when upper and lower case do not differ.
pub fn same_ignoring_case(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str, case: Case) -> Wanted {
        Wanted::Whole(Whole::new(text, case))
    }

    fn more_than(text: &str) -> Wanted {
        let at = Number::read(text).map_or(Limit::Text(text.to_owned()), Limit::Number);
        Wanted::Between(Some(Bound { at, edge: Edge::Excluded }), None)
    }

    #[test]
    fn values_are_compared_by_what_they_mean() {
        let net = |text| Net::read(text).map(Wanted::Net).expect("a network");
        for (wanted, value, kind, fits) in [
            (whole("success", Case::Ignored), "Success", JsonKind::String, true),
            (whole("success", Case::Exact), "Success", JsonKind::String, false),
            (whole("É", Case::Ignored), "é", JsonKind::String, true),
            (whole("7", Case::Ignored), "7.0", JsonKind::Float, true),
            (whole("7", Case::Exact), "007", JsonKind::String, true),
            (whole("null", Case::Ignored), "null", JsonKind::Null, false),
            (whole("null", Case::Ignored), "null", JsonKind::String, true),
            (whole("", Case::Ignored), "", JsonKind::String, true),
            (
                whole("9007199254740993", Case::Ignored),
                "9007199254740992",
                JsonKind::Integer,
                false,
            ),
            (whole("::ffff:10.0.0.1", Case::Ignored), "10.0.0.1", JsonKind::String, true),
            (more_than("5"), "10", JsonKind::String, true),
            (more_than("5"), "5", JsonKind::Integer, false),
            (more_than("5"), "x", JsonKind::String, false),
            (more_than("2026-03-02"), "2026-03-02T08:00Z", JsonKind::String, true),
            (net("10.0.0.0/8"), "10.200.0.1", JsonKind::String, true),
            (net("10.0.0.0/8"), "11.0.0.1", JsonKind::String, false),
            (net("0.0.0.0/0"), "11.0.0.1", JsonKind::String, true),
            (net("2001:db8::/32"), "2001:db8:1::5", JsonKind::String, true),
            (net("2001:db8::/32"), "2001:db9::", JsonKind::String, false),
            (net("::/0"), "10.0.0.1", JsonKind::String, false),
        ] {
            assert_eq!(wanted.fits(value, kind), fits, "{wanted:?} {value}");
        }
        assert_eq!(Net::read("10.0.0.0/33"), None);
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, value, fits) in [
            ("hist_*", "HIST_login", true),
            ("*login*", "hist_login", true),
            ("hist*x", "hist_login", false),
            ("a.*", "abc", false),
            ("*", "", true),
            ("a*b", "a\nb", true),
        ] {
            let wanted = Wanted::pattern_of(pattern).expect("a pattern");
            assert_eq!(wanted.fits(value, JsonKind::String), fits, "{pattern} {value}");
        }
    }
}
