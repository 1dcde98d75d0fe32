//! Things that a program brings along instead of choosing them from a list: contact laws, materials, functions of time, shapes, meshes.
//!
//! A case holds such a thing as [`Own`]: the thing itself and a name. In text it is its name alone, `Own("name")`, so that copies of the case
//! and manifests can be written and read; a model cannot be made of the name.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Code, Coded, excerpt};

/// A thing of a program's own, under its name.
pub struct Own<T: ?Sized> {
    name: String,
    thing: Option<Arc<T>>,
}

impl<T: ?Sized> Own<T> {
    /// The thing under a name, which should change with its parameters: it stands for the thing in every file, and two runs are taken for
    /// the same if their names are the same.
    pub fn new(name: impl Into<String>, thing: Arc<T>) -> Self {
        Self { name: name.into(), thing: Some(thing) }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The thing, if this program made the case; `None` if the case was read.
    #[must_use]
    pub fn thing(&self) -> Option<&Arc<T>> {
        self.thing.as_ref()
    }

    /// The thing; `kind` says what it is, such as `contact law`.
    ///
    /// # Errors
    /// [`OwnMissing`] if the case was read from text.
    pub fn get(&self, kind: &'static str) -> Result<&Arc<T>, OwnMissing> {
        self.thing.as_ref().ok_or_else(|| OwnMissing { kind, name: self.name.clone() })
    }
}

impl<T: ?Sized> Clone for Own<T> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), thing: self.thing.clone() }
    }
}

impl<T: ?Sized> fmt::Debug for Own<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Own").field(&self.name).finish()
    }
}

/// The same name and the same thing.
impl<T: ?Sized> PartialEq for Own<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.thing, &other.thing) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        same && self.name == other.name
    }
}

impl<T: ?Sized> Serialize for Own<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

impl<'de, T: ?Sized> Deserialize<'de> for Own<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { name: String::deserialize(deserializer)?, thing: None })
    }
}

impl<T: ?Sized> JsonSchema for Own<T> {
    fn schema_name() -> Cow<'static, str> {
        "Own".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// A case that was read names a thing that only the program which made it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnMissing {
    /// What it is.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
}

impl fmt::Display for OwnMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name } = self;
        let name = excerpt(name);
        write!(
            f,
            "`Own(\"{name}\")` is a {kind} of the program that made this case; only that program can run it. In a case of your own, name a {kind} of the list"
        )
    }
}

impl std::error::Error for OwnMissing {}

impl Coded for OwnMissing {
    fn code(&self) -> Code {
        Code("E0147")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    trait Thing: Send + Sync {}
    impl Thing for u8 {}

    #[test]
    fn in_text_a_thing_is_its_name() {
        let made: Own<dyn Thing> = Own::new("eight bits", Arc::new(8_u8));
        assert!(made.get("thing").is_ok() && made == made.clone());
        let text = serde_json::to_string(&made).unwrap();
        assert_eq!(text, "\"eight bits\"");
        let read: Own<dyn Thing> = serde_json::from_str(&text).unwrap();
        assert!(read != made && read.thing().is_none() && read.name() == made.name());
        let Err(e) = read.get("thing") else { panic!("a name is not a thing") };
        assert!(
            e.code() == "E0147" && e.to_string().starts_with("`Own(\"eight bits\")` is a thing of the program"),
            "{e}"
        );
        assert!(made != Own::new("eight bits", Arc::new(8_u8)), "equal names, other things");
    }
}
