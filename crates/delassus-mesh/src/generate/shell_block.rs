//! Blocks of a spherical shell: the voussoirs of a dome.
//!
//! ```text
//! x = r (cos λ cos α, cos λ sin α, sin λ),    r, α, λ equally divided
//! ```
//!
//! Radius, azimuth and latitude in this order are right-handed. Blocks of one shell whose nodes have the same azimuths and latitudes fit
//! together without gaps: faces between parallels are cones cut into chords, the same on both sides.

use delassus_math as math;

use super::{block, finite, parameter};
use crate::{CellKind, Mesh, MeshError};

/// New names of a block's faces.
const NAMES: [(&str, &str); 6] =
    [("left", "inner"), ("right", "outer"), ("bottom", "start"), ("top", "end"), ("front", "bottom"), ("back", "top")];

/// The block between two `radii` \[m\], two meridians (`azimuth`, degrees about z from x) and two parallels (`latitude`, degrees above
/// z = 0), of `cells` × `refine` hexahedra through the shell, around and upwards.
///
/// Groups: `body`; the faces `inner`, `outer`, `start` and `end` (lower and higher azimuth), `bottom` and `top` (lower and higher latitude)
/// and `boundary`.
///
/// # Errors
/// [`MeshError::Parameter`]; [`MeshError::BadCell`] for a block that is too small for its place.
pub fn shell_block(
    radii: [f64; 2],
    azimuth: [f64; 2],
    latitude: [f64; 2],
    cells_each_way: [usize; 3],
    refine: usize,
) -> Result<Mesh<3>, MeshError> {
    const SHAPE: &str = "shell block";
    for (name, range) in [("radii", radii), ("azimuth", azimuth), ("latitude", latitude)] {
        finite(SHAPE, name, range)?;
    }
    if !(radii[0] > 0.0 && radii[1] > radii[0]) {
        return parameter(SHAPE, "radii", radii, "0 < inner < outer (m)");
    }
    if !(azimuth[1] > azimuth[0] && azimuth[1] - azimuth[0] <= 180.0) {
        return parameter(SHAPE, "azimuth", azimuth, "rising, by at most 180 degrees");
    }
    if !(latitude[1] > latitude[0] && latitude[0] >= -89.0 && latitude[1] <= 89.0) {
        return parameter(SHAPE, "latitude", latitude, "rising, within -89 and 89 degrees");
    }
    let size = [radii[1] - radii[0], azimuth[1] - azimuth[0], latitude[1] - latitude[0]];
    let corner = [radii[0], azimuth[0], latitude[0]];
    let mut mesh = block(corner, size, cells_each_way, CellKind::Hexahedron8, refine)?;
    for x in &mut mesh.points {
        let [r, azimuth, latitude] = [x[0], x[1].to_radians(), x[2].to_radians()];
        *x = [
            r * math::cos(latitude) * math::cos(azimuth),
            r * math::cos(latitude) * math::sin(azimuth),
            r * math::sin(latitude),
        ];
    }
    let kept = |name: &str| name == "body" || name == "boundary" || NAMES.iter().any(|(old, _)| *old == name);
    mesh.groups.retain(|g| kept(&g.name));
    for group in &mut mesh.groups {
        if let Some((_, new)) = NAMES.iter().find(|(old, _)| *old == group.name) {
            group.name = (*new).to_owned();
        }
    }
    mesh.check_cells()?;
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volume_and_faces_tend_to_those_of_the_shell() {
        // V = Δα (sin λ₂ − sin λ₁)(R³ − r³)/3; chords lose a part of order h².
        let (radii, azimuth, latitude) = ([4.5, 5.0], [30.0, 60.0], [10.0, 40.0]);
        let exact = 30_f64.to_radians()
            * (40_f64.to_radians().sin() - 10_f64.to_radians().sin())
            * (5.0_f64.powi(3) - 4.5_f64.powi(3))
            / 3.0;
        let error = |refine| {
            let mesh = shell_block(radii, azimuth, latitude, [1, 2, 2], refine).unwrap();
            let group = mesh.group("body").unwrap();
            group.cells.iter().map(|&c| mesh.cell_measure(c)).sum::<f64>() / exact - 1.0
        };
        let (coarse, fine) = (error(1), error(4));
        assert!(coarse < 0.0 && (coarse / fine - 16.0).abs() < 0.5, "{coarse:e} {fine:e}");
    }

    #[test]
    fn faces_are_where_their_names_say() {
        let mesh = shell_block([1.0, 2.0], [0.0, 90.0], [0.0, 60.0], [2, 3, 4], 1).unwrap();
        let radius = |x: &[f64; 3]| x.iter().map(|c| c * c).sum::<f64>().sqrt();
        let of = |name: &str| mesh.group_nodes(mesh.group(name).unwrap()).into_iter().map(|n| mesh.points[n]);
        assert!(of("inner").all(|x| (radius(&x) - 1.0).abs() < 1e-14));
        assert!(of("outer").all(|x| (radius(&x) - 2.0).abs() < 1e-14));
        assert!(of("start").all(|x| x[1].abs() < 1e-14) && of("end").all(|x| x[0].abs() < 1e-14));
        assert!(of("bottom").all(|x| x[2].abs() < 1e-14));
        assert!(of("top").all(|x| (x[2] / radius(&x) - 60_f64.to_radians().sin()).abs() < 1e-14));
        assert!(mesh.groups.iter().all(|g| g.name != "left" && g.name != "bottom_left"));
    }

    #[test]
    fn what_is_no_block_is_refused() {
        let made = |radii, azimuth, latitude| {
            shell_block(radii, azimuth, latitude, [1, 1, 1], 1).map(|_| ()).unwrap_err().to_string()
        };
        for (name, text) in [
            ("radii", made([2.0, 1.0], [0.0, 10.0], [0.0, 10.0])),
            ("radii", made([f64::NAN, 1.0], [0.0, 10.0], [0.0, 10.0])),
            ("azimuth", made([1.0, 2.0], [10.0, 0.0], [0.0, 10.0])),
            ("latitude", made([1.0, 2.0], [0.0, 10.0], [0.0, 90.0])),
        ] {
            assert!(text.contains(name), "{text}");
        }
        assert!(shell_block([1.0, 2.0], [0.0, 10.0], [0.0, 10.0], [0, 1, 1], 1).is_err());
    }
}
