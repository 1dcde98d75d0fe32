//! The size of a run, before it starts.

use std::collections::BTreeMap;

use delassus_case::load::Loaded;
use delassus_case::lower::Generate;
use delassus_sim::space::Dimension;

use crate::error::RunError;
use crate::summary::file_hashes;
use crate::threads::on_threads;

/// The size of a run, and the files it reads.
#[derive(Clone, Debug)]
pub struct CaseSize {
    /// Degrees of freedom.
    pub dofs: usize,
    /// Nominal steps.
    pub steps: usize,
    /// The nominal step \[s\].
    pub step: f64,
    /// Hashes of the files it reads, as the manifest has them.
    pub files: BTreeMap<String, String>,
}

/// Checks a case and returns the size of its run.
pub fn case_size(loaded: &Loaded) -> Result<CaseSize, RunError> {
    let sized = on_threads(|| match loaded.case.dimension {
        2 => size_in::<2>(loaded),
        3 => size_in::<3>(loaded),
        other => Err(loaded.unsupported_dimension(other).into()),
    });
    sized.map(|(size, _)| size)
}

fn size_in<const D: usize>(loaded: &Loaded) -> Result<CaseSize, RunError>
where
    Dimension<D>: Generate<D>,
{
    let lowered = loaded.lowered::<D>()?;
    let files = file_hashes(loaded, &lowered);
    Ok(CaseSize { dofs: lowered.model.n_dof(), steps: lowered.model.n_steps, step: lowered.model.h, files })
}
