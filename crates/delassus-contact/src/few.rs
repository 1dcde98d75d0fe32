//! A list of up to four items without a heap: the nodes of a facet, its corners, neighbours and weights.
//!
//! A facet has two nodes in 2D and three or four in 3D; a fixed capacity lets one type serve them all, copied like a number
//! and without any allocation in detection.

use std::fmt;
use std::ops::Deref;

/// Most nodes a facet can have.
pub const MAX_CORNERS: usize = 4;

/// One to [`MAX_CORNERS`] items (none by default); a slice for everything else.
#[derive(Clone, Copy, Default)]
pub struct Few<T> {
    /// Those from `len` on mean nothing.
    items: [T; MAX_CORNERS],
    len: usize,
}

/// The nodes of a facet: two in 2D, three or four in 3D.
pub type FacetNodes = Few<usize>;

impl<T: Copy> Few<T> {
    /// `len` items made from their indices: one at least, [`MAX_CORNERS`] at most.
    pub(crate) fn from_fn(len: usize, mut item: impl FnMut(usize) -> T) -> Self {
        let len = len.clamp(1, MAX_CORNERS);
        let first = item(0);
        Self { items: std::array::from_fn(|i| if (1..len).contains(&i) { item(i) } else { first }), len }
    }

    /// Turns the order of the items round.
    pub fn reverse(&mut self) {
        self.items[..self.len].reverse();
    }

    /// A list of the same length.
    #[must_use]
    pub fn map<U: Copy>(&self, mut f: impl FnMut(T) -> U) -> Few<U> {
        Few::from_fn(self.len, |i| f(self.items[i]))
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T: Copy, const N: usize> From<[T; N]> for Few<T> {
    fn from(items: [T; N]) -> Self {
        const { assert!(N >= 1 && N <= MAX_CORNERS) };
        Self::from_fn(N, |i| items[i])
    }
}

impl<T: Copy> TryFrom<&[T]> for Few<T> {
    /// The length that does not fit.
    type Error = usize;

    fn try_from(items: &[T]) -> Result<Self, usize> {
        let fits = (1..=MAX_CORNERS).contains(&items.len());
        if fits { Ok(Self::from_fn(items.len(), |i| items[i])) } else { Err(items.len()) }
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = std::iter::Take<std::array::IntoIter<T, MAX_CORNERS>>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().take(self.len)
    }
}

impl<T: fmt::Debug> fmt::Debug for Few<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Few<T> {}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Few<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        **self == other[..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_what_they_are_made_of() {
        let three = Few::from([7, 8, 9]);
        assert_eq!(three, [7, 8, 9]);
        assert_eq!((three.len(), three[2]), (3, 9));
        assert_eq!(three.into_iter().collect::<Vec<_>>(), [7, 8, 9]);
        assert_eq!(three.map(|i| f64::from(i) * 0.5), [3.5, 4.0, 4.5]);
        let mut turned = three;
        turned.reverse();
        assert_eq!(turned, [9, 8, 7]);
        assert_eq!(Few::try_from(&[7, 8, 9][..]), Ok(three));
        assert_eq!(Few::try_from(&[0; 5][..]), Err(5));
        assert_eq!(Few::<f64>::try_from(&[][..]), Err(0));
        assert_eq!(format!("{three:?}"), "[7, 8, 9]");
        assert!(Few::from([7, 8]) != three && Few::<usize>::default().is_empty());
    }
}
