//! W = Hᵀ w H, put together from each body's condensed w and the contacts' frames.
//!
//! ```text
//! W_αβ = Σ_bodies Σ_{k ∈ α, l ∈ β} (± c_k)(± c_l) F_αᵀ w_kl F_β
//! ```
//!
//! k, l run over the nodes of the two contacts on a common body, c are the weights of the sides (minus for antagonists),
//! w_kl the D × D tile of the body's condensed operator, R w_kl Rᵀ for a body turned by R from the one that was condensed. A body without finite
//! elements has w_kl = J_k w J_lᵀ with the matrices J of its [sites](crate::model::SpatialBody).
//! Of a body with rows beside its factor ([`Guided`](delassus_dynamics::Guided)), components that are held have c = 0, and what the rows take is Y_αᵀ Y_β with Y_α = Σ ± c_k Y_k.
//! Two contacts without a common body do not see each other.
//! (Jean 1995 §3, the Delassus operator.)

use std::collections::BTreeMap;

use delassus_contact::{Contact, Map, Side};
use delassus_dynamics::condensed::TilePlace;
use delassus_error::InternalError;
use delassus_solver::{BlockMatrix, Matrix, Vector};
use nalgebra::DMatrix;

use crate::error::SimError;
use crate::model::{Jacobian, Model};
use crate::operators::Operators;
use crate::parallel::prelude::*;

/// One share of a contact in a body.
struct Share<const D: usize> {
    body: usize,
    part: SharePart<D>,
}

/// Weights of the components of a node.
#[derive(Clone, Copy)]
enum Weights<const D: usize> {
    /// The same for all.
    Same(f64),
    /// Zero for some.
    Each(Vector<D>),
}

impl<const D: usize> Weights<D> {
    fn scale(self, w: Matrix<D>, other: Self) -> Matrix<D> {
        let each = |weights: Self| match weights {
            Self::Same(c) => Vector::<D>::repeat(c),
            Self::Each(c) => c,
        };
        match (self, other) {
            (Self::Same(k), Self::Same(l)) => w * (k * l),
            _ => w.component_mul(&(each(self) * each(other).transpose())),
        }
    }
}

/// How the velocity of a contact point depends on a body.
enum SharePart<const D: usize> {
    /// A node: its place in the condensed operator, signed weights of its components.
    Node(TilePlace, Weights<D>),
    /// All degrees of freedom: number of the matrix ± Σ c_k J_k.
    Whole(usize),
}

/// The shares of all contacts, contact after contact.
struct Shares<const D: usize> {
    all: Vec<Share<D>>,
    /// Contact i has `all[first[i]..first[i + 1]]`.
    first: Vec<usize>,
    /// The matrices of the shares of whole bodies.
    matrices: Vec<Jacobian<D>>,
    /// Y of the contacts on bodies with rows beside their factor, by contact and body.
    taken: BTreeMap<(usize, usize), DMatrix<f64>>,
}

impl<const D: usize> Shares<D> {
    fn of(contacts: &[&Contact<D>], operators: &Operators, at: Sites<'_, D>) -> Result<Self, SimError> {
        let mut out = Self {
            all: Vec::with_capacity((D + 1) * contacts.len()),
            first: vec![0],
            matrices: Vec::new(),
            taken: BTreeMap::new(),
        };
        for (number, contact) in contacts.iter().enumerate() {
            for (sign, side) in contact.signed_sides() {
                let Some(body) = side.body else { continue };
                if operators.dense(body).is_some() {
                    out.all.push(Share { body, part: SharePart::Whole(out.matrices.len()) });
                    out.matrices.push(at.jacobian(body, sign, side)?);
                } else if let Map::Nodes(nodes) = &side.map {
                    let w = operators.condensed(body);
                    for &(node, weight) in nodes {
                        let hidden = || InternalError(format!("w at node {node} of body {body} is not exposed"));
                        let place = w.place(node).ok_or_else(hidden)?;
                        let mut weights = Weights::Same(sign * weight);
                        if let Some((guides, guided)) = operators.guided(body) {
                            let each = Vector::<D>::from_vec(guides.freedom(node)) * (sign * weight);
                            let mut y = guided.seen(w, node).ok_or_else(hidden)?;
                            (0..D).for_each(|i| y.column_mut(i).scale_mut(each[i]));
                            weights = Weights::Each(each);
                            out.taken.entry((number, body)).and_modify(|sum| *sum += &y).or_insert(y);
                        }
                        out.all.push(Share { body, part: SharePart::Node(place, weights) });
                    }
                }
            }
            out.first.push(out.all.len());
        }
        Ok(out)
    }

    fn of_contact(&self, i: usize) -> &[Share<D>] {
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

/// Where the sites of bodies are when W is put together.
#[derive(Clone, Copy)]
pub struct Sites<'a, const D: usize> {
    /// The bodies.
    pub model: &'a Model<D>,
    /// Their configurations.
    pub q: &'a [Vec<f64>],
}

impl<const D: usize> Sites<'_, D> {
    /// ± Σ c_k J_k of a side on a body without finite elements.
    fn jacobian(&self, body: usize, sign: f64, side: &Side<D>) -> Result<Jacobian<D>, SimError> {
        let known = &self.model.bodies[body];
        let mut sum = Jacobian::<D>::zeros(known.body.n_dof());
        for (site, weight) in side.jacobians() {
            let missing = || InternalError(format!("body `{}` has no matrix for its site {site}", known.name));
            sum += weight * known.body.jacobian(&self.q[body], site).ok_or_else(missing)? * sign;
        }
        Ok(sum)
    }
}

/// Adds `weight` times a tile, given row by row, or its transpose.
#[inline(always)]
fn add_tile<const D: usize>(sum: &mut Matrix<D>, tile: &[f64], is_flipped: bool, weight: f64) {
    let (rows, _) = tile.as_chunks::<D>();
    for (r, row) in rows.iter().enumerate() {
        for (c, x) in row.iter().enumerate() {
            let place = if is_flipped { (c, r) } else { (r, c) };
            sum[place] += x * weight;
        }
    }
}

/// Σ (± c_k)(± c_l) w_kl of two contacts, in world axes.
#[inline]
fn world_block<const D: usize>(shares: &Shares<D>, i: usize, j: usize, operators: &Operators) -> Matrix<D> {
    let (a, b) = (shares.of_contact(i), shares.of_contact(j));
    let mut sum = Matrix::<D>::zeros();
    for own in a.chunk_by(|x, y| x.body == y.body) {
        let body = own[0].body;
        let w = operators.condensed(body);
        let turn = operators.rotation(body).map(|turn| Matrix::<D>::from_row_slice(turn.rows()));
        let is_guided = operators.guided(body).is_some();
        let in_world = |w: Matrix<D>| turn.map_or(w, |turn| turn * w * turn.transpose());
        let mut part = Matrix::<D>::zeros();
        let mut is_common = false;
        for k in own {
            for l in b.iter().filter(|l| l.body == body) {
                match (&k.part, &l.part) {
                    // The usual case, with the operations of the other in their order.
                    (SharePart::Node(row, Weights::Same(c_k)), SharePart::Node(column, Weights::Same(c_l)))
                        if !is_guided =>
                    {
                        let (tile, is_flipped) = w.tile(*row, *column);
                        add_tile(&mut part, tile, is_flipped, c_k * c_l);
                    }
                    (SharePart::Node(row, c_k), SharePart::Node(column, c_l)) => {
                        let (tile, is_flipped) = w.tile(*row, *column);
                        let columns = Matrix::<D>::from_column_slice(tile);
                        let own = if is_flipped { columns } else { columns.transpose() };
                        // Components are held in the axes of space.
                        part += c_k.scale(if is_guided { in_world(own) } else { own }, *c_l);
                    }
                    (SharePart::Whole(row), SharePart::Whole(column)) => {
                        if let Some(w) = operators.dense(body) {
                            part += &shares.matrices[*row] * w * shares.matrices[*column].transpose();
                        }
                    }
                    // A body has shares of one kind.
                    _ => {}
                }
                is_common = true;
            }
        }
        sum += if is_common && !is_guided { in_world(part) } else { part };
        if let (Some(x), Some(y)) = (shares.taken.get(&(i, body)), shares.taken.get(&(j, body))) {
            sum -= Matrix::<D>::from_fn(|r, c| x.column(r).dot(&y.column(c)));
        }
    }
    sum
}

/// W for the given contacts, in their order; the operators must be [exposed](Operators::expose) on them. An interrupt is heard between blocks.
pub fn condense<const D: usize>(
    contacts: &[&Contact<D>],
    operators: &Operators,
    at: Sites<'_, D>,
) -> Result<BlockMatrix<D>, SimError> {
    let n = contacts.len();
    let shares = Shares::of(contacts, operators, at)?;
    let frames: Vec<Matrix<D>> = contacts.iter().map(|c| c.frame).collect();
    let interrupt = operators.interrupt();
    let block = |i: usize, j: usize| {
        // The rest of a matrix that nobody will see.
        if interrupt.is_raised() {
            return Matrix::<D>::zeros();
        }
        let world = world_block::<D>(&shares, i, j, operators);
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
