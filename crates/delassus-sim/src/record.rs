//! One row of `history.csv`: which columns there are, and their values after a step.

use delassus_dynamics::State;
use delassus_fem::{Body, BodyRotation, Kinematics};
use delassus_solver::HistoryEntry;
use nalgebra::Vector3;

use crate::audited::AuditError;
use crate::joints::JointEnd;
use crate::ledger::Ledger;
use crate::model::{Joint, Model, ModelBody, ModelPair, Probe, ProbeKind};
use crate::outcome::{Outcome, Touch, worse};
use crate::snapshot::Snapshot;
use crate::space::{Dimension, Space};
use crate::surfaces::SurfaceView;
use crate::traction::{ContactExtent, extent};

/// Names of the axes.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// Columns every history has, before and after the components of the momentum.
const BEFORE: [&str; 10] = [
    "step",
    "time",
    "kinetic_energy",
    "elastic_energy",
    "external_work",
    "viscous_dissipation",
    "friction_dissipation",
    "contact_work",
    "numerical_dissipation",
    "energy_residual",
];
const AFTER: [&str; 9] = [
    "active_contacts",
    "solver_iterations",
    "law_error",
    "max_penetration",
    "true_penetration",
    "surface_penetration",
    "step_size",
    "newton_iterations",
    "audit_error",
];

/// Columns of cases with bodies of small strains: the largest rotation of a body as a whole, and of a cell \[rad\], and the largest strain of a cell.
const ROTATIONS: [&str; 3] = ["body_rotation", "cell_rotation", "cell_strain"];

/// Column of cases in which the ratio of inertia to internal forces is measured.
const INERTIA: &str = "inertia_ratio";

/// Columns of cases whose contact laws have a history: energy stored and energy lost in bonds.
const BONDS: [&str; 2] = ["bond_energy", "damage_dissipation"];

/// Column of cases with materials that yield: their plastic work \[J\].
const PLASTIC: &str = "plastic_dissipation";

/// Column of cases with bonds, or with bodies whose geometry moves: the line of the ledger that is neither work nor loss.
const REMAINDER: &str = "energy_remainder";

/// Column of cases with joints: what they take beyond their drives, springs and friction \[J\].
const JOINT_WORK: &str = "joint_work";

/// Columns of cases with bodies that turn: what the scheme takes from their spin, and the largest angle by which the frame of a body is turned \[rad\].
const SPIN: [&str; 2] = ["spin_dissipation", "frame_rotation"];

/// Column of cases with springs in joints: the energy they store.
const SPRINGS: &str = "spring_energy";

/// Column of cases with rolling or spinning resistance: the energy it dissipates.
const RESISTANCE: &str = "resistance_dissipation";

/// Column of cases with rigid bodies: the part of the kinetic energy that is in their rotations \[J\].
const ROTATION_ENERGY: &str = "rotation_energy";

/// Columns of every contact pair after the components of its force, behind its name and a dot.
const PAIR: [&str; 3] = ["area", "stick_area", "max_pressure"];

/// Column of pairs whose law has a history, after those.
const BONDED: &str = "bonded_area";

/// Axes of the moment of a pair: in the plane there is one.
fn moment_axes(dimension: usize) -> &'static [&'static str] {
    if dimension == 3 { &AXES } else { &AXES[2..] }
}

/// The columns of a model's history.
pub struct Columns {
    /// Dimension of space.
    pub dimension: usize,
    /// Has some body small strains, for which rotations must be small?
    pub tells_rotation: bool,
    /// Whether the ratio of inertia to internal forces is measured: for bodies with internal variables, and
    /// with explicit schemes.
    pub tells_inertia: bool,
    /// Does some material yield?
    pub tells_plastic: bool,
    /// Does the geometry of some body with internal variables move?
    pub tells_dilation: bool,
    /// Has some body a frame that turns with it?
    pub tells_spin: bool,
    /// Is some body rigid?
    pub tells_rotation_energy: bool,
    /// The contact pairs.
    pub pairs: Vec<PairColumns>,
    /// The joints.
    pub joints: Vec<JointColumns>,
    /// Names and kinds of the probes.
    pub probes: Vec<(String, ProbeKind)>,
}

/// What the columns of a contact pair depend on.
pub struct PairColumns {
    /// Name of the pair.
    pub name: String,
    /// Does its law have a history: may there be bonds?
    pub remembers: bool,
    /// Does it resist rolling and spinning?
    pub resists: bool,
}

/// What the columns of a joint depend on.
pub struct JointColumns {
    /// Name of the joint.
    pub name: String,
    /// Has it a coordinate?
    pub has_coordinate: bool,
    /// Has it a spring?
    pub has_spring: bool,
}

/// What a row is made of.
pub struct Row<'a, const D: usize> {
    /// Number of the step, 0 for the initial state.
    pub step: usize,
    /// State at its end.
    pub snapshot: &'a Snapshot,
    /// Energies so far.
    pub ledger: &'a Ledger,
    /// The step; none for the initial state.
    pub outcome: Option<&'a Outcome<D>>,
    /// Penetrations of all surfaces after it; none for the initial state.
    pub seen: Option<&'a SurfaceView<D>>,
}

impl Columns {
    /// Columns of a model.
    #[must_use]
    pub fn of<const D: usize>(model: &Model<D>) -> Self {
        let tells = |b: &ModelBody<D>| {
            model.integrator.tells_inertia(b.body.inelastic().is_some_and(|body| !body.is_elastic()))
        };
        let moves = |b: &ModelBody<D>| kinematics(b).is_some_and(Kinematics::dilates);
        let pair = |p: &ModelPair<D>| PairColumns {
            name: p.name.clone(),
            remembers: !p.law.history_entries().is_empty(),
            resists: p.resistance.is_some(),
        };
        let joint = |j: &Joint<D>| JointColumns {
            name: j.name.clone(),
            has_coordinate: j.has_coordinate(),
            has_spring: j.spring.is_some(),
        };
        Self {
            dimension: D,
            tells_rotation: model.bodies.iter().any(is_small_strain),
            tells_inertia: model.bodies.iter().any(tells),
            tells_plastic: model.bodies.iter().any(yields),
            tells_dilation: model.bodies.iter().any(moves),
            tells_spin: model.bodies.iter().any(|b| b.body.turning().is_some()),
            tells_rotation_energy: model.bodies.iter().any(|b| b.body.rigid().is_some()),
            pairs: model.pairs.iter().map(pair).collect(),
            joints: model.joints.iter().filter(|j| !j.follows).map(joint).collect(),
            probes: model.probes.iter().map(|(name, probe)| (name.clone(), probe.kind())).collect(),
        }
    }

    fn axes(&self) -> &'static [&'static str] {
        &AXES[..self.dimension.clamp(2, 3)]
    }

    /// Does some contact law have a history: may there be bonds?
    fn tells_bonds(&self) -> bool {
        self.pairs.iter().any(|p| p.remembers)
    }

    /// May the ledger have a remainder?
    fn tells_remainder(&self) -> bool {
        self.tells_dilation || self.tells_bonds()
    }

    /// Has some joint a spring?
    fn tells_springs(&self) -> bool {
        self.joints.iter().any(|j| j.has_spring)
    }

    /// Does some pair resist rolling and spinning?
    fn tells_resistance(&self) -> bool {
        self.pairs.iter().any(|p| p.resists)
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let each = |prefix: &str| self.axes().iter().map(|a| format!("{prefix}{a}")).collect::<Vec<_>>();
        let mut out: Vec<String> = BEFORE.iter().map(|s| (*s).to_owned()).collect();
        out.extend(each("momentum_"));
        out.extend(AFTER.iter().map(|s| (*s).to_owned()));
        out.extend(ROTATIONS.iter().filter(|_| self.tells_rotation).map(|s| (*s).to_owned()));
        out.extend(self.tells_inertia.then(|| INERTIA.to_owned()));
        out.extend(self.tells_plastic.then(|| PLASTIC.to_owned()));
        out.extend(BONDS.iter().filter(|_| self.tells_bonds()).map(|s| (*s).to_owned()));
        out.extend(self.tells_remainder().then(|| REMAINDER.to_owned()));
        out.extend((!self.joints.is_empty()).then(|| JOINT_WORK.to_owned()));
        out.extend(SPIN.iter().filter(|_| self.tells_spin).map(|s| (*s).to_owned()));
        out.extend(self.tells_springs().then(|| SPRINGS.to_owned()));
        out.extend(self.tells_rotation_energy.then(|| ROTATION_ENERGY.to_owned()));
        out.extend(self.tells_resistance().then(|| RESISTANCE.to_owned()));
        for PairColumns { name: p, remembers, .. } in &self.pairs {
            out.extend(each(&format!("{p}.force_")));
            out.extend(PAIR.map(|f| format!("{p}.{f}")));
            out.extend(remembers.then(|| format!("{p}.{BONDED}")));
            out.extend(moment_axes(self.dimension).iter().map(|a| format!("{p}.moment_{a}")));
            out.extend(each(&format!("{p}.centre_")));
        }
        for JointColumns { name, has_coordinate, .. } in &self.joints {
            out.extend(each(&format!("{name}.force_")));
            out.extend(moment_axes(self.dimension).iter().map(|a| format!("{name}.moment_{a}")));
            out.extend(has_coordinate.then(|| format!("{name}.coordinate")));
        }
        for (name, kind) in &self.probes {
            out.extend(kind.columns(self.axes()).iter().map(|c| format!("{name}.{c}")));
        }
        out
    }

    /// The values of a row.
    #[must_use]
    pub fn row<const D: usize>(&self, model: &Model<D>, row: &Row<'_, D>) -> Vec<f64>
    where
        Dimension<D>: Space<D>,
    {
        let Row { step, snapshot, ledger, outcome, seen } = row;
        let h = outcome.map_or(0.0, |o| o.h);
        let momentum = momentum(model, snapshot);
        let touches = outcome.map_or(&[][..], |o| &o.touches);
        let depth = |gap: fn(&Touch<D>) -> f64| touches.iter().map(|t| -gap(t)).fold(0.0, f64::max);
        let mut out = vec![
            *step as f64,
            snapshot.time(),
            ledger.kinetic,
            ledger.elastic,
            ledger.external,
            ledger.viscous,
            ledger.friction,
            ledger.contact,
            ledger.numerical,
            ledger.relative_residual(),
        ];
        out.extend(momentum);
        out.extend([
            touches.iter().filter(|t| t.impulse.amax() > 0.0).count() as f64,
            outcome.map_or(0.0, |o| o.iterations() as f64),
            outcome.map_or(0.0, |o| o.certificate.law_error),
            depth(|t| t.gap),
            depth(|t| t.true_gap),
            seen.and_then(|s| s.penetrations.worst()).map_or(0.0, |p| p.depth),
            h,
            outcome.map_or(0.0, |o| o.balancing.iterations as f64),
            outcome.and_then(|o| o.audit.worst()).map_or(0.0, AuditError::ratio),
        ]);
        if self.tells_rotation {
            out.extend(outcome.map_or_else(|| largest(&model.rotations(&snapshot.states)), |o| largest(&o.rotations)));
        }
        out.extend(self.tells_inertia.then(|| outcome.map_or(0.0, |o| o.inertia_ratio())));
        out.extend(self.tells_plastic.then_some(ledger.plastic));
        out.extend([ledger.bonds, ledger.damage].into_iter().filter(|_| self.tells_bonds()));
        out.extend(self.tells_remainder().then_some(ledger.remainder));
        out.extend((!self.joints.is_empty()).then_some(ledger.joints));
        if self.tells_spin {
            out.extend([ledger.spin, frame_rotation(model, snapshot)]);
        }
        out.extend(self.tells_springs().then_some(ledger.springs));
        out.extend(self.tells_rotation_energy.then(|| rotation_energy(model, snapshot)));
        out.extend(self.tells_resistance().then_some(ledger.turning));
        for (pair, PairColumns { remembers, .. }) in self.pairs.iter().enumerate() {
            let known = &model.pairs[pair];
            out.extend(pair_force(known, touches, pair, h));
            out.extend(pair_extent(known, touches, pair, h));
            out.extend(remembers.then(|| bonded_area(known, snapshot, touches, pair)));
            let Resultant { moment, centre } = resultant(known, touches, pair, h);
            out.extend(if D == 3 { &moment[..] } else { &moment[2..] });
            out.extend(centre);
        }
        out.extend(joint_values(model, snapshot, outcome.map_or(&[][..], |o| &o.joints)));
        for (_, probe) in &model.probes {
            out.extend(followed(model, snapshot, probe));
        }
        out
    }
}

impl ProbeKind {
    /// Its columns in `history.csv`, behind the name and a dot.
    #[must_use]
    pub fn columns(self, axes: &[&str]) -> Vec<String> {
        let motion = || ["u", "v"].iter().flat_map(|f| axes.iter().map(move |a| format!("{f}{a}"))).collect::<Vec<_>>();
        match self {
            Self::Motion => motion(),
            Self::Between => motion().into_iter().chain(["u", "v"].map(str::to_owned)).collect(),
            Self::Turn if axes.len() == 3 => {
                ["r", "w", "l"].iter().flat_map(|f| axes.iter().map(move |a| format!("{f}{a}"))).collect()
            }
            Self::Turn => ["angle", "w", "l"].map(str::to_owned).to_vec(),
            Self::Stress => {
                let all = ["sxx", "syy", "szz", "sxy", "syz", "sxz"];
                let own = &all[..if axes.len() == 3 { 6 } else { 4 }];
                own.iter().chain(&["differential"]).map(|s| (*s).to_owned()).collect()
            }
        }
    }
}

/// How the strains of a body of finite elements are measured.
fn kinematics<const D: usize>(body: &ModelBody<D>) -> Option<Kinematics> {
    body.body.finite_elements().map(Body::kinematics)
}

/// Is it a body of small strains, for which rotations must be small, in its frame if it has one?
fn is_small_strain<const D: usize>(body: &ModelBody<D>) -> bool {
    kinematics(body).is_some_and(|k| !k.moves_geometry())
}

/// Does some material of a body yield?
fn yields<const D: usize>(body: &ModelBody<D>) -> bool {
    let regions = body.body.finite_elements().map_or(&[][..], Body::regions);
    regions.iter().any(|r| r.material.plastic(&vec![0.0; r.material.n_internal()]).is_some())
}

/// The largest angle by which the frame of a body is turned \[rad\].
fn frame_rotation<const D: usize>(model: &Model<D>, snapshot: &Snapshot) -> f64 {
    let bodies = model.bodies.iter().zip(&snapshot.states);
    let angle = |(b, s): (&ModelBody<D>, &State)| b.body.finite_elements().and_then(|body| body.frame_angle(s));
    bodies.filter_map(angle).fold(0.0, worse)
}

/// The values of a probe.
fn followed<const D: usize>(model: &Model<D>, snapshot: &Snapshot, probe: &Probe) -> Vec<f64> {
    let at = |x: &[f64], node: usize| -> [f64; D] { std::array::from_fn(|i| x[D * node + i]) };
    let motion = |body: usize| {
        let (b, s) = (&model.bodies[body].body, &snapshot.states[body]);
        [b.displacements(&s.q), b.site_velocities(&s.q, &s.v)]
    };
    match probe {
        Probe::Motion { body, weights } => {
            let mean = |x: &[f64], i: usize| weights.iter().map(|(n, w)| w * x[D * n + i]).sum::<f64>();
            motion(*body).iter().flat_map(|x| (0..D).map(move |i| mean(x, i))).collect()
        }
        Probe::Between { node, reference } => {
            let ([q_a, v_a], [q_b, v_b]) = (motion(node.0), motion(reference.0));
            let difference = |x: &[f64], y: &[f64]| -> Vec<f64> {
                at(x, node.1).iter().zip(at(y, reference.1)).map(|(x, y)| x - y).collect()
            };
            let (u, v) = (difference(&q_a, &q_b), difference(&v_a, &v_b));
            let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
            let lengths = [length(&u), length(&v)];
            u.into_iter().chain(v).chain(lengths).collect()
        }
        Probe::Turn { body } => {
            let (known, state) = (&model.bodies[*body].body, &snapshot.states[*body]);
            let Some(rigid) = known.rigid() else { return vec![0.0; if D == 3 { 9 } else { 3 }] };
            let [r, w, l] = [rigid.turn(&state.q), rigid.spin(&state.q, &state.v), rigid.angular_momentum(state)];
            if D == 3 { [r, w, l].iter().flat_map(|x| x.iter().copied()).collect() } else { vec![r[2], w[2], l[2]] }
        }
        Probe::Stress { body, weights } => {
            let fields = model.bodies[*body].body.cell_fields(&snapshot.states[*body]);
            let row = |cell: usize| fields.cells.binary_search(&cell).ok().map(|k| &fields.stress[k]);
            let mean = |i: usize| weights.iter().filter_map(|(c, w)| row(*c).map(|s| w * s[i])).sum::<f64>();
            (0..if D == 3 { 6 } else { 4 }).map(mean).chain([mean(0) - mean(1)]).collect()
        }
    }
}

/// The largest rotation of a body as a whole and of a cell \[rad\], and the largest strain of a cell, over all bodies.
fn largest(rotations: &[Option<BodyRotation>]) -> [f64; 3] {
    let told = rotations.iter().flatten();
    told.fold([0.0; 3], |[mean, cell, strain], r| {
        [worse(mean, r.mean), worse(cell, r.largest), worse(strain, r.strain)]
    })
}

/// Force and moment on the first side of every joint, and its coordinate. Joints of nodes that follow one body are told together: the sum of their forces, and its moment
/// about their middle.
fn joint_values<const D: usize>(model: &Model<D>, snapshot: &Snapshot, ends: &[JointEnd<D>]) -> Vec<f64> {
    let q: Vec<Vec<f64>> = snapshot.states.iter().map(|s| s.q.clone()).collect();
    let in_space = |x: &[f64]| Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0));
    let mut out = Vec::new();
    let numbered: Vec<(usize, &Joint<D>)> = model.joints.iter().enumerate().collect();
    for together in numbered.chunk_by(|_, next| next.1.follows) {
        let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
        let points: Vec<Vector3<f64>> =
            together.iter().map(|(_, j)| in_space(j.place(model, &q).points[0].as_slice())).collect();
        let middle = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
        for ((k, _), x) in together.iter().zip(&points) {
            let Some(end) = ends.get(*k) else { continue };
            let f = in_space(end.force.as_slice());
            force += f;
            moment += end.moment + (x - middle).cross(&f);
        }
        out.extend(force.iter().take(D));
        out.extend(if D == 3 { moment.as_slice() } else { &moment.as_slice()[2..] });
        let (first, joint) = together[0];
        out.extend(joint.has_coordinate().then(|| snapshot.joints[first]));
    }
    out
}

/// Total momentum \[N·s\].
fn momentum<const D: usize>(model: &Model<D>, snapshot: &Snapshot) -> [f64; D] {
    let mut total = [0.0; D];
    model.bodies.iter().zip(&snapshot.states).for_each(|(b, s)| b.body.add_momentum(&s.v, &mut total));
    total
}

/// Force of a pair on its candidate side over the step \[N\].
fn pair_force<const D: usize>(known: &ModelPair<D>, touches: &[Touch<D>], pair: usize, h: f64) -> [f64; D] {
    let mut total = [0.0; D];
    for t in touches.iter().filter(|t| t.contact.key.pair as usize == pair && t.impulse.amax() > 0.0) {
        // In an exchanged pass the candidates are the other side.
        let sign = if known.pass(t.contact.key.pass).is_some_and(|p| p.exchanged) { -1.0 } else { 1.0 };
        let world = t.contact.frame * t.impulse;
        for (sum, x) in total.iter_mut().zip(world.iter()) {
            *sum += sign * x / h;
        }
    }
    total
}

/// Where the force of a pair acts.
struct Resultant<const D: usize> {
    /// Moment of the forces on the candidate side about the origin \[N·m\].
    moment: [f64; 3],
    /// Centre of the normal forces that push \[m\]; not a number where none does.
    centre: [f64; D],
}

fn resultant<const D: usize>(known: &ModelPair<D>, touches: &[Touch<D>], pair: usize, h: f64) -> Resultant<D> {
    let (mut moment, mut centre, mut push) = (Vector3::zeros(), [0.0; D], 0.0);
    let in_space = |x: &[f64]| Vector3::from_fn(|i, _| x.get(i).copied().unwrap_or(0.0));
    for t in touches.iter().filter(|t| t.contact.key.pair as usize == pair && t.impulse.amax() > 0.0) {
        let sign = if known.pass(t.contact.key.pass).is_some_and(|p| p.exchanged) { -1.0 } else { 1.0 };
        let force = t.contact.frame * t.impulse * (sign / h);
        moment += in_space(t.contact.point.as_slice()).cross(&in_space(force.as_slice()));
        // The moment that the contact transmits besides its force.
        let turn = if D == 2 {
            Vector3::new(0.0, 0.0, t.moment[1])
        } else {
            in_space((t.contact.frame * t.moment).as_slice())
        };
        moment += turn * (sign / h);
        let p = t.impulse[0].max(0.0);
        push += p;
        centre.iter_mut().zip(t.contact.point.iter()).for_each(|(sum, x)| *sum += p * x);
    }
    Resultant { moment: moment.into(), centre: centre.map(|x| if push > 0.0 { x / push } else { f64::NAN }) }
}

/// Kinetic energy of the rotations of all rigid bodies \[J\].
fn rotation_energy<const D: usize>(model: &Model<D>, snapshot: &Snapshot) -> f64 {
    let all = model.bodies.iter().zip(&snapshot.states);
    all.filter_map(|(b, s)| Some(b.body.rigid()?.rotation_energy(&s.v))).sum()
}

/// Area in contact, area that sticks \[m²\] and largest pressure \[Pa\] of a pair.
fn pair_extent<const D: usize>(known: &ModelPair<D>, touches: &[Touch<D>], pair: usize, h: f64) -> [f64; 3] {
    if !known.is_one_sided() {
        // Two passes share the pressure in ways that mean nothing.
        return [f64::NAN; 3];
    }
    // Touches are sorted by their keys, of which the pair is the first part.
    let begin = touches.partition_point(|t| (t.contact.key.pair as usize) < pair);
    let n = touches[begin..].partition_point(|t| t.contact.key.pair as usize == pair);
    let ContactExtent { area, stick, pressure } = extent(known, &touches[begin..begin + n], h);
    [area, stick, pressure]
}

/// Area of a pair that is still bonded \[m²\]: damage counts as area lost.
fn bonded_area<const D: usize>(known: &ModelPair<D>, snapshot: &Snapshot, touches: &[Touch<D>], pair: usize) -> f64 {
    let law = &*known.law;
    let damage = place_of::<D>(law.history_entries(), "damage");
    let bonded = |z: &[f64]| match damage {
        _ if !law.reaches(z) => 0.0,
        Some(k) => 1.0 - z[k],
        None => 1.0,
    };
    if touches.is_empty() && known.shapes.is_some() {
        // Areas of shapes are found with their contacts, in a step.
        let mut histories = snapshot.histories.iter().filter(|(key, _)| key.pair as usize == pair);
        return if histories.any(|(_, history)| law.reaches(&history.z)) { f64::NAN } else { 0.0 };
    }
    if touches.is_empty() {
        let histories = snapshot.histories.iter().filter(|(key, _)| key.pair as usize == pair);
        return histories
            .map(|(key, history)| {
                let areas = known.pass(key.pass).map_or(&[][..], |p| p.candidates.areas());
                bonded(&history.z) * areas.get(key.candidate as usize).copied().unwrap_or(0.0)
            })
            .sum();
    }
    touches.iter().filter(|t| t.contact.key.pair as usize == pair).map(|t| bonded(&t.history.z) * t.contact.area).sum()
}

/// Where an entry of a history begins.
#[must_use]
pub fn place_of<const D: usize>(memory: &[HistoryEntry], name: &str) -> Option<usize> {
    let k = memory.iter().position(|s| s.name == name)?;
    Some(memory[..k].iter().map(HistoryEntry::len::<D>).sum())
}
