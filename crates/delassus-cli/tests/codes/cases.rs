//! Cases that contradict themselves, beyond those of `delassus-cli/tests/bad_input`.

use std::path::Path;

use delassus_case::{CaseError, Loaded};
use delassus_error::{Code, Coded};
use delassus_run::RunError;
use delassus_run::check::check_case;

const BLOCK: &str = include_str!("../../../delassus-cli/tests/data/block.ron");
const TWO_CELLS: &str = include_str!("../../../delassus-cli/tests/data/two-cells.msh");
const TIE: &str = "ties=[(body: \"block\", slaves: \"right\", masters: \"left\")]";
const MAXWELL: &str = "materials.rubber.law=Maxwell(young: 1e7, poisson: 0.3, viscosity: 1e5)";

/// The codes of a case with these settings.
fn codes_of(path: &Path, settings: &[&str]) -> (Vec<Code>, String) {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    let error = Loaded::from_text(path, BLOCK.to_owned(), &settings)
        .map_err(RunError::from)
        .and_then(|l| check_case(&l))
        .unwrap_err();
    let text = error.to_string();
    match error {
        RunError::Case(CaseError::Case { problems, .. }) if !problems.is_empty() => {
            (problems.iter().map(|p| p.code).collect(), text)
        }
        other => (vec![other.code()], text),
    }
}

fn check(settings: &[&str], code: &str) {
    let (codes, text) = codes_of(Path::new("case.ron"), settings);
    assert!(codes.iter().any(|c| *c == code), "{settings:?}: {codes:?}, not {code}:\n{text}");
    assert!(text.contains(&format!("error[{code}]: case.ron:")), "{text}");
}

#[test]
fn counts_and_names() {
    check(&["materials=[]"], "E0303");
    check(&["bodies.block.copies=(count: 0)"], "E0314");
    check(&["bodies.plank.mesh.cells=(1000, 1000)", "bodies.plank.copies=(count: 60)"], "E0316");
    check(&["solver=Nlgs(margins: (gap: 1e-6))"], "E0324");
    check(&["bodies.block.copies=(count: 2)", "bodies.plank.name=\"block-1\""], "E0334");
    let copies = "bodies.block.copies=(count: 2, translation: (0, 1))";
    check(&[copies, "probes.tip.at=Body(\"block-7\")"], "E0336");
    check(&[copies, "probes.tip.at=Body(\"block\")"], "E0337");
}

#[test]
fn what_does_not_go_together() {
    check(&["bodies.block.spin=1.0", TIE], "E0342");
    check(&["bodies.block.spin=44.0"], "E0364");
    check(&["bodies.block.section=Axisymmetric"], "E0366");
    check(&["integrator=Explicit()", "bodies.block.mass=Consistent"], "E0343");
    check(&["integrator=QuasiStatic", "bodies.block.velocity=(1, 0)"], "E0391");
    check(&["integrator=QuasiStatic", "bodies.block.spin=1.0"], "E0391");
    check(&["integrator=QuasiStatic", "contacts.slide.law=Restitution(normal: 0.5)"], "E0392");
    let free = ["bodies.block.damping=(alpha: 0.0, beta: 0.0)", "bodies.block.velocity=(0, 0)", "contacts=[]"];
    check(&[&["integrator=QuasiStatic"][..], &free].concat(), "E0393");
    check(&["integrator=Newmark(gamma: 0.5, beta: 0.25)", TIE], "E0344");
    check(&["probes.tip.at=Stress(body: \"block\", group: \"top\")"], "E0346");
    check(&["verify.checks[0].measure=Mean(column: \"base.vx\", from: 2.0, to: 1.0)"], "E0352");
    check(&["verify.checks[0].measure=L1Error(column: \"base.vx\")"], "E0353");
}

#[test]
fn materials_that_are_none() {
    let law = |law: &str, code| check(&[&format!("materials.rubber.law={law}")], code);
    law("NeoHookean(young: 1e7, poisson: 0.5)", "E0367");
    law("VonMises(young: 1e7, poisson: 0.3, yield_stress: 0)", "E0601");
    law("VonMises(young: 1e7, poisson: 0.3, yield_stress: 1e5, rate: (reference: 0, exponent: 1))", "E0601");
    law("VonMises(young: 1e7, poisson: 0.3, yield_stress: 1e5, hardening: Linear(modulus: -1))", "E0687");
    law("DruckerPrager(young: 1e7, poisson: 0.3, cohesion: 1e5, friction_angle: 90)", "E0601");
    let moduli = "poisson: (0.4, 0.3, 0.3), shear: (1e8, 1e8, 1e8)";
    law(&format!("Orthotropic(young: (1e9, 1e10, 1e9), {moduli})"), "E0368");
    law(&format!("Orthotropic(young: (1e10, 1e9, 1e9), {moduli}, axes: ((1, 0, 1), (0, 1, 0)))"), "E0369");
}

/// Up to 5° a spin is taken, and beyond where something else than small strains decides.
#[test]
fn spins_that_are_borne() {
    let maxwell = "materials.rubber.law=Maxwell(young: 1e7, poisson: 0.3)";
    let moving = ["bodies.block.kinematics=UpdatedGeometry()", maxwell, "bodies.block.damping.beta=0.0"];
    let held = ["boundary=[(body: \"block\", group: \"left\", x: 0.0)]"];
    let shorter = ["duration=1e-3"];
    for (spin, settings) in [("43.6", &[][..]), ("-43.6", &[]), ("87.0", &shorter), ("1e4", &moving), ("1e4", &held)] {
        let spin = format!("bodies.block.spin={spin}");
        let settings: Vec<String> =
            settings.iter().copied().chain([spin.as_str(), "verify=None"]).map(str::to_owned).collect();
        let loaded = Loaded::from_text(Path::new("case.ron"), BLOCK.to_owned(), &settings).unwrap();
        assert!(loaded.model::<2>().is_ok(), "{settings:?}: {:?}", loaded.model::<2>().err());
    }
}

#[test]
fn cracks() {
    let crack = |split: &str, code: &str| check(&[&format!("bodies.block.split=[({split})]")], code);
    crack("name: \"body\"", "E0431");
    crack("name: \"top\"", "E0432");
    // A T: the line and what stands on it.
    crack("name: \"c\", facets: Box(from: (0.09, 0.149), to: (0.31, 0.21))", "E0433");
    let line = "facets: Box(from: (0.09, 0.149), to: (0.31, 0.151))";
    crack(&format!("name: \"c\", {line}, plus: \"top\""), "E0434");
    crack(&format!("name: \"c\", {line}, plus: \"body\""), "E0435");
    crack("name: \"c\", facets: Box(from: (0.149, 0.149), to: (0.201, 0.151))", "E0436");
    crack(&format!("name: \"top\", {line}"), "E0437");
    crack("name: \"c\", facets: Box(from: (8, 8), to: (9, 9))", "E0438");
}

#[test]
fn materials_and_sections() {
    let regions =
        "bodies.block.regions=[(group: \"body\", material: \"rubber\"), (group: \"body\", material: \"steel\")]";
    check(&[regions], "E0607");
    let moving = "bodies.block.kinematics=UpdatedGeometry()";
    check(&[MAXWELL, moving, "bodies.block.damping.beta=0.0", "bodies.block.section=PlaneStress()"], "E0608");
    check(&[MAXWELL, "bodies.block.formulation=IncompatibleModes"], "E0609");
    let still = "bodies.block.damping=(alpha: 0.0, beta: 0.0)";
    check(&["bodies.block.kinematics=UpdatedGeometry()", still], "E0610");
    check(&[MAXWELL, "bodies.block.kinematics=UpdatedGeometry()"], "E0611");
    let stress = "bodies.block.initial_stress=Lithostatic(surface: (0, 1), density: 1000.0, gravity: (0, -10))";
    check(&[stress], "E0612");
    check(&["bodies.block.section=Solid"], "E0613");
    check(&["contacts.slide.law=Restitution(normal: 2.0)"], "E0632");
    check(&["contacts.slide.law=Restitution(normal: 0.5, dissipation_index: 0.5)"], "E0633");
    // A region for one of two cells.
    let folder = tempfile::tempdir().unwrap();
    let mesh = TWO_CELLS
        .replace("10 3 2 7 1 2 3 6 5", "10 3 2 8 1 2 3 6 5")
        .replace("$PhysicalNames\n7", "$PhysicalNames\n8")
        .replace("2 7 \"body\"", "2 7 \"body\"\n2 8 \"rest\"");
    std::fs::write(folder.path().join("two.msh"), mesh).unwrap();
    let settings = [
        "bodies.block.mesh=File(\"two.msh\")",
        "bodies.block.material=None",
        "bodies.block.regions=[(group: \"rest\", material: \"rubber\")]",
    ];
    let (codes, text) = codes_of(&folder.path().join("case.ron"), &settings);
    assert!(codes.iter().any(|c| *c == "E0606"), "{text}");
}

/// Four cells around a node that is a group of its own.
#[test]
fn a_candidate_inside() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = String::from(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n0 1 \"inner\"\n2 2 \"body\"\n$EndPhysicalNames\n$Nodes\n9\n",
    );
    for k in 0..9 {
        mesh += &format!("{} {} {} 0\n", k + 1, 0.1 + 0.1 * f64::from(k % 3), 0.1 + 0.1 * f64::from(k / 3));
    }
    mesh += "$EndNodes\n$Elements\n5\n1 15 2 1 1 5\n";
    for (i, first) in [1, 2, 4, 5].into_iter().enumerate() {
        mesh += &format!("{} 3 2 2 1 {first} {} {} {}\n", i + 2, first + 1, first + 4, first + 3);
    }
    mesh += "$EndElements\n";
    std::fs::write(folder.path().join("four.msh"), mesh).unwrap();
    let settings = ["bodies.block.mesh=File(\"four.msh\")", "contacts.slide.candidates.group=\"inner\""];
    let (codes, text) = codes_of(&folder.path().join("case.ron"), &settings);
    assert!(codes.iter().any(|c| *c == "E0555"), "{text}");
}

#[test]
fn ties() {
    check(&["ties=[(body: \"block\", slaves: \"right\", masters: \"bottom\")]"], "E0616");
    let circle = "(body: \"block\", slaves: \"right\", masters: \"left\"), (body: \"block\", slaves: \"left\", masters: \"right\")";
    check(&[&format!("ties=[{circle}]")], "E0617");
    check(&["ties=[(body: \"plank\", slaves: \"top\", masters: \"bottom\")]"], "E0618");
}
