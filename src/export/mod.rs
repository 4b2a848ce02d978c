//! Matches to bytes.
