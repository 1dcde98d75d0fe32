//! One point under a law, driven through time: θ-Euler or a θ-method at θ = 1, where positions end at q + h v⁺.

use super::*;

/// A contact point with its gap and history, on a body of mobility `w`.
pub(super) struct Driven<const D: usize> {
    pub(super) law: std::sync::Arc<dyn ContactLaw<D>>,
    pub(super) z: Vec<f64>,
    pub(super) gap: f64,
    pub(super) w: Matrix<D>,
    pub(super) step: StepTimes,
    pub(super) area: f64,
    pub(super) velocity: Vector<D>,
    pub(super) frame: Matrix<D>,
    /// Where the point is, for laws that ask; moved by the test.
    pub(super) place: Vector<D>,
    /// End of the last step.
    pub(super) time: f64,
}

/// What a step did.
pub(super) struct Done<const D: usize> {
    pub(super) out: ContactSolution<D>,
    pub(super) energy: LawEnergy<D>,
}

impl<const D: usize> Driven<D>
where
    Dimension<D>: LocalKernel<D>,
{
    /// A point that touches at the start, whose motion is driven: a spring of this stiffness [N/m] changes a velocity by 1e-9 of it.
    pub(super) fn held(spec: LawSpec, h: f64, stiffness: f64) -> Self {
        Self::of_mobility(spec, h, 1e-9 / (h * h * stiffness))
    }

    pub(super) fn of_mobility(spec: LawSpec, h: f64, mobility: f64) -> Self {
        spec.validate().unwrap();
        let law = spec.build::<D>().unwrap();
        let mut z = vec![f64::NAN; history_len(law.as_ref())];
        law.start(true, &mut z);
        Self {
            law,
            z,
            gap: 0.0,
            w: Matrix::<D>::identity() * mobility,
            step: StepTimes { h, gap_time: h, rest: h },
            area: 1.0,
            velocity: Vector::<D>::zeros(),
            frame: Matrix::identity(),
            place: Vector::zeros(),
            time: 0.0,
        }
    }

    /// A step towards the velocity `v_free`.
    pub(super) fn advance(&mut self, v_free: Vector<D>) -> Done<D> {
        let zero = Vector::<D>::zeros();
        let input = ContactInput {
            gap: self.gap,
            area: self.area,
            v_minus: self.velocity,
            v_free,
            drift: zero,
            frame: self.frame,
            acted: false,
            place: self.place,
            time: self.time + self.step.h,
        };
        let contact = ContactUnderLaw { law: self.law.as_ref(), input, history: self.z.clone() };
        let laws = vec![contact.derive(&self.step, None)];
        let w = self.w;
        let operator = BlockMatrix::dense(1, |_, _| w);
        let mut problem = ContactProblem { operator, v_free: vec![v_free], laws };
        let options = SolverOptions { tolerance: 1e-12, ..SolverOptions::default() };
        let solved = solve_under_laws(
            &ChainSettings { methods: &[Method::Nlgs], options: &options, interrupt: &Interrupt::never() },
            std::slice::from_ref(&contact),
            &mut problem,
            &mut [zero],
            &self.step,
        );
        assert!(solved.reports[0].residual <= 1e-12 && solved.violation <= 1e-12, "{solved:?}");
        let out = solved.solutions[0];
        let (z, energy) = contact.commit(&out, &self.step);
        self.z = z;
        self.velocity = out.velocity;
        self.time += self.step.h;
        self.gap += self.step.rest * out.velocity[0];
        Done { out, energy }
    }

    /// A step under a force: v_free = v + h w f.
    pub(super) fn push(&mut self, force: Vector<D>) -> Done<D> {
        let v_free = self.velocity + self.w * force * self.step.h;
        self.advance(v_free)
    }
}

impl<const D: usize> Done<D> {
    /// The bond's force over a step [N]. At a held point the whole impulse is known only against its size, V/λ.
    pub(super) fn bond(&self, step: &StepTimes) -> Vector<D> {
        assert!((self.energy.bond - self.out.impulse).norm() <= 4e-12 * self.out.scale.impulse);
        self.energy.bond / step.h
    }

    /// The force that acted over a step [N].
    pub(super) fn force(&self, step: &StepTimes) -> Vector<D> {
        self.out.impulse / step.h
    }
}
