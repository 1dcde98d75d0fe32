//! Units in words: `Years(1e6)`, `Km(20)`, `MmPerYear(1.04)` wherever a number may stand.
//!
//! ```text
//! Word(v)  =  v · times / over   in SI
//! ```
//! Both factors are whole numbers, so that of the usual units one rounding remains: `Cm(57)` is 0.57. A year is the
//! Julian one, 365.25 days. Which key takes which quantity is the caller's to say, by [`UnitRules`]; keys without a
//! rule take any unit, and serde judges the number.

use delassus_error::Code;

use super::de::options;
use super::tree::{Kind, Node, shortened};
use super::words::choice;
use crate::codes;

/// What a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
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

impl Quantity {
    /// In words.
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
    pub fn si(self) -> &'static str {
        match self {
            Self::Time => "s",
            Self::Length => "m",
            Self::Speed => "m/s",
            Self::Pressure => "Pa",
            Self::Mass => "kg",
        }
    }

    fn units(self) -> Vec<&'static str> {
        UNITS.iter().filter(|unit| unit.quantity == self).map(|unit| unit.name).collect()
    }
}

/// One word and what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// The word.
    pub name: &'static str,
    /// What it measures.
    pub quantity: Quantity,
    times: f64,
    over: f64,
}

const fn unit(name: &'static str, quantity: Quantity, times: f64, over: f64) -> Unit {
    Unit { name, quantity, times, over }
}

/// Every word.
pub const UNITS: [Unit; 18] = [
    unit("Minutes", Quantity::Time, 60.0, 1.0),
    unit("Hours", Quantity::Time, 3600.0, 1.0),
    unit("Days", Quantity::Time, 86_400.0, 1.0),
    unit("Years", Quantity::Time, 31_557_600.0, 1.0),
    unit("Kyr", Quantity::Time, 31_557_600e3, 1.0),
    unit("Myr", Quantity::Time, 31_557_600e6, 1.0),
    unit("Um", Quantity::Length, 1.0, 1e6),
    unit("Mm", Quantity::Length, 1.0, 1e3),
    unit("Cm", Quantity::Length, 1.0, 1e2),
    unit("Km", Quantity::Length, 1e3, 1.0),
    unit("MmPerYear", Quantity::Speed, 1.0, 31_557_600e3),
    unit("CmPerYear", Quantity::Speed, 1.0, 31_557_600e2),
    unit("KmPerHour", Quantity::Speed, 1e3, 3600.0),
    unit("KPa", Quantity::Pressure, 1e3, 1.0),
    unit("MPa", Quantity::Pressure, 1e6, 1.0),
    unit("GPa", Quantity::Pressure, 1e9, 1.0),
    unit("Grams", Quantity::Mass, 1.0, 1e3),
    unit("Tonnes", Quantity::Mass, 1e3, 1.0),
];

impl Unit {
    /// The unit of a word; small and capital letters differ.
    pub fn named(name: &str) -> Option<&'static Unit> {
        UNITS.iter().find(|unit| unit.name == name)
    }

    /// So many of it, in SI.
    pub fn si(&self, value: f64) -> f64 {
        value * self.times / self.over
    }
}

/// What the number at a key measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A quantity that has units in words.
    Of(Quantity),
    /// Whatever the value that holds it does: the number of a function of time.
    Outer,
    /// Something in an SI unit that no word stands for; the empty text for a pure number.
    Bare(&'static str),
}

/// Which units may stand where.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitRules {
    /// Name before the brackets that hold the key (empty for any), key, and what it measures; the first that fits
    /// holds. A key that is a number is the place in the rows of `Name([(…), …])`.
    pub keys: &'static [(&'static str, &'static str, Measure)],
    /// Why there are no units at all, if so.
    pub none: Option<&'static str>,
}

impl UnitRules {
    /// The rule for a key in brackets with a name.
    pub fn find(&self, holder: &str, key: &str) -> Option<Measure> {
        let fits = |rule: &&(&str, &str, Measure)| rule.1 == key && (rule.0.is_empty() || rule.0 == holder);
        self.keys.iter().find(fits).map(|rule| rule.2)
    }

    /// What a value measures, and what is said to measure it.
    fn of(&self, node: Node<'_>) -> Option<(String, Measure)> {
        let mut node = node;
        loop {
            let (holder, key, said) = match node.key() {
                Some(key) => (node.parent()?, key.clone(), format!("`{key}`")),
                None => match row(node) {
                    Some((table, column)) => {
                        let name = table.name().unwrap_or_default();
                        (table, column.to_string(), format!("number {} in a row of `{name}`", column + 1))
                    }
                    None => {
                        node = node.parent()?;
                        continue;
                    }
                },
            };
            match self.find(holder.name().unwrap_or_default(), &key) {
                Some(Measure::Outer) => node = holder,
                Some(measure) => return Some((said, measure)),
                None if node.key().is_some() => return None,
                None => node = node.parent()?,
            }
        }
    }
}

/// `Name([(…), …])` around one of the first values of a row, and the value's place in the row.
fn row(node: Node<'_>) -> Option<(Node<'_>, usize)> {
    const LONGEST: usize = 8;
    let row = node.parent().filter(|row| row.kind() == Kind::Tuple && row.name().is_none())?;
    let list = row.parent().filter(|list| list.kind() == Kind::List)?;
    let table = list.parent().filter(|table| table.kind() == Kind::Tuple && table.name().is_some())?;
    let column = row.children().take(LONGEST).position(|child| child == node)?;
    Some((table, column))
}

/// What is wrong with a unit, and the way out.
pub(super) struct Fault {
    /// The reason.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Fault {
    fn new(code: Code, message: String, help: impl Into<Option<String>>) -> Self {
        Self { code, message, help: help.into() }
    }
}

/// The number in SI that a value with a unit stands for; nothing if it is no unit and not meant as one.
pub(super) fn convert(node: Node<'_>, rules: &UnitRules) -> Option<Result<f64, Fault>> {
    let name = node.name()?;
    let bracketed = matches!(node.kind(), Kind::Tuple | Kind::Unit | Kind::Struct);
    let Some(unit) = Unit::named(name) else {
        return unknown(node, name, rules).map(Err);
    };
    let measure = rules.of(node);
    // A word alone may be a variant of an enum: only where a quantity is due it is a unit without its number.
    let alone = node.kind() == Kind::Ident && matches!(measure, Some((_, Measure::Of(_))));
    if !bracketed && !alone {
        return None;
    }
    Some(number(node, unit, rules).and_then(|value| match measure {
        Some((said, measure)) => fits(unit, &said, measure).map(|()| value),
        None => Ok(value),
    }))
}

fn number(node: Node<'_>, unit: &Unit, rules: &UnitRules) -> Result<f64, Fault> {
    if let Some(why) = rules.none {
        let message = format!("no unit such as `{}` here: {why}", unit.name);
        return Err(Fault::new(codes::UNIT_IN_PLAIN, message, String::from("write a bare number")));
    }
    let mut children = node.children();
    let value = match (node.kind(), children.next(), children.next()) {
        (Kind::Tuple, Some(only), None) if only.kind() == Kind::Number => options().from_str::<f64>(only.text()).ok(),
        _ => None,
    };
    let Some(value) = value else {
        let help = match node.children().count() {
            0 | 1 => format!("write the number in brackets: `{}(1.0)`", unit.name),
            _ => format!("each number has its own unit: `({0}(1.0), {0}(2.0))`", unit.name),
        };
        let message = format!("`{}` takes one number, found `{}`", unit.name, shortened(node.text()));
        return Err(Fault::new(codes::UNIT_NUMBER, message, help));
    };
    let si = unit.si(value);
    if value.is_finite() && !si.is_finite() {
        let message = format!("`{}` is too large for a number in SI units", shortened(node.text()));
        return Err(Fault::new(codes::UNIT_OVERFLOW, message, None));
    }
    Ok(si)
}

fn fits(unit: &Unit, said: &str, measure: Measure) -> Result<(), Fault> {
    let Unit { name, quantity, .. } = *unit;
    match measure {
        Measure::Of(due) if due == quantity => Ok(()),
        Measure::Of(due) => {
            let message = format!("{said} is a {}: {name} is a unit of {}", due.name(), quantity.name());
            let help = choice("", &due.units(), &format!("units of {}", due.name())) + &bare(due.si());
            Err(Fault::new(codes::UNIT_OF_OTHER, message, help))
        }
        Measure::Bare("") => {
            let message = format!("{said} is a number without unit: {name} is a unit of {}", quantity.name());
            Err(Fault::new(codes::UNIT_OF_BARE, message, None))
        }
        Measure::Bare(si) => {
            let message = format!("{said} is in {si}: {name} is a unit of {}", quantity.name());
            Err(Fault::new(codes::UNIT_OF_BARE, message, format!("write a bare number, in {si}")))
        }
        Measure::Outer => Ok(()),
    }
}

fn bare(si: &str) -> String {
    format!("; a bare number is in {si}")
}

/// Numbers under a name that is no unit, where a quantity is due. ron would forget the name before the numbers of a
/// vector, and read another quantity than was meant.
fn unknown(node: Node<'_>, name: &str, rules: &UnitRules) -> Option<Fault> {
    let numbers = node.kind() == Kind::Tuple && node.children().all(|child| child.kind() == Kind::Number);
    if !numbers || rules.keys.iter().any(|(holder, ..)| *holder == name) {
        return None;
    }
    let (_, Measure::Of(due)) = rules.of(node)? else {
        return None;
    };
    let help = match rules.none {
        Some(_) => String::from("write bare numbers"),
        None => choice(name, &due.units(), &format!("units of {}", due.name())) + &bare(due.si()),
    };
    Some(Fault::new(codes::UNKNOWN_UNIT, format!("no unit `{name}`"), help))
}
