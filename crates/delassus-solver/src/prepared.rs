//! The natural-map residual of a whole problem: the number by which every solver here decides that it is done.
//!
//! ```text
//! residual = max_α e_α,   e_α = natural map of contact α / V_α,   V_α = max(‖ṽ_free,α‖, λmax‖p̃_α‖, λmax‖p_α‖, 1e-6 · max over contacts)
//! ```
//!
//! ṽ_free,α is the velocity that the other contacts leave at α. One evaluation costs a product W p, half of one after
//! a sweep, and allocates nothing.

use std::borrow::Cow;

use crate::linalg::{Vector, larger, length, relative};
use crate::local::{Dimension, LocalKernel};
use crate::natural_map::{SCALE_FLOOR, natural_map, parted_map};
use crate::operator::{BlockMatrix, Products};
use crate::problem::{ContactProblem, Derived};
use crate::standard::contact::StandardContact;
use crate::work;

/// A problem with its contacts prepared in their standard variables, and the impulses last judged.
pub(crate) struct PreparedProblem<'a, const D: usize>
where
    Dimension<D>: LocalKernel<D>,
{
    pub(crate) operator: &'a BlockMatrix<D>,
    pub(crate) v_free: &'a [Vector<D>],
    pub(crate) laws: Cow<'a, [Derived<D>]>,
    pub(crate) contacts: Vec<StandardContact<D>>,
    pub(crate) products: Products,
    /// Work of a sweep, and of a look at the residual.
    pub(crate) sweep_work: u64,
    judged: Vec<ContactResidual<D>>,
    largest: f64,
}

/// A contact in its standard variables, with its error and scale, both velocities [m/s].
#[derive(Clone, Copy, Debug)]
struct ContactResidual<const D: usize> {
    v: Vector<D>,
    impulse: Vector<D>,
    error: f64,
    scale: f64,
    /// Where friction has margins of its own: the parts of the error across and along, and the scale along.
    parts: Option<ErrorParts>,
}

#[derive(Clone, Copy, Debug)]
struct ErrorParts {
    across: f64,
    along: f64,
    scale: f64,
}

impl<const D: usize> ContactResidual<D> {
    /// The error without unit, no scale being below `floor`.
    fn relative(&self, floor: f64) -> f64 {
        match self.parts {
            None => relative(self.error, larger(self.scale, floor)),
            Some(parts) => {
                let across = relative(parts.across, larger(self.scale, floor));
                larger(across, relative(parts.along, larger(parts.scale, floor)))
            }
        }
    }
}

impl<'a, const D: usize> PreparedProblem<'a, D>
where
    Dimension<D>: LocalKernel<D>,
{
    /// Prepares a problem whose sizes fit.
    pub(crate) fn new(problem: &'a ContactProblem<D>) -> Self {
        Self::with_laws(&problem.operator, &problem.v_free, Cow::Borrowed(&problem.laws))
    }

    /// The same bodies with other laws.
    pub(crate) fn with_laws(
        operator: &'a BlockMatrix<D>,
        v_free: &'a [Vector<D>],
        laws: Cow<'a, [Derived<D>]>,
    ) -> Self {
        let prepare = |(i, law)| StandardContact::new(&operator.diagonal(i), law);
        let contacts: Vec<StandardContact<D>> = laws.iter().enumerate().map(prepare).collect();
        let zero = Vector::<D>::zeros();
        let judged =
            vec![ContactResidual { v: zero, impulse: zero, error: 0.0, scale: 0.0, parts: None }; contacts.len()];
        let (products, sweep_work) = (Products::new(operator), work::of_sweep(operator));
        Self { operator, v_free, laws, contacts, products, sweep_work, judged, largest: 0.0 }
    }

    pub(crate) fn n(&self) -> usize {
        self.contacts.len()
    }

    /// Largest relative error of the impulses `p`; NaN or infinite if any number is.
    pub(crate) fn residual(&mut self, p: &[Vector<D>]) -> f64 {
        self.products.load(self.operator, p);
        self.evaluate()
    }

    /// The same after a sweep over the impulses held here.
    pub(crate) fn residual_after_sweep(&mut self) -> f64 {
        self.products.refresh(self.operator);
        self.evaluate()
    }

    fn evaluate(&mut self) -> f64 {
        self.largest = 0.0;
        for (i, (contact, out)) in self.contacts.iter().zip(&mut self.judged).enumerate() {
            let (p, law, others) = (self.products.x.get(i), &self.laws[i], self.products.others(i));
            let v_free = contact.v_free(&(self.v_free[i] + others), &Vector::<D>::zeros());
            // By the definitions, as the certificate has it: at contacts at rest another order of the sums shows.
            let u = self.v_free[i] + (others + self.operator.diagonal(i) * p);
            let v = u + law.v_shift + law.w_shift.component_mul(&p);
            let impulse = p + law.p_shift + law.spring.component_mul(&u);
            let lambda = contact.block.largest();
            let cone = contact.cone.under(|of| self.products.x.get::<D>(of)[0]);
            let error = natural_map(cone, lambda, &v, &impulse);
            // A loaded bond at rest has neither a velocity nor a push; p is then the size of what is in balance.
            let scale = length(&v_free).max(lambda * length(&impulse)).max(lambda * length(&p));
            self.largest = larger(self.largest, scale);
            let parts = contact.least_along.map(|least| {
                let [across, along] = parted_map(cone, lambda, &v, &impulse);
                ErrorParts { across, along, scale: larger(scale, least) }
            });
            *out = ContactResidual { v, impulse, error, scale: larger(scale, contact.least), parts };
        }
        if self.largest.is_infinite() {
            return f64::INFINITY;
        }
        let floor = self.floor();
        self.judged.iter().fold(0.0, |e, contact| larger(e, contact.relative(floor)))
    }

    /// U_loc of the impulses last judged [m/s].
    pub(crate) fn others(&self, contact: usize) -> Vector<D> {
        self.v_free[contact] + self.products.others(contact)
    }

    /// ṽ of the impulses last judged [m/s].
    pub(crate) fn standard_velocity(&self, contact: usize) -> &Vector<D> {
        &self.judged[contact].v
    }

    /// p̃ of the impulses last judged [N·s].
    pub(crate) fn standard_impulse(&self, contact: usize) -> &Vector<D> {
        &self.judged[contact].impulse
    }

    /// p_N of the impulses last judged [N·s].
    pub(crate) fn push(&self, contact: usize) -> f64 {
        self.products.x.get::<D>(contact)[0]
    }

    /// Least velocity scale, by the impulses last judged [m/s].
    pub(crate) fn floor(&self) -> f64 {
        SCALE_FLOOR * self.largest
    }

    /// V_α by the impulses last judged [m/s].
    pub(crate) fn scale(&self, contact: usize) -> f64 {
        self.judged[contact].scale.max(self.floor())
    }

    /// V_α along the contact, where friction has margins of its own [m/s].
    pub(crate) fn scale_along(&self, contact: usize) -> Option<f64> {
        self.judged[contact].parts.map(|parts| parts.scale.max(self.floor()))
    }

    /// Σ error²/λmax of the impulses last judged \[J\]: what a line search brings down. Contacts without mobility are not in it.
    pub(crate) fn merit(&self) -> f64 {
        let energy = |(contact, judged): (&StandardContact<D>, &ContactResidual<D>)| match contact.block.largest() {
            lambda if lambda > 0.0 => judged.error * judged.error / lambda,
            _ => 0.0,
        };
        self.contacts.iter().zip(&self.judged).map(energy).sum()
    }

    /// Σ e_α² of the impulses last judged: the same near a solution, where the small contacts count as well.
    pub(crate) fn fine_merit(&self) -> f64 {
        let floor = self.floor();
        self.judged.iter().map(|contact| contact.relative(floor).powi(2)).sum()
    }

    /// Number of contacts whose local problem, the others' impulses being as they were last judged, has several solutions.
    pub(crate) fn several(&self) -> usize {
        let several = |(i, contact): (usize, &StandardContact<D>)| {
            let impulse = self.standard_impulse(i);
            let cone = contact.cone.under(|of| self.push(of));
            contact.block.solve(&contact.v_free(&self.others(i), impulse), cone, impulse).several
        };
        self.contacts.iter().enumerate().filter(|&c| several(c)).count()
    }
}
