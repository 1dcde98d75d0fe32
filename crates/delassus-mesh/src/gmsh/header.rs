//! `$MeshFormat` and `$PhysicalNames`.

use nom::Parser;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{multispace0, space0};
use nom::number::Endianness;

use super::parse::{Encoding, ParseFault, Parsed, end_of_line, fail, fail_value, items, text_count, text_int, word};
use super::{MshVersion, PhysicalName};

/// Version and encoding of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Format {
    pub(super) version: MshVersion,
    pub(super) encoding: Encoding,
}

/// The format line, or the version text if it is one we do not read.
pub(super) fn format(input: &[u8]) -> Parsed<'_, Result<Format, String>> {
    let (rest, text) = match word(input) {
        Ok(found) => found,
        Err(_) => return fail(input, "the format version"),
    };
    let text = String::from_utf8_lossy(text);
    let Ok(number) = text.parse::<f64>() else {
        return fail(input, "the format version");
    };
    // Writers print 2.2 as 2.2, 2.20 or 2.2000000000000002.
    let is = |version: f64| (number - version).abs() < 1e-9;
    let version = match () {
        () if is(2.2) => MshVersion::V2_2,
        () if is(4.1) => MshVersion::V4_1,
        () => {
            let shown: String = text.chars().take(16).collect();
            return Ok((rest, Err(shown)));
        }
    };
    let (after, file_type) = text_int(rest, "the file type (0 text, 1 binary)")?;
    if file_type != 0 && file_type != 1 {
        return fail_value(rest, "the file type 0 (text) or 1 (binary)", file_type);
    }
    let rest = after;
    let (after, data_size) = text_int(rest, "the data size")?;
    // MSH 4.1 gives sizeof(size_t), MSH 2.2 sizeof(double).
    let wide = match (version, data_size) {
        (_, 8) => true,
        (MshVersion::V4_1, 4) => false,
        _ => return fail_value(rest, "the data size 8", data_size),
    };
    let (rest, ()) = end_of_line(after)?;
    if file_type == 0 {
        return Ok((rest, Ok(Format { version, encoding: Encoding::Text })));
    }
    let Some((one, after)) = rest.split_at_checked(4) else {
        return fail(rest, "the integer 1 in binary");
    };
    let endian = match one {
        [1, 0, 0, 0] => Endianness::Little,
        [0, 0, 0, 1] => Endianness::Big,
        _ => return fail_value(rest, "the integer 1 in binary", format!("bytes {one:?}")),
    };
    Ok((after, Ok(Format { version, encoding: Encoding::Binary { endian, wide } })))
}

/// The names of the physical groups: text in binary files too.
pub(super) fn physical_names(input: &[u8]) -> Parsed<'_, Vec<PhysicalName>> {
    let (input, n) = text_count(input, "the number of physical names")?;
    items("physical name", n, input, physical_name)
}

fn physical_name(input: &[u8]) -> Parsed<'_, PhysicalName> {
    let (rest, dim) = text_int(input, "the dimension of a physical group")?;
    let Some(dim) = usize::try_from(dim).ok().filter(|&dim| dim <= 3) else {
        let (at, _) = multispace0(input)?;
        return fail(at, "a dimension from 0 to 3");
    };
    let (rest, number) = text_int(rest, "the number of a physical group")?;
    let (at, _) = space0(rest)?;
    let Ok((rest, _)) = tag::<_, _, ParseFault<'_>>("\"").parse(at) else {
        return fail(at, "a name in quotes");
    };
    let (rest, name) = take_till(|byte| byte == b'"' || byte == b'\n')(rest)?;
    let Ok((rest, _)) = tag::<_, _, ParseFault<'_>>("\"").parse(rest) else {
        return fail(rest, "the closing quote of a name");
    };
    // gmsh fills the names of a MED file up with blanks.
    let name = String::from_utf8_lossy(name).trim_end().to_owned();
    Ok((rest, PhysicalName { dim, tag: number, name }))
}
