//! What an expression may call, with first and second derivatives.
//!
//! Derivatives are those to the right at jumps and kinks as far as the branch of the value tells: `abs`, `min`, `max`, `if` and `mod` have that of
//! the piece that holds, `sign`, `floor`, `step` and comparisons have none.

use std::cmp::Ordering;

use super::Callable::{self, If, One, Two};
use crate as math;

const FLAT: fn(f64) -> [f64; 2] = |_| [0.0, 0.0];
const FLAT_2: fn(f64, f64) -> [f64; 5] = |_, _| [0.0; 5];

/// What may be called by name.
pub(super) const FUNCTIONS: [(&str, Callable); 24] = [
    ("sin", One(math::sin, |x| [math::cos(x), -math::sin(x)])),
    ("cos", One(math::cos, |x| [-math::sin(x), -math::cos(x)])),
    (
        "tan",
        One(math::tan, |x| {
            let t = math::tan(x);
            [1.0 + t * t, 2.0 * t * (1.0 + t * t)]
        }),
    ),
    (
        "asin",
        One(math::asin, |x| {
            let c = 1.0 - x * x;
            [1.0 / c.sqrt(), x / (c * c.sqrt())]
        }),
    ),
    (
        "acos",
        One(math::acos, |x| {
            let c = 1.0 - x * x;
            [-1.0 / c.sqrt(), -x / (c * c.sqrt())]
        }),
    ),
    (
        "atan",
        One(math::atan, |x| {
            let c = 1.0 + x * x;
            [1.0 / c, -2.0 * x / (c * c)]
        }),
    ),
    (
        "atan2",
        Two(math::atan2, |y, x| {
            let r = x * x + y * y;
            [x / r, -y / r, -2.0 * x * y / (r * r), (y * y - x * x) / (r * r), 2.0 * x * y / (r * r)]
        }),
    ),
    ("sinh", One(math::sinh, |x| [math::cosh(x), math::sinh(x)])),
    ("cosh", One(math::cosh, |x| [math::sinh(x), math::cosh(x)])),
    (
        "tanh",
        One(math::tanh, |x| {
            let t = math::tanh(x);
            [1.0 - t * t, -2.0 * t * (1.0 - t * t)]
        }),
    ),
    ("exp", One(math::exp, |x| [math::exp(x), math::exp(x)])),
    ("ln", One(math::ln, |x| [1.0 / x, -1.0 / (x * x)])),
    ("log10", One(math::log10, |x| [std::f64::consts::LOG10_E / x, -std::f64::consts::LOG10_E / (x * x)])),
    ("sqrt", One(f64::sqrt, |x| [0.5 / x.sqrt(), -0.25 / (x * x.sqrt())])),
    ("abs", One(f64::abs, |x| [if x < 0.0 { -1.0 } else { 1.0 }, 0.0])),
    ("sign", One(sign, FLAT)),
    ("floor", One(f64::floor, FLAT)),
    // a − b floor(a/b)
    ("mod", Two(f64::rem_euclid, |a, b| [1.0, -((a - a.rem_euclid(b)) / b), 0.0, 0.0, 0.0])),
    ("min", Two(|a, b| choose(a < b, a, b), |a, b| if a < b { FIRST } else { SECOND })),
    ("max", Two(|a, b| choose(a > b, a, b), |a, b| if a > b { FIRST } else { SECOND })),
    (
        "hypot",
        Two(math::hypot, |a, b| {
            let r = math::hypot(a, b);
            let cube = r * r * r;
            [a / r, b / r, b * b / cube, -a * b / cube, a * a / cube]
        }),
    ),
    ("step", One(heaviside, FLAT)),
    ("heaviside", One(heaviside, FLAT)),
    ("if", If),
];

const FIRST: [f64; 5] = [1.0, 0.0, 0.0, 0.0, 0.0];
const SECOND: [f64; 5] = [0.0, 1.0, 0.0, 0.0, 0.0];

pub(super) const ADD: Callable = Two(|a, b| a + b, |_, _| [1.0, 1.0, 0.0, 0.0, 0.0]);
pub(super) const SUBTRACT: Callable = Two(|a, b| a - b, |_, _| [1.0, -1.0, 0.0, 0.0, 0.0]);
pub(super) const MULTIPLY: Callable = Two(|a, b| a * b, |a, b| [b, a, 0.0, 1.0, 0.0]);
pub(super) const DIVIDE: Callable =
    Two(|a, b| a / b, |a, b| [1.0 / b, -a / (b * b), 0.0, -1.0 / (b * b), 2.0 * a / (b * b * b)]);
pub(super) const NEGATE: Callable = One(|x| -x, |_| [-1.0, 0.0]);
pub(super) const POWER: Callable = Two(math::powf, |a, b| {
    // A constant exponent needs no logarithm, which a negative base does not have.
    let power = |factor: f64, exponent: f64| if factor.abs() > 0.0 { factor * math::powf(a, exponent) } else { 0.0 };
    let ln = math::ln(a);
    let f = math::powf(a, b);
    [power(b, b - 1.0), f * ln, power(b * (b - 1.0), b - 2.0), power(1.0, b - 1.0) * (1.0 + b * ln), f * ln * ln]
});

/// The comparison of a symbol: 1 where it holds, else 0.
pub(super) fn comparison(symbol: &str) -> Callable {
    Two(
        match symbol {
            "<=" => |a, b| compared(a <= b, a, b),
            ">=" => |a, b| compared(a >= b, a, b),
            "==" => |a, b| compared(a.partial_cmp(&b) == Some(Ordering::Equal), a, b),
            "!=" => |a, b| compared(a.partial_cmp(&b) != Some(Ordering::Equal), a, b),
            "<" => |a, b| compared(a < b, a, b),
            _ => |a, b| compared(a > b, a, b),
        },
        FLAT_2,
    )
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

/// 0 below zero, else 1.
fn heaviside(x: f64) -> f64 {
    if x.is_nan() { x } else { f64::from(u8::from(x >= 0.0)) }
}

/// `a` where the condition is not zero, else `b`; the other may be anything.
pub(super) fn branch(condition: f64, a: f64, b: f64) -> f64 {
    match condition {
        c if c.is_nan() => c,
        c if c.abs() > 0.0 => a,
        _ => b,
    }
}

/// One of two; `min` and `max` so made keep what is not a number, which those of the standard library lose.
fn choose(first: bool, a: f64, b: f64) -> f64 {
    match (first, a.is_nan()) {
        (true, _) | (false, true) => a,
        (false, false) => b,
    }
}

/// 1 where a comparison holds, else 0; what is not a number is neither above nor below.
fn compared(holds: bool, a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { f64::from(u8::from(holds)) }
}
