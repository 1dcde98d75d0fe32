//! Bodies of finite strain: the force of a step that keeps momentum, angular momentum and energy, summed over the cells.

use delassus_dynamics::{Conserving, ConservingStep, Motion, Stresses};

use super::Body;
use crate::respond::Wanted;

impl<const D: usize> Conserving for Body<D> {
    fn step(&self, motion: &Motion<'_>, theta: f64) -> ConservingStep {
        let mut out = ConservingStep {
            force: vec![0.0; motion.dq.len()],
            z: vec![0.0; motion.from.z.len()],
            ..ConservingStep::default()
        };
        let wanted = Wanted { step: Some(theta), ..Wanted::default() };
        self.visit(motion, wanted, |nodes, first, response| {
            for (node, f) in nodes.iter().zip(response.force.chunks_exact(D)) {
                (0..D).for_each(|i| out.force[D * node + i] += f[i]);
            }
            out.z[first..first + response.z.len()].copy_from_slice(&response.z);
            out.stored += response.stored;
            out.dissipated += response.dissipated;
            out.plastic += response.plastic;
            out.supplied += response.supplied;
            out.numerical += response.numerical;
        });
        out
    }

    fn tangent(&self, motion: &Motion<'_>, theta: f64, stresses: Stresses) -> Vec<f64> {
        let Some(internal) = &self.internal_variables else { return Vec::new() };
        let is_counted = stresses == Stresses::Counted;
        let wanted = Wanted { tangent: true, stresses: is_counted, step: Some(theta), ..Wanted::default() };
        let mut values = self.tangent_of_responses(internal, motion, wanted);
        if is_counted && !self.following.is_empty() {
            // They act in the middle: ½ ∂P/∂x there.
            let times = [motion.from.t, motion.from.t + motion.h];
            let q: Vec<f64> = motion.from.q.iter().zip(motion.dq).map(|(q, d)| q + 0.5 * d).collect();
            let share = 0.5 / theta;
            self.following.iter().for_each(|f| f.add_stiffness(times, &q, share, &internal.pattern, &mut values));
        }
        values
    }
}
