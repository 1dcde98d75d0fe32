//! Names of curves with a sample of each, in rows.

use super::stroke::Stroke;
use super::svg::{Anchor, Svg};

/// Height of a row of the legend.
pub const LEGEND_ROW: f64 = 20.0;

/// Entries of a legend with their places.
#[derive(Clone, Debug)]
pub struct Legend<'a> {
    rows: Vec<Vec<(&'a str, Stroke, f64)>>,
}

impl<'a> Legend<'a> {
    /// Rows between `left` and `right`; curves of the same name have one entry.
    #[must_use]
    pub fn new(entries: impl IntoIterator<Item = (&'a str, Stroke)>, left: f64, right: f64) -> Self {
        let mut rows: Vec<Vec<(&str, Stroke, f64)>> = vec![Vec::new()];
        let mut x = left;
        let mut seen: Vec<&str> = Vec::new();
        for (name, stroke) in entries {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            // Mean width of a letter at this size; a guess is enough for a legend.
            let width = 34.0 + 7.0 * name.chars().count() as f64;
            if x + width > right && x > left {
                rows.push(Vec::new());
                x = left;
            }
            if let Some(row) = rows.last_mut() {
                row.push((name, stroke, x));
            }
            x += width + 14.0;
        }
        Self { rows }
    }

    /// Height of all rows.
    #[must_use]
    pub fn height(&self) -> f64 {
        LEGEND_ROW * self.rows.len() as f64
    }

    /// Draws the rows, the first at `top`.
    pub fn draw(&self, svg: &mut Svg, top: f64) {
        for (k, row) in self.rows.iter().enumerate() {
            let y = top + LEGEND_ROW * (k as f64 + 0.5);
            for (name, stroke, x) in row {
                svg.path(&stroke.sample([*x, y]), &stroke.attributes());
                svg.text([x + 32.0, y + 4.5], Anchor::Start, name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_legend_takes_several_rows() {
        let names =
            ["kinetic energy", "elastic energy", "friction dissipation", "numerical dissipation", "external work"];
        let legend = Legend::new(names.map(|n| (n, Stroke::exact())), 72.0, 624.0);
        assert_eq!(legend.rows.len(), 2);
        assert!(legend.rows.iter().flatten().all(|(name, _, x)| x + 34.0 + 7.0 * name.len() as f64 <= 640.0));
    }

    #[test]
    fn curves_of_one_name_share_an_entry() {
        let legend = Legend::new(["exact", "exact", "a"].map(|n| (n, Stroke::exact())), 0.0, 600.0);
        assert_eq!(legend.rows[0].len(), 2);
    }
}
