//! `fields.pvd`: the deformed bodies with displacement, velocity, reaction, stress, strain and what else the case asks for.
//!
//! Points are the undeformed positions (ParaView's *Warp By Vector* on `displacement` deforms them). All bodies are in
//! one grid; the cell array `body` distinguishes them. Velocities may jump in a step, so accelerations are means over the last one, (v⁺ − v)/h; the initial state has none.

use delassus_case::spec::{OutputField, OutputSpec};
use delassus_contact::scatter;
use delassus_dynamics::State;
use delassus_fem::{NodalStress, principal};
use delassus_mesh::Mesh;
use delassus_mesh::vtk::{Cells, Field, Grid, Values};
use delassus_sim::granular::stress_of_grains;
use delassus_sim::model::SpatialBody;
use delassus_sim::observer::Frame;
use nalgebra::Vector3;

use super::{Frames, Writer, WriterCursor};
use crate::error::RunError;
use crate::records::Records;
use crate::results::Folder;

/// Writes a frame at every output state, and the collection after each.
pub struct FieldFrames {
    frames: Frames,
    output: OutputSpec,
}

impl FieldFrames {
    /// Frames go into `fields/` of the folder.
    #[must_use]
    pub fn new(folder: &Folder, output: &OutputSpec) -> Self {
        Self { frames: Frames::new(folder, "fields", output), output: output.clone() }
    }
}

/// Component names of three values in order.
const FIRST_TO_THIRD: [&str; 3] = ["1", "2", "3"];
/// Component names of three directions.
const DIRECTIONS: [&str; 9] = ["1X", "1Y", "1Z", "2X", "2Y", "2Z", "3X", "3Y", "3Z"];

impl FieldFrames {
    /// The fields that the case asks for.
    fn chosen<'a, const N: usize>(&self, yields: bool, fields: [(OutputField, Field<'a>); N]) -> Vec<Field<'a>> {
        let is_there = |field: OutputField| self.output.has(field) && (yields || !field.is_plastic());
        fields.into_iter().filter(|(field, _)| is_there(*field)).map(|(_, field)| field).collect()
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
    acceleration: Vec<f64>,
    nodal_stress: Vec<f64>,
    nodal_von_mises: Vec<f64>,
    reaction: Vec<f64>,
    stress: Vec<f64>,
    strain: Vec<f64>,
    principal_stress: Vec<f64>,
    principal_directions: Vec<f64>,
    von_mises: Vec<f64>,
    stress_invariant: Vec<f64>,
    strain_invariant: Vec<f64>,
    plastic_strain: Vec<f64>,
    largest_plastic_strain: Vec<f64>,
    yield_stress: Vec<f64>,
    body: Vec<i32>,
    material: Vec<i32>,
    /// Of the points of disks and balls their radius, 0 of others.
    radius: Vec<f64>,
    /// Of rigid bodies: rotation vector, angular velocity, momentum, angular momentum about the centre of mass; zero in the cells of others.
    rigid: [Vec<f64>; 4],
}

/// Names of the motion of rigid bodies.
const RIGID: [&str; 4] = ["rotation", "angular_velocity", "momentum", "angular_momentum"];

impl Arrays {
    /// A cell whose nodes come after `first` others.
    fn add_cell<const D: usize>(&mut self, mesh: &Mesh<D>, cell: usize, first: usize) {
        let (kind, nodes) = mesh.cell(cell);
        self.connectivity.extend(nodes.iter().map(|n| first + n));
        self.offsets.push(self.connectivity.len());
        self.types.push(kind.vtk_id());
    }

    /// The principal stresses of a cell.
    fn principal(&mut self, stress: &[f64; 6]) {
        let found = principal(stress);
        self.principal_stress.extend(found.values);
        self.principal_directions.extend(found.directions.as_flattened());
    }

    /// A cell of a rigid body: without strain, with the stress that is given.
    fn add_rigid<const D: usize>(&mut self, mesh: &Mesh<D>, cell: usize, first: usize, body: usize, of: &RigidLook) {
        self.add_cell(mesh, cell, first);
        self.add_rigid_values(body, of);
    }

    /// A grain that is drawn as a point.
    fn add_point(&mut self, point: usize, body: usize, of: &RigidLook) {
        self.connectivity.push(point);
        self.offsets.push(self.connectivity.len());
        self.types.push(VERTEX);
        self.add_rigid_values(body, of);
    }

    fn add_rigid_values(&mut self, body: usize, of: &RigidLook) {
        self.rigid.iter_mut().zip(&of.motion).for_each(|(all, x)| all.extend(x));
        self.stress.extend(of.stress);
        self.strain.extend([0.0; 6]);
        self.principal(&of.stress);
        let [von_mises, invariant] = sizes(&of.stress);
        self.von_mises.push(von_mises);
        self.stress_invariant.push(invariant);
        self.strain_invariant.push(0.0);
        self.plastic_strain.push(0.0);
        self.largest_plastic_strain.push(0.0);
        self.yield_stress.push(0.0);
        self.body.push(body as i32);
        self.material.push(0);
    }
}

/// What all cells of a rigid body have.
struct RigidLook {
    /// Rotation vector, angular velocity, momentum, angular momentum.
    motion: [[f64; 3]; 4],
    /// Mean stress of a disk or ball \[Pa\].
    stress: [f64; 6],
}

/// VTK's number of a point.
const VERTEX: u8 = 1;

/// Von Mises stress and second invariant of the deviator, J₂ = ½ s:s: σ_v = √(3 J₂).
fn sizes(stress: &[f64; 6]) -> [f64; 2] {
    let mean = (stress[0] + stress[1] + stress[2]) / 3.0;
    let direct: f64 = stress[..3].iter().map(|s| (s - mean) * (s - mean)).sum();
    let shear: f64 = stress[3..].iter().map(|s| s * s).sum();
    let invariant = 0.5 * direct + shear;
    [(3.0 * invariant).sqrt(), invariant]
}

/// Rotation vector, angular velocity, momentum and angular momentum of a body that has them.
fn rigid_motion<const D: usize>(body: &dyn SpatialBody<D>, state: &State) -> [[f64; 3]; 4] {
    let mut momentum = [0.0; D];
    body.add_momentum(&state.v, &mut momentum);
    let momentum = std::array::from_fn(|i| momentum.get(i).copied().unwrap_or(0.0));
    body.rigid().map_or([[0.0; 3]; 4], |rigid| {
        let (turn, spin) = (rigid.turn(&state.q), rigid.spin(&state.q, &state.v));
        [turn.into(), spin.into(), momentum, rigid.angular_momentum(state).into()]
    })
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
    let of_grains = frame.outcome.map_or_else(Vec::new, |o| stress_of_grains(frame.model, &o.touches, o.h));
    for (k, (body, state)) in frame.model.bodies.iter().zip(&frame.snapshot.states).enumerate() {
        let first = a.points.len();
        let mesh = body.body.mesh();
        let look = RigidLook {
            motion: rigid_motion(&*body.body, state),
            stress: of_grains.get(k).copied().flatten().unwrap_or_default(),
        };
        if body.body.rigid().is_some() && mesh.n_cells() == 0 {
            add_grain(&mut a, (k, &*body.body), state, frame, &look);
            continue;
        }
        a.radius
            .resize(first + mesh.n_points(), body.body.rigid().and_then(|rigid| rigid.ball_radius()).unwrap_or(0.0));
        a.points.extend(mesh.points.iter().map(|x| std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0))));
        // Sites beyond the nodes are rotations.
        let n = D * mesh.n_points();
        a.displacement.extend(three::<D>(&body.body.displacements(&state.q)[..n]));
        a.velocity.extend(three::<D>(&body.body.site_velocities(&state.q, &state.v)[..n]));
        a.reaction.extend(three::<D>(&reactions[k][..n]));
        let change = frame.from.zip(frame.outcome).map(|(from, outcome)| {
            let (v, State { q: q_0, v: v_0, .. }) = (body.body.site_velocities(&state.q, &state.v), &from.states[k]);
            let before = body.body.site_velocities(q_0, v_0);
            v.iter().zip(before.iter()).map(|(v, v_0)| (v - v_0) / outcome.h).collect::<Vec<f64>>()
        });
        a.acceleration.extend(three::<D>(&change.unwrap_or_else(|| vec![0.0; n])[..n]));
        let Some(elements) = body.body.finite_elements() else {
            a.nodal_stress.resize(6 * a.points.len(), 0.0);
            a.nodal_von_mises.resize(a.points.len(), 0.0);
            mesh.bulk_cells().for_each(|(cell, ..)| a.add_rigid(mesh, cell, first, k, &look));
            continue;
        };
        let (fields, NodalStress { stress, von_mises }) = elements.cell_and_nodal_fields(state);
        a.nodal_stress.extend(stress.as_flattened());
        a.nodal_von_mises.extend(von_mises);
        for (row, &cell) in fields.cells.iter().enumerate() {
            a.add_cell(mesh, cell, first);
            a.stress.extend(fields.stress[row]);
            a.strain.extend(fields.strain[row]);
            a.principal(&fields.stress[row]);
            a.rigid.iter_mut().for_each(|all| all.extend([0.0; 3]));
            a.von_mises.push(fields.von_mises[row]);
            a.stress_invariant.push(fields.stress_invariant[row]);
            a.strain_invariant.push(fields.strain_invariant[row]);
            a.plastic_strain.push(fields.plastic_strain[row]);
            a.largest_plastic_strain.push(fields.largest_plastic_strain[row]);
            a.yield_stress.push(fields.yield_stress[row]);
            a.body.push(k as i32);
            let name = elements.region_of_cell(cell).map_or("", |r| elements.regions()[r].name.as_str());
            let index = frame.model.materials.iter().position(|m| m == name).unwrap_or(0);
            a.material.push(index as i32);
        }
    }
    a
}

/// A rigid body whose mesh has no cells: its picture, or a point.
fn add_grain<const D: usize>(
    a: &mut Arrays,
    (k, body): (usize, &dyn SpatialBody<D>),
    state: &State,
    frame: &Frame<'_, D>,
    look: &RigidLook,
) {
    let Some(rigid) = body.rigid() else { return };
    let first = a.points.len();
    let (mesh, arms) = rigid.drawn();
    let (pose, start) = (rigid.pose(&state.q), rigid.input().inertia.centre);
    let spin = rigid.spin(&state.q, &state.v);
    let before = frame.from.zip(frame.outcome);
    for arm in &arms {
        let turned = pose.rotation * arm;
        let whole = Vector3::from_fn(|i, _| turned.get(i).copied().unwrap_or(0.0));
        let turning = spin.cross(&whole);
        let component = |i: usize, x: &dyn Fn(usize) -> f64| if i < D { x(i) } else { 0.0 };
        a.points.push(std::array::from_fn(|i| component(i, &|i| start[i] + arm[i])));
        a.displacement.extend((0..3).map(|i| component(i, &|i| pose.centre[i] + turned[i] - start[i] - arm[i])));
        a.velocity.extend((0..3).map(|i| component(i, &|i| state.v[i] + turning[i])));
        a.reaction.extend([0.0; 3]);
        // That of the centre of mass.
        let gained = |i: usize| before.map_or(0.0, |(from, o)| (state.v[i] - from.states[k].v[i]) / o.h);
        a.acceleration.extend((0..3).map(|i| component(i, &gained)));
    }
    a.nodal_stress.resize(6 * a.points.len(), 0.0);
    a.nodal_von_mises.resize(a.points.len(), 0.0);
    a.radius.resize(a.points.len(), rigid.ball_radius().unwrap_or(0.0));
    if mesh.n_cells() == 0 {
        (first..a.points.len()).for_each(|point| a.add_point(point, k, look));
    }
    mesh.bulk_cells().for_each(|(cell, ..)| a.add_rigid(mesh, cell, first, k, look));
}

impl<const D: usize> Writer<D> for FieldFrames {
    fn write(&mut self, frame: &Frame<'_, D>, _: &Records) -> Result<(), RunError> {
        if !frame.is_output {
            return Ok(());
        }
        let a = collect(frame);
        use OutputField as F;
        let named = |name: &'static str, component_names: &'static [&'static str], values| Field {
            name,
            components: component_names.len(),
            component_names,
            values: Values::F64(values),
        };
        // The yield stress of what yields is above zero.
        let yields = a.yield_stress.iter().any(|y| *y > 0.0);
        let mut point_fields = self.chosen(
            yields,
            [
                (F::Displacement, Field::vector("displacement", &a.displacement)),
                (F::Velocity, Field::vector("velocity", &a.velocity)),
                (F::Acceleration, Field::vector("acceleration", &a.acceleration)),
                (F::Reaction, Field::vector("reaction", &a.reaction)),
                (F::NodalStress, Field::symmetric_tensor("nodal_stress", &a.nodal_stress)),
                (F::NodalVonMises, Field::scalar("nodal_von_mises", Values::F64(&a.nodal_von_mises))),
            ],
        );
        if self.output.has(F::RigidMotion) && a.radius.iter().any(|r| *r > 0.0) {
            point_fields.push(Field::scalar("radius", Values::F64(&a.radius)));
        }
        let mut cell_fields = self.chosen(
            yields,
            [
                (F::Stress, Field::symmetric_tensor("stress", &a.stress)),
                (F::Strain, Field::symmetric_tensor("strain", &a.strain)),
                (F::PrincipalStress, named("principal_stress", &FIRST_TO_THIRD, &a.principal_stress)),
                (F::PrincipalDirections, named("principal_directions", &DIRECTIONS, &a.principal_directions)),
                (F::VonMises, Field::scalar("von_mises", Values::F64(&a.von_mises))),
                (F::StressInvariant, Field::scalar("stress_invariant", Values::F64(&a.stress_invariant))),
                (F::StrainInvariant, Field::scalar("strain_invariant", Values::F64(&a.strain_invariant))),
                (F::PlasticStrain, Field::scalar("plastic_strain", Values::F64(&a.plastic_strain))),
                (
                    F::LargestPlasticStrain,
                    Field::scalar("largest_plastic_strain", Values::F64(&a.largest_plastic_strain)),
                ),
                (F::YieldStress, Field::scalar("yield_stress", Values::F64(&a.yield_stress))),
                (F::Body, Field::scalar("body", Values::I32(&a.body))),
                (F::Material, Field::scalar("material", Values::I32(&a.material))),
            ],
        );
        if self.output.has(F::RigidMotion) && frame.model.bodies.iter().any(|b| b.body.rigid().is_some()) {
            cell_fields.extend(RIGID.iter().zip(&a.rigid).map(|(name, values)| Field::vector(name, values)));
        }
        let grid = Grid {
            points: &a.points,
            cells: Cells::new(&a.connectivity, &a.offsets, &a.types),
            point_fields: &point_fields,
            cell_fields: &cell_fields,
        };
        self.frames.write(frame, &grid)
    }

    fn cursor(&self, _: &Records) -> WriterCursor {
        self.frames.cursor()
    }

    fn resume(&mut self, cursor: &WriterCursor, _: &mut Records) -> Result<(), RunError> {
        self.frames.resume(cursor);
        Ok(())
    }
}
