//! Blocks of equal cells, their stored matrices, and the assembly of M, C and K.
//!
//! The one place where the kind of a cell chooses its element is [`kernel_of`].

use std::any::Any;

use delassus_dynamics::Matrices;
use delassus_mesh::{CellKind, Mesh};
use nalgebra::SMatrix;
use nalgebra_sparse::CscMatrix;

use crate::cell::{CellAverage, CellModel};
use crate::element::{
    Hexahedron8, Hexahedron20, Prism6, Quad4, Quad8, Segment2, Segment3, Tetrahedron4, Tetrahedron10, Triangle3,
    Triangle6,
};
use crate::error::FemError;
use crate::kernel::{FacetPoint, Kernel};
use crate::mapping::centre;
use crate::packed::{first_kept, packed_index, packed_length};
use crate::section::Section;
use crate::sparsity::NodeBlocks;

/// The element of a kind of cell in D dimensions, in a section.
fn kernel_of<const D: usize>(kind: CellKind, section: Section) -> Option<Kernel<D>> {
    match kind {
        CellKind::Segment2 => in_dimension(Kernel::of::<Segment2, 2>(section)),
        CellKind::Segment3 => in_dimension(Kernel::of::<Segment3, 3>(section)),
        CellKind::Triangle3 => in_dimension(Kernel::of::<Triangle3, 3>(section)),
        CellKind::Triangle6 => in_dimension(Kernel::of::<Triangle6, 6>(section)),
        CellKind::Quad4 => in_dimension(Kernel::of::<Quad4, 4>(section)),
        CellKind::Quad8 => in_dimension(Kernel::of::<Quad8, 8>(section)),
        CellKind::Tetrahedron4 => in_dimension(Kernel::of::<Tetrahedron4, 4>(section)),
        CellKind::Tetrahedron10 => in_dimension(Kernel::of::<Tetrahedron10, 10>(section)),
        CellKind::Hexahedron8 => in_dimension(Kernel::of::<Hexahedron8, 8>(section)),
        CellKind::Hexahedron20 => in_dimension(Kernel::of::<Hexahedron20, 20>(section)),
        CellKind::Prism6 => in_dimension(Kernel::of::<Prism6, 6>(section)),
        CellKind::Point => None,
    }
}

/// The quadrature points of a facet with its nodes at `x` in space, if its kind has an element.
pub(crate) fn facet_points(kind: CellKind, x: &[[f64; 3]]) -> Option<Vec<FacetPoint>> {
    let facet = match kind.dim() {
        1 => kernel_of::<1>(kind, Section::default())?.facet,
        2 => kernel_of::<2>(kind, Section::default())?.facet,
        _ => return None,
    };
    Some(facet(x))
}

/// The same by the rule of [`Kernel::facet_of_moments`].
pub(crate) fn facet_points_of_moments(kind: CellKind, x: &[[f64; 3]]) -> Option<Vec<FacetPoint>> {
    let facet = match kind.dim() {
        1 => kernel_of::<1>(kind, Section::default())?.facet_of_moments,
        2 => kernel_of::<2>(kind, Section::default())?.facet_of_moments,
        _ => return None,
    };
    Some(facet(x))
}

/// The kernel if it is one of D dimensions.
fn in_dimension<const D: usize, const E: usize>(kernel: Kernel<E>) -> Option<Kernel<D>> {
    // `Kernel<E>` and `Kernel<D>` are the same type when E = D, which only `Any` can express in generic code
    (&kernel as &dyn Any).downcast_ref::<Kernel<D>>().copied()
}

/// A block of cells with the same element.
struct ElementBlock<const D: usize> {
    kernel: Kernel<D>,
    /// Global numbers of the cells.
    cells: Vec<usize>,
    /// Their nodes, cell after cell.
    nodes: Vec<usize>,
    /// Reduced stiffness of each cell \[N/m\].
    stiffness: Vec<f64>,
    /// Reduced damping of each cell, viscosity and β K \[N·s/m\]; empty without damping.
    damping: Vec<f64>,
    /// Consistent mass of pairs of nodes of each cell \[kg\]; empty once the body is assembled.
    mass: Vec<f64>,
    /// Gradients and volume at the centre of each cell; empty where they are not needed.
    centres: Vec<f64>,
}

/// What is kept of a cell.
#[derive(Clone, Copy)]
pub(crate) struct CellPart<'a, const D: usize> {
    pub kernel: &'a Kernel<D>,
    /// Its global number.
    pub number: usize,
    pub nodes: &'a [usize],
    /// Reduced stiffness \[N/m\].
    pub stiffness: &'a [f64],
    /// Reduced damping; empty without \[N·s/m\].
    pub damping: &'a [f64],
    /// Gradients at the centre, node after node without the first, then the volume.
    pub centre: &'a [f64],
}

/// All cells of a body.
pub(crate) struct Assembly<const D: usize> {
    blocks: Vec<ElementBlock<D>>,
    n_nodes: usize,
}

impl<const D: usize> Assembly<D> {
    /// Integrates all cells of dimension D of the mesh; `model` gives the material of a cell by its global number, and
    /// `beta` \[s\] is Rayleigh's factor of K in C.
    pub fn new<'a>(
        mesh: &Mesh<D>,
        section: Section,
        beta: f64,
        model: impl Fn(usize) -> Option<CellModel<'a>>,
    ) -> Result<Self, FemError> {
        let mut blocks = Vec::new();
        let mut first = 0;
        for block in &mesh.blocks {
            let n_cells = block.nodes.len() / block.kind.n_nodes();
            let cells = first..first + n_cells;
            first = cells.end;
            if block.kind.dim() != D || n_cells == 0 {
                continue;
            }
            let kernel = kernel_of::<D>(block.kind, section).ok_or(FemError::NoElement {
                cell: cells.start,
                kind: block.kind,
                dimension: D,
            })?;
            let mut new = ElementBlock {
                kernel,
                cells: cells.collect(),
                nodes: block.nodes.clone(),
                stiffness: Vec::with_capacity(n_cells * kernel.n_packed),
                damping: Vec::with_capacity(n_cells * kernel.n_packed),
                mass: Vec::with_capacity(n_cells * kernel.n_nodes * kernel.n_nodes),
                centres: Vec::with_capacity(n_cells * (D * (kernel.n_nodes - 1) + 1)),
            };
            new.integrate(mesh, beta, &model)?;
            blocks.push(new);
        }
        Ok(Self { blocks, n_nodes: mesh.points.len() })
    }

    /// The cells with their global numbers and nodes.
    pub fn cells(&self) -> impl Iterator<Item = (usize, &[usize])> {
        self.blocks.iter().flat_map(|b| b.cells.iter().copied().zip(b.nodes.chunks_exact(b.kernel.n_nodes)))
    }

    /// The cells with their kernels.
    pub fn kernels(&self) -> impl Iterator<Item = (&Kernel<D>, usize, &[usize])> {
        self.blocks.iter().flat_map(|b| {
            let cells = b.cells.iter().zip(b.nodes.chunks_exact(b.kernel.n_nodes));
            cells.map(move |(&cell, nodes)| (&b.kernel, cell, nodes))
        })
    }

    /// The cells with all that is kept of them.
    pub fn parts(&self) -> impl Iterator<Item = CellPart<'_, D>> {
        self.blocks.iter().flat_map(|b| {
            let (n, m) = (b.kernel.n_nodes, b.kernel.n_packed);
            let cells = b.cells.iter().zip(b.nodes.chunks_exact(n)).zip(b.stiffness.chunks_exact(m));
            let cells = cells.zip(b.centres.chunks_exact(D * (n - 1) + 1)).enumerate();
            cells.map(move |(k, (((&number, nodes), stiffness), centre))| {
                let damping = b.damping.get(k * m..(k + 1) * m).unwrap_or_default();
                CellPart { kernel: &b.kernel, number, nodes, stiffness, damping, centre }
            })
        })
    }

    /// Is there any damping in the cells?
    pub fn is_damped(&self) -> bool {
        self.blocks.iter().any(|b| !b.damping.is_empty())
    }

    /// `out` ← K q.
    pub fn elastic_force_into(&self, q: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for b in &self.blocks {
            (b.kernel.add_force)(&b.nodes, &b.stiffness, q, out);
        }
    }

    /// ½ qᵀ K q.
    pub fn elastic_energy(&self, q: &[f64]) -> f64 {
        self.blocks.iter().map(|b| (b.kernel.energy)(&b.nodes, &b.stiffness, q)).sum()
    }

    /// ½ qᵀ K q of two q.
    pub fn elastic_energies(&self, q: [&[f64]; 2]) -> [f64; 2] {
        self.blocks.iter().fold([0.0; 2], |sum, b| {
            let of_block = (b.kernel.energies)(&b.nodes, &b.stiffness, q);
            [sum[0] + of_block[0], sum[1] + of_block[1]]
        })
    }

    /// `out` ← K q; returns ½ qᵀ K q.
    pub fn elastic_force_of_energy(&self, q: &[f64], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        self.blocks.iter().map(|b| (b.kernel.add_force_of_energy)(&b.nodes, &b.stiffness, q, out)).sum()
    }

    /// `out` += (C − α M) v.
    pub fn add_damping_force(&self, v: &[f64], out: &mut [f64]) {
        for b in &self.blocks {
            (b.kernel.add_force)(&b.nodes, &b.damping, v, out);
        }
    }

    /// Mass of each node \[kg\]: the sum of its row of the consistent mass; lumped masses of quadratic cells are instead
    /// the diagonal, scaled to the mass of the cell (Hinton, Rock & Zienkiewicz 1976), since row sums can be negative.
    pub fn node_masses(&self, lumped: bool) -> Vec<f64> {
        let mut masses = vec![0.0; self.n_nodes];
        for b in &self.blocks {
            let n = b.kernel.n_nodes;
            for (cell, m) in b.nodes.chunks_exact(n).zip(b.mass.chunks_exact(n * n)) {
                if lumped && !b.kernel.is_linear {
                    let scale = m.iter().sum::<f64>() / m.iter().step_by(n + 1).sum::<f64>();
                    for (&node, diagonal) in cell.iter().zip(m.iter().step_by(n + 1)) {
                        masses[node] += scale * diagonal;
                    }
                    continue;
                }
                for (&node, row) in cell.iter().zip(m.chunks_exact(n)) {
                    masses[node] += row.iter().sum::<f64>();
                }
            }
        }
        masses
    }

    /// Visits every cell with its number, the displacement gradient at its centre and its volume by that point.
    pub fn at_centres(&self, q: &[f64], mut visit: impl FnMut(usize, &SMatrix<f64, D, D>, f64)) {
        for b in &self.blocks {
            let mut cells = b.cells.iter();
            (b.kernel.at_centres)(&b.nodes, &b.centres, q, &mut |gradient, volume| {
                if let Some(&cell) = cells.next() {
                    visit(cell, gradient, volume);
                }
            });
        }
    }

    /// Averages of stress and strain over every cell, in the order of [`cells`](Self::cells).
    pub fn averages<'a>(
        &self,
        mesh: &Mesh<D>,
        q: &[f64],
        v: &[f64],
        model: impl Fn(usize) -> Option<CellModel<'a>>,
    ) -> Vec<CellAverage> {
        let mut averages = Vec::new();
        for b in &self.blocks {
            for (&cell, nodes) in b.cells.iter().zip(b.nodes.chunks_exact(b.kernel.n_nodes)) {
                let Some(model) = model(cell) else { continue };
                let x: Vec<[f64; D]> = nodes.iter().map(|&n| mesh.points[n]).collect();
                averages.push((b.kernel.average)(&x, &model, &gather(nodes, q), &gather(nodes, v)));
            }
        }
        averages
    }

    /// M, C and K; `alpha` \[1/s\] is Rayleigh's factor of M in C.
    pub fn matrices(&self, lumped: bool, node_masses: &[f64], alpha: f64) -> Matrices {
        let pattern = NodeBlocks::<D>::new(self.n_nodes, self.cells().map(|(_, nodes)| nodes));
        let mut stiffness = pattern.zeros();
        for b in &self.blocks {
            scatter_reduced(&pattern, b, &b.stiffness, stiffness.values_mut());
        }
        let n = D * self.n_nodes;
        let mut mass = if lumped { CscMatrix::identity(n) } else { pattern.zeros() };
        if lumped {
            for (diagonal, m) in mass.values_mut().chunks_exact_mut(D).zip(node_masses) {
                diagonal.fill(*m);
            }
        } else {
            self.blocks.iter().for_each(|b| scatter_mass(&pattern, b, mass.values_mut()));
        }
        Matrices { damping: self.damping(&pattern, &mass, alpha), mass, stiffness, lumped }
    }

    /// C, with the entries that it can have: none, those of M, or those of K.
    fn damping(&self, pattern: &NodeBlocks<D>, mass: &CscMatrix<f64>, alpha: f64) -> CscMatrix<f64> {
        if !self.is_damped() {
            if alpha > 0.0 {
                let mut damping = mass.clone();
                damping.values_mut().iter_mut().for_each(|c| *c *= alpha);
                return damping;
            }
            return CscMatrix::zeros(mass.nrows(), mass.ncols());
        }
        let mut damping = pattern.zeros();
        let values = damping.values_mut();
        for b in &self.blocks {
            scatter_reduced(pattern, b, &b.damping, values);
        }
        add_mass(pattern, mass, alpha, values);
        damping
    }
}

/// Adds α M.
pub(crate) fn add_mass<const D: usize>(pattern: &NodeBlocks<D>, mass: &CscMatrix<f64>, alpha: f64, values: &mut [f64]) {
    if mass.nnz() == values.len() {
        values.iter_mut().zip(mass.values()).for_each(|(c, m)| *c += alpha * m);
    } else {
        for (dof, m) in mass.values().iter().enumerate() {
            values[pattern.entry(dof / D, 0, dof % D, dof % D)] += alpha * m;
        }
    }
}

impl<const D: usize> Assembly<D> {
    /// Memory of the cells \[B\].
    pub fn bytes(&self) -> usize {
        let words = |b: &ElementBlock<D>| {
            let values = b.stiffness.len() + b.damping.len() + b.mass.len() + b.centres.len();
            b.cells.len() + b.nodes.len() + values
        };
        size_of::<f64>() * self.blocks.iter().map(words).sum::<usize>()
    }

    /// Gives the memory of the masses of the cells back: they are needed for [`matrices`](Self::matrices) and
    /// [`node_masses`](Self::node_masses) only.
    pub fn forget_masses(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.mass = Vec::new());
    }

    /// Gives the memory of the centres of the cells back: they are needed for [`at_centres`](Self::at_centres) only.
    pub fn forget_centres(&mut self) {
        self.blocks.iter_mut().for_each(|block| block.centres = Vec::new());
    }
}

impl<const D: usize> ElementBlock<D> {
    /// Fills the matrices of all cells.
    fn integrate<'a>(
        &mut self,
        mesh: &Mesh<D>,
        beta: f64,
        model: &impl Fn(usize) -> Option<CellModel<'a>>,
    ) -> Result<(), FemError> {
        for (&cell, nodes) in self.cells.iter().zip(self.nodes.chunks_exact(self.kernel.n_nodes)) {
            let x: Vec<[f64; D]> = nodes.iter().map(|&n| mesh.points[n]).collect();
            let model = model(cell).ok_or(FemError::NoMaterial { count: 1, cell, centre: centre(&x) })?;
            let integrals = (self.kernel.integrate)(&x, &model).map_err(|determinant| FemError::InvertedCell {
                cell,
                centre: centre(&x),
                determinant,
            })?;
            self.damping.extend(integrals.viscosity.iter().zip(&integrals.stiffness).map(|(c, k)| c + beta * k));
            self.stiffness.extend(integrals.stiffness);
            self.mass.extend(integrals.mass);
            self.centres.extend(integrals.centre);
        }
        if self.damping.iter().all(|c| c.abs() <= 0.0) {
            self.damping = Vec::new();
        }
        Ok(())
    }
}

/// The vectors of the nodes of a cell.
fn gather<const D: usize>(nodes: &[usize], u: &[f64]) -> Vec<[f64; D]> {
    let mut out = Vec::new();
    gather_into(nodes, u, &mut out);
    out
}

/// `out` ← the vectors of the nodes of a cell.
pub(crate) fn gather_into<const D: usize>(nodes: &[usize], u: &[f64], out: &mut Vec<[f64; D]>) {
    out.clear();
    out.extend(nodes.iter().map(|&n| -> [f64; D] { std::array::from_fn(|i| u[D * n + i]) }));
}

/// Adds the full matrices of the cells, rebuilt from the reduced ones.
fn scatter_reduced<const D: usize>(pattern: &NodeBlocks<D>, b: &ElementBlock<D>, reduced: &[f64], values: &mut [f64]) {
    let mut full = Vec::new();
    for (cell, k) in b.nodes.chunks_exact(b.kernel.n_nodes).zip(reduced.chunks_exact(b.kernel.n_packed)) {
        scatter_packed(pattern, cell, k, &mut full, values);
    }
}

/// Adds the full matrix of a cell, rebuilt from the reduced one: minus the sum of the other rows in the row of the first node, and
/// so for its column, for displacements that are relative to it. `full` is scratch.
pub(crate) fn scatter_packed<const D: usize>(
    pattern: &NodeBlocks<D>,
    cell: &[usize],
    reduced: &[f64],
    full: &mut Vec<f64>,
    values: &mut [f64],
) {
    let n = cell.len();
    full.clear();
    full.resize((n * D) * (n * D), 0.0);
    let at = |a: usize, i: usize, c: usize, j: usize| (a * D + i) * n * D + c * D + j;
    let n_absolute = usize::from(reduced.len() == packed_length(n * D));
    let first = first_kept(n_absolute);
    for row in 0..(n - first) * D {
        for column in 0..(n - first) * D {
            let entry = reduced[packed_index(row.max(column), row.min(column))];
            let (a, i, c, j) = (row / D + first, row % D, column / D + first, column % D);
            let (moves_row, moves_column) = (i >= n_absolute, j >= n_absolute);
            full[at(a, i, c, j)] += entry;
            if moves_row {
                full[at(0, i, c, j)] -= entry;
            }
            if moves_column {
                full[at(a, i, 0, j)] -= entry;
            }
            if moves_row && moves_column {
                full[at(0, i, 0, j)] += entry;
            }
        }
    }
    scatter(pattern, cell, values, |a, i, c, j| full[at(a, i, c, j)]);
}

/// Adds the consistent masses of the cells, the same in every direction.
fn scatter_mass<const D: usize>(pattern: &NodeBlocks<D>, b: &ElementBlock<D>, values: &mut [f64]) {
    let n = b.kernel.n_nodes;
    for (cell, m) in b.nodes.chunks_exact(n).zip(b.mass.chunks_exact(n * n)) {
        scatter(pattern, cell, values, |a, i, c, j| if i == j { m[a * n + c] } else { 0.0 });
    }
}

/// Adds the lower triangle of one cell matrix, given by (row node, component, column node, component).
pub(crate) fn scatter<const D: usize>(
    pattern: &NodeBlocks<D>,
    cell: &[usize],
    values: &mut [f64],
    entry: impl Fn(usize, usize, usize, usize) -> f64,
) {
    for (c, &column) in cell.iter().enumerate() {
        for (a, &row) in cell.iter().enumerate().filter(|&(_, &row)| row >= column) {
            let Some(place) = pattern.block(row, column) else { continue };
            for j in 0..D {
                for i in if row == column { j..D } else { 0..D } {
                    values[pattern.entry(column, place, i, j)] += entry(a, i, c, j);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use delassus_mesh::CellBlock;

    use super::*;
    use crate::{Formulation, KelvinVoigt, Material, MaterialSpec};

    fn steel() -> std::sync::Arc<dyn Material> {
        MaterialSpec::KelvinVoigt(KelvinVoigt::elastic(1.0, 0.3)).build(1.0).unwrap()
    }

    fn refuses<const D: usize>(points: Vec<[f64; D]>, kind: CellKind, words: &[&str]) {
        let nodes = (0..points.len()).collect();
        let mesh = Mesh { points, blocks: vec![CellBlock { kind, nodes }], groups: vec![] };
        let steel = steel();
        let (section, formulation) = (Section::default(), Formulation::Standard);
        let model = |_| Some(CellModel { material: &*steel, section, formulation });
        let message = Assembly::new(&mesh, section, 0.0, model).err().unwrap().to_string();
        for word in words {
            assert!(message.contains(word), "`{word}` is not in: {message}");
        }
    }

    #[test]
    fn cells_turned_over_folded_or_flat_are_refused() {
        let triangle = |c| vec![[0.0, 0.0], [3.0, 0.0], c];
        refuses(triangle([0.0, -3.0]), CellKind::Triangle3, &["cell 0 centred at (1, -1)", "-9e0", "> 0"]);
        refuses(triangle([6.0, 0.0]), CellKind::Triangle3, &["determinant is 0e0"]);
        refuses(triangle([f64::NAN, 1.0]), CellKind::Triangle3, &["determinant is NaN"]);
        // not convex: positive at the centre, negative at a corner
        let dart = vec![[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]];
        refuses(dart, CellKind::Quad4, &["cell 0", "determinant is -"]);
        let flat = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        refuses(flat, CellKind::Tetrahedron4, &["cell 0", "determinant is 0e0"]);
        // a middle pulled beyond the quarter point folds the map at the corner, which straight edges would not show
        let bent = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.2, 0.0], [0.5, 0.5], [0.0, 0.5]];
        refuses(bent, CellKind::Triangle6, &["cell 0", "determinant is -"]);
    }

    #[test]
    fn an_element_serves_its_own_dimension_only() {
        let plane = Section::default();
        assert!(kernel_of::<2>(CellKind::Quad4, plane).is_some());
        assert!(kernel_of::<3>(CellKind::Quad4, plane).is_none());
        for kind in CellKind::all() {
            let found = [
                kernel_of::<1>(kind, plane).is_some(),
                kernel_of::<2>(kind, plane).is_some(),
                kernel_of::<3>(kind, plane).is_some(),
            ];
            assert_eq!(found, [1, 2, 3].map(|dim| kind.dim() == dim), "{kind}");
        }
    }
}
