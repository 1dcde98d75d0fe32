//! `contact_surfaces.pvd`: the facets of all candidates, with pressure and shear at their corners.
//!
//! Points are the undeformed positions of the corners, once for each surface of a pair, with their displacement. The tractions are those of
//! [`delassus_sim::traction`]: integrated over the facets they make the force of the pair. Surfaces that touch nothing are there too, with zeros, so that every frame has the
//! same cells. Nodes that are not on facets (groups of points or lines) have no surface.

use delassus_case::spec::OutputSpec;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::observer::Frame;
use delassus_sim::traction::{SurfaceTractions, surface_tractions};

use super::{Frames, Writer, WriterCursor, vtk_type};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each; nothing for a case without contacts on facets.
pub struct ContactSurfaceFrames(Frames);

impl ContactSurfaceFrames {
    /// Frames go into `contact_surfaces/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder, output: &OutputSpec) -> Self {
        Self(Frames::new(folder, "contact_surfaces", output))
    }
}

/// The arrays of a frame.
#[derive(Default)]
struct SurfaceArrays {
    points: Vec<[f64; 3]>,
    displacement: Vec<f64>,
    pressure: Vec<f64>,
    shear: Vec<f64>,
    connectivity: Vec<usize>,
    offsets: Vec<usize>,
    types: Vec<u8>,
    pair: Vec<i32>,
    body: Vec<i32>,
}

impl SurfaceArrays {
    /// Adds a surface of a pair.
    fn add<const D: usize>(&mut self, frame: &Frame<'_, D>, q: &[Vec<f64>], pair: usize, on: &SurfaceTractions<'_, D>) {
        let (body, corners) = (on.candidates.body(), on.candidates.corner_areas());
        let (mesh, first) = (frame.model.bodies[body].body.mesh(), self.points.len());
        let three = |x: &[f64]| -> [f64; 3] { std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0)) };
        for (&(node, _), traction) in corners.iter().zip(&on.corners) {
            self.points.push(three(&mesh.points[node]));
            self.displacement.extend(three(&q[body][D * node..D * node + D]));
            self.pressure.push(traction.pressure);
            self.shear.extend(three(traction.shear.as_slice()));
        }
        for facet in on.candidates.facets() {
            let place = |node: &usize| corners.binary_search_by_key(node, |c| c.0).ok().map(|k| first + k);
            let Some(nodes) = facet.iter().map(place).collect::<Option<Vec<_>>>() else { continue };
            self.types.push(vtk_type(nodes.len()));
            self.connectivity.extend(nodes);
            self.offsets.push(self.connectivity.len());
            self.pair.push(pair as i32);
            self.body.push(body as i32);
        }
    }
}

impl<const D: usize> Writer<D> for ContactSurfaceFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        let sets = frame.model.pairs.iter().flat_map(|p| &p.directions).flat_map(|d| d.candidates());
        if !frame.is_output || sets.map(|c| c.facets().len()).sum::<usize>() == 0 {
            return Ok(());
        }
        let h = frame.outcome.map_or(1.0, |o| o.h);
        let touches = frame.outcome.map_or(&[][..], |o| &o.touches);
        let states = frame.model.bodies.iter().zip(&frame.snapshot.states);
        let q: Vec<Vec<f64>> = states.map(|(b, s)| b.body.displacements(&s.q).to_vec()).collect();
        let mut a = SurfaceArrays::default();
        for (k, pair) in frame.model.pairs.iter().enumerate() {
            // Touches are sorted by their keys, of which the pair is the first part.
            let begin = touches.partition_point(|t| (t.contact.key.pair as usize) < k);
            let n = touches[begin..].partition_point(|t| t.contact.key.pair as usize == k);
            let surfaces = surface_tractions(pair, &touches[begin..begin + n], h);
            surfaces.iter().filter(|s| !s.candidates.facets().is_empty()).for_each(|s| a.add(frame, &q, k, s));
        }
        let point_fields = [
            Field::vector("displacement", &a.displacement),
            Field::scalar("contact_pressure", Values::F64(&a.pressure)),
            Field::vector("contact_shear", &a.shear),
        ];
        let cell_fields = [Field::scalar("pair", Values::I32(&a.pair)), Field::scalar("body", Values::I32(&a.body))];
        let cells = Cells::new(&a.connectivity, &a.offsets, &a.types);
        let grid = Grid { points: &a.points, cells, point_fields: &point_fields, cell_fields: &cell_fields };
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
