//! Advice about contacts: candidates that are coarser than the facets they may touch, groups that end within
//! a contact.

use std::sync::Arc;

use delassus_contact::{CandidateSet, Detection};
use delassus_sim::engine::Engine;
use delassus_sim::model::ModelAntagonist;
use delassus_sim::sightings::outgrown;
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::Start;
use delassus_sim::surfaces::Spacing;

/// Candidates may be farther apart than the facets they touch are large by this factor: a node then passes between two of them by half
/// a facet at most.
const COARSER: f64 = 2.0;

/// What should be changed in the contacts of a case, a line each; `m` is the unit of length with its space.
pub fn contact_advice<const D: usize>(engine: &mut Engine<D>, start: &Start, m: &str) -> Vec<String>
where
    Dimension<D>: Space<D>,
{
    let model = &*Arc::clone(&engine.model);
    let q: Vec<Vec<f64>> = start.snapshot.states.iter().map(|s| s.q.clone()).collect();
    // What cannot be detected has been refused before.
    let Ok(Detection { contacts, .. }) = engine.detect_between(&q, 0.0, model.h) else { return Vec::new() };
    let Ok(watch) = engine.surfaces() else { return Vec::new() };
    let unseen = |body: &usize| {
        let name = &model.bodies[*body].name;
        format!(
            "body `{name}`: its boundary touches itself along an edge, so penetration of other surfaces into it is not checked"
        )
    };
    let mut out: Vec<String> = watch.unseen().iter().map(unseen).collect();
    // With two passes each side has candidates.
    for (pair, known) in model.pairs.iter().enumerate().filter(|(_, p)| p.is_one_sided()) {
        let mut worst: Option<(Spacing, String)> = None;
        // Contacts are sorted by key. Of bodies among many those count that are neighbours.
        let below =
            |pair: usize, pass: u64| contacts.partition_point(|c| (c.key.pair as usize, c.key.pass) < (pair, pass));
        let of_pair = &contacts[below(pair, 0)..below(pair + 1, 0)];
        let numbers: Vec<u64> = match known.is_among_many() {
            true => of_pair.chunk_by(|a, b| a.key.pass == b.key.pass).map(|c| c[0].key.pass).collect(),
            false => (0..known.n_passes()).collect(),
        };
        for number in numbers {
            let Some(pass) = known.pass(number) else { continue };
            let ModelAntagonist::Surface(target) = pass.antagonist else { continue };
            let mine = &contacts[below(pair, number)..below(pair, number + 1)];
            let Some(found) = watch.spacing(model, &pass, mine) else { continue };
            let most = worst.as_ref().map_or(COARSER, |(w, _)| w.candidates / w.facets);
            if found.candidates / found.facets > most {
                let [one, other] = [pass.candidates.body(), target.body()].map(|b| &model.bodies[b].name);
                let Spacing { candidates, facets } = found;
                let line = format!(
                    "contact `{}`: candidates of `{one}` are {candidates:.3e}{m} apart, facets of `{other}` {facets:.3e}{m}: {}",
                    known.name,
                    way_out::<D>(pass.candidates, found)
                );
                worst = Some((found, line));
            }
        }
        out.extend(worst.map(|(_, line)| line));
    }
    if let Ok(Some(edge)) = watch.edge_at_start(model, &start.snapshot, &contacts) {
        out.push(format!("{} (it starts there)", outgrown(model, &edge)));
    }
    out
}

/// What makes the candidates finer than the facets.
fn way_out<const D: usize>(set: &CandidateSet, Spacing { candidates, facets }: Spacing) -> String {
    // Facets of quadratic elements have more nodes, and can be candidates only.
    let is_linear = set.points().iter().all(|p| p.nodes().len() <= 2 * (D - 1));
    if is_linear {
        // Twenty times but for rounding is twenty times.
        let n = (candidates / facets * (1.0 - 1e-6)).ceil();
        format!("exchange the sides, set `both: true`, or `points: OnFacets({n})`")
    } else {
        "refine the candidates' side".to_owned()
    }
}
