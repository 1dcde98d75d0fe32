//! Plots of columns of `history.csv`, over time or as spectra. Columns of one unit share an axis; others have a plot of their own below.
//!
//! A spectrum is that of the column less its mean, at equal times (rows are interpolated where steps were cut), with Hann's window w_j and zeros up to a power of two:
//!
//! ```text
//! A(f_k) = 2 |Σ_j w_j (x_j − x̄) exp(−2πi jk/N)| / Σ_j w_j        f_k = k/(N Δt)
//! ```
//!
//! so a vibration of amplitude a that lies on a line of the spectrum has A = a there, and others lose up to 15 %.

use std::f64::consts::PI;
use std::path::Path;

use delassus_case::source::nearest;
use delassus_chart::chart::{AxisScale, Chart, ChartCurve, Horizontal};
use delassus_chart::stroke::{BLUE, GREEN, ORANGE, PURPLE, RED, Stroke};
use delassus_run::plot::column_quantity;

use crate::error::ReportError;
use crate::folder::Results;

/// Most characters of a title.
const TITLE: usize = 60;
/// Fewest rows of a spectrum.
const FEWEST: usize = 8;

/// The picture of columns of a results folder, as an SVG file: over time, or their spectra.
///
/// # Errors
/// What cannot be read; a column that is not there.
pub fn plot(folder: &Path, columns: &[String], spectrum: bool) -> Result<String, ReportError> {
    let (panels, places) = panels_of(&Results::read(folder)?, columns, spectrum)?;
    Ok(match panels.as_slice() {
        [chart] => chart.draw_file(&places),
        panels => Chart::draw_panels(&title(of(spectrum), columns), panels, &places),
    })
}

/// One column over time, as an element of a page that has this id.
pub(crate) fn column_chart(results: &Results, column: &str, id: String) -> Result<String, ReportError> {
    let (panels, places) = panels_of(results, &[column.to_owned()], false)?;
    Ok(panels.into_iter().map(|chart| Chart { id: id.clone(), ..chart }.draw(&places)).collect())
}

/// What precedes the names in a title.
fn of(spectrum: bool) -> &'static str {
    if spectrum { "spectrum of " } else { "" }
}

/// A chart for each quantity, in the order of its first column, and where the curves have values.
fn panels_of(results: &Results, columns: &[String], spectrum: bool) -> Result<(Vec<Chart>, Vec<f64>), ReportError> {
    let strokes = [
        Stroke::full(BLUE),
        Stroke::dashed(RED, "7 3"),
        Stroke::full(GREEN),
        Stroke::dashed(PURPLE, "9 3 2 3"),
        Stroke::full(ORANGE),
    ];
    let time = results.column("time");
    let mut panels: Vec<((&str, &str), Vec<ChartCurve>)> = Vec::new();
    let mut places = time.clone();
    for name in columns {
        let values = results.history.column(name).ok_or_else(|| no_column(results, name))?;
        let values = if spectrum {
            let found = Spectrum::of(&time, &values)
                .map_err(|reason| ReportError::NoSpectrum { column: name.clone(), reason })?;
            places = found.frequencies;
            found.amplitudes
        } else {
            values
        };
        let quantity = column_quantity(name);
        let curve = |k: usize| ChartCurve { name: name.clone(), values, stroke: strokes[k % strokes.len()] };
        match panels.iter_mut().find(|(known, _)| *known == quantity) {
            Some((_, curves)) => curves.push(curve(curves.len())),
            None => panels.push((quantity, vec![curve(0)])),
        }
    }
    let units = results.case.units;
    let horizontal = match spectrum {
        true => Horizontal { quantity: "frequency", unit: units.symbol("Hz") },
        false => Horizontal { unit: units.symbol("s"), ..Horizontal::TIME },
    };
    let charts = panels.into_iter().map(|((quantity, unit), curves)| Chart {
        id: "plot".to_owned(),
        label: title(of(spectrum), columns),
        quantity,
        unit: units.symbol(unit),
        horizontal,
        scale: AxisScale::Linear,
        curves,
        levels: Vec::new(),
        moments: Vec::new(),
    });
    Ok((charts.collect(), places))
}

/// Names that fit above a plot.
fn title(what: &str, columns: &[String]) -> String {
    let names = format!("{what}{}", columns.join(", "));
    match names.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &names[..end]),
        None => names,
    }
}

/// The names of the columns of a folder, a line each.
///
/// # Errors
/// What cannot be read.
pub fn column_names(folder: &Path) -> Result<String, ReportError> {
    Ok(Results::read(folder)?.history.names().join("\n"))
}

fn no_column(results: &Results, name: &str) -> ReportError {
    let names = results.history.names();
    let near = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
    ReportError::NoColumn { path: results.path().join("history.csv"), column: delassus_error::excerpt(name), near }
}

/// Amplitudes over frequencies.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// f_k, ascending \[Hz\].
    pub frequencies: Vec<f64>,
    /// A(f_k).
    pub amplitudes: Vec<f64>,
}

impl Spectrum {
    /// Of values at ascending times.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn of(time: &[f64], values: &[f64]) -> Result<Self, String> {
        let n = time.len().min(values.len());
        if n < FEWEST {
            return Err(format!("it has {n} rows, a spectrum needs {FEWEST}"));
        }
        if values[..n].iter().any(|x| !x.is_finite()) {
            return Err("it has values that are not numbers".to_owned());
        }
        let (begin, end) = (time[0], time[n - 1]);
        let dt = (end - begin) / (n - 1) as f64;
        if dt.is_nan() || dt <= 0.0 {
            return Err("its times do not ascend".to_owned());
        }
        let even: Vec<f64> = (0..n).map(|j| interpolated(time, values, begin + j as f64 * dt)).collect();
        let mean = even.iter().sum::<f64>() / n as f64;
        let window: Vec<f64> = (0..n).map(|j| 0.5 - 0.5 * (2.0 * PI * j as f64 / n as f64).cos()).collect();
        let total: f64 = window.iter().sum();
        let mut re: Vec<f64> = even.iter().zip(&window).map(|(x, w)| w * (x - mean)).collect();
        let length = n.next_power_of_two();
        re.resize(length, 0.0);
        let mut im = vec![0.0; length];
        transform(&mut re, &mut im);
        let half = length / 2;
        let amplitude = |k: usize| 2.0 * re[k].hypot(im[k]) / total;
        Ok(Self {
            frequencies: (0..=half).map(|k| k as f64 / (length as f64 * dt)).collect(),
            amplitudes: (0..=half).map(amplitude).collect(),
        })
    }
}

/// The value at a time, linear between rows.
fn interpolated(time: &[f64], values: &[f64], t: f64) -> f64 {
    let k = time.partition_point(|x| *x <= t).clamp(1, time.len() - 1);
    let (a, b) = (time[k - 1], time[k]);
    let share = if b > a { ((t - a) / (b - a)).clamp(0.0, 1.0) } else { 0.0 };
    values[k - 1] + share * (values[k] - values[k - 1])
}

/// Discrete Fourier transform in place, of a length that is a power of two (Cooley and Tukey 1965).
fn transform(re: &mut [f64], im: &mut [f64]) {
    let n = re.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = if bits == 0 { i } else { i.reverse_bits() >> (usize::BITS - bits) };
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut length = 2;
    while length <= n {
        for k in 0..length / 2 {
            let angle = -2.0 * PI * k as f64 / length as f64;
            let (s, c) = angle.sin_cos();
            for i in (k..n).step_by(length) {
                let j = i + length / 2;
                let (x, y) = (c * re[j] - s * im[j], c * im[j] + s * re[j]);
                (re[j], im[j]) = (re[i] - x, im[i] - y);
                (re[i], im[i]) = (re[i] + x, im[i] + y);
            }
        }
        length *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two vibrations on lines of the spectrum have their amplitudes, and their neighbours what Hann's window gives them.
    #[test]
    fn vibrations_have_their_amplitudes() {
        let n = 256;
        let time: Vec<f64> = (0..n).map(|j| f64::from(j) * 0.01).collect();
        let line = 1.0 / 2.56;
        let wave = |t: &f64| 3.0 * (2.0 * PI * 8.0 * line * t).sin() + 0.5 * (2.0 * PI * 40.0 * line * t).cos() + 7.0;
        let found = Spectrum::of(&time, &time.iter().map(wave).collect::<Vec<_>>()).unwrap();
        assert_eq!(found.frequencies.len(), 129);
        for (k, exact) in [(8, 3.0), (7, 1.5), (9, 1.5), (40, 0.5), (20, 0.0), (0, 0.0)] {
            // The mean is taken of all rows and the times are even to rounding.
            assert!((found.amplitudes[k] - exact).abs() < 1e-9, "{k}: {} against {exact}", found.amplitudes[k]);
        }
        assert!((found.frequencies[8] - 8.0 * line).abs() < 1e-12);
    }

    /// The transform against the sum that defines it.
    #[test]
    fn the_transform_is_the_sum() {
        let x: Vec<f64> = (0..16).map(|j| f64::from(j * j % 7) - 2.5).collect();
        let (mut re, mut im) = (x.clone(), vec![0.0; 16]);
        transform(&mut re, &mut im);
        for k in 0..16 {
            let term = |j: usize| (2.0 * PI * (j * k) as f64 / 16.0).sin_cos();
            let sum = (0..16).fold([0.0; 2], |[r, i], j| [r + x[j] * term(j).1, i - x[j] * term(j).0]);
            assert!((re[k] - sum[0]).abs() < 1e-12 && (im[k] - sum[1]).abs() < 1e-12, "{k}");
        }
    }

    #[test]
    fn what_has_no_spectrum_is_told() {
        let time: Vec<f64> = (0..9).map(f64::from).collect();
        assert!(Spectrum::of(&time[..4], &[0.0; 4]).unwrap_err().contains("4 rows"));
        assert!(Spectrum::of(&time, &[f64::NAN; 9]).unwrap_err().contains("not numbers"));
        assert!(Spectrum::of(&[1.0; 9], &[0.0; 9]).unwrap_err().contains("do not ascend"));
    }
}
