//! A table of numbers over time: what `history.csv` holds.

/// Named columns, one row per step.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl History {
    /// An empty table with these columns.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        Self { names, rows: Vec::new() }
    }

    /// Names of the columns.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds a row; values beyond the columns are dropped, missing ones are NaN.
    pub fn push(&mut self, mut row: Vec<f64>) {
        row.resize(self.names.len(), f64::NAN);
        self.rows.push(row);
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// All values of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let k = self.names.iter().position(|n| n == name)?;
        Some(self.rows.iter().map(|r| r[k]).collect())
    }

    /// The header line of the CSV file, without line end.
    #[must_use]
    pub fn header(&self) -> String {
        self.names.join(",")
    }

    /// One line of the CSV file, without line end: shortest decimals that read back to the same bits.
    #[must_use]
    pub fn line(row: &[f64]) -> String {
        row.iter().map(|x| format_number(*x)).collect::<Vec<_>>().join(",")
    }
}

fn format_number(x: f64) -> String {
    let size = x.abs();
    if x.fract() == 0.0 && size < 1e15 {
        format!("{x}")
    } else if (1e-3..1e7).contains(&size) {
        format!("{x:?}")
    } else {
        format!("{x:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for x in [0.0, 1.0, -3.0, 0.1, 2.226e-6, 2.0755e8, 1.0 / 3.0, f64::MIN_POSITIVE, f64::MAX, -1e-310] {
            let text = format_number(x);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits(), "{text}");
        }
    }

    #[test]
    fn columns_by_name() {
        let mut h = History::new(vec!["a".into(), "b".into()]);
        h.push(vec![1.0, 2.0]);
        h.push(vec![3.0]);
        assert_eq!(h.column("a"), Some(vec![1.0, 3.0]));
        assert!(h.column("b").unwrap()[1].is_nan());
        assert_eq!(h.column("c"), None);
        assert_eq!(History::line(&[1.0, 0.5]), "1,0.5");
    }
}
