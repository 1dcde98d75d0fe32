//! Tables of results on standard output.

use std::fmt;
use std::io::Write;

/// A table of text: a title, a head and rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(title: impl Into<String>, head: &[&str]) -> Self {
        Self { title: title.into(), rows: vec![head.iter().map(|&h| h.to_owned()).collect()] }
    }

    /// Adds columns to the head.
    pub fn head<'a>(&mut self, more: impl IntoIterator<Item = &'a str>) {
        if let Some(head) = self.rows.first_mut() {
            head.extend(more.into_iter().map(str::to_owned));
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes the table to standard output.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print(&self) -> std::io::Result<()> {
        writeln!(std::io::stdout(), "{self}")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| self.rows.iter().filter_map(|r| r.get(c)).map(|x| x.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        writeln!(f, "{}", self.title)?;
        for row in &self.rows {
            // names to the left, numbers to the right
            let line: Vec<String> = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(c, (x, &w))| if c == 0 { format!("{x:<w$}") } else { format!("{x:>w$}") })
                .collect();
            writeln!(f, "  {}", line.join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A time with three digits and its unit.
#[must_use]
pub fn seconds(t: f64) -> String {
    let (value, unit) = match t {
        t if t >= 1.0 => (t, "s"),
        t if t >= 1e-3 => (t * 1e3, "ms"),
        t if t >= 1e-6 => (t * 1e6, "µs"),
        t => (t * 1e9, "ns"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

/// A ratio with two digits after the point.
#[must_use]
pub fn ratio(x: f64) -> String {
    format!("{x:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let shown: Vec<String> = [2.5, 0.0123, 4.56e-4, 7.891e-6, 3.2e-8].iter().map(|&t| seconds(t)).collect();
        assert_eq!(shown, ["2.50 s", "12.3 ms", "456 µs", "7.89 µs", "32.0 ns"]);
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new("costs", &["phase", "time"]);
        table.row(["a".into(), "1 µs".into()]);
        table.row(["long name".into(), ratio(12.345)]);
        assert_eq!(table.to_string(), "costs\n  phase       time\n  a           1 µs\n  long name  12.35\n");
    }
}
