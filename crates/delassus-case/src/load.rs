//! From a case file (and `--set`), or from a program, to a [`Case`] and its [`Model`]. Every problem is shown at its place in the text;
//! a case made in code has no text, so that a problem names its key.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use delassus_error::digits::place as shown_place;
use delassus_error::input::{self, STDIN, read_file_or_stdin};
use delassus_error::{InternalError, bounded, excerpt};
use delassus_math as math;
use delassus_sim::error::{START_OVERLAP, SimError};
use delassus_sim::model::Model;
use delassus_sim::space::Dimension;
use delassus_sim::start::Overlap;

use crate::bases::Based;
use crate::codes;
use crate::error::CaseError;
use crate::files::for_each_file;
use crate::hash::sha256;
use crate::lower::{Generate, Lowered, check_names, columns, lower};
use crate::problem::{CaseProblem, ProblemKind, Problems};
use crate::refused::{not_a_case, refused, shown_name};
use crate::sign::is_case_like;
use crate::source::{Diagnostics, Document, Language, NodeKind, TextNode, UnitRules, options};
use crate::spec::{Case, NOUNS, StageEntry, unit_paths};

/// The units in words that each key accepts; none with `units: Plain`.
fn unit_rules(document: &Document) -> UnitRules {
    let root = document.tree().root().unwrapped();
    let units = root.field("units").map(TextNode::unwrapped);
    let plain = units.is_some_and(|u| u.name() == Some("Plain") || u.string().as_deref() == Some("Plain"));
    UnitRules { paths: unit_paths(), none: plain.then_some("with `units: Plain` all numbers are bare") }
}

/// The text of a case with all defaults written out, if it can be read.
fn with_defaults(document: &Document) -> Option<String> {
    let mut document = document.clone();
    document.set_unit_rules(unit_rules(&document));
    let case = document.collect::<Case>(&Case::keys(), &Case::required_keys()).ok()?;
    match document.language() {
        Language::Ron => options().to_string(&case).ok(),
        Language::Json => serde_json::to_string(&case).ok(),
    }
}

/// ron forgets the name before the brackets of a struct, and would take any for `All`.
fn check_all(document: &Document) -> Result<(), CaseError> {
    let contacts = document.tree().root().unwrapped().field("contacts").map(TextNode::unwrapped);
    let is_all = |c: &TextNode<'_>| c.kind() == NodeKind::Struct && c.name() == Some("All");
    // JSON has no names, and what else may stand there serde has read.
    let Some(node) = contacts.filter(|c| !matches!(c.kind(), NodeKind::List | NodeKind::Map) && !is_all(c)) else {
        return Ok(());
    };
    let message = format!("expected a list [ … ] or `All(law: …)`, found {}", node.describe());
    let problem = document.problem(codes::WRONG_TYPE, "contacts", message);
    Err(refused(&document.diagnostics(vec![problem]), Vec::new()))
}

/// Where a case comes from.
enum CaseSource {
    /// A text.
    Text(Box<Document>),
    /// A program.
    Code,
}

/// A case that has been read, or made in code.
pub struct Loaded {
    /// The case file; of a case made in code its folder and the name of its results.
    pub path: PathBuf,
    /// The text as given; of a case made in code the text that would give it.
    pub given: String,
    /// The `--set` assignments, in order.
    pub settings: Vec<String>,
    source: CaseSource,
    /// The text of the file itself, without its bases.
    written: String,
    /// The case.
    pub case: Case,
}

impl Loaded {
    /// Does the text say `contacts: All(…)`?
    #[must_use]
    pub fn is_all_contacts(&self) -> bool {
        let CaseSource::Text(document) = &self.source else { return false };
        let contacts = document.tree().root().unwrapped().field("contacts").map(TextNode::unwrapped);
        contacts.is_some_and(|c| c.kind() != NodeKind::List)
    }

    /// Reads a case file, or standard input if the path is `-`, and applies `--set` assignments.
    pub fn read(path: &Path, settings: &[String]) -> Result<Self, CaseError> {
        let bytes = read_file_or_stdin(path, input::CASE)
            .map_err(|e| if e.is_missing() { CaseError::NoCase(path.to_owned()) } else { e.into() })?;
        let text = String::from_utf8(bytes).map_err(|e| CaseError::Case {
            text: format!(
                "error[{}]: {}: not a text file (byte {} is not UTF-8); a case is written in RON or JSON",
                codes::NOT_TEXT,
                shown_name(path),
                e.utf8_error().valid_up_to()
            ),
            problems: Vec::new(),
            code: codes::NOT_TEXT,
        })?;
        Self::from_text(path, text, settings)
    }

    /// A case given as text; `path` names it and is where relative paths start.
    pub fn from_text(path: &Path, given: String, settings: &[String]) -> Result<Self, CaseError> {
        let file = shown_name(path);
        let wrong = |d: Diagnostics| if is_case_like(&given) { refused(&d, Vec::new()) } else { not_a_case(&file) };
        let language = if path == Path::new(STDIN) { Language::of_text(&given) } else { Language::of(path) };
        let mut based = Based::read(Document::of(language, &given, &file).map_err(wrong)?, path)?;
        let document = &mut based.document;
        for assignment in settings {
            let set = document.set_among(assignment, with_defaults);
            set.map_err(|e| CaseError::Set { assignment: assignment.clone(), source: e })?;
        }
        let rules = unit_rules(document);
        document.set_unit_rules(rules);
        document.set_nouns(NOUNS);
        let mut case = document.collect::<Case>(&Case::keys(), &Case::required_keys()).map_err(wrong)?;
        check_all(&based.document)?;
        based.place_files(&mut case);
        case.list_contacts();
        // A results folder keeps all of the case.
        let written = given;
        let given = if based.has_base() { based.document.text().to_owned() } else { written.clone() };
        let source = CaseSource::Text(Box::new(based.document));
        Ok(Self { path: path.to_owned(), given, settings: settings.to_vec(), source, written, case })
    }

    /// A case made in code. `folder` is where relative paths of the case start; the results are named after the title.
    ///
    /// # Errors
    /// Only if the case cannot be written as text; what is wrong with it is found by [`Loaded::model`].
    pub fn of_case(mut case: Case, folder: impl AsRef<Path>) -> Result<Self, CaseError> {
        case.list_contacts();
        let path = folder.as_ref().join(file_name(&case.title));
        let given = text_of(&case)?;
        Ok(Self { path, written: given.clone(), given, settings: Vec::new(), source: CaseSource::Code, case })
    }

    /// The case's name: its file name without ending.
    #[must_use]
    pub fn name(&self) -> String {
        if self.path == Path::new(STDIN) {
            return "stdin".to_owned();
        }
        self.path.file_stem().map_or_else(|| "case".into(), |s| s.to_string_lossy().into_owned())
    }

    /// The columns that `history.csv` of a run will have, curves of solution and references apart.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        columns(&self.case).names()
    }

    /// Where relative paths of the case start.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The default results folder of a run.
    #[must_use]
    pub fn results_folder(&self) -> PathBuf {
        Path::new("results").join(self.name())
    }

    /// The case with all defaults written out.
    pub fn resolved_text(&self) -> Result<String, CaseError> {
        let mut case = self.case.clone();
        // The resolved case stands in another folder: its files must be found from there too.
        for_each_file(&mut case, |_, name| {
            let file = self.folder().join(&*name);
            *name = file.canonicalize().unwrap_or(file).display().to_string();
        });
        text_of(&case)
    }

    /// The name under which the results folder keeps the text as given.
    #[must_use]
    pub fn copy_name(&self) -> &'static str {
        match &self.source {
            CaseSource::Text(document) if document.language() == Language::Json => "case.json",
            CaseSource::Text(_) | CaseSource::Code => "case.ron",
        }
    }

    /// The case as JSON, all defaults written out; paths of meshes as they are given.
    pub fn json_text(&self) -> Result<String, CaseError> {
        serde_json::to_string_pretty(&self.case)
            .map_err(|e| InternalError(format!("the case cannot be written as JSON: {e}")).into())
    }

    /// Hash of the text after `--set`.
    #[must_use]
    pub fn hash(&self) -> String {
        match &self.source {
            CaseSource::Text(document) => sha256(document.text().as_bytes()),
            CaseSource::Code => sha256(self.given.as_bytes()),
        }
    }

    /// The cases of its stages, in their order: the case with what each stage changes.
    ///
    /// # Errors
    /// A change that cannot be made, and what is wrong with names of stages.
    pub fn stages(&self) -> Result<Vec<Self>, CaseError> {
        let mut problems = Problems::default();
        check_names(&mut problems, "stages", self.case.stages.iter().map(|stage| stage.name.as_str()));
        if !problems.is_empty() {
            return Err(self.problems(problems));
        }
        let stage = |stage: &StageEntry| {
            let mut settings = self.settings.clone();
            settings.push("stages=[]".to_owned());
            settings.extend(stage.duration.map(|t| format!("duration={t:?}")));
            settings.extend(stage.step.map(|t| format!("step={t:?}")));
            settings.extend(stage.changes.iter().cloned());
            Self::from_text(&self.path, self.written.clone(), &settings)
        };
        self.case.stages.iter().map(stage).collect()
    }

    /// Checks everything and builds the model.
    pub fn model<const D: usize>(&self) -> Result<Arc<Model<D>>, CaseError>
    where
        Dimension<D>: Generate<D>,
    {
        self.lowered().map(|lowered| lowered.model)
    }

    /// Checks everything, builds the model and reads the references it is to be compared with.
    pub fn lowered<const D: usize>(&self) -> Result<Lowered<D>, CaseError>
    where
        Dimension<D>: Generate<D>,
    {
        if !self.case.stages.is_empty() {
            let message = "a case with stages is several runs: `delassus run` does them one after the other";
            let mut problems = Problems::default();
            problems.input(codes::STAGES, "stages", message);
            return Err(self.problems(problems));
        }
        lower(&self.case, self.folder()).map_err(|problems| self.problems(problems))
    }

    /// What a model made of this case was refused for, at its place in the text; other errors as they are.
    pub fn locate(&self, error: SimError) -> Result<SimError, CaseError> {
        let SimError::StartOverlap(overlaps) = error else { return Ok(error) };
        let mut problems = Problems::default();
        for Overlap { pair, candidates, depth, place } in overlaps {
            let m = self.case.units.symbol(" m");
            let message = format!(
                "contact `{}` starts with {candidates} candidates behind their antagonist, the deepest by {depth:.3e}{m} at \
                 {}; move the bodies apart, or allow it with `initial_penetration: {:e}`",
                self.case.contacts[pair].name,
                shown_place(&place),
                rounded_up(depth)
            );
            problems.add(START_OVERLAP, format!("contacts[{pair}]"), message, ProblemKind::Mesh);
        }
        Err(self.problems(problems))
    }

    /// Problems as a user reads them.
    #[must_use]
    pub fn problems(&self, problems: Problems) -> CaseError {
        let CaseSource::Text(document) = &self.source else { return self.problems_of_code(problems.0) };
        let shown = problems.0.iter().map(|p| match p.within {
            Some(at) => document.problem_within(p.code, &p.path, at, p.message.clone()),
            None => document.problem(p.code, &p.path, p.message.clone()),
        });
        let shown = shown.collect();
        refused(&document.diagnostics(shown), problems.0)
    }

    /// The same without a text: each problem with its key, in the order found.
    fn problems_of_code(&self, problems: Vec<CaseProblem>) -> CaseError {
        let title = excerpt(&self.case.title);
        let line = |p: &CaseProblem| {
            let path = named_path(&self.case, &p.path);
            format!("error[{}]: case `{title}`: {path}: {}\n", p.code, bounded(&p.message))
        };
        let plural = if problems.len() == 1 { "problem" } else { "problems" };
        let lines: String = problems.iter().map(line).collect();
        let text = format!("{lines}\n{} {plural} in case `{title}`", problems.len());
        let code = problems.first().map_or(codes::MALFORMED, |p| p.code);
        CaseError::Case { text, problems, code }
    }

    /// The error for a dimension no model exists in.
    #[must_use]
    pub fn unsupported_dimension(&self, dimension: usize) -> CaseError {
        self.problems(Problems(vec![CaseProblem {
            code: codes::DIMENSION,
            path: "dimension".into(),
            message: format!("dimension = {dimension}: only 2 and 3 are available"),
            kind: ProblemKind::Input,
            within: None,
        }]))
    }
}

/// A case as RON, all defaults written out.
fn text_of(case: &Case) -> Result<String, CaseError> {
    let pretty = ron::ser::PrettyConfig::new().struct_names(false);
    let text = options()
        .to_string_pretty(case, pretty)
        .map_err(|e| InternalError(format!("the case cannot be written: {e}")))?;
    Ok(text + "\n")
}

/// Characters of a file name that a title gives.
const LONGEST_NAME: usize = 60;

/// A title as a file name: letters and digits, all else a dash.
fn file_name(title: &str) -> String {
    let letters = title.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect::<String>().to_lowercase();
    let name: String = letters.split_whitespace().collect::<Vec<_>>().join("-").chars().take(LONGEST_NAME).collect();
    if name.is_empty() { "case".to_owned() } else { name }
}

/// A path with names in place of numbers, `bodies.left.mesh`, as `--set` takes it.
fn named_path(case: &Case, path: &str) -> String {
    let named = || {
        let (list, rest) = path.split_once('[')?;
        let (number, rest) = rest.split_once(']')?;
        let k: usize = number.parse().ok()?;
        let name = match list {
            "materials" => &case.materials.get(k)?.name,
            "bodies" => &case.bodies.get(k)?.name,
            "obstacles" => &case.obstacles.get(k)?.name,
            "contacts" => &case.contacts.get(k)?.name,
            "probes" => &case.probes.get(k)?.name,
            _ => return None,
        };
        (!name.is_empty()).then(|| format!("{list}.{}{rest}", excerpt(name)))
    };
    named().unwrap_or_else(|| path.to_owned())
}

/// The next number above with two digits.
fn rounded_up(x: f64) -> f64 {
    let unit = 10_f64.powi(math::log10(x).floor() as i32 - 1);
    let up = (x / unit).floor() + 1.0;
    // Through text: 12 · 0.001 is not 0.012.
    format!("{up}e{}", math::log10(x).floor() as i32 - 1).parse().unwrap_or(up * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_suggested_is_enough() {
        for (x, up) in
            [(2.0e-3, 2.1e-3), (1.034e-2, 1.1e-2), (9.99e-5, 1.0e-4), (0.05, 0.051), (7.0, 7.1), (120.4, 130.0)]
        {
            let found = rounded_up(x);
            assert!(found > x && (found / up - 1.0).abs() < 1e-12, "{x}: {found}");
        }
    }
}
