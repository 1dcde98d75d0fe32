//! Units in words, in cases and in expressions: `Mm(10)`.
//!
//! ```text
//! Word(v)  =  v · times / over   in SI
//! ```
//! Both factors are whole numbers, so that of the usual units one rounding remains: `Cm(57)` is 0.57. A year is the Julian one, 365.25 days.

/// What a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitQuantity {
    /// In seconds.
    Time,
    /// In metres.
    Length,
    /// In metres a second.
    Speed,
    /// In pascals.
    Pressure,
    /// In kilograms.
    Mass,
}

impl UnitQuantity {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Length => "length",
            Self::Speed => "speed",
            Self::Pressure => "pressure",
            Self::Mass => "mass",
        }
    }

    /// The unit of a bare number.
    #[must_use]
    pub fn si(self) -> &'static str {
        match self {
            Self::Time => "s",
            Self::Length => "m",
            Self::Speed => "m/s",
            Self::Pressure => "Pa",
            Self::Mass => "kg",
        }
    }

    /// Its units.
    #[must_use]
    pub fn units(self) -> Vec<&'static str> {
        UNITS.iter().filter(|unit| unit.quantity == self).map(|unit| unit.name).collect()
    }
}

/// One word and its meaning.
#[derive(Clone, Copy, Debug)]
pub struct UnitWord {
    /// The word.
    pub name: &'static str,
    /// What it measures.
    pub quantity: UnitQuantity,
    pub(crate) times: f64,
    pub(crate) over: f64,
}

const fn unit(name: &'static str, quantity: UnitQuantity, times: f64, over: f64) -> UnitWord {
    UnitWord { name, quantity, times, over }
}

/// Every word.
pub const UNITS: [UnitWord; 18] = [
    unit("Minutes", UnitQuantity::Time, 60.0, 1.0),
    unit("Hours", UnitQuantity::Time, 3600.0, 1.0),
    unit("Days", UnitQuantity::Time, 86_400.0, 1.0),
    unit("Years", UnitQuantity::Time, 31_557_600.0, 1.0),
    unit("Kyr", UnitQuantity::Time, 31_557_600e3, 1.0),
    unit("Myr", UnitQuantity::Time, 31_557_600e6, 1.0),
    unit("Um", UnitQuantity::Length, 1.0, 1e6),
    unit("Mm", UnitQuantity::Length, 1.0, 1e3),
    unit("Cm", UnitQuantity::Length, 1.0, 1e2),
    unit("Km", UnitQuantity::Length, 1e3, 1.0),
    unit("MmPerYear", UnitQuantity::Speed, 1.0, 31_557_600e3),
    unit("CmPerYear", UnitQuantity::Speed, 1.0, 31_557_600e2),
    unit("KmPerHour", UnitQuantity::Speed, 1e3, 3600.0),
    unit("KPa", UnitQuantity::Pressure, 1e3, 1.0),
    unit("MPa", UnitQuantity::Pressure, 1e6, 1.0),
    unit("GPa", UnitQuantity::Pressure, 1e9, 1.0),
    unit("Grams", UnitQuantity::Mass, 1.0, 1e3),
    unit("Tonnes", UnitQuantity::Mass, 1e3, 1.0),
];

impl UnitWord {
    /// The unit of a word; small and capital letters differ.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static UnitWord> {
        UNITS.iter().find(|unit| unit.name == name)
    }

    /// The first that stands before a bracket in the text of an expression.
    #[must_use]
    pub fn first_in(formula: &str) -> Option<&'static UnitWord> {
        let mut before = formula.match_indices('(').map(|(at, _)| formula[..at].trim_end());
        before.find_map(|text| Self::named(text.rsplit(|c: char| !c.is_alphanumeric()).next()?))
    }

    /// So many of it, in SI.
    #[must_use]
    pub fn si(&self, value: f64) -> f64 {
        value * self.times / self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_in_formulas() {
        let first = |text: &str| UnitWord::first_in(text).map(|unit| unit.name);
        assert_eq!(first("2*sin(t) + Mm (3) - Km(1)"), Some("Mm"));
        assert_eq!(first("é(1)«Km(2)"), Some("Km"));
        assert_eq!(first("Mm + xMm(2) + max(1, 2)"), None);
        assert_eq!(first(""), None);
    }
}
