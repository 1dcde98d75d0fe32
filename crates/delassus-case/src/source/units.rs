//! Units in words: `Years(1e6)`, `Km(20)`, `MmPerYear(1.04)` in place of a number; in JSON `{"Km": 20}`. The words are those of
//! [`UNITS`], which expressions have as well. The caller passes the quantity of each path by [`UnitRules`]; numbers without a rule
//! accept any unit, and serde checks the number.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use delassus_error::Code;

use super::de::options;
use super::path::variant;
use super::tree::{NodeKind, TextNode, shortened};
use super::words::choice;
use crate::codes;

pub use delassus_math::{UNITS, UnitQuantity, UnitWord};

/// What the number at a key measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitMeasure {
    /// A quantity that has units in words.
    Of(UnitQuantity),
    /// Whatever the value that holds it does: the number of a function of time.
    Outer,
    /// A quantity in an SI unit without a word; the empty text for a number without unit.
    Bare(&'static str),
    /// An integer: serde refuses it with a unit.
    Count,
    /// What depends on something else: any unit.
    Any,
}

/// What the numbers of a text measure, each by its full path from the root: `bodies[].mesh.Rectangle.corner`.
///
/// A path is made of keys, of names of variants, of `[]` for the items of a list and of `[1]` for a place in a tuple. The
/// names of structs are not part of it, nor are `Some` and the brackets of a newtype. A rule is for every number in the
/// value at its path: for each component of a vector.
#[derive(Clone, Debug, Default)]
pub struct UnitPaths {
    /// Every path that a rule has or goes through, with its rule.
    places: BTreeMap<String, Option<UnitMeasure>>,
}

impl UnitPaths {
    /// Without rules.
    const fn none() -> Self {
        Self { places: BTreeMap::new() }
    }

    /// The rule of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<UnitMeasure> {
        self.places.get(path).copied().flatten()
    }

    fn knows(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }
}

impl FromIterator<(String, UnitMeasure)> for UnitPaths {
    fn from_iter<I: IntoIterator<Item = (String, UnitMeasure)>>(rules: I) -> Self {
        let mut places = BTreeMap::new();
        for (path, measure) in rules {
            for (end, _) in path.match_indices(['.', '[']) {
                places.entry(path[..end].to_owned()).or_insert(None);
            }
            places.insert(path, Some(measure));
        }
        Self { places }
    }
}

/// The units that each path accepts.
#[derive(Clone, Copy, Debug)]
pub struct UnitRules {
    /// What the numbers measure; made when a unit in words is first met.
    pub paths: &'static LazyLock<UnitPaths>,
    /// Why there are no units at all, if so.
    pub none: Option<&'static str>,
}

impl Default for UnitRules {
    fn default() -> Self {
        static NO_PATHS: LazyLock<UnitPaths> = LazyLock::new(UnitPaths::none);
        Self { paths: &NO_PATHS, none: None }
    }
}

impl UnitRules {
    /// What a value measures, and what is said to measure it; nothing where any unit may stand.
    fn of(&self, node: TextNode<'_>) -> Option<(String, UnitMeasure)> {
        let Reached { path, said, outer } = self.reach(node)?;
        match self.paths.get(&path)? {
            UnitMeasure::Outer => outer,
            UnitMeasure::Count | UnitMeasure::Any => None,
            measure => Some((said, measure)),
        }
    }

    /// Whether a name before brackets is that of a variant with a rule in it.
    fn is_variant(&self, node: TextNode<'_>, name: &str) -> bool {
        self.reach(node).is_some_and(|reached| self.paths.knows(&joined(&reached.path, name)))
    }

    /// The path of a value, if the rules know it.
    fn reach(&self, node: TextNode<'_>) -> Option<Reached> {
        let mut way: Vec<TextNode<'_>> = std::iter::successors(Some(node), |node| node.parent()).collect();
        way.reverse();
        let mut at = Reached::default();
        let mut of = Cow::Borrowed("");
        for (&holder, &value) in way.iter().zip(&way[1..]) {
            if holder.kind() != NodeKind::Some
                && let Some(name) = holder.name()
                && at.go(self.paths, joined(&at.path, name))
            {
                of = name.into();
            }
            match (value.key(), holder.kind()) {
                // The name of a variant is a key in JSON.
                (Some(key), _) if variant(holder).is_some() => {
                    let is_known = at.go(self.paths, joined(&at.path, &key));
                    of = if is_known { key.into() } else { of };
                }
                (Some(key), _) => {
                    if !at.go(self.paths, joined(&at.path, &key)) {
                        return None;
                    }
                    at.said = format!("`{key}`");
                }
                (None, NodeKind::List) => {
                    let is_item = at.go(self.paths, format!("{}[]", at.path));
                    // A tuple is a list in JSON. The components of a vector have the rule of the vector.
                    if !is_item && !at.enter(self.paths, holder, value, &of) {
                        self.paths.get(&at.path)?;
                    }
                }
                (None, NodeKind::Tuple) => {
                    at.enter(self.paths, holder, value, &of);
                }
                _ => {}
            }
            if let Some(measure) = self.paths.get(&at.path).filter(|measure| *measure != UnitMeasure::Outer) {
                at.outer = Some((at.said.clone(), measure));
            }
        }
        Some(at)
    }
}

/// Places in a tuple beyond this have no rules of their own.
const LONGEST_ROW: usize = 8;

/// Where the way from the root to a value has come.
#[derive(Default)]
struct Reached {
    path: String,
    /// What a message calls it.
    said: String,
    /// The last measure on the way, and what is said to measure it.
    outer: Option<(String, UnitMeasure)>,
}

impl Reached {
    /// Goes to a path if there is a rule at it or below.
    fn go(&mut self, paths: &UnitPaths, path: String) -> bool {
        let known = paths.knows(&path);
        if known {
            self.path = path;
        }
        known
    }

    /// Goes to the place of a value in a row of numbers, if it has a rule of its own.
    fn enter(&mut self, paths: &UnitPaths, row: TextNode<'_>, value: TextNode<'_>, of: &str) -> bool {
        let Some(column) = row.children().take(LONGEST_ROW).position(|child| child == value) else { return false };
        let known = self.go(paths, format!("{}[{column}]", self.path));
        if known {
            self.said = format!("number {} in a row of `{of}`", column + 1);
        }
        known
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// What is wrong with a unit, and the way out.
pub(super) struct UnitFault {
    /// The reason.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl UnitFault {
    fn new(code: Code, message: String, help: impl Into<Option<String>>) -> Self {
        Self { code, message, help: help.into() }
    }

    fn in_plain(unit: &UnitWord, why: &str) -> Self {
        let message = format!("no unit such as `{}` here: {why}", unit.name);
        Self::new(codes::UNIT_IN_PLAIN, message, String::from("write a bare number"))
    }
}

/// Keys whose texts are expressions, besides `Expression(…)`.
const FORMULAS: [&str; 5] = ["Expression", "field", "velocity_field", "displacement_field", "friction"];

/// The first unit in the text of an expression.
fn in_formula(node: TextNode<'_>) -> Option<&'static UnitWord> {
    let text = node.string()?;
    let holder = node.parent()?;
    let key = node.key().or_else(|| holder.key());
    let known = holder.name() == Some("Expression") || key.is_some_and(|key| FORMULAS.contains(&key.as_str()));
    if known { UnitWord::first_in(&text) } else { None }
}

/// A word in front of a value, in either language: `Mm(10)`, `Mm`, `{"Mm": 10}`.
struct Worded<'t> {
    name: Cow<'t, str>,
    /// Are there brackets behind it?
    bracketed: bool,
    json: bool,
}

impl<'t> Worded<'t> {
    fn of(node: TextNode<'t>) -> Option<Self> {
        if let Some(inner) = variant(node) {
            return Some(Self { name: inner.key()?.into(), bracketed: true, json: true });
        }
        let bracketed = matches!(node.kind(), NodeKind::Tuple | NodeKind::Unit | NodeKind::Struct);
        Some(Self { name: node.name()?.into(), bracketed, json: false })
    }

    /// With a number, as it should be written.
    fn with(&self, number: &str) -> String {
        if self.json { format!("{{\"{}\": {number}}}", self.name) } else { format!("{}({number})", self.name) }
    }
}

/// The number in SI units of a value with a unit; nothing if it is not a unit and not meant as one. Of an expression: the fault of a unit in it, where there
/// may be none.
pub(super) fn convert(node: TextNode<'_>, rules: &UnitRules) -> Option<Result<f64, UnitFault>> {
    if let Some((why, unit)) = rules.none.zip(in_formula(node)) {
        return Some(Err(UnitFault::in_plain(unit, why)));
    }
    let word = Worded::of(node)?;
    let Some(unit) = UnitWord::named(&word.name) else {
        return unknown(node, &word.name, rules).map(Err);
    };
    let measure = rules.of(node);
    // A word alone may be a variant of an enum: only where a quantity is due it is a unit without its number.
    let alone = node.kind() == NodeKind::Ident && matches!(measure, Some((_, UnitMeasure::Of(_))));
    if !word.bracketed && !alone {
        return None;
    }
    Some(number(node, &word, unit, rules).and_then(|value| match measure {
        Some((said, measure)) => fits(unit, &said, measure).map(|()| value),
        None => Ok(value),
    }))
}

fn number(node: TextNode<'_>, word: &Worded<'_>, unit: &UnitWord, rules: &UnitRules) -> Result<f64, UnitFault> {
    if let Some(why) = rules.none {
        return Err(UnitFault::in_plain(unit, why));
    }
    let mut children = node.children();
    let value = match (node.kind(), children.next(), children.next()) {
        (NodeKind::Tuple | NodeKind::Map, Some(only), None) if only.kind() == NodeKind::Number => {
            options().from_str::<f64>(only.text()).ok()
        }
        _ => None,
    };
    let Some(value) = value else {
        let values =
            if word.json { variant(node).map_or(0, |inner| inner.children().count()) } else { node.children().count() };
        let help = match values {
            0 | 1 if word.json => format!("write one number: `{}`", word.with("1.0")),
            0 | 1 => format!("write the number in brackets: `{}`", word.with("1.0")),
            _ if word.json => format!("each number has its own unit: `[{}, {}]`", word.with("1.0"), word.with("2.0")),
            _ => format!("each number has its own unit: `({}, {})`", word.with("1.0"), word.with("2.0")),
        };
        let message = format!("`{}` takes one number, found `{}`", unit.name, shortened(node.text()));
        return Err(UnitFault::new(codes::UNIT_NUMBER, message, help));
    };
    let si = unit.si(value);
    // JSON has no word for infinity; RON has, and the key refuses it.
    if (value.is_finite() || word.json) && !si.is_finite() {
        let message = format!("`{}` is too large for a number in SI units", shortened(node.text()));
        return Err(UnitFault::new(codes::UNIT_OVERFLOW, message, None));
    }
    Ok(si)
}

fn fits(unit: &UnitWord, said: &str, measure: UnitMeasure) -> Result<(), UnitFault> {
    let UnitWord { name, quantity, .. } = *unit;
    match measure {
        UnitMeasure::Of(due) if due == quantity => Ok(()),
        UnitMeasure::Of(due) => {
            let message = format!("{said} is a {}: {name} is a unit of {}", due.name(), quantity.name());
            let help = choice("", &due.units(), &format!("units of {}", due.name())) + &bare(due.si());
            Err(UnitFault::new(codes::UNIT_OF_OTHER, message, help))
        }
        UnitMeasure::Bare("") => {
            let message = format!("{said} is a number without unit: {name} is a unit of {}", quantity.name());
            Err(UnitFault::new(codes::UNIT_OF_BARE, message, None))
        }
        UnitMeasure::Bare(si) => {
            let message = format!("{said} is in {si}: {name} is a unit of {}", quantity.name());
            Err(UnitFault::new(codes::UNIT_OF_BARE, message, format!("write a bare number, in {si}")))
        }
        UnitMeasure::Outer | UnitMeasure::Count | UnitMeasure::Any => Ok(()),
    }
}

fn bare(si: &str) -> String {
    format!("; a bare number is in {si}")
}

/// Numbers under a name that is no unit, where a quantity is due. ron would forget the name before the numbers of a
/// vector, and read another quantity than was meant.
fn unknown(node: TextNode<'_>, name: &str, rules: &UnitRules) -> Option<UnitFault> {
    let bracketed = matches!(node.kind(), NodeKind::Tuple | NodeKind::Map);
    let numbers = bracketed && node.children().all(|child| child.kind() == NodeKind::Number);
    if !numbers || rules.is_variant(node, name) {
        return None;
    }
    let (_, UnitMeasure::Of(due)) = rules.of(node)? else {
        return None;
    };
    let help = match rules.none {
        Some(_) => String::from("write bare numbers"),
        None => choice(name, &due.units(), &format!("units of {}", due.name())) + &bare(due.si()),
    };
    Some(UnitFault::new(codes::UNKNOWN_UNIT, format!("no unit `{name}`"), help))
}
