//! The zone of this machine, and the one asked for on the command line.

use std::path::Path;

use anyhow::bail;

use crate::base::zone::Zone;

/// What names the zone where `TZ` does not.
const LINK: &str = "/etc/localtime";

/// Returns the zone that a word of the command line means.
///
/// # Errors
/// Tells zones of a like name when there is none of this one.
pub fn chosen(word: &str) -> anyhow::Result<Zone> {
    if word.eq_ignore_ascii_case("local") {
        return Ok(local());
    }
    if let Some(zone) = Zone::parse(word) {
        return Ok(zone);
    }
    let city = word.rsplit('/').next().unwrap_or(word).to_ascii_lowercase();
    let like = |name: &&str| name.to_ascii_lowercase().contains(&city);
    let near: Vec<&str> = Zone::names().filter(like).filter(|_| 2 < city.len()).take(5).collect();
    let near = if near.is_empty() { String::new() } else { format!("; near: {}", near.join(", ")) };
    bail!("no zone is called `{word}`{near}; write UTC, local, Europe/Berlin or +02:00")
}

/// Returns the zone of this machine, by name where one can be found: then its changes of offset
/// are known as well as those of any other zone.
pub fn local() -> Zone {
    if let Ok(set) = std::env::var("TZ") {
        let name = set.trim_start_matches(':');
        return by_path(Path::new(name)).unwrap_or(if name.is_empty() {
            Zone::Utc
        } else {
            Zone::System
        });
    }
    match std::fs::canonicalize(LINK) {
        Ok(path) => by_path(&path).unwrap_or(Zone::System),
        // Where nothing says otherwise, clocks show UTC.
        Err(_) => Zone::Utc,
    }
}

/// Returns the zone that a name, or a path ending in one, stands for.
fn by_path(path: &Path) -> Option<Zone> {
    let text = path.to_str()?;
    let name = text.rsplit_once("zoneinfo/").map_or(text, |(_, name)| name);
    let name = name.trim_start_matches("posix/").trim_start_matches("right/");
    match name {
        "Etc/UTC" | "Universal" | "Zulu" | "Etc/Universal" | "Etc/Zulu" | "UCT" | "Etc/UCT" => {
            Some(Zone::Utc)
        }
        name => Zone::parse(name).filter(|zone| !matches!(zone, Zone::Fixed(_))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_found_by_the_paths_systems_keep_them_at() {
        let berlin = Zone::parse("Europe/Berlin");
        for (path, zone) in [
            ("Europe/Berlin", berlin),
            ("/usr/share/zoneinfo/Europe/Berlin", berlin),
            ("/var/db/timezone/zoneinfo/Europe/Berlin", berlin),
            ("/usr/share/zoneinfo/posix/Europe/Berlin", berlin),
            ("/usr/share/zoneinfo/Etc/UTC", Some(Zone::Utc)),
            ("/etc/localtime", None),
            ("CET-1CEST", None),
        ] {
            assert_eq!(by_path(Path::new(path)), zone, "{path}");
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_like_ones() {
        let error = chosen("Europe/Berlinn").unwrap_err().to_string();
        assert!(error.contains("no zone is called `Europe/Berlinn`"), "{error}");
        let error = chosen("berlin").unwrap_err().to_string();
        assert!(error.contains("near: Europe/Berlin"), "{error}");
    }
}
