//! The shell around the explorer: terminal, input thread, loop.
