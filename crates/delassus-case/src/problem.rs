//! The problems of a case, as a list, so that a user sees all of them at once.

use delassus_error::{Code, Coded};

/// Which exit code a problem asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The case itself.
    Input,
    /// A mesh or the geometry.
    Mesh,
    /// A file that cannot be read for reasons other than its content.
    File,
}

/// One thing wrong with a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseProblem {
    /// The reason.
    pub code: Code,
    /// Path of the offending key, such as `bodies[0].mesh`.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
    /// Kind.
    pub kind: ProblemKind,
    /// Characters into the text that the key holds, where the fault lies within it.
    pub within: Option<usize>,
}

/// Why something was not made, before it is known where in a case to say so.
#[derive(Debug)]
pub struct Refusal {
    /// The reason.
    pub code: Code,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Refusal {
    /// A reason in words.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl<E: std::fmt::Display + Coded> From<E> for Refusal {
    fn from(e: E) -> Self {
        Self::new(e.code(), e.to_string())
    }
}

/// A growing list of problems.
#[derive(Debug, Default)]
pub struct Problems(pub Vec<CaseProblem>);

impl Problems {
    /// Notes a problem of the case itself.
    pub fn input(&mut self, code: Code, path: impl Into<String>, message: impl Into<String>) {
        self.add(code, path, message, ProblemKind::Input);
    }

    /// Notes a problem, once: copies of a body have the same.
    pub fn add(&mut self, code: Code, path: impl Into<String>, message: impl Into<String>, kind: ProblemKind) {
        self.note(CaseProblem { code, path: path.into(), message: message.into(), kind, within: None });
    }

    /// Notes a fault so many characters into the text that a key holds.
    pub fn within(&mut self, code: Code, path: impl Into<String>, at: usize, message: impl Into<String>) {
        let (path, message, kind) = (path.into(), message.into(), ProblemKind::Input);
        self.note(CaseProblem { code, path, message, kind, within: Some(at) });
    }

    fn note(&mut self, problem: CaseProblem) {
        if self.0.last() != Some(&problem) {
            self.0.push(problem);
        }
    }

    /// The value, or `None` with the error noted as one of the case itself.
    pub fn check<T, E: std::fmt::Display + Coded>(&mut self, path: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|e| self.input(e.code(), path, e.to_string())).ok()
    }

    /// The value, or `None` with the error noted as one of a mesh.
    pub fn check_mesh<T, E: std::fmt::Display + Coded>(
        &mut self,
        path: impl Into<String>,
        result: Result<T, E>,
    ) -> Option<T> {
        result.map_err(|e| self.add(e.code(), path, e.to_string(), ProblemKind::Mesh)).ok()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
