//! Names of choices for messages: serde reports the name of a Rust type, but a user knows it as an integrator, a load or a
//! shape.
//!
//! The caller passes the table: a choice is identified by its top-level key and its own key.

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
    /// Names that users try and that do not exist, in small letters, with hints what to use instead.
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
