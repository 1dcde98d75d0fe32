//! Contact problems to and from serde formats: arrays of plain numbers, so that any tool can read a dumped problem.
//!
//! Blocks are written row by row. NaN and infinities, which JSON has no number for, are written as text ("NaN", "inf", "-inf"):
//! a problem is written when a step failed, and such values are often the reason.

use serde::de::{Deserializer, Error as _, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::error::SolverError;
use crate::linalg::{Matrix, Vector};
use crate::operator::BlockMatrix;
use crate::problem::{AlongMargin, Cone, ConeSection, ContactProblem, Derived, Margin, ResistanceLimits};

/// A number that survives formats without NaN.
struct DumpNumber(f64);

impl Serialize for DumpNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string())
        }
    }
}

impl<'de> Deserialize<'de> for DumpNumber {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        deserializer.deserialize_any(DumpNumberVisitor)
    }
}

struct DumpNumberVisitor;

impl Visitor<'_> for DumpNumberVisitor {
    type Value = DumpNumber;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number, or one of \"NaN\", \"inf\", \"-inf\"")
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<DumpNumber, E> {
        Ok(DumpNumber(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<DumpNumber, E> {
        Ok(DumpNumber(value as f64))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<DumpNumber, E> {
        Ok(DumpNumber(value as f64))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<DumpNumber, E> {
        value.parse().map(DumpNumber).map_err(|_| E::custom(format!("`{value}` is not a number")))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LawDump {
    cone: ConeDump,
    v_shift: Vec<DumpNumber>,
    w_shift: Vec<DumpNumber>,
    p_shift: Vec<DumpNumber>,
    spring: Vec<DumpNumber>,
    /// Δq_N/τ and h ΔR_N over the tolerance, then ΔU_T and h ΔR_T if they are others; none: nothing is too small.
    #[serde(default)]
    margin: Vec<DumpNumber>,
    /// Axis (two numbers) and ratio of an elliptic section; none: a circle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    section: Vec<DumpNumber>,
}

#[derive(Serialize, Deserialize)]
enum ConeDump {
    Open,
    Coulomb(DumpNumber),
    Bilateral,
    /// Bounds.
    Within([DumpNumber; 2]),
    /// The contact that bounds it, μ_s/ℓ and μ_r/ℓ.
    Turning(usize, DumpNumber, DumpNumber),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProblemDump {
    dimension: usize,
    n_contacts: usize,
    /// Number of blocks of each row.
    row_lengths: Vec<usize>,
    columns: Vec<usize>,
    /// D² numbers per block, row by row [1/kg].
    blocks: Vec<DumpNumber>,
    v_free: Vec<DumpNumber>,
    laws: Vec<LawDump>,
}

fn numbers(values: &[f64]) -> Vec<DumpNumber> {
    values.iter().copied().map(DumpNumber).collect()
}

fn check(what: &'static str, expected: usize, found: usize) -> Result<(), SolverError> {
    if expected == found { Ok(()) } else { Err(SolverError::SizeMismatch { what, expected, found }) }
}

fn vector<const D: usize>(what: &'static str, values: &[DumpNumber]) -> Result<Vector<D>, SolverError> {
    check(what, D, values.len())?;
    Ok(Vector::<D>::from_fn(|i, _| values[i].0))
}

impl<const D: usize> From<&ContactProblem<D>> for ProblemDump {
    fn from(problem: &ContactProblem<D>) -> Self {
        let n = problem.n();
        let mut dump = Self {
            dimension: D,
            n_contacts: n,
            row_lengths: Vec::with_capacity(n),
            columns: Vec::with_capacity(problem.operator.n_blocks()),
            blocks: Vec::with_capacity(problem.operator.n_blocks() * D * D),
            v_free: problem.v_free.iter().flat_map(|v| numbers(v.as_slice())).collect(),
            laws: Vec::with_capacity(n),
        };
        for i in 0..n {
            let row = problem.operator.row(i);
            dump.row_lengths.push(row.len());
            dump.columns.extend(row.iter().map(|e| e.0));
            // nalgebra stores by columns; the transpose reads row by row.
            dump.blocks.extend(row.iter().flat_map(|e| numbers(e.1.transpose().as_slice())));
        }
        for law in &problem.laws {
            dump.laws.push(LawDump {
                cone: match law.cone {
                    Cone::Open => ConeDump::Open,
                    Cone::Coulomb(mu) => ConeDump::Coulomb(DumpNumber(mu)),
                    Cone::Bilateral => ConeDump::Bilateral,
                    Cone::Within { across, along } => ConeDump::Within([DumpNumber(across), DumpNumber(along)]),
                    Cone::Turning(t) => ConeDump::Turning(t.of, DumpNumber(t.spinning), DumpNumber(t.rolling)),
                },
                v_shift: numbers(law.v_shift.as_slice()),
                w_shift: numbers(law.w_shift.as_slice()),
                p_shift: numbers(law.p_shift.as_slice()),
                spring: numbers(law.spring.as_slice()),
                margin: match law.margin.along {
                    None => numbers(&[law.margin.velocity, law.margin.impulse]),
                    Some(along) => numbers(&[law.margin.velocity, law.margin.impulse, along.velocity, along.impulse]),
                },
                section: match law.section {
                    ConeSection::Circle => Vec::new(),
                    ConeSection::Ellipse { axis, ratio } => numbers(&[axis[0], axis[1], ratio]),
                },
            });
        }
        dump
    }
}

impl<const D: usize> TryFrom<ProblemDump> for ContactProblem<D> {
    type Error = SolverError;

    fn try_from(dump: ProblemDump) -> Result<Self, SolverError> {
        check("dimension", D, dump.dimension)?;
        check("row_lengths", dump.n_contacts, dump.row_lengths.len())?;
        let total = dump.row_lengths.iter().fold(0_usize, |sum, &k| sum.saturating_add(k));
        check("columns", total, dump.columns.len())?;
        check("blocks", total.saturating_mul(D * D), dump.blocks.len())?;
        check("v_free", dump.n_contacts.saturating_mul(D), dump.v_free.len())?;
        check("laws", dump.n_contacts, dump.laws.len())?;
        let mut entries = dump
            .columns
            .iter()
            .zip(dump.blocks.chunks_exact(D * D))
            .map(|(&column, block)| (column, Matrix::<D>::from_fn(|i, j| block[i * D + j].0)));
        let rows = dump.row_lengths.iter().map(|&k| entries.by_ref().take(k).collect()).collect();
        let laws = dump.laws.iter().map(derived).collect::<Result<_, _>>()?;
        Ok(Self {
            operator: BlockMatrix::from_rows(rows)?,
            v_free: dump.v_free.chunks_exact(D).map(|v| Vector::<D>::from_fn(|i, _| v[i].0)).collect(),
            laws,
        })
    }
}

fn derived<const D: usize>(law: &LawDump) -> Result<Derived<D>, SolverError> {
    Ok(Derived {
        v_shift: vector("v_shift", &law.v_shift)?,
        w_shift: vector("w_shift", &law.w_shift)?,
        p_shift: vector("p_shift", &law.p_shift)?,
        spring: vector("spring", &law.spring)?,
        cone: match &law.cone {
            ConeDump::Open => Cone::Open,
            ConeDump::Coulomb(mu) => Cone::Coulomb(mu.0),
            ConeDump::Bilateral => Cone::Bilateral,
            ConeDump::Within([across, along]) => Cone::Within { across: across.0, along: along.0 },
            ConeDump::Turning(of, spinning, rolling) => {
                Cone::Turning(ResistanceLimits { of: *of, spinning: spinning.0, rolling: rolling.0 })
            }
        },
        section: match law.section.as_slice() {
            [] => ConeSection::Circle,
            [x, y, ratio] => ConeSection::Ellipse { axis: [x.0, y.0], ratio: ratio.0 },
            other => return Err(SolverError::SizeMismatch { what: "section", expected: 3, found: other.len() }),
        },
        margin: match law.margin.as_slice() {
            [] => Margin::default(),
            [velocity, impulse] => Margin { velocity: velocity.0, impulse: impulse.0, along: None },
            [velocity, impulse, sliding, drag] => Margin {
                velocity: velocity.0,
                impulse: impulse.0,
                along: Some(AlongMargin { velocity: sliding.0, impulse: drag.0 }),
            },
            other => return Err(SolverError::SizeMismatch { what: "margin", expected: 2, found: other.len() }),
        },
    })
}

impl<const D: usize> Serialize for ContactProblem<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ProblemDump::from(self).serialize(serializer)
    }
}

impl<'de, const D: usize> Deserialize<'de> for ContactProblem<D> {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        Self::try_from(ProblemDump::deserialize(deserializer)?).map_err(De::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BodyKind, Random, random_problem};

    #[test]
    fn json_round_trip_keeps_every_number() {
        let mut random = Random::new(5);
        let mut problem = random_problem(&mut random, 4, BodyKind::Deformable);
        problem.laws[1].cone = Cone::Open;
        problem.laws[2].cone = Cone::Bilateral;
        problem.laws[0].section = ConeSection::Ellipse { axis: [0.6, 0.8], ratio: 0.25 };
        let along = Some(AlongMargin { velocity: 0.5, impulse: 2.0 });
        problem.laws[3].margin = Margin { velocity: 0.25, impulse: 4.0, along };
        let text = serde_json::to_string(&problem).unwrap();
        let back: ContactProblem<2> = serde_json::from_str(&text).unwrap();
        // The fast float parser of serde_json may miss the last bit: 4 ulp.
        let close = |x: f64, y: f64| (x - y).abs() <= 4.0 * f64::EPSILON * x.abs();
        for i in 0..4 {
            for j in 0..4 {
                let (x, y) = (problem.operator.block(i, j), back.operator.block(i, j));
                assert!(x.iter().zip(y.iter()).all(|(&x, &y)| close(x, y)));
            }
            assert!(problem.v_free[i].iter().zip(back.v_free[i].iter()).all(|(&x, &y)| close(x, y)));
            let (x, y) = (problem.laws[i], back.laws[i]);
            assert!(x.v_shift.iter().zip(y.v_shift.iter()).all(|(&x, &y)| close(x, y)));
            assert_eq!(std::mem::discriminant(&x.cone), std::mem::discriminant(&y.cone));
        }
        assert_eq!(back.laws[2].cone, Cone::Bilateral);
        assert_eq!((back.laws[0].section, back.laws[3].margin), (problem.laws[0].section, problem.laws[3].margin));
        assert_eq!((back.laws[1].section, back.laws[1].margin), (ConeSection::Circle, Margin::default()));
    }

    #[test]
    fn non_finite_numbers_survive() {
        let mut problem = random_problem(&mut Random::new(6), 2, BodyKind::Deformable);
        problem.v_free[0][0] = f64::NAN;
        problem.v_free[1][1] = f64::NEG_INFINITY;
        let text = serde_json::to_string(&problem).unwrap();
        let back: ContactProblem<2> = serde_json::from_str(&text).unwrap();
        assert!(back.v_free[0][0].is_nan());
        assert!(back.v_free[1][1].is_infinite() && back.v_free[1][1] < 0.0);
    }

    #[test]
    fn wrong_dumps_are_refused_with_the_reason() {
        let problem = random_problem(&mut Random::new(7), 2, BodyKind::Deformable);
        let text = serde_json::to_string(&problem).unwrap();
        let wrong = |from: &str, to: &str, reason: &str| {
            assert!(text.contains(from), "{from}");
            let error = serde_json::from_str::<ContactProblem<2>>(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        };
        wrong("\"dimension\":2", "\"dimension\":3", "dimension: 3 entries, but 2");
        wrong("\"row_lengths\":[2,2]", "\"row_lengths\":[2,1]", "columns: 4 entries, but 3");
        wrong("\"columns\":[0,1,", "\"columns\":[0,7,", "column 7 does not exist");
        wrong("\"columns\":[0,1,", "\"columns\":[1,1,", "given twice");
        wrong("\"n_contacts\":2", "\"n_contacts\":\"two\"", "invalid type");
        wrong("\"p_shift\":[0.0,0.0]", "\"p_shift\":[0.0]", "p_shift: 1 entries");
        wrong("\"p_shift\":[0.0,", "\"p_shift\":[\"nil\",", "not a number");
    }
}
