//! Reading: from the superblock through symbol tables to arrays.

use std::cell::Cell;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::{NOWHERE, SIGNATURE, message};
use crate::error::FclibError;

/// Deepest B-tree: two levels hold millions of entries.
const DEEPEST: usize = 8;

/// Most messages of an object: a dataset has about eight.
const MOST_MESSAGES: usize = 256;

/// Most entries of a group, and most chunks of an array.
const MOST_ENTRIES: usize = 1 << 16;

/// All arrays together may be so many times as long as the file. Deflate makes up to 1032 bytes of one, but of zeros only: numbers of a
/// problem are packed to a tenth at best, and a few bytes must not ask for gigabytes.
const PLAUSIBLE: usize = 16;

/// Arrays that cost nothing, whatever the file \[B\].
const SMALL: usize = 1 << 20;

/// A chunk may be longer than its array if it is not longer than this: writers choose chunks before they know the array \[B\].
const USUAL_CHUNK: usize = 16 << 20;

/// Where a group keeps its names.
#[derive(Clone, Copy, Debug)]
struct Table {
    tree: u64,
    heap: u64,
}

/// An HDF5 file in memory.
pub struct File<'a> {
    bytes: &'a [u8],
    root: Table,
    /// Bytes of arrays that may still be made.
    left: Cell<usize>,
}

/// A message of an object header.
struct Message<'a> {
    kind: u16,
    body: &'a [u8],
}

/// How the numbers of an array are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberFormat {
    Int32,
    Float64,
}

impl NumberFormat {
    fn size(self) -> usize {
        match self {
            Self::Int32 => 4,
            Self::Float64 => 8,
        }
    }
}

/// Bytes of a message read one after another.
struct MessageCursor<'a> {
    rest: &'a [u8],
    place: &'a str,
}

impl<'a> MessageCursor<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FclibError> {
        let (head, tail) = self.rest.split_first_chunk().ok_or_else(|| self.short())?;
        self.rest = tail;
        Ok(*head)
    }

    fn skip(&mut self, n: usize) -> Result<&'a [u8], FclibError> {
        let (head, tail) = self.rest.split_at_checked(n).ok_or_else(|| self.short())?;
        self.rest = tail;
        Ok(head)
    }

    fn short(&self) -> FclibError {
        FclibError::Damaged { place: self.place.to_owned(), what: "a message ends too early".to_owned() }
    }

    fn u8(&mut self) -> Result<u8, FclibError> {
        self.take::<1>().map(|b| b[0])
    }

    fn u16(&mut self) -> Result<u16, FclibError> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, FclibError> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, FclibError> {
        self.take().map(u64::from_le_bytes)
    }
}

impl<'a> File<'a> {
    /// Looks at the superblock.
    pub fn new(bytes: &'a [u8]) -> Result<Self, FclibError> {
        if !bytes.starts_with(SIGNATURE) {
            return Err(FclibError::NotHdf5);
        }
        let left = Cell::new(bytes.len().saturating_mul(PLAUSIBLE).saturating_add(SMALL));
        let file = Self { bytes, root: Table { tree: NOWHERE, heap: NOWHERE }, left };
        let mut at = file.cursor(8, 16, "superblock")?;
        let version = at.u8()?;
        at.skip(4)?;
        let (offsets, lengths) = (at.u8()?, at.u8()?);
        if version > 1 || offsets != 8 || lengths != 8 {
            let what = format!("superblock {version} with addresses of {offsets} and lengths of {lengths} bytes");
            return Err(unsupported("/", what, "superblock 0 with 8 bytes each"));
        }
        // Addresses of the file, then the entry of the root group.
        let entry = 24 + if version == 1 { 4 } else { 0 } + 32;
        let mut at = file.cursor(entry, 40, "the root group")?;
        at.u64()?;
        let header = at.u64()?;
        let root = file.table("/", header)?;
        Ok(Self { root, ..file })
    }

    fn slice(&self, at: u64, len: u64, what: &'static str) -> Result<&'a [u8], FclibError> {
        let outside = FclibError::Outside { at, what, len: self.bytes.len() };
        let range = usize::try_from(at).ok().zip(at.checked_add(len).and_then(|end| usize::try_from(end).ok()));
        range.and_then(|(begin, end)| self.bytes.get(begin..end)).ok_or(outside)
    }

    /// Takes the bytes of an array from what may be made, if there are so many.
    fn admit(&self, len: usize) -> Option<usize> {
        self.left.set(self.left.get().checked_sub(len)?);
        Some(len)
    }

    fn cursor(&self, at: u64, len: u64, what: &'static str) -> Result<MessageCursor<'a>, FclibError> {
        Ok(MessageCursor { rest: self.slice(at, len, what)?, place: what })
    }

    /// All messages of an object.
    fn messages(&self, place: &str, header: u64) -> Result<Vec<Message<'a>>, FclibError> {
        let mut at = self.cursor(header, 16, "an object header")?;
        let version = at.u8()?;
        if version != 1 {
            let what = format!("an object header of version {version}");
            return Err(unsupported(place, what, "headers of version 1"));
        }
        at.u8()?;
        let count = usize::from(at.u16()?);
        at.u32()?;
        let mut blocks = vec![self.slice(header + 16, u64::from(at.u32()?), "an object header")?];
        let mut out: Vec<Message<'a>> = Vec::new();
        while let Some(block) = blocks.pop() {
            let mut at = MessageCursor { rest: block, place: "an object header" };
            while at.rest.len() >= 8 && out.len() < count.min(MOST_MESSAGES) {
                let (kind, size) = (at.u16()?, usize::from(at.u16()?));
                at.skip(4)?;
                let body = at.skip(size)?;
                if kind == message::CONTINUATION {
                    let mut to = MessageCursor { rest: body, place: "a continuation" };
                    let (next, len) = (to.u64()?, to.u64()?);
                    blocks.push(self.slice(next, len, "the continuation of an object header")?);
                }
                out.push(Message { kind, body });
            }
        }
        Ok(out)
    }

    fn table(&self, place: &str, header: u64) -> Result<Table, FclibError> {
        let messages = self.messages(place, header)?;
        let Some(found) = messages.iter().find(|m| m.kind == message::SYMBOL_TABLE) else {
            return Err(unsupported(place, "a group without symbol table".into(), "groups with symbol tables"));
        };
        let mut at = MessageCursor { rest: found.body, place: "a symbol table" };
        Ok(Table { tree: at.u64()?, heap: at.u64()? })
    }

    /// Names of a group's members and where their headers are.
    fn members(&self, place: &str, table: Table) -> Result<Vec<(String, u64)>, FclibError> {
        let mut at = self.cursor(table.heap, 32, "a heap of names")?;
        if at.take::<4>()? != *b"HEAP" {
            return Err(damaged(place, "its heap of names has a wrong signature"));
        }
        at.u32()?;
        let size = at.u64()?;
        at.u64()?;
        let names = self.slice(at.u64()?, size, "the names of a group")?;
        let mut leaves = Vec::new();
        self.leaves(place, table.tree, 0, 8, DEEPEST, &mut leaves)?;
        let mut out = Vec::new();
        for (_, leaf) in leaves {
            let mut at = self.cursor(leaf, 8, "a node of symbols")?;
            if at.take::<4>()? != *b"SNOD" {
                return Err(damaged(place, "a node of its symbols has a wrong signature"));
            }
            at.u16()?;
            let count = u64::from(at.u16()?);
            let mut at = self.cursor(leaf + 8, 40 * count, "the symbols of a group")?;
            for _ in 0..count {
                let (name, header) = (at.u64()?, at.u64()?);
                at.skip(24)?;
                let text = usize::try_from(name).ok().and_then(|n| names.get(n..)).unwrap_or_default();
                let end = text.iter().position(|&b| b == 0).ok_or_else(|| damaged(place, "a name has no end"))?;
                out.push((String::from_utf8_lossy(&text[..end]).into_owned(), header));
                if out.len() > MOST_ENTRIES {
                    return Err(damaged(place, "it has too many members"));
                }
            }
        }
        Ok(out)
    }

    /// The leaves of a B-tree of this type: the key before each, and its address.
    fn leaves(
        &self,
        place: &str,
        node: u64,
        kind: u8,
        key_size: usize,
        depth: usize,
        out: &mut Vec<(&'a [u8], u64)>,
    ) -> Result<(), FclibError> {
        if node == NOWHERE {
            return Ok(());
        }
        let mut at = self.cursor(node, 24, "a B-tree")?;
        let (mark, found_kind, level, count) = (at.take::<4>()?, at.u8()?, at.u8()?, u64::from(at.u16()?));
        if mark != *b"TREE" || found_kind != kind || depth == 0 {
            return Err(damaged(place, "a node of its B-tree has a wrong signature"));
        }
        let mut at = self.cursor(node + 24, count * (key_size as u64 + 8), "the entries of a B-tree")?;
        for _ in 0..count {
            let key = at.skip(key_size)?;
            let child = at.u64()?;
            if level > 0 {
                self.leaves(place, child, kind, key_size, depth - 1, out)?;
            } else {
                out.push((key, child));
            }
            if out.len() > MOST_ENTRIES {
                return Err(damaged(place, "its B-tree has too many entries"));
            }
        }
        Ok(())
    }

    /// Names of the members of a group, such as `fclib_local/W`; none if there is no such group.
    pub fn names(&self, path: &str) -> Result<Vec<String>, FclibError> {
        let mut table = self.root;
        for (k, part) in path.split('/').filter(|p| !p.is_empty()).enumerate() {
            let place = path.split('/').take(k).collect::<Vec<_>>().join("/");
            let Some((_, header)) = self.members(&place, table)?.into_iter().find(|(name, _)| name == part) else {
                return Ok(Vec::new());
            };
            table = self.table(path, header)?;
        }
        Ok(self.members(path, table)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The messages of a dataset; none if it is not there.
    fn dataset(&self, path: &str) -> Result<Option<Vec<Message<'a>>>, FclibError> {
        let mut table = self.root;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let Some((_, header)) = self.members(path, table)?.into_iter().find(|(name, _)| name == part) else {
                return Ok(None);
            };
            if parts.peek().is_none() {
                return self.messages(path, header).map(Some);
            }
            table = self.table(path, header)?;
        }
        Ok(None)
    }

    /// An array of 64-bit floats; none if it is not there.
    pub fn floats(&self, path: &str) -> Result<Option<Vec<f64>>, FclibError> {
        let Some(raw) = self.numbers(path, NumberFormat::Float64)? else { return Ok(None) };
        let chunk = |b: &[u8]| b.first_chunk::<8>().copied().unwrap_or_default();
        Ok(Some(raw.chunks_exact(8).map(|b| f64::from_le_bytes(chunk(b))).collect()))
    }

    /// An array of 32-bit integers; none if it is not there.
    pub fn integers(&self, path: &str) -> Result<Option<Vec<i32>>, FclibError> {
        let Some(raw) = self.numbers(path, NumberFormat::Int32)? else { return Ok(None) };
        let chunk = |b: &[u8]| b.first_chunk::<4>().copied().unwrap_or_default();
        Ok(Some(raw.chunks_exact(4).map(|b| i32::from_le_bytes(chunk(b))).collect()))
    }

    fn numbers(&self, path: &str, wanted: NumberFormat) -> Result<Option<Vec<u8>>, FclibError> {
        let Some(messages) = self.dataset(path)? else { return Ok(None) };
        let body = |kind: u16, what: &str| {
            let found =
                messages.iter().find(|m| m.kind == kind).map(|m| MessageCursor { rest: m.body, place: "a dataset" });
            found.ok_or_else(|| damaged(path, &format!("it has no {what}")))
        };
        let found = number(path, body(message::DATATYPE, "type")?)?;
        if found != wanted {
            let what = format!("an array of {found:?}");
            return Err(unsupported(path, what, "32-bit integers as indices and 64-bit floats as values"));
        }
        let (shape, n) = extent(path, body(message::DATASPACE, "shape")?)?;
        let len = n.checked_mul(wanted.size());
        // An array that was never written is no larger than those that were.
        let packed = messages.iter().any(|m| m.kind == message::FILTERS);
        if !packed && len.is_none_or(|len| len > self.bytes.len()) {
            return Err(damaged(path, &format!("its {n} numbers cannot be in a file of {} bytes", self.bytes.len())));
        }
        let Some(len) = len.and_then(|len| self.admit(len)) else {
            return Err(FclibError::Inflated { place: path.to_owned(), numbers: n, file: self.bytes.len() });
        };
        let mut layout = body(message::LAYOUT, "layout")?;
        let (version, class) = (layout.u8()?, layout.u8()?);
        if version != 3 {
            return Err(unsupported(path, format!("a layout of version {version}"), "layouts of version 3"));
        }
        let mut raw = match class {
            0 => {
                let stored = usize::from(layout.u16()?);
                layout.skip(stored)?.to_vec()
            }
            1 => {
                let (at, stored) = (layout.u64()?, layout.u64()?);
                // An array that was never written has no place yet, and reads as zeros.
                if len == 0 || at == NOWHERE {
                    vec![0; len]
                } else {
                    self.slice(at, stored.min(len as u64), "an array")?.to_vec()
                }
            }
            2 => {
                let filters = match messages.iter().find(|m| m.kind == message::FILTERS) {
                    Some(m) => filters(path, MessageCursor { rest: m.body, place: "a filter pipeline" })?,
                    None => Vec::new(),
                };
                self.chunks(path, layout, &shape, (len, wanted.size()), &filters)?
            }
            other => {
                let what = format!("a layout of class {other}");
                return Err(unsupported(path, what, "contiguous, compact or chunked arrays"));
            }
        };
        if raw.len() < len {
            return Err(damaged(path, &format!("it should have {n} numbers and has {} bytes", raw.len())));
        }
        raw.truncate(len);
        Ok(Some(raw))
    }

    /// The bytes of a chunked array of one dimension.
    fn chunks(
        &self,
        path: &str,
        mut layout: MessageCursor<'_>,
        shape: &[usize],
        (len, size): (usize, usize),
        filters: &[u16],
    ) -> Result<Vec<u8>, FclibError> {
        let rank = usize::from(layout.u8()?);
        let tree = layout.u64()?;
        if rank != 2 || shape.len() != 1 {
            let what = format!("a chunked array of {} dimensions", shape.len());
            return Err(unsupported(path, what, "arrays of one dimension"));
        }
        let chunk = (layout.u32()? as usize).saturating_mul(size);
        if chunk == 0 || chunk > len.max(USUAL_CHUNK) {
            return Err(damaged(path, &format!("a chunk of {chunk} bytes for an array of {len}")));
        }
        let mut leaves = Vec::new();
        self.leaves(path, tree, 1, 8 + 8 * rank, DEEPEST, &mut leaves)?;
        // More would unpack the same bytes again and again.
        if leaves.len() > len.div_ceil(chunk) {
            let what = format!("{} chunks of {chunk} bytes for an array of {len}", leaves.len());
            return Err(damaged(path, &what));
        }
        let mut out = vec![0; len];
        for (key, at) in leaves {
            let mut key = MessageCursor { rest: key, place: "a chunk" };
            let (stored, mask, first) = (key.u32()?, key.u32()?, key.u64()?);
            if mask != 0 {
                return Err(unsupported(path, "a chunk with filters left out".into(), "all filters on all chunks"));
            }
            let mut data = self.slice(at, u64::from(stored), "a chunk")?.to_vec();
            for filter in filters.iter().rev() {
                data = match filter {
                    1 => decompress_to_vec_zlib_with_limit(&data, chunk)
                        .map_err(|_| damaged(path, "a chunk cannot be unpacked, or is longer than it should be"))?,
                    _ => unshuffled(&data, size),
                };
            }
            let begin = usize::try_from(first).ok().and_then(|f| f.checked_mul(size)).filter(|&b| b <= len);
            let begin = begin.ok_or_else(|| damaged(path, "a chunk lies outside the array"))?;
            let n = data.len().min(len - begin);
            out[begin..begin + n].copy_from_slice(&data[..n]);
        }
        Ok(out)
    }
}

fn unsupported(place: &str, what: String, instead: &'static str) -> FclibError {
    FclibError::Unsupported { place: place.to_owned(), what, instead }
}

fn damaged(place: &str, what: &str) -> FclibError {
    FclibError::Damaged { place: place.to_owned(), what: what.to_owned() }
}

/// The type of an array's numbers.
fn number(place: &str, mut at: MessageCursor<'_>) -> Result<NumberFormat, FclibError> {
    let (class, bits, size) = (at.u8()? & 0x0f, at.take::<3>()?, at.u32()?);
    let big_endian = bits[0] & 1 == 1;
    match (class, size, big_endian) {
        (0, 4, false) if bits[0] & 8 == 8 => Ok(NumberFormat::Int32),
        (1, 8, false) => Ok(NumberFormat::Float64),
        _ => {
            let order = if big_endian { "big-endian " } else { "" };
            let what = format!("a {order}type of class {class} and {size} bytes");
            Err(unsupported(place, what, "little-endian 32-bit integers and 64-bit floats"))
        }
    }
}

/// Sizes of an array, and the number of its entries.
fn extent(place: &str, mut at: MessageCursor<'_>) -> Result<(Vec<usize>, usize), FclibError> {
    let (version, rank) = (at.u8()?, usize::from(at.u8()?));
    match version {
        1 => drop(at.skip(6)?),
        2 => drop(at.skip(2)?),
        other => {
            let what = format!("a dataspace of version {other}");
            return Err(unsupported(place, what, "dataspaces of version 1 or 2"));
        }
    }
    let mut shape = Vec::new();
    let mut n = 1_usize;
    for _ in 0..rank {
        let size = usize::try_from(at.u64()?).unwrap_or(usize::MAX);
        shape.push(size);
        n = n.saturating_mul(size);
    }
    Ok((shape, n))
}

/// The filters of an array, in the order in which they were applied: 1 deflate, 2 shuffle.
fn filters(place: &str, mut at: MessageCursor<'_>) -> Result<Vec<u16>, FclibError> {
    let (version, count) = (at.u8()?, at.u8()?);
    if version == 1 {
        at.skip(6)?;
    }
    let mut out = Vec::new();
    for _ in 0..count {
        let id = at.u16()?;
        let named = version == 1 || id >= 256;
        let name = if named { usize::from(at.u16()?) } else { 0 };
        at.u16()?;
        let values = usize::from(at.u16()?);
        at.skip(if version == 1 { name.next_multiple_of(8) } else { name })?;
        let padding = if version == 1 && values % 2 == 1 { 4 } else { 0 };
        at.skip(4 * values + padding)?;
        if id != 1 && id != 2 {
            return Err(unsupported(place, format!("filter {id}"), "deflate and shuffle"));
        }
        out.push(id);
    }
    Ok(out)
}

/// Bytes that were sorted by their place within a number, put back.
fn unshuffled(data: &[u8], size: usize) -> Vec<u8> {
    let n = data.len() / size;
    let mut out = data.to_vec();
    for i in 0..n {
        for k in 0..size {
            out[i * size + k] = data[k * n + i];
        }
    }
    out
}
