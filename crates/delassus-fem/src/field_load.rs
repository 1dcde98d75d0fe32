//! Loads that vary from place to place: a traction, a pressure or an acceleration times an expression of the place, and of the time.
//!
//! ```text
//! P_a(t) = f(t) ∫ N_a g(X, t) T dA ,   T = −p n for a pressure       at the quadrature points of the facets
//! P_a(t) = f(t) m_a g(X_a, t) a                                      body forces, at the nodes
//! ```
//!
//! The rule of the facets is exact for g of first degree on linear facets (resultant and moment), and of higher order on quadratic ones. Places X are those of the undeformed body: these loads
//! are dead.

use delassus_error::digits;
use delassus_mesh::Mesh;

use crate::error::FemError;
use crate::function::{SpaceExpression, TimeFunction};
use crate::section::Section;
use crate::surface::point_forces;

/// What an expression multiplies.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldLoadKind<const D: usize> {
    /// Force per area on the facets of a group \[Pa\].
    Traction {
        /// Name of the group.
        group: String,
        /// Traction.
        traction: [f64; D],
    },
    /// Pressure on the facets of a group, positive pushes into the body \[Pa\].
    Pressure {
        /// Name of the group.
        group: String,
        /// Pressure.
        pressure: f64,
    },
    /// Acceleration of the body \[m/s²\].
    Acceleration([f64; D]),
}

/// A load times an expression.
#[derive(Clone, Debug)]
pub struct FieldLoad<const D: usize> {
    /// The load.
    pub kind: FieldLoadKind<D>,
    /// Factor in time \[-\].
    pub factor: TimeFunction,
    /// Factor in space \[-\].
    pub field: SpaceExpression<D>,
}

impl<const D: usize> FieldLoad<D> {
    /// As it is at t = 0, for ever.
    pub(crate) fn frozen(&self) -> Self {
        let factor = TimeFunction::Constant(self.factor.value(0.0));
        Self { kind: self.kind.clone(), factor, field: self.field.held_at(0.0) }
    }
}

/// The force per area where the field is 1, by the normal.
type TractionOf<'a, const D: usize> = Box<dyn Fn([f64; D]) -> [f64; D] + 'a>;

/// A field load, point by point.
#[derive(Clone, Debug)]
pub(crate) struct FieldVector<const D: usize> {
    /// Dof, force where the field is 1 \[N\], place \[m\].
    entries: Vec<(usize, f64, [f64; D])>,
    factor: TimeFunction,
    field: SpaceExpression<D>,
    /// The values of the field, of one that does not change.
    values: Vec<f64>,
}

impl<const D: usize> FieldVector<D> {
    pub fn new(load: &FieldLoad<D>, mesh: &Mesh<D>, section: Section, node_masses: &[f64]) -> Result<Self, FemError> {
        load.factor.validate()?;
        let mut entries = Vec::new();
        let mut add = |node: usize, force: [f64; D], place: [f64; D]| {
            entries.extend((0..D).filter(|&i| force[i].abs() > 0.0).map(|i| (D * node + i, force[i], place)));
        };
        let (group, traction): (_, TractionOf<'_, D>) = match &load.kind {
            FieldLoadKind::Traction { group, traction } => (Some(group), Box::new(move |_| *traction)),
            FieldLoadKind::Pressure { group, pressure } => (Some(group), Box::new(move |n| n.map(|n| -pressure * n))),
            FieldLoadKind::Acceleration(a) => {
                for (node, mass) in node_masses.iter().enumerate() {
                    add(node, a.map(|a| mass * a), mesh.points[node]);
                }
                (None, Box::new(|_| [0.0; D]))
            }
        };
        for facet in group.map_or_else(|| Ok(Vec::new()), |group| mesh.group_facets(group))? {
            for (node, force, place) in point_forces(mesh, &facet, section, &*traction)? {
                add(node, force, place);
            }
        }
        let field = load.field.clone();
        let values: Vec<f64> = entries.iter().map(|(_, _, place)| field.value(place, 0.0)).collect();
        if let Some(k) = values.iter().position(|x| !x.is_finite()) {
            let place = digits::place(&entries[k].2);
            return Err(FemError::FieldValue { text: field.text().to_owned(), value: values[k], place });
        }
        let values = if field.varies() { Vec::new() } else { values };
        Ok(Self { entries, factor: load.factor.clone(), field, values })
    }

    /// Adds the forces at a time.
    pub fn add_into(&self, t: f64, out: &mut [f64]) {
        let factor = self.factor.value(t);
        if self.values.is_empty() {
            for (dof, force, place) in &self.entries {
                out[*dof] += factor * force * self.field.value(place, t);
            }
        } else {
            for ((dof, force, _), value) in self.entries.iter().zip(&self.values) {
                out[*dof] += factor * force * value;
            }
        }
    }

    /// Numbers that it keeps.
    pub fn n_numbers(&self) -> usize {
        (2 + D) * self.entries.len() + self.values.len()
    }
}
