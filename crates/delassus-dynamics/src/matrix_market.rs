//! Symmetric matrices as text, in the exchange format Matrix Market (Boisvert, Pozo & Remington 1996).
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! rows columns entries
//! row column value                  one line per entry of the lower triangle, from 1, column by column
//! ```
//!
//! Values have 17 significant digits, from which every finite double is read back to the last bit.

use std::io::{self, Write};

use nalgebra_sparse::CscMatrix;

/// Writes the symmetric matrix with this lower triangle; entries that are stored as zero are written too.
pub fn write_symmetric(lower: &CscMatrix<f64>, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix coordinate real symmetric")?;
    writeln!(out, "{} {} {}", lower.nrows(), lower.ncols(), lower.nnz())?;
    for (row, column, value) in lower.triplet_iter() {
        writeln!(out, "{} {} {value:.16e}", row + 1, column + 1)?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (usize, Vec<(usize, usize, f64)>) {
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("%%MatrixMarket matrix coordinate real symmetric"));
        let sizes: Vec<usize> = lines.next().unwrap().split(' ').map(|x| x.parse().unwrap()).collect();
        let entry = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(words.len(), 3);
            let index = |word: &str| word.parse::<usize>().unwrap() - 1;
            (index(words[0]), index(words[1]), words[2].parse().unwrap())
        };
        let entries: Vec<_> = lines.map(entry).collect();
        assert_eq!(sizes, [sizes[0], sizes[0], entries.len()]);
        (sizes[0], entries)
    }

    #[test]
    fn what_is_written_is_read_back_to_the_last_bit() {
        let values = [
            1.0 / 3.0,
            -0.0,
            f64::MIN_POSITIVE / 7.0,
            f64::MAX,
            2.1e11 / 0.91,
            f64::EPSILON,
            -std::f64::consts::PI * 1e-9,
        ];
        let (offsets, rows) = (vec![0, 3, 4, 6, 7], vec![0, 1, 3, 1, 2, 3, 3]);
        let matrix = CscMatrix::try_from_csc_data(4, 4, offsets, rows, values.to_vec()).unwrap();
        let mut text = Vec::new();
        write_symmetric(&matrix, &mut text).unwrap();
        let (n, entries) = read(std::str::from_utf8(&text).unwrap());
        assert_eq!(n, 4);
        assert!(entries.iter().all(|&(row, column, _)| row >= column), "a lower triangle");
        let bits = |(i, j, x): (usize, usize, f64)| (i, j, x.to_bits());
        let exact = matrix.triplet_iter().map(|(i, j, x)| bits((i, j, *x)));
        assert!(entries.into_iter().map(bits).eq(exact));
    }

    #[test]
    fn a_matrix_without_entries_has_its_size() {
        let mut text = Vec::new();
        write_symmetric(&CscMatrix::zeros(3, 3), &mut text).unwrap();
        assert_eq!(read(std::str::from_utf8(&text).unwrap()), (3, Vec::new()));
    }
}
