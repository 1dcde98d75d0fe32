//! `manifest.json`, as `delassus report` reads it back.

use delassus_run::manifest::parse;

use super::{Answer, Bound, Form, FuzzTarget, no_words};

/// Manifests.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "manifest", form: Form::Text, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Answer {
    Answer::of(parse(input), |manifest| {
        let checked = manifest.verification.map_or(0, |v| 1 + v.checks.len() + v.errors.len());
        vec![manifest.settings.len(), manifest.mesh_hashes.len(), manifest.timings_s.len(), checked]
    })
}
