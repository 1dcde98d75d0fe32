//! Loads and prescribed motions of a body: as given, and turned into lists of degrees of freedom.
//!
//! ```text
//! P(t) = Σ_k f_k(t) P_k ,     P_gravity = M a ,   P_traction,a = ∫ N_a T ds ,   T = −p n for a pressure p
//! ```
//!
//! These loads are dead: they act on the reference configuration, a pressure does not follow the rotation of its facet. Those that do: `following`.

use delassus_mesh::Mesh;

use crate::error::{FemError, check_finite};
use crate::function::TimeFunction;
use crate::section::Section;
use crate::surface::{couple_forces, facet_forces, group_couple};

/// A uniform acceleration field on the whole body.
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity<const D: usize> {
    /// Acceleration \[m/s²\].
    pub acceleration: [f64; D],
    /// Factor in time \[-\].
    pub factor: TimeFunction,
}

/// A load per area on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traction<const D: usize> {
    /// Force per area in a constant direction \[Pa\].
    Vector([f64; D]),
    /// Pressure on the surface, positive pushes into the body \[Pa\].
    Pressure(f64),
    /// A couple: a traction that is linear over the group, without resultant. Its moment in space; in the plane the third component counts \[N·m\].
    Couple([f64; 3]),
}

/// A traction on the facets of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceLoad<const D: usize> {
    /// Name of a group of boundary facets.
    pub group: String,
    /// Force per area.
    pub traction: Traction<D>,
    /// Factor in time \[-\].
    pub factor: TimeFunction,
}

/// A force on the nodes of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct NodalForce<const D: usize> {
    /// Name of the group.
    pub group: String,
    /// Total force \[N\], shared in equal parts by the nodes of the group, so that it does not depend on the number of
    /// nodes. For a force spread by area use a traction.
    pub force: [f64; D],
    /// Factor in time \[-\].
    pub factor: TimeFunction,
}

/// A velocity component prescribed on the nodes of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedVelocity {
    /// Name of the group.
    pub group: String,
    /// Component, 0 … D−1.
    pub component: usize,
    /// Velocity in time \[m/s\].
    pub velocity: TimeFunction,
}

/// Forces on degrees of freedom, all with the same factor in time.
#[derive(Clone, Debug)]
pub(crate) struct LoadVector {
    /// (dof, force \[N\]).
    pub entries: Vec<(usize, f64)>,
    pub factor: TimeFunction,
}

fn check_vector<const D: usize>(what: &'static str, x: &[f64; D]) -> Result<(), FemError> {
    x.iter().try_for_each(|&value| check_finite(what, "a component", value))
}

impl<const D: usize> Gravity<D> {
    pub(crate) fn vector(&self, node_masses: &[f64], section: Section) -> Result<LoadVector, FemError> {
        check_vector("acceleration", &self.acceleration)?;
        if self.acceleration.iter().take(section.n_absolute()).any(|a| a.abs() > 0.0) {
            return Err(FemError::AxisymmetricLoad { load: "gravity along x, the radius" });
        }
        self.factor.validate()?;
        let of_node = |(node, mass): (usize, &f64)| {
            let mass = *mass;
            (0..D).map(move |i| (D * node + i, mass * self.acceleration[i]))
        };
        let entries = node_masses.iter().enumerate().flat_map(of_node).filter(|e| e.1.abs() > 0.0).collect();
        Ok(LoadVector { entries, factor: self.factor.clone() })
    }
}

impl<const D: usize> SurfaceLoad<D> {
    pub(crate) fn vector(&self, mesh: &Mesh<D>, section: Section) -> Result<LoadVector, FemError> {
        if section.is_revolved() && matches!(self.traction, Traction::Couple(_)) {
            return Err(FemError::AxisymmetricLoad { load: "a couple" });
        }
        match &self.traction {
            Traction::Vector(t) => check_vector("traction", t)?,
            Traction::Pressure(p) => check_finite("traction", "pressure", *p)?,
            Traction::Couple(m) => check_vector("couple", m)?,
        }
        self.factor.validate()?;
        let mut entries = Vec::new();
        let facets = mesh.group_facets(&self.group)?;
        let couple = match &self.traction {
            Traction::Couple(moment) => Some(group_couple(mesh, &facets, section, moment)?),
            Traction::Vector(_) | Traction::Pressure(_) => None,
        };
        for facet in facets {
            let forces = match (&self.traction, &couple) {
                (Traction::Pressure(p), _) => facet_forces(mesh, &facet, section, |n| n.map(|n| -p * n))?,
                (_, Some(couple)) => couple_forces(mesh, &facet, section, couple)?,
                (Traction::Vector(t), None) => facet_forces(mesh, &facet, section, |_| *t)?,
                (Traction::Couple(_), None) => Vec::new(),
            };
            for (node, force) in forces {
                entries.extend((0..D).map(|i| (D * node + i, force[i])));
            }
        }
        Ok(LoadVector { entries, factor: self.factor.clone() })
    }
}

impl<const D: usize> NodalForce<D> {
    pub(crate) fn vector(&self, mesh: &Mesh<D>) -> Result<LoadVector, FemError> {
        check_vector("force", &self.force)?;
        self.factor.validate()?;
        let nodes = mesh.group_nodes(mesh.group(&self.group)?);
        let share = 1.0 / nodes.len() as f64;
        let entries = nodes.iter().flat_map(|n| (0..D).map(move |i| (D * n + i, share * self.force[i]))).collect();
        Ok(LoadVector { entries, factor: self.factor.clone() })
    }
}

/// The prescribed degrees of freedom of a body, ascending, with the function that moves each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prescribed {
    pub dofs: Vec<usize>,
    /// Index into `functions`, per dof.
    which: Vec<usize>,
    functions: Vec<TimeFunction>,
}

/// Nodes closer to the axis than this part of the largest radius are on it.
const ON_AXIS: f64 = 1e-9;

/// Holds u_r = 0 of the nodes on the axis of an axisymmetric body, by the function after those of the motions.
fn hold_axis<const D: usize>(
    mesh: &Mesh<D>,
    motions: &[PrescribedVelocity],
    of_dof: &mut [Option<usize>],
) -> Result<(), FemError> {
    let largest = mesh.points.iter().map(|x| x[0].abs()).fold(0.0, f64::max);
    for (node, x) in mesh.points.iter().enumerate().filter(|(_, x)| x[0] <= ON_AXIS * largest) {
        if x[0] < -ON_AXIS * largest {
            return Err(FemError::NegativeRadius { node, position: x.to_vec() });
        }
        let known = &mut of_dof[D * node];
        if let Some(motion) = known.map(|k| &motions[k])
            && motion.velocity != TimeFunction::Constant(0.0)
        {
            return Err(FemError::AxisMotion { node, group: motion.group.clone() });
        }
        *known = Some(motions.len());
    }
    Ok(())
}

impl Prescribed {
    pub fn new<const D: usize>(
        mesh: &Mesh<D>,
        motions: &[PrescribedVelocity],
        section: Section,
    ) -> Result<Self, FemError> {
        let mut of_dof: Vec<Option<usize>> = vec![None; D * mesh.points.len()];
        for (k, motion) in motions.iter().enumerate() {
            let place = |e: FemError| e.at(format!("prescribed velocity on `{}`", motion.group));
            let component = motion.component;
            if component >= D {
                return Err(place(FemError::Component { component, dimension: D }));
            }
            motion.velocity.validate().map_err(place)?;
            let group = mesh.group(&motion.group).map_err(|e| place(e.into()))?;
            for node in mesh.group_nodes(group) {
                match of_dof[D * node + component] {
                    Some(first) if motions[first].velocity != motion.velocity => {
                        return Err(FemError::ConflictingMotions {
                            node,
                            component,
                            first: motions[first].group.clone(),
                            second: motion.group.clone(),
                        });
                    }
                    Some(_) => {}
                    None => of_dof[D * node + component] = Some(k),
                }
            }
        }
        let mut functions: Vec<TimeFunction> = motions.iter().map(|m| m.velocity.clone()).collect();
        if section.is_revolved() {
            hold_axis(mesh, motions, &mut of_dof)?;
            functions.push(TimeFunction::Constant(0.0));
        }
        let pairs = of_dof.iter().enumerate().filter_map(|(dof, k)| k.map(|k| (dof, k)));
        let (dofs, which) = pairs.unzip();
        Ok(Self { dofs, which, functions })
    }

    /// The function that moves a dof, if one does.
    pub fn function_of(&self, dof: usize) -> Option<&TimeFunction> {
        self.dofs.binary_search(&dof).ok().map(|i| &self.functions[self.which[i]])
    }

    /// Velocity \[m/s\] and acceleration \[m/s²\] of every prescribed dof.
    pub fn motion(&self, t: f64) -> Vec<(f64, f64)> {
        let values: Vec<_> = self.functions.iter().map(|f| (f.value(t), f.derivative(t))).collect();
        self.which.iter().map(|&k| values[k]).collect()
    }

    /// The way of every prescribed dof between two times \[m\].
    pub fn way(&self, from: f64, to: f64) -> Vec<f64> {
        let ways: Vec<f64> = self.functions.iter().map(|f| f.integral(from, to)).collect();
        self.which.iter().map(|&k| ways[k]).collect()
    }
}
