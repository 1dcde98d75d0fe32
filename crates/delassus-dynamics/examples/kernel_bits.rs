//! One hash for each kind of large product and factor that Delassus takes from faer, over many shapes: equal lines on two processors mean equal bits.
//!
//! `scripts/endurance bits` runs it with instructions hidden. Cases meet few shapes; here are those at which kernels, packings and blocks change over.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use delassus_dynamics::factor::{Analysis, Factor, Workspace};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, Mat, Par};
use nalgebra_sparse::pattern::SparsityPattern;

/// FNV-1a over the bits of numbers.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn put(&mut self, x: f64) {
        for byte in x.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn put_matrix(&mut self, matrix: &Mat<f64>) {
        matrix.col_iter().for_each(|column| column.iter().for_each(|x| self.put(*x)));
    }
}

/// Numbers in (−1, 1) that are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Mat<f64> {
        Mat::from_fn(rows, columns, |_, _| self.next())
    }
}

/// Sizes around those at which microkernels (4, 8, 12, 24, 48 rows) and blocks end, with some large ones.
const SIZES: [usize; 20] = [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 23, 24, 25, 47, 48, 49, 96, 97, 150];
const DEPTHS: [usize; 9] = [1, 2, 3, 8, 17, 64, 130, 511, 513];
const LARGE: [[usize; 3]; 4] = [[700, 96, 1100], [96, 96, 2100], [1300, 48, 530], [260, 700, 600]];

fn products(numbers: &mut Numbers) -> u64 {
    let mut hash = Hash::new();
    let small = SIZES.iter().flat_map(|&m| SIZES.iter().flat_map(move |&n| DEPTHS.iter().map(move |&k| [m, n, k])));
    for [m, n, k] in small.chain(LARGE) {
        let (a, b, mut c) = (numbers.matrix(m, k), numbers.matrix(k, n), numbers.matrix(m, n));
        matmul(c.as_mut(), Accum::Add, a.as_ref(), b.as_ref(), -1.0, Par::Seq);
        let at = numbers.matrix(k, m);
        matmul(c.as_mut(), Accum::Add, at.as_ref().transpose(), b.as_ref(), 1.0, Par::Seq);
        hash.put_matrix(&c);
    }
    hash.0
}

fn triangles(numbers: &mut Numbers) -> u64 {
    let mut hash = Hash::new();
    for n in SIZES.into_iter().chain([300, 700]) {
        for columns in [1, 3, 24, 96] {
            let mut lower = numbers.matrix(n, n);
            for i in 0..n {
                lower[(i, i)] += n as f64;
            }
            let mut right = numbers.matrix(n, columns);
            solve_lower_triangular_in_place(lower.as_ref(), right.as_mut(), Par::Seq);
            hash.put_matrix(&right);
        }
    }
    hash.0
}

fn dense_factors(numbers: &mut Numbers) -> u64 {
    let mut hash = Hash::new();
    for n in SIZES.into_iter().chain([300, 620]) {
        let mut full = numbers.matrix(n, n);
        let (mut order, mut inverse) = (vec![0_usize; n], vec![0_usize; n]);
        let mut memory = MemBuffer::new(lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default()));
        let stack = MemStack::new(&mut memory);
        lu_in_place(full.as_mut(), &mut order, &mut inverse, Par::Seq, stack, Default::default());
        hash.put_matrix(&full);
    }
    hash.0
}

/// Factors, solutions and condensed blocks of a grid of `n` × `n` × `n` unknowns coupled to their neighbours: supernodes of all widths.
fn sparse_factors(numbers: &mut Numbers) -> Result<u64, Box<dyn Error>> {
    let mut hash = Hash::new();
    for n in [2, 5, 9, 14] {
        let number = |x: usize, y: usize, z: usize| (x * n + y) * n + z;
        let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for [x, y, z] in (0..n * n * n).map(|k| [k / (n * n), k / n % n, k % n]) {
            let here = number(x, y, z);
            let near = |c: usize| c..n.min(c + 2);
            let mut below: Vec<usize> = near(x)
                .flat_map(|i| (y.max(1) - 1..n.min(y + 2)).map(move |j| (i, j)))
                .flat_map(|(i, j)| (z.max(1) - 1..n.min(z + 2)).map(move |k| number(i, j, k)))
                .filter(|&other| other >= here)
                .collect();
            below.sort_unstable();
            values.extend(below.iter().map(|&other| if other == here { 60.0 } else { numbers.next() }));
            rows.extend(below);
            offsets.push(rows.len());
        }
        let pattern = SparsityPattern::try_from_offsets_and_indices(n * n * n, n * n * n, offsets, rows)?;
        let analysis = Arc::new(Analysis::new(&pattern, "A")?);
        let factor = Factor::new(&analysis, &values, "A")?;
        let mut x: Vec<f64> = (0..n * n * n).map(|_| numbers.next()).collect();
        factor.solve(&mut x, &mut Workspace::new(&analysis));
        x.into_iter().for_each(|x| hash.put(x));
        let face: Vec<usize> = (0..n * n).collect();
        factor.condense(&face)?.into_iter().for_each(|x| hash.put(x));
    }
    Ok(hash.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = Numbers(1);
    let mut out = std::io::stdout().lock();
    writeln!(out, "products {:016x}", products(&mut numbers))?;
    writeln!(out, "triangles {:016x}", triangles(&mut numbers))?;
    writeln!(out, "dense factors {:016x}", dense_factors(&mut numbers))?;
    writeln!(out, "sparse factors {:016x}", sparse_factors(&mut numbers)?)?;
    Ok(())
}
