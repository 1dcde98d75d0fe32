//! Meshes, bodies and dense linear algebra for the tests.

use std::sync::Arc;

use delassus_dynamics::{Matrices, System};
use delassus_fem::{Body, BodyInput, Formulation, KelvinVoigt, Material, MaterialSpec, Section};
use delassus_mesh::{CellKind, Mesh, generate};
use nalgebra::{DMatrix, DVector};

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

/// Every kind of bulk cell with an element: a new one is added here and in `element.rs`.
pub const KINDS: [CellKind; 2] = [CellKind::Triangle3, CellKind::Quad4];

/// The sections and formulations that go together.
pub fn models() -> Vec<(Section, Formulation)> {
    let strain = Section::PlaneStrain { thickness: 0.7 };
    vec![
        (strain, Formulation::Standard),
        (strain, Formulation::BBar),
        (Section::PlaneStress { thickness: 0.7 }, Formulation::Standard),
    ]
}

pub fn build(law: KelvinVoigt, density: f64) -> Arc<dyn Material> {
    MaterialSpec::KelvinVoigt(law).build(density).unwrap().into()
}

/// E = 3, ν = 0.3, ρ = 2.5.
pub fn soft() -> Arc<dyn Material> {
    build(KelvinVoigt::elastic(3.0, 0.3), 2.5)
}

/// A rectangle 2 × 1.2 of n × n cells with every node moved at random by up to a tenth of a cell (corners stay).
pub fn distorted(kind: CellKind, n: usize) -> Mesh<2> {
    let size = [2.0, 1.2];
    let mut mesh = generate::rectangle([-0.3, 0.4], size, [n, n], kind, 1).unwrap();
    let mut numbers = Numbers::new(7);
    for x in &mut mesh.points {
        for i in 0..2 {
            x[i] += 0.1 * size[i] / n as f64 * numbers.next();
        }
    }
    mesh.validate().unwrap();
    mesh
}

/// A body on a distorted mesh.
pub fn body(kind: CellKind, n: usize, section: Section, formulation: Formulation) -> Body<2> {
    let input = BodyInput::new("test", Arc::new(distorted(kind, n)), soft());
    Body::new(BodyInput { section, formulation, ..input }).unwrap()
}

/// Calls `check` with a body of every kind of cell, section and formulation; asserts that it was called.
pub fn for_every_body(n: usize, check: impl Fn(&Body<2>, &str)) {
    let mut count = 0;
    for kind in KINDS {
        for (section, formulation) in models() {
            check(&body(kind, n, section, formulation), &format!("{kind} {section:?} {formulation:?}"));
            count += 1;
        }
    }
    assert_eq!(count, 6);
}

/// The full matrix of a lower triangle.
pub fn dense(matrices: &Matrices, values: &[f64]) -> DMatrix<f64> {
    let n = matrices.pattern.major_dim();
    let mut full = DMatrix::zeros(n, n);
    for ((column, row), value) in matrices.pattern.entries().zip(values) {
        assert!(row >= column);
        full[(row, column)] = *value;
        full[(column, row)] = *value;
    }
    full
}

pub fn stiffness(body: &Body<2>) -> DMatrix<f64> {
    dense(body.matrices(), &body.matrices().stiffness)
}

/// Displacements with those of `fixed` (dof, value) given and the others in equilibrium with the forces `f`.
pub fn equilibrium(body: &Body<2>, fixed: &[(usize, f64)], f: &[f64]) -> Vec<f64> {
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
