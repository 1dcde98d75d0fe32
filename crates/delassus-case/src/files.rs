//! The files that a case names: meshes, surfaces of obstacles, tables of functions and of references.

use delassus_fem::TimeFunction;
use delassus_verify::{CurveSpec, LineCurveSpec};

use crate::lower::functions;
use crate::spec::{BlocksSpec, Case, MeshSpec, ObstacleSpec};

/// Shows every name of a file with the path of the value that holds it; the name may be changed.
pub(crate) fn for_each_file(case: &mut Case, mut seen: impl FnMut(&str, &mut String)) {
    for (k, body) in case.bodies.iter_mut().enumerate() {
        match &mut body.mesh {
            MeshSpec::File(name) => seen(&format!("bodies[{k}].mesh"), name),
            MeshSpec::Surface(surface) => seen(&format!("bodies[{k}].mesh"), &mut surface.file),
            _ => {}
        }
        if let MeshSpec::Blocks(BlocksSpec::File(blocks)) = &mut body.mesh {
            seen(&format!("bodies[{k}].mesh"), &mut blocks.file);
        }
    }
    for (k, obstacle) in case.obstacles.iter_mut().enumerate() {
        if let ObstacleSpec::Mesh(mesh) = &mut obstacle.shape {
            seen(&format!("obstacles[{k}].shape"), &mut mesh.file);
        }
    }
    for (path, function) in functions(case) {
        let of = match function {
            TimeFunction::Displacement(of) => of,
            other => other,
        };
        if let TimeFunction::Csv(csv) = of {
            seen(&path, &mut csv.file);
        }
    }
    if let Some(verify) = &mut case.verify {
        for (k, reference) in verify.references.iter_mut().enumerate() {
            if let CurveSpec::Csv(csv) = &mut reference.curve {
                seen(&format!("verify.references[{k}].curve"), &mut csv.file);
            }
        }
        for (k, line) in verify.lines.iter_mut().enumerate() {
            if let LineCurveSpec::Csv(csv) = &mut line.curve {
                seen(&format!("verify.lines[{k}].curve"), &mut csv.file);
            }
        }
    }
}
