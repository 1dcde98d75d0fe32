//! A request to stop, passed from the command to every long loop.
//!
//! A loop checks [`is_raised`](Interrupt::is_raised) regularly and ends with [`Interrupted`] if it is raised. Unfinished work is discarded as a
//! whole; only results that were accepted before are kept. An interrupt is never reset, so a caller can check after a loop whether it was
//! interrupted. It is not part of a model or of stored options: it cannot change a result.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::{Code, Coded, Failure};

/// A request to stop; cheap to clone, all clones are one. The default is never raised.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    Never,
    Flag(Arc<AtomicBool>),
    Countdown(Arc<Countdown>),
}

#[derive(Debug)]
struct Countdown {
    looks: AtomicUsize,
    raised_from: usize,
}

impl Interrupt {
    /// An interrupt that is never raised.
    #[must_use]
    pub const fn never() -> Self {
        Self(Source::Never)
    }

    /// One that [`raise`](Self::raise) raises, from any thread.
    #[must_use]
    pub fn new() -> Self {
        Self(Source::Flag(Arc::default()))
    }

    /// An interrupt that is raised from check number `looks` (from 0) on. A test can so choose where in a loop the request comes, and count
    /// the work after it, without a clock.
    #[must_use]
    pub fn at_look(looks: usize) -> Self {
        Self(Source::Countdown(Arc::new(Countdown { looks: AtomicUsize::new(0), raised_from: looks })))
    }

    /// Raises this interrupt and all its clones; true if it was raised before.
    pub fn raise(&self) -> bool {
        match &self.0 {
            Source::Never => false,
            Source::Flag(flag) => flag.swap(true, Ordering::Relaxed),
            Source::Countdown(c) => c.looks.swap(c.raised_from.max(1), Ordering::Relaxed) >= c.raised_from,
        }
    }

    /// Is it time to stop?
    #[must_use]
    #[inline]
    pub fn is_raised(&self) -> bool {
        match &self.0 {
            Source::Never => false,
            Source::Flag(flag) => flag.load(Ordering::Relaxed),
            Source::Countdown(c) => c.looks.fetch_add(1, Ordering::Relaxed) >= c.raised_from,
        }
    }

    /// An error if it is time to stop.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.is_raised() { Err(Interrupted) } else { Ok(()) }
    }

    /// How often was it looked at? Known of those made by [`at_look`](Self::at_look) only.
    #[must_use]
    pub fn looks(&self) -> usize {
        match &self.0 {
            Source::Never | Source::Flag(_) => 0,
            Source::Countdown(c) => c.looks.load(Ordering::Relaxed),
        }
    }
}

/// The command was interrupted before it had a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted before there was a result; nothing was written")
    }
}

impl std::error::Error for Interrupted {}

impl Coded for Interrupted {
    fn code(&self) -> Code {
        Code("E0720")
    }
}

impl Failure for Interrupted {
    fn exit_code(&self) -> u8 {
        130
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_clones_are_one_and_it_stays_raised() {
        let one = Interrupt::new();
        let other = one.clone();
        assert!(!one.is_raised() && one.check().is_ok());
        assert!(!other.raise() && other.raise(), "the second time says that it is the second");
        assert!(one.is_raised() && one.check() == Err(Interrupted));
        assert_eq!((Interrupted.code().as_str(), Interrupted.exit_code()), ("E0720", 130));
    }

    #[test]
    fn never_is_never() {
        let never = Interrupt::default();
        assert!(!never.raise() && !never.is_raised());
    }

    #[test]
    fn a_count_of_looks_raises_it() {
        let third = Interrupt::at_look(2);
        let seen: Vec<bool> = (0..4).map(|_| third.clone().is_raised()).collect();
        assert_eq!(seen, [false, false, true, true]);
        assert_eq!(third.looks(), 4);
        let early = Interrupt::at_look(9);
        assert!(!early.raise() && early.is_raised() && early.raise());
    }
}
