//! The operator W of the contact problem against dense inverses.
//!
//! Reference: W = Hᵀ M̂⁻¹ H with M̂ = M + c_C C + c_K K on the free dofs (Jean 1995 §3), all of it dense.
//!
//! Goal: what the condensed sparse operators give is that matrix, for two bodies with prescribed dofs, matching and not
//! matching nodes, every scheme; and it is symmetric.
//!
//! ```text
//!      +---+---+---+      upper: T3, pushed down, contact on its bottom
//!      +---+---+---+
//!    +-----+-----+-----+  lower: Q4, held at its bottom; one top corner node is held too
//!    +-----+-----+-----+
//!    ///////////////////
//! ```
//!
//! Parameters: E = 1e7 and 3e6 Pa, ν = 0.3 and 0.4, h = 1e-3 s, friction, both passes.
//!
//! Tolerances: 1e-10 of the largest entry (condition of M̂ times rounding); symmetry 1e-14.

use std::sync::Arc;

use delassus_contact::scatter;
use delassus_sim::condense::{Sites, condense};
use delassus_sim::engine::Engine;
use delassus_sim::model::Model;
use nalgebra::{DMatrix, SVector};
use verification::dense::mass_damping_stiffness;
use verification::{SCHEMES, load_text, show};

const CASE: &str = r#"(
    title: "Two blocks",
    kinematics: SmallStrain,
    materials: [
        (name: "hard", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3)),
        (name: "soft", density: 1200.0, law: KelvinVoigt(young: 3e6, poisson: 0.4, shear_viscosity: 2e3)),
    ],
    bodies: [
        (
            name: "lower",
            mesh: Rectangle(corner: (0.0, 0.0), size: (3.0, 1.0), cells: (3, 2)),
            material: "hard",
            damping: (alpha: 3.0, beta: 1e-4),
        ),
        (
            name: "upper",
            mesh: Rectangle(corner: (0.25, 1.01), size: (2.4, 0.8), cells: (4, 2), element: Triangle3),
            material: "soft",
            mass: Consistent,
            rotation: 0.0,
            velocity: (0.3, -1.0),
        ),
    ],
    contacts: [(
        name: "joint",
        candidates: (body: "upper", group: "bottom"),
        antagonists: Surface(body: "lower", group: "top"),
        law: SignoriniCoulomb(friction: 0.4),
        both: true,
    )],
    boundary: [
        (body: "lower", group: "bottom", x: 0.0, y: 0.0),
        (body: "lower", group: "top_left", y: 0.0),
        (body: "upper", group: "top", x: 0.3),
    ],
    integrator: Theta(theta: 0.5),
    step: 1e-3,
    duration: 1e-3,
)"#;

/// M̂⁻¹ of a body with zero rows and columns for prescribed dofs.
fn dense_inverse(model: &Model<2>, body: usize) -> DMatrix<f64> {
    let system = &*model.bodies[body].body;
    let c = model.integrator.coefficients(model.h);
    let [mass, damping, stiffness] = mass_damping_stiffness(system);
    let effective = mass + c.damping * damping + c.stiffness * stiffness;
    let free: Vec<usize> = (0..system.n_dof()).filter(|i| !system.prescribed().contains(i)).collect();
    assert!(free.len() < system.n_dof(), "some dofs are to be prescribed");
    let reduced = effective.select_rows(&free).select_columns(&free);
    let inverse = reduced.cholesky().unwrap().inverse();
    let mut out = DMatrix::zeros(system.n_dof(), system.n_dof());
    for (a, &i) in free.iter().enumerate() {
        for (b, &j) in free.iter().enumerate() {
            out[(i, j)] = inverse[(a, b)];
        }
    }
    out
}

#[test]
fn condensed_operator_is_the_dense_one() {
    for scheme in SCHEMES {
        let model: Arc<Model<2>> = load_text(CASE, &[&format!("integrator={scheme}")]).model().unwrap();
        let mut engine = Engine::new(&model).unwrap();
        let start = model.start();
        let q: Vec<Vec<f64>> = start.states.iter().map(|s| s.q.clone()).collect();
        let detection = engine.detect(&q, &start, model.h).unwrap();
        let contacts: Vec<_> = detection.contacts.iter().collect();
        // Five nodes of the upper block, and those of the lower one that face it.
        assert!(contacts.len() >= 7, "{} contacts", contacts.len());
        let w = condense(&contacts, engine.prepare().unwrap(), Sites { model: &model, q: &q }).unwrap();

        let inverses = [dense_inverse(&model, 0), dense_inverse(&model, 1)];
        let n = 2 * contacts.len();
        let h_of = |body: usize| {
            let mut h = DMatrix::zeros(q[body].len(), n);
            for (k, contact) in contacts.iter().enumerate() {
                for i in 0..2 {
                    let mut unit = SVector::<f64, 2>::zeros();
                    unit[i] = 1.0;
                    let mut column: Vec<Vec<f64>> = q.iter().map(|x| vec![0.0; x.len()]).collect();
                    scatter(contact, &unit, &mut column);
                    h.column_mut(2 * k + i).copy_from_slice(&column[body]);
                }
            }
            h
        };
        let dense: DMatrix<f64> = (0..2).map(|b| h_of(b).transpose() * &inverses[b] * h_of(b)).sum();
        let found = DMatrix::from_fn(n, n, |r, c| w.block(r / 2, c / 2)[(r % 2, c % 2)]);
        let error = (&found - &dense).amax() / dense.amax();
        let asymmetry = (&found - found.transpose()).amax() / found.amax();
        show(&format!("W {scheme:32} {} contacts: error {error:.1e}, asymmetry {asymmetry:.1e}", contacts.len()));
        assert!(error <= 1e-10, "{scheme}: {error:e}");
        assert!(asymmetry <= 1e-14 && w.max_asymmetry() <= 1e-14, "{scheme}: {asymmetry:e}");
    }
}
