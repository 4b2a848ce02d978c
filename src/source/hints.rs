//! What a path tells about the events in its file: their type, site and pod.
//!
//! A capture names them in folders (`pod=…/siteLuid=…/y=…/m=…/d=…/h=…/eventType=…`, in any order), in
//! one flattened name that joins these with `_`, or in the file name
//! `YYYY-MM-DD-HH[-pod-site]-TYPE[-N].txt`.

use std::path::Path;

/// What the path of a file says about its events, where it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathHints {
    /// The type of all events in the file.
    pub event_type: Option<String>,
    /// The site's identifier, or its name where the path has only that.
    pub site: Option<String>,
    /// The pod that wrote the log.
    pub pod: Option<String>,
    /// The tenant's identifier.
    pub tenant: Option<String>,
}

impl PathHints {
    /// Reads the hints of `path`; `known_types` settles where a type's name ends in a longer name.
    pub fn of(path: &Path, known_types: &[&str]) -> Self {
        let mut hints = Self::default();
        for part in path.parent().into_iter().flat_map(Path::components) {
            hints.take_folder(&part.as_os_str().to_string_lossy());
        }
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let stem = stem(&name);
        if hints.event_type.is_none() {
            hints.take_joined(stem, known_types);
        }
        if hints.event_type.is_none() {
            hints.take_name(stem, known_types);
        }
        hints
    }

    /// Takes a path step of the form `key=value`.
    fn take_folder(&mut self, step: &str) {
        let Some((key, value)) = step.split_once('=') else { return };
        if value.is_empty() || value.contains('=') {
            return;
        }
        if let Some(place) = self.place_of(key) {
            *place = Some(value.to_owned());
        }
    }

    fn place_of(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "eventType" => Some(&mut self.event_type),
            "siteLuid" | "siteId" => Some(&mut self.site),
            "tenantId" => Some(&mut self.tenant),
            "pod" => Some(&mut self.pod),
            _ => None,
        }
    }

    /// Takes `pod=x_siteLuid=y_eventType=z_part-0`: steps joined to one name.
    fn take_joined(&mut self, stem: &str, known_types: &[&str]) {
        for key in ["pod", "siteLuid", "siteId", "tenantId", "eventType"] {
            let Some(rest) = after_key(stem, key) else { continue };
            let value = match longest_at_start(rest, known_types) {
                Some(known) if key == "eventType" => known,
                _ => value_before_next_key(rest),
            };
            let place = self.place_of(key).filter(|place| place.is_none());
            if let (Some(place), false) = (place, value.is_empty()) {
                *place = Some(value.to_owned());
            }
        }
    }

    /// Takes `YYYY-MM-DD-HH[-pod-site]-TYPE[-N]`.
    fn take_name(&mut self, stem: &str, known_types: &[&str]) {
        let Some(rest) = after_hour(stem) else {
            let bare = without_number(stem);
            if known_types.contains(&bare) {
                self.event_type = Some(bare.to_owned());
            }
            return;
        };
        let rest = without_number(rest);
        let known = known_types.iter().filter(|known| ends_with_part(rest, known));
        let last = rest.rsplit('-').next().unwrap_or(rest);
        let event_type = match known.max_by_key(|known| known.len()) {
            Some(known) => known,
            None if is_number(last) || last.is_empty() => return,
            None => last,
        };
        let before = rest[..rest.len() - event_type.len()].trim_end_matches('-');
        if let Some((pod, site)) = before.split_once('-') {
            self.pod.get_or_insert_with(|| pod.to_owned());
            self.site.get_or_insert_with(|| site.to_owned());
        }
        if event_type != "unknown" {
            self.event_type = Some(event_type.to_owned());
        }
    }
}

/// Returns the name without what follows its first dot that is not part of a word of the pattern.
fn stem(name: &str) -> &str {
    let mut stem = name;
    while let Some((before, suffix)) = stem.rsplit_once('.') {
        let plain = suffix.len() <= 8 && suffix.bytes().all(|b| b.is_ascii_alphanumeric());
        if !plain || before.is_empty() {
            break;
        }
        stem = before;
    }
    stem
}

/// Returns what follows `YYYY-MM-DD-HH-`.
fn after_hour(stem: &str) -> Option<&str> {
    const PATTERN: &[u8] = b"dddd-dd-dd-dd-";
    let head = stem.as_bytes().get(..PATTERN.len())?;
    let fits = head.iter().zip(PATTERN).all(|(byte, wanted)| match wanted {
        b'd' => byte.is_ascii_digit(),
        other => byte == other,
    });
    if fits { stem.get(PATTERN.len()..) } else { None }
}

fn without_number(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((before, number)) if is_number(number) => before,
        _ => name,
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether `name` is `part`, or ends in it after a `-`.
fn ends_with_part(name: &str, part: &str) -> bool {
    match name.strip_suffix(part) {
        Some(before) => before.is_empty() || before.ends_with('-'),
        None => false,
    }
}

/// Returns what follows `key=` where it stands at the start or after a `_` or another joint.
fn after_key<'a>(stem: &'a str, key: &str) -> Option<&'a str> {
    let marker = format!("{key}=");
    stem.match_indices(&marker).find_map(|(at, found)| {
        let joined = at == 0 || stem[..at].ends_with(['_', '-', '.', ' ', '~', '+']);
        joined.then(|| &stem[at + found.len()..])
    })
}

fn longest_at_start<'a>(rest: &str, known_types: &[&'a str]) -> Option<&'a str> {
    let starts = known_types.iter().copied().filter(|known| {
        rest.strip_prefix(known)
            .is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric()))
    });
    starts.max_by_key(|known| known.len())
}

/// Returns `rest` up to the `_` before the next `key=`, or before the name of a part file.
fn value_before_next_key(rest: &str) -> &str {
    let next_key = rest.find('=').and_then(|at| rest[..at].rfind('_'));
    let part = rest.find("_part-");
    let end = next_key.into_iter().chain(part).min().unwrap_or(rest.len());
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["hist_login", "login", "hist_access_view", "set_permissions", "view"];

    fn check(path: &str, event_type: &str, site: &str, pod: &str) {
        let hints = PathHints::of(Path::new(path), KNOWN);
        let found = [hints.event_type, hints.site, hints.pod].map(Option::unwrap_or_default);
        assert_eq!(found, [event_type, site, pod].map(String::from), "{path}");
    }

    #[test]
    fn folders_name_type_site_and_pod_in_any_order() {
        check(
            "x/pod=10az/siteLuid=5f0c/y=2026/h=08/eventType=hist_login/p.txt",
            "hist_login",
            "5f0c",
            "10az",
        );
        check(
            "pod=10az/siteLuid=a3d9/eventType=set_permissions/y=2026/m=3/p.json",
            "set_permissions",
            "a3d9",
            "10az",
        );
        check("tenantId=t/eventType=new_type/h=2/p.json", "new_type", "", "");
        check("eventType=/siteId=7/p.json", "", "7", "");
    }

    #[test]
    fn file_names_carry_the_type_after_the_hour() {
        check(
            "2026-03-10-08-10az-Fin_EMEA-hist_access_view-1.txt",
            "hist_access_view",
            "Fin_EMEA",
            "10az",
        );
        check("2026-03-10-08-10az-A-B-C-set_permissions.txt", "set_permissions", "A-B-C", "10az");
        check("2026-03-10-08-invented_created.txt", "invented_created", "", "");
        check("2026-03-10-08-unknown.txt", "", "", "");
        check("2026-03-10-08-10az-Fin-unknown-2.txt.gz", "", "Fin", "10az");
        check("2026-03-10-08-12.txt", "", "", "");
        check("2026-03-10-08-.txt", "", "", "");
        check("hist_login-3.json", "hist_login", "", "");
        check("server-hist_login.json", "", "", "");
        check("2026-03-10.log", "", "", "");
    }

    #[test]
    fn steps_joined_to_one_name_are_read() {
        check(
            "pod=10az_siteLuid=5f0c_y=2026_m=03_eventType=hist_access_view_part-0.txt",
            "hist_access_view",
            "5f0c",
            "10az",
        );
        check("pod=p_eventType=some_new_type_h=08_part-1.txt", "some_new_type", "", "p");
        check("eventType=some_new_type_part-1.txt", "some_new_type", "", "");
    }

    #[test]
    fn odd_names_are_no_reason_to_fail() {
        for path in
            ["", "/", "..", "=", "eventType=", "2026-03-10-08-ü", "2026-03-10-08", "é=é", ".txt"]
        {
            drop(PathHints::of(Path::new(path), KNOWN));
        }
    }
}
