//! The quantities of a study: errors against references, or else the probes.

use delassus_case::load::Loaded;
use delassus_case::source::nearest;
use delassus_case::spec::Case;
use delassus_report::folder::Results;
use delassus_run::plot::column_quantity;
use delassus_verify::history::History;
use delassus_verify::{Norm, Verification};

use super::orders::Followed;
use crate::error::SuiteError;

/// Largest number of quantities without `--quantity`.
const MOST: usize = 24;

/// A value this much smaller than others of its kind is rounding.
const ROUNDING: f64 = 1e-9;

/// Something to be followed.
#[derive(Clone, Debug)]
pub enum FollowedSource {
    /// The error of a column, or of a line, against its reference.
    Error {
        /// As the errors of a run name it.
        column: String,
        /// Which mean.
        norm: Norm,
    },
    /// The error of a check, by name.
    Check(String),
    /// The value of a column at the end.
    Final(String),
    /// A column over the whole run.
    Curve(String),
}

impl FollowedSource {
    /// Quantities given by name: `COLUMN`, `final:COLUMN`, `curve:COLUMN` or `check:NAME`; without names, those that the case
    /// offers.
    pub fn of(asked: &[String], loaded: &Loaded) -> Result<Vec<Self>, SuiteError> {
        let offered = offered(loaded);
        if asked.is_empty() {
            return Ok(offered);
        }
        let columns = loaded.columns();
        let mut out = Vec::new();
        for text in asked {
            let (kind, name) = text.split_once(':').map_or(("", text.as_str()), |(k, n)| (k.trim(), n.trim()));
            let is_column = columns.iter().any(|c| c == name);
            let is_check = offered.iter().any(|w| matches!(w, Self::Check(check) if check == name));
            let error = offered.iter().find(|w| matches!(w, Self::Error { column, .. } if column == name));
            match kind {
                "final" if is_column => out.push(Self::Final(name.to_owned())),
                "curve" if is_column => out.push(Self::Curve(name.to_owned())),
                "check" if is_check => out.push(Self::Check(name.to_owned())),
                "" if error.is_some() => out.extend(error.cloned()),
                "" if is_column => out.extend([Self::Final(name.to_owned()), Self::Curve(name.to_owned())]),
                _ => {
                    let checks = offered.iter().filter_map(|w| match w {
                        Self::Check(check) => Some(format!("check:{check}")),
                        Self::Error { column, .. } => Some(column.clone()),
                        Self::Final(_) | Self::Curve(_) => None,
                    });
                    let known: Vec<String> = columns.iter().cloned().chain(checks).collect();
                    let near = nearest(text, known.iter().map(String::as_str)).map(str::to_owned);
                    return Err(SuiteError::NoQuantity { name: text.clone(), near });
                }
            }
        }
        Ok(out)
    }
}

/// What a case offers: columns and lines with references, checks, and columns of probes without reference.
fn offered(loaded: &Loaded) -> Vec<FollowedSource> {
    let mut out = Vec::new();
    let verify = loaded.case.verify.clone().unwrap_or_default();
    let solution = verify.solution.as_ref().map_or(Vec::new(), |s| s.solution().columns());
    out.extend(solution.into_iter().map(|column| FollowedSource::Error { column, norm: Norm::L2 }));
    out.extend(verify.references.iter().map(|r| FollowedSource::Error { column: r.column.clone(), norm: r.norm }));
    out.extend(verify.lines.iter().map(|l| FollowedSource::Error { column: format!("{}(s)", l.name), norm: l.norm }));
    let with_reference: Vec<String> = out
        .iter()
        .filter_map(|w| match w {
            FollowedSource::Error { column, .. } => Some(column.clone()),
            _ => None,
        })
        .collect();
    out.extend(verify.checks.iter().map(|c| FollowedSource::Check(c.name.clone())));
    let is_probe = |column: &str| {
        let name = column.rsplit_once('.').map(|(name, _)| name);
        loaded.case.probes.iter().any(|p| Some(p.name.as_str()) == name)
    };
    for column in loaded.columns().into_iter().filter(|c| is_probe(c) && !with_reference.contains(c)) {
        out.extend([FollowedSource::Final(column.clone()), FollowedSource::Curve(column)]);
    }
    out
}

/// Follows what is wanted through the levels; returns how many were left out too.
pub fn follow(wanted: &[FollowedSource], base: &Loaded, levels: &[Results]) -> (Vec<Followed>, usize) {
    let Some(finest) = levels.last() else { return (Vec::new(), 0) };
    let scales = Scales::of(&finest.history, &base.case);
    let mut out = Vec::new();
    for w in wanted {
        match w {
            FollowedSource::Error { column, norm } => {
                let error = |v: &Verification| v.errors.iter().find(|e| e.column == *column).map(|e| norm.of(e));
                let about = format!("{} against its reference", norm.text());
                out.push(Followed::errors(column.clone(), about, each(levels, error)));
            }
            FollowedSource::Check(name) => {
                let error = |v: &Verification| v.checks.iter().find(|c| c.name == *name).map(|c| c.error);
                out.push(Followed::errors(name.clone(), "error of the check".to_owned(), each(levels, error)));
            }
            FollowedSource::Final(column) => {
                let values: Vec<f64> =
                    levels.iter().map(|l| l.column(column).last().copied().unwrap_or(f64::NAN)).collect();
                if let Some(scale) = scales.of_column(column, &finest.history) {
                    out.push(Followed::values(column.clone(), "value at the end".to_owned(), values, scale));
                }
            }
            FollowedSource::Curve(column) => {
                if scales.of_column(column, &finest.history).is_some() {
                    out.push(curve(column, levels));
                }
            }
        }
    }
    let left_out = out.len().saturating_sub(MOST);
    out.truncate(MOST);
    (out, left_out)
}

/// A number of the verification of each level.
fn each(levels: &[Results], number: impl Fn(&Verification) -> Option<f64>) -> Vec<f64> {
    let verification = |r: &Results| r.manifest.as_ref().and_then(|m| m.verification.as_ref().and_then(&number));
    levels.iter().map(|r| verification(r).unwrap_or(f64::NAN)).collect()
}

/// A column at the times of the coarsest level, where all levels have a step.
fn curve(column: &str, levels: &[Results]) -> Followed {
    let times = levels.first().map_or(Vec::new(), |l| l.column("time"));
    let sampled: Vec<Vec<f64>> = levels.iter().map(|l| at_times(&l.history, column, &times)).collect();
    let largest =
        |values: &Vec<f64>| values.iter().fold(0.0, |m: f64, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) });
    let difference = |w: &[Vec<f64>]| {
        let all = w[0].iter().zip(&w[1]).map(|(a, b)| (a - b).abs());
        all.fold(0.0, |m: f64, d| if d.is_nan() || m.is_nan() { f64::NAN } else { m.max(d) })
    };
    let about = "largest difference from the level before, over the whole run".to_owned();
    let differences = sampled.windows(2).map(difference).collect();
    Followed::curve(column.to_owned(), about, sampled.iter().map(largest).collect(), differences)
}

/// The values of a column at some of its times; not numbers where it has no such time.
fn at_times(history: &History, column: &str, times: &[f64]) -> Vec<f64> {
    let (Some(own), Some(values)) = (history.column("time"), history.column(column)) else {
        return vec![f64::NAN; times.len()];
    };
    let end = own.last().copied().unwrap_or(0.0).abs();
    let nearest = |t: f64| {
        let after = own.partition_point(|x| *x < t).min(own.len().saturating_sub(1));
        let before = after.saturating_sub(1);
        if (own[before] - t).abs() < (own[after] - t).abs() { before } else { after }
    };
    // Times are sums of steps.
    let value =
        |t: &f64| Some(nearest(*t)).filter(|i| (own[*i] - t).abs() <= 1e-9 * end).map_or(f64::NAN, |i| values[i]);
    times.iter().map(value).collect()
}

/// How large the values of each quantity are among all probes.
struct Scales(Vec<(&'static str, f64)>);

impl Scales {
    fn of(history: &History, case: &Case) -> Self {
        let mut out: Vec<(&'static str, f64)> = Vec::new();
        let is_probe = |column: &str| {
            let name = column.rsplit_once('.').map(|(name, _)| name);
            case.probes.iter().any(|p| Some(p.name.as_str()) == name)
        };
        for column in history.names().iter().filter(|c| is_probe(c)) {
            let (quantity, size) = (column_quantity(column).0, largest(history, column));
            match out.iter_mut().find(|(known, _)| *known == quantity) {
                Some((_, scale)) => *scale = scale.max(size),
                None => out.push((quantity, size)),
            }
        }
        Self(out)
    }

    /// How large a column is; none where it is zero but for rounding.
    fn of_column(&self, column: &str, history: &History) -> Option<f64> {
        let own = largest(history, column);
        let quantity = column_quantity(column).0;
        let all = self.0.iter().find(|(known, _)| *known == quantity).map_or(own, |(_, scale)| scale.max(own));
        // What is not a number is to be seen.
        (own > ROUNDING * all || own.is_nan()).then_some(own)
    }
}

fn largest(history: &History, column: &str) -> f64 {
    let values = history.column(column).unwrap_or_default();
    values.iter().filter(|x| x.is_finite()).fold(0.0, |m: f64, x| m.max(x.abs()))
}
