//! Pictures of the deformed bodies at a few times, coloured by the von Mises stress, with contact forces as arrows.
//!
//! All pictures share the colours, the scale of the arrows, the magnification of the displacements and the scale of
//! lengths, so that they can be compared. What is left out of a picture is said in a note.

mod choose;
mod colour;
mod draw;
mod outline;
mod shot;
mod view;

use super::error::ReportError;
use super::folder::Results;
use crate::case::Units;
use choose::{Choice, Story, choose};
use shot::Shot;
use view::{Obstacles, View, magnification};

/// Most cells of which every edge is drawn.
const MOST_LINES: usize = 3000;
/// Most arrows in a picture.
const MOST_ARROWS: usize = 300;
/// Arrows below this part of the largest are dots; they are left out.
const SMALLEST_ARROW: f64 = 0.02;

/// One picture.
pub struct Picture {
    /// The SVG element.
    pub svg: String,
    /// Time and what happens then.
    pub caption: String,
}

/// All pictures of a run.
#[derive(Default)]
pub struct Gallery {
    /// In order of time.
    pub pictures: Vec<Picture>,
    /// Colour bar, reference arrow and the meaning of lines; empty without pictures.
    pub key: String,
    /// What to know when looking at them.
    pub notes: Vec<String>,
}

/// What all pictures have in common.
struct Common<'a> {
    view: View,
    obstacles: Obstacles<'a>,
    /// Displacements are drawn so many times larger.
    magnification: f64,
    /// Largest von Mises stress of all pictures \[Pa\].
    stress: f64,
    /// Largest contact force of all pictures \[N\].
    force: f64,
    lines: bool,
    units: Units,
}

/// Draws the frames of a run that are worth it.
pub fn gallery(results: &Results) -> Result<Gallery, ReportError> {
    let note = |text: &str| Gallery { notes: vec![text.to_owned()], ..Gallery::default() };
    let mut shots = Vec::new();
    for Choice { frame, reason } in chosen(results) {
        match Shot::read(results, frame, reason)? {
            Some(shot) => shots.push(shot),
            None => return Ok(note("Pictures are drawn of plane models only; see fields.pvd in ParaView.")),
        }
    }
    let Some(first) = shots.first() else {
        return Ok(note("The run left no frames, so there are no pictures."));
    };
    if first.points.is_empty() {
        return Ok(note("The frames hold no points, so there are no pictures."));
    }
    let obstacles = Obstacles(&results.case.obstacles);
    let (magnification, held_back) = magnification(&shots, &results.case.contacts);
    let common = Common {
        view: View::of(&shots, magnification, &obstacles),
        obstacles,
        magnification,
        stress: largest(shots.iter().flat_map(|s| s.von_mises.iter().copied())),
        force: largest(shots.iter().flat_map(|s| &s.arrows).map(|a| a.size())),
        lines: first.cells.len() <= MOST_LINES,
        units: results.case.units,
    };
    let mut gallery =
        Gallery { key: draw::key(&common), notes: notes(&common, &shots, held_back), ..Gallery::default() };
    for (k, shot) in shots.iter().enumerate() {
        let time = results.show(shot.time, "s");
        let reason = if shot.reason.is_empty() { String::new() } else { format!(" — {}", shot.reason) };
        let label = format!("Deformed bodies at {time}{reason}");
        let svg = draw::picture(&format!("fig-mesh-{}", k + 1), &label, shot, &common, &mut gallery.notes);
        gallery.pictures.push(Picture { svg, caption: format!("t = {time}{reason}") });
    }
    gallery.notes.dedup();
    Ok(gallery)
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.filter(|x| x.is_finite()).fold(0.0, f64::max)
}

fn chosen(results: &Results) -> Vec<Choice> {
    let time = results.column("time");
    let mut force = vec![0.0; time.len()];
    for pair in results.groups("force_x") {
        let (x, y) = (results.column(&format!("{pair}.force_x")), results.column(&format!("{pair}.force_y")));
        for (i, sum) in force.iter_mut().enumerate() {
            *sum += x.get(i).copied().unwrap_or(0.0).hypot(y.get(i).copied().unwrap_or(0.0));
        }
    }
    let frames: Vec<f64> = results.fields.iter().map(|(t, _)| *t).collect();
    let (active, elastic) = (results.column("active_contacts"), results.column("elastic_energy"));
    choose(&frames, &Story { time: &time, active: &active, force: &force, elastic: &elastic })
}

fn notes(common: &Common<'_>, shots: &[Shot], held_back: bool) -> Vec<String> {
    let mut out = Vec::new();
    if common.magnification > 1.0 {
        let mut text = format!("Displacements are drawn {}× larger than they are.", common.magnification);
        if !common.obstacles.0.is_empty() {
            text.push_str(" Obstacles are drawn where they are.");
        }
        if held_back {
            text.push_str(" The factor was chosen so that bodies that touch are drawn touching.");
        }
        out.push(text);
    } else {
        out.push("Displacements are drawn to scale (1×).".to_owned());
    }
    if common.view.follows {
        out.push("Bodies travel far: each picture is centred on them, all at one scale.".to_owned());
    }
    let cells = shots.first().map_or(0, |s| s.cells.len());
    if !common.lines {
        out.push(format!("The mesh has {cells} cells: its lines are left out (drawn up to {MOST_LINES})."));
    }
    let most = shots.iter().map(|s| s.arrows.len()).max().unwrap_or(0);
    if most > MOST_ARROWS {
        out.push(format!("Of up to {most} contact forces the largest {MOST_ARROWS} are drawn."));
    }
    let skipped = shots.first().map_or(0, |s| s.skipped);
    if skipped > 0 {
        out.push(format!("{skipped} cells are neither triangles nor quadrilaterals and are not drawn."));
    }
    out
}
