//! Pictures of the deformed bodies at a few times, coloured by the von Mises stress, with contact forces as arrows; where
//! bodies flow, the last frame again coloured by the invariants of stress and strain.
//!
//! All pictures share the colours, the scale of the arrows, the magnification of the displacements and the scale of
//! lengths, so that they can be compared. What is left out of a picture is said in a note.
//!
//! ```text
//! plane    frame → Shot<2> ────────────────────────────────────→ View → draw
//! space    frame → Shot<3> (outer faces: skin) → Camera → Shot<2> → View → painter → solid
//! ```

mod camera;
mod choose;
mod colour;
mod draw;
mod outline;
mod painter;
mod seen;
mod shot;
mod shown;
mod skin;
mod solid;
mod strokes;
#[cfg(test)]
mod testing;
mod veil;
mod view;

use std::fmt::Write;

use delassus_case::spec::Units;

use super::error::ReportError;
use super::folder::Results;
use camera::{Camera, Ring, upwards};
use choose::{Choice, Story, choose};
use shot::{Arrow, Shot, length};
use shown::{Shown, VON_MISES, besides};
use solid::{Surface, Take, Walls};
use veil::{StageSet, Veil};
use view::{Extent, Magnification, Obstacles, View};

/// Most cells, or faces seen in space, of which every edge is drawn.
const MOST_LINES: usize = 3000;
/// Most arrows in a picture.
const MOST_ARROWS: usize = 300;
/// An overlap of so many pixels is seen.
const SEEN: f64 = 1.0;
/// Arrows below this part of the largest are dots; they are left out.
const SMALLEST_ARROW: f64 = 0.02;

/// One picture.
pub struct Picture {
    /// The SVG element.
    pub svg: String,
    /// Time and what happens then.
    pub caption: String,
}

/// Pictures that share a key.
#[derive(Default)]
pub struct Gallery {
    /// In order of time.
    pub pictures: Vec<Picture>,
    /// What the colours show, in words.
    pub title: &'static str,
    /// Colour bar, reference arrow and the meaning of lines; empty without pictures.
    pub key: String,
    /// What to know when looking at them.
    pub notes: Vec<String>,
}

/// What all pictures have in common.
struct Common {
    view: View,
    has_obstacles: bool,
    /// Are there joints?
    has_joints: bool,
    /// Displacements are drawn so many times larger.
    magnification: f64,
    /// What the colours show.
    shown: &'static Shown,
    /// Its largest value in all pictures.
    largest: f64,
    /// Largest contact force of all pictures \[N\].
    force: f64,
    lines: bool,
    units: Units,
}

/// Draws the frames of a run that are worth it; then the last frame in other colours if that tells more.
pub fn galleries(results: &Results) -> Result<Vec<Gallery>, ReportError> {
    let draw = |shown, choices: &[Choice]| {
        if results.case.dimension == 3 { in_space(results, shown, choices) } else { in_plane(results, shown, choices) }
    };
    let choices = chosen(results);
    let last: Vec<Choice> =
        choices.last().map(|c| Choice { frame: c.frame, reason: "last frame".to_owned() }).into_iter().collect();
    let mut out = vec![draw(&VON_MISES, &choices)?];
    let written = |shown: &&Shown| results.case.output.has(shown.of);
    for shown in besides(&results.case).iter().filter(written) {
        out.push(draw(shown, &last)?);
    }
    Ok(out)
}

/// Up to `most` frames of a run at equal distances, the first and the last among them.
pub fn reel(results: &Results, most: usize) -> Result<Gallery, ReportError> {
    let n = results.fields.len();
    let count = most.clamp(1, n.max(1));
    let place = |k: usize| if count > 1 { k * n.saturating_sub(1) / (count - 1) } else { 0 };
    let choices: Vec<Choice> = (0..count.min(n)).map(|k| Choice { frame: place(k), reason: String::new() }).collect();
    if results.case.dimension == 3 {
        in_space(results, &VON_MISES, &choices)
    } else {
        in_plane(results, &VON_MISES, &choices)
    }
}

/// The frames to be drawn, and how large displacements are drawn.
struct Reel<const D: usize> {
    shown: &'static Shown,
    shots: Vec<Shot<D>>,
    magnification: Magnification,
    /// Most contact forces in a frame.
    most_arrows: usize,
}

impl<const D: usize> Reel<D> {
    /// Reads the frames; a gallery without pictures if there is nothing to draw.
    fn read(
        results: &Results,
        shown: &'static Shown,
        choices: &[Choice],
    ) -> Result<Result<Self, Gallery>, ReportError> {
        let note = |text: &str| Ok(Err(Gallery { notes: vec![text.to_owned()], ..Gallery::default() }));
        let mut shots = Vec::new();
        for Choice { frame, reason } in choices {
            shots.extend(Shot::read(results, shown, *frame, reason.clone())?);
        }
        let Some(first) = shots.first() else {
            return note("The run wrote no frames, so there are no pictures.");
        };
        if first.points.is_empty() {
            return note("The frames have no points, so there are no pictures.");
        }
        let magnification = Magnification::of(&shots, &results.case.contacts);
        let most_arrows = shots.iter().map(|s| s.arrows.len()).max().unwrap_or(0);
        shots.iter_mut().for_each(|s| s.carry_arrows(magnification.factor, MOST_ARROWS));
        Ok(Ok(Self { shown, shots, magnification, most_arrows }))
    }

    fn common(&self, results: &Results, view: View, lines: bool) -> Common {
        Common {
            view,
            has_obstacles: !results.case.obstacles.is_empty(),
            has_joints: !results.joints.is_empty(),
            magnification: self.magnification.factor,
            shown: self.shown,
            largest: largest(self.shots.iter().flat_map(|s| s.values.iter().copied())),
            force: largest(self.shots.iter().flat_map(|s| &s.arrows).map(Arrow::size)),
            lines,
            units: results.case.units,
        }
    }
}

fn in_plane(results: &Results, shown: &'static Shown, choices: &[Choice]) -> Result<Gallery, ReportError> {
    let reel: Reel<2> = match Reel::read(results, shown, choices)? {
        Ok(reel) => reel,
        Err(none) => return Ok(none),
    };
    let obstacles = Obstacles(&results.case.obstacles);
    let view = View::of(&reel.shots, reel.magnification.factor, |e| obstacles.reach(e, &reel.shots));
    let n_cells = reel.shots.first().map_or(0, |s| s.cells.len());
    let common = reel.common(results, view, n_cells <= MOST_LINES);
    let mut notes = notes(results, &common, &reel);
    if !common.lines {
        notes.push(format!("The mesh has {n_cells} cells: its lines are left out (drawn up to {MOST_LINES})."));
    }
    Ok(pictures(results, &reel, &common, notes, |id, label, k, notes| {
        draw::picture(id, label, &reel.shots[k], &common, &obstacles, notes)
    }))
}

fn in_space(results: &Results, shown: &'static Shown, choices: &[Choice]) -> Result<Gallery, ReportError> {
    let reel: Reel<3> = match Reel::read(results, shown, choices)? {
        Ok(reel) => reel,
        Err(none) => return Ok(none),
    };
    let m = reel.magnification.factor;
    let walls = reel.shots.iter().map(|s| Walls::read(results, s.time)).collect::<Result<Vec<Walls>, _>>()?;
    let stress = |k: usize| reel.shots[k].values.iter().filter(|s| s.is_finite()).sum::<f64>();
    let busy = (0..reel.shots.len()).max_by(|&a, &b| stress(a).total_cmp(&stress(b))).unwrap_or(0);
    let set = |k: usize| StageSet::of(&reel.shots[k], &walls[k], m);
    let camera = Camera::of(&set(busy).stage(), upwards(&results.case));
    let veil = Veil::of(&camera, (0..walls.len()).map(set).collect());
    let flats: Vec<Shot<2>> = reel.shots.iter().map(|s| camera.project(s)).collect();
    let rings: Vec<Ring> = walls.iter().flat_map(Walls::rings).collect();
    let seen = rings.iter().map(|ring| Extent::of(ring.iter().map(|x| camera.flat(x))));
    let view = View::of(&flats, m, |e| seen.clone().filter(|o| e.is_close_to(*o)).fold(e, Extent::join));
    let surface =
        |k: usize| Surface::of(&reel.shots[k], &walls[k], m, &camera, view.scale).veiled(&reel.shots[k], &veil);
    let surfaces: Vec<Surface> = (0..walls.len()).map(surface).collect();
    let n_faces = surfaces.iter().map(Surface::n_front).max().unwrap_or(0);
    let common = reel.common(results, view, n_faces <= MOST_LINES);
    let mut notes = notes(results, &common, &reel);
    notes.push(format!(
        "Parallel projection, seen from the direction {}; the small axes have equal lengths. Faces turned away from the light \
         are darker, contact forces are drawn over the bodies.",
        camera.place()
    ));
    notes.extend(veil.note(&results.case));
    if !common.lines {
        notes.push(format!("Up to {n_faces} faces are visible: their edges are left out (drawn up to {MOST_LINES})."));
    }
    Ok(pictures(results, &reel, &common, notes, |id, label, k, notes| {
        let (shot, flat, walls, surface) = (&reel.shots[k], &flats[k], &walls[k], &surfaces[k]);
        solid::picture(id, label, &Take { shot, flat, walls, surface, camera: &camera }, &common, notes)
    }))
}

/// The gallery, its pictures drawn by number.
fn pictures<const D: usize>(
    results: &Results,
    reel: &Reel<D>,
    common: &Common,
    notes: Vec<String>,
    draw: impl Fn(&str, &str, usize, &mut Vec<String>) -> String,
) -> Gallery {
    let Shown { id, title, .. } = *common.shown;
    let mut gallery = Gallery { title, key: draw::key(common), notes, ..Gallery::default() };
    for (k, shot) in reel.shots.iter().enumerate() {
        let time = results.show(shot.time, "s");
        let reason = if shot.reason.is_empty() { String::new() } else { format!(" — {}", shot.reason) };
        let label = format!("Deformed bodies at {time}{reason}, coloured by {title}");
        let svg = draw(&format!("{id}-{}", k + 1), &label, k, &mut gallery.notes);
        gallery.pictures.push(Picture { svg, caption: format!("t = {time}{reason}") });
    }
    gallery.notes.dedup();
    gallery
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.filter(|x| x.is_finite()).fold(0.0, f64::max)
}

fn chosen(results: &Results) -> Vec<Choice> {
    let time = results.column("time");
    let mut force = vec![0.0; time.len()];
    for pair in results.groups("force_x") {
        let columns = ["x", "y", "z"].map(|axis| results.column(&format!("{pair}.force_{axis}")));
        for (i, sum) in force.iter_mut().enumerate() {
            *sum += length(&columns.each_ref().map(|c| c.get(i).copied().unwrap_or(0.0)));
        }
    }
    let frames: Vec<f64> = results.fields.iter().map(|(t, _)| *t).collect();
    let (active, elastic) = (results.column("active_contacts"), results.column("elastic_energy"));
    choose(&frames, &Story { time: &time, active: &active, force: &force, elastic: &elastic })
}

fn notes<const D: usize>(results: &Results, common: &Common, reel: &Reel<D>) -> Vec<String> {
    let mut out = Vec::new();
    if common.magnification > 1.0 {
        let mut text = format!("Displacements are magnified {}×.", common.magnification);
        if common.has_obstacles {
            text.push_str(" Obstacles are drawn at their true place.");
        }
        let Magnification { held_back, overlap, .. } = reel.magnification;
        if overlap * common.view.scale > SEEN {
            let overlap = results.show(overlap, "m");
            let _ = write!(
                text,
                " Surfaces in contact overlap in the pictures by up to {overlap}, because of the magnification."
            );
            if held_back {
                text.push_str(" The factor was limited to keep this small.");
            }
        } else if held_back {
            text.push_str(" The factor was chosen so that bodies that touch are drawn touching.");
        }
        out.push(text);
    } else {
        out.push("Displacements are drawn to scale (1×).".to_owned());
    }
    if common.view.follows {
        out.push("The bodies move far: each picture is centred on them; all have the same scale.".to_owned());
    }
    if reel.most_arrows > MOST_ARROWS {
        out.push(format!("Of up to {} contact forces the largest {MOST_ARROWS} are drawn.", reel.most_arrows));
    }
    let skipped = reel.shots.first().map_or(0, |s| s.skipped);
    if skipped > 0 {
        let shape = if D == 3 { "bodies in space" } else { "triangles nor quadrilaterals" };
        out.push(format!("{skipped} cells are {} {shape} and are not drawn.", if D == 3 { "no" } else { "neither" }));
    }
    out
}
