//! The numbers and types of the JSON schema of a case, by their paths.

use std::collections::{BTreeMap, BTreeSet};

use delassus_case::schema::case_schema;
use serde_json::Value;

/// What the schema has where.
#[derive(Default)]
pub struct SchemaPaths {
    /// The paths of all numbers, and whether they are integers. The numbers of a vector have its path.
    pub numbers: BTreeMap<String, bool>,
    /// Types, and variants as `Type.Variant`, with the paths of their values.
    pub types: BTreeMap<String, BTreeSet<String>>,
}

impl SchemaPaths {
    /// Those of a case.
    pub fn of_case() -> Self {
        let schema = case_schema();
        let mut found = Self::default();
        found.types.entry("Case".to_owned()).or_default().insert(String::new());
        found.walk(&schema, &schema, "", "Case");
        found
    }

    fn walk(&mut self, schema: &Value, node: &Value, path: &str, holder: &str) {
        // The other way to write a number.
        if node["$ref"] == "#/$defs/WithUnit" {
            return;
        }
        if let Some(name) = node["$ref"].as_str().and_then(|target| target.strip_prefix("#/$defs/")) {
            self.types.entry(name.to_owned()).or_default().insert(path.to_owned());
            self.walk(schema, &schema["$defs"][name], path, name);
        }
        let is = |name: &str| match &node["type"] {
            Value::Array(several) => several.iter().any(|t| t == name),
            one => one == name,
        };
        if is("number") || is("integer") {
            let vector = path.trim_end_matches("[]").to_owned();
            let before = self.numbers.insert(vector, is("integer"));
            assert!(before.is_none_or(|integer| integer == is("integer")), "{path} is both");
        }
        for alternatives in ["oneOf", "anyOf", "allOf"] {
            for inner in node[alternatives].as_array().into_iter().flatten() {
                self.walk(schema, inner, path, holder);
            }
        }
        for (key, inner) in node["properties"].as_object().into_iter().flatten() {
            let path = joined(path, key);
            if key.starts_with(|c: char| c.is_ascii_uppercase()) {
                self.types.entry(format!("{holder}.{key}")).or_default().insert(path.clone());
            }
            self.walk(schema, inner, &path, holder);
        }
        self.walk_items(schema, node, path, holder);
    }

    fn walk_items(&mut self, schema: &Value, node: &Value, path: &str, holder: &str) {
        if node["items"].is_object() {
            self.walk(schema, &node["items"], &format!("{path}[]"), holder);
        }
        for (k, inner) in node["prefixItems"].as_array().into_iter().flatten().enumerate() {
            self.walk(schema, inner, &format!("{path}[{k}]"), holder);
        }
        assert!(!node["additionalProperties"].is_object(), "a map at {path}: which path do its values have?");
    }
}

/// The path of a key in a value.
pub fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
