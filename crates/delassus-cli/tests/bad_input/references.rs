//! References of one's own that are wrong: expressions, files, ranges and lines.

use super::{FILES, INPUT, MESH, Row, check_refused, check_rows};
use crate::common::{BLOCK, Scene, edited};

pub const ROWS: [Row; 12] = [
    (
        "a misspelt function",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Expression(\"1e-3*sinn(t)\"))],\n        checks: [\n",
        "E0634 | case.ron:53:66: verify.references[0].curve: character 6: no function `sinn`: the functions are sin, cos",
    ),
    (
        "an unknown variable",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Expression(\"2*x\"))],\n        checks: [\n",
        "E0634 | case.ron:53:63: verify.references[0].curve: character 3: no variable `x`: there are t, pi, e",
    ),
    (
        "an unknown column",
        "        checks: [\n",
        "        references: [(column: \"base.vz\", curve: Expression(\"t\"))],\n        checks: [\n",
        "E0335 | verify.references[0].column | no column of history.csv is named `base.vz` | `base.vx` | did you mean",
    ),
    (
        "a file that is not there",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Csv(file: \"no.csv\", value: \"v\"))],\n        checks: [\n",
        "E0635 | verify.references[0].curve.file: cannot read `no.csv` | relative to the case file",
    ),
    (
        "a unit that is none",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Csv(file: \"no.csv\", value: \"v\", time_unit: 0))],\n        checks: [\n",
        "E0305 | verify.references[0].curve.time_unit | time_unit = 0",
    ),
    (
        "a window beyond the run",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Expression(\"t\"), from: 1.0)],\n        checks: [\n",
        "E0640 | verify.references[0]: it covers 1 s to inf s, the run goes from 0 to 0.002 s: nothing can be compared",
    ),
    (
        "two references of a column",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Expression(\"t\")), (column: \"base.vx\", curve: Expression(\"1\"))],\n        checks: [\n",
        "E0641 | verify.references[1].column: `base.vx` has a curve already",
    ),
    (
        "a line without length",
        "        checks: [\n",
        "        lines: [(name: \"a\", of: Body(body: \"block\", field: Ux), from: (0.2, 0.1), to: (0.2, 0.1), curve: Expression(\"s\"))],\n        checks: [\n",
        "E0642 | verify.lines[0].to: the line ends where it begins",
    ),
    (
        "a line of one place",
        "        checks: [\n",
        "        lines: [(name: \"a\", of: Body(body: \"block\", field: Ux), from: (0.2, 0.1), to: (0.2, 0.2), samples: 1, curve: Expression(\"s\"))],\n        checks: [\n",
        "E0642 | verify.lines[0].samples: samples = 1 must lie between 2 and 10000",
    ),
    (
        "a line after the end",
        "        checks: [\n",
        "        lines: [(name: \"a\", of: Body(body: \"block\", field: Ux), from: (0.2, 0.1), to: (0.2, 0.2), time: 0.1, curve: Expression(\"s\"))],\n        checks: [\n",
        "E0644 | verify.lines[0].time: time = 0.1 s has no step: the run goes from 0 to 0.002 s",
    ),
    (
        "a component that the plane does not have",
        "        checks: [\n",
        "        lines: [(name: \"a\", of: Body(body: \"block\", field: Uz), from: (0.2, 0.1), to: (0.2, 0.2), curve: Expression(\"s\"))],\n        checks: [\n",
        "E0310 | verify.lines[0].of.field: Uz: a case of dimension 2 has no z",
    ),
    (
        "an L1 error against a reference of one's own",
        "        checks: [\n",
        "        references: [(column: \"base.vx\", curve: Expression(\"t\"))],\n        checks: [\n            (name: \"e\", measure: L1Error(column: \"base.vx\"), expected: 0.0, tolerance: 0.1),\n",
        "E0353 | a reference has `norm` and `tolerance` of its own",
    ),
];

#[test]
fn references() {
    check_rows(&ROWS, INPUT);
}

#[test]
fn a_line_outside_of_its_body() {
    let line = "        lines: [(name: \"a\", of: Body(body: \"block\", field: Sxx), from: (0.2, 0.1), to: (0.2, 0.25), curve: Expression(\"s\"))],\n        checks: [\n";
    let says = "E0643 | verify.lines[0]: [0.2, 0.201 | lies outside of body `block`";
    let scene = Scene::new(&edited(BLOCK, &[("        checks: [\n", line)]));
    check_refused("outside", &scene, MESH, says);
}

#[test]
fn tractions_of_two_passes() {
    let line = "        lines: [(name: \"a\", of: Contact(pair: \"slide\", part: Normal), from: (0, 0), to: (1, 0), curve: Expression(\"s\"))],\n        checks: [\n";
    let both = "antagonists: Surface(body: \"plank\", group: \"top\"),\n            both: true,";
    let from = "antagonists: Surface(body: \"plank\", group: \"top\"),";
    let scene = Scene::new(&edited(BLOCK, &[("        checks: [\n", line), (from, both)]));
    check_refused("both", &scene, INPUT, "E0645 | verify.lines[0].of.pair");
}

/// What a file may hold that is no curve.
#[test]
fn files_of_references() {
    let with = |curve: &str| {
        let reference = format!("        references: [(column: \"base.vx\", curve: {curve})],\n        checks: [\n");
        Scene::new(&edited(BLOCK, &[("        checks: [\n", &reference)]))
    };
    let csv = "Csv(file: \"r.csv\", time: \"t\", value: \"v\")";
    for (text, says) in [
        ("t,u\n0,1\n1,2\n", "E0636 | verify.references[0].curve: `r.csv`: no column is named `v`: there are `t`, `u`"),
        ("t,v\n0,1\n1,two\n", "E0637 | `r.csv`: line 3: column `v` has `two`"),
        ("t,v\n0,1\n0,2\n", "E0638 | `r.csv`: line 3: `t` = 0 must be greater than 0"),
        ("t,v\n0,1\n", "E0639 | `r.csv`: 1 rows are too few for a curve"),
        ("t,v\n5,1\n6,1\n", "E0640 | the file covers 5 s to 6 s, the run 0 to 0.002 s"),
    ] {
        let scene = with(csv);
        std::fs::write(scene.path("r.csv"), text).unwrap();
        check_refused(text, &scene, INPUT, says);
    }
    let scene = with(csv);
    std::fs::write(scene.path("r.csv"), [0xff, 0xfe]).unwrap();
    check_refused("not text", &scene, INPUT, "E0635 | not a text in UTF-8");
    // Sparse: its length is all that is asked for.
    let scene = with(csv);
    std::fs::File::create(scene.path("r.csv")).unwrap().set_len(65 << 20).unwrap();
    check_refused("too large", &scene, FILES, "E0923 | it has 68.2 MB; a table has at most 64.0 MB");
    check_refused("a folder", &with("Csv(file: \".\", time: \"t\", value: \"v\")"), FILES, "E0922 | it is a folder");
    // A window that the file does not have.
    let scene = with("Csv(file: \"r.csv\", time: \"t\", value: \"v\"), to: 3.0");
    std::fs::write(scene.path("r.csv"), "t,v\n0,1\n1,1\n").unwrap();
    check_refused(
        "beyond the file",
        &scene,
        INPUT,
        "E0640 | to = 3 s lies outside of the file, which goes from 0 s to 1 s",
    );
}
