//! What a file is, told by its first bytes; names and suffixes are not asked.

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Text, or nothing that is known: read it as it is.
    Plain,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Tar,
    Zip,
    Utf16Le,
    Utf16Be,
    /// A known kind of file that holds no log; the kind's name.
    Foreign(&'static str),
    /// Bytes that no text has, of no known kind.
    Binary,
}

/// (magic bytes at the start, what it is), of files that cannot be a log.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"PAR1", "a Parquet file"),
    (b"PAE1", "an encrypted Parquet file"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC", "an ORC file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"%PDF-", "a PDF document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive, which is not supported"),
    (b"Rar!\x1a\x07", "a RAR archive, which is not supported"),
    (b"\x04\x22\x4d\x18", "compressed with LZ4, which is not supported"),
    (b"\xff\x06\0\0sNaPpY", "compressed with Snappy, which is not supported"),
    (b"\x1f\x9d", "compressed with compress, which is not supported"),
    (b"LZIP", "compressed with lzip, which is not supported"),
    (b"\0\0\0\x01Bud1", "a folder's view settings"),
];

const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Returns what `head`, the first bytes of a file (up to 512 are used), shows it to be.
pub(super) fn shape(head: &[u8]) -> Shape {
    let is_bzip2 = head.starts_with(b"BZh")
        && head.get(3).is_some_and(|level| (b'1'..=b'9').contains(level))
        && matches!(
            head.get(4..10),
            Some(b"\x31\x41\x59\x26\x53\x59" | b"\x17\x72\x45\x38\x50\x90")
        );
    if head.starts_with(&[0x1f, 0x8b, 8]) {
        Shape::Gzip
    } else if head.starts_with(&ZSTD) || is_skippable_frame(head) {
        Shape::Zstd
    } else if is_bzip2 {
        Shape::Bzip2
    } else if head.starts_with(b"\xfd7zXZ\0") {
        Shape::Xz
    } else if [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"].iter().any(|m| head.starts_with(*m)) {
        Shape::Zip
    } else if head.get(257..262) == Some(b"ustar") {
        Shape::Tar
    } else if let Some((_, kind)) = FOREIGN.iter().find(|(magic, _)| head.starts_with(magic)) {
        Shape::Foreign(kind)
    } else {
        text_shape(head)
    }
}

/// Returns whether a frame starts here that a zstd decoder must step over.
pub(super) fn is_skippable_frame(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn text_shape(head: &[u8]) -> Shape {
    if head.starts_with(b"\xff\xfe") {
        return Shape::Utf16Le;
    }
    if head.starts_with(b"\xfe\xff") {
        return Shape::Utf16Be;
    }
    let pairs = head.chunks_exact(2).take(32);
    let n_pairs = pairs.len();
    let n_low = pairs.clone().filter(|pair| is_ascii_text(pair[0]) && pair[1] == 0).count();
    let n_high = pairs.filter(|pair| pair[0] == 0 && is_ascii_text(pair[1])).count();
    // Without a mark, most of the text must be ASCII; some of it need not.
    if n_pairs >= 4 && n_pairs * 3 <= n_low * 4 && head[1] == 0 {
        return Shape::Utf16Le;
    }
    if n_pairs >= 4 && n_pairs * 3 <= n_high * 4 && head[0] == 0 {
        return Shape::Utf16Be;
    }
    let n_odd = head.iter().filter(|&&byte| byte < 0x20 && !is_ascii_text(byte)).count();
    // A log with a hole of zeros, or with raw escapes, still has a bracket somewhere near.
    let has_bracket = head.iter().any(|byte| matches!(byte, b'{' | b'['));
    if n_odd * 10 > head.len() && !has_bracket && !is_hole(head) {
        Shape::Binary
    } else {
        Shape::Plain
    }
}

/// A file that begins with nothing but zeros may go on with text: a hole left by a crash.
fn is_hole(head: &[u8]) -> bool {
    head.iter().all(|&byte| byte == 0)
}

const fn is_ascii_text(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_by_content() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let cases: &[(&[u8], Shape)] = &[
            (b"", Shape::Plain),
            (b"{\"eventType\":\"x\"}\n", Shape::Plain),
            (b"\xef\xbb\xbf{}", Shape::Plain),
            (b"\x1f\x8b\x08\x00", Shape::Gzip),
            (b"\x1f\x8b is not all of {", Shape::Plain),
            (b"\x28\xb5\x2f\xfd\x00", Shape::Zstd),
            (b"\x5a\x2a\x4d\x18\x00", Shape::Zstd),
            (b"BZh91AY&SY", Shape::Bzip2),
            (b"BZhello world", Shape::Plain),
            (b"\xfd7zXZ\0\0", Shape::Xz),
            (b"PK\x03\x04....", Shape::Zip),
            (&tar, Shape::Tar),
            (b"\xff\xfe{\0", Shape::Utf16Le),
            (b"\xfe\xff\0{", Shape::Utf16Be),
            (b"{\0\"\0a\0\"\0:\0", Shape::Utf16Le),
            (b"\0{\0\"\0a\0\"\0:", Shape::Utf16Be),
            (b"PAR1\x15\x04", Shape::Foreign("a Parquet file")),
            (&[0; 512], Shape::Plain),
            (b"\x01\x02\x03\x04abc\x05\x06", Shape::Binary),
            (b"{\"a\":\"\x1b[31m\x1b[0m\"}", Shape::Plain),
        ];
        for (head, expected) in cases {
            assert_eq!(shape(head), *expected, "{:?}", String::from_utf8_lossy(head));
        }
    }
}
