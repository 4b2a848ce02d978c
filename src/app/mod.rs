//! The model and every decision; no terminal, no threads, no files.
