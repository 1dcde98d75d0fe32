//! The part of HDF5 that FCLIB files use (file format specification, version 1 and 2 of its objects): superblock 0, groups as
//! symbol tables, arrays of 32-bit integers and 64-bit floats, contiguous, compact, or chunked with deflate and shuffle.
//!
//! Everything read is checked against the length of the file: all arrays together take at most 16 times as much, and a chunk is unpacked
//! as far as its array needs it.

mod read;
mod write;

pub use read::File;
pub use write::{Hdf5Content, Hdf5Group, to_bytes};

/// The first bytes of every file.
const SIGNATURE: &[u8; 8] = b"\x89HDF\r\n\x1a\n";

/// An address that means "nowhere".
const NOWHERE: u64 = u64::MAX;

/// Kinds of messages in an object header.
mod message {
    pub const DATASPACE: u16 = 0x01;
    pub const DATATYPE: u16 = 0x03;
    pub const LAYOUT: u16 = 0x08;
    pub const FILTERS: u16 = 0x0b;
    pub const CONTINUATION: u16 = 0x10;
    pub const SYMBOL_TABLE: u16 = 0x11;
}
