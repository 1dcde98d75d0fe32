//! The errors of ron as messages: what was found, what is right, and the nearest valid name.

use delassus_error::Code;
use ron::Error;

use super::nearest::nearest;
use super::nouns::{Noun, noun_at};
use super::path::list_of;
use super::place::TextPlace;
use super::tree::{NodeKind, TextNode};
use super::units::{UNITS, UnitWord};
use crate::codes;

/// The code, the message and the help for an error at a place; `nouns` are what the choices of the text are called.
pub(super) fn explain(error: &Error, place: &TextPlace<'_>, nouns: &'static [Noun]) -> (Code, String, Option<String>) {
    let node = place.node;
    match error {
        Error::NoSuchStructField { expected, found, outer } => {
            // The name of a variant says where; that of a type of Rust says nothing, and the path is shown.
            let named = outer.as_ref().filter(|outer| nouns.is_empty() || node.name() == Some(&outer[..]));
            let inside = named.map_or(String::new(), |outer| format!(" in `{outer}`"));
            (codes::UNKNOWN_FIELD, format!("no field `{found}`{inside}"), Some(choice(found, expected, "fields")))
        }
        Error::NoSuchEnumVariant { expected, found, .. } if noun_at(nouns, node, found).is_some() => {
            let (message, help) = no_variant(noun_at(nouns, node, found), found, expected);
            (codes::UNKNOWN_VARIANT, message, Some(help))
        }
        Error::NoSuchEnumVariant { expected, found, outer } => {
            let inside = outer.as_ref().map_or(String::new(), |outer| format!(" of `{outer}`"));
            (codes::UNKNOWN_VARIANT, format!("no variant `{found}`{inside}"), Some(choice(found, expected, "variants")))
        }
        Error::MissingStructField { field, outer } => {
            let named = outer.as_ref().filter(|outer| nouns.is_empty() || node.name() == Some(&outer[..]));
            let inside = named.map_or(String::new(), |outer| format!(" of `{outer}`"));
            let message = format!("the field `{field}`{inside} is missing");
            (codes::MISSING_FIELD, message, Some(format!("add `{field}: …`")))
        }
        Error::DuplicateStructField { field, .. } => (codes::KEY_TWICE, format!("`{field}` is given twice"), None),
        Error::InvalidValueForType { expected, found } => {
            (codes::WRONG_TYPE, format!("expected {expected}, found {found}"), None)
        }
        Error::ExpectedDifferentLength { expected, found } => {
            let plural = if *found == 1 { "value" } else { "values" };
            (codes::WRONG_LENGTH, format!("expected {expected}, found {found} {plural}"), None)
        }
        Error::Message(message) => (codes::NO_FORM, untagged(message, node), None),
        Error::IntegerOutOfBounds => {
            (codes::OUT_OF_BOUNDS, format!("{} is too large or too small here", node.describe()), None)
        }
        Error::ExceededRecursionLimit => (codes::MALFORMED, String::from("the values are nested too deeply"), None),
        Error::ExpectedComma | Error::TrailingCharacters => (codes::WRONG_TYPE, uncommaed(node), None),
        Error::ExpectedStructLikeEnd | Error::ExpectedArrayEnd | Error::ExpectedOptionEnd
            if node.parent().is_some() && node.span().start == place.span.start =>
        {
            (codes::WRONG_LENGTH, too_many(node), None)
        }
        _ => match expected_shape(error) {
            Some(expected) => {
                let message = format!("expected {expected}, found {}", node.describe());
                (codes::WRONG_TYPE, message, brackets(error, node))
            }
            None => (codes::MALFORMED, plain(error), None),
        },
    }
}

/// Message and help for a variant that does not exist: the nearest one, all of them, and hints.
pub(super) fn no_variant(noun: Option<&Noun>, found: &str, names: &[&str]) -> (String, String) {
    let Some(noun) = noun else { return (format!("no variant `{found}`"), choice(found, names, "variants")) };
    let all = choice(found, names, noun.many);
    let help = noun.way_out(found).map_or(all.clone(), |way| format!("{all}; {way}"));
    (format!("no {} `{found}`", noun.one), help)
}

/// The words of ron, beginning with a small letter as ours do.
pub(super) fn plain(error: &Error) -> String {
    let words = error.to_string();
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// The nearest of some names, and all of them.
pub(super) fn choice(found: &str, names: &[&str], what: &str) -> String {
    if names.is_empty() {
        return format!("there are no {what}");
    }
    let all = format!("the {what} are {}", list_of(names.iter().copied()));
    match nearest(found, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {all}"),
        None => all,
    }
}

/// What ron wanted, where it says only that.
fn expected_shape(error: &Error) -> Option<String> {
    Some(match error {
        Error::ExpectedFloat => String::from("a number"),
        Error::ExpectedInteger | Error::InvalidIntegerDigit { .. } => String::from("an integer"),
        Error::ExpectedBoolean => String::from("`true` or `false`"),
        Error::ExpectedString => String::from("a string \"…\""),
        Error::ExpectedByteString => String::from("a byte string b\"…\""),
        Error::ExpectedChar => String::from("a character"),
        Error::ExpectedArray => String::from("a list [ … ]"),
        Error::ExpectedMap => String::from("a map { … }"),
        Error::ExpectedUnit => String::from("`()`"),
        Error::ExpectedOption => String::from("`None` or `Some(…)`"),
        Error::ExpectedIdentifier | Error::SuggestRawIdentifier(_) => String::from("a name"),
        Error::ExpectedStructLike => String::from("( … )"),
        Error::ExpectedNamedStructLike("") => String::from("( … ) without a name"),
        Error::ExpectedNamedStructLike(name) => format!("`{name}`( … )"),
        Error::ExpectedDifferentStructName { expected, .. } => format!("`{expected}`( … )"),
        _ => return None,
    })
}

/// Round brackets for square ones and the reverse are the commonest slip; a unit may be misspelt.
fn brackets(error: &Error, node: TextNode<'_>) -> Option<String> {
    match (error, node.kind()) {
        (Error::ExpectedStructLike, NodeKind::List) => Some(String::from("write it with round brackets, ( … )")),
        (Error::ExpectedArray, NodeKind::Tuple | NodeKind::Struct | NodeKind::Unit) if node.name().is_none() => {
            Some(String::from("write it with square brackets, [ … ]"))
        }
        (Error::ExpectedArray, _) => Some(String::from("a list of one is written [ … ] too")),
        (Error::ExpectedString, NodeKind::Ident) => Some(format!("put it in quotes: \"{}\"", node.text())),
        (Error::ExpectedFloat, NodeKind::Tuple) => {
            let near = node.name().and_then(|name| nearest(name, UNITS.iter().map(|unit| unit.name)));
            near.map(|near| format!("did you mean the unit `{near}`?"))
        }
        (Error::ExpectedStructLike, NodeKind::Ident) => {
            Some(format!("`{}` needs its fields: `{}(…)`", node.text(), node.text()))
        }
        _ => None,
    }
}

/// A comma is missing only for ron: it read a part of the value and wanted the next.
fn uncommaed(node: TextNode<'_>) -> String {
    match (node.kind(), node.name()) {
        (NodeKind::Tuple, Some(name)) if UnitWord::named(name).is_some() => {
            format!("expected an integer, found {}", node.describe())
        }
        (NodeKind::Number, _) => format!("expected an integer, found {}", node.describe()),
        (NodeKind::Struct | NodeKind::Tuple | NodeKind::Unit | NodeKind::Some, Some(name)) => {
            format!("`{name}` has no fields here")
        }
        _ => format!("unexpected {}", node.describe()),
    }
}

fn too_many(node: TextNode<'_>) -> String {
    let found = node.parent().map_or(0, |parent| parent.children().count());
    let expected = node.index();
    let plural = if expected == 1 { "value" } else { "values" };
    format!("expected {expected} {plural}, found {found}")
}

/// serde says of an untagged enum only that nothing fitted.
fn untagged(message: &str, node: TextNode<'_>) -> String {
    match message.strip_prefix("data did not match any variant of untagged enum ") {
        Some(name) => format!("{} is none of the forms of `{name}`", node.describe()),
        None => message.to_owned(),
    }
}
