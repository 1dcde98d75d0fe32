//! References of the user: curves that are read from files, and lines in bodies.

use std::path::Path;
use std::sync::Arc;

use delassus_error::Coded;
use delassus_error::input::{self, ReadError, read_file};
use delassus_fem::{Expression, TimeCsv};
use delassus_sim::model::{Model, ModelBody};
use delassus_verify::components::Components;
use delassus_verify::table::Polyline;
use delassus_verify::{
    Curve, CurveSpec, FieldSource, LineCsv, LineCurveSpec, LineOf, LineSpec, Reference, ReferenceFile, ReferenceLine,
};

use super::Builder;
use super::names::{check_names, find_name};
use super::observed::columns;
use crate::codes;
use crate::hash::sha256;
use crate::problem::ProblemKind;

/// Most places along a line.
const MAX_SAMPLES: usize = 10_000;

/// What a case becomes.
pub struct Lowered<const D: usize> {
    /// The model.
    pub model: Arc<Model<D>>,
    /// The curves that columns are compared with.
    pub references: Vec<Reference>,
    /// The lines along which fields are compared.
    pub lines: Vec<PlacedLine>,
    /// The files of functions of time.
    pub tables: Vec<ReferenceFile>,
}

/// A line, and where its values come from.
#[derive(Clone, Debug)]
pub struct PlacedLine {
    /// The line and its curve.
    pub line: ReferenceLine,
    /// The places.
    pub places: LinePlaces,
}

/// Where the values along a line come from; points have three components whatever the dimension.
#[derive(Clone, Debug)]
pub enum LinePlaces {
    /// From the nodes of the cells that hold the points.
    Nodes {
        /// The body.
        body: usize,
        /// The points.
        at: Vec<PointInCell>,
    },
    /// From the cells that hold the points, each once.
    Cells {
        /// The body.
        body: usize,
        /// Middles of the cells \[m\] and their global numbers.
        at: Vec<([f64; 3], usize)>,
    },
    /// From the candidates of a contact pair.
    Contact {
        /// The pair.
        pair: usize,
    },
}

/// A point of a line in a body.
#[derive(Clone, Debug)]
pub struct PointInCell {
    /// Where it is \[m\].
    pub point: [f64; 3],
    /// The nodes of its cell, with their shape functions there.
    pub shape: Vec<(usize, f64)>,
}

fn three<const D: usize>(x: &[f64; D]) -> [f64; 3] {
    std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))
}

/// A file of points, and how it is to be read.
pub(super) struct CsvSource<'a> {
    pub(super) path: String,
    pub(super) file: &'a str,
    /// Columns of the places and of the values.
    pub(super) columns: [&'a str; 2],
    /// Keys of their units, and the units.
    pub(super) units: [(&'static str, f64); 2],
}

impl Builder<'_> {
    /// The curves over time; `end` is the end of the run \[s\].
    pub(super) fn references(&mut self, folder: &Path, end: Option<f64>) -> Option<Vec<Reference>> {
        let Some(spec) = &self.case.verify else { return Some(Vec::new()) };
        let names = columns(self.case).names();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut taken: Vec<String> = spec.solution.as_ref().map_or(Vec::new(), |s| s.solution().columns());
        let mut out = Vec::new();
        for (k, reference) in spec.references.iter().enumerate() {
            let path = format!("verify.references[{k}]");
            let column_path = format!("{path}.column");
            find_name(&mut self.problems, &column_path, "column of history.csv", &reference.column, &known);
            if taken.contains(&reference.column) {
                let message = format!(
                    "`{}` has a curve already, of the exact solution or of another reference",
                    reference.column
                );
                self.problems.input(codes::REFERENCE_TWICE, column_path, message);
            }
            taken.push(reference.column.clone());
            if let Some(tolerance) = reference.tolerance {
                self.positive_check(&format!("{path}.tolerance"), tolerance);
            }
            let curve_path = format!("{path}.curve");
            let curve = match &reference.curve {
                CurveSpec::Expression(text) => self.formula(&curve_path, text, &["t"]).map(|curve| (curve, None)),
                CurveSpec::Csv(TimeCsv { file, time, value, time_unit, value_unit }) => self.csv_curve(
                    &CsvSource {
                        path: curve_path,
                        file,
                        columns: [time, value],
                        units: [("time_unit", *time_unit), ("value_unit", *value_unit)],
                    },
                    folder,
                ),
            };
            let Some((curve, file)) = curve else { continue };
            let reference = Reference { spec: reference.clone(), curve, file };
            self.check_window(&path, &reference, end);
            out.push(reference);
        }
        Some(out)
    }

    /// Checks that a reference covers a part of the run, and the requested interval.
    fn check_window(&mut self, path: &str, reference: &Reference, end: Option<f64>) {
        let [first, last] = reference.curve.range();
        let s = self.case.units.symbol(" s");
        for (key, time) in [("from", reference.spec.from), ("to", reference.spec.to)] {
            let Some(time) = time else { continue };
            if !time.is_finite() {
                self.problems.input(
                    codes::NOT_FINITE,
                    format!("{path}.{key}"),
                    format!("{time} is not a finite number"),
                );
            } else if time < first || time > last {
                let message =
                    format!("{key} = {time}{s} lies outside of the file, which goes from {first}{s} to {last}{s}");
                self.problems.input(codes::REFERENCE_RANGE, format!("{path}.{key}"), message);
            }
        }
        let [from, to] = reference.window();
        if let Some(end) = end.filter(|end| !(from < *end && to > 0.0 && from < to)) {
            let message =
                format!("the file covers {from}{s} to {to}{s}, the run 0 to {end}{s}: nothing can be compared");
            self.problems.input(codes::REFERENCE_RANGE, path, message);
        }
    }

    /// The lines; `end` is the end of the run \[s\].
    pub(super) fn lines<const D: usize>(
        &mut self,
        folder: &Path,
        end: Option<f64>,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<Vec<PlacedLine>> {
        let Some(spec) = &self.case.verify else { return Some(Vec::new()) };
        check_names(&mut self.problems, "verify.lines", spec.lines.iter().map(|l| l.name.as_str()));
        let lines: Vec<_> = (0..spec.lines.len()).map(|k| self.line(k, &spec.lines[k], folder, end, bodies)).collect();
        lines.into_iter().collect()
    }

    fn line<const D: usize>(
        &mut self,
        k: usize,
        spec: &LineSpec,
        folder: &Path,
        end: Option<f64>,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<PlacedLine> {
        let path = format!("verify.lines[{k}]");
        if let Some(tolerance) = spec.tolerance {
            self.positive_check(&format!("{path}.tolerance"), tolerance);
        }
        let (h, s) = (self.case.step, self.case.units.symbol(" s"));
        let time = spec.time.or(end)?;
        // The nearest step is never further than half of one.
        if let Some(end) = end.filter(|end| !(time >= 0.0 && time <= end + 0.5 * h)) {
            let message = format!("time = {time}{s} has no step: the run goes from 0 to {end}{s}");
            self.problems.input(codes::LINE_TIME, format!("{path}.time"), message);
        }
        let ends = self.ends::<D>(&path, spec);
        let curve_path = format!("{path}.curve");
        let curve = match &spec.curve {
            LineCurveSpec::Expression(text) => {
                let parsed = ReferenceLine::formula(text);
                self.noted_formula(&curve_path, parsed).map(|curve| (curve, None))
            }
            LineCurveSpec::Csv(LineCsv { file, s, value, s_unit, value_unit }) => self.csv_curve(
                &CsvSource {
                    path: curve_path,
                    file,
                    columns: [s, value],
                    units: [("s_unit", *s_unit), ("value_unit", *value_unit)],
                },
                folder,
            ),
        };
        let (ends, (curve, file)) = (ends?, curve?);
        let line = ReferenceLine { spec: spec.clone(), curve, file, ends, time };
        let ([first, last], length) = (line.curve.range(), line.length());
        if first > 1e-9 * length || last < (1.0 - 1e-9) * length {
            let m = self.case.units.symbol(" m");
            let message = format!("the file goes from s = {first}{m} to {last}{m}, the line from 0 to {length}{m}");
            self.problems.input(codes::REFERENCE_RANGE, format!("{path}.curve"), message);
        }
        let places = self.places(&path, &line, bodies)?;
        Some(PlacedLine { line, places })
    }

    /// The ends of a line, if they are two.
    fn ends<const D: usize>(&mut self, path: &str, spec: &LineSpec) -> Option<[[f64; 3]; 2]> {
        let mut end = |key: &str, c: &Components| self.vector::<D>(&format!("{path}.{key}"), c);
        let (from, to) = (end("from", &spec.from), end("to", &spec.to));
        if !(2..=MAX_SAMPLES).contains(&spec.samples) {
            let message = format!("samples = {} must lie between 2 and {MAX_SAMPLES}", spec.samples);
            self.problems.input(codes::LINE, format!("{path}.samples"), message);
            return None;
        }
        let (from, to) = (from?, to?);
        if from.iter().zip(&to).all(|(a, b)| (a - b).abs() <= 0.0) {
            self.problems.input(codes::LINE, format!("{path}.to"), "the line ends where it begins");
            return None;
        }
        Some([three(&from), three(&to)])
    }

    /// Where the values along a line come from.
    fn places<const D: usize>(
        &mut self,
        path: &str,
        line: &ReferenceLine,
        bodies: &[Option<ModelBody<D>>],
    ) -> Option<LinePlaces> {
        match &line.spec.of {
            LineOf::Contact { pair, .. } => {
                let case = self.case;
                let names: Vec<&str> = case.contacts.iter().map(|c| c.name.as_str()).collect();
                let pair = find_name(&mut self.problems, &format!("{path}.of.pair"), "contact", pair, &names)?;
                if case.contacts[pair].both {
                    let message = "with `both` the traction of one pass has no meaning";
                    self.problems.input(codes::LINE_BOTH, format!("{path}.of.pair"), message);
                    return None;
                }
                Some(LinePlaces::Contact { pair })
            }
            LineOf::Body { body, field } => {
                let source = field.source();
                let needs_z = match source {
                    FieldSource::Displacement(axis) | FieldSource::Velocity(axis) => axis >= D,
                    FieldSource::Stress(component) => D < 3 && component > 3,
                };
                if needs_z {
                    let message = format!("{field:?}: a case of dimension {D} has no z");
                    self.problems.input(codes::NO_Z, format!("{path}.of.field"), message);
                    return None;
                }
                let k = self.known_body(&format!("{path}.of.body"), body)?;
                let of = bodies[k].as_ref()?.body.finite_elements()?;
                let mut nodes = Vec::new();
                let mut cells: Vec<([f64; 3], usize)> = Vec::new();
                for place in line.places() {
                    let point: [f64; D] = std::array::from_fn(|i| place[i]);
                    let Some((cell, shape)) = of.locate(&point) else {
                        let message = format!("{point:?} on the line lies outside of body `{body}`");
                        self.problems.add(codes::LINE_OUTSIDE, path, message, ProblemKind::Mesh);
                        return None;
                    };
                    if !cells.iter().rev().any(|(_, known)| *known == cell) {
                        cells.push((three(&of.mesh().cell_centre(cell)), cell));
                    }
                    nodes.push(PointInCell { point: place, shape });
                }
                Some(match source {
                    FieldSource::Stress(_) => LinePlaces::Cells { body: k, at: cells },
                    FieldSource::Displacement(_) | FieldSource::Velocity(_) => LinePlaces::Nodes { body: k, at: nodes },
                })
            }
        }
    }

    /// A curve in closed form.
    fn formula(&mut self, path: &str, text: &str, variables: &[&str]) -> Option<Curve> {
        let parsed = Expression::parse(text, variables).map(Curve::Formula);
        self.noted_formula(path, parsed)
    }

    fn noted_formula(&mut self, path: &str, parsed: Result<Curve, delassus_fem::ExpressionError>) -> Option<Curve> {
        parsed.map_err(|e| self.problems.within(e.code(), path, e.at, e.to_string())).ok()
    }

    /// A curve by points of a file.
    pub(super) fn csv_curve(
        &mut self,
        source: &CsvSource<'_>,
        folder: &Path,
    ) -> Option<(Curve, Option<ReferenceFile>)> {
        let path = &source.path;
        for (key, unit) in source.units {
            self.positive(&format!("{path}.{key}"), key, unit)?;
        }
        let file = folder.join(source.file);
        let shown = file.display();
        let bytes = match read_file(&file, input::TABLE) {
            Ok(bytes) => bytes,
            Err(e) => {
                let (code, kind, hint) = match &e {
                    _ if e.is_missing() => {
                        (codes::REFERENCE_FILE, ProblemKind::Input, " (paths are relative to the case file)")
                    }
                    ReadError::File(_) => (codes::REFERENCE_FILE, ProblemKind::File, ""),
                    other => (other.code(), ProblemKind::File, ""),
                };
                let message = format!("cannot read `{shown}`: {}{hint}", e.reason());
                self.problems.add(code, format!("{path}.file"), message, kind);
                return None;
            }
        };
        let Ok(text) = std::str::from_utf8(&bytes) else {
            let message = format!("`{shown}` is not a text in UTF-8");
            self.problems.input(codes::REFERENCE_FILE, format!("{path}.file"), message);
            return None;
        };
        match Polyline::parse(text, source.columns, source.units.map(|(_, unit)| unit)) {
            Ok(points) => {
                let file = ReferenceFile { name: source.file.to_owned(), hash: sha256(&bytes) };
                Some((Curve::Points(points), Some(file)))
            }
            Err(fault) => {
                self.problems.input(fault.code(), path, format!("`{shown}`: {fault}"));
                None
            }
        }
    }
}
