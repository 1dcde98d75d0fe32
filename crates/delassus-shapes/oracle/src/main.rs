//! Contacts and mass properties of random convex shapes, compared with parry.
//!
//! ```text
//! cargo run --release --manifest-path crates/delassus-shapes/oracle/Cargo.toml [PAIRS]
//! ```
//!
//! Where the two differ by more than [`DIFFERENT`], support functions judge: s(n) is the distance that the planes across n have between
//! the shapes. Distance and depth are the largest s(n) over all n, so that of two answers the one with the greater s along its own normal is nearer to the
//! truth. The exit code is 1 if parry's is, anywhere, or if masses differ.

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{Known, Plenty, Random, along, found, least};
use delassus_contact::{Dimension, Vector};
use delassus_shapes::ShapePose;

/// Parry's iterations stop at this share of sizes of about 1, or earlier.
const DIFFERENT: f64 = 1e-8;

/// Distance (or depth, negative), and normal from b to a.
type Answer<const D: usize> = (f64, Vector<D>);

trait Parry<const D: usize>: Plenty<D> {
    fn answer(a: (&Known<D>, &ShapePose<D>), b: (&Known<D>, &ShapePose<D>), reach: f64) -> Option<Answer<D>>;
    /// Mass, centre, moment of inertia (in space: trace of the inertia).
    fn mass(known: &Known<D>) -> Option<(f64, Vector<D>, f64)>;
}

macro_rules! parry {
    ($d:literal, $library:ident, $shape_of:ident, $pose_of:ident, $mass:ident, $moment:expr) => {
        impl Parry<$d> for Dimension<$d> {
            fn answer(
                a: (&Known<$d>, &ShapePose<$d>),
                b: (&Known<$d>, &ShapePose<$d>),
                reach: f64,
            ) -> Option<Answer<$d>> {
                let (p, q) = ($shape_of(a.0)?, $shape_of(b.0)?);
                let found = $library::query::contact(&$pose_of(a.1), &*p, &$pose_of(b.1), &*q, reach).ok()??;
                Some((found.dist, -Vector::<$d>::from(found.normal1.to_array())))
            }

            fn mass(known: &Known<$d>) -> Option<(f64, Vector<$d>, f64)> {
                let m = $mass(known)?;
                Some((m.mass(), Vector::<$d>::from(m.local_com.to_array()), $moment(&m)))
            }
        }
    };
}

parry!(2, parry2d_f64, shape_2, pose_2, mass_2, |m: &parry2d_f64::mass_properties::MassProperties| m.principal_inertia());
parry!(3, parry3d_f64, shape_3, pose_3, mass_3, |m: &parry3d_f64::mass_properties::MassProperties| {
    let i = m.principal_inertia();
    i.x + i.y + i.z
});

fn pose_2(p: &ShapePose<2>) -> parry2d_f64::math::Pose {
    use parry2d_f64::math::{Pose, Rotation, Vector};
    let rotation = Rotation::from_cos_sin_unchecked(p.rotation[(0, 0)], p.rotation[(1, 0)]);
    Pose::from_parts(Vector::new(p.position.x, p.position.y), rotation)
}

fn pose_3(p: &ShapePose<3>) -> parry3d_f64::math::Pose {
    use parry3d_f64::math::{Matrix, Pose, Rotation, Vector};
    let column = |k: usize| Vector::new(p.rotation[(0, k)], p.rotation[(1, k)], p.rotation[(2, k)]);
    let rotation = Rotation::from_mat3(&Matrix::from_cols(column(0), column(1), column(2)));
    Pose::from_parts(Vector::new(p.position.x, p.position.y, p.position.z), rotation)
}

fn mass_2(known: &Known<2>) -> Option<parry2d_f64::mass_properties::MassProperties> {
    // Parry places the centre of half a disk at 3/8 of the radius, as of half a ball, instead of 4/(3π).
    (known.name != "capsule").then(|| shape_2(known).map(|s| s.mass_properties(2.0)))?
}

fn mass_3(known: &Known<3>) -> Option<parry3d_f64::mass_properties::MassProperties> {
    if known.radius > 0.0 || known.name == "block" {
        return shape_3(known).map(|s| s.mass_properties(2.0));
    }
    let (points, triangles) = triangles(known);
    Some(parry3d_f64::mass_properties::MassProperties::from_trimesh(2.0, &points, &triangles))
}

fn shape_2(known: &Known<2>) -> Option<Box<dyn parry2d_f64::shape::Shape>> {
    use parry2d_f64::math::Vector;
    use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, Cuboid};
    let points: Vec<Vector> = known.corners.iter().map(|c| Vector::new(c.x, c.y)).collect();
    Some(match known.name {
        "ball" => Box::new(Ball::new(known.radius)),
        "capsule" => Box::new(Capsule::new(points[0], points[1], known.radius)),
        "block" => Box::new(Cuboid::new(points[2])),
        _ => Box::new(ConvexPolygon::from_convex_polyline_unmodified(points)?),
    })
}

fn shape_3(known: &Known<3>) -> Option<Box<dyn parry3d_f64::shape::Shape>> {
    use parry3d_f64::math::Vector;
    use parry3d_f64::shape::{Ball, Capsule, ConvexPolyhedron, Cuboid};
    let points: Vec<Vector> = known.corners.iter().map(|c| Vector::new(c.x, c.y, c.z)).collect();
    Some(match known.name {
        "ball" => Box::new(Ball::new(known.radius)),
        "capsule" => Box::new(Capsule::new(points[0], points[1], known.radius)),
        "block" => Box::new(Cuboid::new(points[7])),
        _ => {
            // Our own triangles: parry's hulls move normals by 3e-5.
            let (points, triangles) = triangles(known);
            Box::new(ConvexPolyhedron::from_convex_mesh(points, &triangles)?)
        }
    })
}

/// The surface of a polyhedron in triangles.
fn triangles(known: &Known<3>) -> (Vec<parry3d_f64::math::Vector>, Vec<[u32; 3]>) {
    let surface = known.shape.surface(8);
    let points = surface.points.iter().map(|c| parry3d_f64::math::Vector::new(c.x, c.y, c.z)).collect();
    let fan = |f: &Vec<usize>| (1..f.len() - 1).map(|i| [f[0], f[i], f[i + 1]].map(|c| c as u32)).collect::<Vec<_>>();
    (points, surface.facets.iter().flat_map(fan).collect())
}

#[derive(Debug, Default)]
struct Row {
    pairs: usize,
    compared: usize,
    worst: f64,
    different: usize,
    ours_better: usize,
    theirs_better: usize,
}

fn compare<const D: usize>(pairs: usize) -> bool
where
    Dimension<D>: Parry<D>,
{
    let mut random = Random(D as u64);
    let [mut apart, mut deep] = [Row::default(), Row::default()];
    let mut masses: std::collections::BTreeMap<&str, [f64; 3]> = std::collections::BTreeMap::new();
    for _ in 0..pairs {
        let (a, b) = (Dimension::<D>::convex(&mut random), Dimension::<D>::convex(&mut random));
        let (p, q) = (Dimension::<D>::turned(&mut random), Dimension::<D>::turned(&mut random));
        for known in [&a, &b] {
            if let (Some((mass, centre, moment)), Ok(own)) = (Dimension::<D>::mass(known), known.shape.mass_properties(2.0)) {
                let row = masses.entry(known.name).or_default();
                let off = [mass / own.mass - 1.0, (centre - own.centre).norm(), moment / own.inertia.trace() - 1.0];
                (0..3).for_each(|k| row[k] = row[k].max(off[k].abs()));
            }
        }
        let reach = 3.0;
        let all = found((&a.shape, &p), (&b.shape, &q), reach);
        let Some(gap) = least(&all) else { continue };
        let row = if gap > 0.0 { &mut apart } else { &mut deep };
        row.pairs += 1;
        let Some((theirs, normal)) = Dimension::<D>::answer((&a, &p), (&b, &q), reach) else { continue };
        row.compared += 1;
        let difference = (theirs - gap).abs();
        row.worst = row.worst.max(difference);
        if difference > DIFFERENT {
            row.different += 1;
            let own = all.iter().find(|c| c.gap <= gap).map_or(Vector::zeros(), |c| c.normal);
            let [ours, other] = [own, normal].map(|n| along((&a, &p), (&b, &q), &n));
            let is_ours = (ours - gap).abs() < 1e-10 && ours >= other - 1e-10;
            row.ours_better += usize::from(is_ours);
            row.theirs_better += usize::from(!is_ours);
            if !is_ours {
                println!("parry is right: {} {p:?} {} {q:?}: {gap} {theirs}, along {ours} {other}", a.name, b.name);
            }
        }
    }
    println!("dimension {D}");
    for (name, [m, c, i]) in &masses {
        println!("  {name:12} mass differs by {m:.1e}, centre by {c:.1e}, moment of inertia by {i:.1e}");
    }
    for (name, row) in [("apart", &apart), ("penetrating", &deep)] {
        println!(
            "  {name:12} {} pairs, {} compared, largest difference {:.1e}; {} differ by more than {DIFFERENT:e}: in {} ours is certified, in {} parry's",
            row.pairs, row.compared, row.worst, row.different, row.ours_better, row.theirs_better
        );
    }
    masses.values().flatten().all(|m| *m < 1e-9) && apart.theirs_better + deep.theirs_better == 0 && apart.compared + deep.compared > pairs / 2
}

fn main() {
    let pairs = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let good = [compare::<2>(pairs), compare::<3>(pairs)];
    std::process::exit(i32::from(good != [true; 2]));
}
