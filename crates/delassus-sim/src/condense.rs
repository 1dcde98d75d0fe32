//! W = Hᵀ w H, put together from each body's condensed w and the contacts' frames.
//!
//! ```text
//! W_αβ = Σ_bodies Σ_{k ∈ α, l ∈ β} (± c_k)(± c_l) F_αᵀ w_kl F_β
//! ```
//!
//! k, l run over the nodes of the two contacts on a common body, c are the weights of the sides (minus for antagonists),
//! w_kl the D × D block of the body's condensed operator. Two contacts without a common body do not see each other.
//! (Jean 1995 §3, the Delassus operator.)

use delassus_contact::{Contact, Map};
use delassus_dynamics::Operator;
use delassus_solver::{BlockMatrix, Matrix, SolverError};

/// One nodal share of a contact: body, node, signed weight.
struct Share {
    body: usize,
    node: usize,
    weight: f64,
}

fn shares<const D: usize>(contact: &Contact<D>) -> Vec<Share> {
    let mut out = Vec::new();
    for (side, sign) in contact.sides.iter().zip([1.0, -1.0]) {
        if let (Some(body), Map::Nodes(nodes)) = (side.body, &side.map) {
            out.extend(nodes.iter().map(|&(node, weight)| Share { body, node, weight: sign * weight }));
        }
    }
    out
}

/// W for the given contacts, in their order.
pub fn condense<const D: usize>(
    contacts: &[&Contact<D>],
    operators: &[Operator],
) -> Result<BlockMatrix<D>, SolverError> {
    let shares: Vec<Vec<Share>> = contacts.iter().map(|c| shares(c)).collect();
    let block = |i: usize, j: usize| -> Option<Matrix<D>> {
        let mut world = Matrix::<D>::zeros();
        let mut meet = false;
        for a in &shares[i] {
            for b in shares[j].iter().filter(|b| b.body == a.body) {
                let w = operators[a.body].condensed();
                meet = true;
                for r in 0..D {
                    for c in 0..D {
                        world[(r, c)] += a.weight * b.weight * w.entry(D * a.node + r, D * b.node + c);
                    }
                }
            }
        }
        meet.then(|| contacts[i].frame.transpose() * world * contacts[j].frame)
    };
    let n = contacts.len();
    let mut rows: Vec<Vec<(usize, Matrix<D>)>> = (0..n).map(|_| Vec::with_capacity(n)).collect();
    for i in 0..n {
        for j in 0..=i {
            if let Some(w) = block(i, j) {
                rows[i].push((j, w));
                if j < i {
                    rows[j].push((i, w.transpose()));
                }
            } else if i == j {
                rows[i].push((i, Matrix::zeros()));
            }
        }
    }
    BlockMatrix::from_rows(rows)
}
