//! W = Hᵀ w H, put together from each body's condensed w and the contacts' frames.
//!
//! ```text
//! W_αβ = Σ_bodies Σ_{k ∈ α, l ∈ β} (± c_k)(± c_l) F_αᵀ w_kl F_β
//! ```
//!
//! k, l run over the nodes of the two contacts on a common body, c are the weights of the sides (minus for antagonists),
//! w_kl the D × D tile of the body's condensed operator, R w_kl Rᵀ for a body turned by R from the one that was condensed.
//! W_αβ = 0 for two contacts without a common body. (Jean 1995 §3, the Delassus operator.)

use std::collections::BTreeMap;

use delassus_contact::{Contact, Map};
use delassus_dynamics::condensed::TilePlace;
use delassus_error::InternalError;
use delassus_solver::{BlockMatrix, Matrix};
use rayon::prelude::*;

use crate::error::SimError;
use crate::operators::Operators;

/// One nodal share of a contact: body, place of the node in its condensed operator, signed weight.
struct Share {
    body: usize,
    place: TilePlace,
    weight: f64,
}

/// The shares of all contacts, contact after contact. Those of a body follow each other.
struct Shares {
    all: Vec<Share>,
    /// Contact i has `all[first[i]..first[i + 1]]`.
    first: Vec<usize>,
}

impl Shares {
    fn of<const D: usize>(contacts: &[&Contact<D>], operators: &Operators) -> Result<Self, SimError> {
        let mut all = Vec::with_capacity((D + 1) * contacts.len());
        let mut first = vec![0];
        for contact in contacts {
            for (side, sign) in contact.sides.iter().zip([1.0, -1.0]) {
                if let (Some(body), Map::Nodes(nodes)) = (side.body, &side.map) {
                    let w = operators.condensed(body);
                    for &(node, weight) in nodes {
                        let hidden = || InternalError(format!("w at node {node} of body {body} is not exposed"));
                        let place = w.place(node).ok_or_else(hidden)?;
                        all.push(Share { body, place, weight: sign * weight });
                    }
                }
            }
            first.push(all.len());
        }
        Ok(Self { all, first })
    }

    fn of_contact(&self, i: usize) -> &[Share] {
        &self.all[self.first[i]..self.first[i + 1]]
    }

    /// The contacts of every body, ascending.
    fn by_body(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut out: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for i in 0..self.first.len() - 1 {
            for share in self.of_contact(i).chunk_by(|x, y| x.body == y.body) {
                let list = out.entry(share[0].body).or_default();
                if list.last() != Some(&i) {
                    list.push(i);
                }
            }
        }
        out
    }

    /// The contacts up to i that have a body in common with i, ascending; i itself always.
    fn seen_by(&self, i: usize, by_body: &BTreeMap<usize, Vec<usize>>) -> Vec<usize> {
        let bodies = self.of_contact(i).chunk_by(|x, y| x.body == y.body).map(|s| s[0].body);
        let mut out: Vec<usize> = bodies
            .filter_map(|body| by_body.get(&body))
            .flat_map(|list| list[..list.partition_point(|&j| j < i)].iter().copied())
            .collect();
        out.push(i);
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Is there a body that all contacts touch, so that each of them sees each other?
    fn have_common_body(&self) -> bool {
        let touched = |body: usize, i: usize| self.of_contact(i).iter().any(|s| s.body == body);
        let n = self.first.len() - 1;
        n > 0 && self.of_contact(0).iter().any(|s| (1..n).all(|i| touched(s.body, i)))
    }
}

/// Σ (± c_k)(± c_l) w_kl of two contacts, in world axes.
#[inline]
fn world_block<const D: usize>(a: &[Share], b: &[Share], operators: &Operators) -> Matrix<D> {
    let mut sum = Matrix::<D>::zeros();
    for own in a.chunk_by(|x, y| x.body == y.body) {
        let body = own[0].body;
        let w = operators.condensed(body);
        let mut part = Matrix::<D>::zeros();
        let mut is_common = false;
        for k in own {
            for l in b.iter().filter(|l| l.body == body) {
                let (tile, is_flipped) = w.tile(k.place, l.place);
                let columns = Matrix::<D>::from_column_slice(tile);
                part += (if is_flipped { columns } else { columns.transpose() }) * (k.weight * l.weight);
                is_common = true;
            }
        }
        match operators.rotation(body).filter(|_| is_common) {
            Some(turn) => {
                let turn = Matrix::<D>::from_row_slice(turn.rows());
                sum += turn * part * turn.transpose();
            }
            None => sum += part,
        }
    }
    sum
}

/// W for the given contacts, in their order; the operators must be [exposed](Operators::expose) on them. The interrupt is checked between
/// blocks.
pub fn condense<const D: usize>(contacts: &[&Contact<D>], operators: &Operators) -> Result<BlockMatrix<D>, SimError> {
    let n = contacts.len();
    let shares = Shares::of(contacts, operators)?;
    let frames: Vec<Matrix<D>> = contacts.iter().map(|c| c.frame).collect();
    let interrupt = operators.interrupt();
    let block = |i: usize, j: usize| {
        // The rest of a matrix that nobody will see.
        if interrupt.is_raised() {
            return Matrix::<D>::zeros();
        }
        let world = world_block::<D>(shares.of_contact(i), shares.of_contact(j), operators);
        frames[i].tr_mul(&(world * frames[j]))
    };
    if shares.have_common_body() {
        let full = BlockMatrix::symmetric(n, block);
        interrupt.check()?;
        return Ok(full);
    }
    let by_body = shares.by_body();
    let row = |i: usize| shares.seen_by(i, &by_body).into_iter().map(|j| (j, block(i, j))).collect();
    let mut rows: Vec<Vec<(usize, Matrix<D>)>> = (0..n).into_par_iter().map(row).collect();
    interrupt.check()?;
    for i in 0..n {
        for k in 0..rows[i].len() {
            let (j, w) = rows[i][k];
            // Above the diagonal are only blocks mirrored here: a row is whole when its turn comes.
            if j < i {
                rows[j].push((i, w.transpose()));
            }
        }
    }
    Ok(BlockMatrix::from_rows(rows)?)
}
