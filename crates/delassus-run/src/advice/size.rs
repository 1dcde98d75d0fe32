//! Meshes of files whose coordinates are probably not in metres: they are far larger than everything that the case itself makes.

use delassus_case::spec::MeshSpec;
use delassus_error::digits::short;

use super::scales::longest_extent;
use super::{Advice, AdviceView, EntryAdvice, Listed, gathered};

/// Bodies of one model differ by less than this in size; millimetres taken for metres make it a thousand times as much.
const ODD: f64 = 100.0;

pub(super) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice> {
    let m = view.loaded.case.units.symbol(" m");
    let entries = &view.loaded.case.bodies;
    let is_file =
        |entry: usize| matches!(entries[entry].mesh, MeshSpec::File(_)) && (entries[entry].scale - 1.0).abs() <= 0.0;
    let first_of_each = view.model.bodies.chunk_by(|a, b| a.entry == b.entry).map(|copies| &copies[0]);
    let sizes: Vec<(usize, f64)> =
        first_of_each.filter_map(|b| Some((b.entry, longest_extent(&b.body.mesh().points)?.1))).collect();
    let of_the_case = sizes.iter().filter(|(entry, _)| !is_file(*entry)).map(|(_, size)| *size).fold(0.0, f64::max);
    let odd = |(entry, size): &&(usize, f64)| is_file(*entry) && of_the_case > 0.0 && *size > ODD * of_the_case;
    let finding = |(entry, size): &(usize, f64)| EntryAdvice {
        name: view.entry_name(*entry).to_owned(),
        text: format!(
            "it is {}{m} long, bodies that do not come from a file at most {}{m}; if the coordinates in its file are millimetres",
            short(*size),
            short(of_the_case)
        ),
        set: "scale=1e-3".into(),
    };
    gathered("size", Listed::Bodies, sizes.iter().filter(odd).map(finding).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{advice_of, check_advice};

    const CASE: &str = r#"(
        title: "sizes",
        materials: [(name: "m", density: 1000, law: KelvinVoigt(young: 1e6, poisson: 0.3))],
        bodies: [
            (name: "plate", mesh: File("@/../delassus-mesh/tests/data/plate_q8.inp"), material: "m"%KEYS),
            (name: "grain", mesh: Disk(centre: (100, 100), radius: 0.004, core: (2, 2), rings: 1), material: "m"),
        ],
        integrator: Theta(theta: 0.5), step: 1e-6, duration: 1e-5,
    )"#;

    /// The plate of the file is one metre long.
    #[test]
    fn millimetres() {
        let case = |keys: &str| CASE.replace("@", env!("CARGO_MANIFEST_DIR")).replace("%KEYS", keys);
        check_advice(
            &case(""),
            &[
                "body `plate`: it is",
                "bodies that do not come from a file at most 0.008",
                "(--set bodies.plate.scale=1e-3)",
            ],
        );
        let said = advice_of(&case(", scale: Mm(1)"));
        assert!(!said.iter().any(|a| a.contains("scale=")), "{said:?}");
    }
}
