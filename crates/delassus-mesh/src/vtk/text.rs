//! Text in XML attributes: allowed characters and escapes.

use std::borrow::Cow;

use super::VtkError;

/// Refuses names that XML cannot carry unchanged: empty ones, control characters (XML 1.0 forbids most of them even
/// when escaped, and readers turn tabs and line ends in attributes into blanks), and the two non-characters.
pub(super) fn check_name(what: &'static str, name: &str) -> Result<(), VtkError> {
    let unfit = |c: char| c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    if name.is_empty() || name.contains(unfit) {
        return Err(VtkError::Name { what, name: name.to_owned() });
    }
    Ok(())
}

/// `text` as the value of a double-quoted attribute.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_the_rest_left_alone() {
        assert_eq!(escape("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&apos;");
        assert!(matches!(escape("contrainte_é.vtu"), Cow::Borrowed(_)));
    }

    #[test]
    fn names_that_xml_cannot_carry_are_refused() {
        for name in ["", "a\nb", "\u{0}", "tab\t", "\u{FFFF}", "\u{7f}"] {
            let error = check_name("field name", name).unwrap_err();
            assert!(matches!(&error, VtkError::Name { what: "field name", name: n } if n == name), "{error}");
            assert!(error.to_string().contains(&format!("{name:?}")), "{error}");
        }
        check_name("field name", "σ <xx> & \"quoted\"").unwrap();
    }
}
