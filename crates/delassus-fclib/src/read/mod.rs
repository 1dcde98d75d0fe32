//! From an FCLIB file to a contact problem.
//!
//! A global problem is condensed as a step condenses its bodies: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w. M is inverted block by block: its
//! connected parts are the bodies. Rolling friction adds moments to a contact (module `rolling`).

mod rolling;

use delassus_error::machine::admit_more;
use delassus_solver::{BlockMatrix, Cone, ContactProblem, Derived, Matrix, Vector};
use nalgebra::DMatrix;

use crate::error::FclibError;
use crate::hdf5::File;

pub use rolling::in_file_order;

/// Most unknowns of one connected part of M.
const LARGEST_BODY: usize = 3000;

/// Most numbers of a condensed W.
const LARGEST_W: usize = 1 << 28;

/// A problem of the plane or of space.
#[derive(Clone, Debug)]
pub enum FclibProblem {
    /// Two components a contact.
    Plane(ContactProblem<2>),
    /// Three.
    Space(ContactProblem<3>),
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Fclib {
    /// The problem, in local form.
    pub problem: FclibProblem,
    /// Was it given in global form?
    pub condensed: bool,
    /// The solution r the file gives, component by component.
    pub solution: Option<Vec<f64>>,
    /// Of a problem with rolling friction, the length over which the moments of each contact are taken \[m\].
    pub levers: Option<Vec<f64>>,
}

/// A sparse matrix as triplets.
pub(crate) struct Sparse {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) entries: Vec<(usize, usize, f64)>,
}

/// The numbers of a problem before they are put into blocks.
pub(crate) struct LocalNumbers {
    pub(crate) w: Sparse,
    pub(crate) q: Vec<f64>,
}

/// Reads an FCLIB file.
pub fn read(bytes: &[u8]) -> Result<Fclib, FclibError> {
    let file = File::new(bytes)?;
    let groups = file.names("")?;
    let known = ["fclib_local", "fclib_global", "fclib_local_rolling", "fclib_global_rolling"];
    let kind = known.into_iter().find(|k| groups.iter().any(|g| g == k));
    let Some(group) = kind else {
        let found = if groups.is_empty() { "nothing".to_owned() } else { format!("`{}`", groups.join("`, `")) };
        return Err(FclibError::NoProblem { found });
    };
    let dimension = one(&file, &format!("{group}/spacedim"))?;
    let mu = floats(&file, &format!("{group}/vectors/mu"))?;
    let condensed = group.starts_with("fclib_global");
    let local = if condensed {
        condense(&file, group)?
    } else {
        LocalNumbers { w: sparse(&file, &format!("{group}/W"))?, q: floats(&file, &format!("{group}/vectors/q"))? }
    };
    if group.ends_with("rolling") {
        let rolling = floats(&file, &format!("{group}/vectors/mu_r"))?;
        return rolling::read(local, [&mu, &rolling], group, condensed, file.floats("solution/r")?);
    }
    let problem = match dimension {
        2 => FclibProblem::Plane(blocks(&local, &mu, group)?),
        3 => FclibProblem::Space(blocks(&local, &mu, group)?),
        other => return Err(value(format!("{group}/spacedim"), other, "it should be 2 or 3".to_owned())),
    };
    // A solution that was never written reads as zeros.
    let is_given = |r: &Vec<f64>| r.len() == local.q.len() && r.iter().any(|x| *x != 0.0);
    let solution = file.floats("solution/r")?.filter(is_given);
    Ok(Fclib { problem, condensed, solution, levers: None })
}

pub(crate) fn value(place: String, value: impl std::fmt::Display, right: String) -> FclibError {
    FclibError::Value { place, value: value.to_string(), right }
}

fn floats(file: &File<'_>, path: &str) -> Result<Vec<f64>, FclibError> {
    file.floats(path)?.ok_or_else(|| FclibError::Missing(path.to_owned()))
}

fn integers(file: &File<'_>, path: &str) -> Result<Vec<i32>, FclibError> {
    file.integers(path)?.ok_or_else(|| FclibError::Missing(path.to_owned()))
}

fn one(file: &File<'_>, path: &str) -> Result<i32, FclibError> {
    integers(file, path)?.first().copied().ok_or_else(|| FclibError::Missing(path.to_owned()))
}

/// A matrix: nz ≥ 0 triplets (i rows, p columns, as in CSparse; FCLIB's header says the reverse, its files do not), −1 by columns, −2 by rows.
fn sparse(file: &File<'_>, path: &str) -> Result<Sparse, FclibError> {
    let at = |name: &str| format!("{path}/{name}");
    let size = |name: &str| -> Result<usize, FclibError> {
        let found = one(file, &at(name))?;
        usize::try_from(found).map_err(|_| value(at(name), found, "a size must be ≥ 0".to_owned()))
    };
    let (rows, columns, nz) = (size("m")?, size("n")?, one(file, &at("nz"))?);
    let (p, i, x) = (integers(file, &at("p"))?, integers(file, &at("i"))?, floats(file, &at("x"))?);
    let index = |name: &str, found: i32, below: usize| {
        let good = usize::try_from(found).ok().filter(|&k| k < below);
        good.ok_or_else(|| value(at(name), found, format!("an index must be at least 0 and below {below}")))
    };
    let mut entries = Vec::new();
    if nz >= 0 {
        let n = usize::try_from(nz).unwrap_or(usize::MAX);
        if p.len() < n || i.len() < n || x.len() < n {
            return Err(value(
                at("nz"),
                nz,
                format!("`p`, `i`, `x` have {}, {}, {} entries", p.len(), i.len(), x.len()),
            ));
        }
        for k in 0..n {
            entries.push((index("i", i[k], rows)?, index("p", p[k], columns)?, x[k]));
        }
    } else if nz == -1 || nz == -2 {
        let (lines, across) = if nz == -1 { (columns, rows) } else { (rows, columns) };
        if p.len() != lines + 1 {
            return Err(value(at("p"), format!("{} entries", p.len()), format!("there should be {}", lines + 1)));
        }
        let most = i.len().min(x.len());
        for line in 0..lines {
            let (begin, end) = (index("p", p[line], most + 1)?, index("p", p[line + 1], most + 1)?);
            for k in begin..end {
                let other = index("i", i[k], across)?;
                entries.push(if nz == -1 { (other, line, x[k]) } else { (line, other, x[k]) });
            }
        }
    } else {
        return Err(value(at("nz"), nz, "it should be −2, −1 or the number of entries".to_owned()));
    }
    Ok(Sparse { rows, columns, entries })
}

/// The blocks of a problem, whatever the order and number of its entries.
pub(crate) fn blocks<const D: usize>(
    local: &LocalNumbers,
    mu: &[f64],
    group: &str,
) -> Result<ContactProblem<D>, FclibError> {
    let n = mu.len();
    let want = |place: &str, found: usize| match found == D * n {
        true => Ok(()),
        false => {
            Err(value(format!("{group}/{place}"), found, format!("{n} contacts of {D} components need {}", D * n)))
        }
    };
    want("W/m", local.w.rows)?;
    want("W/n", local.w.columns)?;
    want("vectors/q", local.q.len())?;
    let numbers = local.w.entries.iter().map(|e| e.2).chain(local.q.iter().copied());
    if let Some(bad) = numbers.into_iter().find(|x| !x.is_finite()) {
        return Err(value(format!("{group}/W or q"), bad, "numbers should be finite".to_owned()));
    }
    if let Some(bad) = mu.iter().find(|m| !(m.is_finite() && **m >= 0.0)) {
        return Err(value(format!("{group}/vectors/mu"), bad, "friction should be finite and not negative".to_owned()));
    }
    let mut rows: Vec<std::collections::BTreeMap<usize, Matrix<D>>> = vec![std::collections::BTreeMap::new(); n];
    for &(i, j, x) in &local.w.entries {
        rows[i / D].entry(j / D).or_insert_with(Matrix::<D>::zeros)[(i % D, j % D)] += x;
    }
    let rows = rows.into_iter().map(|r| r.into_iter().collect()).collect();
    let damaged =
        |e: delassus_solver::SolverError| FclibError::Damaged { place: format!("{group}/W"), what: e.to_string() };
    Ok(ContactProblem {
        operator: BlockMatrix::from_rows(rows).map_err(damaged)?,
        v_free: local.q.chunks_exact(D).map(Vector::<D>::from_column_slice).collect(),
        laws: mu.iter().map(|&mu| Derived::standard(Cone::Coulomb(mu))).collect(),
    })
}

/// The local form of a global problem.
fn condense(file: &File<'_>, group: &str) -> Result<LocalNumbers, FclibError> {
    let (m, h) = (sparse(file, &format!("{group}/M"))?, sparse(file, &format!("{group}/H"))?);
    let f = floats(file, &format!("{group}/vectors/f"))?;
    let mut q = floats(file, &format!("{group}/vectors/w"))?;
    for (place, found, right) in [("M/n", m.columns, m.rows), ("H/m", h.rows, m.rows), ("vectors/f", f.len(), m.rows)] {
        if found != right {
            return Err(value(format!("{group}/{place}"), found, format!("M has {right} rows")));
        }
    }
    if q.len() != h.columns {
        return Err(value(format!("{group}/vectors/w"), q.len(), format!("H has {} columns", h.columns)));
    }
    let place = || format!("{group}/M");
    // Parts of M that are connected, by the smallest unknown of each; with their rows of H.
    let part = connected(&m);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); m.rows];
    let mut within = vec![0; m.rows];
    for k in 0..m.rows {
        within[k] = members[part[k]].len();
        members[part[k]].push(k);
    }
    let mut masses: Vec<Vec<(usize, usize, f64)>> = vec![Vec::new(); m.rows];
    // A zero that is stored couples nothing: its column may belong to another part.
    for &(i, j, x) in m.entries.iter().filter(|e| couples(e.2)) {
        masses[part[i]].push((within[i], within[j], x));
    }
    let mut forces: Vec<Vec<(usize, usize, f64)>> = vec![Vec::new(); m.rows];
    for &(i, j, x) in &h.entries {
        forces[part[i]].push((within[i], j, x));
    }
    let mut w = Sparse { rows: h.columns, columns: h.columns, entries: Vec::new() };
    for (body, unknowns) in members.iter().enumerate().filter(|(_, u)| !u.is_empty()) {
        if unknowns.len() > LARGEST_BODY {
            let right = format!("at most {LARGEST_BODY} may be coupled; condense it to the local form first");
            return Err(value(place(), format!("{} coupled unknowns", unknowns.len()), right));
        }
        if forces[body].is_empty() {
            continue;
        }
        let mut mass = DMatrix::<f64>::zeros(unknowns.len(), unknowns.len());
        for &(i, j, x) in &masses[body] {
            mass[(i, j)] += x;
        }
        // Components of contacts that act on this body.
        let mut acting: Vec<usize> = forces[body].iter().map(|e| e.1).collect();
        acting.sort_unstable();
        acting.dedup();
        // M and its factor; the loads three times; the block of W as a matrix, as triplets and in blocks.
        let (rows, columns) = (unknowns.len() as u64, acting.len() as u64 + 1);
        let needed = 16 * rows * rows + 24 * rows * columns + (8 + 24 + 24) * columns * columns;
        let help = "Condense it to the local form first, or give the process more memory";
        admit_more(needed, &format!("condensing {group}/M"), help)?;
        let mut right = DMatrix::<f64>::zeros(unknowns.len(), acting.len() + 1);
        for &(i, j, x) in &forces[body] {
            right[(i, acting.binary_search(&j).unwrap_or(0))] += x;
        }
        let loads = right.columns(0, acting.len()).into_owned();
        for (i, &k) in unknowns.iter().enumerate() {
            right[(i, acting.len())] = f[k];
        }
        let singular = || FclibError::Damaged { place: place(), what: "it cannot be inverted".to_owned() };
        let solved = mass.lu().solve(&right).ok_or_else(singular)?;
        // By scalar products: nalgebra leaves products of two large matrices to a library that chooses instructions by itself.
        let condensed = loads.tr_mul(&solved);
        if w.entries.len().saturating_add(acting.len() * acting.len()) > LARGEST_W {
            let right = "W would be too large; condense it to the local form first".to_owned();
            return Err(value(place(), format!("{} contacts on one body", acting.len()), right));
        }
        for (a, &i) in acting.iter().enumerate() {
            q[i] += condensed[(a, acting.len())];
            w.entries.extend(acting.iter().enumerate().map(|(b, &j)| (i, j, condensed[(a, b)])));
        }
    }
    Ok(LocalNumbers { w, q })
}

/// Does an entry of M couple its row and its column? Files may store zeros.
fn couples(x: f64) -> bool {
    x != 0.0
}

/// For each unknown the smallest one it is coupled to.
fn connected(m: &Sparse) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..m.rows).collect();
    fn root(parent: &mut [usize], mut k: usize) -> usize {
        while parent[k] != k {
            parent[k] = parent[parent[k]];
            k = parent[k];
        }
        k
    }
    for &(i, j, x) in &m.entries {
        if couples(x) {
            let (a, b) = (root(&mut parent, i), root(&mut parent, j));
            parent[a.max(b)] = a.min(b);
        }
    }
    (0..m.rows).map(|k| root(&mut parent, k)).collect()
}
