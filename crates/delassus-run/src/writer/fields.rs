//! `fields.pvd`: the deformed bodies with displacement, velocity, reaction, stress and strain.
//!
//! Points are the undeformed positions (ParaView's *Warp By Vector* on `displacement` deforms them). All bodies are in
//! one grid; the cell array `body` distinguishes them.

use delassus_contact::scatter;
use delassus_mesh::Mesh;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::observer::Frame;

use super::{Frames, Writer, WriterCursor};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each.
pub struct FieldFrames(Frames);

impl FieldFrames {
    /// Frames go into `fields/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder) -> Self {
        Self(Frames::new(folder, "fields"))
    }
}

/// The arrays of a frame.
#[derive(Default)]
struct Arrays {
    points: Vec<[f64; 3]>,
    connectivity: Vec<usize>,
    offsets: Vec<usize>,
    types: Vec<u8>,
    displacement: Vec<f64>,
    velocity: Vec<f64>,
    reaction: Vec<f64>,
    stress: Vec<f64>,
    strain: Vec<f64>,
    von_mises: Vec<f64>,
    stress_invariant: Vec<f64>,
    strain_invariant: Vec<f64>,
    body: Vec<i32>,
    material: Vec<i32>,
}

impl Arrays {
    /// A cell whose nodes come after `first` others.
    fn add_cell<const D: usize>(&mut self, mesh: &Mesh<D>, cell: usize, first: usize) {
        let (kind, nodes) = mesh.cell(cell);
        self.connectivity.extend(nodes.iter().map(|n| first + n));
        self.offsets.push(self.connectivity.len());
        self.types.push(kind.vtk_id());
    }

    /// A cell of a body without stress and strain.
    fn add_rigid<const D: usize>(&mut self, mesh: &Mesh<D>, cell: usize, first: usize, body: usize) {
        self.add_cell(mesh, cell, first);
        self.stress.extend([0.0; 6]);
        self.strain.extend([0.0; 6]);
        self.von_mises.push(0.0);
        self.stress_invariant.push(0.0);
        self.strain_invariant.push(0.0);
        self.body.push(body as i32);
        self.material.push(0);
    }
}

fn three<const D: usize>(x: &[f64]) -> impl Iterator<Item = f64> + '_ {
    x.chunks_exact(D).flat_map(|c| (0..3).map(move |i| c.get(i).copied().unwrap_or(0.0)))
}

/// Forces of contacts and supports on the nodes \[N\], one vector a body.
fn reactions<const D: usize>(frame: &Frame<'_, D>) -> Vec<Vec<f64>> {
    let mut out = frame.model.no_impulses();
    let Some(outcome) = frame.outcome else { return out };
    for t in &outcome.touches {
        scatter(&t.contact, &(t.impulse / outcome.h), &mut out);
    }
    for ((body, balance), force) in frame.model.bodies.iter().zip(&outcome.balances).zip(&mut out) {
        // The supports of other bodies act on no node.
        if body.body.finite_elements().is_some() {
            for (&dof, s) in body.body.prescribed().iter().zip(&balance.support_impulse) {
                force[dof] += s / outcome.h;
            }
        }
    }
    out
}

fn collect<const D: usize>(frame: &Frame<'_, D>) -> Arrays {
    let mut a = Arrays::default();
    let reactions = reactions(frame);
    for (k, (body, state)) in frame.model.bodies.iter().zip(&frame.snapshot.states).enumerate() {
        let first = a.points.len();
        let mesh = body.body.mesh();
        a.points.extend(mesh.points.iter().map(|x| std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))));
        // Sites beyond the nodes are rotations.
        let n = D * mesh.n_points();
        a.displacement.extend(three::<D>(&body.body.displacements(&state.q)[..n]));
        a.velocity.extend(three::<D>(&body.body.site_velocities(&state.q, &state.v)[..n]));
        a.reaction.extend(three::<D>(&reactions[k][..n]));
        let Some(elements) = body.body.finite_elements() else {
            mesh.bulk_cells().for_each(|(cell, ..)| a.add_rigid(mesh, cell, first, k));
            continue;
        };
        let fields = elements.cell_fields(state);
        for (row, &cell) in fields.cells.iter().enumerate() {
            a.add_cell(mesh, cell, first);
            a.stress.extend(fields.stress[row]);
            a.strain.extend(fields.strain[row]);
            a.von_mises.push(fields.von_mises[row]);
            a.stress_invariant.push(fields.stress_invariant[row]);
            a.strain_invariant.push(fields.strain_invariant[row]);
            a.body.push(k as i32);
            let name = elements.region_of_cell(cell).map_or("", |r| elements.regions()[r].name.as_str());
            let index = frame.model.materials.iter().position(|m| m == name).unwrap_or(0);
            a.material.push(index as i32);
        }
    }
    a
}

impl<const D: usize> Writer<D> for FieldFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        if !frame.is_output {
            return Ok(());
        }
        let a = collect(frame);
        let point_fields = [
            Field::vector("displacement", &a.displacement),
            Field::vector("velocity", &a.velocity),
            Field::vector("reaction", &a.reaction),
        ];
        let cell_fields = [
            Field::symmetric_tensor("stress", &a.stress),
            Field::symmetric_tensor("strain", &a.strain),
            Field::scalar("von_mises", Values::F64(&a.von_mises)),
            Field::scalar("stress_invariant", Values::F64(&a.stress_invariant)),
            Field::scalar("strain_invariant", Values::F64(&a.strain_invariant)),
            Field::scalar("body", Values::I32(&a.body)),
            Field::scalar("material", Values::I32(&a.material)),
        ];
        let grid = Grid {
            points: &a.points,
            cells: Cells::new(&a.connectivity, &a.offsets, &a.types),
            point_fields: &point_fields,
            cell_fields: &cell_fields,
        };
        self.0.write(frame, &grid)
    }

    fn cursor(&self, _: &Records) -> WriterCursor {
        self.0.cursor()
    }

    fn resume(&mut self, cursor: &WriterCursor, _: &mut Records) -> Result<(), RunError> {
        self.0.resume(cursor);
        Ok(())
    }
}
