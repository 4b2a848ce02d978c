use std::process::Command;

use super::compressed::gzip;
use super::*;

const N_PLAIN: usize = 10_000;
const N_PACKED: usize = 500;
const N_LARGE: usize = 80;

fn fill(root: &Path) {
    for hour in 0..24 {
        fs::create_dir_all(root.join(format!("h={hour}"))).unwrap();
    }
    for n in 0..N_PLAIN {
        fs::write(root.join(format!("h={}/part-{n}.txt", n % 24)), EVENT).unwrap();
    }
    let packed = gzip(EVENT.as_bytes());
    for n in 0..N_PACKED {
        fs::write(root.join(format!("h={}/packed-{n}", n % 24)), &packed).unwrap();
    }
    let large = gzip(EVENT.repeat(40_000).as_bytes());
    for n in 0..N_LARGE {
        fs::write(root.join(format!("large-{n}")), &large).unwrap();
    }
}

fn read_all(root: &Path) {
    let set = open(&[root]);
    assert_eq!((&set.refused, &set.skipped), (&Vec::new(), &Vec::new()));
    assert_eq!(set.files.len(), N_PLAIN + N_PACKED + N_LARGE);
    let total: usize = set.files.iter().map(|file| contents(file).len()).sum();
    assert_eq!(total, EVENT.len() * (N_PLAIN + N_PACKED + N_LARGE * 40_000));
    assert!(set.files.iter().all(|file| file.notes().is_empty()));
}

/// The limit is set by a shell for this test program, run again on one test.
#[test]
fn ten_thousand_files_open_with_few_descriptors() {
    if let Some(root) = std::env::var_os("ACTLOG_TEST_CROWD") {
        read_all(Path::new(&root));
        return;
    }
    let dir = folder();
    fill(dir.path());
    let shell = "ulimit -n 64 && exec \"$0\" --exact \"$1\" --nocapture";
    let status = Command::new("sh")
        .args(["-c", shell])
        .arg(std::env::current_exe().unwrap())
        .arg("files::crowds::ten_thousand_files_open_with_few_descriptors")
        .env("ACTLOG_TEST_CROWD", dir.path())
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn files_are_counted_before_they_are_read() {
    let dir = folder();
    (0..20).for_each(|n| drop(put(dir.path(), format!("{n}.json"), EVENT)));
    let progress = Progress::default();
    let mut n_found = 0;
    open_all(
        &[dir.path().into()],
        &OpenOptions::default(),
        &progress,
        &CancelToken::never(),
        &mut |_| {
            n_found += 1;
            assert_eq!(progress.files(), (0, 20));
        },
    );
    assert_eq!(n_found, 20);
}
