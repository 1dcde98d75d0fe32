//! What is seen of a body in a state: fields of its cells and nodes, and how far it has turned.

use delassus_dynamics::{Motion, State};

use super::Body;
use crate::cell::CellAverage;
use crate::fields::CellFields;
use crate::kinematics::in_space;
use crate::nodal::NodalStress;
use crate::respond::Wanted;
use crate::rotation::{BodyRotation, RotationSum};

impl<const D: usize> Body<D> {
    /// Stress and strain of the bulk cells in a state: strains are small ones, or logarithmic with the geometry moving.
    ///
    /// # Panics
    /// If q or v is shorter than the number of degrees of freedom.
    #[must_use]
    pub fn cell_fields(&self, state: &State) -> CellFields {
        let mut fields = CellFields::default();
        self.averages(state).iter().for_each(|(cell, average)| fields.push(*cell, average));
        fields
    }

    /// The same, and the stress at the nodes: see [`NodalStress`].
    ///
    /// # Panics
    /// If q or v is shorter than the number of degrees of freedom.
    #[must_use]
    pub fn cell_and_nodal_fields(&self, state: &State) -> (CellFields, NodalStress) {
        let (mut fields, averages) = (CellFields::default(), self.averages(state));
        averages.iter().for_each(|(cell, average)| fields.push(*cell, average));
        let cells = averages.iter().map(|(cell, average)| (self.input.mesh.cell(*cell).1, average));
        (fields, NodalStress::of(&self.input.mesh, cells))
    }

    /// Averages over the bulk cells in a state, in their order, in world axes.
    fn averages(&self, state: &State) -> Vec<(usize, CellAverage)> {
        if self.has_cell_frames() {
            return self.averages_of_cells(state);
        }
        let seen = self.in_frame(state);
        let (turn, state) =
            seen.as_ref().map_or((None, state), |(frame, local)| (Some(in_space(&frame.rotation)), local));
        let mut averages = Vec::new();
        if let Some(internal_variables) = &self.internal_variables {
            let motion = Motion { from: state, dq: &vec![0.0; state.q.len()], h: 0.0 };
            let mut cells = self.assembly.cells();
            self.responses(
                internal_variables,
                &motion,
                Wanted { average: true, ..Wanted::default() },
                |_, _, response| {
                    if let Some((cell, _)) = cells.next() {
                        averages.push((cell, response.average.turned(turn.as_ref())));
                    }
                },
            );
            return averages;
        }
        let (q, v) = (&state.q, &state.v);
        let found = self.assembly.averages(&self.input.mesh, q, v, |cell| self.model_of(cell));
        averages.extend(self.assembly.cells().zip(&found).map(|((cell, _), a)| (cell, a.turned(turn.as_ref()))));
        averages
    }

    /// How far the body has turned from its undeformed state, and one with a frame from its frame; `None` with the geometry moving along, where
    /// rotations do no harm.
    ///
    /// # Panics
    /// If q is shorter than the number of degrees of freedom.
    #[must_use]
    pub fn rotation(&self, state: &State) -> Option<BodyRotation> {
        if self.input.kinematics.moves_geometry() {
            return None;
        }
        if self.has_cell_frames() {
            return Some(self.rotation_in_cells(&state.q));
        }
        let seen = self.in_frame(state);
        let q = seen.as_ref().map_or(&state.q, |(_, local)| &local.q);
        let mut sum = RotationSum::new();
        self.assembly.at_centres(q, |cell, gradient, volume| sum.add(cell, gradient, volume));
        if self.input.section.is_revolved() {
            // u_r/r of the means of the nodes
            let mean = |nodes: &[usize], of: &dyn Fn(usize) -> f64| nodes.iter().map(|&n| of(n)).sum::<f64>();
            for (_, nodes) in self.assembly.cells() {
                let radius = mean(nodes, &|n| self.input.mesh.points[n][0]);
                sum.add_strain(mean(nodes, &|n| q[D * n]) / radius);
            }
        }
        Some(if seen.is_some() { sum.result_in_frame() } else { sum.result() })
    }
}
