//! The JSON Schema of a case (draft 2020-12), made from the types: for editors, and for programs that write cases.
//!
//! It describes the syntax; `delassus check` also checks the values.

use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, schema_for};
use serde_json::Value;

use crate::spec::Case;

/// The schema of the JSON form of a case.
#[must_use]
pub fn case_schema() -> Value {
    let mut schema = schema_for!(Case);
    schema.insert("title".into(), "A case of Delassus".into());
    let about = "Numbers are in SI units (angles in degrees where the key says so); units in words are for RON only.";
    schema.insert("description".into(), about.into());
    Plain.transform(&mut schema);
    schema.into()
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
