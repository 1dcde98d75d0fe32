//! Bodies with internal variables or moving geometry: the [`Inelastic`] side of a body.
//!
//! Cells answer by [`respond`](crate::respond); viscosity in parallel (Kelvin–Voigt, Rayleigh) stays in the body's C.

use delassus_dynamics::{Answer, Inelastic, Motion};

use super::Body;
use crate::assembly::{gather_into, scatter_packed};
use crate::internal_variables::Memory;
use crate::kinematics::Kinematics;
use crate::respond::{CellAnswer, CellMotion, Wanted};

impl<const D: usize> Body<D> {
    /// Visits the answers of all cells to a motion: nodes, first internal variable, answer.
    pub(super) fn answers(
        &self,
        memory: &Memory<D>,
        motion: &Motion<'_>,
        wanted: Wanted,
        mut visit: impl FnMut(&[usize], usize, &CellAnswer),
    ) {
        let mut answer = CellAnswer::default();
        let (mut x, mut q, mut dq) = (Vec::new(), Vec::new(), Vec::new());
        for ((kernel, cell, nodes), z) in self.assembly.kernels().zip(memory.offsets.windows(2)) {
            let Some(model) = self.model_of(cell) else { continue };
            x.clear();
            x.extend(nodes.iter().map(|&n| self.input.mesh.points[n]));
            gather_into(nodes, &motion.from.q, &mut q);
            gather_into(nodes, motion.dq, &mut dq);
            let cell = CellMotion {
                model,
                kinematics: memory.kinematics,
                x: &x,
                q: &q,
                dq: &dq,
                h: motion.h,
                z: motion.from.z.get(z[0]..z[1]).unwrap_or_default(),
                wanted,
            };
            (kernel.respond)(&cell, &mut answer);
            visit(nodes, z[0], &answer);
        }
    }

    /// An inelastic body's memory; only asked where [`System::inelastic`](delassus_dynamics::System::inelastic) gave the body.
    fn visit(&self, motion: &Motion<'_>, wanted: Wanted, visit: impl FnMut(&[usize], usize, &CellAnswer)) {
        if let Some(memory) = &self.memory {
            self.answers(memory, motion, wanted, visit);
        }
    }
}

impl<const D: usize> Inelastic for Body<D> {
    fn initial(&self) -> Vec<f64> {
        self.memory.as_ref().map(|m| m.initial.clone()).unwrap_or_default()
    }

    fn respond(&self, motion: &Motion<'_>) -> Answer {
        let mut out =
            Answer { force: vec![0.0; motion.dq.len()], z: vec![0.0; motion.from.z.len()], ..Answer::default() };
        self.visit(motion, Wanted::default(), |nodes, first, answer| {
            for (node, f) in nodes.iter().zip(answer.force.chunks_exact(D)) {
                (0..D).for_each(|i| out.force[D * node + i] += f[i]);
            }
            out.z[first..first + answer.z.len()].copy_from_slice(&answer.z);
            out.stored += answer.stored;
            out.dissipated += answer.dissipated;
        });
        out
    }

    fn tangent(&self, motion: &Motion<'_>) -> Vec<f64> {
        let Some(memory) = &self.memory else { return Vec::new() };
        let mut values = vec![0.0; memory.pattern.n_entries()];
        let mut full = Vec::new();
        self.answers(memory, motion, Wanted { tangent: true, average: false }, |nodes, _, answer| {
            scatter_packed(&memory.pattern, nodes, &answer.tangent, &mut full, &mut values);
        });
        values
    }

    fn tangent_varies(&self) -> bool {
        self.memory.as_ref().is_some_and(|m| m.kinematics != Kinematics::SmallStrain)
    }
}
