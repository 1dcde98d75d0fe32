//! Threads, if the crate is built with its feature `parallel`: then these are rayon's. Without it the same names work in order on the present
//! thread, and nothing needs rayon. Results have the same bits either way: parallel loops only fill places that belong to one task each.

#[cfg(feature = "parallel")]
pub use rayon::{ThreadPool, ThreadPoolBuilder, current_num_threads, prelude};

#[cfg(not(feature = "parallel"))]
pub use in_order::{ThreadPool, ThreadPoolBuilder, current_num_threads, prelude};

/// Can there be more than one thread in this build?
pub const HAS_THREADS: bool = cfg!(feature = "parallel");

/// What of rayon is used, done in order.
#[cfg(any(test, not(feature = "parallel")))]
mod in_order {
    use std::convert::Infallible;

    /// Loops.
    pub mod prelude {
        /// Loops over slices.
        pub trait ParallelSlice<T> {
            /// The elements in their order.
            fn par_iter(&self) -> std::slice::Iter<'_, T>;
            /// The same, to be changed.
            fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T>;
        }

        impl<T> ParallelSlice<T> for [T] {
            fn par_iter(&self) -> std::slice::Iter<'_, T> {
                self.iter()
            }

            fn par_iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
                self.iter_mut()
            }
        }

        /// Loops that take what they go over.
        pub trait IntoParallel: IntoIterator + Sized {
            /// The elements in their order.
            fn into_par_iter(self) -> Self::IntoIter {
                self.into_iter()
            }
        }

        impl<I: IntoIterator> IntoParallel for I {}
    }

    /// The present thread.
    #[must_use]
    pub fn current_num_threads() -> usize {
        1
    }

    /// The present thread alone.
    #[derive(Debug)]
    pub struct ThreadPool;

    impl ThreadPool {
        /// Does the work.
        pub fn install<R>(&self, work: impl FnOnce() -> R) -> R {
            work()
        }

        /// One.
        #[must_use]
        pub fn current_num_threads(&self) -> usize {
            1
        }
    }

    /// Makes the only pool there is.
    #[derive(Debug, Default)]
    pub struct ThreadPoolBuilder;

    impl ThreadPoolBuilder {
        /// A builder.
        #[must_use]
        pub fn new() -> Self {
            Self
        }

        /// One thread, whatever is asked for.
        #[must_use]
        pub fn num_threads(self, _: usize) -> Self {
            self
        }

        /// The present one.
        #[must_use]
        pub fn use_current_thread(self) -> Self {
            self
        }

        /// The pool.
        ///
        /// # Errors
        /// Never.
        pub fn build(self) -> Result<ThreadPool, Infallible> {
            Ok(ThreadPool)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::in_order;

    /// The stand-in does what rayon does, in order.
    #[test]
    fn the_stand_in_keeps_the_order() {
        use in_order::prelude::*;
        let mut x = vec![1_usize, 2, 3];
        let doubled: Vec<usize> = x.par_iter().zip(&[10, 20, 30]).map(|(a, b)| a * b).collect();
        assert_eq!(doubled, [10, 40, 90]);
        x.par_iter_mut().enumerate().for_each(|(i, a)| *a += i);
        let squares: Vec<usize> = (0..3_usize).into_par_iter().map(|i| i * i).collect();
        assert_eq!((x, squares), (vec![1, 3, 5], vec![0, 1, 4]));
        let pool = in_order::ThreadPoolBuilder::new().num_threads(8).use_current_thread().build().unwrap();
        assert_eq!((pool.current_num_threads(), pool.install(in_order::current_num_threads)), (1, 1));
    }
}
