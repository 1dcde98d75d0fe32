//! Bodies with internal variables or moving geometry: the [`Inelastic`] side of a body.
//!
//! Cells respond by [`respond`](crate::respond); viscosity in parallel (Kelvin–Voigt, Rayleigh) stays in the body's C.

use delassus_dynamics::{BodyResponse, Inelastic, Motion, Stresses, TangentAt};

use super::Body;
use crate::assembly::{gather_into, scatter_packed};
use crate::internal_variables::InternalVariables;
use crate::kinematics::Kinematics;
use crate::respond::{CellMotion, CellResponse, Wanted};

impl<const D: usize> Body<D> {
    /// Visits the responses of all cells to a motion: nodes, first internal variable, response.
    pub(super) fn responses(
        &self,
        internal_variables: &InternalVariables<D>,
        motion: &Motion<'_>,
        wanted: Wanted,
        mut visit: impl FnMut(&[usize], usize, &CellResponse),
    ) {
        let mut response = CellResponse::default();
        let (mut x, mut q, mut dq) = (Vec::new(), Vec::new(), Vec::new());
        for ((kernel, cell, nodes), z) in self.assembly.kernels().zip(internal_variables.offsets.windows(2)) {
            let Some(model) = self.model_of(cell) else { continue };
            x.clear();
            x.extend(nodes.iter().map(|&n| self.input.mesh.points[n]));
            gather_into(nodes, &motion.from.q, &mut q);
            gather_into(nodes, motion.dq, &mut dq);
            let cell = CellMotion {
                model,
                kinematics: internal_variables.kinematics,
                x: &x,
                q: &q,
                dq: &dq,
                h: motion.h,
                z: motion.from.z.get(z[0]..z[1]).unwrap_or_default(),
                wanted,
            };
            (kernel.respond)(&cell, &mut response);
            visit(nodes, z[0], &response);
        }
    }

    /// The responses of an inelastic body; only asked for where [`System::inelastic`](delassus_dynamics::System::inelastic) gave the body.
    pub(super) fn visit(&self, motion: &Motion<'_>, wanted: Wanted, visit: impl FnMut(&[usize], usize, &CellResponse)) {
        if let Some(internal_variables) = &self.internal_variables {
            self.responses(internal_variables, motion, wanted, visit);
        }
    }
}

impl<const D: usize> Inelastic for Body<D> {
    fn initial(&self) -> Vec<f64> {
        self.internal_variables.as_ref().map(|m| m.initial.clone()).unwrap_or_default()
    }

    fn respond(&self, motion: &Motion<'_>) -> BodyResponse {
        match &self.corotation {
            Some(corotation) => self.turned_response(corotation, motion),
            None => self.small_response(motion),
        }
    }

    fn tangent(&self, motion: &Motion<'_>) -> Vec<f64> {
        if self.has_cell_frames() {
            return self.tangent_of_cells(motion, TangentAt::End, Stresses::Counted).stiffness;
        }
        let Some(internal_variables) = &self.internal_variables else {
            return self.matrices.stiffness.values().to_vec();
        };
        let seen = self.in_frame(motion.from);
        let still = vec![0.0; motion.dq.len()];
        // In a frame the tangent depends on the length of the step alone.
        let motion = seen.as_ref().map_or(*motion, |(_, local)| Motion { from: local, dq: &still, h: motion.h });
        self.tangent_of_points(internal_variables, &motion, true)
    }

    fn tangent_without_stresses(&self, motion: &Motion<'_>) -> Option<Vec<f64>> {
        let internal_variables = self.internal_variables.as_ref()?;
        let is_finite = internal_variables.kinematics == (Kinematics::FiniteStrain {});
        is_finite.then(|| self.tangent_of_points(internal_variables, motion, false))
    }

    fn tangent_varies(&self) -> bool {
        let moves = self.internal_variables.as_ref().is_some_and(|m| m.kinematics.moves_geometry() || m.is_curved);
        moves
            || self.has_cell_frames()
            || (self.corotation.is_some() && !self.holds_whole_nodes && self.guides.is_none())
    }

    fn is_elastic(&self) -> bool {
        self.internal_variables.is_none()
    }
}

impl<const D: usize> Body<D> {
    /// The tangent, with or without what the present stresses do at finite strain, and with that of the loads that follow.
    fn tangent_of_points(&self, internal: &InternalVariables<D>, motion: &Motion<'_>, stresses: bool) -> Vec<f64> {
        let wanted = Wanted { tangent: true, stresses, ..Wanted::default() };
        let mut values = self.tangent_of_responses(internal, motion, wanted);
        if stresses && internal.kinematics == (Kinematics::FiniteStrain {}) && !self.following.is_empty() {
            let t = motion.from.t + motion.h;
            let q: Vec<f64> = motion.from.q.iter().zip(motion.dq).map(|(q, d)| q + d).collect();
            self.following.iter().for_each(|load| load.add_stiffness([t; 2], &q, 1.0, &internal.pattern, &mut values));
        }
        values
    }

    /// The tangents of all cells as a matrix.
    pub(super) fn tangent_of_responses(
        &self,
        internal: &InternalVariables<D>,
        motion: &Motion<'_>,
        wanted: Wanted,
    ) -> Vec<f64> {
        let mut values = vec![0.0; internal.pattern.n_entries()];
        let mut full = Vec::new();
        self.responses(internal, motion, wanted, |nodes, _, response| {
            scatter_packed(&internal.pattern, nodes, &response.tangent, &mut full, &mut values);
        });
        values
    }

    /// The response of cells of small strains, or of moving geometry.
    pub(super) fn small_response(&self, motion: &Motion<'_>) -> BodyResponse {
        let mut out = BodyResponse {
            force: vec![0.0; motion.dq.len()],
            z: vec![0.0; motion.from.z.len()],
            ..BodyResponse::default()
        };
        self.visit(motion, Wanted::default(), |nodes, first, response| {
            for (node, f) in nodes.iter().zip(response.force.chunks_exact(D)) {
                (0..D).for_each(|i| out.force[D * node + i] += f[i]);
            }
            out.z[first..first + response.z.len()].copy_from_slice(&response.z);
            out.stored += response.stored;
            out.dissipated += response.dissipated;
            out.plastic += response.plastic;
            out.supplied += response.supplied;
            out.path_work += response.path_work;
            out.dilated += response.dilated;
        });
        out
    }
}
