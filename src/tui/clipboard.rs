//! Copying through the terminal, which works over SSH where the terminal allows it.

/// Bytes that terminals take in one copy.
const MOST: usize = 74_000;

/// Returns the sequence that asks the terminal to take `text`, cut to what it can take.
pub fn sequence(text: &str) -> Vec<u8> {
    let end = text.floor_char_boundary(MOST);
    let inner = format!("\x1b]52;c;{}\x07", base64(&text.as_bytes()[..end]));
    inner.into_bytes()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |n: usize| u32::from(chunk.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            if place <= chunk.len() {
                let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
                out.push(char::from(letter));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_base64() {
        for (text, want) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(text.as_bytes()), want);
        }
    }
}
