//! The memory that this process may still allocate, as the operating system reports it, and the limit that
//! determines it.
//!
//! ```text
//! machine      MemAvailable + SwapFree                                  /proc/meminfo
//! group        memory.max − (memory.current − inactive_file), of the process's control group and all above it
//! process      RLIMIT_AS − VmSize,  RLIMIT_DATA − VmData                 /proc/self/limits, /proc/self/status
//! ```
//!
//! On systems other than Linux there is no limit. A limit that the user sets ([`set_limit`]) replaces all of them. The module does not
//! allocate, so an allocator may use it.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::digits::bytes;
use crate::{Code, Coded, Failure};

/// Exit code of what the system has no memory or no threads for.
pub const NO_ROOM: u8 = 71;

/// Code: more memory is needed than is available; found before the memory is allocated.
pub const MEMORY: Code = Code("E0920");

/// Code of an allocation that fails, or would.
pub const OUT_OF_MEMORY: Code = Code("E0921");

/// What sets the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Free memory and swap of the machine.
    Machine,
    /// The control group of the process.
    Group,
    /// `ulimit -v`.
    AddressSpace,
    /// `ulimit -d`.
    Data,
    /// `--memory-limit`.
    Given,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine => "free memory and swap of the machine",
            Self::Group => "memory.max of the control group (container) of this process",
            Self::AddressSpace => "the limit of the process on address space, `ulimit -v`",
            Self::Data => "the limit of the process on data, `ulimit -d`",
            Self::Given => "--memory-limit",
        })
    }
}

/// What may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes that may be taken besides those held now.
    pub left: u64,
    /// Bytes that the process holds now.
    pub held: u64,
    /// What sets the limit.
    pub limit: Limit,
}

impl Room {
    /// All that the process may hold.
    #[must_use]
    pub fn allowed(&self) -> u64 {
        self.left.saturating_add(self.held)
    }
}

/// 0 where the user has set none.
static GIVEN: AtomicU64 = AtomicU64::new(0);

/// Sets the most that this process may hold, whatever the system says; `u64::MAX` for no limit.
pub fn set_limit(bytes: u64) {
    GIVEN.store(bytes.max(1), Ordering::Relaxed);
}

/// What may be taken now; none where nothing is known.
#[must_use]
pub fn room() -> Option<Room> {
    let mut status = Text::of("/proc/self/status");
    let status = status.read();
    let [size, data, held] = [&b"VmSize:"[..], b"VmData:", b"VmRSS:"].map(|key| kilobytes(status, key).unwrap_or(0));
    let given = GIVEN.load(Ordering::Relaxed);
    if given > 0 {
        return Some(Room { left: given.saturating_sub(held), held, limit: Limit::Given });
    }
    let mut limits = Text::of("/proc/self/limits");
    let limits = limits.read();
    let of_process = |key: &[u8], used: u64| number(after(limits, key)?).map(|most| most.saturating_sub(used));
    let mut machine = Text::of("/proc/meminfo");
    let machine = machine.read();
    let free = kilobytes(machine, b"MemAvailable:").map(|n| n + kilobytes(machine, b"SwapFree:").unwrap_or(0));
    let found = [
        (Limit::Machine, free),
        (Limit::Group, left_to_group()),
        (Limit::AddressSpace, of_process(b"Max address space", size)),
        (Limit::Data, of_process(b"Max data size", data)),
    ];
    let nearest = found.into_iter().filter_map(|(limit, left)| Some((left?, limit))).min_by_key(|(left, _)| *left);
    nearest.map(|(left, limit)| Room { left, held, limit })
}

/// Refuses what would make the process hold more than it may: `total` bytes, all that it will hold, for `what`; `help` says what would make
/// it less.
///
/// # Errors
/// [`MemoryError`].
pub fn admit(total: u64, what: &str, help: &str) -> Result<(), MemoryError> {
    admit_to(room(), total, what, help)
}

fn admit_to(room: Option<Room>, total: u64, what: &str, help: &str) -> Result<(), MemoryError> {
    match room {
        Some(room) if total > room.allowed() => Err(MemoryError {
            what: what.to_owned(),
            needed: total,
            allowed: room.allowed(),
            limit: room.limit,
            help: help.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Refuses `more` bytes besides what is held now.
///
/// # Errors
/// [`MemoryError`].
pub fn admit_more(more: u64, what: &str, help: &str) -> Result<(), MemoryError> {
    let room = room();
    admit_to(room, room.map_or(0, |r| r.held).saturating_add(more), what, help)
}

/// Something that needs more memory than may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryError {
    /// What needs it.
    pub what: String,
    /// Bytes in all.
    pub needed: u64,
    /// Bytes that may be held.
    pub allowed: u64,
    /// By what.
    pub limit: Limit,
    /// What would help.
    pub help: String,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, needed, allowed, limit, help } = self;
        write!(
            f,
            "{what} needs about {} of memory, but only {} is available ({limit}).\n{help}; `--memory-limit SIZE` \
             sets another limit",
            bytes(*needed),
            bytes(*allowed)
        )
    }
}

impl std::error::Error for MemoryError {}

impl Coded for MemoryError {
    fn code(&self) -> Code {
        MEMORY
    }
}

impl Failure for MemoryError {
    fn exit_code(&self) -> u8 {
        NO_ROOM
    }
}

/// The beginning of a short file of the system, on the stack.
struct Text<'a> {
    path: &'a str,
    buffer: [u8; 8192],
}

impl<'a> Text<'a> {
    fn of(path: &'a str) -> Self {
        Self { path, buffer: [0; 8192] }
    }

    /// Empty where it cannot be read.
    fn read(&mut self) -> &[u8] {
        let Ok(mut file) = File::open(self.path) else { return &[] };
        let mut n = 0;
        while n < self.buffer.len() {
            match file.read(&mut self.buffer[n..]) {
                Ok(0) => break,
                Ok(more) => n += more,
                Err(_) => return &[],
            }
        }
        &self.buffer[..n]
    }
}

/// What follows a word that begins a line, on that line.
fn after<'t>(text: &'t [u8], key: &[u8]) -> Option<&'t [u8]> {
    text.split(|b| *b == b'\n').find_map(|line| line.strip_prefix(key))
}

/// The first word as a number of bytes; none for `unlimited`, `max` and the like.
fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.split_ascii_whitespace().next()?.parse().ok()
}

fn kilobytes(text: &[u8], key: &[u8]) -> Option<u64> {
    after(text, key).and_then(number).map(|n| n.saturating_mul(1024))
}

/// What the control group leaves (version 2): the least of the group of the process and all above it.
fn left_to_group() -> Option<u64> {
    let mut groups = Text::of("/proc/self/cgroup");
    let own = std::str::from_utf8(after(groups.read(), b"0::")?).ok()?.trim_end();
    let mut least: Option<u64> = None;
    let mut group = own.trim_end_matches('/');
    loop {
        if let Some(left) = left_to(group) {
            least = Some(least.map_or(left, |l| l.min(left)));
        }
        let Some(end) = group.rfind('/') else { return least };
        group = &group[..end];
    }
}

fn left_to(group: &str) -> Option<u64> {
    let mut name = StackPath::default();
    let mut value = |file: &str, key: &[u8]| {
        let mut text = Text::of(name.join(group, file)?);
        number(after(text.read(), key)?)
    };
    let (most, current) = (value("memory.max", b"")?, value("memory.current", b"")?);
    let reclaimable = value("memory.stat", b"inactive_file ").unwrap_or(0);
    Some(most.saturating_sub(current.saturating_sub(reclaimable)))
}

/// A path on the stack.
struct StackPath([u8; 512]);

impl Default for StackPath {
    fn default() -> Self {
        Self([0; 512])
    }
}

impl StackPath {
    fn join(&mut self, group: &str, file: &str) -> Option<&str> {
        let mut n = 0;
        for part in ["/sys/fs/cgroup", group, "/", file] {
            self.0.get_mut(n..n + part.len())?.copy_from_slice(part.as_bytes());
            n += part.len();
        }
        std::str::from_utf8(&self.0[..n]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_system() {
        let limits = b"Limit                     Soft Limit           Hard Limit           Units\n\
            Max data size             unlimited            unlimited            bytes\n\
            Max address space         4096000000           unlimited            bytes\n";
        assert_eq!(after(limits, b"Max address space").and_then(number), Some(4_096_000_000));
        assert_eq!(after(limits, b"Max data size").and_then(number), None);
        assert_eq!(kilobytes(b"MemTotal: 9 kB\nMemAvailable:   12 kB\n", b"MemAvailable:"), Some(12 * 1024));
        assert_eq!(after(b"0::/a/b\n", b"0::"), Some(&b"/a/b"[..]));
    }

    #[test]
    fn names_are_joined_and_never_too_long() {
        let mut name = StackPath::default();
        assert_eq!(name.join("/a", "memory.max"), Some("/sys/fs/cgroup/a/memory.max"));
        assert_eq!(name.join("", "memory.max"), Some("/sys/fs/cgroup/memory.max"));
        assert_eq!(name.join(&"x".repeat(600), "memory.max"), None);
    }

    #[test]
    fn what_exceeds_is_refused_with_the_numbers() {
        let room = Room { left: 900, held: 100, limit: Limit::AddressSpace };
        assert!(admit_to(Some(room), 1000, "a run", "make it smaller").is_ok());
        assert!(admit_to(None, u64::MAX, "a run", "").is_ok());
        let e = admit_to(Some(room), 2_400_000_000_000, "a run", "Make it smaller").unwrap_err();
        assert_eq!((e.code().as_str(), e.exit_code(), e.allowed), ("E0920", 71, 1000));
        let text = e.to_string();
        assert!(
            text.starts_with(
                "a run needs about 2.40 TB of memory, but only 1000 B is available (the limit of the process"
            ),
            "{text}"
        );
        assert!(text.contains("Make it smaller; `--memory-limit SIZE`"), "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_some_room() {
        let room = room().expect("Linux tells");
        assert!(room.held > 0 && room.left > 0, "{room:?}");
    }
}
