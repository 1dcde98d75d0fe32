//! The errors of texts that are no cases.

use std::path::Path;

use delassus_error::input::STDIN;

use crate::codes;
use crate::error::CaseError;
use crate::problem::CaseProblem;
use crate::source::Diagnostics;

/// The error that the problems of a text make.
pub(crate) fn refused(shown: &Diagnostics, problems: Vec<CaseProblem>) -> CaseError {
    CaseError::Case { text: shown.to_string(), problems, code: shown.code() }
}

/// How messages name the file.
pub(crate) fn shown_name(path: &Path) -> String {
    if path == Path::new(STDIN) { "stdin".to_owned() } else { path.display().to_string() }
}

/// The error of a text that has nothing of a case; nothing of it is shown.
pub(crate) fn not_a_case(file: &str) -> CaseError {
    let code = codes::NOT_A_CASE;
    let text = format!(
        "error[{code}]: {file}: not a case: it should begin with `(` (JSON: `{{`) and have keys such as `title`, `bodies` and \
         `step`; `delassus init` lists cases to begin with"
    );
    CaseError::Case { text, problems: Vec::new(), code }
}
