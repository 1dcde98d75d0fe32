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
//! of it (Cook, Malkus & Plesha 1989, §6.6 and §8.4 give one layer in plane stress). Linear triangles, tetrahedra and prisms: the same
//! with factors that are measured (`SHEAR_OF` below; the tests measure them again). Incompatible modes and quadratic cells have no such error.

use delassus_error::digits::{percent, short};
use delassus_fem::{Body, Formulation};
use delassus_mesh::{CellKind, Facet};

use super::scales::Moduli;
use super::thickness::{Sheet, sheets};
use super::{Advice, Finding, View, gathered};
use delassus_dynamics::System;

/// Length over thickness from which a part counts as slender.
const SLENDER: f64 = 5.0;

/// Error of the first frequency from which it is told.
const TOLD: f64 = 0.05;

/// Beyond this width over thickness a part bends as a plate, below as a beam.
const PLATE: f64 = 3.0;

pub(super) fn advise<const D: usize>(view: &View<'_, D>) -> Vec<Advice> {
    let mut findings = Vec::new();
    for (entry, given) in view.loaded.case.bodies.iter().enumerate() {
        let Some(first) = view.model.bodies.iter().find(|b| b.entry == entry) else { continue };
        let body = &first.body;
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
    gathered("bending", "bodies", findings)
}

fn finding<const D: usize>(
    view: &View<'_, D>,
    entry: usize,
    formulation: Formulation,
    kind: CellKind,
    error: f64,
    sheet: &Sheet,
) -> Finding {
    let m = view.loaded.case.units.symbol(" m");
    let (better, set) = match kind {
        CellKind::Quad4 | CellKind::Hexahedron8 => {
            ("incompatible modes, right with one cell", String::from("formulation=IncompatibleModes"))
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
        "{layers} {cells} ({} `{formulation:?}`) over the thickness of {}{m}, {slenderness:.0} times that long: if it bends it is too {way}, \
         first frequency {sign}{}; better: {better}",
        kind.name(),
        short(sheet.thickness),
        percent(error),
    );
    Finding { name: view.entry_name(entry).to_owned(), text, set }
}

/// Do supports keep a facet from moving along its normal?
fn is_held<const D: usize>(body: &Body<D>, facet: &Facet, normal: &[f64; D]) -> bool {
    let axis = (0..D).max_by(|&a, &b| normal[a].abs().total_cmp(&normal[b].abs())).unwrap_or(0);
    facet.nodes.iter().all(|n| body.prescribed().binary_search(&(D * n + axis)).is_ok())
}

/// √R − 1; none for cells that bend rightly.
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
        (CellKind::Triangle3, _) => TRIANGLE[0] * own + TRIANGLE[1] * moduli.shear * slope,
        (CellKind::Tetrahedron4, _) => TETRAHEDRON[0] * own + TETRAHEDRON[1] * moduli.shear * slope,
        (CellKind::Prism6, _) => PRISM[0] * own + PRISM[1] * moduli.shear * slope,
        _ => return None,
    };
    let share = 1.0 / (layers * layers);
    Some((1.0 - share + share * bent / exact).sqrt() - 1.0)
}

/// Factors of E₁ and of G (l n/t)² for linear cells without a formula.
const TRIANGLE: [f64; 2] = [3.0, 3.0];
const TETRAHEDRON: [f64; 2] = [3.0, 3.0];
const PRISM: [f64; 2] = [1.0, 1.0];

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
            r#"(title: "beam", dimension: {dimension},
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
        let body = &model.bodies[0].body;
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

    #[test]
    fn measure_table() {
        let fine = slowest::<2>(&case(
            2,
            "Rectangle(corner: (0, 0), size: (10, 1), cells: (40, 4))",
            "formulation: IncompatibleModes",
        ))
        .0;
        for element in ["Quad4", "Triangle3"] {
            for formulation in ["Standard", "BBar"] {
                for n in [1, 2, 4] {
                    for cells in [10, 20, 40] {
                        let mesh = format!(
                            "Rectangle(corner: (0, 0), size: (10, 1), cells: ({cells}, {n}), element: {element})"
                        );
                        let (w, p) = slowest::<2>(&case(2, &mesh, &format!("formulation: {formulation}")));
                        println!(
                            "{element} {formulation} n={n} cells={cells} measured {:+.4} predicted {:+.4}",
                            w / fine - 1.0,
                            p
                        );
                    }
                }
            }
        }
        let fine = slowest::<3>(&case(
            3,
            "Box(corner: (0, 0, 0), size: (10, 1, 1.2), cells: (20, 2, 2))",
            "formulation: IncompatibleModes",
        ))
        .0;
        for element in ["Hexahedron8", "Tetrahedron4", "Prism6"] {
            for n in [1, 2] {
                for cells in [10, 20] {
                    let mesh = format!(
                        "Box(corner: (0, 0, 0), size: (10, 1, 1.2), cells: ({cells}, {n}, {n}), element: {element})"
                    );
                    let (w, p) = slowest::<3>(&case(3, &mesh, ""));
                    println!("{element} n={n} cells={cells} measured {:+.4} predicted {:+.4}", w / fine - 1.0, p);
                }
            }
        }
    }
}
