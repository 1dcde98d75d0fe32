//! The element types of Abaqus and CalculiX: what shape a name stands for.
//!
//! A type is a family, the number of nodes, and letters for the formulation (`R` reduced, `H` hybrid, `I` incompatible modes, …). The
//! formulation is a matter of the case, so only the shape counts. Nodes of all the kinds here are in VTK's order: corners, then
//! the middles of the edges in the same sequence (Abaqus Elements Guide, "node ordering" of each element; CalculiX manual, chapter "Elements").

use crate::CellKind::{
    self, Hexahedron8, Hexahedron20, Point, Prism6, Quad4, Quad8, Segment2, Segment3, Tetrahedron4, Tetrahedron10,
    Triangle3, Triangle6,
};

/// What a type of the file is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeShape {
    /// A kind of cell.
    Known(CellKind),
    /// A shape of this dimension that is not computed with.
    Unknown(usize),
}

/// Name, dimension, kinds by number of nodes.
type ElementFamily = (&'static str, usize, &'static [(usize, CellKind)]);

/// Families of which the rest of the name begins with the number of nodes.
const FAMILIES: &[ElementFamily] = &[
    ("C3D", 3, &[(4, Tetrahedron4), (6, Prism6), (8, Hexahedron8), (10, Tetrahedron10), (20, Hexahedron20)]),
    ("CPS", 2, PLANE),
    ("CPE", 2, PLANE),
    // Shells, membranes and rigid facets: surfaces of bodies in space, or a plane mesh.
    ("S", 2, PLANE),
    ("STRI", 2, PLANE),
    ("M3D", 2, PLANE),
    ("M2D", 2, PLANE),
    ("R3D", 2, PLANE),
    ("SFM3D", 2, PLANE),
    ("T3D", 1, LINE),
    ("T2D", 1, LINE),
    ("R2D", 1, LINE),
    ("RAX", 1, LINE),
];

const PLANE: &[(usize, CellKind)] = &[(3, Triangle3), (4, Quad4), (6, Triangle6), (8, Quad8)];
const LINE: &[(usize, CellKind)] = &[(2, Segment2), (3, Segment3)];

/// Beams, whose name has the dimension of space and the order.
const BEAMS: &[(&str, CellKind)] = &[("B21", Segment2), ("B31", Segment2), ("B22", Segment3), ("B32", Segment3)];

/// The shape of a type, written in capitals.
pub(super) fn shape(name: &str) -> TypeShape {
    if name == "MASS" {
        return TypeShape::Known(Point);
    }
    if let Some((_, kind)) = BEAMS.iter().find(|(beam, _)| name.starts_with(beam)) {
        return TypeShape::Known(*kind);
    }
    // The longest family first: `STRI3` and `SFM3D3` are not of `S`.
    let mut fits: Vec<_> = FAMILIES.iter().filter(|(family, ..)| number_after(name, family).is_some()).collect();
    fits.sort_by_key(|(family, ..)| std::cmp::Reverse(family.len()));
    if let Some((family, dim, kinds)) = fits.first() {
        let n = number_after(name, family);
        return match kinds.iter().find(|(nodes, _)| Some(*nodes) == n) {
            Some((_, kind)) => TypeShape::Known(*kind),
            None => TypeShape::Unknown(*dim),
        };
    }
    let solid = name.contains("3D") && !name.starts_with(['T', 'B', 'M', 'R', 'S']);
    TypeShape::Unknown(if solid { 3 } else { 2 })
}

/// The number behind the family's name, where only letters follow it.
fn number_after(name: &str, family: &str) -> Option<usize> {
    let rest = name.strip_prefix(family)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    rest[digits..].bytes().all(|c| c.is_ascii_alphanumeric()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_shapes() {
        for (name, kind) in [
            ("CPS3", Triangle3),
            ("CPE4", Quad4),
            ("CPE4RH", Quad4),
            ("CPS4I", Quad4),
            ("CPE6M", Triangle6),
            ("CPS8R", Quad8),
            ("C3D4", Tetrahedron4),
            ("C3D6", Prism6),
            ("C3D8I", Hexahedron8),
            ("C3D8R", Hexahedron8),
            ("C3D10M", Tetrahedron10),
            ("C3D20RH", Hexahedron20),
            ("S4R5", Quad4),
            ("STRI3", Triangle3),
            ("STRI65", Quad8),
            ("SFM3D4R", Quad4),
            ("T3D2", Segment2),
            ("B31OS", Segment2),
            ("B32", Segment3),
        ] {
            if name == "STRI65" {
                // Five degrees of freedom at six nodes: not `STRI` and a number of nodes.
                assert_eq!(shape(name), TypeShape::Unknown(2));
                continue;
            }
            assert_eq!(shape(name), TypeShape::Known(kind), "{name}");
        }
        for (name, dim) in
            [("C3D15", 3), ("C3D27", 3), ("DC3D8", 3), ("CAX4R", 2), ("SPRINGA", 2), ("", 2), ("C3D", 3), ("CPS", 2)]
        {
            assert_eq!(shape(name), TypeShape::Unknown(dim), "{name}");
        }
    }
}
