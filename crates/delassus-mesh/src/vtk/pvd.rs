//! PVD collections: the list of frames with their times that ParaView opens as one animated data set.

use std::io::Write;

use super::VtkError;
use super::text::{check_name, escape};

/// Writes a collection of `(time, file)` entries in the order given. Files are relative to the folder of the
/// collection, with `/` between folders. Times are in seconds, written with the digits needed to read back the same `f64`.
///
/// The collection is small: rewrite it after every frame and rename it into place, so that a run that was killed can
/// still be opened.
pub fn write_pvd(w: &mut impl Write, entries: &[(f64, &str)]) -> Result<(), VtkError> {
    for &(time, file) in entries {
        check_name("file of a collection", file)?;
        if !time.is_finite() {
            return Err(VtkError::TimeNotFinite { of: format!("file {file:?}"), time });
        }
    }
    writeln!(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(w, "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">")?;
    writeln!(w, "  <Collection>")?;
    for &(time, file) in entries {
        let file = escape(file);
        writeln!(w, "    <DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
    }
    writeln!(w, "  </Collection>\n</VTKFile>")?;
    w.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(entries: &[(f64, &str)]) -> String {
        let mut out = Vec::new();
        write_pvd(&mut out, entries).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The values of one attribute in the order of the file.
    fn attributes<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
        let open = format!(" {key}=\"");
        text.split(&open).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
    }

    #[test]
    fn times_read_back_bit_for_bit_and_in_order() {
        let times = [0.0, 0.1 + 0.2, 1.0 / 3.0 * 1e-9, 5e-324, 1.797e308];
        let entries = times.map(|t| (t, "frames/f.vtu"));
        let text = text(&entries);
        let read: Vec<u64> =
            attributes(&text, "timestep").iter().map(|t| t.parse::<f64>().unwrap().to_bits()).collect();
        assert_eq!(read, times.map(f64::to_bits));
        assert_eq!(attributes(&text, "file"), ["frames/f.vtu"; 5]);
    }

    #[test]
    fn file_names_are_escaped() {
        let text = text(&[(0.0, "a & b/\"<1>\".vtu")]);
        assert_eq!(attributes(&text, "file"), ["a &amp; b/&quot;&lt;1&gt;&quot;.vtu"]);
    }

    #[test]
    fn an_empty_collection_is_complete() {
        let text = text(&[]);
        assert!(text.contains("<Collection>\n  </Collection>\n</VTKFile>"));
    }

    #[test]
    fn bad_entries_are_refused_before_anything_is_written() {
        let mut out = Vec::new();
        let error = write_pvd(&mut out, &[(0.0, "a.vtu"), (f64::NAN, "b.vtu")]).unwrap_err();
        assert!(matches!(&error, VtkError::TimeNotFinite { .. }));
        assert!(error.to_string().contains("b.vtu") && error.to_string().contains("NaN"));
        let error = write_pvd(&mut out, &[(0.0, "")]).unwrap_err();
        assert!(matches!(error, VtkError::Name { .. }));
        assert!(out.is_empty());
    }
}
