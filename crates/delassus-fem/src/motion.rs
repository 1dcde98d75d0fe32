//! The response of a cell by the kinematics of its body.

use crate::element::Element;
use crate::finite::finite;
use crate::finite_step::finite_step;
use crate::kinematics::Kinematics;
use crate::respond::{CellMotion, CellResponse, respond_by, small, updated};

/// Responds; forces are NaN for a motion that turns the cell over.
pub(crate) fn respond<E: Element<D, N>, const D: usize, const N: usize>(
    cell: &CellMotion<'_, D>,
    out: &mut CellResponse,
) {
    respond_by::<D, N>(cell, out, |cell, out| match cell.kinematics {
        Kinematics::SmallStrain | Kinematics::Corotational { .. } => small::<E, D, N>(cell, out),
        Kinematics::UpdatedGeometry { rate } => updated::<E, D, N>(cell, rate, out),
        Kinematics::FiniteStrain {} => match cell.wanted.step {
            None => finite::<E, D, N>(cell, out),
            Some(theta) => finite_step::<E, D, N>(cell, theta, out),
        },
    });
}
