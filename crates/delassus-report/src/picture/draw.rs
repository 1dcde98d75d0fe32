//! One picture: obstacles, cells by colour, mesh lines, outlines, arrows, a bar for the scale of lengths; and the key.

use std::fmt::Write;

use delassus_chart::chart::titled;
use delassus_chart::scale::{PrefixedUnit, linear_ticks, round_down};
use delassus_chart::stroke::RED;
use delassus_chart::svg::{Anchor, GREY, INK, Svg, dots, polyline};

use super::colour::colour;
use super::outline::{all_edges, outline};
use super::shot::Shot;
use super::view::{Obstacles, Shape, View};
use super::{Common, SMALLEST_ARROW};

/// Length of the largest arrow in pixels.
const ARROW: f64 = 42.0;
/// Colours tried until a picture is small enough.
pub const COLOURS: [usize; 3] = [24, 12, 6];
/// Most bytes of the coloured cells of a picture.
const MOST_BYTES: usize = 350_000;

/// Draws a shot. What could not be drawn goes to `notes`.
pub fn picture(
    id: &str,
    label: &str,
    shot: &Shot<2>,
    common: &Common,
    others: &Obstacles<'_>,
    notes: &mut Vec<String>,
) -> String {
    let view = &common.view;
    let mut svg = Svg::new(id, label, view.size[0], view.size[1]);
    let centre = view.centre(shot, common.magnification);
    let pixels =
        |m: f64| -> Vec<[f64; 2]> { (0..shot.points.len()).map(|n| view.place(shot.place(n, m), centre)).collect() };
    let (deformed, original) = (pixels(common.magnification), pixels(0.0));
    obstacles(&mut svg, others, shot.time, &common.view, centre);
    cells(&mut svg, shot, &deformed, common.largest, notes);
    if common.lines {
        let mut d = String::new();
        for (a, b) in all_edges(shot.cells.iter().map(Vec::as_slice)) {
            short(&mut d, 'M', deformed[a]);
            short(&mut d, 'L', deformed[b]);
        }
        svg.path(&d, "fill=\"none\" stroke=\"#000\" stroke-opacity=\"0.28\" stroke-width=\"0.6\"");
    }
    let around = outline(shot.cells.iter().map(Vec::as_slice));
    svg.path(&closed(&around, &original), &format!("fill=\"none\" stroke=\"{GREY}\" stroke-dasharray=\"5 4\""));
    svg.path(&closed(&around, &deformed), &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.2\""));
    joints(&mut svg, shot, common, centre);
    arrows(&mut svg, shot, common, centre);
    length_bar(&mut svg, common);
    svg.finish()
}

/// A point of a path, to a tenth of a pixel.
pub fn short(d: &mut String, letter: char, p: [f64; 2]) {
    let tenth = |x: f64| if x.is_finite() { (10.0 * x.clamp(-1e5, 1e5)).round() / 10.0 } else { 0.0 };
    let _ = write!(d, "{letter}{} {}", tenth(p[0]), tenth(p[1]));
}

/// Loops of nodes as closed paths; points on the straight lines between others are left out.
pub fn closed(loops: &[Vec<usize>], at: &[[f64; 2]]) -> String {
    let mut d = String::new();
    for nodes in loops.iter().filter(|nodes| !nodes.is_empty()) {
        let n = nodes.len();
        let place = |i: usize| at[nodes[i % n]];
        // A corner comes first: the line may be straight at the first node.
        let first = (0..n).find(|&i| bends([place(i + n - 1), place(i), place(i + 1)])).unwrap_or(0);
        let ring: Vec<[f64; 2]> = (first..=first + n).map(place).collect();
        let mut letter = 'M';
        for i in needed(&ring).into_iter().filter(|&i| i < n) {
            short(&mut d, letter, ring[i]);
            letter = 'L';
        }
        d.push('Z');
    }
    d
}

/// Points of a line that are drawn: its ends, and others so that every point left out is on the straight line between two of them. Neighbours alone
/// do not tell: on a fine circle each point is on the line between its neighbours.
pub fn needed(line: &[[f64; 2]]) -> Vec<usize> {
    let Some(end) = line.len().checked_sub(1) else { return Vec::new() };
    let (mut out, mut last) = (vec![0], 0);
    for i in 1..end {
        if (last + 1..=i).any(|k| bends([line[last], line[k], line[i + 1]])) {
            out.push(i);
            last = i;
        }
    }
    if end > 0 {
        out.push(end);
    }
    out
}

/// Is the point in the middle off the straight line between its neighbours?
fn bends([a, b, c]: [[f64; 2]; 3]) -> bool {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    // Distance of b from the line a–c.
    (u[0] * v[1] - u[1] * v[0]).abs() > 0.03 * v[0].hypot(v[1])
}

fn cells(svg: &mut Svg, shot: &Shot<2>, at: &[[f64; 2]], largest: f64, notes: &mut Vec<String>) {
    for n in COLOURS {
        let fills = fills(shot, at, largest, n);
        if fills.iter().map(|(_, d)| d.len()).sum::<usize>() <= MOST_BYTES {
            for (colour, d) in fills {
                // A hair of the same colour closes the seams between neighbours.
                svg.path(&d, &format!("fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.5\""));
            }
            if n < COLOURS[0] {
                notes.push(format!("Some pictures use {n} colours instead of {}, to keep the page small.", COLOURS[0]));
            }
            return;
        }
    }
    notes.push("The colours vary too finely for a small picture: some bodies are drawn in grey.".to_owned());
    let around = outline(shot.cells.iter().map(Vec::as_slice));
    svg.path(&closed(&around, at), "fill=\"#dddddd\"");
}

/// Cells of one colour together: (colour, path).
fn fills(shot: &Shot<2>, at: &[[f64; 2]], largest: f64, n_colours: usize) -> Vec<(String, String)> {
    // One more group for what is not a number.
    let mut groups: Vec<Vec<&[usize]>> = vec![Vec::new(); n_colours + 1];
    for (cell, &stress) in shot.cells.iter().zip(&shot.values) {
        groups[group(stress, largest, n_colours)].push(cell);
    }
    let filled = groups.iter().enumerate().filter(|(_, g)| !g.is_empty());
    filled.map(|(k, g)| (colour(value(k, n_colours)), closed(&outline(g.iter().copied()), at))).collect()
}

/// Which of `n` colours a stress has; the next one if it is not a number.
pub fn group(stress: f64, largest: f64, n: usize) -> usize {
    let part = if largest > 0.0 { stress / largest } else { 0.0 * stress };
    if part.is_nan() { n } else { ((part * n as f64) as usize).min(n - 1) }
}

/// Where the colour of a group lies on the scale.
pub fn value(group: usize, n: usize) -> f64 {
    if group < n { (group as f64 + 0.5) / n as f64 } else { f64::NAN }
}

fn obstacles(svg: &mut Svg, obstacles: &Obstacles<'_>, time: f64, view: &View, centre: [f64; 2]) {
    let place = |p: [f64; 2]| view.place(p, centre);
    for shape in obstacles.at(time) {
        match shape {
            Shape::HalfPlane(point, n) => {
                // The foot of the picture's middle, so that the drawn stretch crosses the whole picture.
                let depth = (centre[0] - point[0]) * n[0] + (centre[1] - point[1]) * n[1];
                let foot = place([centre[0] - depth * n[0], centre[1] - depth * n[1]]);
                let far = 2.0 * (view.size[0] + view.size[1]);
                // In pixels, y downwards.
                let (out, along) = ([n[0], -n[1]], [n[1], n[0]]);
                let corner = |s: f64, t: f64| {
                    [foot[0] + far * (s * along[0] - t * out[0]), foot[1] + far * (s * along[1] - t * out[1])]
                };
                let d = polyline([corner(-1.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(-1.0, 1.0)]) + "Z";
                svg.path(&d, &format!("fill=\"#ececec\" stroke=\"{GREY}\" stroke-width=\"1.5\""));
            }
            Shape::Segment(a, b) => {
                svg.line(place(a), place(b), GREY, "stroke-width=\"5\" stroke-linecap=\"round\"");
            }
            Shape::Outline(points, solid_outside) => {
                let mut d = polyline(points.into_iter().map(place)) + "Z";
                if solid_outside {
                    let [w, h] = view.size;
                    d += &(polyline([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]) + "Z");
                }
                let style = "fill=\"#ececec\" fill-rule=\"evenodd\" stroke-width=\"1.5\"";
                svg.path(&d, &format!("{style} stroke=\"{GREY}\""));
            }
        }
    }
}

/// A ring at every joint.
pub fn joints(svg: &mut Svg, shot: &Shot<2>, common: &Common, centre: [f64; 2]) {
    draw_joints(svg, shot.joints.iter().map(|x| common.view.place(*x, centre)));
}

/// Rings at points in pixels: a dot on a larger one.
fn draw_joints(svg: &mut Svg, at: impl Iterator<Item = [f64; 2]>) {
    let d = dots(at);
    if d.is_empty() {
        return;
    }
    for (colour, width) in [(INK, 9.0), ("#fff", 5.5)] {
        let class = if colour == INK { "class=\"joint\" " } else { "" };
        svg.path(
            &d,
            &format!("{class}fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\""),
        );
    }
}

/// Forces on the candidates, heads at the points where they act.
pub fn arrows(svg: &mut Svg, shot: &Shot<2>, common: &Common, centre: [f64; 2]) {
    let (mut shafts, mut heads) = (String::new(), String::new());
    for arrow in shot.arrows.iter().filter(|a| a.size() > SMALLEST_ARROW * common.force) {
        let length = ARROW * arrow.size() / common.force;
        let direction = [arrow.force[0] / arrow.size(), -arrow.force[1] / arrow.size()];
        arrow_paths(&mut shafts, &mut heads, common.view.place(arrow.point, centre), direction, length);
    }
    draw_arrows(svg, &shafts, &heads);
}

/// Adds an arrow with its head at `tip`, in pixels.
fn arrow_paths(shafts: &mut String, heads: &mut String, tip: [f64; 2], direction: [f64; 2], length: f64) {
    let across = [-direction[1], direction[0]];
    let head = (0.35 * length).clamp(2.0, 8.0);
    let along =
        |back: f64, side: f64| -> [f64; 2] { std::array::from_fn(|k| tip[k] - back * direction[k] + side * across[k]) };
    short(shafts, 'M', along(length.max(head), 0.0));
    short(shafts, 'L', along(0.8 * head, 0.0));
    short(heads, 'M', tip);
    short(heads, 'L', along(head, 0.45 * head));
    short(heads, 'L', along(head, -0.45 * head));
    heads.push('Z');
}

fn draw_arrows(svg: &mut Svg, shafts: &str, heads: &str) {
    svg.path(shafts, "class=\"force\" fill=\"none\" stroke=\"#fff\" stroke-width=\"3.4\"");
    svg.path(shafts, &format!("fill=\"none\" stroke=\"{RED}\" stroke-width=\"1.8\""));
    svg.path(heads, &format!("fill=\"{RED}\" stroke=\"#fff\" stroke-width=\"0.7\""));
}

/// A bar of a round length, bottom left.
fn length_bar(svg: &mut Svg, common: &Common) {
    let metres = round_down(0.22 * common.view.size[0] / common.view.scale);
    let (length, y) = (metres * common.view.scale, common.view.size[1] - 10.0);
    if !(1.0..1e4).contains(&length) {
        return;
    }
    svg.path(
        &polyline([[8.0, y - 4.0], [8.0, y], [8.0 + length, y], [8.0 + length, y - 4.0]]),
        &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\""),
    );
    let unit = PrefixedUnit::fitting(metres, common.units.symbol("m"));
    let text = format!("{} {}", (metres / unit.size * 1000.0).round() / 1000.0, unit.symbol);
    svg.text_with([14.0 + length, y + 2.0], Anchor::Start, &text, "font-size=\"17\"");
}

/// The key to all pictures: colours, arrows, lines.
pub fn key(common: &Common) -> String {
    let mut svg =
        Svg::new(&format!("{}-key", common.shown.id), "Key to the pictures: colours, arrows, lines", 640.0, 84.0);
    let (left, width, top) = (10.0, 330.0, 24.0);
    let unit = PrefixedUnit::fitting(common.largest, common.units.symbol(common.shown.unit));
    svg.text([left, 14.0], Anchor::Start, &titled(common.shown.title, &unit.symbol));
    let n = COLOURS[0];
    for k in 0..n {
        let x = left + width * k as f64 / n as f64;
        let colour = colour((k as f64 + 0.5) / n as f64);
        svg.rect([x, top], [width / n as f64 + 0.5, 16.0], &format!("fill=\"{colour}\""));
    }
    svg.rect([left, top], [width, 16.0], &format!("fill=\"none\" stroke=\"{GREY}\""));
    let largest = common.largest / unit.size;
    if largest > 0.0 {
        for tick in linear_ticks(0.0, largest, 4, false) {
            let x = left + width * tick.value / largest;
            svg.line([x, top + 16.0], [x, top + 21.0], GREY, "");
            // The largest value has its own text at the end.
            if tick.value < 0.7 * largest {
                svg.text([x, top + 35.0], Anchor::Middle, &tick.text);
            }
        }
        // Three digits at least.
        let digits = (2.0 - largest.log10().floor()).clamp(1.0, 9.0) as usize;
        svg.text([left + width, top + 35.0], Anchor::End, &format!("max {largest:.digits$}"));
    } else {
        svg.text([left + width / 2.0, top + 35.0], Anchor::Middle, "zero in these pictures");
    }
    let x = 380.0;
    svg.line([x, 14.0], [x + ARROW, 14.0], GREY, "stroke-dasharray=\"5 4\"");
    svg.text([x + 52.0, 18.5], Anchor::Start, "undeformed outline");
    if common.force > 0.0 {
        let (mut shafts, mut heads) = (String::new(), String::new());
        arrow_paths(&mut shafts, &mut heads, [x + ARROW, 40.0], [1.0, 0.0], ARROW);
        draw_arrows(&mut svg, &shafts, &heads);
        let text = format!("contact force, largest {}", PrefixedUnit::show(common.force, common.units.symbol("N")));
        svg.text([x + 52.0, 44.5], Anchor::Start, &text);
    }
    if common.has_obstacles {
        svg.rect([x, 56.0], [ARROW, 16.0], &format!("fill=\"#ececec\" stroke=\"{GREY}\""));
        svg.text([x + 52.0, 68.5], Anchor::Start, "obstacle");
    }
    if common.has_joints {
        draw_joints(&mut svg, std::iter::once([x + 150.0, 64.0]));
        svg.text([x + 162.0, 68.5], Anchor::Start, "joint");
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::super::shot::Arrow;
    use super::*;

    /// n × n quads on the unit square, their stress by number.
    fn grid(n: usize, stress: impl Fn(usize) -> f64) -> Shot<2> {
        let node = |i: usize, j: usize| j * (n + 1) + i;
        let points: Vec<[f64; 2]> =
            (0..(n + 1) * (n + 1)).map(|k| [k % (n + 1), k / (n + 1)].map(|i| i as f64 / n as f64)).collect();
        let quad = |k: usize| {
            let (i, j) = (k % n, k / n);
            vec![node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]
        };
        Shot {
            time: 0.0,
            reason: String::new(),
            displacement: vec![[0.0; 2]; points.len()],
            body: vec![0; points.len()],
            points,
            cells: (0..n * n).map(quad).collect(),
            values: (0..n * n).map(stress).collect(),
            arrows: Vec::new(),
            joints: Vec::new(),
            skipped: 0,
        }
    }

    /// A circle of 512 sides is round, and a square of as many nodes has four corners.
    #[test]
    fn fine_curves_stay_curves() {
        let n = 512;
        let ring = vec![(0..n).collect::<Vec<usize>>()];
        let circle: Vec<[f64; 2]> = (0..n)
            .map(|i| {
                let (sin, cos) = (std::f64::consts::TAU * i as f64 / n as f64).sin_cos();
                [100.0 + 100.0 * cos, 100.0 + 100.0 * sin]
            })
            .collect();
        let kept: Vec<[f64; 2]> = needed(&circle).into_iter().map(|i| circle[i]).collect();
        let area: f64 = (0..kept.len())
            .map(|i| (kept[i], kept[(i + 1) % kept.len()]))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        // A sagitta of at most 0.03 pixels takes 2/3 of that times the circumference.
        let exact = 2.0 * std::f64::consts::PI * 1e4;
        assert!((area / exact - 1.0).abs() < 1e-3 && kept.len() < 200, "{area} {exact} {}", kept.len());
        assert!(closed(&ring, &circle).matches('L').count() > 50);
        let side = |i: usize| (i % (n / 4)) as f64;
        let square: Vec<[f64; 2]> = (0..n)
            .map(|i| match i / (n / 4) {
                0 => [side(i), 0.0],
                1 => [128.0, side(i)],
                2 => [128.0 - side(i), 128.0],
                _ => [0.0, 128.0 - side(i)],
            })
            .collect();
        assert_eq!(closed(&ring, &square), "M0 0L128 0L128 128L0 128Z");
    }

    fn drawn(shot: Shot<2>, lines: bool) -> (String, Vec<String>) {
        let force = shot.arrows.iter().map(Arrow::size).fold(0.0, f64::max);
        let shots = [shot];
        let common = Common {
            view: View::of(&shots, 1.0, |e| e),
            has_obstacles: false,
            has_joints: false,
            magnification: 1.0,
            shown: &crate::picture::shown::VON_MISES,
            largest: 1.0,
            force,
            lines,
            units: delassus_case::spec::Units::Si,
        };
        let mut notes = Vec::new();
        (picture("fig", "label", &shots[0], &common, &Obstacles(&[]), &mut notes), notes)
    }

    #[test]
    fn a_smooth_field_on_many_cells_is_a_small_picture() {
        let n = 150;
        // Stress grows from left to right.
        let (svg, notes) = drawn(grid(n, |k| (k % n) as f64 / n as f64), false);
        assert!(svg.len() < 8_000 && notes.is_empty(), "{} {notes:?}", svg.len());
        // One path for each colour.
        assert_eq!(svg.matches("stroke-width=\"0.5\"").count(), COLOURS[0]);
    }

    #[test]
    fn a_field_that_varies_wildly_is_drawn_with_fewer_colours_or_none() {
        let noise = |k: usize| ((k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / f64::from(1 << 24);
        let (svg, notes) = drawn(grid(92, noise), false);
        assert!(svg.len() < MOST_BYTES + 10_000, "{}", svg.len());
        assert!(notes.len() == 1 && notes[0].contains("colours instead of 24"), "{} {notes:?}", svg.len());
        let (svg, notes) = drawn(grid(300, noise), false);
        assert!(svg.len() < 10_000 && notes.len() == 1 && notes[0].contains("grey"), "{} {notes:?}", svg.len());
    }

    #[test]
    fn stress_that_is_not_a_number_is_grey() {
        let (svg, _) = drawn(grid(2, |k| if k == 0 { f64::NAN } else { 0.0 }), true);
        assert!(svg.contains("fill=\"#bbbbbb\"") && !svg.contains("NaN"));
        // Three colours of paths at most: grey, the lowest, and the lines.
        assert_eq!(svg.matches("stroke-width=\"0.5\"").count(), 2);
    }

    #[test]
    fn an_arrow_ends_where_the_force_acts_and_its_length_tells_its_size() {
        let mut shot = grid(2, |_| 0.0);
        let arrow = |x: f64, force: [f64; 2]| Arrow { point: [x, 0.0], force, normal: [0.0, 1.0], pair: 0 };
        shot.arrows = vec![arrow(0.0, [0.0, 10.0]), arrow(1.0, [0.0, 5.0]), arrow(0.5, [0.0, 0.01])];
        let shots = [shot];
        let view = View::of(&shots, 1.0, |e| e);
        let corner = view.place([0.0, 0.0], view.centre(&shots[0], 1.0));
        let [shot] = shots;
        let (svg, _) = drawn(shot, true);
        let path = |piece: &str| {
            let at = svg.find(piece).unwrap();
            svg[..at].rsplit_once("<path d=\"").unwrap().1.split('"').next().unwrap().to_owned()
        };
        let starts: Vec<[f64; 2]> = path("class=\"force\"")
            .split('M')
            .skip(1)
            .map(|s| s.split('L').next().unwrap().split(' ').map(|x| x.parse().unwrap()).collect::<Vec<f64>>())
            .map(|v| [v[0], v[1]])
            .collect();
        // The third is too small to be seen.
        assert_eq!(starts.len(), 2);
        // Forces point up: tails lie below the corners, by 42 and 21 pixels.
        assert!((starts[0][0] - corner[0]).abs() < 0.06 && (starts[0][1] - corner[1] - ARROW).abs() < 0.06);
        assert!((starts[1][1] - corner[1] - 0.5 * ARROW).abs() < 0.06);
    }

    /// A ring at the corner where a joint is, drawn over the body; none without joints.
    #[test]
    fn joints_have_a_ring() {
        let mut shot = grid(1, |_| 0.0);
        shot.joints = vec![[1.0, 1.0]];
        let shots = [shot];
        let view = View::of(&shots, 1.0, |e| e);
        let corner = view.place([1.0, 1.0], view.centre(&shots[0], 1.0));
        let [shot] = shots;
        let (svg, _) = drawn(shot, false);
        let at = svg.find("class=\"joint\"").unwrap();
        let path = svg[..at].rsplit_once("<path d=\"M").unwrap().1.split('h').next().unwrap();
        let found: Vec<f64> = path.split(' ').map(|x| x.parse().unwrap()).collect();
        assert!((found[0] - corner[0]).abs() < 0.06 && (found[1] - corner[1]).abs() < 0.06, "{path} {corner:?}");
        assert!(!drawn(grid(1, |_| 0.0), false).0.contains("class=\"joint\""));
    }
}
