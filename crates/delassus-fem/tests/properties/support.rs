//! Meshes, bodies and dense linear algebra for the tests.

use std::any::Any;
use std::sync::Arc;

use delassus_dynamics::System;
use delassus_fem::{Body, BodyInput, Formulation, KelvinVoigt, Material, MaterialSpec, Section};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::CscMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

/// A repeatable sequence of numbers in [−1, 1).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// Every kind of bulk cell of D dimensions with an element: a new one is added here and in `element.rs`.
pub fn kinds<const D: usize>() -> Vec<CellKind> {
    use CellKind::*;
    let all = [Triangle3, Triangle6, Quad4, Quad8, Tetrahedron4, Tetrahedron10, Hexahedron8, Hexahedron20, Prism6];
    let of_dimension: Vec<CellKind> = all.into_iter().filter(|kind| kind.dim() == D).collect();
    assert_eq!(of_dimension.len(), if D == 2 { 4 } else { 5 });
    of_dimension
}

/// The sections and formulations that go together.
pub fn models<const D: usize>() -> Vec<(Section, Formulation)> {
    use Formulation::{BBar, IncompatibleModes, Standard};
    if D == 3 {
        return [Standard, BBar, IncompatibleModes].map(|formulation| (Section::Solid, formulation)).to_vec();
    }
    let strain = Section::PlaneStrain { thickness: 0.7 };
    let stress = Section::PlaneStress { thickness: 0.7 };
    vec![
        (strain, Standard),
        (strain, BBar),
        (strain, IncompatibleModes),
        (stress, Standard),
        (stress, IncompatibleModes),
    ]
}

pub fn build(law: KelvinVoigt, density: f64) -> Arc<dyn Material> {
    MaterialSpec::KelvinVoigt(law).build(density).unwrap()
}

/// E = 3, ν = 0.3, ρ = 2.5.
pub fn soft() -> Arc<dyn Material> {
    build(KelvinVoigt::elastic(3.0, 0.3), 2.5)
}

/// A rectangle 2 × 1.2 of n × n cells, or a block 2 × 1.2 × 0.9 of n × n × n, with every corner node of the cells moved at
/// random by up to a tenth of a cell. Edges are straight, faces of hexahedra and prisms are warped.
pub fn distorted<const D: usize>(kind: CellKind, n: usize) -> Mesh<D> {
    let linear = |kind: CellKind| CellKind::all().find(|k| k.is_linear() && k.corners() == kind.corners()).unwrap();
    let mesh: Box<dyn Any> = if D == 2 {
        Box::new(generate::rectangle([-0.3, 0.4], [2.0, 1.2], [n, n], linear(kind), 1).unwrap())
    } else {
        Box::new(generate::block([-0.3, 0.4, -0.2], [2.0, 1.2, 0.9], [n, n, n], linear(kind), 1).unwrap())
    };
    // the mesh is of D dimensions, which only `Any` can express in generic code
    let mut mesh: Mesh<D> = *mesh.downcast().unwrap();
    let mut numbers = Numbers::new(7);
    for x in &mut mesh.points {
        for (x, size) in x.iter_mut().zip([2.0, 1.2, 0.9]) {
            *x += 0.1 * size / n as f64 * numbers.next();
        }
    }
    let mesh = if kind.is_linear() { mesh } else { mesh.to_quadratic().unwrap() };
    mesh.validate().unwrap();
    mesh
}

/// A body on a distorted mesh.
pub fn body<const D: usize>(kind: CellKind, n: usize, section: Section, formulation: Formulation) -> Body<D> {
    let input = BodyInput::new("test", Arc::new(distorted(kind, n)), soft());
    Body::new(BodyInput { section, formulation, ..input }).unwrap()
}

/// Calls `check` with a body of every kind of cell, section and formulation of D dimensions; asserts that it was called.
pub fn every_body<const D: usize>(n: usize, check: impl Fn(&Body<D>, &str)) {
    let mut count = 0;
    for kind in kinds::<D>() {
        for (section, formulation) in models::<D>() {
            check(&body(kind, n, section, formulation), &format!("{kind} {section:?} {formulation:?}"));
            count += 1;
        }
    }
    assert_eq!(count, if D == 2 { 4 * 5 } else { 5 * 3 });
}

/// Calls a generic check with every body in two and in three dimensions, of n cells each way (in space at most two).
macro_rules! for_every_body {
    ($n:expr, $check:ident) => {
        crate::support::every_body::<2>($n, $check::<2>);
        crate::support::every_body::<3>(2.min($n), $check::<3>);
    };
}
pub(crate) use for_every_body;

/// Number of rigid motions.
pub fn n_rigid(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// The small rotations of the nodes about the origin, one in the plane, three in space.
pub fn rotations<const D: usize>(points: &[[f64; D]]) -> Vec<Vec<f64>> {
    let planes = [[0, 1], [1, 2], [2, 0]];
    let turn = |[i, j]: [usize; 2]| {
        let mut q = vec![0.0; D * points.len()];
        for (node, x) in points.iter().enumerate() {
            q[D * node + i] = -x[j];
            q[D * node + j] = x[i];
        }
        q
    };
    planes.into_iter().filter(|plane| plane.iter().all(|&i| i < D)).map(turn).collect()
}

/// The full matrix of a lower triangle.
pub fn dense(matrix: &CscMatrix<f64>) -> DMatrix<f64> {
    dense_values(matrix.pattern(), matrix.values())
}

/// The same of values in a pattern.
pub fn dense_values(pattern: &SparsityPattern, values: &[f64]) -> DMatrix<f64> {
    let n = pattern.major_dim();
    let mut full = DMatrix::zeros(n, n);
    for ((column, row), value) in pattern.entries().zip(values) {
        assert!(row >= column);
        full[(row, column)] = *value;
        full[(column, row)] = *value;
    }
    full
}

pub fn stiffness<const D: usize>(body: &Body<D>) -> DMatrix<f64> {
    dense(&body.matrices().stiffness)
}

/// Displacements with those of `fixed` (dof, value) given and the others in equilibrium with the forces `f`.
pub fn equilibrium<const D: usize>(body: &Body<D>, fixed: &[(usize, f64)], f: &[f64]) -> Vec<f64> {
    let mut k = stiffness(body);
    let mut rhs = DVector::from_column_slice(f);
    for &(dof, value) in fixed {
        rhs -= k.column(dof) * value;
    }
    for &(dof, value) in fixed {
        k.row_mut(dof).fill(0.0);
        k.column_mut(dof).fill(0.0);
        k[(dof, dof)] = 1.0;
        rhs[dof] = value;
    }
    k.cholesky().unwrap().solve(&rhs).as_slice().to_vec()
}

/// Largest absolute value.
pub fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, y| m.max(y.abs()))
}
