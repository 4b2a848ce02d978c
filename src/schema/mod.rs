//! The data asset: what an event of each type may contain, and what it means.
