//! The links of the Markdown pages: what a relative link names exists, and so does the heading behind a `#`. Every page of `docs` is in the
//! table of contents of the book, `docs/SUMMARY.md`.
//!
//! Links to the network are not followed. Anchors are made as GitHub and mdBook make them: lower case, blanks become hyphens, what is neither a
//! letter, a digit, a hyphen nor an underscore is dropped.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages of a folder itself, not of those in it.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    pages
}

/// The pages at the top of the repository and in `docs`.
fn pages() -> Vec<PathBuf> {
    let mut pages = pages_in(&root());
    pages.extend(pages_in(&root().join("docs")));
    pages
}

/// The lines outside of fenced blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut open = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            open = !open;
        } else if !open {
            lines.push(line);
        }
    }
    lines
}

/// A line without its code between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The pieces of a line between a beginning and the next end.
fn between<'a>(line: &'a str, begin: &str, end: char) -> Vec<&'a str> {
    line.split(begin).skip(1).filter_map(|rest| rest.split_once(end)).map(|(piece, _)| piece).collect()
}

/// What the links and pictures of a page name.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let line = without_code(line);
        for piece in between(&line, "](", ')') {
            found.push(piece.to_owned());
        }
        for piece in between(&line, "src=\"", '"') {
            found.push(piece.to_owned());
        }
        for piece in between(&line, "href=\"", '"') {
            found.push(piece.to_owned());
        }
    }
    found
}

/// A heading without the addresses of the links in it.
fn without_links(heading: &str) -> String {
    let mut text = String::new();
    for (i, piece) in heading.split("](").enumerate() {
        let piece = if i == 0 { piece } else { piece.split_once(')').map_or("", |(_, rest)| rest) };
        text += piece;
    }
    text
}

/// The anchors of the headings of a page; a second heading of the same words gets `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in prose(text) {
        let words = line.trim_start_matches('#');
        let depth = line.len() - words.len();
        if !(1..=6).contains(&depth) || !words.starts_with(' ') {
            continue;
        }
        let words = without_links(words.trim()).to_lowercase();
        let kept: String = words
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let count = seen.entry(kept.clone()).or_insert(0);
        anchors.insert(if *count == 0 { kept } else { format!("{kept}-{count}") });
        *count += 1;
    }
    anchors
}

/// What is wrong with a link of a page, if anything is.
fn fault(page: &Path, text: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let path = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    if !path.exists() {
        return Some(format!("there is no {file}"));
    }
    let anchor = anchor?;
    let other = if file.is_empty() { text.to_owned() } else { std::fs::read_to_string(&path).unwrap() };
    (!anchors(&other).contains(anchor)).then(|| format!("no heading gives #{anchor}"))
}

#[test]
fn every_link_leads_somewhere() {
    let mut faults = Vec::new();
    let mut links = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for target in targets(&text) {
            links += 1;
            if let Some(fault) = fault(&page, &text, &target) {
                faults.push(format!("{}: ({target}): {fault}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "broken links:\n{}", faults.join("\n"));
    assert!(links >= 100, "only {links} links were found");
}

#[test]
fn every_page_is_in_the_book() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = targets(&summary).into_iter().collect();
    for page in pages_in(&docs) {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "docs/SUMMARY.md does not list {name}");
    }
}

#[test]
fn faults_are_found() {
    let page = root().join("docs/tutorial.md");
    let text = "# One `two`, [three](x.md)\n\n## A – b_c\n\n## A – b_c\n\n```text\n# none (](lost.md)\n```\n`](code.md)` and ](y.md)\n";
    assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), ["a--b_c", "a--b_c-1", "one-two-three"]);
    assert_eq!(targets(text), ["x.md", "y.md"]);
    assert_eq!(targets("<img src=\"a.png\"> <a href=\"b.html\">"), ["a.png", "b.html"]);
    for sound in ["https://example.org/x", "../README.md", "#a--b_c", "case-format.md#units", "images"] {
        assert_eq!(fault(&page, text, sound), None, "{sound}");
    }
    for broken in ["lost.md", "#lost", "case-format.md#lost", "../docs/lost.png"] {
        assert!(fault(&page, text, broken).is_some(), "{broken}");
    }
}
