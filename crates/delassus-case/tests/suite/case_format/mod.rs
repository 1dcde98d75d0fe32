//! `docs/case-format.md` and `docs/exact-solutions.md` against the program: every table lists exactly the keys of its type, every example
//! is read.

mod keys;
mod units;

use std::path::{Path, PathBuf};

use delassus_case::{CaseError, Loaded};

/// Both pages, one after the other.
#[expect(clippy::unwrap_used, reason = "a helper of tests: the guide must be there")]
fn guide() -> String {
    ["case-format.md", "exact-solutions.md"]
        .map(|page| std::fs::read_to_string(root().join("docs").join(page)).unwrap())
        .concat()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text blocks marked `ron`.
fn examples(guide: &str) -> Vec<String> {
    guide.split("```ron\n").skip(1).filter_map(|s| s.split("```").next()).map(str::to_owned).collect()
}

/// The keys of an example and their values: each begins at the beginning of a line.
fn entries(example: &str) -> Vec<(&str, &str)> {
    let begins = example.match_indices(|c: char| c.is_ascii_lowercase()).map(|(at, _)| at);
    let mut begins: Vec<usize> = begins.filter(|at| *at == 0 || example.as_bytes()[at - 1] == b'\n').collect();
    begins.push(example.len());
    let texts = begins.windows(2).map(|w| example[w[0]..w[1]].trim_end().trim_end_matches(','));
    // A key without a value becomes an empty value, which no parser accepts.
    texts.map(|text| text.split_once(':').unwrap_or((text, ""))).collect()
}

#[test]
fn tables_list_exactly_the_keys_of_their_types() {
    let guide = guide();
    let mut documented = Vec::new();
    for part in guide.split("<!-- keys: ").skip(1) {
        let (types, rest) = part.split_once(" -->").unwrap();
        let table: Vec<&str> = rest
            .trim_start()
            .lines()
            .take_while(|l| l.starts_with('|'))
            .skip(2)
            .map(|l| l.split('`').nth(1).unwrap())
            .collect();
        for name in types.split(", ") {
            let mut expected = keys::of(name).unwrap_or_else(|| panic!("the guide speaks of an unknown type {name}"));
            let mut found = table.clone();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "keys of {name} in the guide and in the program");
            documented.push(name.to_owned());
        }
    }
    let missing: Vec<_> = keys::all().into_iter().filter(|t| !documented.contains(t)).collect();
    assert!(missing.is_empty(), "types without a table in the guide: {missing:?}");
}

#[test]
fn every_variant_is_mentioned() {
    let guide = guide();
    for (kind, variants) in keys::enums() {
        for v in variants {
            assert!(
                guide.contains(&format!("`{v}")) || guide.contains(&format!("{v}(")),
                "{kind}::{v} is not in the guide"
            );
        }
    }
}

/// What makes the small case of the guide one in space, but for what an example replaces.
const IN_SPACE: [&str; 6] = [
    "dimension=3",
    "bodies.block.mesh=Box(corner: (0, 1, 0), size: (1, 1, 1), cells: (2, 2, 2))",
    "bodies.block.velocity=(0, 0, 0)",
    "loads=[]",
    "probes=[]",
    "contacts.ground.antagonists=Obstacle(\"floor\")",
];

#[test]
fn examples_are_read_and_modelled() {
    let guide = guide();
    let all = examples(&guide);
    let whole = all.iter().find(|e| e.starts_with('(')).unwrap();
    assert!(all.len() >= 8, "examples found: {}", all.len());
    // Paths in the guide are relative to a case in docs/.
    let path = root().join("docs/example.ron");
    for example in &all {
        let loaded = if example.starts_with('(') {
            Loaded::from_text(&path, example.clone(), &[])
        } else {
            let mut settings = Vec::new();
            for (key, value) in entries(example) {
                settings.push(format!("{key}={value}"));
                // Replaced bodies are not those the other keys of the small case speak of.
                if key == "bodies" {
                    settings.extend(["contacts=[]".into(), "probes=[]".into()]);
                }
            }
            // Examples in space say so by their vectors: the small case becomes one.
            if example.contains("// in space") {
                settings.extend(IN_SPACE.map(str::to_owned));
            }
            Loaded::from_text(&path, whole.clone(), &settings)
        };
        // Each stage is a run of its own, with its changes.
        if example.starts_with("stages:") {
            for stage in loaded.unwrap().case.stages {
                Loaded::from_text(&path, whole.clone(), &stage.changes).and_then(|l| l.model::<2>()).unwrap();
            }
            continue;
        }
        let built = loaded.and_then(|l| match l.case.dimension {
            3 => l.model::<3>().map(|_| ()),
            _ => l.model::<2>().map(|_| ()),
        });
        if let Err(e) = built {
            panic!("example does not work:\n{example}\n{e}");
        }
    }
}

#[test]
fn stated_defaults_are_the_programs() {
    let guide = guide();
    let whole = examples(&guide).into_iter().find(|e| e.starts_with('(')).unwrap();
    let path = root().join("docs/example.ron");
    let given = [
        "dimension=2",
        "boundary=[]",
        "solver=Nlgs(tolerance: 1e-10, max_iterations: 5000, fallback: [Lemke, Admm, Newton, Interior, Newton, Nlgs], on_failure: CutStep(halvings: 6))",
        "output=()",
        "bodies.block.regions=[]",
        "bodies.block.section=PlaneStrain(thickness: 1.0)",
        "bodies.block.formulation=Standard",
        "bodies.block.mass=Lumped",
        "bodies.block.damping=(alpha: 0.0, beta: 0.0)",
        "bodies.block.rotation=0.0",
        "contacts.ground.points=Nodes",
        "contacts.ground.normals=Facet",
        "bodies.block.spin=0.0",
        "bodies.block.mesh.element=Quad4",
        "bodies.block.mesh.refine=1",
        "contacts.ground.both=false",
        "materials.rubber.law.bulk_viscosity=0.0",
    ]
    .map(str::to_owned);
    let resolved = |settings: &[String]| -> Result<String, CaseError> {
        Loaded::from_text(&path, whole.clone(), settings)?.resolved_text()
    };
    assert_eq!(resolved(&[]).unwrap(), resolved(&given).unwrap());
}

#[test]
fn the_example_in_json_is_read() {
    let guide = guide();
    let example = guide.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let set = [String::from("bodies.block.mass=\"Lumped\""), String::from("integrator.theta=0.7")];
    let loaded = Loaded::from_text(Path::new("example.json"), example.to_owned(), &set).unwrap();
    assert!(loaded.model::<2>().is_ok());
    assert!(loaded.resolved_text().unwrap().contains("0.7"));
}
