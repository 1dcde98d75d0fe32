//! `$Nodes` of both versions, and `$ParametricNodes` of MSH 2.2.

use super::GmshNode;
use super::parse::{Encoding, Parsed, end_of_line, fail_value, items, text_count};

/// MSH 2.2: a count in text, then tag and position of each node.
pub(super) fn version_2(encoding: Encoding, parametric: bool, input: &[u8]) -> Parsed<'_, Vec<GmshNode>> {
    let (input, n) = text_count(input, "the number of nodes")?;
    let (input, ()) = end_of_line(input)?;
    items("node", n, input, |input| {
        let (input, tag) = tag_2(encoding, input)?;
        let (input, x) = position(encoding, input)?;
        let input = if parametric { skip_parameters(encoding, input)? } else { input };
        let (input, ()) = encoding.end_of_record(input)?;
        Ok((input, GmshNode { tag, x }))
    })
}

/// Tags are ints in binary MSH 2.2.
fn tag_2(encoding: Encoding, input: &[u8]) -> Parsed<'_, u64> {
    if !encoding.is_binary() {
        return encoding.size(input, "a node tag");
    }
    let (rest, tag) = encoding.int(input, "a node tag")?;
    match u64::try_from(tag) {
        Ok(tag) => Ok((rest, tag)),
        Err(_) => fail_value(input, "a node tag", tag),
    }
}

fn position(encoding: Encoding, mut input: &[u8]) -> Parsed<'_, [f64; 3]> {
    let mut x = [0.0; 3];
    for c in &mut x {
        (input, *c) = encoding.coordinate(input, "3 coordinates")?;
    }
    Ok((input, x))
}

/// Dimension and tag of the entity the node lies on, and its parameters there.
fn skip_parameters(encoding: Encoding, input: &[u8]) -> Result<&[u8], nom::Err<super::parse::ParseFault<'_>>> {
    let (input, dim) = encoding.int_in_line(input, "the dimension of the node's entity")?;
    let (mut input, _) = encoding.int_in_line(input, "the tag of the node's entity")?;
    let n_parameters = match dim {
        1 => 1,
        2 => 2,
        _ => 0,
    };
    for _ in 0..n_parameters {
        input = encoding.coordinate(input, "a parameter of the node")?.0;
    }
    Ok(input)
}

/// MSH 4.1: blocks of nodes by entity, each with all its tags and then all its positions.
pub(super) fn version_4(encoding: Encoding, input: &[u8]) -> Parsed<'_, Vec<GmshNode>> {
    let (input, n_blocks) = encoding.size(input, "the number of node blocks")?;
    let at_count = input;
    let (input, n_nodes) = encoding.size(input, "the number of nodes")?;
    let (input, _) = encoding.size(input, "the smallest node tag")?;
    let (input, _) = encoding.size(input, "the largest node tag")?;
    let mut nodes = Vec::new();
    let (input, _) = items("node block", n_blocks, input, |input| {
        let (input, block) = block_4(encoding, input)?;
        nodes.extend(block);
        Ok((input, ()))
    })?;
    if nodes.len() as u64 != n_nodes {
        let expected = format!("the number of nodes in the blocks ({})", nodes.len());
        return fail_value(at_count, expected, n_nodes);
    }
    Ok((input, nodes))
}

fn block_4(encoding: Encoding, input: &[u8]) -> Parsed<'_, Vec<GmshNode>> {
    let at = input;
    let (input, dim) = encoding.int(input, "the dimension of a node block")?;
    let Some(dim) = usize::try_from(dim).ok().filter(|&dim| dim <= 3) else {
        return fail_value(at, "the dimension of a node block, 0 to 3", dim);
    };
    let (input, _) = encoding.int(input, "the entity tag of a node block")?;
    let at = input;
    let (input, parametric) = encoding.int(input, "the parametric flag of a node block")?;
    if parametric != 0 && parametric != 1 {
        return fail_value(at, "the parametric flag 0 or 1", parametric);
    }
    let (input, n) = encoding.size(input, "the number of nodes in a block")?;
    let (input, tags) = items("node tag", n, input, |input| encoding.size(input, "a node tag"))?;
    let (input, ()) = if n > 0 { encoding.end_of_record(input)? } else { (input, ()) };
    let n_parameters = if parametric == 1 { dim } else { 0 };
    let (input, positions) = items("position of a node", n, input, |input| {
        let (input, x) = position(encoding, skip_empty_lines(encoding, input))?;
        let mut input = input;
        for _ in 0..n_parameters {
            input = encoding.coordinate(input, "a parameter of the node")?.0;
        }
        let (input, ()) = encoding.end_of_record(input)?;
        Ok((input, x))
    })?;
    let nodes = tags.into_iter().zip(positions).map(|(tag, x)| GmshNode { tag, x }).collect();
    Ok((input, nodes))
}

fn skip_empty_lines(encoding: Encoding, input: &[u8]) -> &[u8] {
    if encoding.is_binary() {
        return input;
    }
    let blank = input.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(input.len());
    &input[blank..]
}
