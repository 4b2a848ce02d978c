//! Bytes from disk: files found, opened, mapped, watched. The only `unsafe`.
