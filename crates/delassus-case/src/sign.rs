//! Decides whether a text looks like a case. Messages quote nothing of a text that does not, because any file can be given
//! by mistake.

use crate::spec::Case;

/// Does it begin like a case and have one of the keys that every case has or `base`, or nothing at all that could be shown?
pub(crate) fn is_case_like(text: &str) -> bool {
    let mut keys = Case::required_keys().into_iter().chain(["base"]);
    is_blank(text) || (begins_like_one(text) && keys.any(|key| has_key(text, key)))
}

/// Nothing but comments and an empty bracket, closed by the end of a line.
fn is_blank(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let is_nothing = |line: &str| matches!(line.trim(), "" | "()" | "{}") || line.trim_start().starts_with("//");
    (text.trim().len() <= 2 || text.ends_with('\n')) && text.lines().all(is_nothing)
}

/// `(`, `Name(` or `{` after comments and attributes.
fn begins_like_one(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let after = if rest.starts_with("//") || rest.starts_with("#!") {
            rest.split_once('\n').map(|(_, after)| after)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map(|(_, after)| after)
        } else {
            let name = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            return name.trim_start().starts_with('(') || rest.starts_with('{');
        };
        match after {
            Some(after) => rest = after.trim_start(),
            // A comment that never ends: nothing follows.
            None => return true,
        }
    }
}

/// Is there a word `key` followed by a colon?
fn has_key(text: &str, key: &str) -> bool {
    text.match_indices(key).any(|(at, _)| {
        let is_word = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let rest = &text[at + key.len()..];
        is_word && rest.strip_prefix('"').unwrap_or(rest).trim_start().starts_with(':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_others() {
        for case in [
            "(title: \"x\")",
            "\u{feff}// a\n#![enable(implicit_some)]\n/* b */ Case (\n  bodies : [",
            "{\"title\": 5}",
            "(stepp: 1, step: 2",
            "",
            "// nothing\n",
            "()",
        ] {
            assert!(is_case_like(case), "{case}");
        }
        for other in [
            "root:*:19000:0:99999:7:::",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "{\"password\": \"x\"}",
            "(secret: 5)",
            "title: x",
            "(subtitle: 5)",
            "// the word is sesame",
            "[database]\nstep = 5",
        ] {
            assert!(!is_case_like(other), "{other}");
        }
    }
}
