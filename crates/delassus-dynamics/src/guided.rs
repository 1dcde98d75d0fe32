//! The [rows](Guides) beside the factor of a body that turns, at work: S = Bᵀ w B, factored for the body turned as it is.
//!
//! ```text
//! w_g r = x − w B S⁻¹ Bᵀ x ,   x = w r             w_g on two nodes = w_kl − Y_kᵀ Y_l ,   Y = L⁻¹ Bᵀ w ,   S = L Lᵀ
//! ```

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::block_rotation::BlockRotation;
use crate::condensed::{Condensed, TilePlace};
use crate::error::DynamicsError;
use crate::guides::{GuideRow, Guides};

/// S⁻¹ of a body turned as it is.
#[derive(Clone, Debug)]
pub struct Guided {
    rows: Vec<PlacedRow>,
    factor: Cholesky<f64, Dyn>,
    rotation: Option<BlockRotation>,
}

/// An entry of w in the axes of space, (R w_kl Rᵀ)_ij for components i and j of two sites.
fn entry(w: &Condensed, turn: Option<&BlockRotation>, (k, i): (TilePlace, usize), (l, j): (TilePlace, usize)) -> f64 {
    let d = w.d();
    let (tile, is_flipped) = w.tile(k, l);
    let own = |m: usize, n: usize| if is_flipped { tile[n * d + m] } else { tile[m * d + n] };
    let Some(rows) = turn.map(BlockRotation::rows) else { return own(i, j) };
    let along = |m: usize| -> f64 { (0..d).map(|n| own(m, n) * rows[j * d + n]).sum() };
    (0..d).map(|m| rows[i * d + m] * along(m)).sum()
}

/// The parts of a row with their places in w: (place, component, sign).
type PlacedRow = Vec<(TilePlace, usize, f64)>;

/// The rows with their places in a condensed w; none unless their nodes are exposed.
fn placed(guides: &Guides, w: &Condensed) -> Option<Vec<PlacedRow>> {
    let d = guides.d;
    let part = |(dof, sign): (usize, f64)| w.place(dof / d).map(|place| (place, dof % d, sign));
    guides.rows.iter().map(|row| row.parts().map(part).collect()).collect()
}

impl Guided {
    /// S of these rows, for a body turned by `rotation` from the one whose w is condensed, on their nodes at least.
    ///
    /// # Errors
    /// [`DynamicsError::NotPositiveDefinite`] for rows that depend on one another.
    pub fn new(guides: &Guides, w: &Condensed, rotation: Option<BlockRotation>) -> Result<Self, DynamicsError> {
        let refused = |dof: usize| DynamicsError::NotPositiveDefinite { matrix: "guides", dof };
        let first = guides.rows.first().map_or(0, |row| row.dof);
        let rows = placed(guides, w).ok_or_else(|| refused(first))?;
        let mut s = DMatrix::zeros(rows.len(), rows.len());
        for (b, column) in rows.iter().enumerate() {
            for (a, row) in rows.iter().enumerate().skip(b) {
                let pairs = row.iter().flat_map(|x| column.iter().map(move |y| (x, y)));
                s[(a, b)] = pairs
                    .map(|((k, i, x), (l, j, y))| x * y * entry(w, rotation.as_ref(), (*k, *i), (*l, *j)))
                    .sum::<f64>();
            }
        }
        Cholesky::new(s).map(|factor| Self { rows, factor, rotation }).ok_or_else(|| refused(first))
    }

    /// Was it made for this rotation?
    #[must_use]
    pub fn is_of(&self, rotation: Option<&BlockRotation>) -> bool {
        self.rotation.as_ref() == rotation
    }

    /// B S⁻¹ Bᵀ x: the impulses that rows answer a motion x = w r with.
    #[must_use]
    pub fn answer(&self, guides: &Guides, x: &[f64]) -> Vec<f64> {
        let off = |row: &GuideRow| row.parts().map(|(dof, sign)| sign * x[dof]).sum();
        let mut lambda = DVector::from_iterator(guides.rows.len(), guides.rows.iter().map(off));
        self.factor.solve_mut(&mut lambda);
        let mut out = vec![0.0; x.len()];
        for (row, l) in guides.rows.iter().zip(lambda.iter()) {
            row.parts().for_each(|(dof, sign)| out[dof] += sign * l);
        }
        out
    }

    /// Y = L⁻¹ Bᵀ w on one node, S = L Lᵀ: what rows take from w of two nodes is Y_kᵀ Y_l, in the axes of space. None unless the nodes are exposed.
    #[must_use]
    pub fn seen(&self, w: &Condensed, site: usize) -> Option<DMatrix<f64>> {
        let place = w.place(site)?;
        let of_row = |a: usize, j: usize| -> f64 {
            self.rows[a].iter().map(|(k, i, x)| x * entry(w, self.rotation.as_ref(), (*k, *i), (place, j))).sum()
        };
        let mut out = DMatrix::from_fn(self.rows.len(), w.d(), of_row);
        self.factor.l_dirty().solve_lower_triangular_mut(&mut out).then_some(out)
    }
}
