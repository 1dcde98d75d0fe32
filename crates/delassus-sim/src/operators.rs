//! The factored operators of all bodies for one step size.
//!
//! Bodies [that are equal up to a rigid motion](crate::model::Twins) share a factor and a condensed operator. The condensed
//! operators are computed completely if they fit into the memory that the case allows, otherwise panel by panel as contacts need
//! them (see [`Condensed`]). Results do not depend on when a panel is computed.

use std::collections::BTreeSet;
use std::sync::Arc;

use delassus_contact::{Contact, Map};
use delassus_dynamics::factor::{Analysis, Factor};
use delassus_dynamics::integrator::{FramePass, StepStart};
use delassus_dynamics::{BlockRotation, Condensed, DynamicsError, Guided, Guides, Operator, Stresses};
use delassus_error::Interrupt;
use nalgebra::DMatrix;

use crate::error::SimError;
use crate::model::Model;
use crate::parallel::prelude::*;

/// Where a step is linearised.
#[derive(Clone, Copy)]
pub struct Linearisation<'a> {
    /// What the step starts from, body by body.
    pub starts: &'a [StepStart<'a>],
    /// Velocities of the bodies at its end \[m/s\].
    pub v: &'a [Vec<f64>],
    /// The pass of the search for them.
    pub pass: FramePass,
}

/// Operators of all bodies of a model.
#[derive(Debug)]
pub struct Operators {
    /// w of each body, to be applied.
    pub bodies: Vec<Operator>,
    /// w of each class of bodies on the nodes of contact, in the axes of the first body of the class.
    condensed: Vec<Condensed>,
    /// The whole w of each class of bodies that have few degrees of freedom: those without finite elements.
    dense: Vec<Option<DMatrix<f64>>>,
    /// Class of each body.
    class_of: Vec<usize>,
    /// A body of each class.
    first_of: Vec<usize>,
    /// Most bytes of condensed operators.
    memory: usize,
    /// How often panels were discarded to free memory for others.
    n_given_up: usize,
    /// Bodies whose M̂, made last, leaves out the part of the stresses, since it was not positive definite with it.
    n_without_stresses: usize,
    /// The interrupt. It is checked between bodies, in the panels of condensed operators and by
    /// [`condense`](crate::condense::condense).
    interrupt: Interrupt,
}

impl Operators {
    /// Factors one body of each class, classes in parallel, for a step, linearised at the velocities of its end, and
    /// condenses on all nodes of contact if that fits.
    pub fn new<const D: usize>(
        model: &Model<D>,
        at: Linearisation<'_>,
        analyses: &[Arc<Analysis>],
        interrupt: &Interrupt,
    ) -> Result<Self, SimError> {
        let twins = &model.twins;
        let all: Vec<usize> = (0..twins.classes.len()).collect();
        let (mut firsts, softened): (Vec<Operator>, Vec<bool>) =
            factored(model, at, analyses, &all, interrupt)?.into_iter().unzip();
        let dense = firsts.iter_mut().zip(&twins.classes).map(|(op, class)| dense_of(model, class.first, op)).collect();
        let laid_out = firsts.iter().zip(&twins.classes).map(|(op, class)| op.condensed(D, &class.contact_nodes));
        let mut made = Self {
            condensed: laid_out.collect(),
            dense,
            bodies: twins.of_body.iter().map(|(class, turn)| firsts[*class].twin(turn.clone())).collect(),
            class_of: twins.of_body.iter().map(|(class, _)| *class).collect(),
            first_of: twins.classes.iter().map(|c| c.first).collect(),
            memory: model.memory,
            n_given_up: 0,
            n_without_stresses: count(&softened),
            interrupt: interrupt.clone(),
        };
        made.expose_all_if_it_fits(model)?;
        Ok(made)
    }

    /// Analyses and factors M̂(h) of every body, as it is at the start.
    pub fn at_start<const D: usize>(model: &Model<D>, h: f64) -> Result<Self, SimError> {
        let start = model.start();
        let v: Vec<Vec<f64>> = start.states.iter().map(|s| s.v.clone()).collect();
        let (never, starts) = (Interrupt::never(), model.begin(&start, h));
        let at = Linearisation { starts: &starts, v: &v, pass: FramePass::First };
        let mut made = Self::new(model, at, &analyse(model, &never)?, &never)?;
        made.turn(model, &starts)?;
        Ok(made)
    }

    /// Runs `task` for every body and its operator, bodies in parallel; results in the order of the bodies.
    pub fn for_each_body<T: Send>(&mut self, task: impl Fn(usize, &mut Operator) -> T + Sync) -> Vec<T> {
        self.bodies.par_iter_mut().enumerate().map(|(i, op)| task(i, op)).collect()
    }

    /// The same for another step of this length: factors again what changes from step to step.
    pub fn renew<const D: usize>(
        &mut self,
        model: &Model<D>,
        at: Linearisation<'_>,
        analyses: &[Arc<Analysis>],
    ) -> Result<(), SimError> {
        let twins = &model.twins;
        self.n_without_stresses = 0;
        let changing: Vec<usize> =
            (0..twins.classes.len()).filter(|&class| model.operator_varies(self.first_of[class])).collect();
        if changing.is_empty() {
            return Ok(());
        }
        let made = factored(model, at, analyses, &changing, &self.interrupt)?;
        for (&class, (mut first, softened)) in changing.iter().zip(made) {
            self.n_without_stresses += usize::from(softened);
            self.dense[class] = dense_of(model, twins.classes[class].first, &mut first);
            self.condensed[class] = first.condensed(D, &twins.classes[class].contact_nodes);
            let mine = twins.of_body.iter().zip(&mut self.bodies).filter(|((c, _), _)| *c == class);
            mine.for_each(|((_, turn), body)| *body = first.twin(turn.clone()));
        }
        self.expose_all_if_it_fits(model)
    }

    /// Turns the operators of bodies that turn into the frames predicted for the middle of the step: factors and condensed operators stay. Rows beside a factor hold then.
    pub fn turn<const D: usize>(&mut self, model: &Model<D>, starts: &[StepStart<'_>]) -> Result<(), SimError> {
        for (body, start) in starts.iter().enumerate() {
            let Some(middle) = start.turning.as_ref().and_then(|t| t.middle.as_ref()) else { continue };
            // One that is factored in each step is turned before it is.
            if model.operator_varies(body) {
                continue;
            }
            let (_, twin) = &model.twins.of_body[body];
            let rotation = twin.as_ref().map_or_else(|| middle.clone(), |twin| middle.after(twin));
            self.bodies[body].set_rotation(Some(rotation));
        }
        let guided: Vec<BTreeSet<usize>> =
            (0..self.condensed.len()).map(|class| self.guided_panels(model, class)).collect();
        if guided.iter().all(BTreeSet::is_empty) {
            return Ok(());
        }
        self.expose_panels(&guided).map_err(|(class, source)| named(model, class, source))?;
        let (condensed, class_of) = (&self.condensed, &self.class_of);
        let turned: Vec<_> =
            self.bodies.par_iter_mut().zip(class_of).map(|(w, &k)| w.turn_guided(&condensed[k])).collect();
        turned.into_iter().zip(class_of).try_for_each(|(done, &k)| done.map_err(|source| named(model, k, source)))
    }

    /// The panels that rows beside the factor of a class need.
    fn guided_panels<const D: usize>(&self, model: &Model<D>, class: usize) -> BTreeSet<usize> {
        let guides = model.bodies[self.first_of[class]].body.guides();
        let sites = guides.iter().flat_map(|guides| guides.sites());
        sites.filter_map(|&site| self.condensed[class].panel_of(site)).collect()
    }

    fn expose_all_if_it_fits<const D: usize>(&mut self, model: &Model<D>) -> Result<(), SimError> {
        if self.bytes_of_all() > self.memory {
            return Ok(());
        }
        let all: Vec<BTreeSet<usize>> = self.condensed.iter().map(|c| (0..c.n_panels()).collect()).collect();
        self.expose_panels(&all).map_err(|(class, source)| named(model, class, source))
    }

    /// Computes what W of these contacts needs and is not there yet.
    pub fn expose<const D: usize>(&mut self, model: &Model<D>, contacts: &[&Contact<D>]) -> Result<(), SimError> {
        let mut needed: Vec<BTreeSet<usize>> =
            (0..self.condensed.len()).map(|class| self.guided_panels(model, class)).collect();
        for (_, side) in contacts.iter().flat_map(|c| c.signed_sides()) {
            if let (Some(body), Map::Nodes(nodes)) = (side.body, &side.map) {
                let class = self.class_of[body];
                needed[class].extend(nodes.iter().filter_map(|&(node, _)| self.condensed[class].panel_of(node)));
            }
        }
        if self.condensed.iter().zip(&needed).all(|(c, panels)| panels.is_subset(c.exposed())) {
            return Ok(());
        }
        let bytes = |panels: &[BTreeSet<usize>]| -> usize {
            self.condensed.iter().zip(panels).map(|(c, panels)| c.bytes_of(panels)).sum()
        };
        let together: Vec<BTreeSet<usize>> =
            self.condensed.iter().zip(&needed).map(|(c, panels)| c.exposed() | panels).collect();
        if bytes(&together) > self.memory {
            let least = bytes(&needed);
            if least > self.memory {
                let (n_contacts, memory, all) = (contacts.len(), self.memory, self.bytes_of_all());
                return Err(SimError::Memory { n_contacts, memory, needed: least, all });
            }
            for (c, panels) in self.condensed.iter_mut().zip(&needed) {
                c.keep_only(panels);
            }
            self.n_given_up += 1;
        }
        self.expose_panels(&needed).map_err(|(class, source)| named(model, class, source))
    }

    fn expose_panels(&mut self, panels: &[BTreeSet<usize>]) -> Result<(), (usize, DynamicsError)> {
        let factors: Vec<_> = self.first_of.iter().map(|&body| Arc::clone(self.bodies[body].factor())).collect();
        let (tasks, interrupt) = (self.condensed.par_iter_mut().zip(panels).zip(factors).enumerate(), &self.interrupt);
        let expose = |c: &mut Condensed, panels: &BTreeSet<usize>, f: &Factor| c.expose_unless(interrupt, f, panels);
        let done: Vec<_> = tasks.map(|(k, ((c, panels), f))| expose(c, panels, &f).map_err(|e| (k, e))).collect();
        done.into_iter().collect()
    }

    /// w of a body on the nodes of contact, before its [rotation](Self::rotation).
    #[must_use]
    pub fn condensed(&self, body: usize) -> &Condensed {
        &self.condensed[self.class_of[body]]
    }

    /// The whole w of a body of few degrees of freedom; `None` for one whose w is condensed on its nodes of contact.
    #[must_use]
    pub fn dense(&self, body: usize) -> Option<&DMatrix<f64>> {
        self.dense[self.class_of[body]].as_ref()
    }

    /// How a body is turned from the one whose w is condensed, if it is.
    #[must_use]
    pub fn rotation(&self, body: usize) -> Option<&BlockRotation> {
        self.bodies[body].rotation()
    }

    /// The rows beside the factor of a body.
    #[must_use]
    pub fn guided(&self, body: usize) -> Option<(&Guides, &Guided)> {
        self.bodies[body].guided()
    }

    /// Bytes of the condensed operators as they are.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.condensed.iter().map(|c| c.bytes_of(c.exposed())).sum()
    }

    /// Bytes of the condensed operators with everything exposed.
    #[must_use]
    pub fn bytes_of_all(&self) -> usize {
        self.condensed.iter().map(Condensed::bytes_of_all).sum()
    }

    /// How often condensed columns were discarded to free memory for others.
    #[must_use]
    pub fn n_given_up(&self) -> usize {
        self.n_given_up
    }

    /// Bodies whose M̂, made last, leaves out the part of the stresses.
    #[must_use]
    pub fn n_without_stresses(&self) -> usize {
        self.n_without_stresses
    }

    /// The interrupt.
    #[must_use]
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }
}

fn count(which: &[bool]) -> usize {
    which.iter().filter(|yes| **yes).count()
}

/// The symbolic part of the factor of each class of bodies, in parallel: it is the same for all step sizes. The interrupt is checked
/// between bodies.
pub fn analyse<const D: usize>(model: &Model<D>, interrupt: &Interrupt) -> Result<Vec<Arc<Analysis>>, SimError> {
    let analyse = |class: usize| {
        interrupt.check()?;
        let first = &*model.bodies[model.twins.classes[class].first].body;
        model.integrator.analyse(first).map_err(|source| named(model, class, source))
    };
    let made: Vec<_> = (0..model.twins.classes.len()).into_par_iter().map(analyse).collect();
    made.into_iter().collect()
}

/// M̂ of the first body of some classes, factored in parallel. The interrupt is checked between bodies: a factorisation is one call of a
/// library, which cannot be interrupted. With each whether the part of the stresses was left out.
fn factored<const D: usize>(
    model: &Model<D>,
    Linearisation { starts, v, pass }: Linearisation<'_>,
    analyses: &[Arc<Analysis>],
    classes: &[usize],
    interrupt: &Interrupt,
) -> Result<Vec<(Operator, bool)>, SimError> {
    let factor = |&class: &usize| {
        interrupt.check()?;
        let first = model.twins.classes[class].first;
        let (start, v) = (&starts[first], &v[first]);
        let of_parts = |stresses| model.integrator.mass_of_parts(start, v, pass, stresses);
        let values = of_parts(Stresses::Counted).unwrap_or_else(|| model.integrator.effective_mass(start, v));
        let factored = |values| Operator::with_analysis(&analyses[class], &*model.bodies[first].body, values);
        match factored(values) {
            // Pressed parts that turn may leave M̂ indefinite: without what their stresses do in turning it is not.
            Err(DynamicsError::NotPositiveDefinite { matrix, dof }) => match of_parts(Stresses::LeftOut) {
                Some(values) => factored(values).map(|made| (made, true)),
                None => Err(DynamicsError::NotPositiveDefinite { matrix, dof }),
            },
            made => made.map(|made| (made, false)),
        }
        .map_err(|source| named(model, class, source))
    };
    let made: Vec<Result<(Operator, bool), SimError>> = classes.par_iter().map(factor).collect();
    made.into_iter().collect()
}

/// w of a body that is not made of finite elements: a solve for each of its degrees of freedom.
fn dense_of<const D: usize>(model: &Model<D>, body: usize, operator: &mut Operator) -> Option<DMatrix<f64>> {
    let body = &model.bodies[body].body;
    if body.finite_elements().is_some() {
        return None;
    }
    let mut w = DMatrix::identity(body.n_dof(), body.n_dof());
    w.column_iter_mut().for_each(|mut column| operator.apply(column.as_mut_slice()));
    Some(w)
}

/// An error of a class of bodies, with the name of the first body of the class.
fn named<const D: usize>(model: &Model<D>, class: usize, source: DynamicsError) -> SimError {
    if let DynamicsError::Interrupted(e) = source {
        return e.into();
    }
    SimError::Body { body: model.bodies[model.twins.classes[class].first].name.clone(), source }
}
