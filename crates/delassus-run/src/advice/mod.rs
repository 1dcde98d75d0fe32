//! Advice about a case that can be computed but is likely to give a poor result, with a better choice and the key to set.
//!
//! | file | subject |
//! |---|---|
//! | `bending` | few linear cells over the thickness of a slender part |
//! | `loss` | energy of a vibration that the scheme dissipates over the run |
//! | `material` | cells that lock, a flow that is not associated |
//! | `pace` | the step against waves, against the slow motion and against an impact |
//! | `spin` | bodies that spin at the start: turn in a step, loss of the spin |
//! | `normals` | `Facet` on a curved surface, `Continuous` on an edged one |
//!
//! Advice is computed from the model and never changes a result. It is given only if the estimated error is large and a better
//! choice exists. The text states conditions that the case does not determine ("in bending").

mod bending;
mod loss;
mod material;
mod normals;
mod pace;
mod scales;
mod spin;
mod thickness;

pub(crate) use loss::round_to;

use delassus_case::load::Loaded;
use delassus_contact::Contact;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_sim::space::{Dimension, Space};

/// One piece of advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it is about: `bending`, `locking`, `material`, `loss`, `step`, `spin`, `normals`.
    pub topic: &'static str,
    /// Body or contact, the estimated error, and the better choice with the key to set.
    pub text: String,
}

/// The data from which advice is computed.
pub(crate) struct AdviceView<'a, const D: usize> {
    /// The case.
    pub loaded: &'a Loaded,
    /// Its model.
    pub model: &'a Model<D>,
    /// The state at t = 0.
    pub start: &'a Snapshot,
    /// Contacts within reach at t = 0.
    pub contacts: &'a [Contact<D>],
}

impl<const D: usize> AdviceView<'_, D> {
    /// The name of an entry of `bodies`.
    fn entry_name(&self, entry: usize) -> &str {
        &self.loaded.case.bodies[entry].name
    }
}

/// All advice for a case. A new adviser is a file here and a line of this list.
pub(crate) fn advise<const D: usize>(view: &AdviceView<'_, D>) -> Vec<Advice>
where
    Dimension<D>: Space<D>,
{
    let advisers = [bending::advise, loss::advise, material::advise, pace::advise, spin::advise, normals::advise];
    advisers.iter().flat_map(|adviser| adviser(view)).collect()
}

/// A finding about one entry of a list of the case.
struct EntryAdvice {
    /// The entry.
    name: String,
    /// What was found, with the better choice.
    text: String,
    /// `key=value` of the entry, to be set; empty where there is none.
    set: String,
}

/// Findings with the same text as one piece of advice; `list` is `bodies` or `contacts`.
fn gathered(topic: &'static str, list: &'static str, findings: Vec<EntryAdvice>) -> Vec<Advice> {
    let mut groups: Vec<(EntryAdvice, Vec<String>)> = Vec::new();
    for finding in findings {
        let name = finding.name.clone();
        match groups.iter_mut().find(|(first, _)| first.text == finding.text && first.set == finding.set) {
            Some((_, names)) => names.push(name),
            None => groups.push((finding, vec![name])),
        }
    }
    let one = if list == "bodies" { "body" } else { "contact" };
    let told = |(first, names): (EntryAdvice, Vec<String>)| {
        let who = match &names[..] {
            [name] => format!("{one} `{name}`"),
            [a, b] => format!("{list} `{a}` and `{b}`"),
            [a, b, rest @ ..] => format!("{list} `{a}`, `{b}` and {} more", rest.len()),
            [] => String::new(),
        };
        let others = if names.len() > 1 { ", the others alike" } else { "" };
        let set = match &first.set[..] {
            "" => String::new(),
            // Quotes where a shell would take brackets or blanks as its own.
            set if set.contains(['(', ' ', '"']) => format!(" (--set '{list}.{}.{set}'{others})", first.name),
            set => format!(" (--set {list}.{}.{set}{others})", first.name),
        };
        Advice { topic, text: format!("{who}: {}{set}", first.text) }
    };
    groups.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::check::check_case;

    /// What `check` advises for a case.
    pub(super) fn advice_of(text: &str) -> Vec<String> {
        let loaded = Loaded::from_text(Path::new("case.ron"), text.to_owned(), &[]).unwrap_or_else(|e| panic!("{e}"));
        let said = check_case(&loaded).unwrap_or_else(|e| panic!("{e}"));
        assert!(said.ends_with("  no problem found"), "{said}");
        said.lines().filter_map(|line| line.strip_prefix("  advice: ")).map(str::to_owned).collect()
    }

    /// One piece of advice that has all these pieces.
    pub(super) fn check_advice(text: &str, pieces: &[&str]) {
        let all = advice_of(text);
        assert!(all.iter().any(|a| pieces.iter().all(|piece| a.contains(piece))), "no {pieces:?} in {all:?}");
    }

    /// Equal findings are reported once.
    #[test]
    fn gathering() {
        let finding = |name: &str, text: &str| EntryAdvice { name: name.into(), text: text.into(), set: "a=1".into() };
        let all = gathered("t", "bodies", vec![finding("x", "same"), finding("y", "other"), finding("z", "same")]);
        let texts: Vec<&str> = all.iter().map(|a| &a.text[..]).collect();
        assert_eq!(
            texts,
            ["bodies `x` and `z`: same (--set bodies.x.a=1, the others alike)", "body `y`: other (--set bodies.y.a=1)"]
        );
        let many = gathered("t", "contacts", (0..5).map(|i| finding(&format!("c{i}"), "same")).collect());
        assert_eq!(many[0].text, "contacts `c0`, `c1` and 3 more: same (--set contacts.c0.a=1, the others alike)");
    }
}
