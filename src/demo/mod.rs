//! A generator of realistic, invented logs with a story planted in them.
