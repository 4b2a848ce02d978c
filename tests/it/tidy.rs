//! The rules of ARCHITECTURE.md that a text scan can hold: ranks, homes of crates, sizes, names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder, as (path from the root, text).
fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let name = path.strip_prefix(root()).expect("below the root").display().to_string();
                found.push((name, std::fs::read_to_string(&path).expect("text")));
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    files("src", ".rs")
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.ends_with("/fixture.rs")
}

/// The lines of a file before its unit tests, numbered from 1.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .take_while(|line| !line.starts_with("mod tests {"))
        .enumerate()
        .map(|(number, line)| (number + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Each module with those it may use.
const RANKS: &[(&str, &str)] = &[
    ("base", ""),
    ("schema", "base"),
    ("source", "base"),
    ("record", "base"),
    ("index", "base source record"),
    ("demo", "base schema"),
    ("query", "base schema record index"),
    ("export", "base schema record index query"),
    ("jobs", "base schema source record index demo query export"),
    ("cmd", "base schema source record index demo query export app"),
    ("app", "base schema record index query export jobs"),
    ("ui", "app base schema record index query jobs"),
    ("tui", "app ui jobs base schema source index demo"),
];

#[test]
fn modules_import_only_lower_ranks() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let Some(module) = path.strip_prefix("src/").and_then(|p| p.split_once('/')) else {
            continue;
        };
        let (_, allowed) = RANKS
            .iter()
            .find(|(name, _)| *name == module.0)
            .unwrap_or_else(|| panic!("{path}: no rank for this module"));
        if is_test(&path) {
            continue;
        }
        for (number, line) in code(&text) {
            for after in line.split("crate::").skip(1) {
                let used: String =
                    after.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                let known = RANKS.iter().any(|(name, _)| *name == used);
                let fine = used == module.0 || allowed.split(' ').any(|name| name == used);
                if known && !fine {
                    faults.push(format!("{path}:{number}: {} may not use {used}", module.0));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_model_knows_only_the_messages_of_jobs() {
    for (path, text) in sources().iter().filter(|(path, _)| path.starts_with("src/app/")) {
        for (number, line) in code(text).filter(|_| !is_test(path)) {
            let rest = line.split("crate::jobs::").skip(1);
            for used in rest {
                assert!(used.starts_with("msg"), "{path}:{number}: only jobs::msg: {line}");
            }
        }
    }
}

/// Words that only some files may use, and which.
const HOMES: &[(&str, &[&str])] = &[
    ("ratatui", &["src/ui/", "src/tui/"]),
    ("crossterm", &["src/tui/"]),
    ("memmap2", &["src/source/map.rs"]),
    ("libc::", &["src/source/map.rs"]),
    ("unsafe ", &["src/source/map.rs"]),
    ("simd_json", &["src/record/"]),
    ("wide::", &["src/record/"]),
    ("clap", &["src/cmd/args.rs"]),
    (
        "std::fs",
        &["src/source/", "src/schema/load.rs", "src/export/", "src/cmd/", "src/jobs/", "src/tui/"],
    ),
    (
        "std::thread",
        &["src/jobs/", "src/index/build.rs", "src/query/", "src/source/", "src/tui/", "src/demo/"],
    ),
    ("Instant::now", &["src/tui/", "src/cmd/", "src/jobs/", "src/source/"]),
    ("SystemTime::now", &["src/tui/", "src/cmd/"]),
    ("Utc::now", &["src/tui/", "src/cmd/"]),
];

#[test]
fn foreign_things_stay_in_their_homes() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        for (number, line) in code(&text).filter(|_| !is_test(&path)) {
            for (word, homes) in HOMES {
                let is_home = homes.iter().any(|home| path.starts_with(home));
                if line.contains(word) && !is_home {
                    faults.push(format!("{path}:{number}: {word} lives in {}", homes.join(", ")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_is_hidden_in_cells() {
    for (path, text) in sources() {
        let is_pure = path.starts_with("src/app/") || path.starts_with("src/ui/");
        for (number, line) in code(&text).filter(|_| is_pure) {
            assert!(!line.contains("Cell<") && !line.contains("RefCell"), "{path}:{number}");
        }
    }
}

/// Files that are one table and may be longer.
const TABLES: &[&str] = &[];

#[test]
fn files_stay_small() {
    for (path, text) in sources() {
        let lines = text.lines().take_while(|line| !line.starts_with("mod tests {")).count();
        assert!(
            lines <= 700 || TABLES.contains(&path.as_str()) || is_test(&path),
            "{path} has {lines} lines; split it where a part has a name"
        );
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    for (path, text) in sources() {
        assert!(
            text.starts_with("//!") || is_test(&path),
            "{path}: open with `//!`: purpose, main types, what it must not do"
        );
    }
}

#[test]
fn no_drawer_for_odds_and_ends() {
    for (path, _) in sources() {
        for name in ["utils", "util", "helpers", "common", "misc"] {
            assert!(
                !path.contains(&format!("/{name}/")) && !path.ends_with(&format!("/{name}.rs"))
            );
        }
        let folder = Path::new(&path).with_extension("");
        assert!(
            path.ends_with("/mod.rs") || !root().join(&folder).is_dir(),
            "{path}: make it {}/mod.rs",
            folder.display()
        );
    }
}

#[test]
fn no_test_sleeps_or_is_ignored() {
    for (path, text) in sources().into_iter().chain(files("tests", ".rs")) {
        if path.ends_with("tidy.rs") {
            continue;
        }
        assert!(!text.contains("thread::sleep"), "{path} sleeps");
        assert!(!text.contains("#[ignore"), "{path} ignores a test");
    }
}

#[test]
fn screens_are_few() {
    let screens = files("tests", ".snap").len() + files("src", ".snap").len();
    assert!(screens <= 40, "{screens} snapshots: assert facts instead");
}

#[test]
fn the_root_holds_only_what_is_known() {
    const KNOWN: &[&str] = &[
        ".ci",
        ".git",
        ".gitignore",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "assets",
        "clippy.toml",
        "deny.toml",
        "fixtures",
        "rustfmt.toml",
        "src",
        "target",
        "tests",
    ];
    for entry in std::fs::read_dir(root()).expect("the root") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(KNOWN.contains(&name.as_str()), "{name} does not belong in the root");
    }
}

#[test]
fn dependencies_stay_few() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let locked = lock.matches("[[package]]").count();
    assert!(locked <= 260, "{locked} packages are locked");
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let from = manifest.find("[dependencies]").expect("dependencies");
    let direct = manifest[from..]
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('='))
        .count();
    assert!(direct <= 30, "{direct} direct dependencies");
}

#[test]
fn fixtures_are_listed() {
    let readme = std::fs::read_to_string(root().join("fixtures/README.md")).expect("a list");
    let listed: BTreeSet<&str> = readme.split('`').skip(1).step_by(2).collect();
    for (folder, prefix) in [("fixtures", ""), ("fixtures/cases", "cases/")] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let mut name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                name.push('/');
            }
            if name != "README.md" && name != "cases/" {
                assert!(listed.contains(name.as_str()), "fixtures/README.md does not list {name}");
            }
        }
    }
}
