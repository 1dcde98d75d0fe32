//! Scenes of every size: a slab of Q4 cells pressed on a rigid floor or on another slab.
//!
//! ```text
//!   ↓↓↓↓↓↓↓↓ pressure
//!   +------+ ↘ sliding         cells of 1 cm × 1 cm, steel, plane strain
//!   |      |                   h = two crossings of a cell by the dilatational wave
//!   +------+
//!   ////////  floor, or a slab held at its bottom
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
/// Step of the scenes \[s\]: about two crossings of a cell at 5.9 km/s.
pub const STEP: f64 = 3.4e-6;

/// Steps before a state counts as settled.
const SETTLING: usize = 12;

/// What the slab lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    /// A rigid half-plane, touching.
    Floor,
    /// A rigid half-plane far below: no contact acts.
    Nothing,
    /// A slab of the same size with its bottom at rest.
    Slab,
}

/// A scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Cells along x and y of a slab.
    pub cells: [usize; 2],
    /// What is below.
    pub under: Under,
    /// Rayleigh damping, and the velocity of the left face prescribed: every term of the energy balance is needed.
    pub damped_and_driven: bool,
}

impl Scene {
    /// A slab without damping and supports.
    #[must_use]
    pub fn new(cells: [usize; 2], under: Under) -> Self {
        Self { cells, under, damped_and_driven: false }
    }

    /// Degrees of freedom of one slab.
    #[must_use]
    pub fn n_dof(&self) -> usize {
        2 * (self.cells[0] + 1) * (self.cells[1] + 1)
    }

    /// Width and height of a slab \[m\].
    #[must_use]
    pub fn size(&self) -> [f64; 2] {
        self.cells.map(|n| CELL * n as f64)
    }

    /// The case as a user would write it.
    #[must_use]
    pub fn text(&self) -> String {
        let ([width, height], [nx, ny]) = (self.size(), self.cells);
        let damping = if self.damped_and_driven { "damping: (alpha: 10.0, beta: 1e-8)," } else { "" };
        let slab = |name: &str, bottom: f64, velocity: [f64; 2]| {
            format!(
                "(name: \"{name}\", mesh: Rectangle(corner: (0.0, {bottom:?}), size: ({width:?}, {height:?}), \
                 cells: ({nx}, {ny})), material: \"steel\", velocity: ({:?}, {:?}), {damping}),",
                velocity[0], velocity[1]
            )
        };
        let floor = if self.under == Under::Nothing { -1.0 } else { 0.0 };
        let (bodies, antagonist) = match self.under {
            Under::Slab => (slab("lower", -height, [0.0, 0.0]), "Surface(body: \"lower\", group: \"top\")".to_owned()),
            Under::Floor | Under::Nothing => (String::new(), "Obstacle(\"floor\")".to_owned()),
        };
        let mut boundary = String::new();
        if self.under == Under::Slab {
            boundary += "(body: \"lower\", group: \"bottom\", x: 0.0, y: 0.0),";
        }
        if self.damped_and_driven {
            boundary += "(body: \"slab\", group: \"left\", x: 0.2),";
        }
        format!(
            "(title: \"slab\", kinematics: SmallStrain, materials: [(name: \"steel\", density: 7800.0, \
             law: KelvinVoigt(young: 2.1e11, poisson: 0.3))],\n\
             bodies: [{}{bodies}],\n\
             obstacles: [(name: \"floor\", shape: HalfPlane(point: (0.0, {floor:?}), normal: (0.0, 1.0)))],\n\
             contacts: [(name: \"below\", candidates: (body: \"slab\", group: \"bottom\"), \
             antagonists: {antagonist}, law: SignoriniCoulomb(friction: 0.3))],\n\
             loads: [Pressure(body: \"slab\", group: \"top\", pressure: 1e7)],\n\
             boundary: [{boundary}],\n\
             integrator: ModifiedTheta(theta: 0.55), step: {STEP:?}, duration: 1.0)",
            slab("slab", 0.0, [0.2, -0.1]),
        )
    }

    /// The model.
    ///
    /// # Errors
    /// Those of a case.
    pub fn model(&self) -> Result<Arc<Model<2>>, CaseError> {
        Loaded::from_text(Path::new("slab.ron"), self.text(), &[])?.model::<2>()
    }

    /// The state after some steps: all contacts act (where there is something below) and warm starts are good.
    ///
    /// # Errors
    /// Those of a step.
    pub fn settled(&self, engine: &mut Engine<2>) -> Result<Snapshot, SimError> {
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
    fn every_scene_is_a_valid_case_of_the_size_it_says() {
        for under in [Under::Floor, Under::Nothing, Under::Slab] {
            for damped_and_driven in [false, true] {
                let scene = Scene { damped_and_driven, ..Scene::new([5, 3], under) };
                let model = scene.model().unwrap();
                assert_eq!(model.n_dof(), scene.n_dof() * model.bodies.len());
                assert_eq!(model.n_candidates(), 6);
            }
        }
    }
}
