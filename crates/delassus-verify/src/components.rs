//! Lists of numbers as a case writes them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Components of a vector, written `(x, y)` or `[x, y]`; absent means zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Components(pub Vec<f64>);

/// Whole numbers, one a direction, written `(m, n)` or `[m, n]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts(pub Vec<usize>);

impl<const N: usize> From<[f64; N]> for Components {
    fn from(components: [f64; N]) -> Self {
        Self(components.to_vec())
    }
}

impl<const N: usize> From<[usize; N]> for Counts {
    fn from(counts: [usize; N]) -> Self {
        Self(counts.to_vec())
    }
}

/// By hand, for they are read by hand.
macro_rules! list_schema {
    ($type:ident, $item:ty, $about:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "description": $about, "type": "array", "items": generator.subschema_for::<$item>(), "maxItems": 3
                })
            }
        }
    };
}

list_schema!(Components, f64, "Components of a vector: two in the plane, three in space; [] where it may be absent.");
list_schema!(Counts, usize, "Whole numbers, one a direction.");

struct ListVisitor<T>(&'static str, std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut out = Vec::new();
        while let Some(x) = seq.next_element()? {
            out.push(x);
        }
        Ok(out)
    }
}

impl<'de> Deserialize<'de> for Components {
    fn deserialize<De: Deserializer<'de>>(d: De) -> Result<Self, De::Error> {
        d.deserialize_any(ListVisitor("components such as (1.0, 0.0)", std::marker::PhantomData)).map(Self)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<De: Deserializer<'de>>(d: De) -> Result<Self, De::Error> {
        d.deserialize_any(ListVisitor("whole numbers such as (20, 1)", std::marker::PhantomData)).map(Self)
    }
}
