//! The filter language, from text to matches.
