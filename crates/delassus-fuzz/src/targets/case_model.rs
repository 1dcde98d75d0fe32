//! A case up to the first step: all that `delassus check` does, for cases that ask for little.

use std::path::Path;

use delassus_sim::case::{Case, MeshSpec, ObstacleSpec, ShellBlockSpec};
use delassus_sim::check::check_case;
use delassus_sim::{Loaded, SimError};

use super::{Bound, Form, Outcome, Target, case_ron, text};

/// Cases and their models. Matrices and factors of the cells that [`MOST_CELLS`] lets pass take some megabytes.
pub const TARGET: Target = Target {
    name: "case-model",
    form: Form::Text,
    words: case_ron::words,
    memory: Bound { fixed: 64 << 20, per_byte: 4000 },
    run,
};

/// Cells of all bodies beyond which a case is only refused or let be: a user may ask for a large mesh.
const MOST_CELLS: usize = 300;

fn run(input: &[u8]) -> Outcome {
    let text = match text(input) {
        Ok(text) => text,
        Err(refused) => return refused,
    };
    let loaded = match Loaded::from_text(Path::new("fuzz.ron"), text.to_owned(), &[]) {
        Ok(loaded) => loaded,
        // The other target looks at these.
        Err(_) => return Outcome::Refused("not a case".to_owned()),
    };
    if !is_small(&loaded.case) {
        return Outcome::Refused("large".to_owned());
    }
    match check_case(&loaded) {
        Ok(told) => Outcome::Accepted(told.lines().count() as u64),
        Err(SimError::Case { text, .. }) => Outcome::Refused(text),
        Err(error) => Outcome::Refused(error.to_string()),
    }
}

/// A case that is quick to build. Numbers that no mesh is made of pass: they must be refused.
fn is_small(case: &Case) -> bool {
    /// What a generator refuses at once.
    const REFUSED: usize = 100_000_000;
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
    total <= MOST_CELLS && !case.obstacles.iter().any(|o| matches!(o.shape, ObstacleSpec::Mesh { .. }))
}

/// About how many cells a generator makes; none for a file.
fn cells(mesh: &MeshSpec) -> Option<usize> {
    let product = |counts: &[usize], refine: usize| {
        counts.iter().fold(1_usize, |all, n| all.saturating_mul(n.saturating_mul(refine).max(1)))
    };
    Some(match mesh {
        MeshSpec::File(_) => return None,
        MeshSpec::Rectangle(r) => product(&r.cells.0, r.refine).saturating_mul(2),
        MeshSpec::Annulus(a) => product(&a.cells.0, a.refine),
        MeshSpec::Disk(d) => {
            let core = d.core.0.iter().fold(1_usize, |all, &n| all.saturating_add(n));
            product(&[core, core.saturating_add(d.rings)], d.refine)
        }
        MeshSpec::Box(b) => product(&b.cells.0, b.refine).saturating_mul(5),
        MeshSpec::Ball(b) => product(&[b.core, b.core, b.core.saturating_add(b.layers.saturating_mul(6))], b.refine),
        MeshSpec::QuarterBall(b) => {
            product(&[b.cells, b.cells.saturating_mul(4), b.cells.saturating_add(b.layers)], b.refine)
        }
        MeshSpec::Cylinder(c) => {
            let core = c.core.0.iter().fold(1_usize, |all, &n| all.saturating_add(n));
            product(&[core, core.saturating_add(c.rings), c.layers], c.refine)
        }
        MeshSpec::ShellBlock(b) => shell(b),
    })
}

fn shell(b: &ShellBlockSpec) -> usize {
    b.cells.0.iter().fold(1_usize, |all, n| all.saturating_mul(n.saturating_mul(b.refine).max(1)))
}
