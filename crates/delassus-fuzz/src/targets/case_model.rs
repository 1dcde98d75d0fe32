//! A case up to the first step: all that `delassus check` does, for cases that ask for little.

use std::path::Path;

use delassus_case::spec::{BlocksSpec, Case, MeshSpec, ObstacleSpec, ShellBlockSpec};
use delassus_case::{CaseError, Loaded};
use delassus_run::RunError;
use delassus_run::check::check_case;

use super::{Answer, Bound, Form, FuzzTarget, case_ron, text};

/// Cases and their models. Matrices and factors of the cells that [`MOST_CELLS`] lets pass take some megabytes.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "case-model", form: Form::Text, words: case_ron::words, memory: Bound::LONG, run };

/// Cells of all bodies beyond which a case is only refused or let be: a user may ask for a large mesh.
const MOST_CELLS: usize = 300;

/// What a round body counts as: it has a picture of its surface, and no matrices. Three of them pass.
const PICTURE: usize = 100;

fn run(input: &[u8]) -> Answer {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let loaded = match Loaded::from_text(Path::new("fuzz.ron"), text.to_owned(), &[]) {
        Ok(loaded) => loaded,
        // The other target looks at these.
        Err(_) => return Answer::Refused("not a case".to_owned()),
    };
    if !is_small(&loaded.case) {
        return Answer::Refused("large".to_owned());
    }
    match check_case(&loaded) {
        Ok(told) => Answer::Accepted(told.lines().count() as u64),
        Err(RunError::Case(CaseError::Case { text, .. })) => Answer::Refused(text),
        Err(error) => Answer::Refused(error.to_string()),
    }
}

/// A case that is quick to build. Numbers that no mesh is made of pass: they must be refused.
fn is_small(case: &Case) -> bool {
    /// What a generator refuses at once: ten times its limit, because [`cells`] may count five times too many.
    const REFUSED: usize = 500_000_000;
    let mut total = 0_usize;
    for body in &case.bodies {
        // A path may lead anywhere.
        let Some(cells) = cells(&body.mesh) else { return false };
        let copies = body.copies.as_ref().map_or(1, |copies| copies.count);
        let all = cells.saturating_mul(copies);
        if all > MOST_CELLS && cells < REFUSED && copies < REFUSED {
            return false;
        }
        total = total.saturating_add(if all < REFUSED { all } else { 0 });
    }
    total <= MOST_CELLS && !case.obstacles.iter().any(|o| matches!(o.shape, ObstacleSpec::Mesh(_)))
}

/// About how many cells a generator makes; none for a file.
fn cells(mesh: &MeshSpec) -> Option<usize> {
    let product = |counts: &[usize], refine: usize| {
        counts.iter().fold(1_usize, |all, n| all.saturating_mul(n.saturating_mul(refine).max(1)))
    };
    Some(match mesh {
        MeshSpec::File(_) | MeshSpec::Own(_) | MeshSpec::Surface(_) | MeshSpec::Blocks(BlocksSpec::File(_)) => {
            return None;
        }
        MeshSpec::Blocks(b) => b.n_blocks().saturating_mul(PICTURE / 5),
        MeshSpec::Clump(c) => {
            let mut each = c.parts.iter().map(|part| cells(&part.alone()));
            each.try_fold(0_usize, |all, part| part.map(|n| all.saturating_add(n)))?
        }
        MeshSpec::PointMass(_) | MeshSpec::Round(_) | MeshSpec::Capsule(_) => PICTURE,
        MeshSpec::Packing(p) => p.count(),
        MeshSpec::Polygon(p) => p.points.len(),
        MeshSpec::Polyhedron(p) => p.faces.iter().map(Vec::len).sum(),
        MeshSpec::Rectangle(r) => product(&r.cells.0, r.refine).saturating_mul(2),
        MeshSpec::Annulus(a) => product(&a.cells.0, a.refine),
        MeshSpec::Disk(d) => disk(&d.core.0, d.rings, d.refine),
        MeshSpec::Box(b) => product(&b.cells.0, b.refine).saturating_mul(5),
        MeshSpec::Ball(b) => product(&[b.core, b.core, b.core.saturating_add(b.layers.saturating_mul(6))], b.refine),
        MeshSpec::QuarterBall(b) => {
            let up = b.cells.saturating_mul(4).saturating_add(b.layers.saturating_mul(3));
            product(&[b.cells, b.cells, up], b.refine)
        }
        MeshSpec::Cylinder(c) => {
            disk(&c.core.0, c.rings, c.refine).saturating_mul(c.layers.saturating_mul(c.refine).max(1))
        }
        MeshSpec::ShellBlock(b) => shell(b),
    })
}

/// The core, and rings around its edges.
fn disk(core: &[usize], rings: usize, refine: usize) -> usize {
    let core: Vec<usize> = core.iter().map(|n| n.saturating_mul(refine)).collect();
    let inside = core.iter().fold(1_usize, |all, &n| all.saturating_mul(n.max(1)));
    let around = core.iter().fold(0_usize, |all, &n| all.saturating_add(n)).saturating_mul(2);
    inside.saturating_add(around.saturating_mul(rings.saturating_mul(refine)))
}

fn shell(b: &ShellBlockSpec) -> usize {
    b.cells.0.iter().fold(1_usize, |all, n| all.saturating_mul(n.saturating_mul(b.refine).max(1)))
}
