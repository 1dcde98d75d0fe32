//! Arrays of a VTK XML file in all their encodings.
//!
//! ```text
//! ascii                   numbers as text
//! binary                  base64 of [length][values], or of [blocks][size][last size][compressed sizes …] and, apart, of the blocks
//! appended                the same behind `_`, at the byte of `offset`; raw bytes or base64
//! ```
//!
//! Lengths are of the `header_type`. Everything is checked against the bytes that are there; what blocks may unpack to is bounded.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::wrong;
use crate::MeshError;
use crate::vtk::read::attribute;

/// Bytes that the compressed arrays of any file may unpack to, besides those for each byte of it.
const UNPACKED: usize = 256 << 10;

/// How the file writes numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArrayEncoding {
    big_endian: bool,
    /// Bytes of a length.
    header: usize,
    is_compressed: bool,
}

impl ArrayEncoding {
    /// From the attributes of `VTKFile`.
    pub(super) fn of(attributes: &str) -> Result<Self, MeshError> {
        let of = |key: &str| attribute(attributes, key);
        let is_compressed = match of("compressor").as_deref() {
            None | Some("") => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => {
                let other = delassus_error::excerpt(other);
                return Err(wrong(format!("compressor `{other}` is not known, only vtkZLibDataCompressor (zlib)")));
            }
        };
        let header = match of("header_type").as_deref() {
            None | Some("UInt32") => 4,
            Some("UInt64") => 8,
            Some(other) => {
                return Err(wrong(format!("header_type `{}` is not UInt32 or UInt64", delassus_error::excerpt(other))));
            }
        };
        let big_endian = match of("byte_order").as_deref() {
            None | Some("LittleEndian") => false,
            Some("BigEndian") => true,
            Some(other) => {
                return Err(wrong(format!(
                    "byte_order `{}` is not LittleEndian or BigEndian",
                    delassus_error::excerpt(other)
                )));
            }
        };
        Ok(Self { big_endian, header, is_compressed })
    }

    fn whole(self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
        if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// What stands behind the elements.
#[derive(Debug, Clone, Copy)]
pub(super) enum Appended<'a> {
    None,
    Raw(&'a [u8]),
    Base64(&'a [u8]),
}

/// Type of the numbers of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
enum NumberType {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

fn number_type(attributes: &str) -> Result<NumberType, MeshError> {
    let name = attribute(attributes, "type").unwrap_or_default();
    Ok(match name.as_str() {
        "Int8" => NumberType::Signed(1),
        "Int16" => NumberType::Signed(2),
        "Int32" => NumberType::Signed(4),
        "Int64" => NumberType::Signed(8),
        "UInt8" => NumberType::Unsigned(1),
        "UInt16" => NumberType::Unsigned(2),
        "UInt32" => NumberType::Unsigned(4),
        "UInt64" => NumberType::Unsigned(8),
        "Float32" => NumberType::Float(4),
        "Float64" => NumberType::Float(8),
        other => return Err(wrong(format!("an array has the type `{}`", delassus_error::excerpt(other)))),
    })
}

/// Whether an array has whole numbers.
pub(super) fn is_whole(attributes: &str) -> bool {
    matches!(number_type(attributes), Ok(NumberType::Signed(_) | NumberType::Unsigned(_)))
}

/// Decodes the arrays of a file.
pub(in crate::vtk) struct Store<'a> {
    encoding: ArrayEncoding,
    appended: Appended<'a>,
    /// Bytes that may still be unpacked.
    left: usize,
    most: usize,
}

impl<'a> Store<'a> {
    pub(super) fn new(encoding: ArrayEncoding, appended: Appended<'a>, most: usize) -> Self {
        let most = most.saturating_add(UNPACKED);
        Self { encoding, appended, left: most, most }
    }

    /// The values of an array as `f64`.
    pub(in crate::vtk) fn floats(&mut self, attributes: &str, content: &str) -> Result<Vec<f64>, MeshError> {
        let kind = number_type(attributes)?;
        if is_text(attributes) {
            return parsed(content, attributes);
        }
        let bytes = self.bytes(attributes, content)?;
        let (encoding, n) = (self.encoding, size(kind));
        whole_tuples(&bytes, n)?;
        Ok(bytes
            .chunks_exact(n)
            .map(|chunk| {
                let bits = encoding.whole(chunk);
                match kind {
                    // Both conversions keep the value: the bits are those of a number of this length.
                    NumberType::Float(4) => f64::from(f32::from_bits(u32::try_from(bits).unwrap_or_default())),
                    NumberType::Float(_) => f64::from_bits(bits),
                    _ => integer(kind, bits) as f64,
                }
            })
            .collect())
    }

    /// The values of an array of whole numbers.
    pub(in crate::vtk) fn integers(&mut self, attributes: &str, content: &str) -> Result<Vec<i64>, MeshError> {
        let kind = number_type(attributes)?;
        if matches!(kind, NumberType::Float(_)) {
            return Err(wrong(format!("array `{}` must have whole numbers", name_of(attributes))));
        }
        if is_text(attributes) {
            return parsed(content, attributes);
        }
        let bytes = self.bytes(attributes, content)?;
        let (encoding, n) = (self.encoding, size(kind));
        whole_tuples(&bytes, n)?;
        Ok(bytes.chunks_exact(n).map(|chunk| integer(kind, encoding.whole(chunk))).collect())
    }

    /// The bytes of the values.
    fn bytes(&mut self, attributes: &str, content: &str) -> Result<Vec<u8>, MeshError> {
        let name = name_of(attributes);
        match attribute(attributes, "format").as_deref() {
            Some("binary") => self.unpack(&EncodedBytes::Base64(content.trim().as_bytes()), &name),
            Some("appended") => {
                let offset = attribute(attributes, "offset").and_then(|o| o.trim().parse::<usize>().ok());
                let from = |data: &'a [u8]| offset.and_then(|o| data.get(o..));
                let source = match self.appended {
                    Appended::None => None,
                    Appended::Raw(data) => from(data).map(EncodedBytes::Raw),
                    Appended::Base64(data) => from(data).map(EncodedBytes::Base64),
                };
                let source =
                    source.ok_or_else(|| wrong(format!("array `{name}`: its offset is not in the appended data")))?;
                self.unpack(&source, &name)
            }
            other => {
                Err(wrong(format!("array `{name}` has the format `{}`", delassus_error::excerpt(other.unwrap_or("")))))
            }
        }
    }

    fn unpack(&mut self, source: &EncodedBytes<'_>, name: &str) -> Result<Vec<u8>, MeshError> {
        let cut = || wrong(format!("array `{name}` is cut off or not well encoded"));
        let h = self.encoding.header;
        let length = |bytes: &[u8]| usize::try_from(self.encoding.whole(bytes)).ok();
        if !self.encoding.is_compressed {
            let n = source.take(0, h).as_deref().and_then(length).ok_or_else(cut)?;
            let mut bytes = source.take(0, h.checked_add(n).ok_or_else(cut)?).ok_or_else(cut)?;
            bytes.drain(..h);
            return Ok(bytes);
        }
        let head = source.take(0, 3 * h).ok_or_else(cut)?;
        let [blocks, block, last] = [0, 1, 2].map(|i| length(&head[i * h..(i + 1) * h]));
        let (blocks, block, last) = (blocks.ok_or_else(cut)?, block.ok_or_else(cut)?, last.ok_or_else(cut)?);
        let header = blocks.checked_add(3).and_then(|n| n.checked_mul(h)).ok_or_else(cut)?;
        let head = source.take(0, header).ok_or_else(cut)?;
        let (mut out, mut at) = (Vec::new(), source.after(header).ok_or_else(cut)?);
        let sizes: Option<Vec<usize>> = head[3 * h..].chunks_exact(h).map(length).collect();
        let sizes = sizes.ok_or_else(cut)?;
        let packed = sizes.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n)).ok_or_else(cut)?;
        let data = at.take(0, packed).ok_or_else(cut)?;
        at = EncodedBytes::Raw(&data);
        let mut from = 0;
        for (i, packed) in sizes.into_iter().enumerate() {
            let expected = if i + 1 == blocks && last > 0 { last } else { block };
            self.left = self.left.checked_sub(expected).ok_or(MeshError::UnpacksTooFar { most: self.most })?;
            let input = at.take(from, packed).ok_or_else(cut)?;
            from += packed;
            let unpacked = decompress_to_vec_zlib_with_limit(&input, expected).map_err(|_| cut())?;
            if unpacked.len() != expected {
                return Err(cut());
            }
            out.extend(unpacked);
        }
        Ok(out)
    }
}

/// Encoded bytes, of which the array is at the beginning.
enum EncodedBytes<'a> {
    Raw(&'a [u8]),
    Base64(&'a [u8]),
}

impl<'a> EncodedBytes<'a> {
    /// `n` bytes from a place; none where there are fewer.
    fn take(&self, from: usize, n: usize) -> Option<Vec<u8>> {
        let end = from.checked_add(n)?;
        match self {
            Self::Raw(bytes) => bytes.get(from..end).map(<[u8]>::to_vec),
            Self::Base64(text) => {
                let mut bytes = decode(text.get(..letters(end)?)?)?;
                (bytes.len() >= end).then(|| {
                    bytes.truncate(end);
                    bytes.drain(..from);
                    bytes
                })
            }
        }
    }

    /// What is encoded apart, behind the first `n` bytes.
    fn after(&self, n: usize) -> Option<EncodedBytes<'a>> {
        match self {
            Self::Raw(bytes) => bytes.get(n..).map(EncodedBytes::Raw),
            Self::Base64(text) => text.get(letters(n)?..).map(EncodedBytes::Base64),
        }
    }
}

/// Letters of base64 for so many bytes, padding included.
fn letters(bytes: usize) -> Option<usize> {
    bytes.div_ceil(3).checked_mul(4)
}

/// Bytes of a base64 text of whole groups of four letters.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let n_groups = text.len() / 4;
    for (i, group) in text.chunks(4).enumerate() {
        let padding = group.iter().rev().take_while(|&&b| b == b'=').count();
        if group.len() < 4 || padding > 2 || (padding > 0 && i + 1 < n_groups) {
            return None;
        }
        let mut bits = 0_u32;
        for &letter in &group[..4 - padding] {
            bits = (bits << 6) | u32::from(digit(letter)?);
        }
        bits <<= 6 * padding;
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(&bytes[..3 - padding]);
    }
    Some(out)
}

fn size(kind: NumberType) -> usize {
    match kind {
        NumberType::Signed(n) | NumberType::Unsigned(n) | NumberType::Float(n) => n,
    }
}

/// A whole number of a type from its bits; those beyond `i64` are the largest.
fn integer(kind: NumberType, bits: u64) -> i64 {
    match kind {
        NumberType::Signed(n) => {
            // The sign is the highest bit of its n bytes.
            let unused = 64 - 8 * n;
            (bits << unused).cast_signed() >> unused
        }
        _ => i64::try_from(bits).unwrap_or(i64::MAX),
    }
}

fn whole_tuples(bytes: &[u8], n: usize) -> Result<(), MeshError> {
    match bytes.len().is_multiple_of(n) {
        true => Ok(()),
        false => Err(wrong(format!("an array of {} bytes has numbers of {n} bytes", bytes.len()))),
    }
}

fn is_text(attributes: &str) -> bool {
    attribute(attributes, "format").as_deref() == Some("ascii")
}

fn name_of(attributes: &str) -> String {
    delassus_error::excerpt(&attribute(attributes, "Name").unwrap_or_default())
}

/// Numbers written as text.
fn parsed<T: std::str::FromStr>(content: &str, attributes: &str) -> Result<Vec<T>, MeshError> {
    content
        .split_ascii_whitespace()
        .map(|word| {
            word.parse().map_err(|_| {
                wrong(format!("array `{}`: `{}` is not a number", name_of(attributes), delassus_error::excerpt(word)))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        assert_eq!(decode(b"").unwrap(), b"");
        assert_eq!(decode(b"TWFu").unwrap(), b"Man");
        assert_eq!(decode(b"TWE=").unwrap(), b"Ma");
        assert_eq!(decode(b"TWFuTQ==").unwrap(), b"ManM");
        assert_eq!(decode(b"+/+/").unwrap(), [0xFB, 0xFF, 0xBF]);
        for bad in [&b"TWF"[..], b"TQ==TWFu", b"TW*u", b"T===", b"===="] {
            assert_eq!(decode(bad), None);
        }
    }

    #[test]
    fn integers_keep_their_sign() {
        assert_eq!(integer(NumberType::Signed(1), 0xFF), -1);
        assert_eq!(integer(NumberType::Signed(4), 0x7FFF_FFFF), 0x7FFF_FFFF);
        assert_eq!(integer(NumberType::Signed(8), u64::MAX), -1);
        assert_eq!(integer(NumberType::Unsigned(1), 0xFF), 255);
        assert_eq!(integer(NumberType::Unsigned(8), u64::MAX), i64::MAX);
    }
}
