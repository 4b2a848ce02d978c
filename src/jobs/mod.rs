//! Background work as plain functions, and what runs them.
