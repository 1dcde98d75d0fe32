//! Naming facets of the boundary: those on a plane, in a box, or that face a direction.
//!
//! ```text
//! Plane (p, n)      |(x − p)·n| ≤ ε L for every corner x of the facet, and n_facet·n ≥ 1 − 10⁻³
//! Box (a, b)        every corner in the box, up to ε L
//! Normal (d, φ)     n_facet·d ≥ cos φ
//! ```
//!
//! with unit vectors n, d, the extent L of the mesh and ε = 10⁻⁹: far above the rounding of coordinates, far below any cell.
//! Meshes without groups, from STL or VTK for instance, get their contact and boundary surfaces in this way.

use delassus_error::digits;
use delassus_math as math;

use crate::boundary::FacetTable;
use crate::{Facet, Mesh, MeshError};

/// How far from a plane or a box a corner counts as on it, relative to the extent of the mesh.
const NEAR: f64 = 1e-9;
/// How far the normal of a facet may be from that of its plane: 1 − cos of 2.6 degrees. It only tells the two sides of a thin plate apart.
const ALONG: f64 = 1e-3;

/// A condition on facets of the boundary.
#[derive(Debug, Clone, PartialEq)]
pub enum FaceRule<const D: usize> {
    /// On a plane, with the normal outwards.
    Plane {
        /// A point of it \[m\].
        point: [f64; D],
        /// Its normal, of any length.
        normal: [f64; D],
    },
    /// With all corners in a box.
    Box {
        /// One corner \[m\].
        from: [f64; D],
        /// The opposite one \[m\].
        to: [f64; D],
    },
    /// With a normal close to a direction.
    Normal {
        /// The direction, of any length.
        direction: [f64; D],
        /// Largest angle between them \[degrees\].
        within: f64,
    },
}

impl<const D: usize> FaceRule<D> {
    /// Unit vectors instead of vectors of any length; numbers checked.
    fn prepared(&self) -> Result<Self, MeshError> {
        let finite = |name, x: &[f64; D]| match x.iter().all(|c| c.is_finite()) {
            true => Ok(()),
            false => Err(wrong(name, format!("{x:?}"), "finite")),
        };
        match self {
            Self::Plane { point, normal } => {
                finite("point", point)?;
                Ok(Self::Plane { point: *point, normal: unit("normal", normal)? })
            }
            Self::Box { from, to } => {
                finite("box", from)?;
                finite("box", to)?;
                Ok(self.clone())
            }
            Self::Normal { direction, within } => {
                if !(0.0..=180.0).contains(within) {
                    return Err(wrong("within", within.to_string(), "between 0 and 180 degrees"));
                }
                Ok(Self::Normal { direction: unit("direction", direction)?, within: *within })
            }
        }
    }

    fn holds(&self, mesh: &Mesh<D>, facet: &Facet, slack: f64) -> bool {
        let corners = || facet.nodes.iter().map(|&node| mesh.points[node]);
        match self {
            Self::Plane { point, normal } => {
                let off = |x: [f64; D]| (0..D).map(|i| (x[i] - point[i]) * normal[i]).sum::<f64>();
                corners().all(|x| off(x).abs() <= slack) && dot(&mesh.facet_normal(facet), normal) >= 1.0 - ALONG
            }
            Self::Box { from, to } => corners()
                .all(|x| (0..D).all(|i| x[i] >= from[i].min(to[i]) - slack && x[i] <= from[i].max(to[i]) + slack)),
            Self::Normal { direction, within } => {
                // The rounding of a normal must not decide at an angle of 0.
                dot(&mesh.facet_normal(facet), direction) >= math::cos(within.to_radians()) - 1e-12
            }
        }
    }

    fn place(&self) -> String {
        match self {
            Self::Plane { point, normal } => {
                format!(
                    "on the plane through {} with the outward normal {}",
                    digits::place(point),
                    digits::place(normal)
                )
            }
            Self::Box { from, to } => format!("in the box from {} to {}", digits::place(from), digits::place(to)),
            Self::Normal { direction, within } => format!("within {within} degrees of {}", digits::place(direction)),
        }
    }
}

fn wrong(name: &'static str, value: String, expected: &'static str) -> MeshError {
    MeshError::Parameter { shape: "faces", name, value, expected }
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).map(|i| a[i] * b[i]).sum()
}

fn unit<const D: usize>(name: &'static str, x: &[f64; D]) -> Result<[f64; D], MeshError> {
    let size = x.iter().fold(0.0, |sum, c| math::hypot(sum, *c));
    match size > 0.0 && size.is_finite() {
        true => Ok(x.map(|c| c / size)),
        false => Err(wrong(name, format!("{x:?}"), "a finite vector that is not zero")),
    }
}

impl<const D: usize> Mesh<D> {
    /// Adds the group `name` of the facets of the boundary for which all rules hold; without a rule, all of them.
    ///
    /// # Errors
    /// [`MeshError::NameTaken`]; [`MeshError::NoFaceFound`]; [`MeshError::Parameter`] for rules with numbers that mean nothing.
    pub fn add_faces(&mut self, name: &str, rules: &[FaceRule<D>]) -> Result<(), MeshError> {
        self.check_free(name)?;
        let prepared: Vec<FaceRule<D>> = rules.iter().map(FaceRule::prepared).collect::<Result<_, _>>()?;
        let corner = |least: bool| -> [f64; D] {
            std::array::from_fn(|i| {
                let along = self.points.iter().map(|x| x[i]);
                if least { along.fold(f64::INFINITY, f64::min) } else { along.fold(f64::NEG_INFINITY, f64::max) }
            })
        };
        let (low, high) = (corner(true), corner(false));
        let slack = NEAR * (0..D).map(|i| high[i] - low[i]).fold(0.0, f64::max);
        let mut facets = FacetTable::of(self).boundary();
        facets.retain(|facet| prepared.iter().all(|rule| rule.holds(self, facet, slack)));
        if facets.is_empty() {
            let place: Vec<String> = rules.iter().map(FaceRule::place).collect();
            let (low, high) = (digits::place(&low), digits::place(&high));
            return Err(MeshError::NoFaceFound { name: name.to_owned(), place: place.join(" and "), low, high });
        }
        self.push_facets(name, facets);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellKind, generate};

    fn area(mesh: &Mesh<3>, name: &str) -> f64 {
        mesh.group_facets(name).unwrap().iter().map(|f| mesh.facet_measure(f)).sum()
    }

    /// Every face of a box, by each rule, is the group the generator made.
    #[test]
    fn rules_find_the_faces_of_a_box() {
        for kind in [CellKind::Hexahedron8, CellKind::Tetrahedron4, CellKind::Prism6] {
            let mut mesh = generate::block([1.0, 2.0, 3.0], [2.0, 1.0, 0.5], [2, 3, 2], kind, 1).unwrap();
            let sorted = |mesh: &Mesh<3>, name: &str| {
                let mut facets = mesh.group_facets(name).unwrap();
                facets.sort_by_key(|f| f.nodes.clone());
                facets
            };
            let top = sorted(&mesh, "top");
            mesh.add_faces("plane", &[FaceRule::Plane { point: [0.0, 3.0, 0.0], normal: [0.0, 7.0, 0.0] }]).unwrap();
            mesh.add_faces("box", &[FaceRule::Box { from: [9.0, 3.0, 9.0], to: [0.0, 3.0, 0.0] }]).unwrap();
            mesh.add_faces("normal", &[FaceRule::Normal { direction: [0.0, 0.1, 0.0], within: 0.0 }]).unwrap();
            for name in ["plane", "box", "normal"] {
                assert_eq!(sorted(&mesh, name), top, "{kind} {name}");
            }
            mesh.add_faces("all", &[]).unwrap();
            assert_eq!(mesh.group_facets("all").unwrap().len(), mesh.boundary().len());
            // Half of the top: both rules must hold.
            let left = FaceRule::Box { from: [1.0, 2.0, 3.0], to: [2.0, 3.0, 3.5] };
            let up = FaceRule::Normal { direction: [0.0, 1.0, 0.0], within: 10.0 };
            mesh.add_faces("half", &[left, up]).unwrap();
            assert!((area(&mesh, "half") - 0.5).abs() < 1e-14, "{kind}");
        }
    }

    /// The lower half of a ball, and a plane that looks the wrong way.
    #[test]
    fn directions_are_those_of_the_outside() {
        let mut ball = generate::ball([0.0; 3], 1.0, 4, 3, 1).unwrap();
        ball.add_faces("lower", &[FaceRule::Normal { direction: [0.0, 0.0, -1.0], within: 90.0 }]).unwrap();
        let all: f64 = ball.boundary().iter().map(|f| ball.facet_measure(f)).sum();
        assert!((area(&ball, "lower") - all / 2.0).abs() < 1e-12 * all);
        assert!(ball.group_facets("lower").unwrap().iter().all(|f| ball.facet_centre(f)[2] < 0.0));
        let mut plate = generate::rectangle([0.0, 0.0], [1.0, 1.0], [2, 2], CellKind::Quad4, 1).unwrap();
        let rule = |y: f64| [FaceRule::Plane { point: [0.0, 1.0], normal: [0.0, y] }];
        let text = plate.add_faces("roof", &rule(-1.0)).unwrap_err().to_string();
        assert!(text.contains("no facet of the boundary lies on the plane through (0, 1)"), "{text}");
        assert!(text.contains("from (0, 0) to (1, 1)"), "{text}");
        plate.add_faces("roof", &rule(1.0)).unwrap();
        let cells = |name: &str| {
            plate.group_facets(name).unwrap().iter().map(|f| f.cell).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!((cells("roof"), cells("roof").len()), (cells("top"), 2));
    }

    #[test]
    fn numbers_that_mean_nothing_are_refused() {
        let mut mesh = generate::rectangle([0.0, 0.0], [1.0, 1.0], [2, 2], CellKind::Quad4, 1).unwrap();
        for rule in [
            FaceRule::Plane { point: [0.0, f64::NAN], normal: [0.0, 1.0] },
            FaceRule::Plane { point: [0.0, 0.0], normal: [0.0, 0.0] },
            FaceRule::Normal { direction: [f64::INFINITY, 0.0], within: 1.0 },
            FaceRule::Normal { direction: [1.0, 0.0], within: 200.0 },
            FaceRule::Normal { direction: [1.0, 0.0], within: f64::NAN },
            FaceRule::Box { from: [0.0, 0.0], to: [f64::INFINITY, 0.0] },
        ] {
            let error = mesh.add_faces("x", &[rule]).unwrap_err();
            assert!(matches!(error, MeshError::Parameter { shape: "faces", .. }), "{error}");
        }
        assert!(matches!(mesh.add_faces("top", &[]), Err(MeshError::NameTaken { .. })));
    }
}
