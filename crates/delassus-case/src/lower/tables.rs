//! Functions of time that stand in CSV files become tables before anything else is built.

use std::path::Path;

use delassus_fem::{MaterialSpec, TimeCsv, TimeFunction};
use delassus_verify::{Curve, ReferenceFile};

use super::Builder;
use super::reference::CsvSource;
use crate::spec::{Case, JointMotionSpec, LoadEntry};

/// The functions of a case that drive something, with their paths.
pub(crate) fn functions(case: &mut Case) -> Vec<(String, &mut TimeFunction)> {
    let mut found = Vec::new();
    for (k, load) in case.loads.iter_mut().enumerate() {
        let (LoadEntry::Gravity { factor, .. }
        | LoadEntry::Traction { factor, .. }
        | LoadEntry::Pressure { factor, .. }
        | LoadEntry::Couple { factor, .. }
        | LoadEntry::Force { factor, .. }
        | LoadEntry::NodalForce { factor, .. }) = load;
        found.push((format!("loads[{k}].factor"), factor));
    }
    for (k, entry) in case.materials.iter_mut().enumerate() {
        if let MaterialSpec::ThermoElastic(law) = &mut entry.law {
            found.push((format!("materials[{k}].law.temperature"), &mut law.temperature));
        }
    }
    for (k, entry) in case.boundary.iter_mut().enumerate() {
        let keys = [("x", &mut entry.x), ("y", &mut entry.y), ("z", &mut entry.z)];
        found.extend(keys.into_iter().filter_map(|(key, f)| Some((format!("boundary[{k}].{key}"), f.as_mut()?))));
    }
    for (k, entry) in case.motions.iter_mut().enumerate() {
        let keys = [("x", &mut entry.x), ("y", &mut entry.y), ("z", &mut entry.z), ("spin", &mut entry.spin)];
        found.extend(keys.into_iter().filter_map(|(key, f)| Some((format!("motions[{k}].{key}"), f.as_mut()?))));
    }
    for (k, entry) in case.joints.iter_mut().enumerate() {
        found.extend(entry.motion.as_mut().map(|motion| match motion {
            JointMotionSpec::Coordinate(f) => (format!("joints[{k}].motion.Coordinate"), f),
            JointMotionSpec::Rate(f) => (format!("joints[{k}].motion.Rate"), f),
        }));
    }
    for (k, entry) in case.obstacles.iter_mut().enumerate() {
        let keys = [("x", &mut entry.velocity.x), ("y", &mut entry.velocity.y), ("z", &mut entry.velocity.z)];
        let at = |key: &str| format!("obstacles[{k}].{key}");
        found.extend(keys.into_iter().filter_map(|(key, f)| Some((at(&format!("velocity.{key}")), f.as_mut()?))));
        found.extend(entry.spin.as_mut().map(|f| (at("spin"), f)));
    }
    found
}

/// The function itself, or that of a displacement.
fn inner(f: &mut TimeFunction) -> &mut TimeFunction {
    match f {
        TimeFunction::Displacement(of) => of,
        other => other,
    }
}

/// The case with its tables read, and their files; nothing where it has none. What is wrong is noted, and the function is then 0.
pub(super) fn with_tables(builder: &mut Builder<'_>, folder: &Path) -> Option<(Case, Vec<ReferenceFile>)> {
    let mut case = builder.case.clone();
    let is_csv = |f: &mut TimeFunction| matches!(inner(f), TimeFunction::Csv(_));
    if !functions(&mut case).into_iter().any(|(_, f)| is_csv(f)) {
        return None;
    }
    let mut files = Vec::new();
    for (path, f) in functions(&mut case) {
        let f = inner(f);
        let TimeFunction::Csv(csv) = &*f else { continue };
        let TimeCsv { file, time, value, time_unit, value_unit } = csv.clone();
        let source = CsvSource {
            path,
            file: &file,
            columns: [&time, &value],
            units: [("time_unit", time_unit), ("value_unit", value_unit)],
        };
        *f = match builder.csv_curve(&source, folder) {
            Some((Curve::Points(points), read)) => {
                files.extend(read);
                TimeFunction::Table(points.points().to_vec())
            }
            _ => TimeFunction::Constant(0.0),
        };
    }
    Some((case, files))
}
