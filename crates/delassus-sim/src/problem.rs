//! What is wrong with a case: a list, so that a user sees everything at once.

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
pub struct Problem {
    /// Path of the offending key, such as `bodies[0].mesh`.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
    /// Kind.
    pub kind: ProblemKind,
}

/// A growing list of problems.
#[derive(Debug, Default)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Notes a problem of the case itself.
    pub fn input(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.add(path, message, ProblemKind::Input);
    }

    /// Notes a problem, once: copies of a body have the same.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>, kind: ProblemKind) {
        let problem = Problem { path: path.into(), message: message.into(), kind };
        if self.0.last() != Some(&problem) {
            self.0.push(problem);
        }
    }

    /// The value, or `None` with the error noted as one of the case itself.
    pub fn check<T, E: std::fmt::Display>(&mut self, path: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|e| self.input(path, e.to_string())).ok()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
