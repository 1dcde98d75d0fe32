//! A table of numbers over time: what `history.csv` holds.

use delassus_error::excerpt;
use std::collections::BTreeSet;

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

    /// Keeps the first rows only.
    pub fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
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

/// A line that cannot be read: its number from 1, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct HistoryFault {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for HistoryFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// Reads a history. With `unfinished` a last line without line end, left by a run that was killed while writing it, is
/// not looked at.
pub fn parse(text: &str, unfinished: bool) -> Result<History, HistoryFault> {
    let whole = match text.rfind('\n') {
        Some(end) if unfinished => &text[..=end],
        _ => text,
    };
    let mut lines = whole.lines().enumerate().map(|(i, l)| (i + 1, l));
    let header = lines.next().map_or("", |(_, l)| l);
    let names: Vec<String> = header.split(',').map(|n| n.trim().to_owned()).collect();
    let fault = |line, reason| Err(HistoryFault { line, reason });
    // First: without it the file may be anything, and nothing of it is repeated.
    if !names.iter().any(|n| n == "time") {
        return fault(1, "there is no column `time`".to_owned());
    }
    let mut seen = BTreeSet::new();
    for (i, name) in names.iter().enumerate() {
        if name.is_empty() {
            return fault(1, format!("column {} has no name", i + 1));
        }
        if !seen.insert(name) {
            return fault(1, format!("column `{}` appears twice", excerpt(name)));
        }
    }
    let mut history = History::new(names);
    for (line, text) in lines {
        let mut row = Vec::with_capacity(history.names().len());
        for (i, cell) in text.split(',').enumerate() {
            let Ok(x) = cell.trim().parse::<f64>() else {
                // A line without any number is none of a history, nor is anything of it repeated.
                if history.rows().is_empty() && !text.split(',').any(|c| c.trim().parse::<f64>().is_ok()) {
                    return fault(line, "there is no number; a run writes nothing else".to_owned());
                }
                let column = history.names().get(i).map_or_else(|| "beyond the last".to_owned(), |n| excerpt(n));
                return fault(line, format!("`{}` in column {column} is not a number", excerpt(cell.trim())));
            };
            row.push(x);
        }
        if row.len() != history.names().len() {
            return fault(line, format!("{} values for {} columns", row.len(), history.names().len()));
        }
        history.push(row);
    }
    if history.rows().is_empty() {
        return fault(2, "there is no row; a run writes its initial state as the first".to_owned());
    }
    Ok(history)
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

    #[test]
    fn a_history_reads_back_to_the_same_bits() {
        let mut history = History::new(vec!["time".into(), "a".into()]);
        for i in 0..20 {
            history.push(vec![f64::from(i) / 3.0, 1e-300 * f64::from(i).exp()]);
        }
        let lines: Vec<String> = history.rows().iter().map(|r| History::line(r)).collect();
        let text = format!("{}\n{}\n", history.header(), lines.join("\n"));
        assert_eq!(parse(&text, false).unwrap(), history);
    }

    #[test]
    fn not_a_number_is_a_value() {
        let history = parse("time,a\n0,NaN\n", false).unwrap();
        assert!(history.rows()[0][1].is_nan());
    }

    #[test]
    fn faults_name_the_line() {
        let check = |text: &str, line: usize, piece: &str| {
            let fault = parse(text, false).unwrap_err();
            assert!(fault.line == line && fault.reason.contains(piece), "{fault:?}");
        };
        check("", 1, "no column `time`");
        check("time,,b\n", 1, "column 2 has no name");
        check("time,a,a\n", 1, "column `a` appears twice");
        check("step,a\n0,1\n", 1, "no column `time`");
        check("time,a\n", 2, "no row");
        check("time,a\n0,1\n1,x\n", 3, "`x` in column a");
        check("time,a\n0,1\n1\n", 3, "1 values for 2 columns");
        check("time,a\n0,1,2\n", 2, "3 values for 2 columns");
        check("time,a\n0,1,z\n", 2, "`z` in column beyond the last");
    }

    #[test]
    fn only_an_unfinished_run_may_end_in_half_a_line() {
        let text = "time,a\n0,1\n1,2\n2,";
        assert_eq!(parse(text, true).unwrap().rows().len(), 2);
        assert_eq!(parse(text, false).unwrap_err().line, 4);
    }
}
