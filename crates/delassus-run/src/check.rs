//! `delassus check`: all checks of a case, sizes and advice, without a time step.

use std::fmt::Write;
use std::sync::Arc;

use delassus_case::load::Loaded;
use delassus_case::lower::{Generate, LinePlaces, Lowered, PlacedLine};
use delassus_contact::CandidateSet;
use delassus_dynamics::{State, System, ties};
use delassus_error::Interrupt;
use delassus_error::digits::{place as shown_place, short};
use delassus_fem::Body;
use delassus_sim::engine::Engine;
use delassus_sim::memory::Memory;
use delassus_sim::model::{Model, ModelBody};
use delassus_sim::space::{Dimension, Space};
use delassus_sim::start::{Overlap, Start};
use delassus_verify::Curve;

use crate::advice::{Advice, AdviceView, advise, round_to};
use crate::advice_contact::contact_advice;
use crate::error::RunError;
use crate::execution::{find_start, steps_between_frames};
use crate::threads::on_threads;

/// Checks a case and describes it; errors are the same as those of a run.
pub fn check_case(loaded: &Loaded) -> Result<String, RunError> {
    check_case_unless(&Interrupt::never(), loaded)
}

/// The same, ended by an interrupt.
pub fn check_case_unless(interrupt: &Interrupt, loaded: &Loaded) -> Result<String, RunError> {
    let (text, note) = on_threads(|| match loaded.case.dimension {
        2 => check_in::<2>(loaded, interrupt),
        3 => check_in::<3>(loaded, interrupt),
        other => Err(loaded.unsupported_dimension(other).into()),
    })?;
    Ok(match note {
        Some(note) => format!("{text}\n  {note}"),
        None => text,
    })
}

fn check_in<const D: usize>(loaded: &Loaded, interrupt: &Interrupt) -> Result<String, RunError>
where
    Dimension<D>: Generate<D>,
{
    let lowered = loaded.lowered::<D>()?;
    let model = &lowered.model;
    let mut engine = Engine::new(model)?.heeding(interrupt);
    let n_frames = 1 + model.n_steps.div_ceil(steps_between_frames(loaded, model.n_steps));
    let memory = Memory::of(&mut engine, n_frames)?;
    memory.admit()?;
    let work: f64 = engine.analyses()?.iter().map(|a| a.n_operations()).sum();
    let start = find_start(loaded, &mut engine)?;
    if work <= QUICK {
        engine.prepare()?;
    }
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = describe(&mut out, loaded, &lowered, &start, &memory, &mut engine);
    let m = loaded.case.units.symbol(" m");
    let texts = advice_for(loaded, &start, &mut engine).into_iter().map(|Advice { text, .. }| text);
    for text in texts.chain(contact_advice(&mut engine, &start, m)) {
        let _ = writeln!(out, "  advice: {text}");
    }
    if let Some([needed, allowed]) = memory.beyond() {
        let _ = writeln!(
            out,
            "  advice: with all candidates in contact at once the run would need {needed} of memory, but only \
             {allowed} is available: it would stop with E0920. W grows with the square of the contacts of a body; \
             smaller groups or coarser surfaces need less"
        );
    }
    out.push_str("  no problem found");
    if work > QUICK {
        let _ = write!(out, " (the bodies were not factored, which takes {:.0} billion multiplications)", work / 1e9);
    }
    Ok(out)
}

/// Multiplications up to which `check` factors the bodies as a run would, a second or two. Beyond that, their
/// memory is predicted from the symbolic analysis only.
const QUICK: f64 = 2e10;

/// How far points reach along the axes.
fn extents<const D: usize>(points: &[[f64; D]]) -> String {
    let along = |i: usize| {
        let range = |(low, high): (f64, f64), p: &[f64; D]| (low.min(p[i]), high.max(p[i]));
        let (low, high) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), range);
        short(round_to(high - low, 3))
    };
    (0..D).map(along).collect::<Vec<_>>().join(" × ")
}

fn describe<const D: usize>(
    out: &mut String,
    loaded: &Loaded,
    lowered: &Lowered<D>,
    start: &Start,
    memory: &Memory,
    engine: &mut Engine<D>,
) -> Result<(), std::fmt::Error>
where
    Dimension<D>: Space<D>,
{
    let (model, units) = (&*Arc::clone(&engine.model), loaded.case.units);
    let [m, kg, s, speed] = [" m", " kg", " s", " m/s"].map(|symbol| units.symbol(symbol));
    writeln!(out, "{}", loaded.case.title)?;
    let crossing = model.crossing_time();
    for copies in model.bodies.chunk_by(|a, b| a.entry == b.entry) {
        let b = &copies[0];
        let mesh = b.body.mesh();
        writeln!(
            out,
            "  {}: {} nodes, {} cells, {} dofs ({} prescribed), mass {:.4e}{kg}, size {}{m}",
            named(copies),
            mesh.n_points(),
            mesh.bulk_cells().count(),
            b.body.n_dof(),
            b.body.prescribed().len(),
            b.body.total_mass(),
            extents(&mesh.points)
        )?;
        let Some(c) = b.body.finite_elements().map(Body::characteristics) else { continue };
        writeln!(
            out,
            "      shortest edge {:.4e}{m}, fastest wave {:.4e}{speed}, crossing time {:.3e}{s}; {} dofs can be in contact",
            c.min_edge,
            c.max_wave_speed,
            c.crossing_time,
            b.contact_dofs.len()
        )?;
    }
    balance_at_start(out, loaded, start, model)?;
    for p in &model.pairs {
        for direction in &p.directions {
            let sides: Vec<usize> = direction.candidates().iter().map(CandidateSet::body).collect();
            let n_points: usize = direction.candidates().iter().map(CandidateSet::n_points).sum();
            let surfaces: Vec<usize> = direction.surfaces().map(|s| s.body()).collect();
            let n_facets: usize = direction.surfaces().map(|s| s.facets().len()).sum();
            let against = match surfaces.is_empty() {
                true => "an obstacle".to_owned(),
                false => format!("{n_facets} facets of {}", counted(model, &surfaces)),
            };
            let of = counted(model, &sides);
            writeln!(out, "  contact `{}`: {n_points} candidates of {of} against {against}", p.name)?;
        }
    }
    if let Some(equilibrium) = &start.equilibrium {
        writeln!(out, "  {equilibrium}")?;
    }
    initial_gaps(out, loaded, start, engine)?;
    describe_references(out, lowered, s)?;
    writeln!(out, "  {} dofs in total", model.n_dof())?;
    writeln!(out, "{memory}")?;
    if !crossing.is_finite() {
        return writeln!(out, "  {} steps of h = {:.4e}{s}; no body has waves", model.n_steps, model.h);
    }
    writeln!(
        out,
        "  {} steps of h = {:.4e}{s}; a wave crosses the smallest cell in {crossing:.3e}{s} (h is {} times that)",
        model.n_steps,
        model.h,
        short(round_to(model.h / crossing, 3))
    )?;
    writeln!(out, "  suggested step for impacts: about {:.2e}{s}", 0.9 * crossing)
}

/// The copies of a body, or a body that stands alone.
fn named<const D: usize>(copies: &[ModelBody<D>]) -> String {
    match copies {
        [first, .., last] => format!("bodies `{}` to `{}`, each of them", first.name, last.name),
        _ => format!("body `{}`", copies.first().map_or("", |b| &b.name)),
    }
}

/// One body by its name, several by their number.
fn counted<const D: usize>(model: &Model<D>, bodies: &[usize]) -> String {
    let name = |body: &usize| &model.bodies[*body].name;
    match bodies {
        [first, .., last] => format!("{} bodies, `{}` to `{}`", bodies.len(), name(first), name(last)),
        _ => format!("`{}`", bodies.first().map_or(&String::new(), name)),
    }
}

/// What the case could do better.
fn advice_for<const D: usize>(loaded: &Loaded, start: &Start, engine: &mut Engine<D>) -> Vec<Advice>
where
    Dimension<D>: Space<D>,
{
    let q: Vec<Vec<f64>> = start.snapshot.states.iter().map(|s| s.q.clone()).collect();
    let model = &*Arc::clone(&engine.model);
    let contacts = engine.detect_between(&q, 0.0, model.h).map_or(Vec::new(), |d| d.contacts);
    advise(&AdviceView { loaded, model, start: &start.snapshot, contacts: &contacts })
}

/// What columns and lines are compared with, and over which part of the run.
fn describe_references<const D: usize>(
    out: &mut String,
    lowered: &Lowered<D>,
    second: &str,
) -> Result<(), std::fmt::Error> {
    let end = lowered.model.h * lowered.model.n_steps as f64;
    for r in &lowered.references {
        let points = match &r.curve {
            Curve::Formula(expression) => expression.text().to_owned(),
            Curve::Points(points) => {
                let file = r.file.as_ref().map_or("", |f| f.name.as_str());
                format!("{} points of {file}", points.n_points())
            }
        };
        let [from, to] = r.window();
        let part = if from <= 0.0 && to >= (1.0 - 1e-9) * end {
            "the whole run".to_owned()
        } else {
            format!("t = {:.4e}{second} to {:.4e}{second} of {end:.4e}{second}", from.max(0.0), to.min(end))
        };
        writeln!(out, "  reference of `{}`: {points}, compared over {part}", r.spec.column)?;
    }
    for PlacedLine { line, places } in &lowered.lines {
        let count = match places {
            LinePlaces::Nodes { at, .. } => format!("{} places", at.len()),
            LinePlaces::Cells { at, .. } => format!("{} cells", at.len()),
            LinePlaces::Contact { .. } => "the candidates on it".to_owned(),
        };
        writeln!(out, "  line `{}`: {count}, compared at t = {:.4e}{second}", line.spec.name, line.time)?;
    }
    Ok(())
}

/// The imbalance of the initial stress, and the critical step of explicit schemes.
fn balance_at_start<const D: usize>(
    out: &mut String,
    loaded: &Loaded,
    start: &Start,
    model: &Model<D>,
) -> Result<(), std::fmt::Error> {
    let s = loaded.case.units.symbol(" s");
    let mut states = start.snapshot.states.iter();
    for bodies in model.bodies.chunk_by(|a, b| a.entry == b.entry) {
        let copies: Vec<(&ModelBody<D>, &State)> = bodies.iter().zip(states.by_ref()).collect();
        let critical = copies.iter().filter_map(|(b, x)| model.integrator.critical_step(&*b.body, x, model.h));
        if let Some(critical) = critical.reduce(f64::min) {
            let whose = named(bodies);
            writeln!(out, "  {whose}: critical step {critical:.3e}{s} with the masses given")?;
        }
        let stressed = copies.iter().filter(|(b, _)| b.body.finite_elements().is_some_and(Body::has_initial_stress));
        if let Some(part) = stressed.filter_map(|(b, x)| out_of_balance(b, x)).reduce(f64::max) {
            writeln!(
                out,
                "  {}: the initial stress leaves an imbalance of {part:.1e} of the largest nodal load (without \
                 supports and contacts)",
                named(bodies)
            )?;
        }
    }
    Ok(())
}

/// The largest nodal force that nothing balances, over the largest nodal load.
fn out_of_balance<const D: usize>(b: &ModelBody<D>, state: &State) -> Option<f64> {
    let system: &dyn System = &*b.body;
    let response = system.response_at(state)?;
    let mut load = vec![0.0; state.v.len()];
    system.loads_at_into(0.0, &state.q, &mut load);
    let largest = load.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    // Supports and contacts carry what they must: only the other nodes can be judged before the first step.
    let free =
        |dof: &usize| system.prescribed().binary_search(dof).is_err() && b.contact_dofs.binary_search(dof).is_err();
    load.iter_mut().zip(&response.force).for_each(|(p, f)| *p -= f);
    ties::gather(system.tied(), &mut load);
    let left = (0..load.len()).filter(free).map(|i| load[i].abs()).fold(0.0, f64::max);
    Some(if largest > 0.0 { left / largest } else { f64::INFINITY })
}

/// Distance between the bodies at the start.
fn initial_gaps<const D: usize>(
    out: &mut String,
    loaded: &Loaded,
    start: &Start,
    engine: &mut Engine<D>,
) -> Result<(), std::fmt::Error>
where
    Dimension<D>: Space<D>,
{
    let (model, m) = (&*Arc::clone(&engine.model), loaded.case.units.symbol(" m"));
    for Overlap { pair, candidates, depth, place } in &start.overlaps {
        writeln!(
            out,
            "  contact `{}`: {candidates} candidates overlap at the start, deepest initial penetration {depth:.3e}{m} at {}",
            model.pairs[*pair].name,
            shown_place(place)
        )?;
    }
    let q: Vec<Vec<f64>> = start.snapshot.states.iter().map(|s| s.q.clone()).collect();
    let Ok(detection) = engine.detect_between(&q, 0.0, model.h) else { return Ok(()) };
    for (i, pair) in model.pairs.iter().enumerate() {
        let mine = detection.contacts.iter().filter(|c| c.key.pair as usize == i);
        let Some(nearest) = mine.min_by(|a, b| a.gap.total_cmp(&b.gap)) else { continue };
        let place = shown_place(nearest.point.as_slice());
        match nearest.gap {
            gap if gap.abs() <= model.rounding() => writeln!(out, "  contact `{}`: touching at {place}", pair.name)?,
            gap if gap > 0.0 => {
                writeln!(out, "  contact `{}`: smallest initial gap {gap:.3e}{m} at {place}", pair.name)?
            }
            // As given; told above.
            _ => {}
        }
    }
    if !detection.too_deep.is_empty() {
        writeln!(out, "  warning: {} candidates start deep inside their antagonist", detection.too_deep.len())?;
    }
    Ok(())
}
