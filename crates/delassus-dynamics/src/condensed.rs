//! w on the dofs that contact can touch.
//!
//! ```text
//! w_cc = E_cᵀ w E_c        W = Hᵀ w H is read off it at every step
//! ```
//!
//! The dofs come in sites, blocks of d consecutive ones (a node of a body in d dimensions), and w_cc in tiles of d × d. Sites
//! that are neighbours in the order of elimination form panels, and what is computed and stored is the tiles of two panels.
//! Either all panels are computed at once, or each when one of its sites is first needed; the bits of a tile are the same in
//! both cases (see [`crate::factor::panels`]). Of the tiles (k, l) and (l, k) one is stored.

use std::collections::BTreeSet;

use delassus_error::Interrupt;

use crate::effective_mass::EFFECTIVE;
use crate::error::DynamicsError;
use crate::factor::panels::{PANEL, Panel, triangle};
use crate::factor::{Analysis, Factor};
use crate::ties::{Ties, master_of};

/// Where a site is among the panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TilePlace {
    panel: u32,
    index: u32,
}

/// One more than the largest number of sites a panel or a body can have.
const NOWHERE: u32 = u32::MAX;

/// w on the sites that contact can touch, in tiles.
#[derive(Debug)]
pub struct Condensed {
    d: usize,
    /// Sites in a panel; the last may have fewer.
    stride: usize,
    /// The columns of the dofs of the panels; those of prescribed dofs are zero.
    panels: Vec<Panel>,
    /// By number of site.
    places: Vec<TilePlace>,
    exposed: BTreeSet<usize>,
    /// By [`triangle`]; empty unless both panels are exposed.
    blocks: Vec<Vec<f64>>,
}

impl Condensed {
    /// Lays out the `sites` (ascending), each of `d` dofs, of a body with the prescribed dofs `fixed` (ascending). Nothing
    /// is exposed yet.
    #[must_use]
    pub fn new(analysis: &Analysis, d: usize, sites: &[usize], fixed: &[usize]) -> Self {
        Self::with_ties(analysis, d, sites, fixed, &[])
    }

    /// The same of a body with tied dofs: the columns of slaves are those of their masters. A site that follows another with all
    /// its dofs has that one's place, so that contacts on both have the same bits in W: where they ask for the same twice, they
    /// ask for exactly the same.
    #[must_use]
    pub fn with_ties(analysis: &Analysis, d: usize, sites: &[usize], fixed: &[usize], tied: &Ties) -> Self {
        let mut row_of = analysis.rows_of_dofs();
        for &(slave, master) in tied {
            row_of[slave] = row_of[master];
        }
        let leader = |site: usize| {
            let first = master_of(tied, d * site);
            let follows = first.is_multiple_of(d) && (1..d).all(|i| master_of(tied, d * site + i) == first + i);
            if follows { first / d } else { site }
        };
        let stride = (PANEL / d).max(1);
        let mut order: Vec<usize> = sites.iter().map(|&site| leader(site)).collect();
        if !tied.is_empty() {
            order.sort_unstable();
            order.dedup();
        }
        order.sort_by_key(|&site| (d * site..d * site + d).map(|dof| row_of[dof]).min());
        let column = |dof: usize| fixed.binary_search(&dof).is_err().then(|| row_of[dof]);
        let mut places = vec![TilePlace { panel: NOWHERE, index: NOWHERE }; analysis.n() / d];
        let mut panels = Vec::new();
        for (panel, chunk) in order.chunks(stride).enumerate() {
            for (index, &site) in chunk.iter().enumerate() {
                places[site] = TilePlace { panel: panel as u32, index: index as u32 };
            }
            panels.push(chunk.iter().flat_map(|&site| (d * site..d * site + d).map(column)).collect());
        }
        for &site in sites {
            places[site] = places[leader(site)];
        }
        let blocks = vec![Vec::new(); triangle(panels.len(), 0)];
        Self { d, stride, panels, places, exposed: BTreeSet::new(), blocks }
    }

    /// Dofs in a site.
    #[must_use]
    pub fn d(&self) -> usize {
        self.d
    }

    /// Number of panels.
    #[must_use]
    pub fn n_panels(&self) -> usize {
        self.panels.len()
    }

    /// Number of condensed sites, exposed or not.
    #[must_use]
    pub fn n_sites(&self) -> usize {
        self.panels.iter().map(|p| p.len() / self.d).sum()
    }

    /// The panels exposed.
    #[must_use]
    pub fn exposed(&self) -> &BTreeSet<usize> {
        &self.exposed
    }

    /// The panel of a site; none for one that contact cannot touch.
    #[must_use]
    pub fn panel_of(&self, site: usize) -> Option<usize> {
        let panel = self.places.get(site)?.panel;
        (panel != NOWHERE).then_some(panel as usize)
    }

    /// Bytes of the tiles of these panels.
    #[must_use]
    pub fn bytes_of(&self, panels: &BTreeSet<usize>) -> usize {
        let before = panels.iter().enumerate();
        size_of::<f64>() * before.map(|(k, &a)| (k + 1) * self.block_len(a)).sum::<usize>()
    }

    /// Bytes of the tiles of all panels.
    #[must_use]
    pub fn bytes_of_all(&self) -> usize {
        self.bytes_of(&(0..self.n_panels()).collect())
    }

    /// Bytes that [`expose`](Self::expose) needs at one time for all panels, besides the tiles.
    pub fn peak(&self, analysis: &Analysis) -> Result<usize, DynamicsError> {
        analysis.condensation_peak(&self.panels.iter().collect::<Vec<_>>(), EFFECTIVE)
    }

    fn block_len(&self, a: usize) -> usize {
        self.panels[a].len() * self.stride * self.d
    }

    /// Computes the tiles of these panels with each other and with those exposed before.
    pub fn expose(&mut self, factor: &Factor, panels: &BTreeSet<usize>) -> Result<(), DynamicsError> {
        self.expose_unless(&Interrupt::never(), factor, panels)
    }

    /// The same with an interrupt; an interrupted call changes nothing.
    pub fn expose_unless(
        &mut self,
        interrupt: &Interrupt,
        factor: &Factor,
        panels: &BTreeSet<usize>,
    ) -> Result<(), DynamicsError> {
        if panels.is_subset(&self.exposed) {
            return Ok(());
        }
        let all: Vec<usize> = self.exposed.union(panels).copied().collect();
        let is_new: Vec<bool> = all.iter().map(|p| !self.exposed.contains(p)).collect();
        let columns: Vec<&Panel> = all.iter().map(|&p| &self.panels[p]).collect();
        let mut made = factor.products(&columns, |a, b| is_new[a] || is_new[b], interrupt)?.into_iter();
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all[..=i].iter().enumerate() {
                // One at a time, so that only one is held twice.
                let Some(block) = made.next().filter(|_| is_new[i] || is_new[j]) else { continue };
                let mut tiles = vec![0.0; self.block_len(a)];
                for c in 0..block.ncols() {
                    for r in 0..block.nrows() {
                        // On the diagonal the lower triangle counts.
                        let value = if a == b && r < c { block[(c, r)] } else { block[(r, c)] };
                        let tile = r / self.d * self.stride + c / self.d;
                        tiles[(tile * self.d + r % self.d) * self.d + c % self.d] = value;
                    }
                }
                self.blocks[triangle(a, b)] = tiles;
            }
        }
        self.exposed.extend(panels);
        Ok(())
    }

    /// All panels at once.
    pub fn expose_all(&mut self, factor: &Factor) -> Result<(), DynamicsError> {
        self.expose(factor, &(0..self.n_panels()).collect())
    }

    /// Gives up the tiles of all other panels.
    pub fn keep_only(&mut self, panels: &BTreeSet<usize>) {
        for a in 0..self.n_panels() {
            for b in (0..=a).filter(|b| !(panels.contains(&a) && panels.contains(b))) {
                self.blocks[triangle(a, b)] = Vec::new();
            }
        }
        self.exposed.retain(|p| panels.contains(p));
    }

    /// Where a site is; none unless its panel is exposed.
    #[must_use]
    pub fn place(&self, site: usize) -> Option<TilePlace> {
        let place = *self.places.get(site)?;
        self.exposed.contains(&(place.panel as usize)).then_some(place)
    }

    /// The tile of two sites, row by row, and whether it is the transposed one.
    #[must_use]
    #[inline]
    pub fn tile(&self, k: TilePlace, l: TilePlace) -> (&[f64], bool) {
        let is_flipped = k.panel < l.panel;
        let (k, l) = if is_flipped { (l, k) } else { (k, l) };
        let block = &self.blocks[triangle(k.panel as usize, l.panel as usize)];
        let size = self.d * self.d;
        let first = (k.index as usize * self.stride + l.index as usize) * size;
        (&block[first..first + size], is_flipped)
    }

    /// The entry w_ij of two dofs of exposed sites.
    #[must_use]
    pub fn entry(&self, i: usize, j: usize) -> Option<f64> {
        let (tile, is_flipped) = self.tile(self.place(i / self.d)?, self.place(j / self.d)?);
        let (i, j) = if is_flipped { (j, i) } else { (i, j) };
        Some(tile[i % self.d * self.d + j % self.d])
    }
}
