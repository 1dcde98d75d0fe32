//! Writing: groups as symbol tables, arrays contiguous, as old readers want them.

use super::{NOWHERE, SIGNATURE, message};

/// Half of the symbols that a node holds, and half of the children of a B-tree's node: HDF5's usual numbers.
const LEAF_K: u16 = 4;
const INTERNAL_K: u16 = 16;

/// What a group holds.
pub enum Hdf5Content {
    /// A group.
    Group(Hdf5Group),
    /// 64-bit floats.
    Floats(Vec<f64>),
    /// 32-bit integers.
    Integers(Vec<i32>),
    /// A line of text.
    Text(String),
}

/// Names and contents; at most eight.
#[derive(Default)]
pub struct Hdf5Group(Vec<(String, Hdf5Content)>);

impl Hdf5Group {
    /// Adds a member.
    #[must_use]
    pub fn with(mut self, name: &str, content: Hdf5Content) -> Self {
        self.0.push((name.to_owned(), content));
        self
    }
}

/// The bytes of a file with this root group; none if a group has more than eight members.
#[must_use]
pub fn to_bytes(root: Hdf5Group) -> Option<Vec<u8>> {
    let mut out = SIGNATURE.to_vec();
    out.extend([0, 0, 0, 0, 0, 8, 8, 0]);
    out.extend(LEAF_K.to_le_bytes());
    out.extend(INTERNAL_K.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    // Base, free space, end of file (filled in below), driver.
    let end_at = out.len() + 16;
    for address in [0, NOWHERE, 0, NOWHERE] {
        out.extend(u64::to_le_bytes(address));
    }
    let entry_at = out.len();
    out.extend([0; 40]);
    let placed = group(&mut out, root)?;
    out[entry_at..entry_at + 40].copy_from_slice(&entry(0, &placed));
    let end = (out.len() as u64).to_le_bytes();
    out[end_at..end_at + 8].copy_from_slice(&end);
    Some(out)
}

/// Where an object's header is; of a group also its tree and heap.
struct Placed {
    header: u64,
    table: Option<(u64, u64)>,
}

/// An entry of a symbol table.
fn entry(name: u64, placed: &Placed) -> [u8; 40] {
    let mut out = [0; 40];
    out[..8].copy_from_slice(&name.to_le_bytes());
    out[8..16].copy_from_slice(&placed.header.to_le_bytes());
    if let Some((tree, heap)) = placed.table {
        out[16] = 1;
        out[24..32].copy_from_slice(&tree.to_le_bytes());
        out[32..].copy_from_slice(&heap.to_le_bytes());
    }
    out
}

fn aligned(out: &mut Vec<u8>) -> u64 {
    out.resize(out.len().next_multiple_of(8), 0);
    out.len() as u64
}

/// An object header of these messages.
fn header(out: &mut Vec<u8>, messages: &[(u16, Vec<u8>)]) -> u64 {
    let mut body = Vec::new();
    for (kind, content) in messages {
        let size = content.len().next_multiple_of(8);
        body.extend(kind.to_le_bytes());
        body.extend((size as u16).to_le_bytes());
        body.extend([0; 4]);
        body.extend(content);
        body.resize(body.len().next_multiple_of(8), 0);
    }
    let at = aligned(out);
    out.extend([1, 0]);
    out.extend((messages.len() as u16).to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    out.extend((body.len() as u32).to_le_bytes());
    out.extend([0; 4]);
    out.extend(body);
    at
}

fn group(out: &mut Vec<u8>, Hdf5Group(mut members): Hdf5Group) -> Option<Placed> {
    if members.len() > 2 * usize::from(LEAF_K) {
        return None;
    }
    members.sort_by(|a, b| a.0.cmp(&b.0));
    // The heap begins with the empty name.
    let mut names = vec![0_u8; 8];
    let mut entries = Vec::new();
    let mut last_name = 0;
    for (name, content) in members {
        last_name = names.len() as u64;
        names.extend(name.as_bytes());
        names.push(0);
        names.resize(names.len().next_multiple_of(8), 0);
        let placed = match content {
            Hdf5Content::Group(g) => group(out, g)?,
            Hdf5Content::Floats(x) => array(out, &FLOAT, 8, x.len(), x.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Hdf5Content::Integers(x) => {
                array(out, &INTEGER, 4, x.len(), x.iter().flat_map(|x| x.to_le_bytes()).collect())
            }
            Hdf5Content::Text(text) => string(out, &text),
        };
        entries.push(entry(last_name, &placed));
    }
    let node = aligned(out);
    out.extend(b"SNOD\x01\0");
    out.extend((entries.len() as u16).to_le_bytes());
    for k in 0..2 * usize::from(LEAF_K) {
        out.extend(entries.get(k).unwrap_or(&[0; 40]));
    }
    let tree = aligned(out);
    out.extend(b"TREE\0\0");
    out.extend(u16::from(!entries.is_empty()).to_le_bytes());
    for word in [NOWHERE, NOWHERE, 0, node, last_name] {
        out.extend(word.to_le_bytes());
    }
    // Room for all children that the node may have.
    out.resize(out.len() + 16 * (2 * usize::from(INTERNAL_K) - 1), 0);
    let heap = aligned(out);
    out.extend(b"HEAP\0\0\0\0");
    for word in [names.len() as u64, 1, heap + 32] {
        out.extend(word.to_le_bytes());
    }
    out.extend(names);
    let header = header(out, &[(message::SYMBOL_TABLE, [tree, heap].iter().flat_map(|x| x.to_le_bytes()).collect())]);
    Some(Placed { header, table: Some((tree, heap)) })
}

/// Little-endian IEEE double: bit 63 sign, 11 bits of exponent from 52, 52 bits of mantissa, bias 1023.
const FLOAT: [u8; 20] = [0x11, 0x20, 0x3f, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 0x03, 0, 0];

/// Little-endian signed 32-bit integer.
const INTEGER: [u8; 12] = [0x10, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0];

fn array(out: &mut Vec<u8>, datatype: &[u8], size: usize, n: usize, raw: Vec<u8>) -> Placed {
    let mut dataspace = vec![1, 1, 0, 0, 0, 0, 0, 0];
    dataspace.extend((n as u64).to_le_bytes());
    dataset(out, datatype, dataspace, raw, size * n)
}

fn string(out: &mut Vec<u8>, text: &str) -> Placed {
    let mut raw = text.as_bytes().to_vec();
    raw.push(0);
    // Class 3, null-terminated ASCII.
    let mut datatype = vec![0x13, 0, 0, 0];
    datatype.extend((raw.len() as u32).to_le_bytes());
    let size = raw.len();
    dataset(out, &datatype, vec![1, 0, 0, 0, 0, 0, 0, 0], raw, size)
}

fn dataset(out: &mut Vec<u8>, datatype: &[u8], dataspace: Vec<u8>, raw: Vec<u8>, size: usize) -> Placed {
    let at = if raw.is_empty() { NOWHERE } else { aligned(out) };
    out.extend(raw);
    let mut layout = vec![3, 1];
    layout.extend(at.to_le_bytes());
    layout.extend((size as u64).to_le_bytes());
    // Fill value: of version 2, allocated early, written if set, not defined.
    let fill = (0x05, vec![2, 1, 2, 0]);
    let messages =
        [(message::DATASPACE, dataspace), (message::DATATYPE, datatype.to_vec()), fill, (message::LAYOUT, layout)];
    Placed { header: header(out, &messages), table: None }
}
