//! What the choices of a text are called. serde knows the name of a type of Rust; a user knows an integrator, a load, a shape.
//!
//! The table is the caller's: a choice is known by the key at the top of the text that it is under, and by its own key.

use super::tree::TextNode;

/// One choice among named variants.
#[derive(Clone, Copy, Debug)]
pub struct Noun {
    /// Key at the top of the text, such as `contacts`.
    pub top: &'static str,
    /// Key of the choice, such as `law`; that of the list for its items.
    pub key: &'static str,
    /// What one is called: `contact law`.
    pub one: &'static str,
    /// What several are called.
    pub many: &'static str,
    /// Names that are looked for and are not there, in small letters, and what there is instead.
    pub instead: &'static [(&'static [&'static str], &'static str)],
}

impl Noun {
    /// What there is instead of a variant that does not exist.
    #[must_use]
    pub fn way_out(&self, variant: &str) -> Option<&'static str> {
        let small = variant.to_lowercase();
        self.instead.iter().find(|(names, _)| names.contains(&&small[..])).map(|(_, way)| *way)
    }
}

/// The choice that a value with an unknown `variant` is one of.
pub(super) fn noun_at(nouns: &'static [Noun], node: TextNode<'_>, variant: &str) -> Option<&'static Noun> {
    let around: Vec<TextNode<'_>> = std::iter::successors(Some(node), |node| node.parent()).collect();
    // In JSON the variant is itself a key.
    let keys: Vec<String> = around.iter().filter_map(|node| node.key()).filter(|key| key != variant).collect();
    let (key, top) = (keys.first()?, keys.last()?);
    nouns.iter().find(|noun| noun.top == top && noun.key == key)
}
