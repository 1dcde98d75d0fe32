//! `$Entities` and `$PartitionedEntities` of MSH 4.1: which physical groups the geometry belongs to.
//!
//! MSH 4.1 stores groups on the geometrical entities, and every element on one entity. In a partitioned
//! file the elements are on partition entities, which repeat the groups of the geometry they are cut
//! from; the entities of the whole geometry then carry no elements.

use std::collections::BTreeMap;

use super::parse::{Encoding, Parsed, fail_value, items};

/// Physical groups of the entities, by (dimension, entity tag).
pub(super) type Physicals = BTreeMap<(usize, i32), Vec<i32>>;

/// Groups one entity may be in. Every element of the entity gets them all, so without a limit a small
/// hostile file would need memory that grows with the square of its size.
const MAX_GROUPS: usize = 100;

/// Coordinates stored with an entity: a position for a point, a box for the others.
fn n_coordinates(dim: usize) -> usize {
    if dim == 0 { 3 } else { 6 }
}

/// The `$Entities` section.
pub(super) fn entities(encoding: Encoding, input: &[u8]) -> Parsed<'_, Physicals> {
    lists(encoding, input, |input| Ok((input, ())))
}

/// The `$PartitionedEntities` section: number of partitions, and the groups.
pub(super) fn partitioned(encoding: Encoding, input: &[u8]) -> Parsed<'_, (u64, Physicals)> {
    let (input, n_partitions) = encoding.size(input, "the number of partitions")?;
    let (input, n_ghosts) = encoding.size(input, "the number of ghost entities")?;
    let (input, _) = items("ghost entity", n_ghosts, input, |input| {
        let (input, _) = encoding.int(input, "a ghost entity tag")?;
        encoding.int(input, "a partition number")
    })?;
    let (input, physicals) = lists(encoding, input, |input| {
        let (input, _) = encoding.int(input, "the parent's dimension")?;
        let (input, _) = encoding.int(input, "the parent's tag")?;
        let (input, _) = encoding.counted_ints(input, "the number of partitions of an entity", "a partition number")?;
        Ok((input, ()))
    })?;
    Ok((input, (n_partitions, physicals)))
}

/// Points, curves, surfaces, volumes. `origin` reads what a partition entity says of its parent.
fn lists<'a>(
    encoding: Encoding,
    input: &'a [u8],
    origin: impl Fn(&'a [u8]) -> Parsed<'a, ()>,
) -> Parsed<'a, Physicals> {
    let names = ["point entity", "curve entity", "surface entity", "volume entity"];
    let (mut input, mut counts) = (input, [0; 4]);
    for count in &mut counts {
        (input, *count) = encoding.size(input, "4 numbers of entities")?;
    }
    let mut physicals = Physicals::new();
    for (dim, (what, n)) in names.into_iter().zip(counts).enumerate() {
        let (rest, list) = items(what, n, input, |input| entity(encoding, dim, input, &origin))?;
        physicals.extend(list.into_iter().map(|(tag, groups)| ((dim, tag), groups)));
        input = rest;
    }
    // Entities without a group would only take room.
    physicals.retain(|_, groups| !groups.is_empty());
    Ok((input, physicals))
}

fn entity<'a>(
    encoding: Encoding,
    dim: usize,
    input: &'a [u8],
    origin: impl Fn(&'a [u8]) -> Parsed<'a, ()>,
) -> Parsed<'a, (i32, Vec<i32>)> {
    let (input, tag) = encoding.int(input, "an entity tag")?;
    let (input, ()) = origin(input)?;
    let (input, ()) = encoding.skip_doubles(n_coordinates(dim), input, "the coordinates of an entity")?;
    let at = input;
    let (input, groups) = encoding.counted_ints(input, "the number of physical groups", "a physical group number")?;
    if groups.len() > MAX_GROUPS {
        return fail_value(at, "at most 100 physical groups of one entity", groups.len());
    }
    let input = if dim == 0 {
        input
    } else {
        let (input, _) = encoding.counted_ints(input, "the number of bounding entities", "a bounding entity tag")?;
        input
    };
    Ok((input, (tag, groups)))
}
