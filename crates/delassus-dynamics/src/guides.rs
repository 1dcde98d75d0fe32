//! Supports of single components of nodes, on a body that turns: rows beside the factor of the body without them.
//!
//! A node that is held or tied in all components is eliminated, and a rotation of all nodes leaves that as it is. A roller holds a component in the axes of space, which
//! turns against the body: it would need a factor of its own in each step. Instead w of the body without its rollers is used turned, and the rollers are
//! linear equations bᵀ v = 0, each with an impulse λ (the range-space form of a saddle-point problem: Benzi, Golub & Liesen 2005 §5):
//!
//! ```text
//! v = w (r − B λ) ,   Bᵀ v = 0      ⇒      S λ = Bᵀ w r ,   S = Bᵀ w B ,      w_g = w − w B S⁻¹ Bᵀ w
//! ```
//!
//! A row of B is a unit vector at a component (a roller), or the difference of two (a component tied to another). S is small and dense: it is read off the condensed w on the
//! guided nodes, and factored once in a step. Applying w_g takes two solves; the contacts' W is corrected by the same S (`guided.rs`).

/// Most rows of a body with so many dofs: factoring S of more may cost as much as a factor of the body.
fn most_rows(n_dof: usize) -> usize {
    (32 + n_dof / 40).min(3000)
}

/// An equation bᵀ v = 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GuideRow {
    pub dof: usize,
    /// The degree of freedom that it moves with; none for one that is held.
    pub with: Option<usize>,
}

impl GuideRow {
    /// Its degrees of freedom with their signs.
    pub fn parts(self) -> impl Iterator<Item = (usize, f64)> {
        std::iter::once((self.dof, 1.0)).chain(self.with.map(|with| (with, -1.0)))
    }
}

/// The supports of a body, divided into those of whole nodes and rows for the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guides {
    /// Held degrees of freedom of nodes that are held in all components, ascending.
    fixed: Vec<usize>,
    /// Ties of nodes that follow another in all components, by slave.
    tied: Vec<(usize, usize)>,
    pub(crate) rows: Vec<GuideRow>,
    /// Nodes of the rows, ascending.
    sites: Vec<usize>,
    pub(crate) d: usize,
}

impl Guides {
    /// Of a body with `n_dof` degrees of freedom, nodes of `d` components, its held degrees of freedom (ascending) and its ties; none where whole nodes alone are held and tied, or where the rows would be too
    /// many.
    #[must_use]
    pub fn of([n_dof, d]: [usize; 2], held: &[usize], ties: &[(usize, usize)]) -> Option<Self> {
        let is_held = |dof: usize| held.binary_search(&dof).is_ok();
        let tie = |dof: usize| ties.binary_search_by_key(&dof, |tie| tie.0).ok().map(|k| ties[k].1);
        let whole_held = |dof: usize| (0..d).all(|i| is_held(dof / d * d + i));
        let whole_tied = |dof: usize| {
            let first = dof / d * d;
            let master = tie(first).filter(|master| master % d == 0);
            master.is_some_and(|master| (1..d).all(|i| tie(first + i) == Some(master + i)))
        };
        let (fixed, rollers): (Vec<usize>, Vec<usize>) = held.iter().partition(|&&dof| whole_held(dof));
        let tied: Vec<(usize, usize)> = ties.iter().copied().filter(|(slave, _)| whole_tied(*slave)).collect();
        let single = ties.iter().filter(|(slave, _)| !whole_tied(*slave));
        let rollers = rollers.into_iter().map(|dof| GuideRow { dof, with: None });
        let rows: Vec<GuideRow> =
            rollers.chain(single.map(|&(dof, master)| GuideRow { dof, with: Some(master) })).collect();
        let mut sites: Vec<usize> = rows.iter().flat_map(|row| row.parts()).map(|(dof, _)| dof / d).collect();
        sites.sort_unstable();
        sites.dedup();
        (1..=most_rows(n_dof)).contains(&rows.len()).then_some(Self { fixed, tied, rows, sites, d })
    }

    /// The held degrees of freedom that are eliminated.
    #[must_use]
    pub fn fixed(&self) -> &[usize] {
        &self.fixed
    }

    /// The ties that are eliminated.
    #[must_use]
    pub fn tied(&self) -> &[(usize, usize)] {
        &self.tied
    }

    /// The nodes of the rows, ascending.
    #[must_use]
    pub fn sites(&self) -> &[usize] {
        &self.sites
    }

    /// Bytes of S and its factor.
    #[must_use]
    pub fn bytes(&self) -> usize {
        2 * size_of::<f64>() * self.rows.len() * self.rows.len()
    }

    /// Which components of a node move: 0 for one that is held.
    #[must_use]
    pub fn freedom(&self, node: usize) -> Vec<f64> {
        let is_held = |dof: usize| self.rows.iter().any(|row| row.dof == dof && row.with.is_none());
        (0..self.d).map(|i| if is_held(self.d * node + i) { 0.0 } else { 1.0 }).collect()
    }

    /// Forces that do the same: those on what is held are left out, those on what is tied go to its master.
    pub fn gather(&self, x: &mut [f64]) {
        for row in &self.rows {
            let force = std::mem::take(&mut x[row.dof]);
            row.with.into_iter().for_each(|with| x[with] += force);
        }
    }

    /// x ← P x: what is held does not move, and what is tied moves with its master.
    pub fn settle(&self, x: &mut [f64]) {
        for row in &self.rows {
            x[row.dof] = row.with.map_or(0.0, |with| x[with]);
        }
    }
}

/// Are all components of a node held or tied, where one is? Then a rotation of all nodes leaves the elimination as it is.
#[must_use]
pub fn holds_whole_nodes(d: usize, held: &[usize], tied: &[(usize, usize)]) -> bool {
    let whole = |dofs: &[usize]| {
        dofs.chunks(d).all(|node| node.len() == d && node[0] % d == 0 && node[d - 1] == node[0] + d - 1)
    };
    let slaves: Vec<usize> = tied.iter().map(|(slave, _)| *slave).collect();
    let is_parallel = tied.iter().all(|(slave, master)| slave % d == master % d);
    let one_master = tied.chunks(d).all(|node| node.iter().all(|(_, master)| master / d == node[0].1 / d));
    whole(held) && whole(&slaves) && is_parallel && one_master
}
