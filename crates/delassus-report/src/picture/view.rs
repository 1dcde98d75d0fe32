//! What part of the plane of the picture is shown, at what scale, and how much larger displacements are drawn.
//!
//! ```text
//! drawn position = X + m u          m = 1 when motion is visible as it is: max|u| ≥ 2 % of the size of the scene
//! ```
//!
//! Otherwise m is a round number that makes the largest displacement about 5 % of the size. Magnified, two bodies that
//! were g₀ apart and now touch would overlap by (m − 1) g₀: m is limited so that this is below 1 % of the size, and
//! touching bodies are drawn touching.

use delassus_case::spec::{AntagonistSpec, Components, ContactEntry, ObstacleEntry, PlaneOutline};
use delassus_chart::scale::round_down;

use super::shot::{Arrow, Shot, length};

/// Most width of a picture in its own pixels.
const WIDTH: f64 = 560.0;
/// Most height.
const HEIGHT: f64 = 460.0;
/// Least width and height.
const LEAST: [f64; 2] = [300.0, 130.0];
/// Space around the bodies, for arrows.
const MARGIN: f64 = 44.0;
/// Motion is visible as it is when the largest displacement is at least this part of the size.
const VISIBLE: f64 = 0.02;
/// Part of the size that the largest displacement is magnified to.
const MAGNIFIED: f64 = 0.05;
/// Largest overlap of touching bodies, as part of the size.
const OVERLAP: f64 = 0.01;
/// A view longer than so many times the scene follows the bodies.
const FOLLOW: f64 = 2.5;
/// Contacts looked at in each frame to find out how far magnification may go.
const SAMPLE: usize = 100;

/// The smallest box around points.
#[derive(Clone, Copy, Debug)]
pub struct Extent<const D: usize> {
    low: [f64; D],
    high: [f64; D],
}

impl<const D: usize> Extent<D> {
    const NOTHING: Self = Self { low: [f64::INFINITY; D], high: [f64::NEG_INFINITY; D] };

    /// Around these points; those that are not finite do not count.
    pub fn of(points: impl IntoIterator<Item = [f64; D]>) -> Self {
        points.into_iter().filter(|p| p.iter().all(|x| x.is_finite())).fold(Self::NOTHING, Self::with)
    }

    fn with(self, p: [f64; D]) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(p[k])),
            high: std::array::from_fn(|k| self.high[k].max(p[k])),
        }
    }

    /// Around both.
    pub fn join(self, other: Self) -> Self {
        self.with(other.low).with(other.high)
    }

    /// Lowest corner.
    pub fn low(&self) -> [f64; D] {
        self.low
    }

    /// Length along each axis.
    pub fn size(&self) -> [f64; D] {
        std::array::from_fn(|k| (self.high[k] - self.low[k]).max(0.0))
    }

    /// Is the other box inside, or does it enlarge this one by half of its diagonal at most along each axis?
    pub fn is_close_to(&self, other: Self) -> bool {
        let more = self.join(other).size();
        (0..D).all(|k| more[k] <= self.size()[k] + 0.5 * self.diagonal())
    }

    fn diagonal(&self) -> f64 {
        length(&self.size())
    }

    fn centre(&self) -> [f64; D] {
        std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]))
    }
}

/// How displacements are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Magnification {
    /// So many times larger.
    pub factor: f64,
    /// Did contacts hold the factor back?
    pub held_back: bool,
    /// By how much sides that touch overlap in the picture \[m\].
    pub overlap: f64,
}

impl Magnification {
    /// What suits all shots.
    #[must_use]
    pub fn of<const D: usize>(shots: &[Shot<D>], contacts: &[ContactEntry]) -> Self {
        let size = shots.first().map_or(0.0, |s| Extent::of(s.points.iter().copied()).diagonal());
        let u = |s: &Shot<D>| s.displacement.iter().map(length).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let largest = shots.iter().map(u).fold(0.0, f64::max);
        if largest <= 0.0 || largest >= VISIBLE * size {
            return Self { factor: 1.0, held_back: false, overlap: 0.0 };
        }
        let wanted = MAGNIFIED * size / largest;
        let apart = shots.iter().flat_map(|s| s.arrows.iter().take(SAMPLE).map(|a| initial_gap(s, a, contacts)));
        let apart = apart.fold(0.0, f64::max);
        let allowed = if apart > 0.0 { 1.0 + OVERLAP * size / apart } else { f64::INFINITY };
        let factor = round_down(wanted.min(allowed)).max(1.0);
        Self { factor, held_back: allowed < wanted, overlap: (factor - 1.0) * apart }
    }
}

/// How far apart two sides that touch now were at the start \[m\]: their relative displacement along the normal.
fn initial_gap<const D: usize>(shot: &Shot<D>, arrow: &Arrow<D>, contacts: &[ContactEntry]) -> f64 {
    let Some(node) = shot.nearest(arrow.point, |_| true) else { return 0.0 };
    let obstacle = contacts.get(arrow.pair).is_some_and(|c| matches!(c.antagonists, AntagonistSpec::Obstacle(_)));
    // Obstacles are drawn where they are, so the whole displacement counts.
    let other = if obstacle {
        [0.0; D]
    } else {
        let body = shot.body[node];
        shot.nearest(arrow.point, |n| shot.body[n] != body).map_or([0.0; D], |n| shot.displacement[n])
    };
    let u = shot.displacement[node];
    (0..D).map(|k| (u[k] - other[k]) * arrow.normal[k]).sum::<f64>().abs()
}

/// The map from metres to pixels.
pub struct View {
    /// Width and height of a picture in pixels.
    pub size: [f64; 2],
    /// Pixels per metre.
    pub scale: f64,
    /// Is each picture centred on the bodies?
    pub follows: bool,
    centre: [f64; 2],
}

impl View {
    /// A view that shows the bodies in all shots, or follows them when they travel far. `reach` enlarges what is shown to
    /// what else is of interest nearby.
    #[must_use]
    pub fn of(shots: &[Shot<2>], magnification: f64, reach: impl Fn(Extent<2>) -> Extent<2>) -> Self {
        let extents: Vec<Extent<2>> = shots.iter().map(|s| drawn(s, magnification)).collect();
        let all = extents.iter().fold(Extent::NOTHING, |all, e| all.join(*e));
        let one: [f64; 2] = std::array::from_fn(|k| extents.iter().map(|e| e.size()[k]).fold(0.0, f64::max));
        let longest = one[0].max(one[1]);
        let follows = (0..2).any(|k| all.size()[k] > FOLLOW * longest);
        let shown = if follows { one } else { reach(all).size() };
        let centre = if follows { [0.0; 2] } else { reach(all).centre() };
        let room = [WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN];
        let scale = (0..2).map(|k| room[k] / shown[k].max(1e-300)).fold(f64::INFINITY, f64::min);
        let scale = if scale.is_finite() && longest > 0.0 { scale } else { 1.0 };
        let most = [WIDTH, HEIGHT];
        let size = std::array::from_fn(|k| (scale * shown[k] + 2.0 * MARGIN).clamp(LEAST[k], most[k]));
        Self { size, scale, follows, centre }
    }

    /// The middle of the picture of a shot \[m\].
    #[must_use]
    pub fn centre(&self, shot: &Shot<2>, magnification: f64) -> [f64; 2] {
        if self.follows { drawn(shot, magnification).centre() } else { self.centre }
    }

    /// From metres to pixels; y points up in the plane and down in the picture.
    #[must_use]
    pub fn place(&self, p: [f64; 2], centre: [f64; 2]) -> [f64; 2] {
        [0.5 * self.size[0] + self.scale * (p[0] - centre[0]), 0.5 * self.size[1] - self.scale * (p[1] - centre[1])]
    }
}

fn drawn(shot: &Shot<2>, magnification: f64) -> Extent<2> {
    Extent::of((0..shot.points.len()).map(|n| shot.place(n, magnification)))
}

/// The obstacles of a case.
pub struct Obstacles<'a>(pub &'a [ObstacleEntry]);

/// An obstacle at some time.
pub enum Shape {
    /// A point of the boundary \[m\] and the unit outward normal.
    HalfPlane([f64; 2], [f64; 2]),
    /// Both ends \[m\].
    Segment([f64; 2], [f64; 2]),
    /// A closed outline \[m\], and whether the solid is outside it.
    Outline(Vec<[f64; 2]>, bool),
}

impl Obstacles<'_> {
    /// All of them at time `t`, except those of whose motion only the name is known.
    #[must_use]
    pub fn at(&self, t: f64) -> Vec<Shape> {
        let two = |c: &Components| [c.0.first().copied().unwrap_or(0.0), c.0.get(1).copied().unwrap_or(0.0)];
        let shape = |entry: &ObstacleEntry| {
            let moved = [&entry.velocity.x, &entry.velocity.y].map(|f| f.as_ref().map_or(0.0, |f| f.integral(0.0, t)));
            let (sin, cos) = entry.spin.as_ref().map_or(0.0, |f| f.integral(0.0, t)).sin_cos();
            if !moved.iter().chain([&sin]).all(|x| x.is_finite()) {
                return None;
            }
            let pivot = two(&entry.pivot);
            let turned = |v: [f64; 2]| [cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]];
            let placed = |p: [f64; 2]| {
                let v = turned([p[0] - pivot[0], p[1] - pivot[1]]);
                [pivot[0] + v[0] + moved[0], pivot[1] + v[1] + moved[1]]
            };
            Some(match entry.shape.shape::<2>().in_plane() {
                PlaneOutline::HalfPlane { point, normal } => {
                    let n = turned(normal);
                    let length = n[0].hypot(n[1]).max(f64::MIN_POSITIVE);
                    Shape::HalfPlane(placed(point), n.map(|x| x / length))
                }
                PlaneOutline::Segment(a, b) => Shape::Segment(placed(a), placed(b)),
                PlaneOutline::Closed { points, is_hollow } => {
                    Shape::Outline(points.into_iter().map(placed).collect(), is_hollow)
                }
            })
        };
        self.0.iter().filter_map(shape).collect()
    }

    /// The extent enlarged to show the boundary of half-planes that are close by.
    #[must_use]
    pub fn reach(&self, extent: Extent<2>, shots: &[Shot<2>]) -> Extent<2> {
        let centre = extent.centre();
        let mut out = extent;
        for shape in shots.iter().flat_map(|s| self.at(s.time)) {
            let Shape::HalfPlane(point, n) = shape else { continue };
            let depth = (point[0] - centre[0]) * n[0] + (point[1] - centre[1]) * n[1];
            let foot = [centre[0] + depth * n[0], centre[1] + depth * n[1]];
            if extent.is_close_to(Extent::of([foot])) {
                out = out.with(foot);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit square moved by `u`, with one contact force along y at its lower left corner.
    fn shot(u: [f64; 2], touching: bool) -> Shot<2> {
        let arrow = Arrow { point: u, force: [0.0, 1.0], normal: [0.0, 1.0], pair: 0 };
        Shot {
            time: 0.0,
            reason: String::new(),
            points: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            displacement: vec![u; 4],
            cells: vec![vec![0, 1, 2, 3]],
            body: vec![0; 4],
            values: vec![1.0],
            arrows: if touching { vec![arrow] } else { vec![] },
            joints: Vec::new(),
            skipped: 0,
        }
    }

    fn floor() -> Vec<ContactEntry> {
        let text =
            "(name: \"c\", candidates: (body: \"b\", group: \"g\"), antagonists: Obstacle(\"o\"), law: Frictionless)";
        vec![delassus_case::source::options().from_str(text).unwrap()]
    }

    fn check(u: [f64; 2], touching: bool, factor: f64, held_back: bool) {
        let found = Magnification::of(&[shot([0.0; 2], false), shot(u, touching)], &floor());
        assert!((found.factor - factor).abs() < 1e-9 * factor && found.held_back == held_back, "{u:?}: {found:?}");
        // The square was above the floor by what it fell.
        let overlap = if touching { (factor - 1.0) * u[1].abs() } else { 0.0 };
        assert!((found.overlap - overlap).abs() < 1e-12, "{u:?}: {found:?}");
    }

    #[test]
    fn visible_motion_is_drawn_as_it_is_and_small_motion_magnified() {
        check([0.5, 0.0], false, 1.0, false);
        check([0.0, 0.0], false, 1.0, false);
        // 5 % of √2 is 0.0707.
        check([1e-3, 0.0], false, 50.0, false);
        check([1e-6, 0.0], false, 5e4, false);
    }

    #[test]
    fn what_touches_is_drawn_touching() {
        // Sliding along the floor: no gap was closed.
        check([1e-3, 0.0], true, 50.0, false);
        // The square fell by 1e-3 on the floor: at 50× it would sink in by 5 %; at 10× by 0.9 % of 1.41.
        check([0.0, -1e-3], true, 10.0, true);
        check([0.0, -0.02], true, 1.0, true);
    }

    #[test]
    fn a_view_holds_the_bodies_or_follows_them() {
        let near = [shot([0.0; 2], false), shot([0.5, 0.2], false)];
        let view = View::of(&near, 1.0, |e| e);
        assert!(!view.follows);
        for s in &near {
            for n in 0..4 {
                let p = view.place(s.place(n, 1.0), view.centre(s, 1.0));
                assert!((0..2).all(|k| p[k] >= MARGIN - 1e-9 && p[k] <= view.size[k] - MARGIN + 1e-9), "{p:?}");
            }
        }
        let far = [shot([0.0; 2], false), shot([50.0, 0.0], false)];
        let view = View::of(&far, 1.0, |e| e);
        assert!(view.follows);
        let p = view.place([50.5, 0.5], view.centre(&far[1], 1.0));
        assert!((p[0] - 0.5 * view.size[0]).abs() < 1e-9 && (p[1] - 0.5 * view.size[1]).abs() < 1e-9);
    }

    #[test]
    fn a_floor_close_by_is_in_view_and_moves_with_its_velocity() {
        let text = "[(name: \"o\", shape: HalfPlane(point: (9.0, -0.2), normal: (0.0, 2.0)), velocity: (y: 0.5))]";
        let entries: Vec<ObstacleEntry> = delassus_case::source::options().from_str(text).unwrap();
        let obstacles = Obstacles(&entries);
        let Shape::HalfPlane(point, normal) = obstacles.at(0.2).remove(0) else { panic!("a half-plane") };
        assert!((point[1] + 0.1).abs() < 1e-12 && (normal[1] - 1.0).abs() < 1e-12);
        let shots = [shot([0.0; 2], false)];
        let view = View::of(&shots, 1.0, |e| obstacles.reach(e, &shots));
        let y = view.place([0.5, -0.2], view.centre(&shots[0], 1.0))[1];
        assert!(y <= view.size[1] - MARGIN + 1e-9, "{y}");
    }
}
