//! Files with lists of values, which filters name as `@file`.

use std::io::Read as _;

/// The longest file read as a list, in bytes.
const LONGEST: u64 = 16 << 20;

/// Reads a list. What is no ordinary file is not opened, as it might never end.
///
/// # Errors
/// Tells in words why the file cannot be read.
pub fn read(path: &str) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("not an ordinary file".to_owned());
    }
    if LONGEST < about.len() {
        return Err("longer than 16 MiB".to_owned());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_no_list() {
        assert_eq!(read("."), Err("not an ordinary file".to_owned()));
        assert!(read("./no-such-list").is_err());
    }
}
