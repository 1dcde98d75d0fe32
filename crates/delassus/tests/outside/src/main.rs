//! A law of one's own in a program of one's own: a suction cup, which holds a block under a ceiling up to a force per area.
use std::sync::Arc;

use delassus::prelude::*;
use delassus::solver::Vector;

/// Frictionless contact that also pulls, up to `suction` [Pa]: 0 ≤ g ⟂ p_N + suction·A·h ≥ 0.
#[derive(Debug)]
struct Cup {
    suction: f64,
}

impl<const D: usize> ContactLaw<D> for Cup {
    fn derive(&self, x: &ContactInput<D>, step: &StepTimes, _: &[f64], _: Option<&ContactSolution<D>>) -> Derived<D> {
        let mut law = Derived::standard(Cone::Coulomb(0.0));
        law.v_shift[0] = x.gap / step.gap_time;
        law.p_shift[0] = if x.gap <= 1e-9 { self.suction * x.area * step.h } else { 0.0 };
        law
    }

    fn violation(&self, x: &ContactInput<D>, out: &ContactSolution<D>, step: &StepTimes, z: &[f64]) -> f64 {
        let pull: Vector<D> = <Self as ContactLaw<D>>::derive(self, x, step, z, None).p_shift;
        statement::contact(x.gap / step.gap_time + out.velocity[0], 0.0, &out.velocity, &(out.impulse + pull), &out.scale)
    }
}

impl OwnLaw for Cup {
    fn plane(self: Arc<Self>) -> Option<Arc<dyn ContactLaw<2>>> {
        Some(self)
    }
}
