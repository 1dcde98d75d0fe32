//! A picture of bodies in space: outer faces from back to front, lit from the upper left, among obstacles.

use std::collections::BTreeMap;

use super::Common;
use super::camera::{Camera, Ring, area_vector, dot};
use super::colour::{grey, shaded};
use super::draw::{COLOURS, arrows, closed, group, value};
use super::outline::{all_edges, outline};
use super::painter::levels;
use super::shot::{Shot, at_time, length};
use super::strokes::strokes;
use super::view::Extent;
use crate::report::error::ReportError;
use crate::report::folder::Results;
use crate::report::scale::{Unit, round_down};
use crate::report::svg::{Anchor, GREY, INK, Svg, polyline};

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

/// The outer faces of a shot with displacements drawn so many times larger, and their stress.
#[must_use]
pub fn outer_faces(shot: &Shot<3>, magnification: f64) -> Vec<(Ring, f64)> {
    let ring = |cell: &Vec<usize>| cell.iter().map(|&n| shot.place(n, magnification)).collect();
    shot.cells.iter().map(ring).zip(shot.von_mises.iter().copied()).collect()
}

/// A face.
struct Side {
    ring: Vec<usize>,
    /// None: an obstacle.
    stress: Option<f64>,
    normal: [f64; 3],
}

/// All faces as the camera has them; those that look at the viewer can be seen.
pub struct Surface {
    /// Pixels from the middle of the picture: to the right, upwards, towards the viewer.
    points: Vec<[f64; 3]>,
    sides: Vec<Side>,
}

impl Surface {
    /// Bodies and obstacles as they are drawn.
    #[must_use]
    pub fn of(shot: &Shot<3>, walls: &Walls, magnification: f64, camera: &Camera, scale: f64) -> Self {
        let seen = |x: [f64; 3]| camera.see(&x).map(|c| scale * c);
        let mut points: Vec<[f64; 3]> = (0..shot.points.len()).map(|n| seen(shot.place(n, magnification))).collect();
        let first = points.len();
        points.extend(walls.points.iter().map(|x| seen(*x)));
        let bodies = shot.cells.iter().cloned().zip(shot.von_mises.iter().map(|s| Some(*s)));
        let others = walls.faces.iter().map(|f| (f.iter().map(|n| first + n).collect(), None));
        let side = |(ring, stress): (Vec<usize>, Option<f64>)| {
            let corners: Ring = ring.iter().map(|&n| points[n]).collect();
            let area = area_vector(&corners);
            let size = length(&area);
            Side { ring, stress, normal: area.map(|a| if size > 0.0 { a / size } else { 0.0 }) }
        };
        let sides = bodies.chain(others).map(side).collect();
        Self { points, sides }
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

/// Faces of one level, colour and light together: level, colour, path.
fn fills(
    surface: &Surface,
    layers: &[Vec<usize>],
    at: &[[f64; 2]],
    largest: f64,
    k: usize,
) -> Vec<(usize, String, String)> {
    let (n_colours, n_lights) = (COLOURS[k], LIGHTS[k]);
    let mut out = Vec::new();
    for (level, faces) in layers.iter().enumerate() {
        // What is an obstacle comes before every stress.
        let mut groups: BTreeMap<(Option<usize>, usize), Vec<&[usize]>> = BTreeMap::new();
        for &i in faces {
            let side = &surface.sides[i];
            let key = (side.stress.map(|s| group(s, largest, n_colours)), light(&side.normal, n_lights));
            groups.entry(key).or_default().push(&side.ring);
        }
        for ((colour, step), rings) in groups {
            let light = strength(step, n_lights);
            let fill = colour.map_or_else(|| grey(OBSTACLE, light), |c| shaded(value(c, n_colours), light));
            out.push((level, fill, closed(&outline(rings.iter().copied()), at)));
        }
    }
    out
}

/// The same in grey light: the last resort.
fn pale(surface: &Surface, layers: &[Vec<usize>], at: &[[f64; 2]]) -> Vec<(usize, String, String)> {
    let one = |(level, faces): (usize, &Vec<usize>)| {
        let rings = faces.iter().map(|&i| surface.sides[i].ring.as_slice());
        (level, grey(OBSTACLE, 0.9), closed(&outline(rings), at))
    };
    layers.iter().enumerate().map(one).collect()
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
    let fills = within_limits(surface, &layers, &at, common.stress, notes);
    for (level, faces) in layers.iter().enumerate() {
        if level == 1 {
            undeformed(&mut svg, take, common, &pixels);
        }
        for (_, colour, d) in fills.iter().filter(|f| f.0 == level) {
            // A hair of the same colour closes the seams between neighbours.
            svg.path(d, &format!("fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.5\""));
        }
        let (bodies, others): (Vec<usize>, Vec<usize>) =
            faces.iter().partition(|&&i| surface.sides[i].stress.is_some());
        if common.lines {
            let edges = all_edges(bodies.iter().map(|&i| surface.sides[i].ring.as_slice()));
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
) -> Vec<(usize, String, String)> {
    for k in 0..COLOURS.len() {
        let fills = fills(surface, layers, at, largest, k);
        if fills.iter().map(|f| f.2.len() + PATH).sum::<usize>() <= MOST_BYTES {
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
    let unit = Unit::fitting(metres, common.units.symbol("m"));
    let text = format!("{} {}", (metres / unit.size * 1000.0).round() / 1000.0, unit.symbol);
    svg.text_with([origin[0] + high + 14.0, common.view.size[1] - 8.0], Anchor::Start, &text, "font-size=\"17\"");
}

#[cfg(test)]
mod tests {
    use super::super::shot::Arrow;
    use super::super::testing::cuboid;
    use super::super::view::View;
    use super::*;

    /// Boxes with one stress each.
    fn boxes(list: &[([f64; 3], [f64; 3], f64)]) -> Shot<3> {
        let mut shot = empty();
        for (low, size, stress) in list {
            for ring in cuboid(*low, *size) {
                let known = |x: &[f64; 3], all: &[[f64; 3]]| {
                    all.iter().position(|y| x.map(f64::to_bits) == y.map(f64::to_bits))
                };
                let mut nodes = Vec::new();
                for x in ring {
                    let node = known(&x, &shot.points).unwrap_or(shot.points.len());
                    if node == shot.points.len() {
                        shot.points.push(x);
                    }
                    nodes.push(node);
                }
                shot.cells.push(nodes);
                shot.von_mises.push(*stress);
            }
        }
        shot.displacement = vec![[0.0; 3]; shot.points.len()];
        shot.body = vec![0; shot.points.len()];
        shot
    }

    fn empty() -> Shot<3> {
        Shot {
            time: 0.0,
            reason: String::new(),
            points: Vec::new(),
            displacement: Vec::new(),
            cells: Vec::new(),
            body: Vec::new(),
            von_mises: Vec::new(),
            arrows: Vec::new(),
            skipped: 0,
        }
    }

    /// The top, front and right side of a unit cube, n × n squares each, their stress by number.
    fn three_sides(n: usize, stress: impl Fn(usize) -> f64) -> Shot<3> {
        let mut shot = empty();
        let at = |i: usize| i as f64 / n as f64;
        // Right, up, out of each side.
        for (r, u, o) in [(0, 1, 2), (2, 0, 1), (1, 2, 0)] {
            let first = shot.points.len();
            for k in 0..(n + 1) * (n + 1) {
                let mut x = [1.0; 3];
                (x[r], x[u], x[o]) = (at(k % (n + 1)), at(k / (n + 1)), 1.0);
                shot.points.push(x);
            }
            for k in 0..n * n {
                let a = first + k / n * (n + 1) + k % n;
                shot.cells.push(vec![a, a + 1, a + n + 2, a + n + 1]);
                shot.von_mises.push(stress(k));
            }
        }
        shot.displacement = vec![[0.0; 3]; shot.points.len()];
        shot
    }

    fn drawn(shot: &Shot<3>, walls: &Walls, lines: bool) -> (String, usize, Vec<String>) {
        let camera = Camera::of(&outer_faces(shot, 1.0), &walls.rings(), [0.0, 1.0, 0.0]);
        let flat = [camera.project(shot)];
        let view = View::of(&flat, 1.0, |e| e);
        let surface = Surface::of(shot, walls, 1.0, &camera, view.scale);
        let common = Common {
            view,
            has_obstacles: false,
            magnification: 1.0,
            stress: 1.0,
            force: shot.arrows.iter().map(Arrow::size).fold(0.0, f64::max),
            lines,
            units: crate::case::Units::Si,
        };
        let mut notes = Vec::new();
        let take = Take { shot, flat: &flat[0], walls, surface: &surface, camera: &camera };
        (picture("fig", "label", &take, &common, &mut notes), surface.n_front(), notes)
    }

    /// Colours of the filled paths, in the order they are painted.
    fn filled(svg: &str) -> Vec<&str> {
        let fills = svg.split("<path ").filter(|p| p.contains("stroke-width=\"0.5\""));
        fills.map(|p| p.split("fill=\"").nth(1).unwrap().split('"').next().unwrap()).collect()
    }

    #[test]
    fn a_cube_shows_three_faces_in_three_lights() {
        let (svg, n_front, notes) = drawn(&boxes(&[([0.0; 3], [1.0; 3], 0.0)]), &Walls::default(), true);
        assert_eq!((n_front, notes.len()), (3, 0));
        let colours = filled(&svg);
        assert_eq!(colours.len(), 3);
        assert!((0..3).all(|k| colours[k] != colours[(k + 1) % 3]), "{colours:?}");
        // Nine of its twelve edges, which turn everywhere: three are hidden.
        let ink = svg.split("<path ").find(|p| p.contains(&format!("stroke=\"{INK}\" stroke-width=\"1.2\""))).unwrap();
        assert_eq!((ink.matches('M').count(), ink.matches('L').count()), (9, 9));
    }

    #[test]
    fn a_cube_in_front_of_another_is_painted_later() {
        // The viewer is at the front right; stress tells the cubes apart.
        for (near, far) in [(0, 1), (1, 0)] {
            let mut list = [([0.0; 3], [1.0; 3], 0.0); 2];
            list[near] = ([2.0, 1.6, 2.0], [1.0; 3], 0.0);
            list[far] = ([0.0; 3], [1.0; 3], 1.0);
            let (svg, ..) = drawn(&boxes(&list), &Walls::default(), true);
            let dark = |c: &&str| u8::from_str_radix(&c[1..3], 16).unwrap() < 100;
            let colours: Vec<bool> = filled(&svg).iter().map(dark).collect();
            // Of the near cube one face covers the far one, and comes last; the others are beside it.
            assert_eq!((colours.len(), colours.iter().filter(|d| **d).count()), (6, 3));
            assert!(colours.ends_with(&[true, false]), "{colours:?}");
        }
    }

    #[test]
    fn ground_lies_under_the_bodies_and_is_left_open_from_below() {
        let ground = |up: bool| {
            let mut face = vec![0, 1, 2, 3];
            if !up {
                face.reverse();
            }
            Walls {
                points: vec![[-1.0, 0.0, 2.0], [2.0, 0.0, 2.0], [2.0, 0.0, -1.0], [-1.0, 0.0, -1.0]],
                faces: vec![face],
            }
        };
        let cube = boxes(&[([0.0; 3], [1.0; 3], 0.5)]);
        let (svg, n_front, _) = drawn(&cube, &ground(true), true);
        let colours = filled(&svg);
        assert_eq!((colours.len(), n_front), (4, 3));
        // Grey: all three parts are the same.
        assert!(colours[0][1..3] == colours[0][3..5] && colours[1][1..3] != colours[1][3..5], "{colours:?}");
        let (svg, ..) = drawn(&cube, &ground(false), true);
        assert_eq!(filled(&svg).len(), 3);
        assert!(svg.contains(&format!("stroke=\"{GREY}\" stroke-width=\"0.8\"")));
    }

    #[test]
    fn faces_with_points_of_their_own_are_joined() {
        let faces = cuboid([3.0, 1.0, -2.0], [1.0, 2.0, 3.0]);
        // Off by rounding, each in its own way.
        let off = |k: usize, x: &f64| x * (1.0 + 2e-16 * (k % 3) as f64);
        let points: Vec<[f64; 3]> =
            faces.concat().iter().enumerate().map(|(k, x)| x.each_ref().map(|c| off(k, c))).collect();
        let separate =
            || Walls { points: points.clone(), faces: (0..6).map(|f| (4 * f..4 * f + 4).collect()).collect() };
        let used = |walls: &Walls| walls.faces.iter().flatten().collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!((used(&separate()), used(&separate().joined())), (24, 8));
        assert_eq!(used(&Walls::default().joined()), 0);
    }

    #[test]
    fn a_smooth_field_on_many_faces_is_a_small_picture() {
        let n = 80;
        let (svg, n_front, notes) = drawn(&three_sides(n, |k| (k % n) as f64 / n as f64), &Walls::default(), false);
        assert_eq!(n_front, 3 * n * n);
        assert!(svg.len() < 25_000 && notes.is_empty(), "{} {notes:?}", svg.len());
        // One path for each colour and side.
        assert_eq!(filled(&svg).len(), 3 * COLOURS[0]);
    }

    #[test]
    fn a_field_that_varies_wildly_is_drawn_with_fewer_colours_or_none() {
        let noise = |k: usize| ((k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / f64::from(1 << 24);
        let (svg, _, notes) = drawn(&three_sides(37, noise), &Walls::default(), false);
        assert!(svg.len() < MOST_BYTES + 10_000, "{}", svg.len());
        assert!(notes.len() == 1 && notes[0].contains("colours instead of 24"), "{} {notes:?}", svg.len());
        let (svg, _, notes) = drawn(&three_sides(120, noise), &Walls::default(), false);
        assert!(svg.len() < 10_000 && notes.len() == 1 && notes[0].contains("grey"), "{} {notes:?}", svg.len());
    }

    #[test]
    fn lines_of_as_many_faces_as_are_allowed_keep_the_page_below_two_megabytes() {
        let n = 31;
        assert!(3 * n * n <= super::super::MOST_LINES);
        let noise = |k: usize| ((k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / f64::from(1 << 24);
        let (svg, ..) = drawn(&three_sides(n, noise), &Walls::default(), true);
        assert!(svg.len() < 333_000, "{}: six of these are too much", svg.len());
        assert!(svg.contains("stroke-width=\"0.6\""));
    }

    #[test]
    fn an_arrow_is_foreshortened_as_its_force_is() {
        let mut shot = boxes(&[([0.0; 3], [1.0; 3], 0.0)]);
        let camera = Camera::of(&outer_faces(&shot, 1.0), &[], [0.0, 1.0, 0.0]);
        let force = [3.0, 4.0, 12.0];
        shot.arrows = vec![Arrow { point: [0.0; 3], force, normal: [0.0, 1.0, 0.0], pair: 0 }];
        let (svg, ..) = drawn(&shot, &Walls::default(), true);
        let path = svg.split("<path d=\"").find(|p| p.contains("class=\"force\"")).unwrap();
        let numbers: Vec<f64> =
            path[1..].split('"').next().unwrap().split(['L', ' ']).map(|x| x.parse().unwrap()).collect();
        // From the tail to 0.8 of the head; the head is 8 pixels at most.
        let found = (numbers[2] - numbers[0]).hypot(numbers[3] - numbers[1]);
        let flat = camera.flat(&force);
        let length = 42.0 * flat[0].hypot(flat[1]) / 13.0;
        assert!((found - (length - 0.8 * (0.35 * length).clamp(2.0, 8.0))).abs() < 0.15, "{found} {length}");
    }
}
