//! Reports of real runs: complete, well-formed, true to the manifest, the same every time; and what damage does.

use std::fs;
use std::path::{Path, PathBuf};

use delassus_case::load::Loaded;
use delassus_error::{Coded, Failure};
use delassus_run::lock::{Holder, Lock};
use delassus_run::run::{RunOptions, Silent, run_case};

use super::*;

/// Two bars that meet head-on: contact, probes, exact curves and checks.
const BARS: &str = include_str!("../../../cases/bars-impact.ron");

/// The same in space.
const BARS_IN_SPACE: &str = include_str!("../../../cases/bars-impact-3d.ron");

/// A block that is thrown along a plane, in space.
const BLOCK_IN_SPACE: &str = include_str!("../../../cases/block-slide-3d.ron");

/// A bar that swings, its title full of markup: no contact, no probe, no check.
const FREE: &str = r#"(
    title: "A <b>bar</b> & \"quotes\" </title>",
    materials: [(name: "steel", density: 7800.0, law: KelvinVoigt(young: 2e11, poisson: 0.3))],
    bodies: [(
        name: "bar",
        mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 0.1), cells: (8, 2)),
        material: "steel",
        velocity: (0.0, 1.0),
    )],
    boundary: [(body: "bar", group: "left", x: 0.0, y: 0.0)],
    integrator: Theta(theta: 0.5),
    step: 1e-4,
    duration: 1e-3,
)"#;

/// A finished run in a folder of its own.
struct Run {
    dir: tempfile::TempDir,
}

impl Run {
    fn of(case: &str) -> Self {
        let run = Self { dir: tempfile::tempdir().unwrap() };
        let loaded = Loaded::from_text(Path::new("case.ron"), case.to_owned(), &[]).unwrap();
        let options = RunOptions { out: Some(run.folder()), ..RunOptions::default() };
        run_case(&loaded, &options, &mut Silent).unwrap();
        run
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn page(&self) -> String {
        render(&self.folder()).unwrap()
    }

    /// Replaces a piece of a file, which has to be there.
    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.folder().join(file);
        // Frames have bytes that are no text behind their tags.
        let bytes = fs::read(&path).unwrap();
        let at = bytes.windows(from.len()).position(|piece| piece == from.as_bytes());
        let at = at.unwrap_or_else(|| panic!("no `{from}` in {file}"));
        fs::write(&path, [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()).unwrap();
    }

    /// The message of the error the report ends with, and its exit code.
    fn error(&self) -> (String, u8) {
        let error = render(&self.folder()).unwrap_err();
        (error.to_string(), error.exit_code())
    }
}

/// The SVG elements of a page.
fn figures(page: &str) -> Vec<&str> {
    page.split("<svg ").skip(1).map(|s| s.split_once("</svg>").expect("a closed svg element").0).collect()
}

fn ids(page: &str) -> Vec<&str> {
    let id = |s: &&str| s.strip_prefix("id=\"").and_then(|r| r.split('"').next()).is_some();
    let found: Vec<&str> = figures(page).into_iter().filter(id).collect();
    found.into_iter().map(|s| s.split('"').nth(1).unwrap()).collect()
}

/// Every tag closed in order, attributes quoted and distinct, no stray `<` or `&`: what an XML parser asks for.
fn assert_well_formed(svg: &str) {
    let text = format!("<svg {svg}</svg>");
    let mut open = Vec::new();
    for (i, piece) in text.split('<').enumerate() {
        let Some((tag, content)) = piece.split_once('>') else {
            assert!(i == 0 && piece.is_empty(), "a tag without end: {piece}");
            continue;
        };
        for entity in content.split('&').skip(1).chain(tag.split('&').skip(1)) {
            let name = entity.split_once(';').map_or("", |e| e.0);
            assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "&{entity}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let keys: Vec<&str> = attributes.split('"').step_by(2).map(str::trim).filter(|k| !k.is_empty()).collect();
        for (k, key) in keys.iter().enumerate() {
            assert!(key.ends_with('=') && !keys[..k].contains(key), "attribute {key} of {tag}");
        }
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_report_of_an_impact_is_complete() {
    let run = Run::of(BARS);
    let page = run.page();
    let mut expected: Vec<String> = ["fig-mesh-key".to_owned()].to_vec();
    expected.extend((1..=6).map(|k| format!("fig-mesh-{k}")));
    expected.extend(
        ["energy", "ledger", "losses", "residual", "penetration", "force-1", "area-1"].map(|n| format!("fig-{n}")),
    );
    for k in 1..=4 {
        expected.extend(["velocity", "displacement"].map(|w| format!("fig-probe-{k}-{w}")));
    }
    expected.extend(["active", "iterations", "timings"].map(|n| format!("fig-{n}")));
    assert_eq!(ids(&page), expected);
    figures(&page).into_iter().for_each(assert_well_formed);
    for section in
        ["verdict", "glance", "checks", "exact", "pictures", "energy", "trust", "forces", "probes", "solver", "timings"]
    {
        assert_eq!(page.matches(&format!("<section id=\"{section}\"")).count(), 1, "{section}");
    }
    // Each ledger line has its own curve.
    let ledger = figures(&page).into_iter().find(|s| s.starts_with("id=\"fig-ledger\"")).unwrap();
    for line in
        ["external work", "viscous dissipation", "friction dissipation", "normal contact loss", "numerical dissipation"]
    {
        assert!(ledger.contains(&format!(">{line}</text>")), "{line}");
    }
    // Exact curves for what the solution knows, and only for that.
    for (figure, has_exact) in [("force-1", true), ("probe-1-velocity", true), ("probe-1-displacement", false)] {
        let svg = figures(&page).into_iter().find(|s| s.starts_with(&format!("id=\"fig-{figure}\""))).unwrap();
        assert_eq!(svg.contains("x, exact"), has_exact, "{figure}");
    }
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
}

#[test]
fn bodies_in_space_are_drawn_as_well_as_plane_ones() {
    let page = Run::of(BARS_IN_SPACE).page();
    let drawn: Vec<&str> = ids(&page).into_iter().filter(|id| id.starts_with("fig-mesh")).collect();
    assert_eq!(drawn[0], "fig-mesh-key");
    assert_eq!(drawn[1..], (1..=6).map(|k| format!("fig-mesh-{k}")).collect::<Vec<_>>());
    figures(&page).into_iter().for_each(assert_well_formed);
    assert!(page.contains("Displacements are magnified 100×."));
    assert!(page.contains("Parallel projection, seen from the direction +x, +y and +z"));
    let picture =
        |k: usize| figures(&page).into_iter().find(|s| s.starts_with(&format!("id=\"fig-mesh-{k}\""))).unwrap();
    // No force at the start, four nodes under pressure later; the axes of the model in every picture.
    assert_eq!(picture(1).matches("class=\"force\"").count(), 0);
    let forces = picture(2).split("<path d=\"").find(|p| p.contains("class=\"force\"")).unwrap();
    assert_eq!(forces.matches('M').count(), 4);
    for k in 1..=6 {
        assert!(["x", "y", "z"].iter().all(|axis| picture(k).contains(&format!(">{axis}</text>"))), "picture {k}");
    }
    // Both stresses and lights change over the picture.
    let colours: std::collections::BTreeSet<&str> =
        picture(3).split("fill=\"#").skip(1).map(|p| p.split('"').next().unwrap()).collect();
    assert!(colours.len() > 8, "{colours:?}");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}

#[test]
fn obstacles_in_space_are_drawn_and_their_frames_may_be_missing() {
    let case = BLOCK_IN_SPACE.replace("duration: 0.2,", "duration: 0.01,").replace("(every: 40)", "(every: 25)");
    let run = Run::of(&case);
    let ground = "fill=\"#ececec\" stroke=\"#ececec\"";
    let count = |page: &str| figures(page).iter().filter(|s| s.contains(ground)).count();
    let page = run.page();
    assert_eq!(count(&page), 5, "the ground faces the light from above");
    assert!(page.contains(">obstacle</text>"));
    fs::remove_file(run.folder().join("obstacles.pvd")).unwrap();
    assert_eq!(count(&run.page()), 0);
    figures(&page).into_iter().for_each(assert_well_formed);
}

/// A block that falls on a floor one millimetre below it.
const FALL: &str = r#"(
    title: "Fall",
    kinematics: SmallStrain,
    materials: [(name: "steel", density: 7800.0, law: KelvinVoigt(young: 2e11, poisson: 0.3))],
    bodies: [(
        name: "block",
        mesh: Rectangle(corner: (0.0, 0.001), size: (1.0, 1.0), cells: (2, 2)),
        material: "steel",
        velocity: (0.0, -1.0),
    )],
    obstacles: [(name: "floor", shape: HalfPlane(point: (0.0, 0.0), normal: (0.0, 1.0)))],
    contacts: [(
        name: "foot",
        candidates: (body: "block", group: "bottom"),
        antagonists: Obstacle("floor"),
        law: Frictionless,
    )],
    integrator: Theta(theta: 0.5),
    step: 1e-4,
    duration: 2e-3,
)"#;

#[test]
fn the_overlap_that_magnification_makes_is_told() {
    let page = Run::of(FALL).page();
    // Ten times 1 mm, of which 9 mm are too much: 0.6 % of the size, where 1 % is allowed.
    let found = page.split("<p class=\"note\">").find(|p| p.starts_with("Displacements are magnified 10×")).unwrap();
    let number = found.split("overlap in the pictures by up to ").nth(1).unwrap().split(" mm").next().unwrap();
    assert!((number.parse::<f64>().unwrap() - 9.0).abs() < 0.2, "{found}");
    assert!(found.contains("The factor was limited to keep this small."), "{found}");
    // What was in contact from the start stays so.
    assert!(!Run::of(BARS_IN_SPACE).page().contains("overlap in the pictures"));
}

/// A block that flows slides up along another one, pressed against it.
const FAULT: &str = r#"(
    title: "Fault",
    kinematics: SmallStrain,
    materials: [(name: "rock", density: 1000.0, law: Maxwell(young: 1e6, poisson: 0.25, viscosity: 1e6))],
    bodies: [
        (name: "wall", mesh: Rectangle(corner: (0.0, 0.0), size: (1.0, 1.0), cells: (2, 4)), material: "rock"),
        (name: "foot", mesh: Rectangle(corner: (1.0, -0.5), size: (1.0, 2.0), cells: (2, 8)), material: "rock"),
    ],
    contacts: [(
        name: "fault",
        candidates: (body: "wall", group: "right"),
        antagonists: Surface(body: "foot", group: "left"),
        law: SignoriniCoulomb(friction: 0.2),
    )],
    boundary: [
        (body: "wall", group: "left", x: 3e-3, y: 4e-3),
        (body: "foot", group: "right", x: 0.0, y: 0.0),
    ],
    loads: [Gravity(acceleration: (0.0, -0.01))],
    integrator: Theta(theta: 1.0),
    step: 0.1,
    duration: 2.0,
    output: (every: 20),
)"#;

#[test]
fn a_contact_that_slides_has_a_profile_and_bodies_that_flow_have_their_invariants() {
    let run = Run::of(FAULT);
    let page = run.page();
    figures(&page).into_iter().for_each(assert_well_formed);
    let figure = |id: &str| figures(&page).into_iter().find(|s| s.starts_with(&format!("id=\"{id}\"")));
    for id in ["stress-invariant-key", "stress-invariant-1", "strain-invariant-key", "strain-invariant-1", "traction-1"]
    {
        assert!(figure(&format!("fig-{id}")).is_some(), "{id}");
    }
    assert!(figure("fig-stress-invariant-2").is_none(), "the last frame alone");
    assert!(figure("fig-strain-invariant-key").unwrap().contains(">second invariant of the strain deviator</text>"));
    assert!(page.contains("Second invariant of the stress deviator, t = 2.000 s — last frame."));
    let slip = figure("fig-slip-1").unwrap();
    // Five candidates, and the legend.
    assert_eq!(slip.matches("class=\"slip\"").count(), 6);
    assert!(
        slip.contains("slip velocity / v₀, v₀ = 5.000 mm/s") && slip.contains("depth below the highest candidate [m]")
    );
    assert!(page.contains("positive where “wall” moves up along the contact."));
    // The tractions are on the edge of Coulomb's cone: the broad line of μ times the pressure lies under the shear.
    let traction = figure("fig-traction-1").unwrap();
    let paths: Vec<&str> = traction.split("<path d=\"").skip(1).map(|p| p.split('"').next().unwrap()).take(3).collect();
    assert_eq!(paths[1], paths[2]);
    assert_ne!(paths[0], paths[1]);
    for case in [BARS, FREE] {
        let page = Run::of(case).page();
        assert!(["fig-slip", "fig-traction", "invariant"].iter().all(|piece| !page.contains(piece)));
    }
    run.edit("contacts/contacts_000020.vtu", "Name=\"slip_velocity\"", "Name=\"velocity\"");
    let (text, code) = run.error();
    assert!(text.contains("contacts_000020.vtu") && text.contains("`slip_velocity`") && code == 5, "{text}");
}

#[test]
fn damaged_frames_of_obstacles_are_named() {
    let case = BLOCK_IN_SPACE.replace("duration: 0.2,", "duration: 0.001,");
    let run = Run::of(&case);
    let file = "obstacles/obstacles_000000.vtu";
    run.edit(file, "</VTKFile>", "");
    let (text, code) = run.error();
    assert!(text.contains(file) && text.contains("breaks off") && code == 5, "{text}");
}

#[test]
fn nothing_comes_from_the_network_and_no_script_runs() {
    let page = Run::of(BARS).page();
    for piece in ["http://", "https://", "<script", "src=", "href=", "@import", "url(", "javascript:", "onload"] {
        assert!(!page.contains(piece), "{piece}");
    }
}

#[test]
fn the_numbers_are_those_of_the_manifest() {
    let run = Run::of(BARS);
    let page = run.page();
    let text = fs::read_to_string(run.folder().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let number = |path: &str| manifest.pointer(path).and_then(serde_json::Value::as_f64).unwrap();
    for path in [
        "/verdict/law_error",
        "/verdict/energy_residual",
        "/verdict/max_penetration",
        "/verdict/true_penetration",
        "/verdict/max_active",
        "/verdict/max_iterations",
        "/verification/checks/0/found",
        "/verification/checks/1/error",
        "/verification/errors/4/l1",
    ] {
        // All digits, as an attribute.
        assert!(page.contains(&format!("<data value=\"{:e}\">", number(path))), "{path}");
    }
    let steps = number("/steps");
    let sentence = format!(
        "<strong>Pass.</strong> {steps} of {steps} steps at tolerance 1e-12; worst law error {:.1e}; energy ledger closes to {:.1e}; \
         deepest penetration {:.1e} m in the contact law, {:.1e} m at the end of a step; checks: 2 of 2 passed.",
        number("/verdict/law_error"),
        number("/verdict/energy_residual"),
        number("/verdict/max_penetration"),
        number("/verdict/true_penetration"),
    );
    assert!(page.contains(&sentence), "{sentence}");
    for key in ["case_hash", "state_hash", "commit", "version"] {
        assert!(page.contains(manifest[key].as_str().unwrap()), "{key}");
    }
}

#[test]
fn the_same_folder_gives_the_same_bytes() {
    let run = Run::of(BARS);
    let path = write_report(&run.folder()).unwrap();
    let first = fs::read(&path).unwrap();
    assert_eq!(path, run.folder().join("report.html"));
    assert_eq!(first, run.page().into_bytes());
    // With its own report in the folder, and read from elsewhere.
    let moved = run.dir.path().join("moved");
    fs::rename(run.folder(), &moved).unwrap();
    write_report(&moved).unwrap();
    assert_eq!(first, fs::read(moved.join("report.html")).unwrap());
    assert!(!moved.join("report.html.part").exists());
}

#[test]
fn markup_in_a_case_is_only_text() {
    let page = Run::of(FREE).page();
    assert!(page.contains("<h1>A &lt;b&gt;bar&lt;/b&gt; &amp; &quot;quotes&quot; &lt;/title&gt;</h1>"));
    assert!(!page.contains("<b>") && page.matches("</title>").count() == 1 + figures(&page).len());
    assert!(page.contains("<strong>Pass.</strong> 10 steps without contact; energy ledger closes to "));
    figures(&page).into_iter().for_each(assert_well_formed);
    for absent in ["fig-force", "fig-probe", "fig-penetration", "fig-active", "id=\"checks\"", "id=\"exact\""] {
        assert!(!page.contains(absent), "{absent}");
    }
}

/// What the run wrote of itself stands on the page, heaviest first, notes as such.
#[test]
fn the_verdict_of_the_manifest_stands_on_the_page() {
    let run = Run::of(BARS);
    let path = run.folder().join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(manifest["judgement"]["word"], "Pass");
    manifest["judgement"] = serde_json::json!({
        "word": "Doubtful", "sentence": "All <well>.",
        "findings": [
            { "weight": "Doubtful", "topic": "rotation", "text": "Body `a` turns." },
            { "weight": "Note", "topic": "effort", "text": "Hard." },
        ],
    });
    fs::write(&path, manifest.to_string()).unwrap();
    let page = run.page();
    assert!(page.contains(
        "<section id=\"verdict\" class=\"doubtful\">\n<p><strong>Doubtful.</strong> All &lt;well&gt;.</p>\n\
         <ul>\n<li>Body `a` turns.</li>\n<li>Note: Hard.</li>\n</ul>"
    ));
}

/// Folders of older versions have the numbers and no judgement: the same function judges them.
#[test]
fn a_folder_of_an_older_version_is_judged_by_its_numbers() {
    let older = |key: &str, value: &str| {
        let run = Run::of(BARS);
        let path = run.folder().join("manifest.json");
        let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        manifest.as_object_mut().unwrap().remove("judgement");
        manifest["verdict"].as_object_mut().unwrap().remove("displacement");
        manifest["verdict"][key] = serde_json::from_str(value).unwrap();
        fs::write(&path, manifest.to_string()).unwrap();
        fs::remove_file(run.folder().join("status.json")).unwrap();
        run
    };
    assert!(older("cuts", "0").page().contains("<strong>Pass.</strong> 90 of 90 steps at tolerance"));
    let check = |key: &str, value: &str, word: &str, piece: &str| {
        let page = older(key, value).page();
        assert!(page.contains(&format!("<strong>{word}.</strong>")) && page.contains(piece), "{key} {value}");
    };
    check("flagged", "3", "Doubtful", "87 of 90 steps at tolerance");
    check("flagged", "3", "Doubtful", "<li>3 steps were accepted above the tolerance 1e-12");
    check("law_error", "1e-2", "Failed", "The law error is above the tolerance 1e-12: worst law error 1.0e-2");
    check("law_error", "null", "Failed", "worst law error NaN");
    check("energy_residual", "0.01", "Failed", "The energy ledger does not close: 1.0e-2");
    check("too_deep", "2", "Doubtful", "2 times a candidate was too deep inside");
    let run = older("cuts", "0");
    run.edit("manifest.json", "\"passed\":true", "\"passed\":false");
    let page = run.page();
    assert!(page.contains("checks: 1 of 2 passed") && page.contains("<span class=\"attention\">failed</span>"));
    assert!(page.contains("<li>The check “contact stress, rho c V” failed: "));
}

/// The table of the ledger says which line created energy.
#[test]
fn energy_that_was_created_shows_in_the_table() {
    let with_negative = |name: &str| {
        let run = Run::of(FREE);
        let history = fs::read_to_string(run.folder().join("history.csv")).unwrap();
        let column = history.lines().next().unwrap().split(',').position(|n| n == name).unwrap();
        let mut lines: Vec<String> = history.lines().map(str::to_owned).collect();
        let mut cells: Vec<&str> = lines[5].split(',').collect();
        cells[column] = "-7.5";
        lines[5] = cells.join(",");
        fs::write(run.folder().join("history.csv"), lines.join("\n") + "\n").unwrap();
        run.page()
    };
    assert!(with_negative("numerical_dissipation").contains("<td>has created energy: 7.500 J</td>"));
    // With θ < 1 friction may dip at a slip reversal: no reason for alarm.
    let page = with_negative("friction_dissipation");
    assert!(!page.contains("has created energy:") && page.contains("<td>may create energy with this scheme</td>"));
}

#[test]
fn a_run_without_manifest_is_unfinished_and_says_how_it_ended() {
    let run = Run::of(BARS);
    fs::remove_file(run.folder().join("manifest.json")).unwrap();
    // As if it had been killed while writing a line.
    let path = run.folder().join("history.csv");
    let history = fs::read_to_string(&path).unwrap();
    fs::write(&path, history.lines().take(42).collect::<Vec<_>>().join("\n") + "\n41,9.1e").unwrap();
    fs::write(run.folder().join("run.log"), "case: x\nstep 41 at t = 1: <no> good\nmore\n").unwrap();
    run.edit("status.json", "\"finished\"", "\"running\"");
    let page = run.page();
    assert!(page.contains("class=\"unfinished\">\n<p><strong>Unfinished.</strong> 40 of 40 steps at tolerance 1e-12"));
    assert!(page.contains("<li>The run ended after 40 of 90 steps without a message: it was killed"));
    assert!(page.contains("<details id=\"log\" open>") && page.contains("step 41 at t = 1: &lt;no&gt; good"));
    assert!(page.contains("id=\"fig-energy\"") && !page.contains("fig-timings") && !page.contains("id=\"provenance\""));
    figures(&page).into_iter().for_each(assert_well_formed);

    let lock = Lock::take(&run.folder(), Holder::Run).unwrap();
    assert!(run.page().contains("<li>The run is not finished yet; 40 of 90 steps are done.</li>"));
    let refused = write_report(&run.folder()).unwrap_err();
    assert!(refused.exit_code() == 5 && refused.code() == "E0809", "{refused}");
    assert!(refused.to_string().contains("in use by another run (process "), "{refused}");
    drop(lock);
    // Someone who writes about a run is not the run.
    let lock = Lock::take(&run.folder(), Holder::Report).unwrap();
    assert!(!run.page().contains("The run is not finished yet"));
    assert!(write_report(&run.folder()).unwrap_err().to_string().contains("in use by a report that is being written"));
    drop(lock);
    write_report(&run.folder()).unwrap();
    assert!(!run.folder().join("lock").exists());
    run.edit("status.json", "\"running\"", "\"interrupted\"");
    assert!(run.page().contains("<li>The run was interrupted after 40 of 90 steps; the same command with --resume"));
    // What it counted when it stopped is weighed, also what no column of the history tells.
    run.edit("status.json", "\"too_deep\": 0", "\"too_deep\": 3");
    assert!(run.page().contains("<li>3 times a candidate was too deep inside"));
    run.edit("status.json", "\"interrupted\"", "\"failed\"");
    run.edit("status.json", "\"error\": null", "\"error\": { \"code\": \"E0701\", \"message\": \"no <luck>\" }");
    let page = run.page();
    assert!(page.contains("class=\"failed\">\n<p><strong>Failed.</strong>"), "{page}");
    assert!(page.contains("<li>The run stopped with an error after 40 of 90 steps: E0701 no &lt;luck&gt;</li>"));
    // Written by an older version.
    fs::remove_file(run.folder().join("status.json")).unwrap();
    assert!(run.page().contains("<li>The run ended after 40 steps without a message"));
    fs::write(run.folder().join("status.json"), "{").unwrap();
    assert!(run.error().0.contains("status.json"));
}

#[test]
fn what_is_not_a_results_folder_is_said_so() {
    let dir = tempfile::tempdir().unwrap();
    let missing = render(&dir.path().join("nowhere")).unwrap_err();
    assert!(matches!(missing, ReportError::NoFolder(_)) && missing.exit_code() == 2);
    assert!(missing.to_string().contains("nowhere"), "{missing}");
    let empty = write_report(dir.path()).unwrap_err();
    assert!(empty.to_string().contains("is not a results folder") && empty.exit_code() == 2, "{empty}");
    assert!(matches!(empty, ReportError::NotResults(_)));
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing is left behind");
}

#[test]
fn missing_files_are_named() {
    for file in
        ["history.csv", "case.ron", "case.resolved.ron", "fields.pvd", "contacts.pvd", "fields/fields_000000.vtu"]
    {
        let run = Run::of(FREE);
        fs::remove_file(run.folder().join(file)).unwrap();
        let (text, code) = run.error();
        assert!(text.starts_with("cannot read `") && text.contains(file) && code == 5, "{text}");
    }
}

#[test]
fn damaged_files_are_named_with_the_place() {
    let check = |file: &str, from: &str, to: &str, pieces: &[&str]| {
        let run = Run::of(FREE);
        run.edit(file, from, to);
        let (text, code) = run.error();
        assert_eq!(code, 5);
        for piece in [file, "is damaged"].iter().chain(pieces) {
            assert!(text.contains(piece), "no `{piece}` in {text}");
        }
    };
    check("manifest.json", "\"program\"", "program", &["line "]);
    check("manifest.json", "\"law_error\"", "\"lav_error\"", &["law_error"]);
    check("history.csv", "time,", "tide,", &["line 1", "no column `time`"]);
    check("history.csv", "\n2,", "\ntwo,", &["line 4", "`two` in column step"]);
    check("case.resolved.ron", "integrator:", "integratour:", &["integratour"]);
    check("fields.pvd", "timestep=\"0.0\"", "timestep=\"zero\"", &["entry 1", "zero"]);
    check("fields/fields_000000.vtu", "Name=\"von_mises\"", "Name=\"mises\"", &["no cell field `von_mises`"]);
    check("fields/fields_000000.vtu", "</VTKFile>", "", &["breaks off"]);

    let run = Run::of(FREE);
    fs::write(run.folder().join("case.ron"), [b'(', 0xff]).unwrap();
    assert!(run.error().0.contains("byte 1 is not UTF-8"));
}
