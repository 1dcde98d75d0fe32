//! MED meshes: HDF5 as another library reads it, then what we make of it.
//!
//! The newer layout of HDF5 has a checksum in every structure, at which nearly all changes would end. They are put right first, as one would who wants
//! to do harm: those of the superblock, of object headers, and of the heap and the tree of a group with many members.

use super::{Answer, Bound, Form, FuzzTarget, mesh_formats, no_words};

/// MED files.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "med", form: Form::Binary, words: no_words, memory: Bound::READER, run };

fn run(input: &[u8]) -> Answer {
    let mut mended = input.to_vec();
    mend(&mut mended);
    mesh_formats::run("med", &mended)
}

/// A number of so many bytes at a place.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let digits = bytes.get(at..at.checked_add(width)?)?;
    usize::try_from(digits.iter().rev().try_fold(0_u64, |n, &digit| n.checked_mul(256).map(|n| n | u64::from(digit)))?)
        .ok()
}

/// Puts right the checksums of what is found.
fn mend(bytes: &mut [u8]) {
    // The superblock of versions 2 and 3, with addresses and lengths of eight bytes.
    if bytes.get(8).is_some_and(|&version| version >= 2) {
        seal(bytes, 0, Some(44));
    }
    for at in 0..bytes.len().saturating_sub(4) {
        match &bytes[at..at + 4] {
            b"OHDR" => seal(bytes, at, header(bytes, at)),
            b"FRHP" => {
                let block = || Some((number(bytes, at + 132, 8)?, number(bytes, at + 112, 8)?));
                if let Some((root, size)) = block() {
                    seal_block(bytes, root, size, number(bytes, at + 128, 2).unwrap_or(0));
                }
                seal(bytes, at, Some(142));
            }
            b"BTHD" => {
                let leaf =
                    || Some((number(bytes, at + 16, 8)?, number(bytes, at + 24, 2)? * number(bytes, at + 10, 2)?));
                if let Some((root, records)) = leaf() {
                    seal(bytes, root, Some(6 + records));
                }
                seal(bytes, at, Some(34));
            }
            _ => {}
        }
    }
}

/// Length of an object header up to its checksum.
fn header(bytes: &[u8], at: usize) -> Option<usize> {
    let flags = number(bytes, at + 5, 1)?;
    let before = 6 + if flags & 0x20 > 0 { 16 } else { 0 } + if flags & 0x10 > 0 { 4 } else { 0 };
    let width = 1 << (flags & 3);
    number(bytes, at + before, width)?.checked_add(before + width)
}

/// Writes the checksum of a structure behind it.
fn seal(bytes: &mut [u8], at: usize, length: Option<usize>) {
    let Some(end) = length.and_then(|length| at.checked_add(length)) else { return };
    let Some(sum) = bytes.get(at..end).map(checksum) else { return };
    if let Some(place) = end.checked_add(4).and_then(|after| bytes.get_mut(end..after)) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
}

/// The same of a block of a heap, whose checksum stands in its head and counts as zero.
fn seal_block(bytes: &mut [u8], at: usize, size: usize, heap_bits: usize) {
    let Some(block) = at.checked_add(size).and_then(|end| bytes.get_mut(at..end)) else { return };
    let head = 13 + heap_bits.div_ceil(8);
    if block.starts_with(b"FHDB") && block.len() >= head + 4 {
        block[head..head + 4].fill(0);
        let sum = checksum(block);
        block[head..head + 4].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Bob Jenkins' lookup3 of 2006, of which HDF5's checksums are made.
fn checksum(bytes: &[u8]) -> u32 {
    let begin = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
    let (mut a, mut b, mut c) = (begin, begin, begin);
    let blocks = bytes.chunks(12);
    let last = blocks.len();
    for (k, block) in blocks.enumerate() {
        let mut words = [0_u32; 3];
        for (i, &byte) in block.iter().enumerate() {
            words[i / 4] |= u32::from(byte) << (8 * (i % 4));
        }
        (a, b, c) = (a.wrapping_add(words[0]), b.wrapping_add(words[1]), c.wrapping_add(words[2]));
        if k + 1 == last {
            let step = |x: u32, y: u32, turn: u32| (x ^ y).wrapping_sub(y.rotate_left(turn));
            c = step(c, b, 14);
            a = step(a, c, 11);
            b = step(b, a, 25);
            c = step(c, b, 16);
            a = step(a, c, 4);
            b = step(b, a, 14);
            c = step(c, b, 24);
        } else {
            let step = |x: u32, y: u32, turn: u32| x.wrapping_sub(y) ^ y.rotate_left(turn);
            a = step(a, c, 4);
            c = c.wrapping_add(b);
            b = step(b, a, 6);
            a = a.wrapping_add(c);
            c = step(c, b, 8);
            b = b.wrapping_add(a);
            a = step(a, c, 16);
            c = c.wrapping_add(b);
            b = step(b, a, 19);
            a = a.wrapping_add(c);
            c = step(c, b, 4);
            b = b.wrapping_add(a);
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// What nobody changed has these checksums already, in every structure: files of the library of HDF5 itself.
    #[test]
    fn sound_files_stay_as_they_are() {
        let mut found = [0; 4];
        for seed in corpus::load(&corpus::seeds_folder(), "med").unwrap() {
            let mut mended = seed.clone();
            mend(&mut mended);
            assert!(mended == seed, "a seed of {} bytes", seed.len());
            for (count, mark) in found.iter_mut().zip([b"OHDR", b"FRHP", b"BTHD", b"FHDB"]) {
                *count += usize::from(seed.windows(4).any(|bytes| bytes == mark));
            }
        }
        assert!(found.iter().all(|&count| count > 0), "{found:?}");
    }
}
