//! Every error has a code, every code an explanation and a test that names it.
//!
//! What the program can be made to say from outside is tested with its codes in `delassus-cli/tests`; here is the rest, provoked in the
//! libraries, and the rules that hold codes, explanations, tests and docs/errors.md together.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

mod cases;
mod contacts;
mod files;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use delassus_cli::codes;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The sources below a folder, with their texts.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|n| n != "target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// Every `E` with four digits that is no part of a longer word.
fn mentioned(text: &str) -> Vec<&str> {
    let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = text.as_bytes();
    let is_code = |i: &usize| {
        bytes[*i] == b'E'
            && bytes.get(i + 1..i + 5).is_some_and(|d| d.iter().all(u8::is_ascii_digit))
            && !is_word(bytes.get(i + 5))
            && !is_word(i.checked_sub(1).and_then(|before| bytes.get(before)))
    };
    (0..bytes.len()).filter(is_code).map(|i| &text[i..i + 5]).collect()
}

/// What of a source is test: all of it in a folder `tests` and in files of tests, else what follows `#[cfg(test)]`.
fn test_part<'a>(path: &Path, text: &'a str) -> &'a str {
    let name = path.file_name().unwrap().to_string_lossy();
    let is_test = path.components().any(|c| c.as_os_str() == "tests") || name.ends_with("tests.rs");
    if is_test { text } else { text.find("#[cfg(test)]\nmod tests {").map_or("", |at| &text[at..]) }
}

/// A code stands for one reason, and what is printed can be looked up.
#[test]
fn codes_are_unique_and_explained() {
    let mut given: BTreeMap<String, usize> = BTreeMap::new();
    for (_, text) in sources(&root().join("crates")) {
        for part in text.split("Code(\"").skip(1) {
            *given.entry(part[..5].to_owned()).or_default() += 1;
        }
    }
    let twice: Vec<_> = given.iter().filter(|(_, n)| **n > 1).collect();
    assert!(twice.is_empty(), "given to several reasons: {twice:?}");
    let explained: Vec<String> = codes::all().iter().map(|e| e.code.to_owned()).collect();
    assert_eq!(explained, given.into_keys().collect::<Vec<_>>(), "explanations, in order, and codes");
    assert!(explained.len() > 240, "{}", explained.len());
}

#[test]
fn explanations_say_what_to_do() {
    for e in codes::all() {
        let title = e.title;
        assert!(!title.is_empty() && title.chars().count() <= 80 && !title.ends_with('.'), "{}: {title}", e.code);
        assert!(e.text.contains("What to do") || e.text.contains("right:"), "{}: {}", e.code, e.text);
        assert!(e.group.starts_with(&e.code[..3]), "{} is in the group `{}`", e.code, e.group);
        for line in e.text.lines() {
            assert!(line.chars().count() <= 150, "{}: {line}", e.code);
        }
        // What an explanation refers to is there.
        assert!(mentioned(e.text).iter().all(|code| codes::find(code).is_some()), "{}", e.code);
    }
}

/// A test that provokes an error says its code.
#[test]
fn every_code_is_named_by_a_test() {
    let mut named: BTreeMap<&str, BTreeSet<PathBuf>> = BTreeMap::new();
    let all = sources(&root().join("crates"));
    for (path, text) in &all {
        let lines = test_part(path, text).lines().filter(|line| !line.trim_start().starts_with("//"));
        for code in lines.flat_map(mentioned) {
            named.entry(code).or_default().insert(path.clone());
        }
    }
    let unnamed: Vec<&str> = codes::all().iter().map(|e| e.code).filter(|code| !named.contains_key(code)).collect();
    assert!(unnamed.is_empty(), "no test names {unnamed:?}");
    // And no test waits for a code that was taken back; E9999 is never given.
    let unknown: Vec<_> = named.iter().filter(|(code, _)| codes::find(code).is_none()).collect();
    assert!(unknown.iter().all(|(code, _)| **code == "E9999"), "{unknown:?}");
}

/// docs/errors.md lists what there is. `UPDATE_ERRORS_MD=1` writes the list.
#[test]
fn the_list_of_the_docs_is_that_of_the_program() {
    let path = root().join("docs/errors.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (mut list, mut group) = (String::new(), "");
    for e in codes::all() {
        if e.group != group {
            group = e.group;
            list += &format!("\n### {group}\n\n| code | |\n|---|---|\n");
        }
        list += &format!("| {} | {} |\n", e.code, e.title);
    }
    let begin = "<!-- list of codes: begin -->\n";
    let (head, rest) = page.split_once(begin).unwrap();
    let (found, tail) = rest.split_once("\n<!-- list of codes: end -->").unwrap();
    if std::env::var_os("UPDATE_ERRORS_MD").is_some() {
        std::fs::write(&path, format!("{head}{begin}{list}\n<!-- list of codes: end -->{tail}")).unwrap();
        return;
    }
    assert!(found == list, "docs/errors.md is out of date: UPDATE_ERRORS_MD=1 cargo test --workspace --test codes");
}

#[test]
fn codes_are_found_however_they_are_written() {
    for given in ["E0312", "e0312", "312", "e312", " 0312 "] {
        assert_eq!(codes::find(given).map(|e| e.code), Some("E0312"), "{given}");
    }
    assert!(codes::explain("0312").unwrap().starts_with("E0312: an axis without direction\n\n"));
    for given in ["", "E", "E9999", "99999", "theta", "-1"] {
        let error = codes::explain(given).unwrap_err();
        assert_eq!(
            (delassus_error::Coded::code(&error).as_str(), delassus_error::Failure::exit_code(&error)),
            ("E1003", 2),
            "{given}"
        );
    }
    assert!(codes::explain("E03I2").unwrap_err().to_string().contains("did you mean E0302?"));
    let overview = codes::overview();
    assert!(overview.contains("\nE03xx: what a case means\n  E0301  a dimension"), "{overview}");
}
