//! A picture of bodies in space: outer faces from back to front, lit from the upper left, among obstacles.

use std::collections::BTreeMap;

use delassus_chart::scale::{PrefixedUnit, round_down};
use delassus_chart::svg::{Anchor, GREY, INK, Svg, polyline};

use super::Common;
use super::camera::{Camera, Ring, area_vector, dot};
use super::colour::{grey, shaded};
use super::draw::{COLOURS, arrows, closed, group, joints, value};
use super::outline::{all_edges, outline};
use super::painter::levels;
use super::seen::Owner;
use super::shot::{Shot, at_time, length};
use super::strokes::strokes;
use super::veil::Veil;
use super::view::Extent;
use crate::error::ReportError;
use crate::folder::Results;

/// Most bytes of the faces of a picture: six pictures with their lines stay below 2 MB.
const MOST_BYTES: usize = 180_000;
/// Bytes of a path beside its points.
const PATH: usize = 70;
/// Steps of light that go with each number of colours.
const LIGHTS: [usize; 3] = [9, 6, 4];
/// Light on a face turned away from it.
const DARKEST: f64 = 0.82;
/// Where the light comes from: to the right, upwards, towards the viewer.
const LIGHT: [f64; 3] = [-0.36, 0.80, 0.48];
/// Faces that meet at a smaller angle belong to one smooth side: cos 35°.
const SMOOTH: f64 = 0.82;
/// Lightness of obstacles.
const OBSTACLE: f64 = 236.0;
/// Opacity of what is see-through.
const VEIL: f64 = 0.3;
/// Most length of an arm of the small axes in pixels.
const ARM: f64 = 40.0;

/// The surfaces of obstacles at some time.
#[derive(Default)]
pub struct Walls {
    /// Points \[m\].
    pub points: Vec<[f64; 3]>,
    /// Corners of each face, counter-clockwise seen from where bodies may be.
    pub faces: Vec<Vec<usize>>,
}

impl Walls {
    /// Those of the frame at this very time; none when there is no such frame.
    pub fn read(results: &Results, time: f64) -> Result<Self, ReportError> {
        let Some(file) = at_time(&results.obstacles, time) else { return Ok(Self::default()) };
        let grid = results.frame(file)?;
        let faces = (0..grid.n_cells()).map(|i| grid.cell(i).to_vec()).filter(|f| f.len() > 2).collect();
        Ok(Self { points: grid.points, faces }.joined())
    }

    /// With one point where faces have points of their own in one place: only then is it known which faces are neighbours.
    fn joined(mut self) -> Self {
        let size = Extent::of(self.points.iter().copied()).size();
        let place = |x: &[f64; 3]| {
            let grain = 1e-9 * length(&size);
            x.map(|c| if grain > 0.0 { (c / grain).round() as i64 } else { 0 })
        };
        let mut first = BTreeMap::new();
        let same: Vec<usize> =
            self.points.iter().enumerate().map(|(n, x)| *first.entry(place(x)).or_insert(n)).collect();
        self.faces.iter_mut().flatten().for_each(|n| *n = same[*n]);
        self
    }

    /// The corners of each face \[m\].
    #[must_use]
    pub fn rings(&self) -> Vec<Ring> {
        self.faces.iter().map(|f| f.iter().map(|&n| self.points[n]).collect()).collect()
    }
}

/// A face.
struct ShadedFace {
    ring: Vec<usize>,
    /// None: an obstacle.
    stress: Option<f64>,
    normal: [f64; 3],
    is_veil: bool,
}

/// All faces as the camera has them; those that look at the viewer can be seen.
pub struct Surface {
    /// Pixels from the middle of the picture: to the right, upwards, towards the viewer.
    points: Vec<[f64; 3]>,
    sides: Vec<ShadedFace>,
}

impl Surface {
    /// Bodies and obstacles as they are drawn.
    #[must_use]
    pub fn of(shot: &Shot<3>, walls: &Walls, magnification: f64, camera: &Camera, scale: f64) -> Self {
        let seen = |x: [f64; 3]| camera.see(&x).map(|c| scale * c);
        let mut points: Vec<[f64; 3]> = (0..shot.points.len()).map(|n| seen(shot.place(n, magnification))).collect();
        let first = points.len();
        points.extend(walls.points.iter().map(|x| seen(*x)));
        let bodies = shot.cells.iter().cloned().zip(shot.values.iter().map(|s| Some(*s)));
        let others = walls.faces.iter().map(|f| (f.iter().map(|n| first + n).collect(), None));
        let side = |(ring, stress): (Vec<usize>, Option<f64>)| {
            let corners: Ring = ring.iter().map(|&n| points[n]).collect();
            let area = area_vector(&corners);
            let size = length(&area);
            ShadedFace { ring, stress, normal: area.map(|a| if size > 0.0 { a / size } else { 0.0 }), is_veil: false }
        };
        let sides = bodies.chain(others).map(side).collect();
        Self { points, sides }
    }

    /// With what is see-through told apart.
    #[must_use]
    pub fn veiled(mut self, shot: &Shot<3>, veil: &Veil) -> Self {
        for (k, side) in self.sides.iter_mut().enumerate() {
            side.is_veil = veil.covers(if k < shot.cells.len() { Owner::Body(shot.owner(k)) } else { Owner::Wall });
        }
        self
    }

    /// Can a face be seen, from its orientation?
    fn is_front(&self, i: usize) -> bool {
        // A face seen edge on has no area in the picture.
        self.sides[i].normal[2] > 1e-9
    }

    /// How many faces of bodies look at the viewer.
    #[must_use]
    pub fn n_front(&self) -> usize {
        (0..self.sides.len()).filter(|&i| self.is_front(i) && self.sides[i].stress.is_some()).count()
    }

    /// The faces that look at the viewer, by levels from back to front.
    fn layers(&self) -> Vec<Vec<usize>> {
        let front: Vec<usize> = (0..self.sides.len()).filter(|&i| self.is_front(i)).collect();
        let rings: Vec<Ring> =
            front.iter().map(|&i| self.sides[i].ring.iter().map(|&n| self.points[n]).collect()).collect();
        // Obstacles behind all bodies come first, and by themselves.
        let level = levels(&rings, front.iter().map(|&i| usize::from(self.sides[i].stress.is_some())).collect());
        let mut out = vec![Vec::new(); level.iter().max().map_or(0, |l| l + 1)];
        for (&i, &l) in front.iter().zip(&level) {
            out[l].push(i);
        }
        out
    }

    /// Edges of each face where its side ends: the next face is at an angle, or on the far side, or there is none.
    fn creases(&self) -> Vec<Vec<(usize, usize)>> {
        let mut owner = BTreeMap::new();
        for (i, side) in self.sides.iter().enumerate() {
            let n = side.ring.len();
            owner.extend((0..n).map(|k| ((side.ring[k], side.ring[(k + 1) % n]), i)));
        }
        let ends = |i: usize, a: usize, b: usize| {
            owner
                .get(&(b, a))
                .is_none_or(|&j| !self.is_front(j) || dot(&self.sides[i].normal, &self.sides[j].normal) < SMOOTH)
        };
        let of = |i: usize| {
            let ring = &self.sides[i].ring;
            let edges = (0..ring.len()).map(|k| (ring[k], ring[(k + 1) % ring.len()]));
            edges.filter(|&(a, b)| ends(i, a, b)).collect()
        };
        (0..self.sides.len()).map(of).collect()
    }
}

/// Light on a face, in `n` steps from 0.
fn light(normal: &[f64; 3], n: usize) -> usize {
    let part = (dot(normal, &LIGHT) / length(&LIGHT)).max(0.0);
    ((part * n as f64) as usize).min(n - 1)
}

fn strength(step: usize, n: usize) -> f64 {
    DARKEST + (1.0 - DARKEST) * step as f64 / (n - 1) as f64
}

/// Faces of one level, colour and light together.
struct Fill {
    level: usize,
    colour: String,
    is_veil: bool,
    path: String,
}

/// Colour of the stress (none for an obstacle), light, and whether it is see-through.
type Paint = (Option<usize>, usize, bool);

fn fills(surface: &Surface, layers: &[Vec<usize>], at: &[[f64; 2]], largest: f64, k: usize) -> Vec<Fill> {
    let (n_colours, n_lights) = (COLOURS[k], LIGHTS[k]);
    let mut out = Vec::new();
    for (level, faces) in layers.iter().enumerate() {
        // What is an obstacle comes before every stress.
        let mut groups: BTreeMap<Paint, Vec<&[usize]>> = BTreeMap::new();
        for &i in faces {
            let side = &surface.sides[i];
            let colour = side.stress.map(|s| group(s, largest, n_colours));
            let key = (colour, light(&side.normal, n_lights), side.is_veil);
            groups.entry(key).or_default().push(&side.ring);
        }
        for ((colour, step, is_veil), rings) in groups {
            let light = strength(step, n_lights);
            let colour = colour.map_or_else(|| grey(OBSTACLE, light), |c| shaded(value(c, n_colours), light));
            out.push(Fill { level, colour, is_veil, path: closed(&outline(rings.iter().copied()), at) });
        }
    }
    out
}

/// The same in grey light: the last resort.
fn pale(surface: &Surface, layers: &[Vec<usize>], at: &[[f64; 2]]) -> Vec<Fill> {
    let one = |(level, faces): (usize, &Vec<usize>)| {
        [false, true].map(|is_veil| {
            let chosen = faces.iter().map(|&i| &surface.sides[i]).filter(|s| s.is_veil == is_veil);
            let path = closed(&outline(chosen.map(|s| s.ring.as_slice())), at);
            Fill { level, colour: grey(OBSTACLE, 0.9), is_veil, path }
        })
    };
    layers.iter().enumerate().flat_map(one).collect()
}

/// What a picture shows beside what all have in common.
pub struct Take<'a> {
    /// The shot.
    pub shot: &'a Shot<3>,
    /// The same in the plane of the picture.
    pub flat: &'a Shot<2>,
    /// Its obstacles.
    pub walls: &'a Walls,
    /// Bodies and obstacles as they are drawn.
    pub surface: &'a Surface,
    /// From where.
    pub camera: &'a Camera,
}

/// Draws a shot. What could not be drawn goes to `notes`.
pub fn picture(id: &str, label: &str, take: &Take<'_>, common: &Common, notes: &mut Vec<String>) -> String {
    let view = &common.view;
    let mut svg = Svg::new(id, label, view.size[0], view.size[1]);
    let centre = view.centre(take.flat, common.magnification);
    let pixels = |surface: &Surface| -> Vec<[f64; 2]> {
        surface.points.iter().map(|p| view.place([p[0] / view.scale, p[1] / view.scale], centre)).collect()
    };
    let (surface, at) = (take.surface, pixels(take.surface));
    let (layers, creases) = (surface.layers(), surface.creases());
    let fills = within_limits(surface, &layers, &at, common.largest, notes);
    for (level, faces) in layers.iter().enumerate() {
        if level == 1 {
            undeformed(&mut svg, take, common, &pixels);
        }
        for Fill { colour, is_veil, path, .. } in fills.iter().filter(|f| f.level == level) {
            let style = match is_veil {
                true => format!("fill=\"{colour}\" fill-opacity=\"{VEIL}\""),
                // A hair of the same colour closes the seams between neighbours.
                false => format!("fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.5\""),
            };
            svg.path(path, &style);
        }
        let (bodies, others): (Vec<usize>, Vec<usize>) =
            faces.iter().partition(|&&i| surface.sides[i].stress.is_some());
        if common.lines {
            let whole = bodies.iter().map(|&i| &surface.sides[i]).filter(|s| !s.is_veil);
            let edges = all_edges(whole.map(|s| s.ring.as_slice()));
            svg.path(
                &strokes(edges, &at),
                "fill=\"none\" stroke=\"#000\" stroke-opacity=\"0.28\" stroke-width=\"0.6\"",
            );
        }
        for (sides, colour) in [(others, GREY), (bodies, INK)] {
            let edges: std::collections::BTreeSet<(usize, usize)> =
                sides.iter().flat_map(|&i| &creases[i]).map(|&(a, b)| (a.min(b), a.max(b))).collect();
            let style = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\" stroke-linecap=\"round\"");
            svg.path(&strokes(edges, &at), &style);
        }
    }
    joints(&mut svg, take.flat, common, centre);
    arrows(&mut svg, take.flat, common, centre);
    small_axes(&mut svg, take.camera, common);
    svg.finish()
}

/// As many colours as the limit allows.
fn within_limits(
    surface: &Surface,
    layers: &[Vec<usize>],
    at: &[[f64; 2]],
    largest: f64,
    notes: &mut Vec<String>,
) -> Vec<Fill> {
    for k in 0..COLOURS.len() {
        let fills = fills(surface, layers, at, largest, k);
        if fills.iter().map(|f| f.path.len() + PATH).sum::<usize>() <= MOST_BYTES {
            if k > 0 {
                notes.push(format!(
                    "Some pictures use {} colours instead of {}, to keep the page small.",
                    COLOURS[k], COLOURS[0]
                ));
            }
            return fills;
        }
    }
    notes.push("The stress varies too finely for a small picture: some bodies are drawn in grey.".to_owned());
    pale(surface, layers, at)
}

/// Where the bodies were, as far as they are not in front of it: the ends of their sides. Obstacles turned away from the viewer are
/// shown by their ends, too.
fn undeformed(svg: &mut Svg, take: &Take<'_>, common: &Common, pixels: &dyn Fn(&Surface) -> Vec<[f64; 2]>) {
    let before = Surface::of(take.shot, take.walls, 0.0, take.camera, common.view.scale);
    let (at, creases) = (pixels(&before), before.creases());
    let (mut old, mut behind) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for (i, side) in before.sides.iter().enumerate() {
        let edges = creases[i].iter().map(|&(a, b)| (a.min(b), a.max(b)));
        match (side.stress, before.is_front(i)) {
            (Some(_), true) => old.extend(edges),
            (None, false) => behind.extend(edges),
            _ => {}
        }
    }
    svg.path(&strokes(old, &at), &format!("fill=\"none\" stroke=\"{GREY}\" stroke-dasharray=\"5 4\""));
    svg.path(&strokes(behind, &at), &format!("fill=\"none\" stroke=\"{GREY}\" stroke-width=\"0.8\""));
}

/// The axes of the model, each of a round length, bottom left: lengths are foreshortened differently along each.
fn small_axes(svg: &mut Svg, camera: &Camera, common: &Common) {
    let metres = round_down(ARM / common.view.scale);
    if !(1.0..1e4).contains(&(metres * common.view.scale)) {
        return;
    }
    let arms: [[f64; 2]; 3] = std::array::from_fn(|k| {
        let mut axis = [0.0; 3];
        axis[k] = metres * common.view.scale;
        let [x, y] = camera.flat(&axis);
        [x, -y]
    });
    // Letters stand beyond the tips.
    let letter = |arm: &[f64; 2]| {
        let size = arm[0].hypot(arm[1]).max(1e-9);
        arm.map(|x| x * (1.0 + 9.0 / size))
    };
    let low = arms.iter().map(|a| letter(a)[0]).fold(0.0, f64::min);
    let high = arms.iter().map(|a| letter(a)[0]).fold(0.0, f64::max);
    let bottom = arms.iter().map(|a| letter(a)[1]).fold(0.0, f64::max);
    let origin = [12.0 - low, common.view.size[1] - 12.0 - bottom];
    for (arm, name) in arms.iter().zip(["x", "y", "z"]) {
        let tip = [origin[0] + arm[0], origin[1] + arm[1]];
        svg.path(&polyline([origin, tip]), &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\""));
        let at = letter(arm);
        svg.text_with([origin[0] + at[0], origin[1] + at[1] + 4.5], Anchor::Middle, name, "font-size=\"15\"");
    }
    let unit = PrefixedUnit::fitting(metres, common.units.symbol("m"));
    let text = format!("{} {}", (metres / unit.size * 1000.0).round() / 1000.0, unit.symbol);
    svg.text_with([origin[0] + high + 14.0, common.view.size[1] - 8.0], Anchor::Start, &text, "font-size=\"17\"");
}

#[cfg(test)]
mod tests;
