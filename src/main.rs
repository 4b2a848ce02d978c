//! The `actlog` program.

fn main() {}
