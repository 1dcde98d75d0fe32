//! A matrix crack that meets a fibre with a weak interface.
//!
//! Reference: Jean, Acary & Monerie 2001, §7, which describes it without figures: the crack is deviated along the interface, the fibre bridges
//! it and is drawn out with friction, the composite is ductile. Until damage begins: two bars that the interface's springs hold together,
//! the matrix with the springs of the crack plane at its end (shear lag),
//!
//! ```text
//! a = E A,   k = C_T P,   k₀ = C_N A_m,   λ² = k (1/a_f + 1/a_m)          P girth of the fibre, L length
//! F L = (a_f + a_m) δ − a_m g,   g (k₀ + λ coth(λL) a_f a_m/(a_f + a_m)) = F a_m/(a_f + a_m)
//! ```
//!
//! Goal: bonds between the sides of a split body, round a cylinder, in a periodic cell; damage that runs; the ledger with all of it.
//!
//! Load: the lateral sides are free of shear and the interface is in balance with itself, so that ∫ σ_zz dV = F L at rest.
//!
//! Coarse mesh of 540 hexahedra, steps of 4 µs: a cross-section of a dodecagon. Results hardly depend on the step (nothing is inert).

use delassus_sim::engine::Engine;
use delassus_sim::step::step;
use delassus_sim::timings::Timings;
use verification::{Run, load, run, show};

const COARSE: [&str; 3] = ["bodies.cell.mesh=File(\"../meshes/fibre-cell-coarse.msh\")", "step=4e-6", "verify=None"];

/// Data of the case, in SI: energies of both bonds, length of the cell, radius of the fibre, side of the cell.
const ENERGY: f64 = 0.5;
const LENGTH: f64 = 60e-6;
const RADIUS: f64 = 7.5e-6;
const SIDE: f64 = 20e-6;
/// Edges of the fibre's circle in the coarse mesh.
const EDGES: f64 = 12.0;
/// Steps of the squeeze, before the pull.
const SQUEEZE: usize = 1;

/// Areas of fibre and matrix, and the fibre's girth.
fn section() -> (f64, f64, f64) {
    let angle = std::f64::consts::PI / EDGES;
    let fibre = EDGES * RADIUS * RADIUS * angle.sin() * angle.cos();
    (fibre, SIDE * SIDE - fibre, 2.0 * EDGES * RADIUS * angle.sin())
}

/// Stiffness F/δ of the bonded cell and of one whose bonds are rigid [N/m].
fn stiffness() -> (f64, f64) {
    let (fibre, matrix, girth) = section();
    let (a_f, a_m) = (200e9 * fibre, 400e9 * matrix);
    let whole = a_f + a_m;
    let lambda = (4e15 * girth * (1.0 / a_f + 1.0 / a_m)).sqrt();
    let gap_over_force = a_m / whole / (8e16 * matrix + lambda / (lambda * LENGTH).tanh() * a_f * a_m / whole);
    (whole / (LENGTH + a_m * gap_over_force), whole / LENGTH)
}

fn axial_force(run: &Run) -> Vec<f64> {
    let (fibre, matrix, _) = section();
    let (in_fibre, in_matrix) = (run.column("fibre.szz"), run.column("matrix.szz"));
    in_fibre.iter().zip(&in_matrix).map(|(f, m)| f * fibre + m * matrix).collect()
}

#[test]
fn a_matrix_crack_is_bridged_by_the_fibre() {
    let run = run(&load("fibre-matrix", &COARSE));
    let (force, pulled) = (axial_force(&run), run.column("top.uz"));
    let (crack, interface) = (run.column("crack.bonded_area"), run.column("interface.bonded_area"));
    let across = run.column("crack.force_z");

    // The last step before anything is damaged.
    let whole = run.column("damage_dissipation").iter().rposition(|&d| d == 0.0).unwrap();
    assert!(whole > SQUEEZE + 5);
    let slope = (force[whole] - force[SQUEEZE + 1]) / (pulled[whole] - pulled[SQUEEZE + 1]);
    let (bonded, rigid) = stiffness();
    show(&format!("stiffness {slope:.4e} N/m, shear lag {bonded:.4e}, rigid bonds {rigid:.4e}"));
    // Sections do not stay plane near the crack: an elastic layer of the bars adds its compliance to that of the bonds.
    assert!((slope / bonded - 1.0).abs() < 0.01, "{slope:e} is not {bonded:e}");

    // The crack breaks through at once, at the strength of the bond (200 MPa) on the whole of the matrix, and stays broken.
    let strength = 200e6 * section().1;
    let most = across.iter().fold(0.0_f64, |m, f| m.max(-f));
    show(&format!("load across the crack {most:.3e} N of {strength:.3e}, then {:.1e}", across.last().unwrap()));
    // From one step to the next the load rises by a tenth of it.
    assert!(most < strength && most > 0.85 * strength, "{most:e}");
    assert!(crack[whole + 1] < 0.05 * crack[0] && *crack.last().unwrap() < 0.005 * crack[0]);

    // The load falls by less than half, the fibre carries all of it, and it rises again beyond the first peak.
    let (peak, rest, end) = (force[whole], force[whole + 1], *force.last().unwrap());
    show(&format!("load {peak:.3e} N, {rest:.3e} N after the crack, {end:.3e} N at the end"));
    assert!(rest > 0.6 * peak && rest < 0.9 * peak, "{rest:e} of {peak:e}");
    assert!(end > rest * 1.2);
    for i in whole + 1..force.len() {
        assert!(-across[i] < 0.01 * force[i], "the matrix carries nothing across the crack: {:e}", across[i]);
    }

    // Damage only grows, and it takes w for each area that it has broken, as far as it is counted before it is done: the opening of the
    // step's start. What a sudden break takes beyond that the ledger has as the time step's.
    for area in [&crack, &interface] {
        assert!(area.windows(2).all(|a| a[1] <= a[0]), "{area:?}");
    }
    let spent = ENERGY * (crack[0] - crack.last().unwrap() + interface[0] - interface.last().unwrap());
    let (damage, friction) = (run.last("damage_dissipation"), run.last("friction_dissipation"));
    show(&format!("damage {damage:.3e} J of {spent:.3e} J, friction {friction:.3e} J"));
    assert!(damage <= spent && damage > 0.5 * spent, "{damage:e} of {spent:e}");
    assert!(friction > 0.5 * damage, "the fibre is drawn out with friction");
    // Pressure does no work: but for facets that tilt by 1e-4 while the fibre slides along them (with normals of single facets a fifth).
    let (pushed, work) = (run.largest("contact_work"), run.last("external_work"));
    show(&format!("work of the pressure {pushed:.1e} J of {work:.1e} J"));
    assert!(pushed < 1e-3 * work, "{pushed:e}");
    let ledger = run.largest("energy_residual");
    show(&format!("ledger {ledger:.1e}"));
    assert!(ledger < 1e-9, "{ledger:e}");
}

#[test]
fn damage_climbs_along_the_fibre() {
    let model = load("fibre-matrix", &COARSE).model::<3>().unwrap();
    let mut engine = Engine::new(&model).unwrap();
    let mut timings = Timings::default();
    let mut from = engine.start().unwrap();
    let mut old: Vec<f64> = Vec::new();
    let mut fronts = Vec::new();
    for _ in 0..15 {
        let outcome = step(&mut engine, &mut timings, &from, model.h).unwrap();
        assert!(outcome.converged(), "{}", outcome.description());
        let damage: Vec<f64> = outcome.touches.iter().map(|t| t.history.z[0]).collect();
        // Every candidate is in sight all the time, in the same order.
        assert_eq!(damage.len(), 192);
        assert!(damage.iter().zip(&old).all(|(new, old)| new >= old && *new <= 1.0));
        // Mean damage of the interface (the second pair) in each layer of nodes, from the crack plane up.
        let mut layers = [0.0; 13];
        for (touch, d) in outcome.touches.iter().zip(&damage).filter(|(touch, _)| touch.contact.key.pair == 1) {
            layers[(touch.contact.point[2] / LENGTH * 12.0).round() as usize] += d / EDGES;
        }
        // From the crack up: where it is broken by half it is broken below, and above the damage dies away.
        assert!(layers.windows(2).all(|d| d[1] <= d[0] + 1e-6), "{layers:.3?}");
        fronts.push(layers.iter().filter(|d| **d > 0.5).count());
        show(&format!("{layers:.3?}"));
        old = damage;
        from = outcome.snapshot;
    }
    show(&format!("layers damaged by half {fronts:?}"));
    assert!(fronts[8] == 0 && fronts.is_sorted() && fronts[14] >= 3, "{fronts:?}");
}
