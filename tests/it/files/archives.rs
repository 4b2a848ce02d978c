use std::io::{Cursor, Write};

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::compressed::{gzip, log};
use super::*;

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, bytes)) in members.iter().enumerate() {
        let method =
            if number % 2 == 0 { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Opens an archive and returns (label after the archive's name, contents) of its members.
fn members(path: &Path) -> Vec<(String, Vec<u8>)> {
    let set = open(&[path]);
    assert!(set.refused.is_empty(), "{:?}", set.refused);
    let prefix = format!("{}!/", path.display());
    let each = set.files.iter();
    each.map(|file| (file.label().strip_prefix(&prefix).unwrap().to_owned(), contents(file)))
        .collect()
}

#[test]
fn the_members_of_archives_are_files() {
    let dir = folder();
    let (one, two) = (log(3_000), log(2 << 20));
    let list: &[(&str, &[u8])] =
        &[("logs/a.txt", &one), ("b.json", &two), ("c.json.gz", &gzip(&one)), ("empty", b"")];
    for (name, packed) in [
        ("a.zip", zip(list)),
        ("a.tar", tar(list)),
        ("a.tgz", gzip(&tar(list))),
        ("a.no-suffix", gzip(&tar(list))),
    ] {
        let found = members(&put(dir.path(), name, packed));
        let expected: Vec<(String, Vec<u8>)> = vec![
            ("logs/a.txt".into(), one.clone()),
            ("b.json".into(), two.clone()),
            ("c.json.gz".into(), one.clone()),
            ("empty".into(), Vec::new()),
        ];
        assert!(
            found == expected,
            "{name}: {:?}",
            found.iter().map(|f| (&f.0, f.1.len())).collect::<Vec<_>>()
        );
    }
}

#[test]
fn an_archive_in_an_archive_is_opened() {
    let dir = folder();
    let inner = tar(&[("x.json", EVENT.as_bytes())]);
    let nested = zip(&[
        ("in.tar.gz", &gzip(&inner)),
        ("in.tar", &inner),
        ("in.zip", &zip(&[("y.json", EVENT.as_bytes())])),
    ]);
    let found = members(&put(dir.path(), "a.zip", nested));
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["in.tar.gz!/x.json", "in.tar!/x.json", "in.zip!/y.json"]);
    assert!(found.iter().all(|(_, bytes)| bytes == EVENT.as_bytes()));
}

#[test]
fn a_capture_in_an_archive_is_read_like_one_in_a_folder() {
    let dir = folder();
    let log = "x/extract/pod=1/siteLuid=5f0c/eventType=hist_login/part-0.txt";
    let list: &[(&str, &[u8])] = &[
        ("x/logs/extractor.log", b"started"),
        (log, EVENT.as_bytes()),
        ("x/extract/pod=1/eventType=hist_login/part-1.txt.part", b"{"),
        ("x/extract/pod=1/entityType=users/p.parquet", b"PAR1\x15\x04PAR1"),
        ("x/extract/reference/tenant_users/page-1.json", b"{}"),
        ("__MACOSX/x/._a", b"\0\x05\x16\x07"),
        ("x/transform/a.json", b"{}"),
    ];
    let set = open(&[&put(dir.path(), "a.zip", zip(list))]);
    assert_eq!(labels(dir.path(), &set), [format!("a.zip!/{log}")]);
    assert_eq!(set.files[0].hints().event_type.as_deref(), Some("hist_login"));
    assert_eq!(set.files[0].hints().site.as_deref(), Some("5f0c"));
    assert_eq!(set.skipped.len(), 6);
    // A tar is read as it comes: what is before the first sign of a capture is taken for a log.
    let set = open(&[&put(dir.path(), "a.tar", tar(list))]);
    assert_eq!((set.files.len(), set.skipped.len()), (2, 5));
}

#[test]
fn a_torn_tar_gives_what_is_there_and_says_so() {
    let dir = folder();
    let (one, two) = (log(10_000), log(300_000));
    let whole = tar(&[("one", &one), ("two", &two)]);
    for (name, packed) in [("a.tar", whole.clone()), ("a.tgz", gzip(&whole))] {
        let cut = packed.len() / 2;
        let set = open(&[&put(dir.path(), name, &packed[..cut])]);
        assert_eq!(set.files.len(), 2, "{name}");
        assert!(contents(&set.files[0]) == one);
        let found = contents(&set.files[1]);
        assert!(!found.is_empty() && two.starts_with(&found), "{name}");
        assert_eq!(notes(&set.files[1]), [format!("archive ends early at byte {cut}")], "{name}");
    }
}

#[test]
fn a_torn_zip_has_lost_its_directory_and_is_read_in_sequence() {
    let dir = folder();
    let (one, two) = (log(10_000), log(300_000));
    let whole = zip(&[("one", &one), ("two", &two)]);
    let set = open(&[&put(dir.path(), "a.zip", &whole[..whole.len() * 2 / 3])]);
    assert_eq!(labels(dir.path(), &set), ["a.zip!/one", "a.zip!/two"]);
    assert!(contents(&set.files[0]) == one);
    let found = contents(&set.files[1]);
    assert!(two.starts_with(&found));
    assert_eq!(notes(&set.files[1]).len(), 1, "{:?}", notes(&set.files[1]));
}

#[test]
fn junk_that_only_begins_like_an_archive_is_refused() {
    let dir = folder();
    for (name, bytes) in
        [("zip", &b"PK\x03\x04 and then nothing of the kind"[..]), ("zip-empty", b"PK\x05\x06")]
    {
        let set = open(&[&put(dir.path(), name, bytes)]);
        assert_eq!((set.files.len(), set.refused.len()), (0, 1), "{name}");
    }
}

#[test]
fn an_archive_is_stopped_at_the_limit_over_all_members() {
    let dir = folder();
    let blanks = vec![b' '; 3 << 20];
    let list: &[(&str, &[u8])] = &[("a", &blanks), ("b", &blanks), ("c", &blanks)];
    let options = OpenOptions { decode_limit: 4 << 20, ..OpenOptions::default() };
    for (name, packed) in [("a.zip", zip(list)), ("a.tgz", gzip(&tar(list)))] {
        let set = open_with(&[&put(dir.path(), name, packed)], &options);
        let total: usize = set.files.iter().map(|file| contents(file).len()).sum();
        assert!((3 << 20..=4 << 20).contains(&total), "{name} {total}");
        let last = set.files.last().unwrap();
        assert_eq!(notes(last), ["decompression stopped at 4.0 MiB, the limit"], "{name}");
    }
}

#[test]
fn hostile_members_cost_only_themselves() {
    let dir = folder();
    let path = put(
        dir.path(),
        "a.tar",
        tar(&[("x\u{1b}[31m/y", EVENT.as_bytes()), ("z", EVENT.as_bytes())]),
    );
    let set = open(&[&path]);
    assert_eq!(set.files.len(), 2);
    assert!(set.files.iter().all(|file| !file.label().contains('\x1b')));
    // Any byte of a small archive changed: no panic, no endless loop, no silent loss of a member.
    for whole in [
        tar(&[("a", EVENT.as_bytes()), ("b", EVENT.as_bytes())]),
        zip(&[("a", EVENT.as_bytes()), ("b", EVENT.as_bytes())]),
    ] {
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            let set = open(&[&put(dir.path(), "damaged", damaged)]);
            set.files.iter().for_each(|file| drop(contents(file)));
            assert!(!set.files.is_empty() || !set.refused.is_empty() || !set.skipped.is_empty());
        }
    }
}
