//! Axes: round tick values, powers of ten for logarithmic ones, and SI prefixes so that numbers stay short.

/// A unit with an SI prefix.
#[derive(Clone, Debug, PartialEq)]
pub struct PrefixedUnit {
    /// One of this unit in the unit without prefix.
    pub size: f64,
    /// Its symbol, prefix included.
    pub symbol: String,
}

/// A Julian year \[s\].
const YEAR: f64 = 3.15576e7;
/// From here on times are given in years \[s\].
const LONG: f64 = 1e8;

const PREFIXES: [(i32, &str); 8] = [(-9, "n"), (-6, "µ"), (-3, "m"), (0, ""), (3, "k"), (6, "M"), (9, "G"), (12, "T")];

impl PrefixedUnit {
    /// The prefix that shows `largest` (in the plain unit) as a number between 1 and 1000. Beyond the prefixes a power of
    /// ten is put before the unit.
    #[must_use]
    pub fn fitting(largest: f64, symbol: &str) -> Self {
        let plain = Self { size: 1.0, symbol: symbol.to_owned() };
        if symbol.is_empty() || !largest.is_finite() || largest <= 0.0 {
            return plain;
        }
        // A prefix of a square counts twice: 1 mm² is 1e-6 m².
        let power = if symbol.ends_with('²') { 2 } else { 1 };
        // Rounded up a little: 0.9999 of a unit is one of them.
        // Squares have few prefixes: from 0.01 to 10⁴ of a unit rather than from 1 to 10⁶.
        let shift = if power == 2 { 100.0 } else { 1.0 };
        let decade = 3 * power * ((largest * 1.001 * shift).log10() / f64::from(3 * power)).floor() as i32;
        match PREFIXES.iter().find(|(e, _)| *e * power == decade) {
            Some((_, prefix)) => Self { size: 10_f64.powi(decade), symbol: format!("{prefix}{symbol}") },
            None => Self { size: 10_f64.powi(decade), symbol: format!("10{} {symbol}", superscript(decade)) },
        }
    }

    /// A time \[s\] in words: as any other value, but in years where seconds say nothing.
    #[must_use]
    pub fn show_time(seconds: f64) -> String {
        if seconds.abs() < LONG || !seconds.is_finite() {
            return Self::show(seconds, "s");
        }
        Self::show(seconds / YEAR, "yr")
    }

    /// A value in the plain unit, in words: `12.3 µs`.
    #[must_use]
    pub fn show(value: f64, symbol: &str) -> String {
        if symbol.is_empty() {
            return bare(value);
        }
        if value.abs() <= 0.0 {
            return format!("0 {symbol}");
        }
        let unit = Self::fitting(value.abs(), symbol);
        if unit.symbol.starts_with("10") || !value.is_finite() {
            return format!("{value:.3e} {symbol}");
        }
        let x = value / unit.size;
        let size = x.abs();
        let text = match size {
            _ if !(0.9..1000.0).contains(&size) => format!("{x:.3e}"),
            _ if size < 10.0 => format!("{x:.3}"),
            _ if size < 100.0 => format!("{x:.2}"),
            _ => format!("{x:.1}"),
        };
        format!("{text} {}", unit.symbol)
    }
}

/// Four digits of a number without unit.
fn bare(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size <= 0.0 => "0".to_owned(),
        _ if (1e-3..1e4).contains(&size) => {
            let digits = (3.0 - size.log10().floor()).max(0.0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.3e}"),
    }
}

/// A value on an axis and the text beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where.
    pub value: f64,
    /// What is written.
    pub text: String,
}

/// Round values within [low, high], about `wanted` of them; only whole numbers if so asked.
#[must_use]
pub fn linear_ticks(low: f64, high: f64, wanted: usize, whole: bool) -> Vec<Tick> {
    let span = high - low;
    if !span.is_finite() || span <= 0.0 {
        return Vec::new();
    }
    let raw = span / wanted.max(1) as f64;
    let raw = if whole { raw.max(1.0) } else { raw };
    let decade = 10_f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * decade >= raw).unwrap_or(10.0);
    let step = factor * decade;
    // Digits after the point that tell two neighbours apart.
    let digits = (-step.log10().floor()).max(0.0) as usize;
    // Ends count as inside when they are off by round-off.
    let (first, last) = ((low / step - 1e-6).ceil() as i64, (high / step + 1e-6).floor() as i64);
    let label = |x: f64| {
        let big = low.abs().max(high.abs());
        match x {
            _ if x.abs() <= 0.0 => "0".to_owned(),
            _ if (1e-4..1e6).contains(&big) => format!("{x:.digits$}"),
            _ => format!("{x:.1e}"),
        }
    };
    (first..=last).take(100).map(|k| k as f64 * step).map(|value| Tick { value, text: label(value) }).collect()
}

/// Powers of ten from 10^low to 10^high, at most `most` of them; `value` is the exponent.
#[must_use]
pub fn decade_ticks(low: i32, high: i32, most: usize) -> Vec<Tick> {
    let span = (high - low).max(0) as usize;
    let every = span.div_ceil(most.max(1)).max(1);
    (low..=high).rev().step_by(every).map(|e| Tick { value: f64::from(e), text: power_of_ten(e) }).collect()
}

/// 10 to the power `e`, as it is written.
#[must_use]
pub fn power_of_ten(e: i32) -> String {
    format!("10{}", superscript(e))
}

fn superscript(e: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    e.to_string().chars().map(digit).collect()
}

/// The largest 1, 2 or 5 times a power of ten that is not above `x`; 0 for what is not positive.
#[must_use]
pub fn round_down(x: f64) -> f64 {
    if !x.is_finite() || x <= 0.0 {
        return 0.0;
    }
    let decade = 10_f64.powf(x.log10().floor());
    let fits = |f: &&f64| **f * decade <= x * (1.0 + 1e-9);
    [5.0, 2.0, 1.0].iter().find(fits).map_or(0.5 * decade, |f| f * decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|t| t.text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(texts(&linear_ticks(0.0, 10.0, 5, false)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(texts(&linear_ticks(-0.3, 0.31, 6, false)), ["-0.2", "0", "0.2"]);
        assert_eq!(texts(&linear_ticks(0.0, 200.34, 5, false)), ["0", "50", "100", "150", "200"]);
        assert_eq!(texts(&linear_ticks(0.0, 2.12, 6, true)), ["0", "1", "2"]);
        assert_eq!(texts(&linear_ticks(0.0, 19.999_999_99, 6, false)).last(), Some(&"20"));
        assert_eq!(texts(&linear_ticks(0.0, 3e8, 3, false)), ["0", "1.0e8", "2.0e8", "3.0e8"]);
        assert!(linear_ticks(1.0, 1.0, 5, false).is_empty() && linear_ticks(0.0, f64::NAN, 5, false).is_empty());
    }

    #[test]
    fn powers_of_ten() {
        assert_eq!(texts(&decade_ticks(-16, -12, 8)), ["10⁻¹²", "10⁻¹³", "10⁻¹⁴", "10⁻¹⁵", "10⁻¹⁶"]);
        assert_eq!(texts(&decade_ticks(-12, 0, 6)), ["10⁰", "10⁻²", "10⁻⁴", "10⁻⁶", "10⁻⁸", "10⁻¹⁰", "10⁻¹²"]);
    }

    #[test]
    fn prefixes_keep_numbers_between_one_and_a_thousand() {
        for (x, symbol) in [
            (2e-4, "µs"),
            (1e-3, "ms"),
            (0.9999, "s"),
            (0.5, "ms"),
            (1.0, "s"),
            (1e31, "10³⁰ s"),
            (2e-19, "10⁻²¹ s"),
            (0.0, "s"),
            (5e4, "ks"),
        ] {
            assert_eq!(PrefixedUnit::fitting(x, "s").symbol, symbol, "{x}");
        }
        for (x, symbol, size) in
            [(2e-3, "mm²", 1e-6), (0.2, "m²", 1.0), (3.0, "m²", 1.0), (2e-9, "µm²", 1e-12), (5e6, "km²", 1e6)]
        {
            let unit = PrefixedUnit::fitting(x, "m²");
            assert!(unit.symbol == symbol && (unit.size / size - 1.0).abs() < 1e-12, "{x}: {}", unit.symbol);
        }
        assert_eq!(PrefixedUnit::show(2.0034e-4, "s"), "200.3 µs");
        assert_eq!(PrefixedUnit::show(-5.1, "m/s"), "-5.100 m/s");
        assert_eq!(PrefixedUnit::show(0.0, "J"), "0 J");
        for (x, text) in [(0.0, "0"), (5.68, "5.680"), (-0.1738, "-0.1738"), (1234.5, "1234"), (2e-5, "2.000e-5")] {
            assert_eq!(PrefixedUnit::show(x, ""), text);
        }
        assert_eq!(PrefixedUnit::show(2.77e-19, "m"), "2.770e-19 m");
    }

    #[test]
    fn long_times_are_told_in_years() {
        for (t, text) in [
            (3.15576e13, "1.000 Myr"),
            (1.57788e11, "5.000 kyr"),
            (-3.15576e8, "-10.00 yr"),
            (9.9e7, "99.00 Ms"),
            (2.0034e-4, "200.3 µs"),
            (0.0, "0 s"),
            (f64::INFINITY, "inf s"),
        ] {
            assert_eq!(PrefixedUnit::show_time(t), text);
        }
    }

    #[test]
    fn rounding_down_to_one_two_five() {
        for (x, expected) in [(1.0, 1.0), (1.99, 1.0), (49.0, 20.0), (50.0, 50.0), (0.03, 0.02), (7e5, 5e5)] {
            assert!((round_down(x) - expected).abs() < 1e-9 * expected, "{x} {}", round_down(x));
        }
        assert!(round_down(f64::NAN).abs() < 1e-300 && round_down(-1.0).abs() < 1e-300);
    }
}
