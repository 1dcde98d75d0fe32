//! Few linear cells over the thickness of a slender part: it bends too little (or, with B-bar, too much).
//!
//! A bilinear cell has no curvature: bent, it shears. With n layers of cells, each of length l and height t/n, the layers' own
//! bending is the part 1/n² of the stiffness, and has in it the parasitic shear
//!
//! ```text
//! R = 1 − 1/n² + (1/n²) (E₁ + G (l n/t)²)/E'        stiffness in bending over the exact one
//! √R − 1                                            error of the first frequency
//! ```
//!
//! E' is the modulus of bending, E₁ that of a strain ε_xx with nothing free across the layer (Standard), or 4G/3, what B-bar leaves
//! of it (Cook, Malkus & Plesha 1989 give one layer of Standard cells in plane stress). Linear triangles and tetrahedra have instead of
//! E₁ + G s, s = (l n/t)²,
//!
//! ```text
//! a E₁ + G (b s + c/s)          a, b, c measured on cantilevers of the generated meshes, n = 1, 2, 4, s = 1/16 … 16
//! ```
//!
//! Prisms bend as triangles in the plane of their triangles, as hexahedra across it. Incompatible modes and quadratic cells have no such
//! error. The tests compute cantilevers and compare their first frequencies with all of this.

use delassus_error::digits::{percent, short};
use delassus_fem::{Body, Formulation};
use delassus_mesh::{CellKind, Facet};

use super::scales::Moduli;
use super::thickness::{Sheet, sheets};
use super::{Advice, AdviceView, EntryAdvice, Listed, gathered};
use delassus_dynamics::System;

/// Length over thickness from which a part counts as slender.
const SLENDER: f64 = 5.0;

/// Smallest error of the first frequency for which advice is given.
const TOLD: f64 = 0.1;

/// Beyond this width over thickness a part bends as a plate, below as a beam.
const PLATE: f64 = 3.0;

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    let mut findings = Vec::new();
    for (entry, given) in view.loaded.case.bodies.iter().enumerate() {
        let Some(first) = view.model.bodies.iter().find(|b| b.entry == entry) else { continue };
        let Some(body) = first.body.finite_elements() else { continue };
        let worst = sheets(body.mesh(), &|facet, normal| is_held(body, facet, normal))
            .into_iter()
            .filter(|s| s.slenderness() >= SLENDER)
            .filter_map(|s| frequency_error(body, given.formulation, &s).map(|e| (e, s)))
            .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        if let Some((error, sheet)) = worst.filter(|(e, _)| e.abs() >= TOLD) {
            let kind = body.mesh().cell(sheet.cell).0;
            findings.push(finding(view, entry, given.formulation, kind, error, &sheet));
        }
    }
    gathered("bending", Listed::Bodies, findings)
}

fn finding<const D: usize>(
    view: &AdviceView<'_, D>,
    entry: usize,
    formulation: Formulation,
    kind: CellKind,
    error: f64,
    sheet: &Sheet,
) -> EntryAdvice {
    let m = view.loaded.case.units.symbol(" m");
    let (better, set) = match kind {
        CellKind::Quad4 | CellKind::Hexahedron8 => {
            ("incompatible modes, accurate with one cell", String::from("formulation=IncompatibleModes"))
        }
        // No key of a case makes other cells of those of a file.
        _ => (
            "quadratic cells (`Mesh.ElementOrder = 2` in gmsh), or quadrilaterals and hexahedra with incompatible modes",
            String::new(),
        ),
    };
    let layers = sheet.layers.round().max(1.0);
    let cells = if layers > 1.0 { "cells" } else { "cell" };
    let slenderness = sheet.slenderness();
    let (way, sign) = if error > 0.0 { ("stiff", "+") } else { ("soft", "") };
    let text = format!(
        "{layers} {cells} ({} `{formulation:?}`) over the thickness of {}{m}, with a length of {slenderness:.0} \
         times the thickness: in bending it is too {way}, with an error of {sign}{} in its first frequency; better: \
         {better}",
        kind.name(),
        short(sheet.thickness),
        percent(error),
    );
    EntryAdvice { name: view.entry_name(entry).to_owned(), text, set }
}

/// Do supports keep a facet from moving along its normal?
fn is_held<const D: usize>(body: &Body<D>, facet: &Facet, normal: &[f64; D]) -> bool {
    let axis = (0..D).max_by(|&a, &b| normal[a].abs().total_cmp(&normal[b].abs())).unwrap_or(0);
    facet.nodes.iter().all(|n| body.prescribed().binary_search(&(D * n + axis)).is_ok())
}

/// √R − 1; none for cells without this error.
fn frequency_error<const D: usize>(body: &Body<D>, formulation: Formulation, sheet: &Sheet) -> Option<f64> {
    let moduli = Moduli::of(body, body.region_of_cell(sheet.cell)?)?;
    let (own, exact) = match sheet.width {
        None => (moduli.held, moduli.half_free),
        Some(width) if width > PLATE * sheet.thickness => (moduli.held, moduli.half_free),
        Some(_) => (moduli.half_free, moduli.free),
    };
    let layers = sheet.layers.max(1.0);
    let slope = (sheet.cell_length * layers / sheet.thickness).powi(2);
    let bent = match (body.mesh().cell(sheet.cell).0, formulation) {
        (CellKind::Quad4 | CellKind::Hexahedron8, Formulation::IncompatibleModes) => return None,
        (CellKind::Quad4 | CellKind::Hexahedron8, Formulation::BBar) => 4.0 / 3.0 * moduli.shear + moduli.shear * slope,
        (CellKind::Quad4 | CellKind::Hexahedron8, Formulation::Standard) => own + moduli.shear * slope,
        (CellKind::Prism6, _) if sheet.facet == CellKind::Triangle3 => own + moduli.shear * slope,
        (CellKind::Triangle3 | CellKind::Prism6, _) => simplex(TRIANGLE, own, moduli.shear, slope),
        (CellKind::Tetrahedron4, _) => simplex(TETRAHEDRON, own, moduli.shear, slope),
        _ => return None,
    };
    let share = 1.0 / (layers * layers);
    Some((1.0 - share + share * bent / exact).sqrt() - 1.0)
}

/// a, b, c of linear triangles and tetrahedra.
const TRIANGLE: [f64; 3] = [1.9, 2.8, 0.17];
const TETRAHEDRON: [f64; 3] = [1.6, 2.6, 0.0];

fn simplex([a, b, c]: [f64; 3], own: f64, shear: f64, slope: f64) -> f64 {
    a * own + shear * (b * slope + c / slope)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use delassus_case::lower::Generate;
    use delassus_sim::space::Dimension;
    use nalgebra::DMatrix;

    use super::*;

    /// A cantilever: `mesh` is the body's key, `rest` its other keys.
    fn case(dimension: usize, mesh: &str, rest: &str) -> delassus_case::Loaded {
        let hold = if dimension == 3 { "x: 0.0, y: 0.0, z: 0.0" } else { "x: 0.0, y: 0.0" };
        let text = format!(
            r#"(title: "beam", kinematics: SmallStrain, dimension: {dimension},
                materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
                bodies: [(name: "beam", mesh: {mesh}, material: "m", mass: Consistent, {rest})],
                boundary: [(body: "beam", group: "left", {hold})],
                integrator: Theta(theta: 0.5), step: 1.0, duration: 1.0)"#
        );
        delassus_case::Loaded::from_text(Path::new("beam.ron"), text, &[]).unwrap_or_else(|e| panic!("{e}"))
    }

    /// A symmetric matrix from the entries of its lower triangle, on the free dofs.
    fn dense<'a>(lower: impl Iterator<Item = (usize, usize, &'a f64)>, free: &[usize]) -> DMatrix<f64> {
        let at = |dof: usize| free.binary_search(&dof).ok();
        let mut out = DMatrix::zeros(free.len(), free.len());
        for (i, j, &a) in lower {
            if let (Some(i), Some(j)) = (at(i), at(j)) {
                (out[(i, j)], out[(j, i)]) = (a, a);
            }
        }
        out
    }

    /// ω² of the slowest mode: the largest eigenvalue of L⁻¹ M L⁻ᵀ with K = L Lᵀ, inverted.
    fn slowest<const D: usize>(loaded: &delassus_case::Loaded) -> (f64, f64)
    where
        Dimension<D>: Generate<D>,
    {
        let model = loaded.model::<D>().unwrap_or_else(|e| panic!("{e}"));
        let body = model.bodies[0].body.finite_elements().unwrap();
        let free: Vec<usize> = (0..body.n_dof()).filter(|d| body.prescribed().binary_search(d).is_err()).collect();
        let stiffness = dense(body.matrices().stiffness.triplet_iter(), &free).cholesky().unwrap();
        let mass = dense(body.matrices().mass.triplet_iter(), &free);
        // Inverse iteration: the second mode is 6 times as fast, 40 in ω².
        let mut x = nalgebra::DVector::from_element(free.len(), 1.0);
        let mut omega = 0.0;
        for _ in 0..12 {
            let y = stiffness.solve(&(&mass * &x));
            omega = (x.dot(&(&mass * &x)) / x.dot(&(&mass * &y))).sqrt();
            x = &y / y.norm();
        }
        let given = loaded.case.bodies[0].formulation;
        let predicted = sheets(body.mesh(), &|f, n| is_held(body, f, n))
            .iter()
            .filter(|s| s.slenderness() >= SLENDER)
            .filter_map(|s| frequency_error(body, given, s))
            .fold(0.0_f64, |m, e| if e.abs() > m.abs() { e } else { m });
        (omega, predicted)
    }

    /// The first frequency of a cantilever over that of a fine one, and what is predicted, within a part of the frequency.
    fn check<const D: usize>(fine: f64, mesh: &str, rest: &str, tolerance: f64) -> f64
    where
        Dimension<D>: Generate<D>,
    {
        let (omega, predicted) = slowest::<D>(&case(D, mesh, rest));
        let measured = omega / fine - 1.0;
        let off = (predicted - measured).abs() / (1.0 + measured);
        assert!(off < tolerance, "{mesh} {rest}: measured {measured:+.4}, predicted {predicted:+.4}");
        measured
    }

    /// Plane strain, ν = 0.3, 10 times as long as thick. What the formula leaves out is the shear of the beam itself and the
    /// clamped end: 1 % of the frequency; triangles have a fit.
    #[test]
    fn cantilevers_in_the_plane() {
        let mesh = |n: usize, cells: usize, element: &str| {
            format!("Rectangle(corner: (0, 0), size: (10, 1), cells: ({cells}, {n}), element: {element})")
        };
        let right = "formulation: IncompatibleModes";
        let fine = slowest::<2>(&case(2, &mesh(4, 40, "Quad4"), right)).0;
        for (n, cells) in [(1, 10), (1, 20), (2, 10), (2, 20)] {
            for formulation in ["formulation: Standard", "formulation: BBar"] {
                check::<2>(fine, &mesh(n, cells, "Quad4"), formulation, 0.01);
            }
            check::<2>(fine, &mesh(n, cells, "Triangle3"), "", 0.06);
            // The better choice is right with one cell, and nothing is predicted for it.
            check::<2>(fine, &mesh(n, cells, "Quad4"), right, 0.01);
        }
        // As bad as is said: one square cell, and two of twice their height.
        assert!(check::<2>(fine, &mesh(1, 10, "Quad4"), "", 0.01) > 0.2);
        assert!(check::<2>(fine, &mesh(2, 10, "Quad4"), "", 0.01) > 0.15);
    }

    /// In space, as a beam. The width has two cells at most, which holds back the bulging of the sides: 2 % of the frequency.
    #[test]
    fn cantilevers_in_space() {
        let mesh = |n: usize, cells: usize, element: &str| {
            format!("Box(corner: (0, 0, 0), size: (10, 1, 2), cells: ({cells}, {n}, 2), element: {element})")
        };
        let fine = slowest::<3>(&case(3, &mesh(2, 20, "Hexahedron8"), "formulation: IncompatibleModes")).0;
        for (n, cells) in [(1, 10), (2, 10)] {
            check::<3>(fine, &mesh(n, cells, "Hexahedron8"), "", 0.03);
            check::<3>(fine, &mesh(n, cells, "Tetrahedron4"), "", 0.08);
            check::<3>(fine, &mesh(n, cells, "Prism6"), "", 0.08);
        }
    }

    /// A strip that may bend is told of, with the key; not one with the better cells, a stocky one, or one that is held along its side.
    #[test]
    fn who_is_told() {
        use super::super::tests::{advice_of, check_advice};
        let strip = |cells: &str, rest: &str, held: &str| {
            format!(
                r#"(title: "strip", kinematics: SmallStrain, materials: [(name: "m", density: 1.0, law: KelvinVoigt(young: 1.0, poisson: 0.3))],
                    bodies: [(name: "strip", mesh: Rectangle(corner: (0, 0), size: (10, 1), cells: {cells}), material: "m", {rest})],
                    boundary: [(body: "strip", group: "{held}", x: 0.0, y: 0.0)],
                    integrator: Theta(theta: 0.5), step: 1.0, duration: 1.0)"#
            )
        };
        let pieces = [
            "body `strip`: 2 cells (Quad4 `Standard`) over the thickness of 1 m, with a length of 10 times the \
             thickness: in bending it is too stiff, with an error of +19 % in its first frequency",
            "(--set bodies.strip.formulation=IncompatibleModes)",
        ];
        check_advice(&strip("(10, 2)", "", "left"), &pieces);
        let pieces = ["1 cell (Quad4 `BBar`)", "too soft, with an error of -26 % in its first frequency"];
        check_advice(&strip("(20, 1)", "formulation: BBar", "left"), &pieces);
        let is_silent = |text: &str| advice_of(text).iter().all(|a| !a.contains("in bending"));
        assert!(is_silent(&strip("(10, 2)", "formulation: IncompatibleModes", "left")));
        assert!(is_silent(&strip("(40, 4)", "", "left")));
        assert!(is_silent(&strip("(10, 2)", "", "bottom")));
    }
}
