//! From a contact problem to an FCLIB file in local form.
//!
//! A law's change of variables (ṽ = U + a + B p, p̃ = p + s + S U) is carried out, so that what is written is the plain problem
//! between ṽ and p̃:
//!
//! ```text
//! A = (I + W S)⁻¹,   W̃ = A W + B,   q̃ = A (v_free − W s) + a − B s
//! ```
//!
//! (B and S are never at the same contact, so B s with p = p̃ − s where there is B.) Contacts whose cone is open carry nothing and
//! are left out; bonds and elliptic cones have no form in FCLIB, moments none in its local format without rolling.

use delassus_solver::{BlockMatrix, Cone, ConeSection, ContactProblem, Derived, Matrix, ResistanceLimits, Vector};
use nalgebra::DMatrix;

use crate::error::FclibError;
use crate::hdf5::{Hdf5Content, Hdf5Group, to_bytes};

/// Most contacts of a problem with springs: its W becomes full.
const MOST_WITH_SPRINGS: usize = 1000;

/// The same problem without changes of variables: U is ṽ, p is p̃, every law is Coulomb's.
pub fn standard_form<const D: usize>(problem: &ContactProblem<D>) -> Result<ContactProblem<D>, FclibError> {
    if let Some(contact) = problem.laws.iter().position(|l| l.cone == Cone::Bilateral) {
        return Err(FclibError::NoForm { contact, why: "is a bond in all directions" });
    }
    if let Some(contact) = problem.laws.iter().position(|l| l.section != ConeSection::Circle) {
        return Err(FclibError::NoForm { contact, why: "has an elliptic cone" });
    }
    let is_moment = |l: &Derived<D>| matches!(l.cone, Cone::Turning(_) | Cone::Within { .. });
    if let Some(contact) = problem.laws.iter().position(is_moment)
        && problem.laws.iter().any(|l| l.spring.amax() > 0.0 || l.p_shift.amax() > 0.0)
    {
        return Err(FclibError::NoForm { contact, why: "is a moment beside laws that shift impulses" });
    }
    let n = problem.n();
    let springs = problem.laws.iter().any(|l| l.spring.amax() > 0.0);
    if springs && n > MOST_WITH_SPRINGS {
        return Err(FclibError::TooMany { n, most: MOST_WITH_SPRINGS });
    }
    // An open contact has p̃ = 0, hence p = −s − S U there, whatever its velocity.
    let shift: Vec<Vector<D>> = problem.laws.iter().map(|l| l.p_shift).collect();
    let mut pushed = vec![Vector::<D>::zeros(); n];
    problem.operator.apply_into(&shift, &mut pushed);
    let free: Vec<Vector<D>> = (0..n).map(|i| problem.v_free[i] - pushed[i]).collect();
    let (operator, free) = if springs { softened(problem, &free)? } else { (problem.operator.clone(), free) };
    let kept: Vec<usize> = (0..n).filter(|&i| problem.laws[i].cone != Cone::Open).collect();
    let mut rows = Vec::with_capacity(kept.len());
    for &i in &kept {
        let mut row: Vec<(usize, Matrix<D>)> = operator
            .row(i)
            .into_iter()
            .filter_map(|(j, block)| kept.binary_search(&j).ok().map(|j| (j, block)))
            .collect();
        let own = kept.binary_search(&i).unwrap_or(0);
        if let Some((_, diagonal)) = row.iter_mut().find(|(j, _)| *j == own) {
            *diagonal += Matrix::<D>::from_diagonal(&problem.laws[i].w_shift);
        }
        rows.push(row);
    }
    let shifted = |&i: &usize| {
        let law = &problem.laws[i];
        free[i] + law.v_shift - law.w_shift.component_mul(&law.p_shift)
    };
    let cannot = |e: delassus_solver::SolverError| FclibError::Damaged { place: "W".to_owned(), what: e.to_string() };
    Ok(ContactProblem {
        operator: BlockMatrix::from_rows(rows).map_err(cannot)?,
        v_free: kept.iter().map(shifted).collect(),
        laws: kept.iter().map(|&i| Derived::standard(renumbered(problem.laws[i].cone, &kept))).collect(),
    })
}

/// The cone of a contact after those that are open were left out: a moment of one of them has no push.
fn renumbered(cone: Cone, kept: &[usize]) -> Cone {
    let Cone::Turning(turning) = cone else { return cone };
    match kept.binary_search(&turning.of) {
        Ok(of) => Cone::Turning(ResistanceLimits { of, ..turning }),
        Err(_) => Cone::Within { across: 0.0, along: 0.0 },
    }
}

/// (I + W S)⁻¹ applied to W and to the free velocities.
fn softened<const D: usize>(
    problem: &ContactProblem<D>,
    free: &[Vector<D>],
) -> Result<(BlockMatrix<D>, Vec<Vector<D>>), FclibError> {
    let n = problem.n();
    let mut w = DMatrix::<f64>::zeros(D * n, D * n);
    for i in 0..n {
        for (j, block) in problem.operator.row(i) {
            w.view_mut((D * i, D * j), (D, D)).copy_from(&block);
        }
    }
    let spring = |k: usize| problem.laws[k / D].spring[k % D];
    let factor = DMatrix::from_fn(D * n, D * n, |i, j| w[(i, j)] * spring(j) + f64::from(u8::from(i == j)));
    let mut right = w.resize_horizontally(D * n + 1, 0.0);
    for (k, x) in free.iter().flat_map(|v| v.iter().copied().collect::<Vec<_>>()).enumerate() {
        right[(k, D * n)] = x;
    }
    let singular = || FclibError::Damaged { place: "I + W S".to_owned(), what: "it cannot be inverted".to_owned() };
    let solved = factor.lu().solve(&right).ok_or_else(singular)?;
    let block = |i: usize, j: usize| Matrix::<D>::from_fn(|a, b| solved[(D * i + a, D * j + b)]);
    let free = (0..n).map(|i| Vector::<D>::from_fn(|a, _| solved[(D * i + a, D * n)])).collect();
    Ok((BlockMatrix::dense(n, block), free))
}

/// The FCLIB file of a problem, in local form.
pub fn write<const D: usize>(
    problem: &ContactProblem<D>,
    title: &str,
    description: &str,
) -> Result<Vec<u8>, FclibError> {
    let plain = standard_form(problem)?;
    let is_moment = |l: &Derived<D>| matches!(l.cone, Cone::Turning(_) | Cone::Within { .. });
    if let Some(contact) = plain.laws.iter().position(is_moment) {
        return Err(FclibError::NoForm { contact, why: "is a moment of rolling resistance" });
    }
    let n = D * plain.n();
    let size = |n: usize| i32::try_from(n).map_err(|_| FclibError::TooMany { n, most: i32::MAX as usize });
    let (mut p, mut i, mut x) = (vec![0], Vec::new(), Vec::new());
    for contact in 0..plain.n() {
        let mut row = plain.operator.row(contact);
        row.sort_by_key(|(j, _)| *j);
        for k in 0..D {
            for (j, block) in &row {
                for l in 0..D {
                    i.push(size(D * j + l)?);
                    x.push(block[(k, l)]);
                }
            }
            p.push(size(x.len())?);
        }
    }
    let one = |n: i32| Hdf5Content::Integers(vec![n]);
    let w = Hdf5Group::default()
        .with("m", one(size(n)?))
        .with("n", one(size(n)?))
        .with("nz", one(-2))
        .with("nzmax", one(size(x.len())?))
        .with("p", Hdf5Content::Integers(p))
        .with("i", Hdf5Content::Integers(i))
        .with("x", Hdf5Content::Floats(x));
    let friction = |law: &Derived<D>| if let Cone::Coulomb(mu) = law.cone { mu } else { 0.0 };
    let vectors = Hdf5Group::default()
        .with(
            "q",
            Hdf5Content::Floats(plain.v_free.iter().flat_map(|v| v.iter().copied().collect::<Vec<_>>()).collect()),
        )
        .with("mu", Hdf5Content::Floats(plain.laws.iter().map(friction).collect()));
    let info = Hdf5Group::default()
        .with("title", Hdf5Content::Text(title.to_owned()))
        .with("description", Hdf5Content::Text(description.to_owned()))
        .with("math_info", Hdf5Content::Text("u = W r + q, rows compressed, normal component first".to_owned()));
    let local = Hdf5Group::default()
        .with("spacedim", one(size(D)?))
        .with("W", Hdf5Content::Group(w))
        .with("vectors", Hdf5Content::Group(vectors))
        .with("info", Hdf5Content::Group(info));
    let root = Hdf5Group::default().with("fclib_local", Hdf5Content::Group(local));
    to_bytes(root).ok_or(FclibError::Damaged { place: "/".to_owned(), what: "a group has too many members".to_owned() })
}
