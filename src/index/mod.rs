//! An immutable snapshot of what was read: segments of columns, and interned names.
