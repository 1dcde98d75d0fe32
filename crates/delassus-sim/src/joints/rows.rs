//! The rows of the joints of a model in a configuration.

use delassus_contact::Contact;

use crate::model::{Joint, JointFriction, JointKind, JointPlace, JointSpring, Model};

/// What a row demands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowLaw {
    /// Its value is prescribed.
    Held,
    /// A spring and a damper.
    Spring(JointSpring),
    /// Friction with a limit, which may depend on the reaction.
    Friction(JointFriction),
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JointRow {
    /// Number of the joint.
    pub joint: usize,
    /// Number of the block of D rows it belongs to.
    pub block: usize,
    /// Which of them.
    pub component: usize,
    /// Is it one of a rotation?
    pub turns: bool,
    /// Is it the coordinate of the joint?
    pub is_coordinate: bool,
    pub law: RowLaw,
}

impl JointRow {
    /// The value of the row at a place of its joint, near the coordinate that was.
    pub fn value<const D: usize>(&self, joint: &Joint<D>, place: &JointPlace<D>, near: f64) -> f64 {
        match (self.is_coordinate, self.turns) {
            (true, _) => joint.coordinate(place, near),
            (false, true) => place.rotations()[self.component],
            (false, false) => place.translations(joint.kind)[self.component],
        }
    }

    /// Is it a held row across the coordinate of its joint: one of the translations that make up the reaction, of a hinge in space without that along its axis?
    pub fn is_reaction<const D: usize>(&self, joint: &Joint<D>) -> bool {
        let along = joint.kind == JointKind::Hinge && D == 3 && self.component == 2;
        self.law == RowLaw::Held && !self.turns && !self.is_coordinate && !along
    }

    /// What a held row must have at a time.
    pub fn target<const D: usize>(&self, joint: &Joint<D>, t: f64) -> f64 {
        joint.motion.as_ref().filter(|_| self.is_coordinate).map_or(0.0, |m| m.coordinate(t))
    }

    /// The rate of that.
    pub fn target_rate<const D: usize>(&self, joint: &Joint<D>, t: f64) -> f64 {
        joint.motion.as_ref().filter(|_| self.is_coordinate).map_or(0.0, |m| m.rate(t))
    }
}

/// Rows, and the blocks they are in.
pub(crate) struct JointRows<const D: usize> {
    pub blocks: Vec<Contact<D>>,
    pub rows: Vec<JointRow>,
}

impl<const D: usize> JointRows<D> {
    /// The rows in configurations of the bodies.
    pub fn at(model: &Model<D>, q: &[Vec<f64>]) -> Self {
        let mut out = Self { blocks: Vec::new(), rows: Vec::new() };
        for (number, joint) in model.joints.iter().enumerate() {
            let place = joint.place(model, q);
            let block = out.blocks.len();
            out.blocks.push(joint.translation(model, q, &place));
            let turns = joint.turns(model) && joint.kind != JointKind::Ball && !joint.kind.is_line();
            if turns {
                out.blocks.push(joint.rotation(model, &place));
            }
            let held = |turns: bool, component: usize| JointRow {
                joint: number,
                block: block + usize::from(turns),
                component,
                turns,
                is_coordinate: false,
                law: RowLaw::Held,
            };
            out.rows.extend(held_translations::<D>(joint.kind).map(|k| held(false, k)));
            if turns {
                out.rows.extend(held_rotations::<D>(joint.kind).map(|k| held(true, k)));
            }
            let coordinate = match joint.kind {
                JointKind::Hinge if turns => held(true, if D == 2 { 0 } else { 2 }),
                JointKind::Slider => held(false, D - 1),
                JointKind::Distance | JointKind::Spring => held(false, 0),
                _ => continue,
            };
            let coordinate = JointRow { is_coordinate: true, ..coordinate };
            if joint.motion.is_some() || joint.kind == JointKind::Distance {
                out.rows.push(coordinate);
            }
            out.rows.extend(joint.spring.map(|s| JointRow { law: RowLaw::Spring(s), ..coordinate }));
            out.rows.extend(joint.friction.map(|f| JointRow { law: RowLaw::Friction(f), ..coordinate }));
        }
        out
    }
}

fn held_translations<const D: usize>(kind: JointKind) -> std::ops::Range<usize> {
    match kind {
        JointKind::Ball | JointKind::Hinge | JointKind::Fixed => 0..D,
        JointKind::Slider => 0..D - 1,
        JointKind::Distance | JointKind::Spring => 0..0,
    }
}

fn held_rotations<const D: usize>(kind: JointKind) -> std::ops::Range<usize> {
    match kind {
        JointKind::Fixed | JointKind::Slider => 0..2 * D - 3,
        JointKind::Hinge => 0..2 * D - 4,
        JointKind::Ball | JointKind::Distance | JointKind::Spring => 0..0,
    }
}
