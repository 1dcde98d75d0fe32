//! W = Hᵀ w H, put together from each body's condensed w and the contacts' frames.
//!
//! ```text
//! W_αβ = Σ_bodies Σ_{k ∈ α, l ∈ β} (± c_k)(± c_l) F_αᵀ w_kl F_β
//! ```
//!
//! k, l run over the nodes of the two contacts on a common body, c are the weights of the sides (minus for antagonists),
//! w_kl the D × D tile of the body's condensed operator, R w_kl Rᵀ for a body turned by R from the one that was condensed.
//! Two contacts without a common body do not see each other.
//! (Jean 1995 §3, the Delassus operator.)

use std::collections::BTreeMap;

use delassus_contact::{Contact, Map};
use delassus_dynamics::condensed::TilePlace;
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
                        let hidden = || SimError::Internal(format!("w at node {node} of body {body} is not exposed"));
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
        match operators.turn(body).filter(|_| is_common) {
            Some(turn) => {
                let turn = Matrix::<D>::from_row_slice(turn.rows());
                sum += turn * part * turn.transpose();
            }
            None => sum += part,
        }
    }
    sum
}

/// W for the given contacts, in their order; the operators must be [exposed](Operators::expose) on them.
pub fn condense<const D: usize>(contacts: &[&Contact<D>], operators: &Operators) -> Result<BlockMatrix<D>, SimError> {
    let n = contacts.len();
    let shares = Shares::of(contacts, operators)?;
    let frames: Vec<Matrix<D>> = contacts.iter().map(|c| c.frame).collect();
    let block = |i: usize, j: usize| {
        let world = world_block::<D>(shares.of_contact(i), shares.of_contact(j), operators);
        frames[i].tr_mul(&(world * frames[j]))
    };
    if shares.have_common_body() {
        return Ok(BlockMatrix::symmetric(n, block));
    }
    let by_body = shares.by_body();
    let row = |i: usize| shares.seen_by(i, &by_body).into_iter().map(|j| (j, block(i, j))).collect();
    let mut rows: Vec<Vec<(usize, Matrix<D>)>> = (0..n).into_par_iter().map(row).collect();
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use delassus_contact::{local_velocity, scatter};

    use super::*;
    use crate::engine::Engine;
    use crate::{Loaded, Model};

    /// Block a on block b, beside block c; contact pairs: a with b, and those of `floor_bodies` with an inclined floor.
    fn model(floor_bodies: &[&str]) -> Model<2> {
        let block = |name: &str, x: f64, y: f64, width: f64| {
            format!(
                "(name: \"{name}\", mesh: Rectangle(corner: ({x}, {y}), size: ({width:?}, 0.5), cells: (3, 2)), \
                 material: \"m\"),"
            )
        };
        let on_floor = |body: &&str| {
            format!(
                "(name: \"{body} floor\", candidates: (body: \"{body}\", group: \"bottom\"), \
                 antagonists: Obstacle(\"floor\"), law: SignoriniCoulomb(friction: 0.3)),"
            )
        };
        let text = format!(
            "(title: \"t\", materials: [(name: \"m\", density: 1000.0, law: KelvinVoigt(young: 1e7, poisson: 0.3))],\n\
             bodies: [{}{}{}],\n\
             obstacles: [(name: \"floor\", shape: HalfPlane(point: (0.0, 0.0), normal: (0.1, 1.0)))],\n\
             contacts: [(name: \"a b\", candidates: (body: \"a\", group: \"bottom\"), \
             antagonists: Surface(body: \"b\", group: \"top\"), law: Frictionless), {}],\n\
             boundary: [(body: \"b\", group: \"left\", x: 0.0)],\n\
             integrator: Theta(theta: 0.5), step: 1e-3, duration: 1.0)",
            block("a", 0.1, 0.5, 0.8),
            block("b", 0.0, 0.0, 1.0),
            block("c", 2.0, 0.0, 1.0),
            floor_bodies.iter().map(on_floor).collect::<String>(),
        );
        Loaded::from_text(Path::new("t.ron"), text, &[]).and_then(|l| l.model()).unwrap()
    }

    /// W must be what unit impulses do to velocities, by whole solves instead of condensed ones.
    fn check(floor_bodies: &[&str], n_contacts: usize, n_blocks: usize) {
        let model = model(floor_bodies);
        let q: Vec<Vec<f64>> = model.start().states.into_iter().map(|s| s.q).collect();
        let contacts = Engine::new(&model).unwrap().detect(&q, 0.0, model.h).unwrap().contacts;
        assert_eq!(contacts.len(), n_contacts);
        let mut operators = model.factor(model.h).unwrap();
        let w = condense(&contacts.iter().collect::<Vec<_>>(), &operators).unwrap();
        assert_eq!(w.n_blocks(), n_blocks);
        let scale = (0..n_contacts).map(|i| w.diagonal(i).amax()).fold(0.0, f64::max);
        for (j, source) in contacts.iter().enumerate() {
            for c in 0..2 {
                let mut v: Vec<Vec<f64>> = q.iter().map(|q| vec![0.0; q.len()]).collect();
                scatter(source, &Matrix::<2>::identity().column(c).into_owned(), &mut v);
                for (v, operator) in v.iter_mut().zip(&mut operators.bodies) {
                    operator.apply(v);
                }
                let views: Vec<&[f64]> = v.iter().map(Vec::as_slice).collect();
                for (i, contact) in contacts.iter().enumerate() {
                    let error = (local_velocity(contact, &views) - w.block(i, j).column(c)).amax();
                    // rounding of solves with a well-conditioned matrix of 24 dofs
                    assert!(error <= 1e-12 * scale, "block ({i}, {j}): {error:e} of {scale:e}");
                }
            }
        }
        // only the diagonal blocks are turned from both sides, with a rounding each
        assert!(w.max_asymmetry() <= 1e-15, "{:e}", w.max_asymmetry());
    }

    #[test]
    fn contacts_that_all_share_a_body_see_each_other() {
        // b carries a and lies on the floor: 4 + 4 contacts
        check(&["b"], 8, 64);
    }

    #[test]
    fn contacts_without_a_common_body_do_not_see_each_other() {
        // a on b; c on the floor: two separate groups of 4
        check(&["c"], 8, 2 * 16);
        // a on b on the floor, c on the floor
        check(&["b", "c"], 12, 64 + 16);
    }
}
