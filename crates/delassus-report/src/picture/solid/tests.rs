//! Pictures of boxes in space: what is drawn, in which order, and how large the picture is.

use super::super::shot::Arrow;
use super::super::testing::cuboid;
use super::super::veil::StageSet;
use super::super::view::View;
use super::*;

/// Boxes with one stress each.
fn boxes(list: &[([f64; 3], [f64; 3], f64)]) -> Shot<3> {
    let mut shot = empty();
    for (low, size, stress) in list {
        for ring in cuboid(*low, *size) {
            let known =
                |x: &[f64; 3], all: &[[f64; 3]]| all.iter().position(|y| x.map(f64::to_bits) == y.map(f64::to_bits));
            let mut nodes = Vec::new();
            for x in ring {
                let node = known(&x, &shot.points).unwrap_or(shot.points.len());
                if node == shot.points.len() {
                    shot.points.push(x);
                }
                nodes.push(node);
            }
            shot.cells.push(nodes);
            shot.values.push(*stress);
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
        values: Vec::new(),
        arrows: Vec::new(),
        joints: Vec::new(),
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
            shot.values.push(stress(k));
        }
    }
    shot.displacement = vec![[0.0; 3]; shot.points.len()];
    shot
}

fn drawn(shot: &Shot<3>, walls: &Walls, lines: bool) -> (String, usize, Vec<String>) {
    let camera = Camera::of(&StageSet::of(shot, walls, 1.0).stage(), [0.0, 1.0, 0.0]);
    let flat = [camera.project(shot)];
    let view = View::of(&flat, 1.0, |e| e);
    let surface = Surface::of(shot, walls, 1.0, &camera, view.scale);
    let common = Common {
        view,
        has_obstacles: false,
        has_joints: false,
        magnification: 1.0,
        shown: &crate::picture::shown::VON_MISES,
        largest: 1.0,
        force: shot.arrows.iter().map(Arrow::size).fold(0.0, f64::max),
        lines,
        units: delassus_case::spec::Units::Si,
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
    let separate = || Walls { points: points.clone(), faces: (0..6).map(|f| (4 * f..4 * f + 4).collect()).collect() };
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
    let force = [3.0, 4.0, 12.0];
    shot.arrows = vec![Arrow { point: [0.0; 3], force, normal: [0.0, 1.0, 0.0], pair: 0 }];
    let camera = Camera::of(&StageSet::of(&shot, &Walls::default(), 1.0).stage(), [0.0, 1.0, 0.0]);
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
