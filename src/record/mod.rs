//! One record: framing, head, flattened rows, or why it is bad.
