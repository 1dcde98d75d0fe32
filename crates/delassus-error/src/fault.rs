//! Messages of panics.

use std::any::Any;

use crate::InternalError;

/// Longest text of a fault \[characters\]: a panic may show a whole vector.
pub const LONGEST_WORDS: usize = 200;

impl InternalError {
    /// Of what a panic left: its words in one line.
    #[must_use]
    pub fn of_panic(payload: &(dyn Any + Send)) -> Self {
        let words = payload.downcast_ref::<&str>().copied();
        let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self(one_line(words.unwrap_or("a panic without a message")))
    }
}

/// A text in one line of at most [`LONGEST_WORDS`] characters.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut line: String = plain.by_ref().take(LONGEST_WORDS).collect();
    if plain.next().is_some() {
        line.pop();
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(payload: Box<dyn Any + Send>) -> String {
        InternalError::of_panic(&*payload).0
    }

    #[test]
    fn a_panic_has_words_of_one_line() {
        assert_eq!(words(Box::new("left\nright")), "left right");
        assert_eq!(words(Box::new("index 7".to_owned())), "index 7");
        assert_eq!(words(Box::new(7)), "a panic without a message");
    }

    #[test]
    fn long_words_are_cut() {
        let exact = "ä".repeat(LONGEST_WORDS);
        assert_eq!(one_line(&exact), exact);
        let cut = one_line(&"ä".repeat(LONGEST_WORDS + 1));
        assert_eq!(cut.chars().count(), LONGEST_WORDS);
        assert!(cut.ends_with("ä…"), "{cut}");
    }
}
