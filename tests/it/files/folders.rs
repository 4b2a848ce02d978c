use super::*;

#[test]
fn a_folder_is_read_whole_in_natural_order_whatever_the_names_end_in() {
    let dir = folder();
    for name in
        ["h=10/a.txt", "h=9/b.json", "h=9/b.log.2", "h=9/b.log.10", "c", "sub/deep/er/d.LOG"]
    {
        put(dir.path(), name, EVENT);
    }
    let set = open(&[dir.path()]);
    let expected =
        ["c", "h=9/b.json", "h=9/b.log.2", "h=9/b.log.10", "h=10/a.txt", "sub/deep/er/d.LOG"];
    assert_eq!(labels(dir.path(), &set), expected);
    assert!(set.files.iter().all(|file| contents(file) == EVENT.as_bytes()));
}

#[test]
fn inputs_keep_their_order_and_patterns_are_expanded() {
    let dir = folder();
    for name in ["a1.json", "a2.json", "a10.json", "b/x.txt", "b/c/y.txt", "b/c/z.bin"] {
        put(dir.path(), name, EVENT);
    }
    let [late, star, deep] = ["b/x.txt", "a[0-9]*.json", "b/**/*.txt"].map(|p| dir.path().join(p));
    let set = open(&[&late, &star, &deep]);
    assert_eq!(
        labels(dir.path(), &set),
        ["b/x.txt", "a1.json", "a2.json", "a10.json", "b/c/y.txt"]
    );
}

#[test]
fn an_absent_name_that_may_be_a_pattern_is_told_as_both() {
    let dir = folder();
    put(dir.path(), "log 4.json", EVENT);
    let set = open(&[&dir.path().join("*.nothing"), &dir.path().join("log [3].json")]);
    let why = "no such file or folder, and none matches it as a pattern";
    assert_eq!(
        left_out(dir.path(), &set.refused),
        [("*.nothing".into(), why), ("log [3].json".into(), why)]
    );
}

#[test]
fn what_is_missing_is_refused_and_the_rest_opens() {
    let dir = folder();
    let there = put(dir.path(), "there.json", EVENT);
    let set = open(&[&dir.path().join("absent.json"), &there]);
    assert_eq!(labels(dir.path(), &set), ["there.json"]);
    assert_eq!(
        left_out(dir.path(), &set.refused),
        [("absent.json".into(), "no such file or folder")]
    );
}

#[test]
fn a_name_with_pattern_characters_is_a_name_when_it_exists() {
    let dir = folder();
    let odd = put(dir.path(), "a[1]*.json", EVENT);
    put(dir.path(), "a1.json", EVENT);
    assert_eq!(open_one(&odd).path(), odd);
}

#[test]
fn the_neighbours_of_an_extract_are_left_out_and_told() {
    let dir = folder();
    let hour = "extract/pod=10az/siteLuid=5f0c/y=2026/m=03/d=10/h=08";
    let log = format!("{hour}/eventType=hist_login/part-0.txt");
    put(dir.path(), &log, EVENT);
    put(dir.path(), format!("{hour}/eventType=hist_login/part-1.txt.part"), "{\"ev");
    put(dir.path(), format!("{hour}/entityType=users/part-0.parquet"), b"PAR1\x15\x04PAR1");
    put(dir.path(), "extract/reference/tenant_users/pulled=x/page-1.json", "{}");
    put(dir.path(), "extract/reference/other/page-1.json", "{}");
    put(dir.path(), "logs/extractor.log", "started");
    put(dir.path(), "transform/snapshots/_manifest.json", "{}");
    put(dir.path(), "loader/state.json", "{}");
    let set = open(&[dir.path()]);
    assert_eq!(labels(dir.path(), &set), [log.as_str()]);
    let hints = set.files[0].hints();
    let found = [&hints.event_type, &hints.site, &hints.pod].map(|hint| hint.as_deref().unwrap());
    assert_eq!(found, ["hist_login", "5f0c", "10az"]);
    assert_eq!(
        left_out(dir.path(), &set.skipped),
        [
            (format!("{hour}/entityType=users/part-0.parquet"), "a Parquet file"),
            (
                format!("{hour}/eventType=hist_login/part-1.txt.part"),
                "a download that was not finished"
            ),
            ("extract/reference/other".into(), "a reference listing, not a log"),
            ("loader".into(), "not part of the extract"),
            ("logs".into(), "not part of the extract"),
            ("transform".into(), "not part of the extract"),
        ]
    );
    assert_eq!(
        set.name_tables,
        [dir.path().join("extract/reference/tenant_users/pulled=x/page-1.json")]
    );
}

#[test]
fn elsewhere_such_names_are_logs_and_so_they_are_when_named() {
    let dir = folder();
    put(dir.path(), "logs/a.json", EVENT);
    put(dir.path(), "b.part", EVENT);
    assert_eq!(labels(dir.path(), &open(&[dir.path()])), ["b.part", "logs/a.json"]);
    let part = put(dir.path(), "extract/pod=1/eventType=x/a.txt.part", EVENT);
    assert_eq!(open_one(&part).path(), part);
}

#[test]
fn a_folder_inside_a_capture_is_still_part_of_it() {
    let dir = folder();
    let log = put(dir.path(), "extract/eventType=set_permissions/y=2026/m=3/d=9/h=2/p.json", EVENT);
    put(dir.path(), "extract/eventType=set_permissions/y=2026/m=3/d=9/h=2/p.json.part", EVENT);
    let set = open(&[log.parent().unwrap()]);
    assert_eq!((set.files.len(), set.skipped.len()), (1, 1));
    assert_eq!(set.files[0].hints().event_type.as_deref(), Some("set_permissions"));
}

#[test]
fn types_in_file_names_are_found_by_the_known_ones() {
    let dir = folder();
    put(dir.path(), "2026-03-10-08-10az-Finance_EMEA-hist_login-1.txt", EVENT);
    put(dir.path(), "2026-03-10-08-unknown.txt", EVENT);
    let known_types = vec!["login".to_owned(), "hist_login".to_owned()];
    let set = open_with(&[dir.path()], &OpenOptions { known_types, ..OpenOptions::default() });
    let types: Vec<_> = set.files.iter().map(|file| file.hints().event_type.as_deref()).collect();
    assert_eq!(types, [Some("hist_login"), None]);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    #[test]
    fn pipes_and_sockets_in_a_folder_are_skipped_and_never_opened() {
        let dir = folder();
        put(dir.path(), "real.ndjson", EVENT);
        assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
        // A system may find the path too long for a socket.
        let listener = UnixListener::bind(dir.path().join("socket"));
        let set = open(&[dir.path()]);
        assert_eq!(labels(dir.path(), &set), ["real.ndjson"]);
        let skipped = left_out(dir.path(), &set.skipped);
        assert_eq!(skipped[0], ("pipe".into(), "a named pipe"));
        if listener.is_ok() {
            assert_eq!(skipped[1], ("socket".into(), "a socket"));
        }
        assert!(set.refused.is_empty());
    }

    #[test]
    fn a_pipe_that_nobody_writes_to_is_skipped_even_when_named() {
        let dir = folder();
        let pipe = dir.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let set = open(&[&pipe, Path::new("/dev/null")]);
        assert_eq!(
            left_out(dir.path(), &set.skipped),
            [
                ("/dev/null".into(), "a device"),
                ("pipe".into(), "a named pipe that nobody writes to")
            ]
        );
    }

    #[test]
    fn each_file_is_read_once_under_its_real_name() {
        let dir = folder();
        let real = put(dir.path(), "real.ndjson", EVENT);
        put(dir.path(), "zone/x.json", EVENT);
        symlink(".", dir.path().join("loop")).unwrap();
        symlink("real.ndjson", dir.path().join("alias.ndjson")).unwrap();
        symlink("missing.ndjson", dir.path().join("dangling.ndjson")).unwrap();
        symlink("zone", dir.path().join("area")).unwrap();
        symlink("circle", dir.path().join("circle")).unwrap();
        fs::hard_link(&real, dir.path().join("second.ndjson")).unwrap();
        let set = open(&[dir.path()]);
        assert_eq!(labels(dir.path(), &set), ["real.ndjson", "zone/x.json"]);
        let root = dir.path().display();
        let skipped = left_out(dir.path(), &set.skipped);
        let reason = |name: &str| skipped.iter().find(|(n, _)| n == name).unwrap().1.to_owned();
        assert_eq!(reason("alias.ndjson"), format!("same file as {root}/real.ndjson"));
        assert_eq!(reason("second.ndjson"), format!("same file as {root}/real.ndjson"));
        assert_eq!(reason("loop"), format!("same folder as {root}"));
        assert_eq!(reason("area"), format!("same folder as {root}/zone"));
        assert_eq!(reason("dangling.ndjson"), "a link to nothing");
        assert!(reason("circle").starts_with("a link that leads nowhere"));
        assert_eq!((skipped.len(), set.refused.len()), (6, 0));
    }

    #[test]
    fn a_link_to_a_folder_elsewhere_is_followed() {
        let (dir, other) = (folder(), folder());
        put(other.path(), "far.json", EVENT);
        symlink(other.path(), dir.path().join("link")).unwrap();
        assert_eq!(labels(dir.path(), &open(&[dir.path()])), ["link/far.json"]);
    }

    #[test]
    fn the_same_input_twice_is_read_once() {
        let dir = folder();
        let file = put(dir.path(), "a.json", EVENT);
        let set = open(&[&file, dir.path(), &file]);
        assert_eq!((set.files.len(), set.skipped.len()), (1, 2));
    }

    #[test]
    fn hostile_names_open_and_are_shown_harmless() {
        let dir = folder();
        let names: [&[u8]; 5] = [
            b"caf\xe9.ndjson",
            b"esc\x1b[31m.ndjson",
            b"new\nline.ndjson",
            b"-dash.ndjson",
            b"sp ace'q\".ndjson",
        ];
        for name in names {
            put(dir.path(), OsStr::from_bytes(name), EVENT);
        }
        let set = open(&[dir.path()]);
        assert_eq!(set.files.len(), 5);
        for file in &set.files {
            assert_eq!(contents(file), EVENT.as_bytes());
            assert!(!file.label().contains(['\x1b', '\n']), "{:?}", file.label());
            let name = file.path().file_name().unwrap().as_bytes();
            assert!(names.contains(&name), "the path keeps its bytes");
        }
    }

    #[test]
    fn what_may_not_be_read_is_refused_and_the_rest_opens() {
        let dir = folder();
        put(dir.path(), "open.json", EVENT);
        let closed = put(dir.path(), "noread.json", EVENT);
        let no_entry = put(dir.path(), "noenter/a.json", EVENT).parent().unwrap().to_owned();
        for path in [&closed, &no_entry] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        }
        // Who may read everything (root) cannot be refused.
        let all_powerful = fs::read(&closed).is_ok();
        let set = open(&[dir.path()]);
        fs::set_permissions(&no_entry, fs::Permissions::from_mode(0o755)).unwrap();
        if all_powerful {
            assert_eq!(set.files.len(), 3);
            return;
        }
        assert_eq!(labels(dir.path(), &set), ["open.json"]);
        assert_eq!(
            left_out(dir.path(), &set.refused),
            [("noenter".into(), "permission denied"), ("noread.json".into(), "permission denied")]
        );
    }
}
