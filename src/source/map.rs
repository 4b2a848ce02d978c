//! Mapped files that stay readable when the file under them shrinks. The only `unsafe` of the program.
//!
//! # Contract
//!
//! A map is a view of a file that anybody may change. Two things follow, and both are dealt with here.
//!
//! **The bytes may change while they are read.** Callers treat them as hostile input anyway: nothing
//! they compute from mapped bytes is trusted for memory safety, and `&[u8]` carries no invariant that
//! a changed byte could break. Text is decoded lossily or checked on an owned copy. The spools of
//! [`spool`](super::spool) are private to the program and are only read below a length published
//! after the write, so their bytes never change.
//!
//! **The file may become shorter than the map.** Reading past its new end raises `SIGBUS`, which
//! kills a process that has no answer. The answer, installed before the first map is made:
//!
//! 1. Each map is entered in a registry that a signal handler can read without locks or allocation.
//! 2. On `SIGBUS` with an address inside a registered map the handler maps a page of zeros over the
//!    page that failed (after [`SINGLE_PAGES`] of them, over all that follows in that map), notes the
//!    lowest such offset in the registry, and returns; the reader goes on and sees zeros.
//! 3. Readers ask [`Map::damage`] before they trust what they read: `SourceFile::check` reports
//!    `Shrunk`, and the index is rebuilt for what is left.
//! 4. Any other `SIGBUS` is not ours: the action that was there before is restored and the signal
//!    strikes again, so real faults still kill and the runtime still reports stack overflows.
//!
//! The handler calls only `mmap`, `sigaction`, `raise` and `sysconf`-free arithmetic, reads and writes
//! atomics, and saves `errno`. A map leaves the registry before it is unmapped, and a slice of a map
//! borrows it, so the entry for an address that a live reader touches cannot go away under the handler.
#![allow(unsafe_code, reason = "mapping files and surviving SIGBUS need it; the contract is above")]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// Single pages replaced in one map before the handler replaces all the rest at once.
///
/// A disk error in one page must not hide the rest of the file; a file cut to nothing must not cost
/// one signal a page, nor run into the limit on the number of mappings of a process.
pub(super) const SINGLE_PAGES: u32 = 16;

/// A mapped file that survives being truncated.
#[derive(Debug)]
pub(super) struct Map {
    map: Mmap,
    entry: registry::Entry,
}

impl Map {
    /// Maps the first `len` bytes of `file`, which must be a regular file at least that long.
    ///
    /// # Errors
    /// When the system refuses (no memory, too many maps, a file system that cannot map), or `len`
    /// is 0 or more than the address space holds.
    pub(super) fn new(file: &File, len: u64) -> io::Result<Self> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::OutOfMemory)?;
        if len == 0 {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        registry::install_guard();
        // SAFETY: see the contract at the top: the bytes are treated as hostile and changing, and
        // reads past the end of a file that shrank are answered by the guard installed above.
        let map = unsafe { MmapOptions::new().len(len).map(file)? };
        let entry = registry::Entry::new(map.as_ptr() as usize, len);
        Ok(Self { map, entry })
    }

    /// Returns the mapped bytes. What lies past [`Map::damage`] may have been replaced by zeros.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Returns the lowest offset at which a page could not be read, if there was one.
    pub(super) fn damage(&self) -> Option<u64> {
        self.entry.damage()
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        self.entry.leave();
    }
}

/// Flags for opening a path that may not be what it was when we looked: never wait, never adopt a
/// terminal.
#[cfg(unix)]
pub(super) const OPEN_FLAGS: i32 = libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;

/// Makes reads of `file`, opened with [`OPEN_FLAGS`], wait for data again.
///
/// # Errors
/// When the system refuses to change the flags of the descriptor.
#[cfg(unix)]
pub(super) fn make_blocking(file: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let fd = file.as_raw_fd();
    // SAFETY: `fd` is open, as `file` is borrowed; F_GETFL and F_SETFL touch no memory of ours.
    let changed = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        flags >= 0 && libc::fcntl(fd, libc::F_SETFL, flags & !libc::O_NONBLOCK) >= 0
    };
    if changed { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Returns the longest file the process may write, where the system sets such a limit.
#[cfg(unix)]
pub(super) fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is a valid place for the answer for the length of the call.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) } == 0;
    if known { limit.rlim_cur } else { u64::MAX }
}

/// Returns the bytes that may still be written to the file system of `file`, if it tells.
#[cfg(unix)]
pub(super) fn free_space(file: &File) -> Option<u64> {
    use std::os::fd::AsRawFd;
    let mut about = std::mem::MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the descriptor is open and `about` is a valid place for the answer; it is read only
    // when the call says that it was filled.
    let about = unsafe {
        if libc::fstatvfs(file.as_raw_fd(), about.as_mut_ptr()) != 0 {
            return None;
        }
        about.assume_init()
    };
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        reason = "the widths of these fields differ between systems"
    )]
    Some((about.f_bavail as u64).saturating_mul(about.f_frsize as u64))
}

#[cfg(not(unix))]
pub(super) use elsewhere::{file_size_limit, free_space, make_blocking};

#[cfg(not(unix))]
mod elsewhere {
    pub(in crate::source) fn file_size_limit() -> u64 {
        u64::MAX
    }

    pub(in crate::source) fn make_blocking(_: &std::fs::File) -> std::io::Result<()> {
        Ok(())
    }

    pub(in crate::source) fn free_space(_: &std::fs::File) -> Option<u64> {
        None
    }
}

/// The maps of the process, readable from a signal handler.
mod registry {
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

    /// No page has failed.
    const WHOLE: usize = usize::MAX;
    /// Slots in a block; a block is a few pages.
    const BLOCK: usize = 256;

    /// One registered map. Free when `start` is 0.
    struct Slot {
        start: AtomicUsize,
        len: AtomicUsize,
        damage: AtomicUsize,
        faults: AtomicU32,
    }

    /// Slots are never given back, so that the handler can walk them without locks.
    struct Block {
        slots: [Slot; BLOCK],
        next: AtomicPtr<Self>,
    }

    impl Block {
        const fn new() -> Self {
            Self { slots: [const { Slot::free() }; BLOCK], next: AtomicPtr::new(null_mut()) }
        }
    }

    /// A signal handler can only reach what is static.
    static FIRST: Block = Block::new();
    /// Where a search for a free slot begins: the block that had one last.
    static RECENT: AtomicPtr<Block> = AtomicPtr::new(null_mut());

    /// The place of one map in the registry.
    pub(super) struct Entry(&'static Slot);

    impl std::fmt::Debug for Entry {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.debug_tuple("Entry").field(&self.damage()).finish()
        }
    }

    impl Entry {
        /// Enters the map of `len` bytes at `start`, which is not 0.
        pub(super) fn new(start: usize, len: usize) -> Self {
            let recent = RECENT.load(Ordering::Acquire);
            // SAFETY: blocks in RECENT and `next` are leaked boxes, valid for ever.
            let mut block = unsafe { recent.as_ref() }.unwrap_or(&FIRST);
            loop {
                if let Some(slot) = block.slots.iter().find(|slot| slot.claim()) {
                    slot.damage.store(WHOLE, Ordering::Relaxed);
                    slot.faults.store(0, Ordering::Relaxed);
                    slot.len.store(len, Ordering::Release);
                    slot.start.store(start, Ordering::Release);
                    RECENT.store(std::ptr::from_ref(block).cast_mut(), Ordering::Release);
                    return Self(slot);
                }
                block = block.following();
            }
        }

        pub(super) fn damage(&self) -> Option<u64> {
            let offset = self.0.damage.load(Ordering::Acquire);
            (offset != WHOLE).then_some(offset as u64)
        }

        /// Frees the place; the map must not be read after this.
        pub(super) fn leave(&self) {
            self.0.start.store(0, Ordering::Release);
        }
    }

    impl Slot {
        const fn free() -> Self {
            Self {
                start: AtomicUsize::new(0),
                len: AtomicUsize::new(0),
                damage: AtomicUsize::new(WHOLE),
                faults: AtomicU32::new(0),
            }
        }

        /// Takes a free slot. An odd start marks it as being filled: no map starts at 1.
        fn claim(&self) -> bool {
            self.start.load(Ordering::Relaxed) == 0
                && self.start.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        }

        /// Returns (start, length) when `address` lies inside this map.
        fn holds(&self, address: usize) -> Option<(usize, usize)> {
            let start = self.start.load(Ordering::Acquire);
            let len = self.len.load(Ordering::Acquire);
            let inside = start > 1 && address >= start && address - start < len;
            // A slot that changed in between belongs to some other map than the one that failed.
            (inside && self.start.load(Ordering::Acquire) == start).then_some((start, len))
        }
    }

    impl Block {
        /// Returns the next block, making one at the end of the list.
        fn following(&self) -> &'static Self {
            let next = self.next.load(Ordering::Acquire);
            // SAFETY: as in `Entry::new`.
            if let Some(next) = unsafe { next.as_ref() } {
                return next;
            }
            let fresh = Box::into_raw(Box::new(Self::new()));
            let end = null_mut();
            match self.next.compare_exchange(end, fresh, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: `fresh` came from a box and is never freed from here on.
                Ok(_) => unsafe { &*fresh },
                Err(other) => {
                    // SAFETY: nobody else has seen `fresh`; `other` is a leaked box as above.
                    unsafe {
                        drop(Box::from_raw(fresh));
                        &*other
                    }
                }
            }
        }
    }

    #[cfg(not(unix))]
    pub(super) fn install_guard() {}

    #[cfg(unix)]
    pub(super) use guard::install_guard;

    #[cfg(unix)]
    mod guard {
        use std::ptr::null_mut;
        use std::sync::Once;
        use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

        use super::super::SINGLE_PAGES;
        use super::{Block, FIRST, Slot};

        static ONCE: Once = Once::new();
        /// What `SIGBUS` did before us; a leaked box.
        static PREVIOUS: AtomicPtr<libc::sigaction> = AtomicPtr::new(null_mut());
        static PAGE: AtomicUsize = AtomicUsize::new(4096);

        /// Installs the handler the first time it is called.
        pub(in super::super) fn install_guard() {
            ONCE.call_once(|| {
                // SAFETY: the structures are plain data that are valid when zeroed, and the handler
                // has the signature that SA_SIGINFO asks for. PREVIOUS is set before the handler
                // can run on behalf of any map of ours.
                unsafe {
                    if let Ok(page @ 1..) = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)) {
                        PAGE.store(page, Ordering::Release);
                    }
                    let mut before: libc::sigaction = std::mem::zeroed();
                    if libc::sigaction(libc::SIGBUS, std::ptr::null(), &raw mut before) != 0 {
                        return;
                    }
                    PREVIOUS.store(Box::into_raw(Box::new(before)), Ordering::Release);
                    let mut ours: libc::sigaction = std::mem::zeroed();
                    ours.sa_sigaction = on_bus_error as *const () as libc::sighandler_t;
                    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
                    libc::sigemptyset(&raw mut ours.sa_mask);
                    libc::sigaction(libc::SIGBUS, &raw const ours, null_mut());
                }
            });
        }

        /// Answers `SIGBUS`; see the contract of the module.
        extern "C" fn on_bus_error(
            signal: libc::c_int,
            info: *mut libc::siginfo_t,
            _context: *mut libc::c_void,
        ) {
            // SAFETY: the system passes a valid `info`; `si_addr` is set for faults (si_code > 0),
            // and errno is the calling thread's own.
            let (address, sent) = unsafe { ((*info).si_addr() as usize, (*info).si_code <= 0) };
            if !sent && repair(address) {
                return;
            }
            let previous = PREVIOUS.load(Ordering::Acquire);
            // SAFETY: PREVIOUS holds a leaked box or null; sigaction and raise may be called from a
            // handler. The failed instruction runs again after this and meets the old action.
            unsafe {
                if previous.is_null() {
                    libc::signal(signal, libc::SIG_DFL);
                } else {
                    libc::sigaction(signal, previous, null_mut());
                }
                if sent {
                    libc::raise(signal);
                }
            }
        }

        /// Puts zeros where `address` is, if that is in a map of ours; returns whether it was.
        fn repair(address: usize) -> bool {
            let mut block: &Block = &FIRST;
            loop {
                for slot in &block.slots {
                    if let Some((start, len)) = slot.holds(address) {
                        return cover(slot, start, len, address);
                    }
                }
                let next = block.next.load(Ordering::Acquire);
                // SAFETY: `next` is null or a leaked box.
                match unsafe { next.as_ref() } {
                    Some(next) => block = next,
                    None => return false,
                }
            }
        }

        fn cover(slot: &Slot, start: usize, len: usize, address: usize) -> bool {
            let size = PAGE.load(Ordering::Acquire);
            let page = address & !(size - 1);
            let rest = (start + len).next_multiple_of(size) - page;
            slot.damage.fetch_min(page - start, Ordering::AcqRel);
            let faults = slot.faults.fetch_add(1, Ordering::AcqRel);
            (faults < SINGLE_PAGES && map_zeros(page, size)) || map_zeros(page, rest)
        }

        fn map_zeros(at: usize, len: usize) -> bool {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED;
            // SAFETY: the range lies inside a registered map, page-aligned at both ends, so only
            // pages of that map are replaced, by pages that may be read like it; the map is
            // unmapped as a whole later, whatever its pages are. errno is put back as it was.
            unsafe {
                let errno = errno_place();
                let before = *errno;
                let place = at as *mut libc::c_void;
                let mapped = libc::mmap(place, len, libc::PROT_READ, flags, -1, 0);
                *errno = before;
                mapped == place
            }
        }

        /// Returns where this thread's errno is kept.
        unsafe fn errno_place() -> *mut libc::c_int {
            #[cfg(any(target_os = "linux", target_os = "emscripten"))]
            // SAFETY: always valid for the calling thread.
            return unsafe { libc::__errno_location() };
            #[cfg(target_os = "android")]
            // SAFETY: always valid for the calling thread.
            return unsafe { libc::__errno() };
            #[cfg(not(any(
                target_os = "linux",
                target_os = "emscripten",
                target_os = "android"
            )))]
            // SAFETY: always valid for the calling thread.
            return unsafe { libc::__error() };
        }
    }
}
