//! Is a state one of this model?

use delassus_contact::ContactKey;
use delassus_dynamics::State;
use delassus_sim::model::Model;
use delassus_sim::snapshot::Snapshot;
use delassus_solver::history_len;

/// Has a state the vectors, contacts and histories of a model?
pub(crate) fn fits<const D: usize>(snapshot: &Snapshot, model: &Model<D>) -> bool {
    let start = model.start();
    let states = &snapshot.states;
    let same = |a: &[f64], b: &[f64]| a.len() == b.len();
    let known = |key: &ContactKey| model.pairs.get(key.pair as usize).is_some_and(|pair| pair.knows(key));
    // Explicit schemes have reactions from the first step on.
    let same_aux = |a: &State, b: &State| same(&a.aux, &b.aux) || same(&a.aux, &a.v);
    states.len() == start.states.len()
        && snapshot.joints.len() == model.joints.len()
        && states
            .iter()
            .zip(&start.states)
            .all(|(a, b)| same(&a.q, &b.q) && same(&a.v, &b.v) && same(&a.z, &b.z) && same_aux(a, b))
        && snapshot.impulses.iter().all(|(key, p)| known(key) && p.len() == D)
        && snapshot
            .histories
            .iter()
            .all(|(key, history)| known(key) && history.z.len() == history_len(&*model.pairs[key.pair as usize].law))
}
