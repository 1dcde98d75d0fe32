//! A curve given by points: two columns of a CSV file, straight lines between the points.
//!
//! The first line that is neither empty nor a comment (`#`) has the names of the columns; the separator is the comma, the semicolon
//! or the tab, whichever that line has. Only the two columns asked for need to be numbers.

use delassus_error::{Code, Coded, cut, excerpt};

/// Why two columns of a text are no curve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// A name that no column has, or two.
    #[error("{} column is named `{name}`: there are {there}", if *.count == 0 { "no" } else { "more than one" })]
    Column {
        /// As asked for.
        name: String,
        /// How many have it.
        count: usize,
        /// The names that the file has.
        there: String,
    },
    /// A value that is not a finite number, or is not there.
    #[error("line {line}: column `{column}` has {found}, a finite number is needed")]
    Value {
        /// Number of the line, from 1.
        line: usize,
        /// The column.
        column: String,
        /// What is there, in words.
        found: String,
    },
    /// Places that do not ascend.
    #[error("line {line}: `{column}` = {value} must be greater than {previous}, the one before")]
    Order {
        /// Number of the line, from 1.
        line: usize,
        /// The column of the places.
        column: String,
        /// Its value.
        value: String,
        /// The value before.
        previous: String,
    },
    /// Too few rows.
    #[error("{0} rows are too few for a curve: at least two are needed, below a line with the names of the columns")]
    Short(usize),
}

impl Coded for TableFault {
    fn code(&self) -> Code {
        match self {
            Self::Column { .. } => Code("E0636"),
            Self::Value { .. } => Code("E0637"),
            Self::Order { .. } => Code("E0638"),
            Self::Short(_) => Code("E0639"),
        }
    }
}

/// Points with straight lines between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyline(Vec<(f64, f64)>);

impl Polyline {
    /// The points, places ascending.
    #[must_use]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.0
    }

    /// The columns `place` and `value` of a CSV text, multiplied by `units`.
    ///
    /// # Errors
    /// What is wrong first, with its line.
    pub fn parse(text: &str, [place, value]: [&str; 2], units: [f64; 2]) -> Result<Self, TableFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_data = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(is_data);
        let Some((_, head)) = lines.next() else { return Err(TableFault::Short(0)) };
        let separator = [',', ';', '\t'].into_iter().find(|s| head.contains(*s)).unwrap_or(',');
        let names: Vec<&str> = head.split(separator).map(bare).collect();
        // Without a number below its names it is no table, and its first line is not repeated.
        let mut lines = lines.peekable();
        let has_number = |row: &str| row.split(separator).any(|cell| bare(cell).parse::<f64>().is_ok());
        let is_table = names.len() > 1 && lines.peek().is_some_and(|(_, row)| has_number(row));
        let columns = [find(&names, place, is_table)?, find(&names, value, is_table)?];
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (line, row) in lines {
            let mut pair = [0.0; 2];
            for (k, name) in [place, value].into_iter().enumerate() {
                let cell = row.split(separator).nth(columns[k]).map(bare);
                let number = cell.and_then(|c| c.parse::<f64>().ok()).map(|x| x * units[k]).filter(|x| x.is_finite());
                let Some(number) = number else {
                    let found = cell.map_or("nothing".to_owned(), |c| format!("`{}`", shortened(c)));
                    return Err(TableFault::Value { line, column: name.to_owned(), found });
                };
                pair[k] = number;
            }
            if let Some((previous, _)) = points.last().filter(|last| last.0 >= pair[0]) {
                let [value, previous] = [pair[0], *previous].map(|x| (x / units[0]).to_string());
                return Err(TableFault::Order { line, column: place.to_owned(), value, previous });
            }
            points.push((pair[0], pair[1]));
        }
        if points.len() < 2 { Err(TableFault::Short(points.len())) } else { Ok(Self(points)) }
    }

    /// The first and the last place.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        [self.0[0].0, self.0[self.0.len() - 1].0]
    }

    /// Number of points, two at least.
    #[must_use]
    pub fn n_points(&self) -> usize {
        self.0.len()
    }

    /// The value at a place; beyond the ends that of the nearer one.
    #[must_use]
    pub fn value(&self, at: f64) -> f64 {
        let points = &self.0;
        let after = points.partition_point(|p| p.0 <= at);
        match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
            (Some((x0, y0)), Some((x1, y1))) => {
                let part = (at - x0) / (x1 - x0);
                y0 + part * (y1 - y0)
            }
            (Some((_, y)), None) | (None, Some(&(_, y))) => y,
            (None, None) => f64::NAN,
        }
    }
}

/// A cell without spaces and quotation marks.
fn bare(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')).map_or(cell, str::trim)
}

/// The first characters of a text.
fn shortened(text: &str) -> String {
    cut(text, 40)
}

/// The one column of a name.
fn find(names: &[&str], name: &str, is_table: bool) -> Result<usize, TableFault> {
    const LISTED: usize = 20;
    let mut found = names.iter().enumerate().filter(|(_, n)| **n == name).map(|(k, _)| k);
    match (found.next(), found.count()) {
        (Some(k), 0) => Ok(k),
        (first, others) => {
            let mut there: Vec<String> = names.iter().take(LISTED).map(|n| format!("`{}`", shortened(n))).collect();
            if names.len() > LISTED {
                there.push("…".to_owned());
            }
            if !is_table {
                there = vec!["no columns of numbers".to_owned()];
            }
            let count = if first.is_some() { others + 1 } else { 0 };
            Err(TableFault::Column { name: excerpt(name), count, there: excerpt(&there.join(", ")) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Polyline, TableFault> {
        Polyline::parse(text, ["t", "u"], [1.0; 2])
    }

    #[test]
    fn straight_lines_between_the_points() {
        let curve = read("# measured\nt, v , \"u\"\n\n0,9,1\n2,x,5\n3,9,4\n").unwrap();
        assert_eq!((curve.range(), curve.n_points()), ([0.0, 3.0], 3));
        for (t, u) in [(0.0, 1.0), (0.5, 2.0), (2.0, 5.0), (2.5, 4.5), (3.0, 4.0), (-1.0, 1.0), (9.0, 4.0)] {
            assert!((curve.value(t) - u).abs() < 1e-15, "{t}");
        }
        // Other separators, a mark of the encoding, line ends of other systems, and units.
        for text in ["\u{feff}t;u\r\n0;1\r\n2;5\r\n", "t\tu\n0\t1\n2\t5"] {
            let curve = Polyline::parse(text, ["t", "u"], [1e-3, 2.0]).unwrap();
            assert!((curve.value(1e-3) - 6.0).abs() < 1e-12 && (curve.range()[1] - 2e-3).abs() < 1e-18, "{text}");
        }
    }

    #[test]
    fn faults_have_lines_and_codes() {
        let check = |text: &str, code: &str, piece: &str| {
            let fault = read(text).unwrap_err();
            assert_eq!(fault.code().as_str(), code, "{fault}");
            assert!(fault.to_string().contains(piece), "{fault}");
        };
        check("time,u\n0,1\n1,2\n", "E0636", "no column is named `t`: there are `time`, `u`");
        check("root:*:19000\nx\n", "E0636", "no column is named `t`: there are no columns of numbers");
        check("t,u,t\n0,1,2\n", "E0636", "more than one column is named `t`");
        check("t,u\n0,1\n1,x\n", "E0637", "line 3: column `u` has `x`");
        check("t,u\n0,1\n1\n", "E0637", "line 3: column `u` has nothing");
        check("t,u\n0,1\n1,inf\n", "E0637", "`inf`");
        check("t,u\n0,1\n0,2\n", "E0638", "line 3: `t` = 0 must be greater than 0");
        check("t,u\n# a\n2,1\n1,2\n", "E0638", "line 4: `t` = 1 must be greater than 2");
        check("t,u\n0,1\n", "E0639", "1 rows are too few for a curve");
        check("", "E0639", "0 rows");
    }
}
