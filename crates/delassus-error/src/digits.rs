//! Numbers in messages: at most six digits. Files keep all digits.

/// Significant digits shown.
const DIGITS: usize = 6;

/// A component that is smaller than this part of the largest is rounding of it.
const ROUNDING: f64 = 1e-12;

/// A number with six significant digits at most, trailing zeros left out: `0.3`, `1.11803`, `2.5e-5`.
#[must_use]
pub fn short(x: f64) -> String {
    if !x.is_finite() || x.abs() <= 0.0 {
        return if x.is_finite() { String::from("0") } else { x.to_string() };
    }
    let scientific = format!("{x:.*e}", DIGITS - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..=5).contains(&exponent) {
        let decimals = (DIGITS as i32 - 1 - exponent).max(0) as usize;
        return without_zeros(&format!("{x:.decimals$}")).to_owned();
    }
    format!("{}e{exponent}", without_zeros(mantissa))
}

/// A point: `(0.3, 1.2e-5)`. Components that are rounding beside the largest are zero.
#[must_use]
pub fn place(x: &[f64]) -> String {
    let largest = x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let shown = |x: &f64| if x.abs() <= ROUNDING * largest { String::from("0") } else { short(*x) };
    format!("({})", x.iter().map(shown).collect::<Vec<_>>().join(", "))
}

/// From this size on, numbers are written with an exponent.
const COUNTABLE: f64 = 1e6;

/// A number with so many decimals; a huge one by its power of ten.
#[must_use]
pub fn fixed(x: f64, decimals: usize) -> String {
    if x.abs() < COUNTABLE { format!("{x:.decimals$}") } else { format!("{x:.1e}") }
}

/// A part as a percentage of two digits: `+53 %` is written by the caller's sign.
#[must_use]
pub fn percent(part: f64) -> String {
    // Of what vanishes no sign is left.
    let x = if (100.0 * part).abs() < 0.05 { 0.0 } else { 100.0 * part };
    if x.abs() >= 9.95 { format!("{} %", fixed(x, 0)) } else { format!("{} %", without_zeros(&format!("{x:.1}"))) }
}

/// A number of bytes as people read it: `8000 B`, `12.5 kB`, `2.40 TB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    let n = n as f64;
    match n {
        n if n < 1e4 => format!("{n} B"),
        n if n < 1e6 => format!("{:.1} kB", n / 1e3),
        n if n < 1e9 => format!("{:.1} MB", n / 1e6),
        n if n < 1e12 => format!("{:.2} GB", n / 1e9),
        n => format!("{:.2} TB", n / 1e12),
    }
}

fn without_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_noise() {
        let check = |x: f64, expected: &str| assert_eq!(short(x), expected);
        check(0.1 + 0.2, "0.3");
        check(-0.1 - 0.2, "-0.3");
        check(1.0, "1");
        check(120.0, "120");
        check(0.0, "0");
        check(-0.0, "0");
        check(5_f64.sqrt() / 2.0, "1.11803");
        check(0.000_1, "0.0001");
        check(0.000_012_345_678, "1.23457e-5");
        check(123_456.7, "123457");
        check(999_999.9, "1e6");
        check(2.5e-9, "2.5e-9");
        check(1e300, "1e300");
        check(f64::NAN, "NaN");
        check(f64::NEG_INFINITY, "-inf");
    }

    #[test]
    fn sizes() {
        let found = [9999, 12_500, 1_100_000, 4_000_000_000, 2_400_000_000_000].map(bytes);
        assert_eq!(found, ["9999 B", "12.5 kB", "1.1 MB", "4.00 GB", "2.40 TB"]);
    }

    #[test]
    fn places() {
        assert_eq!(place(&[0.1 + 0.2, 6.1e-17]), "(0.3, 0)");
        assert_eq!(place(&[0.0, 0.0, -1.5]), "(0, 0, -1.5)");
        assert_eq!(place(&[1e-9, 2e-9]), "(1e-9, 2e-9)");
    }

    #[test]
    fn percentages() {
        let check = |x: f64, expected: &str| assert_eq!(percent(x), expected);
        check(0.226_4, "23 %");
        check(0.059, "5.9 %");
        check(0.05, "5 %");
        check(0.999_4, "100 %");
        check(1e300, "1.0e302 %");
        check(-1e-9, "0 %");
    }

    #[test]
    fn huge_numbers_have_few_digits() {
        let check = |x: f64, decimals: usize, expected: &str| assert_eq!(fixed(x, decimals), expected);
        check(12.345, 2, "12.35");
        check(999_999.0, 0, "999999");
        check(-2.5e140, 2, "-2.5e140");
        check(f64::NAN, 2, "NaN");
    }
}
