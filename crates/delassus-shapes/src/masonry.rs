//! Courses of bricks, rings of voussoirs, columns and domes: where the blocks are, and their shapes.

use std::f64::consts::{PI, TAU};

use delassus_contact::{Dimension, Vector};

use crate::{RigidShape, ShapeError, ShapePose, ShapeSpace};

/// A block of masonry: its shape about its own origin, and where that is.
pub type PlacedBlock<const D: usize> = (RigidShape<D>, ShapePose<D>);

/// How courses of bricks end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CourseEnds {
    /// Shifted courses are filled up with parts of bricks at both ends, so that the ends of the wall are straight.
    #[default]
    Closed,
    /// Shifted courses stick out at one end.
    Toothed,
    /// One brick of every course is a part, as long as the shift: the last of unshifted courses, the first of the others. The ends are straight, and all courses have as many bricks.
    Alternate,
}

/// A wall of courses, one brick thick, from the origin along the first axis; the last axis is upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrickWall<const D: usize> {
    /// Lengths of a brick along the axes (m).
    pub brick: Vector<D>,
    /// Bricks in a course.
    pub per_course: usize,
    /// Number of courses.
    pub courses: usize,
    /// Width of the joints (m), 0 for dry masonry: along a course and between courses.
    pub joint: f64,
    /// Shift of every other course, in bricks: ½ for a running bond, 0 for a stack.
    pub shift: f64,
    /// How its courses end.
    pub ends: CourseEnds,
}

impl<const D: usize> BrickWall<D>
where
    Dimension<D>: ShapeSpace<D>,
{
    /// The bricks, course by course from the bottom, each from left to right. The wall stands on the plane through the origin.
    pub fn bricks(&self) -> Result<Vec<PlacedBlock<D>>, ShapeError> {
        let (length, height) = (self.brick[0], self.brick[D - 1]);
        let whole = RigidShape::block(self.brick)?;
        let shift = self.shift - self.shift.floor();
        let pitch = length + self.joint;
        let (n, begin) = (self.per_course, shift * pitch);
        let mut all = Vec::new();
        for course in 0..self.courses {
            let mut brick = |from: f64, to: f64, is_whole: bool| -> Result<(), ShapeError> {
                let mut position = Vector::zeros();
                position[0] = from + 0.5 * (to - from);
                position[D - 1] = 0.5 * height + course as f64 * (height + self.joint);
                let shape = if is_whole {
                    whole.clone()
                } else {
                    let mut size = self.brick;
                    size[0] = to - from;
                    RigidShape::block(size)?
                };
                all.push((shape, ShapePose::at(position)));
                Ok(())
            };
            let is_shifted = course % 2 == 1 && shift > 0.0;
            let has_part = shift > 0.0 && self.ends == CourseEnds::Alternate;
            let (first, count) = match self.ends {
                _ if !is_shifted => (0.0, if has_part { n.saturating_sub(1) } else { n }),
                CourseEnds::Toothed => (begin, n),
                CourseEnds::Closed | CourseEnds::Alternate => (begin, n.saturating_sub(1)),
            };
            if is_shifted && self.ends != CourseEnds::Toothed && n > 0 {
                brick(0.0, begin - self.joint, false)?;
            }
            (0..count).try_for_each(|i| brick(first + i as f64 * pitch, first + i as f64 * pitch + length, true))?;
            if n > 0 && !is_shifted && has_part {
                let from = count as f64 * pitch;
                brick(from, from + begin - self.joint, false)?;
            }
            if n > 0 && is_shifted && self.ends == CourseEnds::Closed {
                brick(begin + count as f64 * pitch, n as f64 * pitch - self.joint, false)?;
            }
        }
        Ok(all)
    }
}

/// A circular arch in the plane about the origin, with its springings on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arch {
    /// Radius of the inner face (m).
    pub inner: f64,
    /// Radius of the outer face (m).
    pub outer: f64,
    /// Angle of the whole ring (rad): π for a half circle. It is symmetric about the vertical.
    pub angle: f64,
    /// Number of voussoirs.
    pub count: usize,
}

impl Arch {
    /// The voussoirs from right to left. Inner and outer faces are chords; joints are radial and exact, without gaps.
    pub fn voussoirs(&self) -> Result<Vec<PlacedBlock<2>>, ShapeError> {
        let thickness = self.outer - self.inner;
        if thickness.is_nan() || thickness <= 0.0 {
            return Err(ShapeError::ShapeSize { what: "thickness", value: thickness });
        }
        if !(self.angle > 0.0 && self.angle < TAU) {
            return Err(ShapeError::ShapeSize { what: "angle", value: self.angle });
        }
        let ray = |i: usize| {
            let turned = 0.5 * (PI - self.angle) + self.angle * i as f64 / self.count as f64;
            Vector::<2>::new(delassus_math::cos(turned), delassus_math::sin(turned))
        };
        let one = |i: usize| {
            let corners = [ray(i) * self.inner, ray(i) * self.outer, ray(i + 1) * self.outer, ray(i + 1) * self.inner];
            let centre = corners.iter().sum::<Vector<2>>() / 4.0;
            let shape = RigidShape::polygon(&corners.map(|c| c - centre))?;
            Ok((shape, ShapePose::at(centre)))
        };
        (0..self.count).map(one).collect()
    }
}

/// A row of columns along the first axis from the origin, of drums, with architraves from axis to axis of the columns; the last axis is upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colonnade {
    /// Number of columns.
    pub columns: usize,
    /// Distance of their axes (m).
    pub spacing: f64,
    /// Drums in a column.
    pub drums: usize,
    /// Diameter of a column at its foot (m): of the circle through the corners of a drum.
    pub diameter: f64,
    /// Diameter at the top over that at the foot.
    pub taper: f64,
    /// Height of a drum (m).
    pub drum_height: f64,
    /// Height of the architraves (m); 0 for none.
    pub architrave: f64,
    /// Sides of a drum, in space.
    pub sides: usize,
}

impl Colonnade {
    /// How many blocks.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        let beams = if self.architrave > 0.0 { self.columns.saturating_sub(1) } else { 0 };
        self.columns.saturating_mul(self.drums).saturating_add(beams)
    }

    /// Radius of a column at the foot of its k-th drum.
    fn radius(&self, k: usize) -> f64 {
        0.5 * self.diameter * (1.0 + (self.taper - 1.0) * k as f64 / self.drums.max(1) as f64)
    }

    /// The drums, column by column from the first, each from below, then the architraves: `drum` makes one from its radii, `beam` one of a length.
    fn placed<const D: usize>(
        &self,
        drum: impl Fn([f64; 2]) -> Result<RigidShape<D>, ShapeError>,
        beam: impl Fn(f64) -> Result<RigidShape<D>, ShapeError>,
    ) -> Result<Vec<PlacedBlock<D>>, ShapeError> {
        let at = |x: f64, z: f64| {
            let mut position = Vector::zeros();
            position[0] = x;
            position[D - 1] = z;
            ShapePose::at(position)
        };
        let mut all = Vec::new();
        for column in 0..self.columns {
            for k in 0..self.drums {
                let shape = drum([self.radius(k), self.radius(k + 1)])?;
                all.push((shape, at(column as f64 * self.spacing, (k as f64 + 0.5) * self.drum_height)));
            }
        }
        let bays = if self.architrave > 0.0 { self.columns.saturating_sub(1) } else { 0 };
        let (over, level) = (self.radius(self.drums), self.drums as f64 * self.drum_height + 0.5 * self.architrave);
        for bay in 0..bays {
            // The outer ones end with their columns.
            let from = bay as f64 * self.spacing - if bay == 0 { over } else { 0.0 };
            let to = (bay + 1) as f64 * self.spacing + if bay + 1 == bays { over } else { 0.0 };
            all.push((beam(to - from)?, at(0.5 * (from + to), level)));
        }
        Ok(all)
    }

    fn check(&self) -> Result<(), ShapeError> {
        let sizes = [("diameter", self.diameter), ("taper", self.taper), ("height", self.drum_height)];
        match sizes.into_iter().find(|(_, x)| !(x.is_finite() && *x > 0.0)) {
            Some((what, value)) => Err(ShapeError::ShapeSize { what, value }),
            None if self.columns > 1 && !(self.spacing.is_finite() && self.spacing > 0.0) => {
                Err(ShapeError::ShapeSize { what: "spacing", value: self.spacing })
            }
            None => Ok(()),
        }
    }

    /// In the plane: drums are trapezia.
    pub fn plane(&self) -> Result<Vec<PlacedBlock<2>>, ShapeError> {
        self.check()?;
        let h = 0.5 * self.drum_height;
        let drum = |[foot, top]: [f64; 2]| {
            RigidShape::polygon(&[[-foot, -h], [foot, -h], [top, h], [-top, h]].map(Vector::<2>::from))
        };
        self.placed(drum, |length| RigidShape::block(Vector::<2>::new(length, self.architrave)))
    }

    /// In space: drums are frusta of regular prisms, architraves as deep as a column is thick at its top.
    pub fn space(&self) -> Result<Vec<PlacedBlock<3>>, ShapeError> {
        self.check()?;
        let (n, h) = (self.sides, 0.5 * self.drum_height);
        if n < 3 {
            return Err(ShapeError::FewShapePoints { what: "drum", count: n, needed: 3 });
        }
        let drum = |[foot, top]: [f64; 2]| {
            let ring = |radius: f64, z: f64| {
                (0..n).map(move |k| {
                    // Half a side from the axis, so that faces of drums with four or eight sides look along the axes.
                    let angle = TAU * (k as f64 + 0.5) / n as f64;
                    Vector::<3>::new(radius * delassus_math::cos(angle), radius * delassus_math::sin(angle), z)
                })
            };
            let points: Vec<Vector<3>> = ring(foot, -h).chain(ring(top, h)).collect();
            let mut faces = vec![(0..n).rev().collect::<Vec<_>>(), (n..2 * n).collect()];
            faces.extend((0..n).map(|k| vec![k, (k + 1) % n, n + (k + 1) % n, n + k]));
            RigidShape::polyhedron(&points, &faces)
        };
        let depth = 2.0 * self.radius(self.drums);
        self.placed(drum, |length| RigidShape::block(Vector::<3>::new(length, depth, self.architrave)))
    }
}

/// Rings of a dome about the origin: blocks between two spheres, two cones about z and two planes through z.
///
/// Faces on the cones are flat between meridians. A block of a running bond is two convex halves that meet in the meridian of its middle, so that its
/// faces have an edge where the blocks above and below have theirs: then shifted rings fit without gaps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dome {
    /// Radius of the inner face (m).
    pub inner: f64,
    /// Radius of the outer face (m).
    pub outer: f64,
    /// Latitudes of its lower and upper edge (rad).
    pub latitudes: [f64; 2],
    /// Number of rings.
    pub rings: usize,
    /// Blocks in a ring.
    pub per_ring: usize,
    /// Is every other ring shifted by half a block?
    pub is_bonded: bool,
}

impl Dome {
    /// The blocks, ring by ring from below, each from x counter-clockwise.
    pub fn blocks(&self) -> Result<Vec<PlacedBlock<3>>, ShapeError> {
        let [low, high] = self.latitudes;
        let thickness = self.outer - self.inner;
        if !(self.inner > 0.0 && thickness > 0.0 && self.outer.is_finite()) {
            return Err(ShapeError::ShapeSize { what: "thickness", value: thickness });
        }
        if !(low > -0.5 * PI && high > low && high < 0.5 * PI) {
            return Err(ShapeError::ShapeSize { what: "difference of latitudes", value: high - low });
        }
        if self.per_ring < 3 {
            return Err(ShapeError::FewShapePoints { what: "ring", count: self.per_ring, needed: 3 });
        }
        let mut all = Vec::new();
        for ring in 0..self.rings {
            let step = (high - low) / self.rings as f64;
            let between = [low + ring as f64 * step, low + (ring + 1) as f64 * step];
            for k in 0..self.per_ring {
                let shift = if self.is_bonded && ring % 2 == 1 { 0.5 } else { 0.0 };
                let pitch = TAU / self.per_ring as f64;
                let meridian = |part: f64| (k as f64 + part - shift) * pitch;
                let whole = [meridian(0.0), meridian(1.0)];
                let halves = [[meridian(0.0), meridian(0.5)], [meridian(0.5), meridian(1.0)]];
                let parts: &[[f64; 2]] = if self.is_bonded { &halves } else { std::slice::from_ref(&whole) };
                let made: Vec<(RigidShape<3>, ShapePose<3>)> = parts
                    .iter()
                    .map(|azimuths| Ok((self.voussoir(between, *azimuths)?, ShapePose::default())))
                    .collect::<Result<_, ShapeError>>()?;
                all.push((RigidShape::clump(&made)?, ShapePose::default()));
            }
        }
        Ok(all)
    }

    /// What lies between two latitudes and two azimuths.
    fn voussoir(&self, latitudes: [f64; 2], azimuths: [f64; 2]) -> Result<RigidShape<3>, ShapeError> {
        let mut points = Vec::with_capacity(8);
        for radius in [self.inner, self.outer] {
            for latitude in latitudes {
                for azimuth in azimuths {
                    let across = radius * delassus_math::cos(latitude);
                    points.push(Vector::<3>::new(
                        across * delassus_math::cos(azimuth),
                        across * delassus_math::sin(azimuth),
                        radius * delassus_math::sin(latitude),
                    ));
                }
            }
        }
        // Corner 4 r + 2 l + a. Inner and outer face, below and above, the two meridians.
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        RigidShape::polyhedron(&points, &faces.map(|f| f.to_vec()))
    }
}
