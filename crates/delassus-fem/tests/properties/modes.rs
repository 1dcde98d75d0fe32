//! Natural frequencies: a bar against the exact ones of its mesh and of the continuum, a cantilever against Timoshenko's beam, a free cube against Lamé's exact
//! modes and against the Rayleigh–Ritz method, a block of aluminium against published computations and measurements.

use std::f64::consts::PI;
use std::sync::Arc;

use delassus_dynamics::{Mode, System, modes};
use delassus_fem::{Body, BodyInput, KelvinVoigt, MassKind, PrescribedVelocity, Section, TimeFunction};
use delassus_mesh::{CellKind, Mesh, generate};

use crate::support::build;

/// E, ν, ρ = 1 unless a test says otherwise.
fn input<const D: usize>(mesh: Mesh<D>, poisson: f64) -> BodyInput<D> {
    BodyInput::new("body", Arc::new(mesh), build(KelvinVoigt::elastic(1.0, poisson), 1.0))
}

fn held(group: &str, component: usize) -> PrescribedVelocity {
    PrescribedVelocity { group: group.to_owned(), component, velocity: TimeFunction::Constant(0.0) }
}

/// Modes are orthonormal in M, their frequencies ascend, and they satisfy K φ = ω² M φ.
fn check<const D: usize>(body: &Body<D>, found: &[Mode]) {
    for (j, a) in found.iter().enumerate() {
        let mut mass = vec![0.0; body.n_dof()];
        body.mass_times_into(&a.shape, &mut mass);
        for (k, b) in found.iter().enumerate() {
            let product: f64 = mass.iter().zip(&b.shape).map(|(m, x)| m * x).sum();
            let exact = f64::from(u8::from(j == k));
            assert!((product - exact).abs() < 1e-8, "{j}, {k}: {product}");
        }
        assert!(a.residual < 1e-5, "mode {j}: residual {:e}", a.residual);
    }
    assert!(found.is_sorted_by(|a, b| a.omega <= b.omega * (1.0 + 1e-12)));
}

/// A bar held at one end that moves along its axis alone. With a lumped mass a mesh of n cells has ω_j = (2/l) sin(k_j l/2), l = L/n and k_j = (2j − 1)π/2L,
/// exactly; the bar itself ω_j = k_j.
#[test]
fn a_bar_has_the_frequencies_of_its_mesh() {
    let (length, n) = (2.0, 40);
    let mesh = generate::rectangle([0.0, 0.0], [length, 0.1], [n, 1], CellKind::Quad4, 1).unwrap();
    let prescribed = vec![held("left", 0), held("body", 1)];
    let body = Body::new(BodyInput {
        prescribed,
        mass: MassKind::Lumped,
        section: Section::PlaneStrain { thickness: 0.3 },
        ..input(mesh, 0.0)
    })
    .unwrap();
    // The upper and the lower row of nodes can move against each other: those modes begin at √12/0.1.
    let found = modes(&body, 8, length).unwrap();
    check(&body, &found);
    for (j, mode) in found.iter().enumerate() {
        let k = (2 * j + 1) as f64 * PI / (2.0 * length);
        let cell = length / n as f64;
        let discrete = 2.0 / cell * (0.5 * k * cell).sin();
        assert!((mode.omega / discrete - 1.0).abs() < 1e-10, "{j}: {} against {discrete}", mode.omega);
        // (k l)²/24 is the error of the mesh.
        assert!((mode.omega / k - 1.0).abs() < (k * cell).powi(2) / 20.0, "{j}: {} against {k}", mode.omega);
    }
}

/// Cantilever of 10 × 1 × 1 in space, H20, ν = 0, so that the clamp hinders no contraction: the first bending frequency of Timoshenko's beam is 0.99349 of Euler and Bernoulli's 3.5160 √(EI/ρA)/L² (Huang 1961 with the shear factor
/// 5(1+ν)/(6+5ν) of Cowper 1966); it comes twice, and the first torsion is (π/2L) √(GJ/ρI_p), J = 0.14058.
#[test]
fn a_cantilever_has_the_frequencies_of_a_beam() {
    let (length, poisson) = (10.0, 0.0);
    let mesh = generate::block([0.0, -0.5, -0.5], [length, 1.0, 1.0], [8, 2, 2], CellKind::Hexahedron8, 1).unwrap();
    let prescribed = (0..3).map(|i| held("left", i)).collect();
    // A lumped mass has half as much inertia again about the axis.
    let mass = MassKind::Consistent;
    let body = Body::new(BodyInput { prescribed, mass, ..input(mesh.to_quadratic().unwrap(), poisson) }).unwrap();
    let found = modes(&body, 5, length).unwrap();
    check(&body, &found);
    let bernoulli = 3.516_015 * (1.0_f64 / 12.0).sqrt() / (length * length);
    let first = 0.99349 * bernoulli;
    let torsion = PI / (2.0 * length) * (0.5 / (1.0 + poisson) * 0.140_58 / (1.0 / 6.0)).sqrt();
    for mode in &found[..2] {
        assert!((mode.omega / first - 1.0).abs() < 0.01, "{} against {first}", mode.omega);
    }
    assert!((found[0].omega / found[1].omega - 1.0).abs() < 1e-8, "equal in both directions");
    let near = found.iter().map(|m| (m.omega / torsion - 1.0).abs()).fold(f64::INFINITY, f64::min);
    assert!(near < 0.02, "no torsion at {torsion}: {:?}", found.iter().map(|m| m.omega).collect::<Vec<_>>());
}

/// A free cube of side 1 with ν = 0.3: six rigid motions; Lamé's modes u = (cos πx sin πy, −sin πx cos πy, 0) and those of the other two planes, ω = √2 π √(μ/ρ), exactly; the others from the
/// Rayleigh–Ritz method with polynomials of degree 12 (Demarest 1971, Visscher et al. 1991; computed apart, converged to 5e-5).
#[test]
fn a_free_cube_has_its_frequencies() {
    let n = 4;
    let mesh = generate::block([0.0; 3], [1.0; 3], [n; 3], CellKind::Hexahedron8, 1).unwrap().to_quadratic().unwrap();
    let body = Body::new(BodyInput { mass: MassKind::Consistent, ..input(mesh, 0.3) }).unwrap();
    let found = modes(&body, 6 + RITZ.len(), 1.0).unwrap();
    check(&body, &found);
    assert!(found[..6].iter().all(|m| m.omega <= 0.0), "rigid motions");
    for (mode, exact) in found[6..].iter().zip(RITZ) {
        // A mesh is too stiff: never below, but for rounding.
        let error = mode.omega / exact - 1.0;
        assert!((-1e-4..3e-3).contains(&error), "{} against {exact}: {error:.1e}", mode.omega);
    }
    let lame = std::f64::consts::SQRT_2 * PI * (0.5_f64 / 1.3).sqrt();
    let near = found.iter().filter(|m| (m.omega / lame - 1.0).abs() < 3e-3).count();
    assert!(near >= 3, "three of Lamé's modes at {lame}");
}

/// ω of the elastic modes, ascending.
const RITZ: [f64; 11] =
    [1.77126, 1.77126, 2.38518, 2.38518, 2.38518, 2.42566, 2.42566, 2.42566, 2.755_359, 2.755_359, 2.755_359];

/// A free block of aluminium, nearly a cube, 11.92 × 10.93 × 9.86 mm: what Ogi, Sato, Asada and Hirao (2002) computed for it with the moduli that they had found, and what they
/// measured. Their two lists differ by up to 0.5 % in these modes. On 8³ cells ours are within 0.16 % of what they computed, from moduli and sides of four digits; 6³ cells add 0.06 %.
#[test]
fn a_block_of_aluminium_has_the_published_frequencies() {
    let (mu, lambda) = (26.72e9, 109.26e9 - 2.0 * 26.72e9);
    let (young, poisson) = (mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu), 0.5 * lambda / (lambda + mu));
    let size = [11.92e-3, 10.93e-3, 9.86e-3];
    let mesh = generate::block([0.0; 3], size, [6; 3], CellKind::Hexahedron8, 1).unwrap().to_quadratic().unwrap();
    let material = build(KelvinVoigt::elastic(young, poisson), 2788.0);
    let mass = MassKind::Consistent;
    let body = Body::new(BodyInput { mass, ..BodyInput::new("block", Arc::new(mesh), material) }).unwrap();
    let found = modes(&body, 6 + COMPUTED.len(), 4e-6).unwrap();
    check(&body, &found);
    for ((mode, computed), measured) in found[6..].iter().zip(COMPUTED).zip(MEASURED) {
        let frequency = mode.omega / (2.0 * PI) / 1e3;
        assert!((frequency / computed - 1.0).abs() < 2.5e-3, "{frequency} kHz, computed {computed}");
        assert!((frequency / measured - 1.0).abs() < 6e-3, "{frequency} kHz, measured {measured}");
    }
}

/// Their frequencies \[kHz\], computed and measured.
const COMPUTED: [f64; 12] =
    [116.32, 143.186, 158.44, 166.113, 169.338, 178.36, 184.57, 185.078, 190.206, 197.692, 201.462, 207.096];
const MEASURED: [f64; 12] =
    [116.716, 143.783, 158.081, 166.5, 169.523, 177.846, 183.875, 186.047, 190.341, 197.386, 201.133, 207.386];
