//! Two deformable blocks of H8 cells, one pressed and sheared on the other.
//!
//! ```text
//!      ↓↓↓↓↓↓↓↓  pressure
//!      +------+  → sliding          cells of 1 cm, steel, μ = 0.3
//!      | upper|                     h = some crossings of a cell by the dilatational wave
//!    +-+------+-+
//!    |  lower   |                   half a cell wider on each side: nodes meet facets in their middle
//!    +----------+
//!    ////////////  held
//! ```

use std::path::Path;
use std::sync::Arc;

use delassus_case::{CaseError, Loaded};
use delassus_sim::engine::Engine;
use delassus_sim::step::{Snapshot, step};
use delassus_sim::timings::Timings;
use delassus_sim::{Model, SimError};

/// Size of a cell \[m\].
const CELL: f64 = 0.01;
/// A crossing of a cell at 5.9 km/s \[s\].
const CROSSING: f64 = 1.7e-6;

/// Steps before a state counts as settled.
const SETTLING: usize = 12;

/// The scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubes {
    /// Cells of the upper block along x and z.
    pub side: usize,
    /// Cells of each block along y.
    pub height: usize,
    /// Step in crossings of a cell.
    pub crossings: f64,
}

impl Cubes {
    /// A scene with a step of two crossings.
    #[must_use]
    pub fn new(side: usize, height: usize) -> Self {
        Self { side, height, crossings: 2.0 }
    }

    /// Nodes of the upper block that lie on the lower one.
    #[must_use]
    pub fn n_candidates(&self) -> usize {
        (self.side + 1).pow(2)
    }

    /// Degrees of freedom of both blocks.
    #[must_use]
    pub fn n_dof(&self) -> usize {
        3 * (self.height + 1) * ((self.side + 1).pow(2) + (self.side + 2).pow(2))
    }

    /// The case as a user would write it.
    #[must_use]
    pub fn text(&self) -> String {
        let block = |name: &str, start: [f64; 2], cells: usize, velocity: [f64; 3]| {
            let (length, height) = (CELL * cells as f64, CELL * self.height as f64);
            let [x, y] = start;
            format!(
                "(name: \"{name}\", mesh: Box(corner: ({x:?}, {y:?}, {x:?}), size: ({length:?}, {height:?}, {length:?}), \
                 cells: ({cells}, {}, {cells})), material: \"steel\", velocity: ({:?}, {:?}, {:?})),",
                self.height, velocity[0], velocity[1], velocity[2]
            )
        };
        let upper = block("upper", [0.0, 0.0], self.side, [0.2, -0.1, 0.05]);
        let lower = block("lower", [-0.5 * CELL, -CELL * self.height as f64], self.side + 1, [0.0; 3]);
        format!(
            "(title: \"cubes\", kinematics: SmallStrain, dimension: 3, materials: [(name: \"steel\", density: 7800.0, \
             law: KelvinVoigt(young: 2.1e11, poisson: 0.3))],\n\
             bodies: [{upper}{lower}],\n\
             contacts: [(name: \"between\", candidates: (body: \"upper\", group: \"bottom\"), \
             antagonists: Surface(body: \"lower\", group: \"top\"), law: SignoriniCoulomb(friction: 0.3))],\n\
             loads: [Pressure(body: \"upper\", group: \"top\", pressure: 1e7)],\n\
             boundary: [(body: \"lower\", group: \"bottom\", x: 0.0, y: 0.0, z: 0.0)],\n\
             integrator: ModifiedTheta(theta: 0.55), step: {:?}, duration: 1.0)",
            self.crossings * CROSSING
        )
    }

    /// The case, read.
    ///
    /// # Errors
    /// Those of a case.
    pub fn loaded(&self) -> Result<Loaded, CaseError> {
        Loaded::from_text(Path::new("cubes.ron"), self.text(), &[])
    }

    /// The model.
    ///
    /// # Errors
    /// Those of a case.
    pub fn model(&self) -> Result<Arc<Model<3>>, CaseError> {
        self.loaded()?.model::<3>()
    }

    /// The state after some steps: all contacts act and warm starts are good.
    ///
    /// # Errors
    /// Those of a step.
    pub fn settled(&self, engine: &mut Engine<3>) -> Result<Snapshot, SimError> {
        let mut timings = Timings::default();
        let mut snapshot = engine.model.start();
        for _ in 0..SETTLING {
            snapshot = step(engine, &mut timings, &snapshot, engine.model.h)?.snapshot;
        }
        Ok(snapshot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scene_is_a_valid_case_of_the_size_it_says() {
        for (side, height) in [(2, 2), (3, 1)] {
            let cubes = Cubes::new(side, height);
            let model = cubes.model().unwrap();
            assert_eq!(model.n_dof(), cubes.n_dof());
            assert_eq!(model.n_candidates(), cubes.n_candidates());
        }
    }
}
