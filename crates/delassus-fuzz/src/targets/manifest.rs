//! `manifest.json`, as `delassus report` reads it back.

use delassus_run::manifest::parse;

use super::{Bound, Form, Outcome, Target, no_words};

/// Manifests.
pub const TARGET: Target = Target { name: "manifest", form: Form::Text, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Outcome {
    Outcome::of(parse(input), |manifest| {
        let checked = manifest.verification.map_or(0, |v| 1 + v.checks.len() + v.errors.len());
        vec![manifest.settings.len(), manifest.mesh_hashes.len(), manifest.timings_s.len(), checked]
    })
}
