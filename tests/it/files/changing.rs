use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use actlog::source::{Change, MmapPolicy};

use super::compressed::{gzip, log};
use super::*;

/// A wait that ends only when something is broken.
const LONG: Duration = Duration::from_secs(60);

/// Reads a file over and over in two threads while `change` is made to it under them.
///
/// Each reader goes over all bytes at least twice after the change.
fn read_while(file: &Arc<SourceFile>, change: impl FnOnce()) {
    let stop = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..2).map(|_| start_reader(file, &stop)).collect();
    readers.iter().for_each(|(passes, _)| passes.recv_timeout(LONG).unwrap());
    change();
    for (passes, _) in &readers {
        while passes.try_recv().is_ok() {}
        (0..3).for_each(|_| passes.recv_timeout(LONG).unwrap());
    }
    stop.store(true, Ordering::Release);
    readers.into_iter().for_each(|(_, thread)| thread.join().unwrap());
}

fn start_reader(
    file: &Arc<SourceFile>,
    stop: &Arc<AtomicBool>,
) -> (Receiver<()>, thread::JoinHandle<()>) {
    let (sender, passes): (Sender<()>, _) = channel();
    let (file, stop) = (Arc::clone(file), Arc::clone(stop));
    let thread = thread::spawn(move || {
        let mut buf = Vec::new();
        while !stop.load(Ordering::Acquire) {
            // A file that is opened anew may fail to open; a map never fails.
            if let Ok(bytes) = file.read_into(&mut buf) {
                // Every page is touched, at changing places.
                let sum: u64 = bytes.iter().step_by(509).map(|&byte| u64::from(byte)).sum();
                assert!(sum < u64::MAX);
            }
            sender.send(()).ok();
        }
    });
    (passes, thread)
}

fn truncate(path: &Path, len: u64) {
    File::options().write(true).open(path).unwrap().set_len(len).unwrap();
}

fn append(path: &Path, bytes: &[u8]) {
    File::options().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn a_file_truncated_while_it_is_read_kills_nothing_and_is_told() {
    let dir = folder();
    let log = log(3 << 20);
    let from = log.len() as u64;
    for round in 0..40_u64 {
        let path = put(dir.path(), "a.json", &log);
        let file = open_one(&path);
        let to = [0, 1, 1_000, 4_096, 70_000, from / 2, from - 5_000, from - 1][round as usize % 8];
        read_while(&file, || truncate(&path, to));
        assert_eq!(file.check(), Change::Shrunk { from, to }, "round {round}");
        let whole = file.whole().unwrap();
        let to = usize::try_from(to).unwrap();
        assert!(whole[..to] == log[..to], "what is left reads right");
        assert!(whole[to..].iter().all(|&byte| byte == 0), "what is gone reads as zeros");
    }
}

#[test]
fn a_file_replaced_or_deleted_while_it_is_read_is_told_and_the_old_one_stays_readable() {
    let dir = folder();
    let log = log(2 << 20);
    for _ in 0..20 {
        let path = put(dir.path(), "a.json", &log);
        let file = open_one(&path);
        let other = put(dir.path(), "other.json", EVENT);
        read_while(&file, || fs::rename(&other, &path).unwrap());
        assert_eq!(file.check(), Change::Replaced);
        assert!(contents(&file) == log);

        let path = put(dir.path(), "b.json", &log);
        let file = open_one(&path);
        read_while(&file, || fs::remove_file(&path).unwrap());
        assert_eq!(file.check(), Change::Gone);
        assert!(contents(&file) == log);
    }
}

#[test]
fn a_file_written_over_in_place_is_told() {
    let dir = folder();
    let log = log(2 << 20);
    let path = put(dir.path(), "a.json", &log);
    let file = open_one(&path);
    // Cut and written again in one go, as `cp` does, to something longer than before.
    let other = [b"{\"other\":1}\n".repeat(10), log].concat();
    read_while(&file, || fs::write(&path, &other).unwrap());
    assert_eq!(file.check(), Change::Replaced);
}

#[test]
fn many_files_cut_under_their_readers_kill_nothing() {
    let dir = folder();
    let log = log(1 << 16);
    let paths: Vec<_> = (0..600).map(|n| put(dir.path(), format!("{n}"), &log)).collect();
    let set = open(&[dir.path()]);
    let mapped: Vec<_> = set.files.iter().filter(|file| file.is_mapped()).collect();
    assert!(!mapped.is_empty() && mapped.len() < paths.len());
    paths.iter().for_each(|path| truncate(path, 10));
    for file in &set.files {
        let change = file.check();
        drop(file.whole());
        assert_eq!(change, Change::Shrunk { from: log.len() as u64, to: 10 });
    }
}

#[test]
fn without_maps_a_small_file_that_shrank_gives_what_is_left_or_an_error() {
    let dir = folder();
    let log = log(1 << 19);
    let path = put(dir.path(), "a.json", &log);
    let options = OpenOptions { mmap: MmapPolicy::Never, ..OpenOptions::default() };
    let file = Arc::clone(&open_with(&[&path], &options).files[0]);
    assert!(!file.is_mapped() && contents(&file) == log);
    read_while(&file, || truncate(&path, 5_000));
    assert_eq!(file.check(), Change::Shrunk { from: log.len() as u64, to: 5_000 });
    assert!(*file.whole().unwrap() == log[..5_000]);
    assert!(file.bytes(4_000..5_001).is_err());
    assert!(*file.bytes(4_000..5_000).unwrap() == log[4_000..5_000]);
    fs::remove_file(&path).unwrap();
    assert!(file.bytes(0..1).is_err());
    put(dir.path(), "a.json", &log);
    // The file that has its name now is not the one that was opened.
    assert_eq!(file.check(), Change::Replaced);
}

#[test]
fn without_maps_a_long_file_is_read_once_and_kept() {
    let dir = folder();
    let log = log(33 << 20);
    let path = put(dir.path(), "a.json", &log);
    let options = OpenOptions { mmap: MmapPolicy::Never, ..OpenOptions::default() };
    let file = Arc::clone(&open_with(&[&path], &options).files[0]);
    assert!(*file.bytes(1_000..2_000).unwrap() == log[1_000..2_000]);
    read_while(&file, || truncate(&path, 5_000));
    assert_eq!(file.check(), Change::Shrunk { from: log.len() as u64, to: 5_000 });
    assert!(!file.is_mapped() && contents(&file) == log);
    let late = Arc::clone(&open_with(&[&path], &options).files[0]);
    assert!(contents(&late) == log[..5_000]);
}

#[test]
fn a_file_that_grows_is_followed_and_old_offsets_hold() {
    let dir = folder();
    for (first, more) in [(EVENT.repeat(3), EVENT.repeat(2)), (EVENT.repeat(50_000), EVENT.into())]
    {
        let path = put(dir.path(), "a.json", &first);
        let file = open_one(&path);
        assert_eq!(file.check(), Change::Same);
        append(&path, more.as_bytes());
        let (from, to) = (first.len() as u64, (first.len() + more.len()) as u64);
        assert_eq!(file.check(), Change::Grown { from, to });
        assert_eq!(contents(&file), first.as_bytes(), "the old one stays as it was");
        let grown = file.grown().unwrap();
        assert_eq!(contents(&grown), [first, more].concat().as_bytes());
        assert_eq!(grown.check(), Change::Same);
        truncate(&path, 10);
        assert_eq!(grown.check(), Change::Shrunk { from: to, to: 10 });
        assert!(file.grown().is_err());
    }
}

#[test]
fn an_empty_file_that_gets_its_first_lines_is_followed() {
    let dir = folder();
    let path = put(dir.path(), "a.json", "");
    let file = open_one(&path);
    assert_eq!(file.check(), Change::Same);
    append(&path, EVENT.as_bytes());
    assert_eq!(file.check(), Change::Grown { from: 0, to: EVENT.len() as u64 });
    assert_eq!(contents(&file.grown().unwrap()), EVENT.as_bytes());
}

#[test]
fn rotation_is_told_apart_from_growth() {
    let dir = folder();
    let path = put(dir.path(), "a.log", EVENT);
    let file = open_one(&path);
    fs::rename(&path, dir.path().join("a.log.1")).unwrap();
    assert_eq!(file.check(), Change::Gone);
    put(dir.path(), "a.log", EVENT.repeat(2));
    assert_eq!(file.check(), Change::Replaced);
    assert_eq!(contents(&file), EVENT.as_bytes(), "a mapped file outlives its name");
}

#[test]
fn a_log_copied_away_and_cut_is_told_even_when_it_grew_past_its_old_length() {
    let dir = folder();
    let path = put(dir.path(), "a.log", EVENT);
    let file = open_one(&path);
    truncate(&path, 0);
    append(&path, EVENT.replace("08:00:00", "09:30:00").repeat(3).as_bytes());
    assert_eq!(file.check(), Change::Replaced);
}

#[test]
fn a_compressed_file_that_changes_counts_as_replaced_and_stays_readable() {
    let dir = folder();
    let path = put(dir.path(), "a.gz", gzip(EVENT.as_bytes()));
    let file = open_one(&path);
    drop(contents(&file));
    assert_eq!(file.check(), Change::Same);
    append(&path, &gzip(EVENT.as_bytes()));
    assert_eq!(file.check(), Change::Replaced);
    assert!(file.grown().is_err());
    fs::remove_file(&path).unwrap();
    assert_eq!(file.check(), Change::Gone);
    assert_eq!(contents(&file), EVENT.as_bytes());
}
