//! Materials: cells that lock with a nearly incompressible one, and a flow that makes tangents unsymmetric.
//!
//! ```text
//! κ/μ = 2(1 + ν)/(3(1 − 2ν))        50 for ν = 0.49
//! ```
//!
//! A linear quadrilateral or hexahedron of the form `Standard` has a volume to keep at each of its quadrature points, more than its nodes have motions; mean dilatation
//! (`BBar`) has one for the cell.

use delassus_fem::{Body, Formulation, Section};
use delassus_mesh::CellKind;

use super::scales::Moduli;
use super::{Advice, AdviceView, EntryAdvice, gathered};

/// Ratio of bulk to shear modulus from which advice is given: ν = 0.49.
const STIFF: f64 = 49.0;

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    let (mut locking, mut flowing) = (Vec::new(), Vec::new());
    for (entry, given) in view.loaded.case.bodies.iter().enumerate() {
        let Some(first) = view.model.bodies.iter().find(|b| b.entry == entry) else { continue };
        let Some(body) = first.body.finite_elements() else { continue };
        let name = || view.entry_name(entry).to_owned();
        if given.formulation == Formulation::Standard
            && let Some(ratio) = locks(body)
        {
            let text = format!(
                "its bulk modulus is {ratio:.0} times its shear modulus, and linear cells of the form `Standard` lock; better: mean dilatation"
            );
            locking.push(EntryAdvice { name: name(), text, set: "formulation=BBar".into() });
        }
        if let Some(region) = body.regions().iter().find(|r| !r.material.has_symmetric_tangent()) {
            let text = format!(
                "the flow of `{}` is not associated: operators have the symmetric part of its tangent; results stay exact, steps need more passes",
                region.name
            );
            flowing.push(EntryAdvice { name: name(), text, set: String::new() });
        }
    }
    let mut all = gathered("locking", "bodies", locking);
    all.extend(gathered("material", "bodies", flowing));
    all
}

/// The largest κ/μ of cells that lock with it.
fn locks<const D: usize>(body: &Body<D>) -> Option<f64> {
    if matches!(body.section(), Section::PlaneStress { .. }) {
        return None;
    }
    let mesh = body.mesh();
    let is_linear = |cell: usize| matches!(mesh.cell(cell).0, CellKind::Quad4 | CellKind::Hexahedron8);
    let regions = mesh.bulk_cells().filter(|c| is_linear(c.0)).filter_map(|c| body.region_of_cell(c.0));
    let ratio = |region: usize| Moduli::of(body, region).map(|m| m.held / m.shear - 4.0 / 3.0);
    let most = regions.collect::<std::collections::BTreeSet<_>>().into_iter().filter_map(ratio).fold(0.0, f64::max);
    (most >= STIFF).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{advice_of, check_advice};

    fn block(poisson: f64, formulation: &str, law: &str) -> String {
        let law = law.replace("NU", &poisson.to_string());
        format!(
            r#"(title: "block",
                kinematics: SmallStrain,
                materials: [(name: "m", density: 1.0, law: {law})],
                bodies: [(name: "block", mesh: Rectangle(corner: (0, 0), size: (1, 1), cells: (2, 2)), material: "m", formulation: {formulation})],
                boundary: [(body: "block", group: "bottom", x: 0, y: 0)],
                integrator: Theta(theta: 1.0), step: 1e-2, duration: 1e-1)"#
        )
    }

    #[test]
    fn cells_that_lock_are_named() {
        let rubber = "KelvinVoigt(young: 1.0, poisson: NU)";
        check_advice(&block(0.495, "Standard", rubber), &["block", "lock", "formulation=BBar"]);
        for (poisson, formulation) in [(0.48, "Standard"), (0.495, "BBar")] {
            let said = advice_of(&block(poisson, formulation, rubber));
            assert!(!said.iter().any(|a| a.contains("lock;")), "{said:?}");
        }
    }

    #[test]
    fn a_flow_that_is_not_associated_is_told() {
        let soil = "DruckerPrager(young: 1.0, poisson: NU, cohesion: 0.1, friction_angle: 30, dilation_angle: 5)";
        check_advice(&block(0.3, "Standard", soil), &["not associated", "symmetric part", "more passes"]);
        let said = advice_of(&block(0.3, "Standard", &soil.replace(", dilation_angle: 5", "")));
        assert!(!said.iter().any(|a| a.contains("associated")), "{said:?}");
    }
}
