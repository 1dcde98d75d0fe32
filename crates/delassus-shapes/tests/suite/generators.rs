//! Packings and masonry: nothing overlaps, everything is held, and a seed is a packing.
use crate::common::{found, least};
use delassus_contact::{Dimension, Vector};
use delassus_error::Coded;
use delassus_shapes::{
    Arch, BrickWall, Colonnade, CourseEnds, Dome, PlacedBlock, RigidShape, ShapePose, ShapeSpace, SizeDistribution,
    deposited, drawn_radii, loose, shuffled, solid_volume,
};

const SIZES: SizeDistribution = SizeDistribution::EqualVolume { least: 0.5, most: 1.5 };

#[test]
fn deposited_disks_are_held_and_do_not_overlap() {
    let width = 30.0;
    let radii = drawn_radii::<2>(600, &SIZES, 7);
    let disks = deposited(&radii, width, 7);
    assert_eq!(disks.len(), 600);
    let mut overlap = 0.0_f64;
    for (i, a) in disks.iter().enumerate() {
        for b in &disks[..i] {
            overlap = overlap.max(a.radius + b.radius - (a.centre - b.centre).norm());
        }
        overlap = overlap.max(a.radius - a.centre.x).max(a.centre.x + a.radius - width).max(a.radius - a.centre.y);
        assert!((0.5..=1.5).contains(&a.radius));
    }
    assert!(overlap < 1e-9, "{overlap}");
    // Held by the floor, or by a disk below on one side and on the other side by a wall or a disk, which may be higher: it then stops the rolling.
    let mut loose_ones = 0;
    for (i, a) in disks.iter().enumerate() {
        let touches = |b: &delassus_shapes::PackedBall<2>| (a.centre - b.centre).norm() - a.radius - b.radius < 1e-7;
        let beside: Vec<_> = disks[..i].iter().filter(|b| touches(b)).collect();
        let left = beside.iter().any(|b| b.centre.x <= a.centre.x) || a.centre.x - a.radius < 1e-9;
        let right = beside.iter().any(|b| b.centre.x >= a.centre.x) || width - a.centre.x - a.radius < 1e-9;
        let below = beside.iter().any(|b| b.centre.y < a.centre.y);
        let on_floor = a.centre.y - a.radius < 1e-9;
        loose_ones += usize::from(!(on_floor || (below && left && right)));
    }
    assert_eq!(loose_ones, 0);
    // Random packings by deposition fill 0.75 … 0.85 of the plane.
    let top = 0.8 * disks.iter().map(|d| d.centre.y).fold(0.0, f64::max);
    let inside: Vec<_> = disks.iter().copied().filter(|d| d.centre.y < top).collect();
    let share = solid_volume(&inside) / (width * top);
    assert!((0.7..0.9).contains(&share), "{share}");
    assert_eq!(disks, deposited(&drawn_radii::<2>(600, &SIZES, 7), width, 7), "a seed is a packing");
    assert_ne!(disks, deposited(&radii, width, 8));
    assert_ne!(radii, drawn_radii::<2>(600, &SIZES, 8));
    assert!(deposited(&[0.5, 1.2], 2.0, 1).is_empty() && deposited(&[0.5], f64::NAN, 1).is_empty());
    assert!(drawn_radii::<2>(5, &SizeDistribution::Uniform { least: 2.0, most: 1.0 }, 1).is_empty());
    assert!(deposited(&[0.5, -0.1], 9.0, 1).is_empty() && deposited(&[], 9.0, 1).is_empty());
}

#[test]
fn a_shuffle_keeps_what_it_mixes() {
    let ascending: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut mixed = shuffled(ascending.clone(), 3);
    assert_eq!(mixed, shuffled(ascending.clone(), 3));
    assert_ne!(mixed, shuffled(ascending.clone(), 4));
    // Ranks that are mixed are correlated with their places by less than 4/√n.
    let mean = 499.5;
    let product: f64 = mixed.iter().zip(&ascending).map(|(a, b)| (a - mean) * (b - mean)).sum();
    let square: f64 = ascending.iter().map(|b| (b - mean) * (b - mean)).sum();
    assert!((product / square).abs() < 4.0 / 1000.0_f64.sqrt(), "{}", product / square);
    mixed.sort_by(f64::total_cmp);
    assert_eq!(mixed, ascending);
}

#[test]
fn sizes_follow_their_distribution() {
    // Half of the area in the lower half of radii (means of 4000: 3 % is four standard deviations), and half of the numbers.
    let share = |sizes: SizeDistribution| {
        let all = loose::<2>(&drawn_radii::<2>(4000, &sizes, 3), &[100.0], 3);
        let small: Vec<_> = all.iter().copied().filter(|b| b.radius < 1.0).collect();
        (small.len() as f64 / 4000.0, solid_volume(&small) / solid_volume(&all))
    };
    let (_, area) = share(SIZES);
    assert!((area - 0.5).abs() < 0.03, "{area}");
    let (number, _) = share(SizeDistribution::Uniform { least: 0.5, most: 1.5 });
    assert!((number - 0.5).abs() < 0.03, "{number}");
}

#[test]
fn loose_spheres_do_not_touch() {
    let balls = loose::<3>(&drawn_radii::<3>(500, &SIZES, 1), &[10.0, 12.0], 1);
    assert_eq!(balls.len(), 500);
    for (i, a) in balls.iter().enumerate() {
        assert!(
            (0..3).all(|k| a.centre[k] - a.radius >= 0.0)
                && a.centre.x + a.radius <= 10.0
                && a.centre.y + a.radius <= 12.0
        );
        assert!(balls[..i].iter().all(|b| (a.centre - b.centre).norm() > a.radius + b.radius));
    }
    assert!(loose::<3>(&[1.5], &[1.0, 9.0], 1).is_empty() && loose::<3>(&[0.5], &[9.0], 1).is_empty());
}

/// The pairs of blocks that touch, none deeper than rounding.
fn touching<const D: usize>(blocks: &[PlacedBlock<D>]) -> usize
where
    Dimension<D>: ShapeSpace<D>,
{
    let mut count = 0;
    for (i, (a, p)) in blocks.iter().enumerate() {
        for (b, q) in &blocks[..i] {
            if let Some(gap) = least(&found((a, p), (b, q), 1e-6)) {
                assert!(gap > -1e-12, "{gap}");
                count += 1;
            }
        }
    }
    count
}

#[test]
fn walls_of_bricks() {
    let mut wall = BrickWall {
        brick: Vector::<3>::new(0.2, 0.1, 0.05),
        per_course: 4,
        courses: 3,
        joint: 0.0,
        shift: 0.5,
        ends: CourseEnds::Closed,
    };
    let bricks = wall.bricks().expect("a wall");
    // 4, 5 with two halves, 4; in a course each touches the next, and each end of a brick above lies on one of two below.
    assert_eq!((bricks.len(), touching(&bricks)), (13, 3 + 4 + 3 + 8 + 8));
    let mass =
        |list: &[PlacedBlock<3>]| list.iter().map(|(s, _)| s.mass_properties(1.0).expect("a mass").mass).sum::<f64>();
    assert!((mass(&bricks) - 0.8 * 0.1 * 0.15).abs() < 1e-15);
    wall.joint = 0.01;
    assert_eq!(touching(&wall.bricks().expect("a wall")), 0);
    // Every course 3½ bricks: in each the half brick is at the other end, and each end of a brick lies on one of two below, the straight ends on one.
    let alternate = BrickWall { joint: 0.0, ends: CourseEnds::Alternate, ..wall };
    let bricks = alternate.bricks().expect("a wall");
    assert_eq!((bricks.len(), touching(&bricks)), (12, 3 * 3 + 2 * (2 * 4 - 1)));
    assert!((mass(&bricks) - 0.7 * 0.1 * 0.15).abs() < 1e-15);
    let toothed = BrickWall { joint: 0.0, ends: CourseEnds::Toothed, ..wall };
    let ends = toothed.bricks().expect("a wall").iter().map(|(_, p)| p.position[0] + 0.1).fold(0.0, f64::max);
    assert!((ends - 0.9).abs() < 1e-15, "{ends}");
    let stack = BrickWall { shift: 0.0, joint: 0.0, ..wall };
    assert_eq!(touching(&stack.bricks().expect("a wall")), 3 * 3 + 2 * (4 + 6), "blocks also meet at edges");
    let bad = BrickWall { brick: Vector::<3>::new(0.2, 0.0, 0.05), ..wall };
    assert_eq!(bad.bricks().expect_err("flat bricks").code().0, "E0571");
}

#[test]
fn arches_of_voussoirs() {
    let arch = Arch { inner: 1.0, outer: 1.2, angle: std::f64::consts::PI, count: 27 };
    let blocks = arch.voussoirs().expect("an arch");
    assert_eq!((blocks.len(), touching(&blocks)), (27, 26));
    // Two points a joint, on radial lines.
    let all = found((&blocks[3].0, &blocks[3].1), (&blocks[4].0, &blocks[4].1), 1e-9);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|c| c.normal.dot(&c.on_a.normalize()).abs() < 1e-12));
    // The springings are on the ground.
    let ground = RigidShape::half_space(Vector::<2>::new(0.0, 1.0)).expect("a wall");
    for end in [&blocks[0], &blocks[26]] {
        let feet = found((&end.0, &end.1), (&ground, &ShapePose::default()), 1e-9);
        assert!(feet.len() == 2 && feet.iter().all(|c| c.gap.abs() < 1e-15), "{feet:?}");
    }
    assert_eq!(Arch { outer: 0.9, ..arch }.voussoirs().expect_err("no thickness").code().0, "E0571");
}

#[test]
fn columns_with_architraves() {
    let row = Colonnade {
        columns: 3,
        spacing: 3.0,
        drums: 4,
        diameter: 1.0,
        taper: 0.8,
        drum_height: 0.9,
        architrave: 0.7,
        sides: 8,
    };
    // In a column each drum on the next, an outer architrave on two columns and the other one; both on that in the middle.
    let plane = row.plane().expect("columns");
    assert_eq!((plane.len(), row.n_blocks(), touching(&plane)), (14, 14, 3 * 3 + 4 + 1));
    let space = row.space().expect("columns");
    assert_eq!((space.len(), touching(&space)), (14, 3 * 3 + 4 + 1));
    // A frustum of an octagonal prism: h (A + √(A B) + B)/3 with A = 2 √2 r².
    let area = |r: f64| 2.0 * 2.0_f64.sqrt() * r * r;
    let (a, b) = (area(0.5), area(0.4));
    let volume: f64 = space[..4].iter().map(|(s, _)| s.mass_properties(1.0).expect("a mass").mass).sum();
    assert!((volume - 3.6 * (a + (a * b).sqrt() + b) / 3.0).abs() < 1e-12, "{volume}");
    let beams: f64 = space[12..].iter().map(|(s, _)| s.mass_properties(1.0).expect("a mass").mass).sum();
    assert!((beams - 6.8 * 0.8 * 0.7).abs() < 1e-12, "{beams}");
    assert_eq!(Colonnade { sides: 2, ..row }.space().expect_err("flat").code().0, "E0574");
    assert_eq!(Colonnade { spacing: 0.0, ..row }.plane().expect_err("one place").code().0, "E0571");
}

#[test]
fn rings_of_a_dome() {
    let half = std::f64::consts::FRAC_PI_2;
    let mut dome =
        Dome { inner: 4.5, outer: 5.0, latitudes: [0.0, half / 3.0], rings: 3, per_ring: 12, is_bonded: true };
    // Each with both neighbours of its ring, and with two of the ring above.
    let blocks = dome.blocks().expect("a dome");
    assert_eq!((blocks.len(), touching(&blocks)), (36, 3 * 12 + 2 * 24));
    let mass = |list: &[PlacedBlock<3>]| -> f64 {
        list.iter().map(|(s, _)| s.mass_properties(1.0).expect("a mass").mass).sum()
    };
    let halves = mass(&blocks);
    dome.is_bonded = false;
    dome.per_ring = 24;
    let fine = dome.blocks().expect("a dome");
    // Blocks of a stack also meet at the edges of those beside the next ones.
    assert!(touching(&fine) >= 3 * 24 + 2 * 24);
    assert!((halves / mass(&fine) - 1.0).abs() < 1e-12, "halves of twelve are twenty-four");
    assert_eq!(Dome { inner: 5.0, ..dome }.blocks().expect_err("no thickness").code().0, "E0571");
    assert_eq!(Dome { per_ring: 2, ..dome }.blocks().expect_err("no ring").code().0, "E0574");
}
