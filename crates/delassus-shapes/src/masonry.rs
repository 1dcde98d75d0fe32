//! Courses of bricks and rings of voussoirs: where the blocks are, and their shapes.

use delassus_contact::{Dimension, Vector};

use crate::{RigidShape, ShapeError, ShapePose, ShapeSpace};

/// A block of masonry: its shape about its own origin, and where that is.
pub type PlacedBlock<const D: usize> = (RigidShape<D>, ShapePose<D>);

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
    /// Are courses that are shifted filled up with parts of bricks, so that both ends of the wall are straight?
    pub has_closers: bool,
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
        let mut all = Vec::new();
        for course in 0..self.courses {
            let at = |begin: f64, extent: f64| {
                let mut position = Vector::zeros();
                position[0] = begin + 0.5 * extent;
                position[D - 1] = 0.5 * height + course as f64 * (height + self.joint);
                ShapePose::at(position)
            };
            let pitch = length + self.joint;
            if course % 2 == 0 || shift <= 0.0 {
                all.extend((0..self.per_course).map(|i| (whole.clone(), at(i as f64 * pitch, length))));
                continue;
            }
            let begin = shift * pitch;
            let count = if self.has_closers { self.per_course.saturating_sub(1) } else { self.per_course };
            let mut part = |from: f64, to: f64| -> Result<(), ShapeError> {
                let mut size = self.brick;
                size[0] = to - from;
                all.push((RigidShape::block(size)?, at(from, to - from)));
                Ok(())
            };
            if self.has_closers {
                part(0.0, begin - self.joint)?;
            }
            (0..count).try_for_each(|i| part(begin + i as f64 * pitch, begin + i as f64 * pitch + length))?;
            if self.has_closers && self.per_course > 0 {
                part(begin + count as f64 * pitch, self.per_course as f64 * pitch - self.joint)?;
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
        if !(self.angle > 0.0 && self.angle < std::f64::consts::TAU) {
            return Err(ShapeError::ShapeSize { what: "angle", value: self.angle });
        }
        let ray = |i: usize| {
            let turned = 0.5 * (std::f64::consts::PI - self.angle) + self.angle * i as f64 / self.count as f64;
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
