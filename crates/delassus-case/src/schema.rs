//! The JSON Schema of a case (draft 2020-12), made from the types: for editors, and for programs that write cases.
//!
//! It describes the syntax; `delassus check` also checks the values.

use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, schema_for};
use serde_json::{Value, json};

use crate::source::{UNITS, UnitWord};
use crate::spec::Case;

/// The schema of the JSON form of a case.
#[must_use]
pub fn case_schema() -> Value {
    let mut schema = schema_for!(Case);
    schema.insert("title".into(), "A case of Delassus".into());
    let about = "Bare numbers are in SI units (angles in degrees where the key says so); others have their unit in words, {\"Mm\": 10}.";
    schema.insert("description".into(), about.into());
    Plain.transform(&mut schema);
    let mut schema: Value = schema.into();
    with_units(&mut schema);
    schema["$defs"]["WithUnit"] = unit_schema();
    schema
}

/// Lets every number that may have a unit be written with one: the kind of the unit is checked by the program.
fn with_units(node: &mut Value) {
    let is_number = |kind: &Value| kind == "number" || kind.as_array().is_some_and(|k| k.iter().any(|k| k == "number"));
    let takes_unit = |node: &Value| node.get("type").is_some_and(is_number);
    if let Value::Array(items) = node {
        items.iter_mut().for_each(with_units);
    } else if takes_unit(node) {
        let description = node.as_object_mut().and_then(|o| o.remove("description"));
        let mut either = json!({ "anyOf": [node.take(), { "$ref": "#/$defs/WithUnit" }] });
        if let Some(description) = description {
            either["description"] = description;
        }
        *node = either;
    } else if let Value::Object(inner) = node {
        inner.values_mut().for_each(with_units);
    }
}

/// A number with its unit in words.
fn unit_schema() -> Value {
    let word = |unit: &UnitWord| {
        let about = format!("A {}: 1 is {:e} {}.", unit.quantity.name(), unit.si(1.0), unit.quantity.si());
        (unit.name.to_owned(), json!({ "type": "number", "description": about }))
    };
    let words: serde_json::Map<String, Value> = UNITS.iter().map(word).collect();
    json!({
        "type": "object", "description": "A number with its unit in words.", "properties": words,
        "minProperties": 1, "maxProperties": 1, "additionalProperties": false
    })
}

/// Takes the marks of documentation comments out of the descriptions.
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("\\[", "[").replace("\\]", "]");
        }
        transform_subschemas(self, schema);
    }
}
