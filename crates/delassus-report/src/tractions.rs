//! Tractions at the candidates of a frame of `contacts.pvd`.

use delassus_mesh::vtk::{GridData, VtkReadError};

/// What acts at each point \[Pa\].
pub struct ContactTractions {
    /// Along the normal; positive pushes.
    pub pressure: Vec<f64>,
    /// Along the contact, in world axes.
    pub shear: Vec<[f64; 3]>,
}

impl ContactTractions {
    /// Those the run measured; of a run that did not write them, forces over areas.
    pub fn read(grid: &GridData) -> Result<Self, VtkReadError> {
        if let (Ok(pressure), Ok(shear)) = (grid.point_field("pressure", 1), grid.point_field("shear", 3)) {
            return Ok(Self { pressure: pressure.to_vec(), shear: shear.as_chunks::<3>().0.to_vec() });
        }
        let vector = |name: &str| grid.point_field(name, 3).map(|x| x.as_chunks::<3>().0);
        let (force, normal) = (vector("force")?, vector("normal")?);
        let (pressing, area) = (grid.point_field("force_normal", 1)?, grid.point_field("area", 1)?);
        let pressure = pressing.iter().zip(area).map(|(f, a)| f / a).collect();
        let across =
            |i: usize| -> [f64; 3] { std::array::from_fn(|k| (force[i][k] - pressing[i] * normal[i][k]) / area[i]) };
        Ok(Self { pressure, shear: (0..force.len()).map(across).collect() })
    }
}
