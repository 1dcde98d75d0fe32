//! A point mass slides on a rough plane until it stops: one contact, one kernel, any direction.
//!
//! Reference: with θ-Euler steps v⁺ = v + h g + p/m, x⁺ = x + h v⁺, Coulomb's law takes exactly μ g_N h of the speed in every step, in the
//! direction of the motion, until what is left is less:
//!
//! ```text
//! v_k = V − k μ g h ,   way = h Σ_{k=1}^{n} v_k ,   n = ⌊V/(μ g h)⌋
//! ```
//!
//! Goal: the cone is round whatever the frame: on planes of any inclination to the axes, for any direction of the throw, the mass keeps its
//! direction to 1e-9 and its way is the sum to 1e-9 of it, with the normal impulse m g h in every step and none of friction at rest.
//!
//! Parameters: 40 planes with random normals, 16 directions each; μ = 0.3, g = 9.81 m/s² against the normal, V = 0.5 m/s,
//! h = 1e-3 s, m = 0.7 kg.

use delassus_contact::frame_from_normal;
use delassus_solver::{
    BlockMatrix, Cone, ContactProblem, Derived, Matrix, Method, SolverOptions, Vector, solve_in_order,
};
use nalgebra::Vector3;
use verification::show;

const MASS: f64 = 0.7;
const FRICTION: f64 = 0.3;
const GRAVITY: f64 = 9.81;
const SPEED: f64 = 0.5;
const STEP: f64 = 1e-3;

/// Throws the mass along a plane; where it comes to rest, and the largest error of a normal impulse relative to m g h.
fn throw(normal: Vector3<f64>, direction: Vector3<f64>) -> (Vector3<f64>, f64) {
    let frame = frame_from_normal(&normal).unwrap();
    let operator = BlockMatrix::<3>::dense(1, |_, _| Matrix::<3>::identity() / MASS);
    let (mut x, mut v) = (Vector3::zeros(), direction * SPEED);
    let mut p = vec![Vector::<3>::zeros()];
    let mut normal_error: f64 = 0.0;
    for _ in 0..400 {
        let free = v - normal * (GRAVITY * STEP);
        let mut law = Derived::standard(Cone::Coulomb(FRICTION));
        law.v_shift[0] = normal.dot(&x) / STEP;
        let problem =
            ContactProblem { operator: operator.clone(), v_free: vec![frame.transpose() * free], laws: vec![law] };
        let options = SolverOptions { tolerance: 1e-14, ..SolverOptions::default() };
        let reports = solve_in_order(&[Method::Nlgs], &problem, &mut p, &options);
        assert!(reports.iter().any(|r| r.converged), "{reports:?}");
        v = free + frame * p[0] / MASS;
        x += v * STEP;
        normal_error = normal_error.max((p[0][0] / (MASS * GRAVITY * STEP) - 1.0).abs());
    }
    assert!(v.norm() < 1e-12 * SPEED, "still moving with {v}");
    (x, normal_error)
}

#[test]
fn a_point_mass_keeps_its_direction_and_its_way_is_the_discrete_sum() {
    let taken = FRICTION * GRAVITY * STEP;
    let steps = (SPEED / taken).floor();
    let exact = STEP * (steps * SPEED - 0.5 * steps * (steps + 1.0) * taken);
    let (mut aside, mut way, mut push): (f64, f64, f64) = (0.0, 0.0, 0.0);
    // Normals spread over the sphere by the golden angle, the poles of the tangent field ±(1, 1, 1) included.
    let golden = |k: u32| {
        let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / 38.0;
        let (sin, cos) = (2.399_963_229_728_653 * f64::from(k)).sin_cos();
        Vector3::new(cos * (1.0 - z * z).sqrt(), sin * (1.0 - z * z).sqrt(), z)
    };
    let diagonal = Vector3::new(1.0, 1.0, 1.0).normalize();
    for normal in (0..38).map(golden).chain([diagonal, -diagonal]) {
        let frame = frame_from_normal(&normal).unwrap();
        for k in 0..16 {
            // Not along the tangents of the frame.
            let (sin, cos) = (0.1 + f64::from(k) * std::f64::consts::PI / 8.0).sin_cos();
            let direction: Vector3<f64> = frame.column(1) * cos + frame.column(2) * sin;
            let (x, normal_error) = throw(normal, direction);
            aside = aside.max((x - direction * direction.dot(&x)).norm() / exact);
            way = way.max((direction.dot(&x) / exact - 1.0).abs());
            push = push.max(normal_error);
        }
    }
    show(&format!("point mass: off its direction by {aside:.1e}, way {way:.1e}, normal impulse {push:.1e}"));
    assert!(aside <= 1e-9 && way <= 1e-9 && push <= 1e-9, "{aside:e} {way:e} {push:e}");
}
