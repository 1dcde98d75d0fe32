//! The levels of a study: what is refined, by which assignments, and what it will cost.

use std::fmt;
use std::str::FromStr;

use delassus_case::load::Loaded;
use delassus_run::size::{CaseSize, case_size};

use crate::error::SuiteError;

/// What is refined from level to level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refinement {
    /// Is the step halved?
    pub step: bool,
    /// Are the cells of the meshes halved?
    pub mesh: bool,
}

impl FromStr for Refinement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut found = Self { step: false, mesh: false };
        for word in text.split(',').map(str::trim) {
            match word {
                "step" => found.step = true,
                "mesh" => found.mesh = true,
                _ => return Err(format!("`{word}` cannot be refined: give step, mesh or step,mesh")),
            }
        }
        Ok(found)
    }
}

impl fmt::Display for Refinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.step, self.mesh) {
            (true, true) => "step and mesh",
            (true, false) => "step",
            _ => "mesh",
        })
    }
}

/// A level before it is run.
pub struct PlannedLevel {
    /// Number, from 1.
    pub number: usize,
    /// Size of steps or cells, relative to those of the case.
    pub size: f64,
    /// `--set` assignments of this level.
    pub settings: Vec<String>,
    /// The nominal step \[s\].
    pub step: f64,
    /// Nominal steps.
    pub steps: usize,
    /// Degrees of freedom, of finer levels as the cells multiply.
    pub dofs: f64,
}

impl PlannedLevel {
    /// What it costs, in proportion.
    #[must_use]
    pub fn work(&self) -> f64 {
        self.dofs * self.steps as f64
    }
}

/// The levels of a case, the case itself first.
pub fn plan(loaded: &Loaded, refinement: Refinement, levels: usize) -> Result<Vec<PlannedLevel>, SuiteError> {
    let case = &loaded.case;
    if refinement.mesh
        && let Some(body) = case.bodies.iter().find(|b| b.mesh.refine().is_none())
    {
        return Err(SuiteError::NotRefinable { body: body.name.clone() });
    }
    let CaseSize { dofs, steps, step, .. } = case_size(loaded)?;
    let end = step * steps as f64;
    let level = |k: usize| {
        let factor = 1_usize << k;
        let mut settings = Vec::new();
        // All levels end at the same time, also where the duration is no whole number of steps.
        if (case.duration - end).abs() > 1e-9 * step {
            settings.push(format!("duration={end:?}"));
        }
        if refinement.step && k > 0 {
            settings.push(format!("step={:?}", step / factor as f64));
            settings.extend(case.output.every.map(|n| format!("output.every={}", n.saturating_mul(factor))));
        }
        if refinement.mesh && k > 0 {
            let refined = case.bodies.iter().enumerate().filter_map(|(i, b)| Some((i, b.mesh.refine()?)));
            settings.extend(refined.map(|(i, r)| format!("bodies[{i}].mesh.refine={}", r.saturating_mul(factor))));
        }
        let cells = if refinement.mesh { (factor as f64).powi(case.dimension as i32) } else { 1.0 };
        let shorter = if refinement.step { factor } else { 1 };
        PlannedLevel {
            number: k + 1,
            size: 1.0 / factor as f64,
            settings,
            step: step / shorter as f64,
            steps: steps.saturating_mul(shorter),
            dofs: dofs as f64 * cells,
        }
    };
    Ok((0..levels).map(level).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_refined() {
        for (text, words) in [("step", "step"), ("mesh", "mesh"), ("mesh, step", "step and mesh")] {
            assert_eq!(text.parse::<Refinement>().unwrap().to_string(), words);
        }
        for text in ["", "time", "step;mesh", "step,"] {
            assert!(text.parse::<Refinement>().unwrap_err().contains("cannot be refined"), "{text}");
        }
    }
}
