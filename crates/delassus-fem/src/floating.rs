//! Rigid motions of a body that nothing of its own holds, and how soft it is against deformation.
//!
//! ```text
//! u = a + b × (x − c)                        rigid motions of a part of the mesh that hangs together; c its centre
//! A y = 0                                    those that supports (u = 0 on prescribed dofs) and ties (u_slave = u_master) leave free; A y are the
//!                                            motions of these dofs for the numbers y = (a, b R) ,  R the size of the part
//! ω² ≤ min  φᵀKφ / φᵀMφ                      Rayleigh and Ritz with φ linear and quadratic in x − c, less its rigid part: exact shapes of a
//!                                            stretched bar and of a beam bent to a circle, within some ten per cent for their lowest vibrations
//! ```
//!
//! Parts of a body that only ties connect count as separate: a motion that is called free here although ties hold it costs iterations, nothing else.

use delassus_dynamics::{Floating, RigidMode, symmetric_times_into};
use delassus_mesh::Mesh;
use nalgebra::{DMatrix, DVector, SVector, SymmetricEigen};
use nalgebra_sparse::pattern::SparsityPattern;

use crate::section::Section;

/// Squares of motions of held dofs below this part of the largest possible are rounding.
const HELD: f64 = 1e-10;

/// Trial motions whose mass beyond rigid motions is below this part of the largest are taken to be rigid.
const INDEPENDENT: f64 = 1e-12;

/// The parts of a body that hang together.
pub(crate) struct FloatingParts<const D: usize> {
    /// Nodes of each, ascending.
    nodes: Vec<Vec<usize>>,
    centres: Vec<SVector<f64, D>>,
    /// Largest distance of a node from the centre \[m\].
    sizes: Vec<f64>,
    /// The rigid motions, by their numbers; the others strain the body.
    rigid: Vec<usize>,
}

/// Number of rigid motions.
const fn n_rigid(d: usize) -> usize {
    d * (d + 1) / 2
}

/// The rigid motion k at a place x − c of a part of size R: shifts, then turns with b = e/R.
fn rigid<const D: usize>(k: usize, x: &SVector<f64, D>, size: f64) -> SVector<f64, D> {
    if k < D {
        return SVector::from_fn(|i, _| f64::from(u8::from(i == k)));
    }
    // In the plane about the third axis alone.
    let axis = if D == 2 { 2 } else { k - D };
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut u = SVector::zeros();
    (u[i], u[j]) = (-x[j] / size, x[i] / size);
    u
}

/// The first node that a node hangs together with.
fn find(root: &mut [usize], mut a: usize) -> usize {
    while root[a] != a {
        root[a] = root[root[a]];
        a = root[a];
    }
    a
}

impl<const D: usize> FloatingParts<D> {
    pub fn of<'a>(mesh: &Mesh<D>, section: Section, cells: impl Iterator<Item = &'a [usize]>) -> Self {
        let mut root: Vec<usize> = (0..mesh.points.len()).collect();
        for cell in cells {
            for pair in cell.windows(2) {
                let (a, b) = (find(&mut root, pair[0]), find(&mut root, pair[1]));
                // The smaller number is the root: parts come in the order of their first nodes.
                root[a.max(b)] = a.min(b);
            }
        }
        let mut number = vec![usize::MAX; root.len()];
        let mut nodes: Vec<Vec<usize>> = Vec::new();
        for node in 0..mesh.points.len() {
            let first = find(&mut root, node);
            if number[first] == usize::MAX {
                number[first] = nodes.len();
                nodes.push(Vec::new());
            }
            nodes[number[first]].push(node);
        }
        let place = |n: &usize| SVector::from(mesh.points[*n]);
        let centre = |nodes: &Vec<usize>| nodes.iter().map(place).sum::<SVector<f64, D>>() / nodes.len() as f64;
        let centres: Vec<SVector<f64, D>> = nodes.iter().map(centre).collect();
        let size = |(nodes, c): (&Vec<usize>, &SVector<f64, D>)| {
            nodes.iter().map(|n| (place(n) - c).norm()).fold(f64::MIN_POSITIVE, f64::max)
        };
        let sizes = nodes.iter().zip(&centres).map(size).collect();
        // Of an axisymmetric body the shift along the axis alone.
        let rigid = if section.is_revolved() { vec![1] } else { (0..n_rigid(D)).collect() };
        Self { nodes, centres, sizes, rigid }
    }

    /// The motions that prescribed dofs and ties leave free.
    pub fn floating(&self, mesh: &Mesh<D>, held: &[usize], tied: &[(usize, usize)]) -> Option<Floating> {
        let mut out = Floating::default();
        let mut part_of = vec![0; mesh.points.len()];
        for (k, nodes) in self.nodes.iter().enumerate() {
            nodes.iter().for_each(|n| part_of[*n] = k);
        }
        // AᵀA of each part; what is no rigid motion is as good as held
        let mut square = DMatrix::<f64>::zeros(n_rigid(D), n_rigid(D));
        (0..n_rigid(D)).filter(|k| !self.rigid.contains(k)).for_each(|k| square[(k, k)] = 1.0);
        let mut squares = vec![square; self.nodes.len()];
        let row = |dof: usize| {
            let part = part_of[dof / D];
            let x = SVector::from(mesh.points[dof / D]) - self.centres[part];
            (part, DVector::from_fn(n_rigid(D), |k, _| rigid::<D>(k, &x, self.sizes[part])[dof % D]))
        };
        for &dof in held {
            let (part, a) = row(dof);
            squares[part] += &a * a.transpose();
        }
        for &(slave, master) in tied {
            let ((part, a), (other, b)) = (row(slave), row(master));
            if part == other {
                let a = a - b;
                squares[part] += &a * a.transpose();
            }
        }
        for (part, square) in squares.into_iter().enumerate() {
            let free = free_motions(square);
            if free.is_empty() {
                continue;
            }
            for y in free {
                out.modes.push(RigidMode { part: out.parts.len(), ..self.mode(mesh, part, &y) });
            }
            out.parts.push(self.nodes[part].iter().flat_map(|n| (0..D).map(move |i| D * n + i)).collect());
        }
        (!out.modes.is_empty()).then_some(out)
    }

    fn mode(&self, mesh: &Mesh<D>, part: usize, y: &DVector<f64>) -> RigidMode {
        let (centre, size) = (self.centres[part], self.sizes[part]);
        let motion = |n: &usize| {
            let x = SVector::from(mesh.points[*n]) - centre;
            let u: SVector<f64, D> = (0..n_rigid(D)).map(|k| rigid::<D>(k, &x, size) * y[k]).sum();
            let n = *n;
            (0..D).map(move |i| (D * n + i, u[i]))
        };
        let axes = |from: usize, n: usize| {
            let texts: Vec<String> = (0..n).map(|i| format!("{:.3}", y[from + i] + 0.0)).collect();
            texts.join(", ")
        };
        let named = |v: &[f64], names: &[&str]| {
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            names.iter().zip(v).find(|(_, x)| x.abs() > 0.999 * length).map(|(name, _)| (*name).to_owned())
        };
        let turns = y.rows(D, n_rigid(D) - D).amax() > 1e-6;
        let (x, b) = (&y.as_slice()[..D], &y.as_slice()[D..]);
        let name = match turns {
            false => {
                format!("shift along {}", named(x, &["x", "y", "z"]).unwrap_or_else(|| format!("({})", axes(0, D))))
            }
            true if D == 2 => "turn in the plane".to_owned(),
            true => {
                let axis = named(b, &["x", "y", "z"]).unwrap_or_else(|| format!("({})", axes(D, n_rigid(D) - D)));
                format!("turn about {axis}")
            }
        };
        RigidMode { name, turns, part, motion: self.nodes[part].iter().flat_map(motion).collect() }
    }

    /// The smallest ω² of the parts, with the values `stiffness` of K.
    pub fn softest(
        &self,
        mesh: &Mesh<D>,
        pattern: &SparsityPattern,
        stiffness: &[f64],
        times_mass: impl Fn(&[f64], &mut [f64]),
    ) -> f64 {
        let (n, motions) = (D * mesh.points.len(), self.trial_motions(mesh));
        let (mut k_times, mut m_times) = (Vec::new(), Vec::new());
        for motion in &motions {
            let (mut k, mut m) = (vec![0.0; n], vec![0.0; n]);
            symmetric_times_into(pattern, stiffness, motion, &mut k);
            times_mass(motion, &mut m);
            k_times.push(k);
            m_times.push(m);
        }
        let mut least = f64::INFINITY;
        for nodes in &self.nodes {
            let product = |x: &[f64], y: &[f64]| -> f64 {
                nodes.iter().flat_map(|n| D * n..D * n + D).map(|i| x[i] * y[i]).sum()
            };
            let size = motions.len();
            let gram = |a: &[Vec<f64>]| DMatrix::from_fn(size, size, |i, j| product(&motions[i], &a[j]));
            least = least.min(ritz(&gram(&k_times), &gram(&m_times), self.rigid.len()));
        }
        least
    }

    /// Rigid motions, and u = x_j e_i and x_j x_k e_i, in coordinates of each part.
    fn trial_motions(&self, mesh: &Mesh<D>) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        let mut add = |u: &dyn Fn(&SVector<f64, D>, f64) -> SVector<f64, D>| {
            let mut motion = vec![0.0; D * mesh.points.len()];
            for ((nodes, centre), size) in self.nodes.iter().zip(&self.centres).zip(&self.sizes) {
                for n in nodes {
                    let u = u(&(SVector::from(mesh.points[*n]) - centre), *size);
                    (0..D).for_each(|i| motion[D * n + i] = u[i]);
                }
            }
            out.push(motion);
        };
        let others = (0..n_rigid(D)).filter(|k| !self.rigid.contains(k));
        for k in self.rigid.iter().copied().chain(others) {
            add(&|x, size| rigid::<D>(k, x, size));
        }
        let unit = |i: usize| SVector::<f64, D>::from_fn(|k, _| f64::from(u8::from(k == i)));
        for i in 0..D {
            for j in 0..D {
                add(&|x, size| unit(i) * (x[j] / size));
                for k in j..D {
                    add(&|x, size| unit(i) * (x[j] / size * (x[k] / size)));
                }
            }
        }
        out
    }
}

/// The vectors y with y·S y = 0, those along an axis first.
fn free_motions(square: DMatrix<f64>) -> Vec<DVector<f64>> {
    let n = square.nrows();
    // Rows have entries up to 1, so a motion that is held has a square of its own size times the number of rows.
    let scale = square.amax().max(f64::MIN_POSITIVE);
    let mut free: Vec<DVector<f64>> = Vec::new();
    for k in 0..n {
        if square.column(k).amax() <= HELD * scale {
            free.push(DVector::from_fn(n, |i, _| f64::from(u8::from(i == k))));
        }
    }
    let eigen = SymmetricEigen::new(square);
    for k in (0..n).filter(|&k| eigen.eigenvalues[k] <= HELD * scale) {
        let mut y = eigen.eigenvectors.column(k).into_owned();
        for known in &free {
            y -= known * known.dot(&y);
        }
        if y.norm() > 0.5 / n as f64 {
            free.push(y.normalize());
        }
    }
    free
}

/// The smallest eigenvalue of K φ = ω² M φ among motions without a rigid part; the first `n_rigid` ones are rigid.
fn ritz(k: &DMatrix<f64>, m: &DMatrix<f64>, n_rigid: usize) -> f64 {
    let n = k.nrows() - n_rigid;
    let mixed = m.view((0, n_rigid), (n_rigid, n)).into_owned();
    let Some(rigid) = m.view((0, 0), (n_rigid, n_rigid)).into_owned().cholesky() else { return f64::NAN };
    let mut mass = m.view((n_rigid, n_rigid), (n, n)) - mixed.tr_mul(&rigid.solve(&mixed));
    let mut stiff = k.view((n_rigid, n_rigid), (n, n)).into_owned();
    let scale: Vec<f64> = (0..n).map(|i| 1.0 / m[(n_rigid + i, n_rigid + i)].sqrt()).collect();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        mass[(i, j)] *= scale[i] * scale[j];
        stiff[(i, j)] *= scale[i] * scale[j];
    }
    let of_mass = SymmetricEigen::new(mass);
    let largest = of_mass.eigenvalues.max();
    let kept: Vec<usize> = (0..n).filter(|&i| of_mass.eigenvalues[i] > INDEPENDENT * largest).collect();
    let basis = DMatrix::from_fn(n, kept.len(), |i, j| {
        of_mass.eigenvectors[(i, kept[j])] / of_mass.eigenvalues[kept[j]].sqrt()
    });
    let eigenvalues = SymmetricEigen::new(basis.tr_mul(&(stiff * &basis))).eigenvalues;
    // What is left of rotations has the rounding of the largest.
    let rounding = eigenvalues.amax() * INDEPENDENT;
    eigenvalues.iter().copied().filter(|x| *x > rounding).fold(f64::INFINITY, f64::min)
}
