//! Energy: the residual of the ledger, losses that have created energy, and the numerical dissipation.
//!
//! A loss is a line of the ledger that can only increase. If it decreases from its largest value, energy was created. This is reported with the
//! name of the line and never offset against other losses, with one exception: normal impulses do their work on the test velocity of the scheme,
//! which may have the sign of the rebound. The numerical line compensates such work in the same step (for θ-Euler ½|Δv|²_M), so in normal
//! contact energy is created only if the sum of both lines is negative.

use delassus_case::spec::Case;
use delassus_dynamics::integrator::{IntegratorSpec, ModifiedTheta, Theta};
use delassus_fem::{Kinematics, MaterialSpec};
use delassus_solver::LawSpec;
use delassus_verify::history::History;

use super::{Evidence, Finding, Topic, Weight, percent, small, tolerance};

/// Relative residual of the energy ledger above which it does not close. It is round-off, some 1e-15 times the square root of the number of steps (with
/// Newton's iterations their tolerance); a wrong or missing term shows as 1e-3 and more.
pub const LEDGER_LIMIT: f64 = 1e-8;

/// A residual that is no rounding of any kind: a term of the ledger is wrong or missing.
const LEDGER_BROKEN: f64 = 1e-4;

/// A loss may fall by this part of the energy that was turned over.
pub const SIGN_LIMIT: f64 = 1e-9;

/// Energy created beyond this part of the energy that was turned over decides the result.
const CREATED: f64 = 1e-2;

/// Energy that joints may create, as part of the largest energy: for θ = ½ it is some (hω)²/12 of what moves with ω, and comes and goes. Above [`CREATED`] it decides.
const JOINTS: f64 = 1e-3;

/// Part of the energy from which on the remainder of the ledger is no detail: what is stored is then not known that well.
const REMAINDER_LIMIT: f64 = 0.1;

/// Part of the energy beyond which the remainder decides: half of the energy has no explanation.
const REMAINDER_BROKEN: f64 = 0.5;

/// Numerical dissipation is reported from this fraction of the energy on.
const TOLD: f64 = 1e-2;

/// Displacements over the size of the model, and strains, up to which nothing has moved: some ten roundings of coordinates, by which flush surfaces are pushed apart.
const STILL: f64 = 1e-14;

/// What a line of the ledger may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Work from outside, of either sign.
    Work,
    /// A loss, which should never fall.
    Loss,
    /// The loss in normal contact, minus the work of normal impulses on the scheme's test velocity. Together with the numerical line it should never be negative.
    Impact,
    /// Energy taken by what is neither work nor loss, of either sign.
    Remainder,
}

/// A line of the energy ledger.
#[derive(Clone, Copy, Debug)]
pub struct LineEntry {
    /// Its name.
    pub name: &'static str,
    /// Column of `history.csv`.
    pub column: &'static str,
    /// What it may do.
    pub kind: LineKind,
}

impl LineEntry {
    const fn new(name: &'static str, column: &'static str, kind: LineKind) -> Self {
        Self { name, column, kind }
    }

    /// Is it a loss?
    #[must_use]
    pub fn is_loss(&self) -> bool {
        matches!(self.kind, LineKind::Loss | LineKind::Impact)
    }

    /// Does it count as energy taken?
    #[must_use]
    pub fn is_taken(&self) -> bool {
        self.kind != LineKind::Work
    }

    /// The line from its column: the normal contact loss is minus the work of normal forces.
    fn value(&self, x: f64) -> f64 {
        // Added to zero so that minus zero does not show.
        (if self.kind == LineKind::Impact { -x } else { x }) + 0.0
    }
}

/// The lines of the ledger beside the energies themselves.
pub const LINES: [LineEntry; 11] = [
    LineEntry::new("external work", "external_work", LineKind::Work),
    LineEntry::new("viscous dissipation", "viscous_dissipation", LineKind::Loss),
    LineEntry::new("plastic dissipation", "plastic_dissipation", LineKind::Loss),
    LineEntry::new("friction dissipation", "friction_dissipation", LineKind::Loss),
    LineEntry::new("rolling and spinning resistance", "resistance_dissipation", LineKind::Loss),
    LineEntry::new("damage dissipation", "damage_dissipation", LineKind::Loss),
    LineEntry::new("normal contact loss", "contact_work", LineKind::Impact),
    LineEntry::new("numerical dissipation", "numerical_dissipation", LineKind::Loss),
    LineEntry::new("loss of spin", "spin_dissipation", LineKind::Loss),
    LineEntry::new("work of joints", "joint_work", LineKind::Remainder),
    LineEntry::new("remainder", "energy_remainder", LineKind::Remainder),
];

/// A line of the energy ledger over a run.
#[derive(Clone, Debug)]
pub struct LedgerLine {
    /// Which.
    pub entry: LineEntry,
    /// Its value at each row \[J\].
    pub values: Vec<f64>,
    /// Value at the end \[J\].
    pub end: f64,
    /// Smallest value on the way, at most 0 \[J\].
    pub lowest: f64,
    /// Largest value on the way, at least 0 \[J\].
    pub highest: f64,
    /// Energy it has created: how far it fell from the largest value it had; for the normal contact loss, how far it fell below zero together
    /// with the
    /// numerical line \[J\].
    pub created: f64,
    /// The row at which that was so.
    pub row: usize,
    /// Must it be a loss with this scheme?
    pub is_certain: bool,
    /// Not a loss, or nothing was created beyond rounding, or its sign is not certain.
    pub sign_is_right: bool,
}

impl LedgerLine {
    /// The row at which it was highest.
    fn highest_row(&self) -> usize {
        self.values.iter().position(|x| *x >= self.highest).unwrap_or(0)
    }
}

/// Must a loss grow in this case? Friction works on the scheme's test velocity, which is that of the law only for θ-Euler
/// and θ = 1; Newmark with β > γ/2 gives back algorithmic energy; the numerical line of the explicit scheme has both signs, and so has the difference between
/// the work of the scheme's forces and that on the path of materials with internal variables and of bonds.
fn sign_is_certain(case: &Case, column: &str) -> bool {
    let is_formula = |case: &Case| {
        case.materials.iter().all(|m| matches!(m.law, MaterialSpec::KelvinVoigt(_)))
            && case.contacts.iter().all(|c| !c.law.keeps_history())
    };
    let turns = case.bodies.iter().any(|b| matches!(case.kinematics_of(b), Kinematics::Corotational { .. }));
    match (&case.integrator, column) {
        (IntegratorSpec::Explicit(_), "numerical_dissipation") => false,
        // Forces at the ends of a step do not do the work of the step while a body turns.
        (IntegratorSpec::Newmark(_) | IntegratorSpec::QuasiStatic, "numerical_dissipation") if turns => false,
        (
            IntegratorSpec::Theta(Theta { theta }) | IntegratorSpec::ModifiedTheta(ModifiedTheta { theta }),
            "friction_dissipation" | "resistance_dissipation",
        ) => *theta >= 1.0,
        (
            IntegratorSpec::Newmark(_) | IntegratorSpec::EnergyMomentum(_),
            "friction_dissipation" | "resistance_dissipation",
        ) => false,
        (IntegratorSpec::Newmark(n), "numerical_dissipation") => 2.0 * n.beta <= n.gamma && is_formula(case),
        (_, "numerical_dissipation") => is_formula(case),
        _ => true,
    }
}

/// The part of the energy by which a loss may fall. What contact forces do is known to the tolerance of their laws only.
fn sign_limit(case: &Case, entry: &LineEntry) -> f64 {
    if is_of_contact(entry) { SIGN_LIMIT.max(tolerance(case)) } else { SIGN_LIMIT }
}

/// Is it the work of contact forces?
fn is_of_contact(entry: &LineEntry) -> bool {
    matches!(entry.column, "friction_dissipation" | "resistance_dissipation" | "contact_work")
}

/// The lines of the ledger that a run has, with the check of their signs. The work of contacts is known to `tolerance` \[J\].
#[must_use]
pub fn ledger_lines(case: &Case, history: &History, tolerance: f64) -> Vec<LedgerLine> {
    let of = |l: &LineEntry| -> Option<(LineEntry, Vec<f64>)> {
        Some((*l, history.column(l.column)?.into_iter().map(|x| l.value(x)).collect()))
    };
    let known: Vec<(LineEntry, Vec<f64>)> = LINES.iter().filter_map(of).collect();
    let size = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
    let all = known.iter().flat_map(|(_, values)| values).copied().chain(stored(history));
    let scale = all.map(size).fold(0.0, f64::max);
    let numerical = history.column("numerical_dissipation").unwrap_or_default();
    let line = |(entry, values): (LineEntry, Vec<f64>)| {
        let (mut top, mut created, mut row) = (0.0, 0.0, 0);
        for (k, x) in values.iter().enumerate() {
            let x = match entry.kind {
                LineKind::Impact => x + numerical.get(k).copied().unwrap_or(0.0).max(0.0),
                LineKind::Loss | LineKind::Work | LineKind::Remainder => *x,
            };
            if top - x > created {
                (created, row) = (top - x, k);
            }
            top = if entry.kind == LineKind::Impact { top } else { x.max(top) };
        }
        let is_certain = entry.is_loss() && sign_is_certain(case, entry.column);
        let known = if is_of_contact(&entry) { tolerance } else { 0.0 };
        LedgerLine {
            end: values.last().copied().unwrap_or(0.0),
            highest: values.iter().copied().fold(0.0, f64::max),
            lowest: values.iter().copied().fold(0.0, f64::min),
            created,
            row,
            is_certain,
            sign_is_right: !is_certain || created <= (sign_limit(case, &entry) * scale).max(known),
            entry,
            values,
        }
    };
    known.into_iter().map(line).collect()
}

/// Kinetic and elastic energy at each row, and that of bonds and of springs in joints.
fn stored(history: &History) -> Vec<f64> {
    let column = |name: &str| history.column(name).unwrap_or_default();
    let (kinetic, elastic, bonds) = (column("kinetic_energy"), column("elastic_energy"), column("bond_energy"));
    let springs = column("spring_energy");
    let further = |k: usize| [&elastic, &bonds, &springs].iter().filter_map(|c| c.get(k)).sum::<f64>();
    let sum = |k: usize| kinetic[k] + further(k);
    (0..kinetic.len()).map(sum).collect()
}

/// Energy at the start and all that was put in since \[J\].
fn put_in(e: &Evidence<'_>) -> f64 {
    let external = e.column("external_work");
    let came: f64 = external.windows(2).map(|w| (w[1] - w[0]).max(0.0)).filter(|x| x.is_finite()).sum();
    stored(e.history).first().copied().unwrap_or(0.0).max(0.0) + came
}

pub(super) fn weigh(e: &Evidence<'_>) -> Vec<Finding> {
    let mut out = Vec::new();
    let residual = e.verdict.energy_residual;
    if residual.is_nan() || residual > LEDGER_LIMIT {
        let weight = if residual.is_nan() || residual > LEDGER_BROKEN { Weight::Failed } else { Weight::Doubtful };
        let text = format!(
            "The energy ledger does not close: {residual:.1e}, above {LEDGER_LIMIT:.0e}{}.",
            e.worst_row("energy_residual")
        );
        out.push(Finding { weight, topic: Topic::Ledger, text });
    }
    let lines = ledger_lines(e.case, e.history, e.verdict.joint_rounding);
    let highest = lines.iter().map(|l| l.highest.max(l.created));
    let scale = highest.chain(stored(e.history)).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let is_still = is_still(e);
    let as_rounding = |f: Finding| if is_still { Finding { weight: Weight::Note, ..f } } else { f };
    out.extend(lines.iter().filter_map(|l| created(e, l, scale)).map(as_rounding));
    out.extend(taken(e, &lines));
    out.extend(joints(e, &lines, scale));
    out.extend(remainder(e, &lines));
    out.extend(spin(e, &lines));
    out
}

/// What joints did to the energy beyond their drives, springs and friction. Energy that they create counts from where the line was highest; what they take is a loss as that of the
/// scheme is, but of a motion that should keep it.
fn joints(e: &Evidence<'_>, lines: &[LedgerLine], scale: f64) -> Option<Finding> {
    let line = lines.iter().find(|l| l.entry.column == "joint_work")?;
    let beyond = |x: f64| if x > e.verdict.joint_rounding { x / scale } else { 0.0 };
    let (created, taken) = (beyond(line.created), beyond(line.highest));
    let (weight, verb, share, row) = match (created, taken) {
        (c, _) if c.is_nan() || c > CREATED => (Weight::Failed, "created", c, line.row),
        (c, t) if c > JOINTS && c >= t => (Weight::Doubtful, "created", c, line.row),
        (_, t) if t.is_nan() || t > TOLD => (Weight::Doubtful, "took", t, line.highest_row()),
        (c, _) if c > JOINTS => (Weight::Doubtful, "created", c, line.row),
        _ => return None,
    };
    let time = e.column("time").get(row).copied().unwrap_or(f64::NAN);
    let text = format!(
        "Joints {verb} {} of the largest energy ({}), beyond what their drives, springs and friction account for: use shorter steps{}.",
        share_in_words(share),
        e.when(row, time),
        if verb == "took" { ", or θ = 0.5" } else { "" }
    );
    Some(Finding { weight, topic: Topic::Joints, text })
}

/// What the ledger could assign to no work and no loss.
fn remainder(e: &Evidence<'_>, lines: &[LedgerLine]) -> Option<Finding> {
    let line = lines.iter().find(|l| l.entry.column == "energy_remainder")?;
    let share = line.highest.max(-line.lowest) / put_in(e);
    let is_told = share.is_finite() && share >= TOLD;
    let weight = match share {
        s if s > REMAINDER_BROKEN => Weight::Failed,
        s if s > REMAINDER_LIMIT => Weight::Doubtful,
        _ => Weight::Note,
    };
    let text = format!(
        "The remainder of the energy ledger reached {} of the energy: volumes changed with the energy they store, or the openings of bonds were \
         predicted badly, which shorter steps improve.",
        percent(share)
    );
    is_told.then_some(Finding { weight, topic: Topic::Ledger, text })
}

/// What the scheme took from the spin of bodies that turn.
fn spin(e: &Evidence<'_>, lines: &[LedgerLine]) -> Option<Finding> {
    let line = lines.iter().find(|l| l.entry.column == "spin_dissipation")?;
    let share = line.end / put_in(e);
    let is_told = share.is_nan() || share >= TOLD;
    let text = format!(
        "The scheme took {} of the energy from the spin of bodies that turn: use `integrator: EnergyMomentum(theta: 0.5)`, which leaves it, or shorter \
         steps.",
        percent(share)
    );
    (is_told && line.end > 0.0).then_some(Finding {
        weight: Weight::Doubtful,
        topic: Topic::NumericalDissipation,
        text,
    })
}

/// Was no energy put in, and did nothing move beyond rounding? Then all energies are rounding, however they compare.
fn is_still(e: &Evidence<'_>) -> bool {
    let strains = e.column("cell_strain");
    put_in(e) <= 0.0
        && e.verdict.displacement.value <= STILL
        && !strains.is_empty()
        && strains.iter().all(|strain| *strain <= STILL)
}

/// The numerical dissipation. With restitution it cannot be separated from the loss in impacts.
fn taken(e: &Evidence<'_>, lines: &[LedgerLine]) -> Option<Finding> {
    let end =
        |kind, column| lines.iter().find(|l| l.entry.kind == kind && l.entry.column == column).map_or(0.0, |l| l.end);
    let impact = end(LineKind::Impact, "contact_work");
    let numerical = end(LineKind::Loss, "numerical_dissipation");
    let bounces = e.case.contacts.iter().any(|c| matches!(c.law, LawSpec::Restitution(_)));
    let (what, took) = match (bounces, &e.case.integrator) {
        (true, _) => ("Impacts and the scheme together dissipated", impact + numerical),
        // Forces of the end of a step do work all along it: half of what a load does that grows from nothing in one step.
        (false, IntegratorSpec::QuasiStatic) => ("The load steps, of which more take less, took", numerical),
        (false, _) => ("Numerical dissipation is", numerical + impact.min(0.0)),
    };
    let share = took / put_in(e);
    let is_told = share.is_finite() && share >= TOLD;
    let text = format!("{what} {} of the energy.", percent(share));
    is_told.then_some(Finding { weight: Weight::Note, topic: Topic::NumericalDissipation, text })
}

/// What is said of a loss that fell below zero.
fn created(e: &Evidence<'_>, line: &LedgerLine, scale: f64) -> Option<Finding> {
    let share = line.created / scale;
    if !line.entry.is_loss() || share.is_nan() || share <= sign_limit(e.case, &line.entry) {
        return None;
    }
    // Of bodies at rest all energies are what the tolerance of the laws leaves, however they compare.
    if is_of_contact(&line.entry) && line.created <= e.verdict.joint_rounding {
        return None;
    }
    let weight = match (line.is_certain, share > CREATED) {
        (true, true) => Weight::Failed,
        (true, false) | (false, true) => Weight::Doubtful,
        (false, false) => Weight::Note,
    };
    let time = e.column("time").get(line.row).copied().unwrap_or(f64::NAN);
    let why = if line.is_certain { "" } else { "; this scheme allows it" };
    let text = format!(
        "Energy was created: the {} {} {} ({} of the largest energy; {}){why}.",
        line.entry.name,
        if line.entry.kind == LineKind::Impact { "plus the numerical dissipation is negative, by" } else { "fell by" },
        e.energy(line.created),
        share_in_words(share),
        e.when(line.row, time)
    );
    Some(Finding { weight, topic: Topic::EnergyCreated, text })
}

fn share_in_words(share: f64) -> String {
    if share >= 1e-5 { percent(share) } else { small(share) }
}
