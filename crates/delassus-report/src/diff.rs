//! `delassus diff`: comparison of two results folders, bit for bit or within a tolerance.
//!
//! A difference is one of the final state (its hash), of a column of `history.csv` or of a field of a frame. The tolerance is relative to the
//! largest value of the column, or of the field over all frames; the components of a vector share one scale, and so do energies; gaps have that
//! of the places. With a tolerance hashes are shown but do not count, nor do the columns of solver errors, which are rounding. Facts of the
//! manifests (version, threads, …) are shown and never count: equal results of two versions are equal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use delassus_mesh::vtk::GridData;
use delassus_run::manifest::Manifest;
use delassus_verify::history::History;

use super::error::ReportError;
use super::folder::Results;

/// How two folders compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Are they equal, within the tolerance if there is one?
    pub equal: bool,
    /// What was found, as a person reads it.
    pub text: String,
}

/// Compares two results folders; without a tolerance bit for bit.
pub fn diff(a: &Path, b: &Path, tolerance: Option<f64>) -> Result<Comparison, ReportError> {
    if let Some(x) = tolerance.filter(|x| !(x.is_finite() && *x >= 0.0)) {
        return Err(ReportError::BadTolerance(x));
    }
    let (left, right) = (Results::read(a)?, Results::read(b)?);
    let mut found = Differences { tolerance, equal: true, text: String::new() };
    let _ = writeln!(found.text, "A = {}\nB = {}", a.display(), b.display());
    found.manifests(left.manifest.as_ref(), right.manifest.as_ref());
    found.histories(&left.history, &right.history);
    let lists = [
        ("fields", &left.fields, &right.fields),
        ("contacts", &left.contacts, &right.contacts),
        ("obstacles", &left.obstacles, &right.obstacles),
    ];
    for (name, x, y) in lists {
        let (a, b) = (FrameList { results: &left, frames: x }, FrameList { results: &right, frames: y });
        found.frames(name, a, b)?;
    }
    let verdict = match (found.equal, tolerance) {
        (true, None) => "equal, bit for bit".to_owned(),
        (true, Some(x)) => format!("equal within {x:e}"),
        (false, None) => "different".to_owned(),
        (false, Some(x)) => format!("different beyond {x:e}"),
    };
    found.text += &verdict;
    Ok(Comparison { equal: found.equal, text: found.text })
}

/// Columns that tell how exactly a step was solved, and by how much work.
const EXACTNESS: [&str; 8] = [
    "energy_residual",
    "law_error",
    "audit_error",
    "max_penetration",
    "true_penetration",
    "surface_penetration",
    "solver_iterations",
    "newton_iterations",
];

/// Columns of angles \[rad\] and strains: they need no other value to be compared with.
const ANGLES: [&str; 3] = ["body_rotation", "cell_rotation", "cell_strain"];

/// The name of what a column shares its scale with: the components of a vector, the energies, or itself.
fn scale_of(column: &str) -> &str {
    let parts = ["_energy", "_work", "_dissipation"];
    if parts.iter().any(|end| column.ends_with(end)) {
        return "energy";
    }
    let vectors = ["_x", "_y", "_z", ".ux", ".uy", ".uz", ".vx", ".vy", ".vz"];
    if vectors.iter().any(|end| column.ends_with(end)) {
        return &column[..column.len() - 1];
    }
    match column.rsplit_once('.') {
        Some((name, "sxx" | "syy" | "szz" | "sxy" | "syz" | "sxz" | "differential")) => name,
        _ => column,
    }
}

/// A column or field that differs.
#[derive(Clone, Copy, Default)]
struct Spread {
    /// Largest value of either side.
    scale: f64,
    /// Largest difference, NaN or infinite if one side alone is not finite.
    largest: f64,
    /// Where it is: row, or frame.
    place: usize,
    /// First row or frame that differs at all.
    first: Option<usize>,
}

impl Spread {
    fn take(&mut self, place: usize, x: f64, y: f64) {
        for value in [x, y].into_iter().filter(|v| v.is_finite()) {
            self.scale = self.scale.max(value.abs());
        }
        if same(x, y) {
            return;
        }
        self.first = self.first.or(Some(place));
        let difference = if x.is_finite() && y.is_finite() { (x - y).abs() } else { f64::INFINITY };
        // Zero and −0 differ in their bits alone.
        if difference > self.largest || self.largest <= 0.0 {
            (self.largest, self.place) = (difference, place);
        }
    }

    fn relative(&self) -> f64 {
        if self.largest <= 0.0 { 0.0 } else { self.largest / self.scale }
    }

    fn counts(&self, tolerance: Option<f64>) -> bool {
        match tolerance {
            None => self.first.is_some(),
            Some(limit) => self.relative() > limit,
        }
    }
}

/// The same bits; all that is not a number is alike.
fn same(x: f64, y: f64) -> bool {
    x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan())
}

/// The frames of one kind of a results folder.
struct FrameList<'a> {
    results: &'a Results,
    /// Time \[s\] and file of each.
    frames: &'a [(f64, String)],
}

struct Differences {
    tolerance: Option<f64>,
    equal: bool,
    text: String,
}

impl Differences {
    fn different(&mut self, line: &str) {
        self.equal = false;
        self.line(line);
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn manifests(&mut self, a: Option<&Manifest>, b: Option<&Manifest>) {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return self.line("neither run is finished"),
            (Some(_), None) => return self.different("only A is finished"),
            (None, Some(_)) => return self.different("only B is finished"),
        };
        let facts = [
            ("version", a.version.clone(), b.version.clone()),
            ("commit", a.commit.clone(), b.commit.clone()),
            ("case", format!("{:?}", a.case), format!("{:?}", b.case)),
            ("case_hash", short(&a.case_hash), short(&b.case_hash)),
            ("mesh_hashes", format!("{:?}", a.mesh_hashes), format!("{:?}", b.mesh_hashes)),
            ("settings", format!("{:?}", a.settings), format!("{:?}", b.settings)),
            ("threads", a.threads.to_string(), b.threads.to_string()),
            ("steps", a.steps.to_string(), b.steps.to_string()),
            ("dofs", a.dofs.to_string(), b.dofs.to_string()),
        ];
        for (name, x, y) in facts.into_iter().filter(|(_, x, y)| x != y) {
            self.line(&format!("{name}: {x} in A, {y} in B"));
        }
        let line = format!("final state: hash {} in A, {} in B", short(&a.state_hash), short(&b.state_hash));
        match a.state_hash == b.state_hash {
            true => self.line(&format!("final state: the same bits, hash {}", short(&a.state_hash))),
            false if self.tolerance.is_some() => self.line(&line),
            false => self.different(&line),
        }
    }

    fn histories(&mut self, a: &History, b: &History) {
        for (x, y, name) in [(a, b, "A"), (b, a, "B")] {
            for column in x.names().iter().filter(|n| !y.names().contains(n)) {
                self.different(&format!("history.csv: column `{column}` is only in {name}"));
            }
        }
        let rows = a.rows().len().min(b.rows().len());
        if a.rows().len() != b.rows().len() {
            let (x, y) = (a.rows().len(), b.rows().len());
            self.different(&format!("history.csv: {x} rows in A, {y} in B; the first {rows} are compared"));
        }
        let mut columns = Vec::new();
        let mut scales: BTreeMap<&str, f64> = BTreeMap::new();
        for name in a.names().iter().filter(|n| b.names().contains(n)) {
            let (Some(x), Some(y)) = (a.column(name), b.column(name)) else { continue };
            let mut spread = Spread::default();
            for (row, (x, y)) in x.iter().zip(&y).enumerate() {
                spread.take(row, *x, *y);
            }
            let scale = scales.entry(scale_of(name)).or_default();
            *scale = scale.max(spread.scale);
            columns.push((name, spread, x, y));
        }
        for (name, spread, ..) in &mut columns {
            spread.scale = scales[scale_of(name)].max(if ANGLES.contains(&name.as_str()) { 1.0 } else { 0.0 });
        }
        let exact = self.tolerance.is_none();
        columns.retain(|(name, s, ..)| s.counts(self.tolerance) && (exact || !EXACTNESS.contains(&name.as_str())));
        if columns.is_empty() {
            return self.line(&format!("history.csv: {rows} rows alike"));
        }
        let limit = |s: &Spread| self.tolerance.map_or(0.0, |t| t * s.scale);
        let first = columns
            .iter()
            .filter_map(|(name, s, x, y)| {
                let beyond = |(x, y): (&f64, &f64)| {
                    !same(*x, *y) && ((x - y).abs() > limit(s) || self.tolerance.is_none() || !(x - y).is_finite())
                };
                x.iter().zip(y).position(beyond).map(|row| (row, *name, x[row], y[row]))
            })
            .min_by_key(|(row, ..)| *row);
        if let Some((row, name, x, y)) = first {
            let time = a.column("time").map_or(f64::NAN, |t| t[row]);
            // Line 1 of the file has the names.
            let line = row + 2;
            self.different(&format!(
                "history.csv: first in line {line} (t = {time:e}), `{name}`: {x:?} in A, {y:?} in B"
            ));
        }
        for (name, spread, ..) in &columns {
            let (largest, relative, line) = (spread.largest, spread.relative(), spread.place + 2);
            let line = format!("  {name}: by at most {largest:.3e} (line {line}), {relative:.3e} of the largest value");
            self.different(&line);
        }
    }

    fn frames(
        &mut self,
        kind: &str,
        FrameList { results: left, frames: a }: FrameList<'_>,
        FrameList { results: right, frames: b }: FrameList<'_>,
    ) -> Result<(), ReportError> {
        if a.len() != b.len() {
            self.different(&format!("{kind}.pvd: {} frames in A, {} in B", a.len(), b.len()));
        }
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        let n = a.len().min(b.len());
        let mut spreads: BTreeMap<String, Spread> = BTreeMap::new();
        let mut shapes = Vec::new();
        for (frame, ((time, x), (other, y))) in a.iter().zip(b).enumerate() {
            spreads.entry("time".to_owned()).or_default().take(frame, *time, *other);
            compare(frame, &left.frame(x)?, &right.frame(y)?, &mut spreads, &mut shapes);
        }
        // A gap is a difference of places; its own size may be rounding.
        let places = spreads.get("points").map_or(0.0, |s| s.scale);
        if let Some(gap) = spreads.get_mut("point field `gap`") {
            gap.scale = gap.scale.max(places);
        }
        if self.tolerance.is_some() {
            spreads.remove("point field `law_error`");
        }
        if let Some((frame, what)) = shapes.first() {
            self.different(&format!("{kind}.pvd: frame {frame}: {what}; {} such differences", shapes.len()));
        }
        let counted: Vec<_> =
            spreads.iter().filter(|(_, s)| s.counts(self.tolerance)).map(|(n, s)| (n.clone(), *s)).collect();
        for (name, s) in &counted {
            let first = s.first.unwrap_or(0);
            let (largest, relative, place) = (s.largest, s.relative(), s.place);
            self.different(&format!(
                "{kind}.pvd: {name} from frame {first} on, by at most {largest:.3e} (frame {place}), {relative:.3e} of the largest value"
            ));
        }
        if counted.is_empty() && shapes.is_empty() {
            self.line(&format!("{kind}.pvd: {n} frames alike"));
        }
        Ok(())
    }
}

/// Takes two frames of the same number into account.
fn compare(
    frame: usize,
    a: &GridData,
    b: &GridData,
    spreads: &mut BTreeMap<String, Spread>,
    shapes: &mut Vec<(usize, String)>,
) {
    if a.points.len() != b.points.len() {
        shapes.push((frame, format!("{} points in A, {} in B", a.points.len(), b.points.len())));
        return;
    }
    if (&a.connectivity, &a.offsets, &a.types) != (&b.connectivity, &b.offsets, &b.types) {
        shapes.push((frame, "the cells are not the same".to_owned()));
        return;
    }
    let points = spreads.entry("points".to_owned()).or_default();
    for (x, y) in a.points.iter().flatten().zip(b.points.iter().flatten()) {
        points.take(frame, *x, *y);
    }
    for (place, fields, others) in
        [("point", &a.point_fields, &b.point_fields), ("cell", &a.cell_fields, &b.cell_fields)]
    {
        for (x, y, name) in [(fields, others, "A"), (others, fields, "B")] {
            for f in x.iter().filter(|f| !y.iter().any(|g| g.name == f.name && g.values.len() == f.values.len())) {
                shapes.push((frame, format!("{place} field `{}` is only in {name}, or of another size", f.name)));
            }
        }
        for f in fields {
            let Some(g) = others.iter().find(|g| g.name == f.name && g.values.len() == f.values.len()) else {
                continue;
            };
            let spread = spreads.entry(format!("{place} field `{}`", f.name)).or_default();
            for (x, y) in f.values.iter().zip(&g.values) {
                spread.take(frame, *x, *y);
            }
        }
    }
}

fn short(hash: &str) -> String {
    hash.chars().take(12).collect()
}

#[cfg(test)]
mod tests {
    use delassus_error::Failure;

    use super::*;

    fn compare_histories(a: &str, b: &str, tolerance: Option<f64>) -> (bool, String) {
        let parse = |text: &str| delassus_verify::history::parse(text, false).unwrap();
        let mut found = Differences { tolerance, equal: true, text: String::new() };
        found.histories(&parse(a), &parse(b));
        (found.equal, found.text)
    }

    #[test]
    fn bits_and_tolerances() {
        let a = "time,x,y\n0,1,NaN\n1,100,2\n";
        assert_eq!(compare_histories(a, a, None), (true, "  history.csv: 2 rows alike\n".to_owned()));
        // One bit of 1.0, at the scale of 100.
        let b = "time,x,y\n0,1.0000000000000002,NaN\n1,100,2\n";
        let (equal, text) = compare_histories(a, b, None);
        assert!(!equal && text.contains("first in line 2 (t = 0e0), `x`: 1.0 in A, 1.0000000000000002 in B"), "{text}");
        assert!(text.contains("x: by at most 2.220e-16 (line 2), 2.220e-18 of the largest value"), "{text}");
        assert!(compare_histories(a, b, Some(3e-18)).0);
        assert!(!compare_histories(a, b, Some(2e-18)).0);
        assert!(!compare_histories(a, b, Some(0.0)).0, "a tolerance of nothing is no tolerance");
        assert!(!compare_histories(a, &a.replace("NaN", "0"), Some(1.0)).0, "NaN is near no number");
        let tiny = ("time,p.ux,p.uy,law_error\n0,1,1e-17,1e-12\n", "time,p.ux,p.uy,law_error\n0,1,2e-17,5e-12\n");
        assert!(compare_histories(tiny.0, tiny.1, Some(1e-15)).0, "a component is as large as its vector");
        assert!(!compare_histories(tiny.0, tiny.1, Some(1e-18)).0 && !compare_histories(tiny.0, tiny.1, None).0);
        let turned = ("time,body_rotation,x\n0,1e-17,1\n", "time,body_rotation,x\n0,3e-17,1\n");
        assert!(compare_histories(turned.0, turned.1, Some(1e-15)).0, "an angle of rounding is none");
        assert!(
            !compare_histories(turned.0, turned.1, Some(1e-18)).0 && !compare_histories(turned.0, turned.1, None).0
        );
        assert!(!compare_histories("time,x\n0,0\n", "time,x\n0,-0\n", None).0, "the bits of zero and -0 differ");
        assert!(compare_histories("time,x\n0,0\n", "time,x\n0,-0\n", Some(0.0)).0);
    }

    #[test]
    fn scales() {
        let of = ["kinetic_energy", "momentum_x", "slide.force_y", "tip.vx", "rock.sxy", "law_error", "slide.area"];
        let shared = ["energy", "momentum_", "slide.force_", "tip.v", "rock", "law_error", "slide.area"];
        assert_eq!(of.map(scale_of), shared);
    }

    #[test]
    fn columns_and_rows() {
        let a = "time,x,y\n0,1,5\n1,2,6\n";
        let (equal, text) = compare_histories(a, "time,y\n0,5\n1,6\n", Some(1.0));
        assert!(!equal && text.contains("column `x` is only in A"), "{text}");
        assert!(compare_histories("time,y\n0,5\n1,6\n", a, None).1.contains("column `x` is only in B"));
        let (equal, text) = compare_histories(a, "time,x,y\n0,1,5\n", Some(1.0));
        assert!(!equal && text.contains("2 rows in A, 1 in B; the first 1 are compared"), "{text}");
        assert!(compare_histories(a, "time,y,x\n0,5,1\n1,6,2\n", None).0, "the order of columns does not matter");
    }

    #[test]
    fn grids() {
        let grid = || GridData { points: vec![[0.0; 3], [2.0, 0.0, 0.0]], ..GridData::default() };
        let check = |b: &GridData| {
            let (mut spreads, mut shapes) = (BTreeMap::new(), Vec::new());
            compare(3, &grid(), b, &mut spreads, &mut shapes);
            let worst = spreads.values().map(Spread::relative).fold(0.0, f64::max);
            (worst, shapes)
        };
        assert_eq!(check(&grid()), (0.0, vec![]));
        let mut moved = grid();
        moved.points[1][0] = 1.0;
        assert_eq!(check(&moved), (0.5, vec![]));
        let mut fewer = grid();
        fewer.points.pop();
        assert_eq!(check(&fewer).1, [(3, "2 points in A, 1 in B".to_owned())]);
        let mut cells = grid();
        cells.connectivity = vec![0, 1];
        assert_eq!(check(&cells).1, [(3, "the cells are not the same".to_owned())]);
    }

    #[test]
    fn a_tolerance_is_a_number() {
        for x in [-1.0, f64::NAN, f64::INFINITY] {
            let e = diff(Path::new("a"), Path::new("b"), Some(x)).unwrap_err();
            assert!(e.exit_code() == 2 && e.to_string().contains("--tolerance"), "{e}");
        }
    }
}
