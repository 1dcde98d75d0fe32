//! Products with D rows of numbers that stand one after the other: unit stride, several sums at once, no test in between.
//!
//! Multiplications and additions stay apart and in one order, whatever the width of the machine's registers: the same bits everywhere.

use pulp::{Arch, Simd, WithSimd};

use crate::linalg::{Matrix, Vector};

/// Number of partial sums of a row that are computed in parallel.
const WIDTH: usize = 4;

/// A vector of all contacts, number after number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flat {
    numbers: Vec<f64>,
}

impl Flat {
    /// Zero at `n` contacts of `D` components.
    pub(crate) fn zeros<const D: usize>(n: usize) -> Self {
        Self { numbers: vec![0.0; D * n] }
    }

    /// All zero again.
    pub(crate) fn clear(&mut self) {
        self.numbers.fill(0.0);
    }

    /// Takes the values of `p`; those of contacts that `p` does not have stay.
    pub(crate) fn load<const D: usize>(&mut self, p: &[Vector<D>]) {
        for (place, value) in self.numbers.as_chunks_mut::<D>().0.iter_mut().zip(p) {
            place.copy_from_slice(value.as_slice());
        }
    }

    /// Number by number.
    #[inline]
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    #[inline]
    pub(crate) fn numbers_mut(&mut self) -> &mut [f64] {
        &mut self.numbers
    }

    /// Contact by contact.
    #[inline]
    pub(crate) fn blocks<const D: usize>(&self) -> &[[f64; D]] {
        self.numbers.as_chunks().0
    }

    /// Value at contact `i`.
    #[inline]
    pub(crate) fn get<const D: usize>(&self, i: usize) -> Vector<D> {
        Vector::<D>::from(self.blocks::<D>()[i])
    }

    #[inline]
    pub(crate) fn set<const D: usize>(&mut self, i: usize, value: &Vector<D>) {
        self.numbers.as_chunks_mut::<D>().0[i].copy_from_slice(value.as_slice());
    }
}

/// Writes the block of the `j`-th contact into D rows.
#[inline]
pub(crate) fn put<const D: usize>(rows: &mut [f64], j: usize, block: &Matrix<D>) {
    let length = rows.len() / D;
    for r in 0..D {
        for c in 0..D {
            rows[r * length + D * j + c] = block[(r, c)];
        }
    }
}

/// Reads the block of the `j`-th contact of D rows.
#[inline]
pub(crate) fn take<const D: usize>(rows: &[f64], j: usize) -> Matrix<D> {
    let length = rows.len() / D;
    Matrix::<D>::from_fn(|r, c| rows[r * length + D * j + c])
}

/// D rows times `x`, which has as many numbers as a row.
#[inline]
pub(crate) fn times<const D: usize>(rows: &[f64], x: &[f64]) -> Vector<D> {
    let sums: [[f64; WIDTH]; D] = match split(rows, x.len()) {
        Some(three) if D == 3 => {
            let sums = sums_of_three(three, x);
            std::array::from_fn(|d| sums[d])
        }
        _ => std::array::from_fn(|d| sums_of_one(&rows[d * x.len()..(d + 1) * x.len()], x)),
    };
    // The last few columns.
    let rest = x.as_chunks::<WIDTH>().1;
    Vector::<D>::from_fn(|d, _| {
        let [s, t, u, v] = sums[d];
        let end = (d + 1) * x.len();
        let last = rows[end - rest.len()..end].iter().zip(rest);
        last.fold((s + u) + (t + v), |sum, (a, x)| sum + a * x)
    })
}

/// `out` += the transpose of D rows times `x`.
#[inline]
pub(crate) fn add_transposed<const D: usize>(rows: &[f64], x: &Vector<D>, out: &mut [f64]) {
    match split(rows, out.len()) {
        Some(three) if D == 3 => add_three(three, [x[0], x[1], x[2]], out),
        _ => {
            let length = out.len();
            for d in 0..D {
                for (out, a) in out.iter_mut().zip(&rows[d * length..(d + 1) * length]) {
                    *out += a * x[d];
                }
            }
        }
    }
}

/// Three rows of this length, if there are three.
#[inline]
fn split(rows: &[f64], length: usize) -> Option<[&[f64]; 3]> {
    let (first, rest) = rows.split_at_checked(length)?;
    let (second, rest) = rest.split_at_checked(length)?;
    Some([first, second, rest.get(..length)?])
}

fn sums_of_one(row: &[f64], x: &[f64]) -> [f64; WIDTH] {
    let mut sums = [0.0; WIDTH];
    for (a, x) in row.as_chunks::<WIDTH>().0.iter().zip(x.as_chunks::<WIDTH>().0) {
        for k in 0..WIDTH {
            sums[k] += a[k] * x[k];
        }
    }
    sums
}

/// Sums of three rows, ended before those of a row are added up: then they stay side by side in registers.
fn sums_of_three(rows: [&[f64]; 3], x: &[f64]) -> [[f64; WIDTH]; 3] {
    Arch::new().dispatch(SumsOfThree { rows, x })
}

fn add_three(rows: [&[f64]; 3], x: [f64; 3], out: &mut [f64]) {
    Arch::new().dispatch(AddThree { rows, x, out });
}

/// Compiled once for plain and once for wide registers, by the same text.
struct SumsOfThree<'a> {
    rows: [&'a [f64]; 3],
    x: &'a [f64],
}

impl WithSimd for SumsOfThree<'_> {
    type Output = [[f64; WIDTH]; 3];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let [a, b, c] = self.rows.map(|row| row.as_chunks::<WIDTH>().0);
        let mut sums = [[0.0; WIDTH]; 3];
        for (((x, a), b), c) in self.x.as_chunks::<WIDTH>().0.iter().zip(a).zip(b).zip(c) {
            for k in 0..WIDTH {
                sums[0][k] += a[k] * x[k];
            }
            for k in 0..WIDTH {
                sums[1][k] += b[k] * x[k];
            }
            for k in 0..WIDTH {
                sums[2][k] += c[k] * x[k];
            }
        }
        sums
    }
}

struct AddThree<'a> {
    rows: [&'a [f64]; 3],
    x: [f64; 3],
    out: &'a mut [f64],
}

impl WithSimd for AddThree<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let ([a, b, c], x) = (self.rows, self.x);
        for (((out, a), b), c) in self.out.iter_mut().zip(a).zip(b).zip(c) {
            *out += a * x[0] + b * x[1] + c * x[2];
        }
    }
}
