//! Quotations of inputs in messages: short, on one line, and without control characters.
//!
//! Every message that quotes a user or a file uses [`excerpt`]. A file that is not of the expected format is not quoted at all: the program
//! may be allowed to read files that the reader of its messages may not see.

/// Most characters of an input that a message repeats.
pub const MOST_SHOWN: usize = 200;

/// The first [`MOST_SHOWN`] characters of a text, with `…` where more follow. Control characters and marks of writing direction are escaped,
/// as `\n` or `\u{1b}`; an escape counts as the characters it is written with.
#[must_use]
pub fn excerpt(text: &str) -> String {
    cut(text, MOST_SHOWN)
}

/// The same with at most `most` characters.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    let (mut out, mut shown) = (String::new(), 0);
    for c in text.chars() {
        let escaped: String = if is_hidden(c) { c.escape_default().collect() } else { c.to_string() };
        let width = escaped.chars().count();
        if shown + width > most {
            out.push('…');
            break;
        }
        shown += width;
        out.push_str(&escaped);
    }
    out
}

/// Whether a character controls a terminal or is invisible.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    // Marks of writing direction could make a line read other than it is.
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// A whole message with nothing too long in it: what stands between a pair of `` ` `` or `"` on one line, and any word, is cut to [`MOST_SHOWN`]
/// characters, a line to ten times that, and what a terminal obeys is escaped. A safeguard for messages that quote an input without [`excerpt`].
#[must_use]
pub fn bounded(message: &str) -> String {
    message.split('\n').map(bounded_line).collect::<Vec<_>>().join("\n")
}

fn bounded_line(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(begin) = rest.find(['`', '"']) {
        let quote = if rest[begin..].starts_with('`') { '`' } else { '"' };
        let (before, inside) = (&rest[..begin], &rest[begin + 1..]);
        let Some(end) = inside.find(quote) else { break };
        push_words(&mut out, before);
        out.push(quote);
        out.push_str(&excerpt(&inside[..end]));
        out.push(quote);
        rest = &inside[end + 1..];
    }
    push_words(&mut out, rest);
    cut(&out, 10 * MOST_SHOWN)
}

fn push_words(out: &mut String, text: &str) {
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches(' ');
        out.push_str(&excerpt(bare));
        out.push_str(&word[bare.len()..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_whole() {
        assert_eq!(excerpt("a b é 日"), "a b é 日");
        assert_eq!(excerpt(&"x".repeat(MOST_SHOWN)), "x".repeat(MOST_SHOWN));
        assert_eq!(excerpt(""), "");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(excerpt(&"é".repeat(MOST_SHOWN + 1)), format!("{}…", "é".repeat(MOST_SHOWN)));
        let noise = excerpt(&"\u{1b}".repeat(1000));
        assert!(noise.chars().count() <= MOST_SHOWN + 1 && noise.ends_with('…'), "{noise}");
    }

    #[test]
    fn messages_keep_their_words_and_lose_their_length() {
        let short = "no key `tetha` in `integrator`; there are `theta`\n  help: \"a b\" isn't, and `open";
        assert_eq!(bounded(short), short);
        let name = "a b ".repeat(1000);
        let told = bounded(&format!("body `{name}` has {} cells", "9".repeat(500)));
        assert!(
            told.starts_with("body `a b a b ") && told.contains("…` has 999") && told.ends_with("9… cells"),
            "{told}"
        );
        assert!(told.chars().count() < 3 * MOST_SHOWN, "{told}");
        assert!(bounded(&format!("it is {name}")).chars().count() <= 10 * MOST_SHOWN + 1);
        assert_eq!(bounded("a\u{1b}[31m\nb"), "a\\u{1b}[31m\nb");
    }

    #[test]
    fn nothing_that_a_terminal_obeys() {
        assert_eq!(excerpt("a\nb\u{1b}[31m\u{202e}"), "a\\nb\\u{1b}[31m\\u{202e}");
        assert!(excerpt("\0\t\r").chars().all(|c| !is_hidden(c)));
    }
}
