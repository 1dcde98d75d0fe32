//! Ties: nodes that have the displacement of others, for periodic cells.
//!
//! Nodes of one group are matched to nodes of another by a translation. Ties make classes of dofs that move as one: a corner
//! of a cell that is tied twice, and chains of ties, end at one master, the lowest dof of the class that is not a slave.

use delassus_mesh::Mesh;

use crate::error::FemError;
use crate::load::Prescribed;

/// A node is matched within this part of the size of its group.
const SAME_PLACE: f64 = 1e-6;

/// The nodes of a group move as those of another do.
#[derive(Clone, Debug)]
pub struct Tie<const D: usize> {
    /// Group of the nodes that follow.
    pub slaves: String,
    /// Group of the nodes they follow.
    pub masters: String,
    /// Components that are equal.
    pub components: Vec<usize>,
    /// From a master to its slave \[m\]; from the lowest corners of the groups' boxes when absent.
    pub translation: Option<[f64; D]>,
}

/// (slave, master) dofs of all ties, by slave; those that are prescribed alike are left out.
pub(crate) fn tied_dofs<const D: usize>(
    mesh: &Mesh<D>,
    ties: &[Tie<D>],
    prescribed: &Prescribed,
) -> Result<Vec<(usize, usize)>, FemError> {
    let n = D * mesh.n_points();
    let mut class: Vec<usize> = (0..n).collect();
    let mut follows = vec![false; n];
    for tie in ties {
        let place = |e: FemError| e.at(format!("tie of `{}` to `{}`", tie.slaves, tie.masters));
        for (slave, master) in matched(mesh, tie).map_err(place)? {
            for &component in &tie.components {
                if component >= D {
                    return Err(place(FemError::Component { component, dimension: D }));
                }
                let dofs = [slave, master].map(|node| D * node + component);
                follows[dofs[0]] = true;
                if slave == master {
                    return Err(place(FemError::CyclicTie { node: slave, component }));
                }
                let roots = dofs.map(|dof| root(&mut class, dof));
                class[roots[0].max(roots[1])] = roots[0].min(roots[1]);
            }
        }
    }
    let mut master: Vec<Option<usize>> = vec![None; n];
    for dof in (0..n).rev().filter(|&dof| !follows[dof]) {
        let root = root(&mut class, dof);
        master[root] = Some(dof);
    }
    let mut out = Vec::new();
    for dof in (0..n).filter(|&dof| follows[dof]) {
        let Some(master) = master[root(&mut class, dof)] else {
            return Err(FemError::CyclicTie { node: dof / D, component: dof % D });
        };
        out.push((dof, master));
    }
    // Other dofs of a class that are nobody's slaves follow the lowest one too.
    for dof in (0..n).filter(|&dof| !follows[dof]) {
        match master[root(&mut class, dof)] {
            Some(lowest) if lowest != dof => out.push((dof, lowest)),
            _ => {}
        }
    }
    out.sort_unstable();
    for &(slave, master) in &out {
        if prescribed.function_of(slave) != prescribed.function_of(master) {
            let (node, component) = (slave / D, slave % D);
            return Err(FemError::TiedMotion { node, master: master / D, component });
        }
    }
    out.retain(|&(slave, _)| prescribed.function_of(slave).is_none());
    Ok(out)
}

fn root(class: &mut [usize], mut dof: usize) -> usize {
    while class[dof] != dof {
        class[dof] = class[class[dof]];
        dof = class[dof];
    }
    dof
}

/// Pairs of nodes (slave, master).
fn matched<const D: usize>(mesh: &Mesh<D>, tie: &Tie<D>) -> Result<Vec<(usize, usize)>, FemError> {
    let slaves = mesh.group_nodes(mesh.group(&tie.slaves)?);
    let masters = mesh.group_nodes(mesh.group(&tie.masters)?);
    let low = |nodes: &[usize], i: usize| nodes.iter().map(|&n| mesh.points[n][i]).fold(f64::INFINITY, f64::min);
    let high = |nodes: &[usize], i: usize| nodes.iter().map(|&n| mesh.points[n][i]).fold(f64::NEG_INFINITY, f64::max);
    let shift = tie.translation.unwrap_or_else(|| std::array::from_fn(|i| low(&slaves, i) - low(&masters, i)));
    let extent = (0..D).map(|i| (high(&slaves, i) - low(&slaves, i)).abs() + shift[i].abs()).fold(0.0, f64::max);
    let tolerance = SAME_PLACE * extent;
    // Along a direction that no mesh is aligned with, few masters are as far as a slave.
    let along = |x: &[f64; D]| {
        x.iter().zip([1.0, std::f64::consts::SQRT_2, std::f64::consts::E]).map(|(x, a)| a * x).sum::<f64>()
    };
    let mut sorted: Vec<(f64, usize)> = masters.iter().map(|&n| (along(&mesh.points[n]), n)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut pairs = Vec::with_capacity(slaves.len());
    for &slave in &slaves {
        let wanted: [f64; D] = std::array::from_fn(|i| mesh.points[slave][i] - shift[i]);
        let distance = |&(_, n): &(f64, usize)| -> f64 {
            wanted.iter().zip(&mesh.points[n]).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        let key = along(&wanted);
        let first = sorted.partition_point(|m| m.0 < key - 4.0 * tolerance);
        let near = sorted[first..].iter().take_while(|m| m.0 <= key + 4.0 * tolerance);
        match near.filter(|m| distance(m) <= tolerance).min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            Some(&(_, master)) => pairs.push((slave, master)),
            None => {
                let nearest = sorted.iter().map(distance).fold(f64::INFINITY, f64::min);
                let position = mesh.points[slave].to_vec();
                return Err(FemError::UnmatchedTie { node: slave, position, nearest, translation: shift.to_vec() });
            }
        }
    }
    Ok(pairs)
}
