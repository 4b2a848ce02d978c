//! Typed numbers, so that an event is never mistaken for a row or a file.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $int:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $int);

        impl $name {
            /// Returns the number as an index into a table.
            pub const fn at(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// One row of the index: an event or a bad record. Dense, in file and byte order.
    EventId, u32
}
id! {
    /// An event type's name in the index's table of names; see [`TypeId::BAD`].
    TypeId, u16
}
id! {
    /// An actor in the index's table of actors; see [`ActorId::NONE`].
    ActorId, u32
}
id! {
    /// An outcome in the index's table of outcomes; see [`OutcomeId::MISSING`].
    OutcomeId, u8
}
id! {
    /// A file of the [`SourceSet`](crate::source::SourceSet), in the order they were opened.
    FileId, u32
}
id! {
    /// The version of a piece of background work: a higher one makes lower ones stale.
    Generation, u64
}

impl TypeId {
    /// A record that could not be read.
    pub const BAD: Self = Self(0);
    /// An event whose type is named nowhere.
    pub const UNKNOWN: Self = Self(1);
}

impl ActorId {
    /// An event that names nobody.
    pub const NONE: Self = Self(0);
}

impl OutcomeId {
    /// The event has no `eventOutcome`.
    pub const MISSING: Self = Self(0);
    /// The event has `"eventOutcome":null`.
    pub const NULL: Self = Self(1);
}
