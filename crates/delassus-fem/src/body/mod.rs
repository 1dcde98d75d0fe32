//! A deformable body: mesh, materials, section, loads and prescribed motions, as a [`System`].
//!
//! A linear body (small strains, materials without internal variables) has constant matrices; its forces come from the reduced
//! matrices of the cells (see the kernel) and never from products with the assembled ones. A body with internal variables or
//! moving geometry responds quadrature point by quadrature point (see [`Kinematics`]); its K is that of a sudden small motion from the start.
//!
//! ```text
//! F = −K q − C v + P(t)        Jean 1995 §3 ;   C = C_visc + α M + β K   (Rayleigh)
//! ```

mod cells;
mod conserving;
mod guided;
mod inelastic;
mod measures;
mod scales;
mod turning;

use std::sync::{Arc, OnceLock};

use delassus_dynamics::{
    Conserving, Floating, Guides, Inelastic, Matrices, State, System, Turning, holds_whole_nodes, symmetric_times_into,
};
use delassus_mesh::Mesh;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assembly::Assembly;
use crate::attachment::{Attachment, GroundLinks};
use crate::cell::CellModel;
use crate::corotation::Corotation;
use crate::error::{FemError, check_non_negative};
use crate::field_load::{FieldLoad, FieldVector};
use crate::floating::FloatingParts;
use crate::following::FollowingLoad;
use crate::formulation::Formulation;
use crate::function::TimeFunction;
use crate::internal_variables::{InitialStress, InternalVariables, check_revolved};
use crate::kinematics::{FrameScope, Kinematics};
use crate::load::{Gravity, LoadVector, NodalForce, Prescribed, PrescribedVelocity, SurfaceLoad};
use crate::material::Material;
use crate::region::{Region, cell_model, regions_of_cells};
use crate::section::Section;
use crate::sparsity::NodeBlocks;
use crate::tie::{Tie, tied_dofs};

/// How the mass of a cell is given to its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum MassKind {
    /// Diagonal: the sums of the rows of the consistent mass for linear elements; for quadratic ones, where those can be
    /// negative, its diagonal scaled to the mass of the cell (Hinton, Rock & Zienkiewicz 1976), always positive.
    #[default]
    Lumped,
    /// ρ ∫ N_a N_b.
    Consistent,
}

/// Rayleigh damping C = α M + β K, on top of the materials' viscosity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rayleigh {
    /// α ≥ 0, damping ratio α/(2ω) of a mode ω \[1/s\].
    #[serde(default)]
    pub alpha: f64,
    /// β ≥ 0, damping ratio β ω/2 of a mode ω \[s\].
    #[serde(default)]
    pub beta: f64,
}

/// All that makes a body. Start from [`BodyInput::new`] and set what differs.
#[derive(Clone, Debug)]
pub struct BodyInput<const D: usize> {
    /// Name of the body, for messages.
    pub name: String,
    /// Its mesh, of this body only: every node must belong to a cell.
    pub mesh: Arc<Mesh<D>>,
    /// Materials of all cells.
    pub regions: Vec<Region>,
    /// Plane strain or plane stress, with thickness; or solid.
    pub section: Section,
    /// How strains follow from displacements.
    pub formulation: Formulation,
    /// Lumped or consistent mass.
    pub mass: MassKind,
    /// Rayleigh damping.
    pub rayleigh: Rayleigh,
    /// Accelerations of the whole body.
    pub gravity: Vec<Gravity<D>>,
    /// Tractions and pressures.
    pub surface_loads: Vec<SurfaceLoad<D>>,
    /// Tractions and pressures that follow the surface they act on.
    pub following_loads: Vec<SurfaceLoad<D>>,
    /// Forces on nodes.
    pub nodal_forces: Vec<NodalForce<D>>,
    /// Loads that vary from place to place.
    pub field_loads: Vec<FieldLoad<D>>,
    /// Prescribed velocities.
    pub prescribed: Vec<PrescribedVelocity>,
    /// Nodes that move as others do.
    pub ties: Vec<Tie<D>>,
    /// Springs, dashpots and masses between nodes and the ground.
    pub attachments: Vec<Attachment<D>>,
    /// Small strains, or the geometry moving along.
    pub kinematics: Kinematics,
    /// Stress at the start; none when absent.
    pub initial_stress: Option<InitialStress<D>>,
    /// c_K of M̂ = M + … + c_K K in the steps that the body is made for \[s²\]: whether supports of single components may be rows beside its factor; 0 where they are eliminated.
    pub step_weight: f64,
}

impl<const D: usize> BodyInput<D> {
    /// A body of one material, free, without loads: plane strain of thickness 1 m (2D) or solid (3D), standard
    /// formulation, lumped mass, small strains.
    #[must_use]
    pub fn new(name: impl Into<String>, mesh: Arc<Mesh<D>>, material: Arc<dyn Material>) -> Self {
        Self {
            name: name.into(),
            mesh,
            regions: vec![Region { name: "material".into(), group: None, material }],
            section: Section::default(),
            formulation: Formulation::default(),
            mass: MassKind::default(),
            rayleigh: Rayleigh::default(),
            gravity: Vec::new(),
            surface_loads: Vec::new(),
            following_loads: Vec::new(),
            nodal_forces: Vec::new(),
            field_loads: Vec::new(),
            prescribed: Vec::new(),
            ties: Vec::new(),
            attachments: Vec::new(),
            kinematics: Kinematics::SmallStrain,
            initial_stress: None,
            step_weight: 0.0,
        }
    }
}

/// Scales of a body that tell whether a time step is sensible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Characteristics {
    /// Shortest distance between two nodes of a cell \[m\].
    pub min_edge: f64,
    /// Fastest dilatational wave of its materials \[m/s\].
    pub max_wave_speed: f64,
    /// Least time in which a wave crosses the shortest edge of a cell \[s\].
    pub crossing_time: f64,
}

/// A deformable body.
pub struct Body<const D: usize> {
    /// All that was given, with the section in D dimensions; aside, so that a list of bodies that were refused stays small.
    input: Box<BodyInput<D>>,
    /// The materials by region, before viscosity was left out of them: they tell whether two bodies are made of the same.
    materials: Vec<Arc<dyn Material>>,
    /// Is it [frozen](Self::frozen)?
    is_frozen: bool,
    /// Region of each cell by global number; `None` for cells of lower dimension.
    region_of_cell: Vec<Option<usize>>,
    assembly: Assembly<D>,
    /// None for a linear body.
    internal_variables: Option<InternalVariables<D>>,
    /// Aside, as the input is.
    matrices: Box<Matrices>,
    node_masses: Vec<f64>,
    loads: Vec<LoadVector>,
    following: Vec<FollowingLoad<D>>,
    fields: Vec<FieldVector<D>>,
    prescribed: Prescribed,
    tied: Vec<(usize, usize)>,
    links: GroundLinks<D>,
    /// The frame of a body that turns.
    corotation: Option<Corotation<D>>,
    /// Where the tangents of the cells go, of a body whose cells have frames of their own.
    cell_pattern: Option<NodeBlocks<D>>,
    /// Are all components of a node held or tied, where one is?
    holds_whole_nodes: bool,
    /// Rows for the supports of single components, of a body with one frame.
    guides: Option<Arc<Guides>>,
    /// Rigid motions that are free; computed at the first use.
    floating: OnceLock<Option<Floating>>,
}

impl<const D: usize> std::fmt::Debug for Body<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Body<{D}> `{}` ({} nodes)", self.input.name, self.input.mesh.points.len())
    }
}

impl<const D: usize> Body<D> {
    /// Checks everything and integrates the matrices.
    ///
    /// # Errors
    /// A [`FemError`] that names the body and what is wrong: mesh, groups, materials, cells, loads, motions.
    pub fn new(input: BodyInput<D>) -> Result<Self, FemError> {
        let place = format!("body `{}`", input.name);
        Self::build(input).map_err(|e| e.at(place))
    }

    /// The body as it is at t = 0, for the search of an equilibrium: materials without viscosity, no Rayleigh damping, prescribed
    /// degrees of freedom at rest, loads constant at their value of t = 0. All else is the same.
    ///
    /// Frozen bodies are [twins](Self::rotation_onto) of each other as if their materials were made once for all bodies.
    ///
    /// # Errors
    /// A [`FemError`] for a material of which nothing is left without viscosity.
    pub fn frozen(&self) -> Result<Self, FemError> {
        // Steps will be long.
        let mut input = BodyInput { rayleigh: Rayleigh::default(), step_weight: 0.0, ..(*self.input).clone() };
        for region in &mut input.regions {
            let place = |e: FemError| e.at(format!("material `{}`", region.name));
            region.material = region.material.without_viscosity().map_err(place)?;
        }
        let factors = input.gravity.iter_mut().map(|load| &mut load.factor);
        let surface_loads = input.surface_loads.iter_mut().chain(&mut input.following_loads);
        let factors = factors.chain(surface_loads.map(|load| &mut load.factor));
        for factor in factors.chain(input.nodal_forces.iter_mut().map(|load| &mut load.factor)) {
            *factor = TimeFunction::Constant(factor.value(0.0));
        }
        for motion in &mut input.prescribed {
            motion.velocity = TimeFunction::Constant(0.0);
        }
        input.field_loads = input.field_loads.iter().map(FieldLoad::frozen).collect();
        for link in &mut input.attachments {
            *link = Attachment { damping: [0.0; D], absorbing: false, ..link.clone() };
        }
        Ok(Self { materials: self.materials.clone(), is_frozen: true, ..Self::new(input)? })
    }

    /// Was a stress at the start given?
    #[must_use]
    pub fn has_initial_stress(&self) -> bool {
        self.input.initial_stress.is_some()
    }

    fn build(mut input: BodyInput<D>) -> Result<Self, FemError> {
        input.mesh.validate()?;
        input.section.validate()?;
        input.section = input.section.in_dimension::<D>()?;
        let BodyInput { ref mesh, ref regions, section, formulation, rayleigh, .. } = input;
        if formulation == Formulation::BBar && matches!(section, Section::PlaneStress { .. }) {
            return Err(FemError::BBarPlaneStress);
        }
        if section.is_revolved() {
            check_revolved(&input.kinematics, formulation)?;
        }
        check_non_negative("rayleigh", "alpha", rayleigh.alpha)?;
        check_non_negative("rayleigh", "beta", rayleigh.beta)?;
        let prescribed = Prescribed::new(mesh, &input.prescribed, section)?;
        let region_of_cell = regions_of_cells(mesh, regions)?;
        let model = |cell| cell_model(regions, &region_of_cell, section, formulation, cell);
        let mut assembly = Assembly::new(mesh, section, rayleigh.beta, model)?;
        // lumped masses are positive for every node of a cell; row sums of quadratic ones need not be
        let lumped = assembly.node_masses(true);
        if let Some(node) = lumped.iter().position(|m| !m.is_finite() || *m <= 0.0) {
            let (position, mass) = (mesh.points[node].to_vec(), lumped[node]);
            return Err(FemError::MasslessNode { node, position, mass });
        }
        if rayleigh.beta > 0.0 && input.kinematics.moves_geometry() {
            return Err(FemError::MovingDamping { beta: rayleigh.beta });
        }
        let internal_variables = InternalVariables::new(
            &assembly,
            &mesh.points,
            input.kinematics.of_cells(),
            input.initial_stress.as_ref(),
            model,
        )?;
        if matches!(input.kinematics, Kinematics::Corotational { .. })
            && internal_variables.as_ref().is_some_and(|m| m.is_curved)
        {
            return Err(FemError::CurvedInFrame);
        }
        let mut node_masses = if input.mass == MassKind::Lumped { lumped } else { assembly.node_masses(false) };
        if GroundLinks::act(&input.attachments)
            && (input.kinematics != Kinematics::SmallStrain || internal_variables.is_some())
        {
            return Err(FemError::AttachedMotion);
        }
        let material_of = |cell: usize| Some(&*regions[region_of_cell.get(cell).copied().flatten()?].material);
        let links = GroundLinks::new(&input.attachments, mesh, section, material_of)?;
        links.add_masses(&mut node_masses);

        let mut loads = Vec::new();
        for gravity in &input.gravity {
            loads.push(gravity.vector(&node_masses, section).map_err(|e| e.at("gravity"))?);
        }
        for load in &input.surface_loads {
            let place = |e: FemError| e.at(format!("traction on `{}`", load.group));
            loads.push(load.vector(mesh, section).map_err(place)?);
        }
        if input.kinematics == Kinematics::SmallStrain
            && let Some(load) = input.following_loads.first()
        {
            return Err(FemError::FollowingLoad.at(format!("load on `{}`", load.group)));
        }
        let mut following = Vec::new();
        for load in &input.following_loads {
            let place = |e: FemError| e.at(format!("traction on `{}`", load.group));
            following.push(FollowingLoad::new(load, mesh, section).map_err(place)?);
        }
        for load in &input.nodal_forces {
            loads.push(load.vector(mesh).map_err(|e| e.at(format!("force on `{}`", load.group)))?);
        }
        let field = |load| FieldVector::new(load, mesh, section, &node_masses);
        let fields = input.field_loads.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let tied = tied_dofs(mesh, &input.ties, &prescribed)?;
        let mut matrices = assembly.matrices(input.mass == MassKind::Lumped, &node_masses, rayleigh.alpha);
        if !links.is_empty() {
            let pattern = NodeBlocks::new(mesh.points.len(), assembly.cells().map(|(_, nodes)| nodes));
            links.add_matrices(&pattern, &mut matrices);
        }
        assembly.forget_masses();
        if input.kinematics.moves_geometry() {
            assembly.forget_centres();
        }
        let corotation = matches!(input.kinematics, Kinematics::Corotational { .. })
            .then(|| Corotation::new(&mesh.points, &node_masses, |x, out| times_mass(&matrices, x, out)));
        let cell_pattern = (input.kinematics == Kinematics::Corotational { frames: FrameScope::Elements })
            .then(|| NodeBlocks::new(mesh.points.len(), assembly.cells().map(|(_, nodes)| nodes)));
        let holds_whole_nodes = holds_whole_nodes(D, &prescribed.dofs, &tied);
        let is_guided =
            corotation.is_some() && cell_pattern.is_none() && guided::is_allowed(&matrices, input.step_weight);
        let guides = if is_guided {
            Guides::of([D * mesh.points.len(), D], &prescribed.dofs, &tied).map(Arc::new)
        } else {
            None
        };
        let materials = regions.iter().map(|region| Arc::clone(&region.material)).collect();
        Ok(Self {
            input: Box::new(input),
            materials,
            is_frozen: false,
            region_of_cell,
            assembly,
            internal_variables,
            matrices: Box::new(matrices),
            node_masses,
            loads,
            following,
            fields,
            prescribed,
            tied,
            links,
            corotation,
            cell_pattern,
            holds_whole_nodes,
            guides,
            floating: OnceLock::new(),
        })
    }

    /// The name given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.input.name
    }

    /// The mesh, in the reference configuration.
    #[must_use]
    pub fn mesh(&self) -> &Arc<Mesh<D>> {
        &self.input.mesh
    }

    /// The section.
    #[must_use]
    pub fn section(&self) -> Section {
        self.input.section
    }

    /// Small strains, or the geometry moving along.
    #[must_use]
    pub fn kinematics(&self) -> Kinematics {
        self.input.kinematics
    }

    /// The regions, in the order given.
    #[must_use]
    pub fn regions(&self) -> &[Region] {
        &self.input.regions
    }

    /// Index in [`regions`](Self::regions) of the material of a cell; `None` for boundary cells and unknown numbers.
    #[must_use]
    pub fn region_of_cell(&self, cell: usize) -> Option<usize> {
        self.region_of_cell.get(cell).copied().flatten()
    }

    /// Positions of the nodes in space for the displacements q \[m\].
    #[must_use]
    pub fn positions(&self, q: &[f64]) -> Vec<[f64; D]> {
        let moved = |(x, u): (&[f64; D], &[f64])| std::array::from_fn(|i| x[i] + u[i]);
        self.input.mesh.points.iter().zip(q.chunks_exact(D)).map(moved).collect()
    }

    /// Mass of each node, M·1 \[kg\] (not positive at every node for the consistent mass of quadratic cells): the weights of the centre of mass and of the total momentum.
    #[must_use]
    pub fn node_masses(&self) -> &[f64] {
        &self.node_masses
    }

    /// Does its factor stay the same from step to step, turned with the body if that turns?
    pub(crate) fn keeps_its_factor(&self) -> bool {
        !self.tangent_varies()
    }

    /// Have both bodies the same formulation, kind of mass and damping?
    pub(crate) fn has_constants_of(&self, other: &Self) -> bool {
        let constants = |b: &Self| {
            let BodyInput { formulation, mass, rayleigh, .. } = *b.input;
            (formulation, mass, rayleigh.alpha.to_bits(), rayleigh.beta.to_bits(), b.is_frozen, b.input.kinematics)
        };
        // Links have directions of their own.
        constants(self) == constants(other) && self.input.attachments.is_empty() && other.input.attachments.is_empty()
    }

    /// What the material of a cell was given as; `None` for boundary cells and unknown numbers.
    pub(crate) fn material_given(&self, cell: usize) -> Option<&Arc<dyn Material>> {
        self.region_of_cell(cell).map(|region| &self.materials[region])
    }

    /// α of the damping α M \[1/s\].
    #[must_use]
    pub fn mass_damping(&self) -> f64 {
        self.input.rayleigh.alpha
    }

    /// Mass of the body \[kg\].
    #[must_use]
    pub fn total_mass(&self) -> f64 {
        self.node_masses.iter().sum()
    }

    /// The state at t = 0 with velocities v: undeformed, with the initial stress.
    #[must_use]
    pub fn at_start(&self, v: Vec<f64>) -> State {
        State { z: self.initial(), ..State::new(0.0, vec![0.0; self.n_dof()], v) }
    }

    /// Memory it takes, for the most part: mesh, matrices of the cells, M, C and K \[B\].
    #[must_use]
    pub fn bytes(&self) -> usize {
        let (mesh, Self { matrices, loads, .. }) = (&self.input.mesh, self);
        let words = D * mesh.points.len()
            + mesh.blocks.iter().map(|b| b.nodes.len()).sum::<usize>()
            + mesh.groups.iter().map(|g| g.cells.len()).sum::<usize>()
            + 2 * self.region_of_cell.len()
            + loads.iter().map(|l| 2 * l.entries.len()).sum::<usize>()
            + self.node_masses.len()
            + self.following.iter().map(FollowingLoad::n_numbers).sum::<usize>()
            + self.links.n_numbers()
            + self.fields.iter().map(FieldVector::n_numbers).sum::<usize>()
            + self.corotation.as_ref().map_or(0, Corotation::n_numbers)
            + self.cell_pattern.as_ref().map_or(0, NodeBlocks::n_numbers);
        self.assembly.bytes() + matrices.bytes() + size_of::<f64>() * words
    }

    /// The first cell of the undeformed body that holds a point, and its nodes with their shape functions there.
    #[must_use]
    pub fn locate(&self, point: &[f64; D]) -> Option<(usize, Vec<(usize, f64)>)> {
        let place = |node: &usize| self.input.mesh.points[*node];
        self.assembly.kernels().find_map(|(kernel, cell, nodes)| {
            let positions: Vec<[f64; D]> = nodes.iter().map(place).collect();
            let shape = (kernel.shape_at)(&positions, point)?;
            Some((cell, nodes.iter().copied().zip(shape).collect()))
        })
    }

    /// The parts of the mesh that hang together.
    fn parts(&self) -> FloatingParts<D> {
        FloatingParts::of(self.mesh(), self.input.section, self.assembly.cells().map(|(_, nodes)| nodes))
    }

    /// What a cell is made of; `None` for boundary cells and unknown numbers.
    fn model_of(&self, cell: usize) -> Option<CellModel<'_>> {
        let BodyInput { ref regions, section, formulation, .. } = *self.input;
        cell_model(regions, &self.region_of_cell, section, formulation, cell)
    }
}

impl<const D: usize> System for Body<D> {
    fn n_dof(&self) -> usize {
        D * self.input.mesh.points.len()
    }

    fn matrices(&self) -> &Matrices {
        &self.matrices
    }

    fn mass_times_into(&self, x: &[f64], out: &mut [f64]) {
        times_mass(&self.matrices, x, out);
    }

    fn elastic_force_into(&self, q: &[f64], out: &mut [f64]) {
        self.assembly.elastic_force_into(q, out);
        self.links.add_elastic(q, out);
    }

    fn elastic_energy(&self, q: &[f64]) -> f64 {
        self.assembly.elastic_energy(q) + self.links.energy(q)
    }

    fn elastic_energies(&self, q: [&[f64]; 2]) -> [f64; 2] {
        let [a, b] = self.assembly.elastic_energies(q);
        [a + self.links.energy(q[0]), b + self.links.energy(q[1])]
    }

    fn viscous_force_into(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        let alpha = self.input.rayleigh.alpha;
        if alpha > 0.0 {
            self.mass_times_into(v, out);
            out.iter_mut().for_each(|f| *f *= alpha);
        } else {
            out.fill(0.0);
        }
        match &self.corotation {
            None => self.assembly.add_damping_force(v, out),
            Some(corotation) if self.assembly.is_damped() => {
                out.iter_mut().zip(self.turned_viscosity(corotation, q, v)).for_each(|(f, s)| *f += s);
            }
            Some(_) => {}
        }
        self.links.add_viscous(v, out);
    }

    fn is_damped(&self) -> bool {
        self.input.rayleigh.alpha > 0.0 || self.assembly.is_damped() || self.links.damp()
    }

    fn loads_into(&self, t: f64, out: &mut [f64]) {
        out.fill(0.0);
        for load in &self.loads {
            let factor = load.factor.value(t);
            for &(dof, force) in &load.entries {
                out[dof] += factor * force;
            }
        }
        self.fields.iter().for_each(|field| field.add_into(t, out));
    }

    fn add_following_loads(&self, t: f64, q: &[f64], out: &mut [f64]) {
        self.following.iter().for_each(|load| load.add_into(t, q, out));
    }

    fn has_following_loads(&self) -> bool {
        !self.following.is_empty()
    }

    fn prescribed(&self) -> &[usize] {
        &self.prescribed.dofs
    }

    fn tied(&self) -> &[(usize, usize)] {
        &self.tied
    }

    fn prescribed_motion(&self, t: f64) -> Vec<(f64, f64)> {
        self.prescribed.motion(t)
    }

    fn prescribed_way(&self, from: f64, to: f64) -> Vec<f64> {
        self.prescribed.way(from, to)
    }

    fn floating(&self) -> Option<&Floating> {
        let find = || {
            // Drag on every motion holds a body, if slowly.
            let is_dragged = self.input.rayleigh.alpha > 0.0;
            let mut held = self.prescribed.dofs.clone();
            held.extend(self.links.held());
            held.sort_unstable();
            held.dedup();
            (!is_dragged).then(|| self.parts().floating(self.mesh(), &held, &self.tied)).flatten()
        };
        self.floating.get_or_init(find).as_ref()
    }

    fn softest(&self, stiffness: &[f64]) -> f64 {
        let pattern = self.matrices.pattern();
        self.parts().softest(self.mesh(), pattern, stiffness, |x, out| self.mass_times_into(x, out))
    }

    fn block_size(&self) -> usize {
        D
    }

    fn inelastic(&self) -> Option<&dyn Inelastic> {
        (self.internal_variables.is_some() || self.corotation.is_some()).then_some(self as &dyn Inelastic)
    }

    fn conserving(&self) -> Option<&dyn Conserving> {
        (self.input.kinematics == Kinematics::FiniteStrain {}).then_some(self as &dyn Conserving)
    }

    fn guides(&self) -> Option<&Arc<Guides>> {
        self.guides.as_ref()
    }

    fn turning(&self) -> Option<&dyn Turning> {
        self.corotation.as_ref().map(|_| self as &dyn Turning)
    }
}

/// `out` ← M x.
fn times_mass(matrices: &Matrices, x: &[f64], out: &mut [f64]) {
    if matrices.lumped {
        let masses = matrices.mass.values();
        out.iter_mut().zip(x).zip(masses).for_each(|((y, x), mass)| *y = mass * x);
    } else {
        symmetric_times_into(matrices.mass.pattern(), matrices.mass.values(), x, out);
    }
}
