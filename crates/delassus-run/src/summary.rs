//! The end of a run: the verdict, the summary for people, the manifest for programs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use delassus_case::hash::sha256;
use delassus_case::load::Loaded;
use delassus_case::lower::Lowered;
use delassus_case::spec::Units;
use delassus_contact::ContactKey;
use delassus_sim::model::{Model, MovingObstacle};
use delassus_sim::snapshot::Snapshot;
use delassus_sim::timings::Timings;
use delassus_sim::verdict::Verdict;
use delassus_verify::Verification;
use delassus_verify::history::History;

use crate::judgement::{Finding, Judgement, Weight};
use crate::manifest::Manifest;

/// A finished run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The case's title.
    pub title: String,
    /// Its units, for labels.
    pub units: Units,
    /// Results folder.
    pub folder: PathBuf,
    /// Accepted steps.
    pub steps: usize,
    /// Time reached \[s\].
    pub time: f64,
    /// Wall time \[s\].
    pub wall: f64,
    /// Degrees of freedom.
    pub n_dof: usize,
    /// Candidate nodes.
    pub n_candidates: usize,
    /// What was counted step by step.
    pub verdict: Verdict,
    /// The verdict in words.
    pub judgement: Judgement,
    /// Law error asked for.
    pub tolerance: f64,
    /// Errors against the exact solution, and checks.
    pub verification: Option<Verification>,
    /// Pictures written.
    pub pictures: Vec<String>,
    /// Hash of the final state.
    pub state_hash: String,
    /// The final state.
    pub final_snapshot: Snapshot,
    /// All rows of `history.csv`.
    pub history: History,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = &self.verdict;
        writeln!(f, "{}", self.title)?;
        write_judgement(f, &self.judgement)?;
        let s = self.units.symbol(" s");
        let speed = self.steps as f64 / self.wall.max(1e-9);
        writeln!(
            f,
            "  {} steps to t = {:.6e}{s} in {:.2} s ({speed:.0} steps/s); {} dofs, {} candidates",
            self.steps, self.time, self.wall, self.n_dof, self.n_candidates
        )?;
        let mean = v.total_iterations as f64 / self.steps.max(1) as f64;
        writeln!(
            f,
            "  contact: at most {} active, {mean:.1} iterations per step (at most {})",
            v.max_active, v.max_iterations
        )?;
        if v.cuts + v.takeovers > 0 {
            writeln!(
                f,
                "  {} steps were tried again with half the length, {} solved by a fallback solver (run.log says which)",
                v.cuts, v.takeovers
            )?;
        }
        if v.max_inertia > 0.0 {
            let part = 100.0 * v.restless_time / self.time;
            writeln!(
                f,
                "  inertia forces are at most {:.1e} of the internal forces, and above `max_inertia` for {part:.1} % of the time",
                v.max_inertia
            )?;
        }
        if let Some(verification) = &self.verification {
            write_verification(f, verification)?;
        }
        let folder = self.folder.display();
        writeln!(f, "  results in {folder}: fields.pvd, contacts.pvd, history.csv, manifest.json")?;
        for picture in &self.pictures {
            writeln!(f, "  picture    {folder}/{picture}")?;
        }
        write!(f, "  ParaView   open {folder}/fields.pvd, press Apply, add the filter Warp By Vector (displacement)")
    }
}

/// The word and the sentence, then what matters, a line each.
fn write_judgement(f: &mut fmt::Formatter<'_>, judgement: &Judgement) -> fmt::Result {
    writeln!(f, "  {}: {}", judgement.word.text(), judgement.sentence)?;
    for Finding { weight, text, .. } in &judgement.findings {
        let label = match weight {
            Weight::Note => "note",
            Weight::Doubtful => "doubtful",
            Weight::Failed => "failed",
        };
        writeln!(f, "  {label:<10} {text}")?;
    }
    Ok(())
}

fn write_verification(f: &mut fmt::Formatter<'_>, verification: &Verification) -> fmt::Result {
    if !verification.errors.is_empty() {
        writeln!(f, "  against the exact solution or a reference (relative errors):")?;
        writeln!(f, "    {:<24} {:>9} {:>9} {:>9}", "column", "L1", "L2", "max")?;
        for e in &verification.errors {
            let part = e.window.map_or(String::new(), |[from, to]| format!("  over t = {from:.4e} to {to:.4e}"));
            writeln!(f, "    {:<24} {:>9.2e} {:>9.2e} {:>9.2e}{part}", e.column, e.l1, e.l2, e.max)?;
        }
    }
    for c in &verification.checks {
        let word = if c.passed { "pass" } else { "FAIL" };
        if c.found.is_nan() {
            let what = "its measure has no finite value in this run";
            writeln!(f, "  {word}  {}: {what}, expected {:.6e}", c.name, c.expected)?;
            continue;
        }
        writeln!(
            f,
            "  {word}  {}: {:.6e}, expected {:.6e} (error {:.2e}, allowed {:.2e})",
            c.name, c.found, c.expected, c.error, c.tolerance
        )?;
    }
    Ok(())
}

/// SHA-256 of every bit of the state.
#[must_use]
pub fn state_hash(snapshot: &Snapshot) -> String {
    let mut bytes = Vec::new();
    let mut add = |x: &f64| bytes.extend(x.to_bits().to_le_bytes());
    for s in &snapshot.states {
        add(&s.t);
        [&s.q, &s.v, &s.z, &s.aux].into_iter().flatten().for_each(&mut add);
    }
    let numbers = |key: &ContactKey| {
        let corner = key.is_across().then_some(key.corner);
        let first = [f64::from(key.pair), key.pass as f64, f64::from(key.candidate)];
        first.into_iter().chain(corner.map(f64::from)).collect::<Vec<f64>>()
    };
    for (key, p) in &snapshot.impulses {
        numbers(key).iter().chain(p).for_each(&mut add);
    }
    for (key, history) in &snapshot.histories {
        numbers(key).iter().chain(&history.z).chain([&history.slip, &history.friction]).for_each(&mut add);
    }
    sha256(&bytes)
}

/// Hashes of the files a run reads: meshes by the names of their bodies and obstacles, references, and tables of functions.
#[must_use]
pub fn file_hashes<const D: usize>(loaded: &Loaded, lowered: &Lowered<D>) -> BTreeMap<String, String> {
    let Lowered { model, references, lines, tables } = lowered;
    let mut files = mesh_hashes(loaded, model);
    let of_lines = lines.iter().filter_map(|l| l.line.file.as_ref());
    for file in references.iter().filter_map(|r| r.file.as_ref()).chain(of_lines) {
        files.insert(format!("reference {}", file.name), file.hash.clone());
    }
    files.extend(tables.iter().map(|file| (format!("table {}", file.name), file.hash.clone())));
    files
}

/// Hashes of the meshes by the names of their bodies and obstacles.
#[must_use]
pub fn mesh_hashes<const D: usize>(loaded: &Loaded, model: &Model<D>) -> BTreeMap<String, String> {
    let of_bodies =
        model.bodies.iter().map(|b| (b.name.clone(), b.mesh_hash.clone().unwrap_or("generated".to_owned())));
    let mut meshes: BTreeMap<_, _> = of_bodies.collect();
    for (_, MovingObstacle { number, mesh_hash, .. }) in model.obstacles() {
        if let Some(hash) = mesh_hash {
            // Bodies and obstacles may have the same name.
            meshes.insert(format!("obstacle {}", loaded.case.obstacles[*number].name), hash.clone());
        }
    }
    meshes
}

/// The manifest of a run.
#[must_use]
pub fn manifest<const D: usize>(
    summary: &Summary,
    loaded: &Loaded,
    lowered: &Lowered<D>,
    threads: usize,
    timings: &Timings,
) -> Manifest {
    let mut phases: BTreeMap<String, f64> = timings.phases().iter().map(|(k, s)| ((*k).to_owned(), *s)).collect();
    phases.insert("total".into(), summary.wall);
    phases.insert("steps".into(), summary.steps as f64);
    Manifest {
        program: "delassus".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        commit: crate::COMMIT.into(),
        title: summary.title.clone(),
        units: summary.units,
        case: loaded.path.file_name().map(|n| n.to_string_lossy().into_owned()),
        case_hash: loaded.hash(),
        mesh_hashes: file_hashes(loaded, lowered),
        settings: loaded.settings.clone(),
        from: None,
        level: delassus_math::level().into(),
        threads,
        steps: summary.steps,
        time: summary.time,
        dofs: summary.n_dof,
        state_hash: summary.state_hash.clone(),
        verdict: summary.verdict.clone(),
        judgement: Some(summary.judgement.clone()),
        verification: summary.verification.clone(),
        timings_s: phases,
    }
}
