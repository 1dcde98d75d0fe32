//! Packings of disks and spheres from a distribution of sizes, with a seed.
//!
//! Radii come from a [`SizeDistribution`], or from counts per radius in a random order ([`shuffled`]). [`deposited`] lets disks fall one after the other and roll down
//! on those that lie, in the plane (Visscher & Bolsterli 1972): each ends where it is held by two others, by one and a wall, or by the floor. [`loose`] puts disks or
//! spheres on a lattice of cells of the largest size, with random places in their cells: they do not touch, and settle in a computation. All are pure functions of their
//! arguments.

use std::f64::consts::TAU;

use delassus_contact::Vector;

/// How radii are distributed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SizeDistribution {
    /// Radii uniform between the two (m).
    Uniform {
        /// Smallest radius (m).
        least: f64,
        /// Largest radius (m).
        most: f64,
    },
    /// The same volume (area) in each range of radii: small bodies are more.
    EqualVolume {
        /// Smallest radius (m).
        least: f64,
        /// Largest radius (m).
        most: f64,
    },
}

/// A disk or sphere of a packing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PackedBall<const D: usize> {
    /// Centre (m).
    pub centre: Vector<D>,
    /// Radius (m).
    pub radius: f64,
}

/// A generator of random numbers that is the same on all machines (splitmix64, Steele, Lea & Flood 2014).
#[derive(Debug, Clone)]
pub struct SeededRandom(u64);

impl SeededRandom {
    /// By its seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((b ^ (b >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl SizeDistribution {
    /// A radius (m) for bodies of `D` dimensions.
    fn radius<const D: usize>(&self, random: &mut SeededRandom) -> f64 {
        let u = random.uniform();
        match *self {
            Self::Uniform { least, most } => least + (most - least) * u,
            Self::EqualVolume { least, most } => {
                // Density of numbers ∝ r⁻ᴰ: the inverse of its integral.
                let k = 1 - D as i32;
                let (a, b) = (least.powi(k), most.powi(k));
                delassus_math::powf(a + (b - a) * u, 1.0 / f64::from(k)).clamp(least, most)
            }
        }
    }

    /// Largest radius (m).
    #[must_use]
    pub fn largest(&self) -> f64 {
        match *self {
            Self::Uniform { least, most } | Self::EqualVolume { least, most } => least.max(most),
        }
    }

    /// Is it a range of lengths?
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let (Self::Uniform { least, most } | Self::EqualVolume { least, most }) = *self;
        least > 0.0 && most >= least && most.is_finite()
    }
}

/// Radii (m) of bodies of `D` dimensions by a distribution; none if the sizes are none.
#[must_use]
pub fn drawn_radii<const D: usize>(count: usize, sizes: &SizeDistribution, seed: u64) -> Vec<f64> {
    let mut random = SeededRandom::new(seed);
    let count = if sizes.is_valid() { count } else { 0 };
    (0..count).map(|_| sizes.radius::<D>(&mut random)).collect()
}

/// Numbers in a random order (Fisher & Yates, from the last).
#[must_use]
pub fn shuffled(mut values: Vec<f64>, seed: u64) -> Vec<f64> {
    let mut random = SeededRandom::new(seed);
    for last in (1..values.len()).rev() {
        let other = ((last + 1) as f64 * random.uniform()) as usize;
        values.swap(last, other.min(last));
    }
    values
}

/// What a seed becomes for places, so that radii drawn with the same seed are other numbers.
const PLACES: u64 = 0x5DEE_CE66_D1CE_4E5B;

fn largest(radii: &[f64]) -> Option<f64> {
    let is_length = |r: &f64| r.is_finite() && *r > 0.0;
    radii.iter().all(is_length).then(|| radii.iter().copied().fold(0.0, f64::max)).filter(|r| *r > 0.0)
}

/// Bodies with these radii (m) that do not touch, layer on layer along the last axis above the origin, on a base with these lengths (m) along the other axes.
///
/// Empty if the base has no room for the largest, or a radius is none.
#[must_use]
pub fn loose<const D: usize>(radii: &[f64], base: &[f64], seed: u64) -> Vec<PackedBall<D>> {
    let Some(largest) = largest(radii) else { return Vec::new() };
    let cell = 2.0 * largest * (1.0 + 1e-9);
    let fits = |length: &f64| ((length / cell).floor().max(0.0) as usize).min(radii.len());
    let cells: Vec<usize> = base.iter().take(D - 1).map(fits).collect();
    if base.len() < D - 1 || cells.contains(&0) {
        return Vec::new();
    }
    let mut random = SeededRandom::new(seed ^ PLACES);
    let place_of = |(i, &radius): (usize, &f64)| {
        let mut rest = i;
        let centre = Vector::from_fn(|k, _| {
            let (place, pitch) = match cells.get(k) {
                Some(n) => {
                    let place = rest % n;
                    rest /= n;
                    (place, base[k] / *n as f64)
                }
                None => (rest, cell),
            };
            place as f64 * pitch + radius + (pitch - 2.0 * radius) * random.uniform()
        });
        PackedBall { centre, radius }
    };
    radii.iter().enumerate().map(place_of).collect()
}

/// Disks with these radii (m) in a container of this width (m), from x = 0, on the floor y = 0: each falls at a random place and rolls down on those that lie.
///
/// Disks touch their supports and do not overlap, up to rounding. Empty if the container is too narrow, or a radius is none.
#[must_use]
pub fn deposited(radii: &[f64], width: f64, seed: u64) -> Vec<PackedBall<2>> {
    let Some(largest) = largest(radii).filter(|r| width.is_finite() && width > 2.0 * r) else { return Vec::new() };
    let mut random = SeededRandom::new(seed ^ PLACES);
    let mut heap = Heap::new(width, 2.0 * largest);
    for &radius in radii {
        let x = radius + (width - 2.0 * radius) * random.uniform();
        heap.drop(x, radius);
    }
    heap.disks
}

/// Disks that lie, in columns.
struct Heap {
    width: f64,
    column: f64,
    columns: Vec<Vec<usize>>,
    disks: Vec<PackedBall<2>>,
}

impl Heap {
    fn new(width: f64, column: f64) -> Self {
        let n = ((width / column).floor() as usize + 1).min(1 << 24);
        Self { width, column, columns: vec![Vec::new(); n], disks: Vec::new() }
    }

    fn column_of(&self, x: f64) -> usize {
        ((x / self.column).floor().max(0.0) as usize).min(self.columns.len() - 1)
    }

    /// Disks in the columns near x: of all disks within `span` widths of a column none is left out.
    fn around(&self, x: f64, span: usize) -> impl Iterator<Item = &PackedBall<2>> + '_ {
        let c = self.column_of(x);
        let near = c.saturating_sub(span)..(c + span + 1).min(self.columns.len());
        near.flat_map(|k| self.columns[k].iter().map(|&i| &self.disks[i]))
    }

    /// What a disk that falls at x from this height lands on, if not on the floor, and where.
    fn landing(&self, x: f64, from: f64, radius: f64) -> (Option<PackedBall<2>>, f64) {
        let mut best = (None, radius);
        for d in self.around(x, 1) {
            let (reach, dx) = (d.radius + radius, x - d.centre.x);
            // One whose side it has just left is not below it.
            if dx.abs() < reach * (1.0 - SIDE) {
                let y = d.centre.y + (reach * reach - dx * dx).sqrt();
                if y > best.1 && d.centre.y < from {
                    best = (Some(*d), y.min(from));
                }
            }
        }
        best
    }

    /// Drops a disk: it falls, rolls about what it lies on, falls again, until it is held.
    fn drop(&mut self, x: f64, radius: f64) {
        let (mut x, mut y) = (x, f64::INFINITY);
        // Each turn goes down; the bound is for rounding alone.
        for _ in 0..10_000 {
            let (support, level) = self.landing(x, y, radius);
            y = level;
            let Some(mut on) = support else { break };
            let is_right = x >= on.centre.x;
            match self.roll(&mut on, &mut x, &mut y, radius, is_right) {
                Rolled::Held => break,
                Rolled::Off => {}
            }
        }
        let column = self.column_of(x);
        self.columns[column].push(self.disks.len());
        self.disks.push(PackedBall { centre: Vector::<2>::new(x, y), radius });
    }

    /// Rolls a disk that lies on another to the right (or left): to a wall, the floor, a disk that stops it, or off its side.
    fn roll(&self, on: &mut PackedBall<2>, x: &mut f64, y: &mut f64, radius: f64, is_right: bool) -> Rolled {
        // Seen in a mirror, the way is always to the right.
        let flip = if is_right { 1.0 } else { -1.0 };
        let wall = if is_right { self.width - radius } else { -radius };
        loop {
            let reach = on.radius + radius;
            let own = flip * on.centre.x;
            let mut next = (own + reach, Event::Side);
            if wall < next.0 {
                next = (wall, Event::Stop);
            }
            let rise = radius - on.centre.y;
            if rise >= 0.0 {
                let floor = own + (reach * reach - rise * rise).max(0.0).sqrt();
                if floor < next.0 {
                    next = (floor, Event::Stop);
                }
            }
            for d in self.around(on.centre.x, 3) {
                for place in crossings(on, d, radius) {
                    let (px, is_above) = (flip * place.x, place.y >= on.centre.y);
                    // Into the other disk, not out of it: its centre is ahead of the motion along the arc.
                    let arm = place - on.centre;
                    let ahead = (d.centre - place).dot(&Vector::<2>::new(flip * arm.y.abs(), -(flip * arm.x)));
                    if is_above && px > flip * *x - SIDE * reach && px < next.0 && ahead > 0.0 {
                        next = (px, Event::Disk(*d));
                    }
                }
            }
            let dx = next.0 - own;
            *x = flip * next.0.max(flip * *x);
            *y = on.centre.y + (reach * reach - dx * dx).max(0.0).sqrt();
            match next.1 {
                Event::Stop => return Rolled::Held,
                Event::Side => return Rolled::Off,
                Event::Disk(d) if flip * d.centre.x > next.0 => return Rolled::Held,
                Event::Disk(d) => *on = d,
            }
        }
    }
}

/// Share of a distance within which disks touch side by side.
const SIDE: f64 = 1e-9;

/// How rolling ended.
enum Rolled {
    Held,
    Off,
}

/// What ends rolling on one disk.
enum Event {
    Side,
    Stop,
    Disk(PackedBall<2>),
}

/// The two places where a disk of this radius touches two others.
fn crossings(a: &PackedBall<2>, b: &PackedBall<2>, radius: f64) -> impl Iterator<Item = Vector<2>> + use<> {
    let (p, q) = (a.radius + radius, b.radius + radius);
    let apart = b.centre - a.centre;
    let d = apart.norm();
    let along = (d * d + p * p - q * q) / (2.0 * d);
    let square = p * p - along * along;
    let is_there = d > 0.0 && square >= 0.0;
    let (middle, e) = (a.centre + apart * (along / d), apart / d);
    let across = Vector::<2>::new(-e.y, e.x) * square.max(0.0).sqrt();
    [middle + across, middle - across].into_iter().filter(move |_| is_there)
}

/// The area (volume) of all balls (m², m³).
#[must_use]
pub fn solid_volume<const D: usize>(balls: &[PackedBall<D>]) -> f64 {
    let one = |b: &PackedBall<D>| {
        let r = b.radius;
        if D == 2 { 0.5 * TAU * r * r } else { 2.0 / 3.0 * TAU * r * r * r }
    };
    balls.iter().map(one).sum()
}
