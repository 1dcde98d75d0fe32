//! A frame for every cell: small strains in a frame that turns with the element.
//!
//! The frame is the polar rotation of the deformation gradient at the centre of the cell. With relative displacements u_a = q_a − q_0, places
//! x_a = X_a + u_a, both relative to the first node, and the gradients Y_a = ∇N_a of the centre,
//!
//! ```text
//! F = I + Σ u_a Y_aᵀ = R U ,      ũ_a = Rᵀ x_a − X_a ,      Σ ũ_a Y_aᵀ = U − I is symmetric:  Σ Y × ũ = 0
//! Ψ = Σ_cells ½ ũ·K_e ũ           K_e: the matrix of the element in small strains, whatever its formulation
//! ```
//!
//! Σ X_a Y_aᵀ = I and Σ Y_a = 0 over all nodes, as for the frame of a whole body with Y = M X (see [`corotation`](crate::corotation)). So each cell has the same force of a
//! step, F_e = R̄ [s − α × Y] with its own α, and the same identities, which add up: Σ F = 0, Σ x_½ × F = 0, F·Δx = Σ s·Δũ.
//!
//! A change of places δx turns the frame by δφ in its own axes, with A = Rᵀ F and y = X + ũ:
//!
//! ```text
//! δφ = Γ Rᵀδx ,   Γ_a = B⁻¹ [Y_a] ,   B = tr A − A          δũ = P Rᵀδx ,   P = I + [y] Γ
//! f = R f̂ ,   f̂ = Pᵀ s = s − α × Y
//! ∂f/∂x = R (Pᵀ K P − 𝔽 Γ − Γᵀ 𝔽ᵀ P) Rᵀ ,    𝔽_a = [f̂_a]
//! ```
//!
//! The projector and the last two terms, the geometric part, are those of the element-independent formulation (Rankin & Nour-Omid 1988, Felippa & Haugen
//! 2005; theirs also have rotations of nodes). As the Hessian of Ψ the whole is symmetric: 𝔽ᵀ[y] is, because f̂ has no moment. It is put together as
//!
//! ```text
//! K + Γᵀ Z + Zᵀ Γ + Γᵀ S Γ ,     Z = [y]ᵀ K − g 𝔽ᵀ ,     S = [y]ᵀ K [y] − g 𝔽ᵀ [y]
//! ```
//!
//! where g = 1 for the Hessian, g = 0 for Pᵀ K P, which is never indefinite, and g = ½/θ for a step: there the forces in the frame change by θ
//! of their change, the frame R̄ by half of it.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use crate::assembly::CellPart;
use crate::corotation::{axial, half_turn, polar, skew, solve_spin, without_moment};
use crate::packed::{packed_index, packed_length};

/// A cell, as its frame sees it. Vectors of nodes leave out the first node and are relative to it.
pub(crate) struct FramedCell<'a, const D: usize> {
    pub part: CellPart<'a, D>,
    /// X \[m\].
    reference: Vec<SVector<f64, D>>,
    /// Y \[1/m\].
    moments: Vec<SVector<f64, D>>,
}

/// The frame of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellFrame<const D: usize> {
    /// R.
    pub rotation: SMatrix<f64, D, D>,
    /// R − I, without the rounding of R where it is small.
    turn: SMatrix<f64, D, D>,
}

/// A vector of the plane or of space in space.
fn embedded<const D: usize>(x: &SVector<f64, D>) -> Vector3<f64> {
    Vector3::from_fn(|i, _| if i < D { x[i] } else { 0.0 })
}

/// The columns v × e_i, node after node.
fn crossed<const D: usize>(x: &[SVector<f64, D>]) -> Vec<Vector3<f64>> {
    x.iter().flat_map(|x| (0..D).map(move |i| embedded(x).cross(&Vector3::ith(i, 1.0)))).collect()
}

/// Entry (i, j) of a packed symmetric matrix.
fn entry(packed: &[f64], i: usize, j: usize) -> f64 {
    packed[packed_index(i.max(j), i.min(j))]
}

impl<'a, const D: usize> FramedCell<'a, D> {
    /// Of a cell in a mesh with these points.
    pub fn new(part: CellPart<'a, D>, points: &[[f64; D]]) -> Self {
        let place = |n: &usize| SVector::from(points[*n]);
        let reference = part.nodes[1..].iter().map(|n| place(n) - place(&part.nodes[0])).collect();
        let moments = part.centre.chunks_exact(D).take(part.nodes.len() - 1).map(SVector::from_column_slice).collect();
        Self { part, reference, moments }
    }

    /// The values of its nodes.
    pub fn relative(&self, x: &[f64]) -> Vec<SVector<f64, D>> {
        let of = |n: usize| SVector::from_column_slice(&x[D * n..D * n + D]);
        let origin: SVector<f64, D> = of(self.part.nodes[0]);
        self.part.nodes[1..].iter().map(|&n| of(n) - origin).collect()
    }

    /// Adds forces on its nodes; those on the first are minus the sum of the others.
    pub fn add(&self, forces: &[SVector<f64, D>], out: &mut [f64]) {
        let mut sum = SVector::<f64, D>::zeros();
        for (&n, f) in self.part.nodes[1..].iter().zip(forces) {
            (0..D).for_each(|i| out[D * n + i] += f[i]);
            sum += f;
        }
        let first = self.part.nodes[0];
        (0..D).for_each(|i| out[D * first + i] -= sum[i]);
    }

    /// Vectors of all nodes, that of the first zero.
    pub fn all_nodes(x: &[SVector<f64, D>]) -> Vec<[f64; D]> {
        std::iter::once([0.0; D]).chain(x.iter().map(|x| (*x).into())).collect()
    }

    /// x for displacements u.
    pub fn places(&self, u: &[SVector<f64, D>]) -> Vec<SVector<f64, D>> {
        self.reference.iter().zip(u).map(|(x, u)| x + u).collect()
    }

    /// Σ x Yᵀ.
    fn against_moments(&self, x: &[SVector<f64, D>]) -> SMatrix<f64, D, D> {
        x.iter().zip(&self.moments).fold(SMatrix::zeros(), |sum, (x, y)| sum + x * y.transpose())
    }

    /// The frame for displacements u.
    pub fn frame(&self, u: &[SVector<f64, D>]) -> CellFrame<D> {
        let (rotation, turn) = polar(&(SMatrix::identity() + self.against_moments(u)));
        CellFrame { rotation, turn }
    }

    /// ũ.
    pub fn local(&self, frame: &CellFrame<D>, u: &[SVector<f64, D>]) -> Vec<SVector<f64, D>> {
        let (back, turn) = (frame.rotation.transpose(), frame.turn.transpose());
        self.reference.iter().zip(u).map(|(x, u)| turn * x + back * u).collect()
    }

    /// The spin of the frame for velocities w, in its own axes \[rad/s\].
    pub fn spin(&self, frame: &CellFrame<D>, local: &[SVector<f64, D>], w: &[SVector<f64, D>]) -> Vector3<f64> {
        let given = axial(&(frame.rotation.transpose() * self.against_moments(w)));
        let shape = self.against_moments(&self.places(local));
        solve_spin(|spin| spin * shape, &given)
    }

    /// ũ̇.
    pub fn rate(&self, frame: &CellFrame<D>, local: &[SVector<f64, D>], w: &[SVector<f64, D>]) -> Vec<SVector<f64, D>> {
        let (back, spin) = (frame.rotation.transpose(), skew::<D>(&self.spin(frame, local, w)));
        w.iter().zip(self.places(local)).map(|(w, y)| back * w - spin * y).collect()
    }

    /// The frame in the middle of a step of length h, as its spin predicts it, and the motion Δ̂ against it (see [`corotation`](crate::corotation)).
    pub fn predicted(
        &self,
        frame: &CellFrame<D>,
        local: &[SVector<f64, D>],
        w: &[SVector<f64, D>],
        du: &[SVector<f64, D>],
        h: f64,
    ) -> (SMatrix<f64, D, D>, Vec<SVector<f64, D>>) {
        let (half, _) = half_turn::<D>(&self.spin(frame, local, w), h);
        let (middle, chord) = (frame.rotation * half, half - half.transpose());
        let motion = du.iter().zip(self.places(local)).map(|(d, y)| middle.transpose() * d - chord * y).collect();
        (middle, motion)
    }

    /// B [s − α × Y] without moment about the places of displacements u.
    pub fn force(
        &self,
        matrix: &SMatrix<f64, D, D>,
        s: &[SVector<f64, D>],
        u: &[SVector<f64, D>],
    ) -> Vec<SVector<f64, D>> {
        without_moment(matrix, s, &self.moments, &self.places(u))
    }

    /// A reduced matrix of the cell, times d.
    pub fn times(packed: &[f64], d: &[SVector<f64, D>]) -> Vec<SVector<f64, D>> {
        let mut out = vec![SVector::zeros(); d.len()];
        for row in 0..D * d.len() {
            let (a, i) = (row / D, row % D);
            let entries = &packed[packed_index(row, 0)..=packed_index(row, row)];
            let mut sum = 0.0;
            for (column, k) in entries[..row].iter().enumerate() {
                sum += k * d[column / D][column % D];
                out[column / D][column % D] += k * d[a][i];
            }
            out[a][i] += sum + entries[row] * d[a][i];
        }
        out
    }

    /// R (…) Rᵀ of the module's documentation, packed, with the matrix K, forces s in the frame and g.
    pub fn tangent(
        &self,
        rotation: &SMatrix<f64, D, D>,
        local: &[SVector<f64, D>],
        packed: &[f64],
        s: &[SVector<f64, D>],
        g: f64,
    ) -> Vec<f64> {
        let (y, n) = (self.places(local), D * local.len());
        let stretch = self.against_moments(&y);
        let stretch = Matrix3::from_fn(|i, j| if i < D && j < D { stretch[(i, j)] } else { 0.0 });
        let b = Matrix3::identity() * stretch.trace() - (stretch + stretch.transpose()) * 0.5;
        let inverse = b.try_inverse().unwrap_or_else(|| Matrix3::repeat(f64::NAN));
        let gamma: Vec<Vector3<f64>> = crossed(&self.moments).iter().map(|c| inverse * c).collect();
        // [y]ᵀ has the columns −y × e
        let arms: Vec<Vector3<f64>> = crossed(&y).iter().map(|c| -c).collect();
        let forces = without_moment(&SMatrix::identity(), s, &self.moments, &y);
        // −𝔽ᵀ = 𝔽 has the columns f̂ × e
        let mut z: Vec<Vector3<f64>> = crossed(&forces).iter().map(|c| c * g).collect();
        let mut core = Matrix3::zeros();
        for i in 0..n {
            let along: Vector3<f64> = arms.iter().enumerate().map(|(j, r)| r * entry(packed, i, j)).sum();
            z[i] += along;
            core += along * arms[i].transpose();
        }
        for (f, y) in forces.iter().zip(&y) {
            let (f, y) = (embedded(f), embedded(y));
            // [f̂][y], symmetric in the sum
            core += ((y * f.transpose() + f * y.transpose()) * 0.5 - Matrix3::identity() * f.dot(&y)) * g;
        }
        let mut full = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                full[i * n + j] =
                    entry(packed, i, j) + gamma[i].dot(&z[j]) + z[i].dot(&gamma[j]) + gamma[i].dot(&(core * gamma[j]));
            }
        }
        turned_packed(rotation, &full, n)
    }
}

/// R A Rᵀ, block by block, as a packed lower triangle.
fn turned_packed<const D: usize>(rotation: &SMatrix<f64, D, D>, full: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; packed_length(n)];
    for a in 0..n / D {
        for c in 0..=a {
            let block = SMatrix::<f64, D, D>::from_fn(|i, j| full[(D * a + i) * n + D * c + j]);
            let block = rotation * block * rotation.transpose();
            for i in 0..D {
                for j in 0..if a == c { i + 1 } else { D } {
                    out[packed_index(D * a + i, D * c + j)] = block[(i, j)];
                }
            }
        }
    }
    out
}
