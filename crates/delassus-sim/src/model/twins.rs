//! Classes of bodies that are equal up to a rigid motion. The bodies of a class share one factor and one
//! condensed operator.
//!
//! The first such body, in the order of the case, is factored.
//! [`Body::rotation_onto`](delassus_fem::Body::rotation_onto) decides whether another body is equal to it. A body without finite
//! elements has a class of its own.

use delassus_dynamics::BlockRotation;
use delassus_fem::{Body, Look};

use super::ModelBody;

/// Bodies that share one factor.
#[derive(Clone, Debug)]
pub struct Class {
    /// The body that is factored.
    pub first: usize,
    /// The nodes of any of the bodies that contact can touch, or that rows beside the factor hold, ascending.
    pub contact_nodes: Vec<usize>,
}

/// The bodies of a model, sorted into classes.
#[derive(Clone, Debug)]
pub struct Twins {
    /// In the order of their first bodies.
    pub classes: Vec<Class>,
    /// For each body its class, and how it is turned from the first of it.
    pub of_body: Vec<(usize, Option<BlockRotation>)>,
}

impl Twins {
    /// Compares every body with the first of each class; unless they may `share`, every body is a class of its own.
    #[must_use]
    pub fn find<const D: usize>(bodies: &[ModelBody<D>], share: bool) -> Self {
        let elements: Vec<Option<&Body<D>>> = bodies.iter().map(|b| b.body.finite_elements()).collect();
        let looks: Vec<Option<Look>> = elements.iter().map(|b| b.map(Body::look)).collect();
        let mut twins = Self { classes: Vec::new(), of_body: Vec::new() };
        for (i, body) in bodies.iter().enumerate() {
            let known = if share && looks[i].is_some() { twins.classes.as_slice() } else { &[] };
            let same = known.iter().enumerate().find_map(|(k, class)| {
                let first = class.first;
                let may_be = !looks[i].as_ref()?.differs(looks[first].as_ref()?);
                let turn = if may_be { elements[first]?.rotation_onto(elements[i]?) } else { None };
                turn.map(|turn| (k, turn))
            });
            let (class, turn) = match same {
                Some((class, turn)) => {
                    let is_straight = turn == nalgebra::SMatrix::<f64, D, D>::identity();
                    let rows = turn.transpose().as_slice().to_vec();
                    (class, if is_straight { None } else { BlockRotation::new(D, rows) })
                }
                None => {
                    twins.classes.push(Class { first: i, contact_nodes: Vec::new() });
                    (twins.classes.len() - 1, None)
                }
            };
            let nodes = &mut twins.classes[class].contact_nodes;
            nodes.extend(body.contact_dofs.iter().step_by(D).map(|dof| dof / D));
            nodes.extend(body.body.guides().iter().flat_map(|guides| guides.sites()));
            twins.of_body.push((class, turn));
        }
        for class in &mut twins.classes {
            class.contact_nodes.sort_unstable();
            class.contact_nodes.dedup();
        }
        twins
    }
}
