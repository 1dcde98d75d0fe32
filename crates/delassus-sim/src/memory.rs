//! Memory and disk space of a run, predicted from the symbolic analysis, before anything is factored.
//!
//! ```text
//! peak = bodies + factors + max( making of a factor , condensed + max( condensing , states + frame + W ) )
//! ```
//!
//! W grows with the square of the number of contacts that act at one time. Its size is predicted for no contact, for the contacts that touch in
//! the given geometry, and for all candidates. A run is refused if the memory for its first steps is not available ([`Memory::admit`]); a later
//! step checks the memory for its own W (`admit_w`).

use std::fmt;
use std::sync::Arc;

use delassus_contact::{Aabb, BoxTree, Contact, Vector};
use delassus_dynamics::{Condensed, DynamicsError};
use delassus_error::machine::{self, MemoryError};

use crate::engine::Engine;
use crate::error::{SimError, bytes};
use crate::model::{Model, StartSpec};
use crate::space::{Dimension, Space};
use crate::w_memory::{COPIES_OF_W, admit_w, bytes_of_w};

/// Vectors of all dofs that a step holds: state, last state, free and final velocities, impulses, forces, balances.
const VECTORS: usize = 24;

/// The fallback solvers have dense matrices; the long steps to an equilibrium need them.
const COPIES_OF_A_DENSE_SOLVER: usize = 5;

/// A frame is held as fields, as the writer's arrays, as text by array, and as the text of the file: base64 is 4/3.
const COPIES_OF_A_FRAME: f64 = 1.0 + 1.0 + 4.0 / 3.0 + 4.0 / 3.0;

/// Values of K, C and M̂ of a body whose M̂ is put together in each pass.
const TANGENTS: usize = 3;

/// The program itself \[B\].
const PROGRAM: usize = 10_000_000;

/// Bytes, item by item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Number of bodies.
    pub n_bodies: usize,
    /// Number of distinct factors.
    pub n_factors: usize,
    /// Stored entries of all L.
    pub n_entries: usize,
    /// Meshes, matrices of the cells, M, C, K, surfaces.
    pub bodies: usize,
    /// All L, with their analyses.
    pub factors: usize,
    /// Additional memory during factorisation.
    pub factoring: usize,
    /// w on all nodes that can be in contact.
    pub condensed: usize,
    /// What the case allows for that.
    pub allowed: usize,
    /// Additional memory while w is condensed.
    pub condensing: usize,
    /// Vectors of dofs.
    pub states: usize,
    /// Contacts that touch in the geometry as given.
    pub touching: usize,
    /// W of those.
    pub w_at_start: usize,
    /// W of all candidates at once.
    pub w_at_most: usize,
    /// While a frame is written.
    pub frame: usize,
    /// A second set of bodies, while the equilibrium is sought.
    pub start: usize,
    /// Frames of `fields.pvd`.
    pub n_frames: usize,
    /// Bytes of one of them on disk.
    pub frame_on_disk: usize,
}

impl Memory {
    /// Adds up what a run of the engine's model takes that writes `n_frames` frames.
    pub fn of<const D: usize>(engine: &mut Engine<D>, n_frames: usize) -> Result<Self, SimError>
    where
        Dimension<D>: Space<D>,
    {
        let model = &*Arc::clone(&engine.model);
        let surfaces = engine.surfaces()?.bytes();
        let near = engine.detect_between(&model.reference(), 0.0, model.h)?.contacts;
        let rounding = model.rounding();
        let touching: Vec<&Contact<D>> = near.iter().filter(|c| c.gap <= rounding).collect();
        // Before the analysis: it takes its time with very many contacts.
        admit_w(&touching)?;
        let analyses = engine.analyses()?;
        let is_long = model.start_state == StartSpec::Equilibrium;
        let copies = COPIES_OF_W + if is_long { COPIES_OF_A_DENSE_SOLVER } else { 0 };
        let mut out = Self {
            n_bodies: model.bodies.len(),
            n_factors: analyses.len(),
            allowed: model.memory,
            n_frames,
            states: size_of::<f64>() * VECTORS * model.n_dof(),
            touching: touching.len(),
            w_at_start: bytes_of_w(&touching),
            w_at_most: copies.saturating_mul(w_bytes(model)),
            ..Self::default()
        };
        for b in &model.bodies {
            out.bodies += b.body.bytes() + b.mass_inverse.as_ref().map_or(0, |m| m.bytes());
            let mesh = b.body.rigid().map_or(&**b.body.mesh(), |rigid| rigid.drawn().0);
            // Points and three vectors; connectivity, type, two tensors, stress intensity, two invariants and two numbers.
            let cells: usize =
                mesh.bulk_cells().map(|(_, _, nodes)| 8 * nodes.len() + 8 + 1 + 12 * 8 + 3 * 8 + 8).sum();
            out.frame_on_disk += 4 * (12 * 8 * mesh.n_points() + cells) / 3;
        }
        out.bodies += surfaces;
        out.frame = (0.75 * COPIES_OF_A_FRAME * out.frame_on_disk as f64) as usize;
        let (mut factoring, mut condensing) = (Vec::new(), Vec::new());
        for (class, analysis) in model.twins.classes.iter().zip(analyses) {
            let b = &model.bodies[class.first];
            let failed = |source: DynamicsError| SimError::Body { body: b.name.clone(), source };
            if b.body.finite_elements().is_none() {
                // A dense w of few degrees of freedom.
                out.condensed += size_of::<f64>() * b.body.n_dof() * b.body.n_dof();
                out.factors += analysis.bytes() + analysis.factor_bytes();
                continue;
            }
            let guides = b.body.guides();
            let fixed = guides.map_or(b.body.prescribed(), |guides| guides.fixed());
            let tied = guides.map_or(b.body.tied(), |guides| guides.tied());
            let w = Condensed::with_ties(analysis, D, &class.contact_nodes, fixed, tied);
            out.n_entries += analysis.n_factor_entries();
            out.factors += analysis.bytes() + analysis.factor_bytes();
            out.condensed += w.bytes_of_all();
            // Where a factor is new in each pass the last one is still there, with the values of M̂ and of its tangents.
            let renewed = if model.operator_varies(class.first) {
                analysis.factor_bytes() + TANGENTS * size_of::<f64>() * b.body.matrices().pattern().nnz()
            } else {
                0
            };
            factoring.push(analysis.factoring_bytes() + renewed);
            condensing.push(w.peak(analysis).map_err(failed)?);
        }
        for ((class, _), b) in model.twins.of_body.iter().zip(&model.bodies) {
            out.states += analyses[*class].workspace_bytes() + b.body.guides().map_or(0, |guides| guides.bytes());
        }
        out.factoring = of_those_at_one_time(factoring);
        out.condensing = of_those_at_one_time(condensing);
        out.start = if is_long { out.bodies } else { 0 };
        Ok(out)
    }

    /// Is w condensed on demand?
    #[must_use]
    pub fn is_on_demand(&self) -> bool {
        self.condensed > self.allowed
    }

    /// Peak without any contact, and with all candidates in contact at one time.
    #[must_use]
    pub fn total(&self) -> [usize; 2] {
        [0, self.w_at_most].map(|w| self.total_with(w))
    }

    /// Peak with a W of so many bytes.
    fn total_with(&self, w: usize) -> usize {
        let condensed = self.condensed.min(self.allowed);
        let stepping = self.states.saturating_add(self.frame.max(w));
        let later = condensed.saturating_add(self.condensing.max(stepping));
        (PROGRAM + self.bodies + self.start + self.factors).saturating_add(self.factoring.max(later))
    }

    /// Refuses a run whose first steps need more memory than the machine or the process has.
    ///
    /// # Errors
    /// [`MemoryError`].
    pub fn admit(&self) -> Result<(), MemoryError> {
        let w = self.w_at_start.min(self.w_at_most);
        let total = self.total_with(w) as u64;
        let what = format!(
            "this run (bodies {}, factors {}, condensed operators {}, W of the {} contacts that touch at the start {})",
            bytes(self.bodies + self.start),
            bytes(self.factors),
            bytes(self.condensed.min(self.allowed)),
            self.touching,
            bytes(w)
        );
        let help = if w > self.total_with(0) {
            "W grows with the square of the contacts of a body: use smaller groups or coarser surfaces for the contacts"
        } else {
            "Use coarser meshes or fewer bodies, or a smaller value of the key `memory`"
        };
        machine::admit(total, &what, help)
    }

    /// The memory with all candidates in contact at one time and the limit, if the limit would be exceeded.
    #[must_use]
    pub fn beyond(&self) -> Option<[String; 2]> {
        let [_, most] = self.total();
        let allowed = machine::room()?.allowed();
        (most as u64 > allowed).then(|| [bytes(most), delassus_error::digits::bytes(allowed)])
    }
}

/// Bytes of W with all candidates in contact: only bodies that a pair connects are coupled. In pairs between many bodies, only neighbours at
/// rest are counted.
fn w_bytes<const D: usize>(model: &Model<D>) -> usize
where
    Dimension<D>: Space<D>,
{
    let n = model.bodies.len();
    let mut candidates = vec![0; n];
    let mut joint = 0_usize;
    let rest = model.positions(None);
    let boxed = |body: usize, nodes: &mut dyn Iterator<Item = usize>| {
        Aabb::around(nodes.map(|n| Vector::<D>::from_column_slice(&rest[body][D * n..D * n + D])))
    };
    for (pair, direction) in model.directions() {
        let surfaces: Vec<_> = direction.surfaces().collect();
        let boxes: Vec<Aabb<D>> = surfaces.iter().map(|s| boxed(s.body(), &mut s.nodes())).collect();
        let near: Vec<f64> = surfaces.iter().map(|s| s.facet_sizes(&rest[s.body()]).0).collect();
        let grown: Vec<Aabb<D>> = boxes.iter().zip(&near).map(|(b, near)| b.grown(*near)).collect();
        let tree = BoxTree::new(&grown);
        let of_copies = direction.candidates().len() > 1 && surfaces.len() > 1;
        for set in direction.candidates() {
            let n = set.n_points();
            let own = boxed(set.body(), &mut set.nodes().iter().copied());
            let mut others = Vec::new();
            if model.pairs[pair].is_among_many() {
                tree.meeting(&own, |k| others.push(k));
                others.retain(|&k| own.distance_to(&boxes[k]) <= near[k]);
            } else {
                others.extend(0..surfaces.len());
            }
            let n_obstacles = direction.antagonists().len() - surfaces.len();
            candidates[set.body()] += n * n_obstacles;
            for body in others.into_iter().map(|k| surfaces[k].body()) {
                match body == set.body() {
                    true if of_copies => {}
                    true => candidates[body] += n,
                    false => [body, set.body()].iter().for_each(|&b| candidates[b] += n),
                }
            }
        }
    }
    for n in candidates {
        joint = joint.saturating_add(n * n);
    }
    // A contact that two bodies share twice is counted twice: at most.
    let all = model.n_candidates();
    joint.min(all * all).saturating_mul(D * D * size_of::<f64>() + size_of::<usize>())
}

/// Sum of the largest, as many as there are threads.
fn of_those_at_one_time(mut each: Vec<usize>) -> usize {
    each.sort_unstable();
    each.iter().rev().take(crate::parallel::current_num_threads()).sum()
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { n_bodies, n_factors, n_entries, n_frames, .. } = self;
        let [least, most] = self.total();
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let body = if *n_bodies == 1 { "body" } else { "bodies" };
        let entries = *n_entries as f64 / 1e6;
        writeln!(f, "  {n_bodies} {body}, {n_factors} distinct factor{}: {entries:.2} million entries", s(*n_factors))?;
        writeln!(
            f,
            "  memory: bodies {}, factors {}, condensed operators {}{}",
            bytes(self.bodies + self.start),
            bytes(self.factors),
            bytes(self.condensed.min(self.allowed)),
            if self.is_on_demand() {
                format!(" at most, on demand: all of them would take {}", bytes(self.condensed))
            } else {
                String::new()
            }
        )?;
        writeln!(
            f,
            "      temporary: factoring {}, condensing {}, a frame {}, W at most {}",
            bytes(self.factoring),
            bytes(self.condensing),
            bytes(self.frame),
            bytes(self.w_at_most)
        )?;
        writeln!(
            f,
            "      total about {}, at most {} with all candidates in contact at once; {} more for each other step size",
            bytes(least),
            bytes(most),
            bytes(self.factors + self.condensed.min(self.allowed))
        )?;
        write!(
            f,
            "  disk: {n_frames} frame{} of {}, {} in total",
            s(*n_frames),
            bytes(self.frame_on_disk),
            bytes(n_frames * self.frame_on_disk)
        )
    }
}
