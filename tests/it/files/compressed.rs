use std::io::Write;

use flate2::Compression;

use super::*;

/// Packs bytes as one member (frame, stream) of a format.
type Pack = fn(&[u8]) -> Vec<u8>;

const FORMATS: &[(&str, Pack)] = &[("gzip", gzip), ("zstd", zstd), ("bzip2", bzip2), ("xz", xz)];

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a log whose lines differ, of about this many bytes.
pub(super) fn log(n_bytes: usize) -> Vec<u8> {
    let mut log = Vec::with_capacity(n_bytes + 100);
    let mut n: u64 = 1;
    while log.len() < n_bytes {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        writeln!(log, "{{\"eventType\":\"hist_login\",\"n\":{n},\"m\":{}}}", n >> 33).unwrap();
    }
    log
}

#[test]
fn each_format_is_told_by_content_and_read_whole() {
    let dir = folder();
    for (name, pack) in FORMATS {
        // One that stays in the shared spool and one that gets its own.
        for (suffix, log) in [("small", log(3_000)), ("large", log(3 << 20))] {
            let file = open_one(&put(dir.path(), format!("{name}-{suffix}.txt"), pack(&log)));
            assert!(contents(&file) == log, "{name} {suffix}");
            assert_eq!(notes(&file), [""; 0], "{name} {suffix}");
        }
    }
}

#[test]
fn all_members_are_read() {
    let dir = folder();
    for (name, pack) in FORMATS {
        let (one, two) = (log(2_000), log(70_000));
        let packed = [pack(&one), pack(b""), pack(&two)].concat();
        let file = open_one(&put(dir.path(), format!("{name}.gz"), packed));
        assert!(contents(&file) == [one, two].concat(), "{name}");
        assert_eq!(notes(&file), [""; 0], "{name}");
    }
}

#[test]
fn a_torn_file_gives_what_was_decoded_and_says_where_it_ends() {
    let dir = folder();
    for (name, pack) in FORMATS {
        let (one, two) = (log(2_000), log(600_000));
        let first = pack(&one);
        let packed = [first.clone(), pack(&two)].concat();
        let whole = [one.clone(), two].concat();
        for cut in [first.len() + 9, first.len() + 40, packed.len() / 2, packed.len() - 3] {
            let path = put(dir.path(), format!("{name}-{cut}"), &packed[..cut]);
            let file = open_one(&path);
            let found = contents(&file);
            assert!(one.len() <= found.len() && whole.starts_with(&found), "{name} {cut}");
            let expected = format!("archive ends early at byte {cut}");
            assert_eq!(notes(&file), [expected], "{name} {cut} of {}", packed.len());
        }
    }
}

#[test]
fn a_torn_gzip_gives_nearly_all_that_is_there() {
    let dir = folder();
    let whole = log(1_000_000);
    let packed = gzip(&whole);
    let file = open_one(&put(dir.path(), "torn", &packed[..packed.len() / 2]));
    let found = contents(&file).len();
    assert!(whole.len() * 4 / 10 < found && found < whole.len() * 6 / 10, "{found}");
}

#[test]
fn junk_after_the_end_is_told_and_padding_is_not() {
    let dir = folder();
    for (name, pack) in FORMATS {
        let log = log(5_000);
        let packed = pack(&log);
        let junk = [packed.as_slice(), b"trailing junk"].concat();
        let file = open_one(&put(dir.path(), format!("{name}-junk"), junk));
        assert!(contents(&file) == log, "{name}");
        let end = packed.len();
        let expected =
            format!("what follows the {name} data at byte {end} is not {name}; it was ignored");
        assert_eq!(notes(&file), [expected]);
        let padded = [packed.as_slice(), &[0; 512]].concat();
        let file = open_one(&put(dir.path(), format!("{name}-padded"), padded));
        assert!(contents(&file) == log, "{name}");
        assert_eq!(notes(&file), [""; 0], "{name}");
    }
}

#[test]
fn damage_in_the_middle_costs_what_follows_and_never_a_panic() {
    let dir = folder();
    for (name, pack) in FORMATS {
        let log = log(400_000);
        let packed = pack(&log);
        for at in (12..packed.len()).step_by(packed.len() / 23) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            let file = open_one(&put(dir.path(), format!("{name}-{at}"), damaged));
            let found = contents(&file);
            assert!(found == log || !file.notes().is_empty(), "{name} {at}: silent loss");
        }
    }
}

#[test]
fn a_bomb_is_stopped_at_the_limit_and_says_so() {
    let dir = folder();
    let options = OpenOptions { decode_limit: 3 << 20, ..OpenOptions::default() };
    for (name, pack) in FORMATS {
        let packed = pack(&vec![b' '; 40 << 20]);
        let path = put(dir.path(), *name, packed);
        let set = open_with(&[&path], &options);
        let file = &set.files[0];
        assert!(contents(file).len() <= 3 << 20, "{name}");
        assert_eq!(notes(file), ["decompression stopped at 3.0 MiB, the limit"], "{name}");
    }
}

#[test]
fn a_suffix_alone_makes_nothing_compressed() {
    let dir = folder();
    let file = open_one(&put(dir.path(), "not.gz", EVENT));
    assert_eq!(contents(&file), EVENT.as_bytes());
    assert!(!file.is_decoded());
}

#[test]
fn compressed_twice_is_undone_twice() {
    let dir = folder();
    let file = open_one(&put(dir.path(), "a.gz.xz", xz(&gzip(EVENT.as_bytes()))));
    assert_eq!(contents(&file), EVENT.as_bytes());
}

#[test]
fn utf16_is_converted_and_says_so() {
    let dir = folder();
    let text = format!("\u{feff}{}", EVENT.replace("hist_login", "é☃𝄞"));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let expected = text.trim_start_matches('\u{feff}').as_bytes();
    for (name, bytes, note) in [
        ("le.txt", &little, "converted from UTF-16LE"),
        ("be.txt", &big, "converted from UTF-16BE"),
        ("bare.txt", &little[2..].to_vec(), "converted from UTF-16LE"),
        ("le.gz", &gzip(&little), "converted from UTF-16LE"),
    ] {
        let file = open_one(&put(dir.path(), name, bytes));
        assert_eq!(contents(&file), expected, "{name}");
        assert_eq!(notes(&file), [note], "{name}");
    }
}

#[test]
fn a_byte_order_mark_of_utf8_is_left_to_the_reader_of_records() {
    let dir = folder();
    let text = format!("\u{feff}{EVENT}");
    assert_eq!(contents(&open_one(&put(dir.path(), "bom", &text))), text.as_bytes());
}

#[test]
fn bytes_can_be_read_while_more_come() {
    let dir = folder();
    let log = log(20 << 20);
    let file = open_one(&put(dir.path(), "a.gz", gzip(&log)));
    let (mut seen, mut n_steps) = (0, 0);
    loop {
        let avail = file.wait(seen, &CancelToken::never()).unwrap();
        let part = file.bytes(seen..avail.len).unwrap();
        assert!(log[usize::try_from(seen).unwrap()..].starts_with(&part));
        n_steps += 1;
        seen = avail.len;
        if avail.complete {
            break;
        }
    }
    assert_eq!(seen, log.len() as u64);
    assert!(n_steps > 1, "the first bytes came before the last");
}
