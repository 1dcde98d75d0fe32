//! `contacts: All(…)`: every body may touch every other body and every obstacle, by one law.
//!
//! It becomes the list of these contacts as soon as the case is read, so that everything else knows lists alone.

use std::fmt;

use delassus_solver::LawSpec;
use delassus_solver::law::TurningResistance;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{self, DeserializeSeed, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::foreign_units::CONTACT_LAW;
use super::units::UnitRule::Within;
use super::units::{COUNT, LENGTH, UnitTable};
use super::{AntagonistSpec, BodyEntry, Case, ContactEntry, NormalsSpec, PointsSpec, SurfaceSpec};

/// In place of the name of a body: every body of the case.
const EVERY: &str = "*";

/// The group of all outer facets of a mesh; made where a mesh has none of this name.
pub(crate) const BOUNDARY: &str = "boundary";

/// Entries of bodies that may be paired one by one; more bodies are copies of an entry.
pub(crate) const MOST_PAIRED: usize = 64;

/// Contacts between all bodies, and of all bodies with all obstacles.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllContacts {
    /// Contact law.
    pub law: LawSpec,
    /// Which points may touch.
    #[serde(default)]
    pub points: PointsSpec,
    /// Which normal contacts with facets get.
    #[serde(default)]
    pub normals: NormalsSpec,
    /// Deepest penetration accepted in the geometry as it is given \[m\].
    #[serde(default)]
    pub initial_penetration: f64,
    /// Rolling and spinning resistance; all bodies must then be rigid.
    #[serde(default)]
    pub resistance: Option<TurningResistance>,
}

impl AllContacts {
    /// What its numbers measure.
    pub(super) const UNITS: UnitTable = &[
        ("law", Within(CONTACT_LAW)),
        ("points.OnFacets", COUNT),
        ("initial_penetration", LENGTH),
        ("resistance.rolling", LENGTH),
        ("resistance.spinning", LENGTH),
    ];
}

impl From<AllContacts> for ContactEntry {
    fn from(all: AllContacts) -> Self {
        let AllContacts { law, points, normals, initial_penetration, resistance } = all;
        let every = || SurfaceSpec { body: EVERY.to_owned(), group: String::new() };
        let (candidates, antagonists) = (every(), AntagonistSpec::Surface(every()));
        Self {
            name: String::new(),
            candidates,
            antagonists,
            law,
            points,
            normals,
            both: true,
            initial_penetration,
            resistance,
        }
    }
}

impl ContactEntry {
    /// Does it stand for contacts between all bodies?
    pub(crate) fn is_all(&self) -> bool {
        self.candidates.body == EVERY
    }
}

impl Case {
    /// Writes `All(…)` out as a list, unless the case has too many entries of bodies.
    pub(crate) fn list_contacts(&mut self) {
        if self.bodies.len() > MOST_PAIRED {
            return;
        }
        let given = std::mem::take(&mut self.contacts);
        let listed = |entry: ContactEntry| if entry.is_all() { self.pairs_of(&entry) } else { vec![entry] };
        self.contacts = given.into_iter().flat_map(listed).collect();
    }

    fn pairs_of(&self, all: &ContactEntry) -> Vec<ContactEntry> {
        let mut found = Vec::new();
        for (i, a) in self.bodies.iter().enumerate() {
            let own = (a.n_bodies() > 1).then_some(a);
            for b in own.into_iter().chain(&self.bodies[i + 1..]) {
                // Points of the rigid one, if one is, so that the other has areas.
                let (first, second) = if b.is_rigid() && !a.is_rigid() { (b, a) } else { (a, b) };
                let both = !(a.is_rigid() && b.is_rigid());
                let (name, antagonists) = (format!("{}-{}", a.name, b.name), AntagonistSpec::Surface(side(second)));
                found.push(ContactEntry { name, candidates: side(first), antagonists, both, ..all.clone() });
            }
        }
        for (body, obstacle) in self.bodies.iter().flat_map(|b| self.obstacles.iter().map(move |o| (b, o))) {
            let (name, antagonists) =
                (format!("{}-{}", body.name, obstacle.name), AntagonistSpec::Obstacle(obstacle.name.clone()));
            found.push(ContactEntry { name, candidates: side(body), antagonists, both: false, ..all.clone() });
        }
        found
    }
}

/// All of a body that may touch.
fn side(body: &BodyEntry) -> SurfaceSpec {
    let group = if body.is_rigid() { "" } else { BOUNDARY };
    SurfaceSpec { body: body.name.clone(), group: group.to_owned() }
}

/// A list of contacts, or `All(…)`.
pub(super) fn contacts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ContactEntry>, D::Error> {
    deserializer.deserialize_any(Contacts)
}

struct Contacts;

impl<'de> Visitor<'de> for Contacts {
    type Value = Vec<ContactEntry>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of contacts or All(…)")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(entry) = list.next_element()? {
            found.push(entry);
        }
        Ok(found)
    }

    /// `All(law: …)` is a struct in RON, and `{"All": {"law": …}}` a variant in JSON.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let first: Option<String> = map.next_key()?;
        let all: AllContacts = match first.as_deref() {
            Some("All") => {
                let all = map.next_value()?;
                if let Some(other) = map.next_key::<String>()? {
                    return Err(de::Error::custom(format!("`All` stands alone, and here is `{other}` too")));
                }
                all
            }
            _ => AllContacts::deserialize(MapAccessDeserializer::new(Replayed { first, rest: map }))?,
        };
        Ok(vec![all.into()])
    }
}

/// A map whose first key has been read.
struct Replayed<A> {
    first: Option<String>,
    rest: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Replayed<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(key) => {
                let key: StringDeserializer<A::Error> = key.into_deserializer();
                seed.deserialize(key).map(Some)
            }
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.rest.next_value_seed(seed)
    }
}

/// The forms of `contacts`, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "a description")]
pub(super) enum ContactsWritten {
    /// One by one.
    List(Vec<ContactEntry>),
    /// All at once.
    Named(NamedContacts),
}

/// What stands for a list.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "a description")]
pub(super) enum NamedContacts {
    /// Every body may touch every other body and every obstacle.
    All(AllContacts),
}
