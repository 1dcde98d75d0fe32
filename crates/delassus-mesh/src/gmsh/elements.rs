//! `$Elements` of both versions.

use std::collections::BTreeMap;

use super::element_types::ElementType;
use super::entities::Physicals;
use super::parse::{Encoding, ParseFault, Parsed, end_of_line, fail, fail_value, items, text_count};
use super::{GmshElement, MshFile};

/// Elements as they are read, with what is needed to finish them.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) elements: Vec<GmshElement>,
    /// MSH 4.1: (dimension, entity tag) and number of the elements of each block, in order.
    pub(super) blocks: Vec<((usize, i32), usize)>,
    /// Largest partition number met (MSH 2.2).
    pub(super) n_partitions: usize,
}

/// Turns a type number into the type.
fn element_type(at: &[u8], id: i32) -> Result<ElementType, nom::Err<ParseFault<'_>>> {
    match ElementType::from_id(id) {
        Some(element) => Ok(element),
        None => {
            let unknown: Parsed<'_, ElementType> =
                fail_value(at, "a gmsh element type of fixed size", format!("type {id}"));
            unknown.map(|found| found.1)
        }
    }
}

/// MSH 2.2: a count in text, then in text a line per element, in binary runs of equal elements.
pub(super) fn version_2(encoding: Encoding, input: &[u8]) -> Parsed<'_, Read> {
    let (input, n) = text_count(input, "the number of elements")?;
    let (input, ()) = end_of_line(input)?;
    let mut read = Read::default();
    if encoding.is_binary() {
        let mut rest = input;
        while (read.elements.len() as u64) < n {
            let done = read.elements.len() as u64;
            (rest, ()) = run_2(encoding, rest, n - done, &mut read)?;
        }
        return Ok((rest, read));
    }
    let (input, ()) = items("element", n, input, |input| {
        let (input, tag) = encoding.size(input, "an element tag")?;
        let at = input;
        let (input, id) = encoding.int_in_line(input, "an element type")?;
        let element = element_type(at, id)?;
        let at = input;
        let (mut input, n_tags) = encoding.int_in_line(input, "the number of tags")?;
        if n_tags < 0 {
            return fail_value(at, "the number of tags, 0 or more", n_tags);
        }
        let mut tags = Vec::new();
        for _ in 0..n_tags {
            let (rest, value) = encoding.int_in_line(input, "a tag of the element")?;
            tags.push(value);
            input = rest;
        }
        let (input, nodes) = nodes(element, input, |i, e| encoding.size_in_line(i, e))?;
        let (input, ()) = encoding.end_of_record(input)?;
        push_2(&mut read, tag, element, nodes, &tags);
        Ok((input, ()))
    })
    .map(|(input, _)| (input, ()))?;
    Ok((input, read))
}

/// A run of binary MSH 2.2: type, number, number of tags, then the elements.
fn run_2<'a>(encoding: Encoding, input: &'a [u8], left: u64, read: &mut Read) -> Parsed<'a, ()> {
    let at = input;
    let (input, id) = encoding.int(input, "an element type")?;
    let element = element_type(at, id)?;
    let at = input;
    let (input, n) = encoding.int(input, "the number of elements in a run")?;
    let n = match u64::try_from(n) {
        Ok(n) if n >= 1 && n <= left => n,
        _ => return fail_value(at, format!("a run of 1 to {left} elements"), n),
    };
    let at = input;
    let (input, n_tags) = encoding.int(input, "the number of tags")?;
    let Ok(n_tags) = u64::try_from(n_tags) else {
        return fail_value(at, "the number of tags, 0 or more", n_tags);
    };
    let tag_of = |input: &'a [u8], expected| -> Parsed<'a, u64> {
        let (rest, value) = encoding.int(input, expected)?;
        u64::try_from(value).map_or_else(|_| fail_value(input, expected, value), |tag| Ok((rest, tag)))
    };
    let (input, _) = items("element", n, input, |input| {
        let (input, tag) = tag_of(input, "an element tag")?;
        let (input, tags) = items("tag of the element", n_tags, input, |i| encoding.int(i, "a tag of the element"))?;
        let (input, nodes) = nodes(element, input, tag_of)?;
        push_2(read, tag, element, nodes, &tags);
        Ok((input, ()))
    })?;
    Ok((input, ()))
}

/// Adds an element of MSH 2.2. Its tags: physical group (0: none), geometrical entity, number of
/// partitions, partitions (negative: ghost).
fn push_2(read: &mut Read, tag: u64, element: ElementType, nodes: Vec<u64>, tags: &[i32]) {
    for partition in tags.iter().skip(3) {
        read.n_partitions = read.n_partitions.max(partition.unsigned_abs() as usize);
    }
    let physical = tags.first().copied().filter(|&group| group != 0).map(absolute);
    read.elements.push(GmshElement { tag, type_id: element.id, nodes, physical: physical.into_iter().collect() });
}

/// A negative group number means "turned over"; the facets are oriented by their bulk cell here.
fn absolute(group: i32) -> i32 {
    group.checked_abs().unwrap_or(i32::MAX)
}

/// The node tags of an element.
fn nodes<'a>(
    element: ElementType,
    mut input: &'a [u8],
    tag: impl Fn(&'a [u8], &'static str) -> Parsed<'a, u64>,
) -> Parsed<'a, Vec<u64>> {
    let mut nodes = Vec::with_capacity(element.n_nodes);
    for _ in 0..element.n_nodes {
        match tag(input, "node tag") {
            Ok((rest, node)) => {
                nodes.push(node);
                input = rest;
            }
            Err(_) => return fail(input, format!("{} node tags of a {element}", element.n_nodes)),
        }
    }
    Ok((input, nodes))
}

/// MSH 4.1: blocks of elements of one type on one entity.
pub(super) fn version_4(encoding: Encoding, input: &[u8]) -> Parsed<'_, Read> {
    let (input, n_blocks) = encoding.size(input, "the number of element blocks")?;
    let at_count = input;
    let (input, n_elements) = encoding.size(input, "the number of elements")?;
    let (input, _) = encoding.size(input, "the smallest element tag")?;
    let (input, _) = encoding.size(input, "the largest element tag")?;
    let mut read = Read::default();
    let (input, _) = items("element block", n_blocks, input, |input| {
        let at = input;
        let (input, dim) = encoding.int(input, "the dimension of an element block")?;
        let (input, entity) = encoding.int(input, "the entity tag of an element block")?;
        let at_type = input;
        let (input, id) = encoding.int(input, "an element type")?;
        let element = element_type(at_type, id)?;
        if usize::try_from(dim) != Ok(element.dim) {
            return fail_value(at, format!("dimension {} for a {element}", element.dim), dim);
        }
        let (input, n) = encoding.size(input, "the number of elements in a block")?;
        let (input, elements) = items("element", n, input, |input| {
            let (input, tag) = encoding.size(input, "an element tag")?;
            let (input, nodes) = nodes(element, input, |i, e| encoding.size_in_line(i, e))?;
            let (input, ()) = encoding.end_of_record(input)?;
            Ok((input, GmshElement { tag, type_id: id, nodes, physical: vec![] }))
        })?;
        read.blocks.push(((element.dim, entity), elements.len()));
        read.elements.extend(elements);
        Ok((input, ()))
    })?;
    if read.elements.len() as u64 != n_elements {
        let expected = format!("the number of elements in the blocks ({})", read.elements.len());
        return fail_value(at_count, expected, n_elements);
    }
    Ok((input, read))
}

impl Read {
    /// Gives the elements of MSH 4.1 the groups of their entities; `partitioned` comes before `whole`.
    pub(super) fn assign_groups(&mut self, whole: &Physicals, partitioned: &Physicals) {
        let mut elements = self.elements.iter_mut();
        for (entity, n) in &self.blocks {
            let groups = partitioned.get(entity).or_else(|| whole.get(entity));
            let mut groups: Vec<i32> = groups.into_iter().flatten().map(|&group| absolute(group)).collect();
            groups.sort_unstable();
            groups.dedup();
            for element in elements.by_ref().take(*n) {
                element.physical.clone_from(&groups);
            }
        }
    }

    /// MSH 2.2 repeats an element for each of its groups, with another tag: one element is left, with
    /// all the groups, in the place of the first.
    pub(super) fn merge_repeated(&mut self) {
        let mut first: BTreeMap<(i32, Vec<u64>), usize> = BTreeMap::new();
        let mut merged: Vec<GmshElement> = Vec::new();
        for element in std::mem::take(&mut self.elements) {
            let mut nodes = element.nodes.clone();
            nodes.sort_unstable();
            let place = *first.entry((element.type_id, nodes)).or_insert(merged.len());
            match merged.get_mut(place) {
                Some(same) => {
                    same.physical.extend(element.physical);
                    same.physical.sort_unstable();
                    same.physical.dedup();
                }
                None => merged.push(element),
            }
        }
        self.elements = merged;
    }
}

impl MshFile {
    /// Number of elements of each dimension 0 to 3.
    pub fn n_elements_by_dim(&self) -> [usize; 4] {
        let mut counts = [0; 4];
        for element in &self.elements {
            if let Some(kind) = ElementType::from_id(element.type_id) {
                counts[kind.dim] += 1;
            }
        }
        counts
    }
}
