//! Parts and their instances: nodes and elements under numbers that are unique within a part.
//!
//! A part may have one instance: several would multiply the mesh without bytes of the file; `copies` of a case do that. An instance
//! is shifted, then turned by an angle about an axis through two points:
//!
//! ```text
//! x' = a + cos φ r + sin φ k × r + (1 − cos φ)(k·r) k        r = x + s − a,  k = (b − a)/|b − a|     (Rodrigues)
//! ```

use delassus_math as math;

use crate::draft::{Draft, place};
use crate::{CellKind, MeshError};

/// Most parts of a file: they are looked for one by one.
const MOST_PARTS: usize = 10_000;

/// Nodes and elements of a part, under its numbers.
#[derive(Default)]
pub(super) struct MeshPart {
    name: String,
    /// Name of its instance and where that is.
    instance: Option<(String, Placement)>,
    pub(super) points: Vec<[f64; 3]>,
    pub(super) node_tags: Vec<u64>,
    pub(super) kinds: Vec<CellKind>,
    pub(super) element_tags: Vec<u64>,
    /// Numbers of the nodes of all elements.
    pub(super) element_nodes: Vec<u64>,
    /// Numbers with places, sorted, once the part is complete.
    nodes_by_tag: Vec<(u64, u32)>,
    elements_by_tag: Vec<(u64, u32)>,
    /// Places of its first node and element in the draft.
    first: [u32; 2],
}

/// How an instance lies.
#[derive(Default, Clone, Copy)]
pub(super) struct Placement {
    pub(super) shift: [f64; 3],
    /// Two points of the axis, and the angle \[degrees\].
    pub(super) turn: Option<([f64; 3], [f64; 3], f64)>,
}

impl Placement {
    fn apply(&self, x: [f64; 3]) -> [f64; 3] {
        let x: [f64; 3] = std::array::from_fn(|i| x[i] + self.shift[i]);
        let Some((a, b, degrees)) = self.turn else { return x };
        let along: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
        let length = math::hypot(math::hypot(along[0], along[1]), along[2]);
        if length <= 0.0 {
            return x;
        }
        let k = along.map(|c| c / length);
        let r: [f64; 3] = std::array::from_fn(|i| x[i] - a[i]);
        let (sin, cos) = (math::sin(degrees.to_radians()), math::cos(degrees.to_radians()));
        let cross = [k[1] * r[2] - k[2] * r[1], k[2] * r[0] - k[0] * r[2], k[0] * r[1] - k[1] * r[0]];
        let dot: f64 = k[0] * r[0] + k[1] * r[1] + k[2] * r[2];
        std::array::from_fn(|i| a[i] + cos * r[i] + sin * cross[i] + (1.0 - cos) * dot * k[i])
    }
}

/// All parts; number 0 is what stands outside of parts.
pub(super) struct Parts(Vec<MeshPart>);

impl Default for Parts {
    fn default() -> Self {
        Self(vec![MeshPart::default()])
    }
}

impl Parts {
    /// Begins a part, or goes on with it; returns its number.
    pub(super) fn begin(&mut self, name: &str) -> Result<usize, MeshError> {
        match self.0.iter().skip(1).position(|part| part.name.eq_ignore_ascii_case(name)) {
            Some(i) => Ok(i + 1),
            None if self.0.len() > MOST_PARTS => {
                Err(MeshError::Instances { reason: format!("the file has more than {MOST_PARTS} parts") })
            }
            None => {
                self.0.push(MeshPart { name: name.to_owned(), ..MeshPart::default() });
                Ok(self.0.len() - 1)
            }
        }
    }

    pub(super) fn of(&mut self, scope: usize) -> &mut MeshPart {
        let last = self.0.len() - 1;
        &mut self.0[scope.min(last)]
    }

    pub(super) fn get(&self, part: usize) -> Option<&MeshPart> {
        self.0.get(part)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &MeshPart> {
        self.0.iter()
    }

    /// Gives a part its instance.
    pub(super) fn place(&mut self, name: String, part: &str, placement: Placement) -> Result<(), MeshError> {
        let Some(found) = self.0.iter_mut().skip(1).find(|p| p.name.eq_ignore_ascii_case(part)) else {
            let reason = format!("instance `{}` is of part `{}`, which is not in the file", short(&name), short(part));
            return Err(MeshError::Instances { reason });
        };
        if let Some((other, _)) = &found.instance {
            let reason = format!("part `{}` has the instances `{}` and `{}`", short(part), short(other), short(&name));
            return Err(MeshError::Instances { reason });
        }
        found.instance = Some((name, placement));
        Ok(())
    }

    /// The part of an instance.
    pub(super) fn instance(&self, name: &str) -> Option<usize> {
        let is = |part: &MeshPart| part.instance.as_ref().is_some_and(|(own, _)| own.eq_ignore_ascii_case(name));
        self.0.iter().position(is)
    }

    /// The name of a part's instance, or its own.
    pub(super) fn name(&self, part: usize) -> &str {
        self.0.get(part).map_or("", |part| part.instance.as_ref().map_or(part.name.as_str(), |(name, _)| name))
    }

    /// Moves the instances to their places and leaves out parts without one, where there are instances at all.
    pub(super) fn settle(&mut self) -> Result<(), MeshError> {
        let placed = self.0.iter().any(|part| part.instance.is_some());
        let mut first = [0, 0];
        for part in self.0.iter_mut() {
            if placed && part.instance.is_none() && !part.name.is_empty() {
                *part = MeshPart { name: std::mem::take(&mut part.name), ..MeshPart::default() };
            }
            if let Some((_, placement)) = part.instance.clone() {
                for x in &mut part.points {
                    *x = placement.apply(*x);
                }
            }
            part.first = first.map(place);
            first = [first[0] + part.points.len(), first[1] + part.kinds.len()];
            part.nodes_by_tag = sorted(&part.node_tags);
            part.elements_by_tag = sorted(&part.element_tags);
            if let Some(pair) = part.nodes_by_tag.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(MeshError::DuplicateNode { tag: pair[0].0 });
            }
            if let Some(pair) = part.elements_by_tag.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(MeshError::Inconsistent { what: format!("element {} is given twice", pair[0].0) });
            }
        }
        Ok(())
    }

    /// Points and cells of all parts, one after the other.
    pub(super) fn fill(&self, draft: &mut Draft) -> Result<(), MeshError> {
        for part in &self.0 {
            draft.points.extend(&part.points);
            draft.point_tags.extend(&part.node_tags);
            draft.kinds.extend(&part.kinds);
            draft.cell_tags.extend(&part.element_tags);
            let mut nodes = part.element_nodes.iter();
            for (kind, &element) in part.kinds.iter().zip(&part.element_tags) {
                for &tag in nodes.by_ref().take(kind.n_nodes()) {
                    let node = part.node(tag).ok_or(MeshError::UnknownNode { element, node: tag })?;
                    draft.nodes.push(node);
                }
            }
        }
        Ok(())
    }
}

impl MeshPart {
    /// Place of a node in the draft.
    pub(super) fn node(&self, tag: u64) -> Option<u32> {
        find(&self.nodes_by_tag, tag).map(|i| i + self.first[0])
    }

    /// Place of an element in the draft.
    pub(super) fn element(&self, tag: u64) -> Option<u32> {
        find(&self.elements_by_tag, tag).map(|i| i + self.first[1])
    }

    /// Numbers and places of the nodes, or of the elements, from one number to another.
    pub(super) fn between(&self, nodes: bool, first: u64, last: u64) -> impl Iterator<Item = (u64, u32)> {
        let (list, offset) =
            if nodes { (&self.nodes_by_tag, self.first[0]) } else { (&self.elements_by_tag, self.first[1]) };
        let start = list.partition_point(|entry| entry.0 < first);
        let end = list.partition_point(|entry| entry.0 <= last).max(start);
        list[start..end].iter().map(move |&(tag, place)| (tag, place + offset))
    }

    /// A place within the part as one in the draft.
    pub(super) fn place_of(&self, nodes: bool, i: usize) -> u32 {
        place(i) + self.first[usize::from(!nodes)]
    }
}

fn sorted(tags: &[u64]) -> Vec<(u64, u32)> {
    let mut list: Vec<(u64, u32)> = tags.iter().enumerate().map(|(i, &tag)| (tag, place(i))).collect();
    list.sort_unstable();
    list
}

fn find(list: &[(u64, u32)], tag: u64) -> Option<u32> {
    // Most files number from 1 in order.
    if let Some(&(found, i)) = usize::try_from(tag).ok().and_then(|t| list.get(t.wrapping_sub(1)))
        && found == tag
    {
        return Some(i);
    }
    list.binary_search_by_key(&tag, |entry| entry.0).ok().map(|i| list[i].1)
}

fn short(name: &str) -> String {
    delassus_error::excerpt(name)
}
