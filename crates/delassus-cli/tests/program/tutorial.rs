//! `docs/tutorial.md`, `docs/first-problems.md` and `docs/study.md` do what they say: their commands are run in order, and print what stands below them.
//!
//! In a `console` block a line `$ …` is a command for the shell, the lines below are its output: each has to be there, in
//! this order, `…` standing for anything; `(exit code N)` is what it ends with, 0 when it is not said. Where no line `…`
//! stands between two lines, nothing else does in the output. A block with a name behind its kind (`ron NAME`, `sh NAME`) is a file.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::path::Path;
use std::process::Command;

const TUTORIAL: &str = include_str!("../../../../docs/tutorial.md");
const FIRST_PROBLEMS: &str = include_str!("../../../../docs/first-problems.md");
const STUDY: &str = include_str!("../../../../docs/study.md");

/// The blocks of the page: what stands behind the fence, and the lines inside.
fn blocks(page: &'static str) -> Vec<(String, Vec<&'static str>)> {
    let mut blocks: Vec<(String, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(kind) => {
                open = true;
                blocks.push((kind.to_owned(), Vec::new()));
            }
            None if open => blocks.last_mut().unwrap().1.push(line),
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// Whether a line has the pieces of a pattern between its `…`, in order.
fn fits(pattern: &str, line: &str) -> bool {
    let pieces: Vec<&str> = pattern.split('…').collect();
    let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
    if pieces.len() == 1 {
        return pattern == line;
    }
    if !line.starts_with(first) || !line.ends_with(last) || line.len() < first.len() + last.len() {
        return false;
    }
    let mut rest = &line[first.len()..line.len() - last.len()];
    pieces[1..pieces.len() - 1].iter().all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// Whether the lines of the page are those of the output.
fn matches(page: &[&str], output: &[&str]) -> bool {
    match (page, output) {
        ([], _) => output.is_empty(),
        (["…", rest @ ..], _) => (0..=output.len()).any(|skipped| matches(rest, &output[skipped..])),
        ([pattern, rest @ ..], [line, others @ ..]) => fits(pattern, line) && matches(rest, others),
        _ => false,
    }
}

fn run(folder: &Path, command: &str, page: &[&str]) {
    let bin = Path::new(env!("CARGO_BIN_EXE_delassus")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    let said = page.iter().find_map(|l| l.strip_prefix("(exit code ")?.strip_suffix(')'));
    let code = said.map_or(0, |n| n.parse::<i32>().unwrap());
    assert_eq!(output.status.code(), Some(code), "{command}\n{text}");
    let lines: Vec<&str> = page.iter().copied().filter(|l| !l.starts_with("(exit code ")).collect();
    // A command without lines below it is free to print.
    assert!(lines.is_empty() || matches(&lines, &text.lines().collect::<Vec<_>>()), "{command} printed\n{text}");
}

/// Runs all commands of a page in a folder of their own; returns how many there are.
fn follow(page: &'static str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut commands = 0;
    for (kind, lines) in blocks(page) {
        if let Some((_, name)) = kind.split_once(' ') {
            std::fs::write(folder.path().join(name), lines.join("\n") + "\n").unwrap();
        }
        if kind != "console" {
            continue;
        }
        assert!(lines[0].starts_with("$ "), "a block begins with a command: {}", lines[0]);
        let starts: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with("$ ")).collect();
        for (k, &start) in starts.iter().enumerate() {
            let end = starts.get(k + 1).copied().unwrap_or(lines.len());
            run(folder.path(), &lines[start][2..], &lines[start + 1..end]);
            commands += 1;
        }
    }
    commands
}

#[test]
fn every_command_does_what_the_page_says() {
    let commands = follow(TUTORIAL);
    assert!(commands >= 20, "only {commands} commands were found");
}

/// As somebody new would do them: at the first try, with the verdict that the page shows.
#[test]
fn the_six_first_problems_do_what_the_page_says() {
    let commands = follow(FIRST_PROBLEMS);
    assert!(commands >= 9, "only {commands} commands were found");
}

#[test]
fn a_validation_of_your_own_does_what_the_page_says() {
    let commands = follow(STUDY);
    assert!(commands >= 3, "only {commands} commands were found");
}

#[test]
fn lines_are_compared() {
    assert!(fits("a … b", "a x b") && fits("…b", "ab") && fits("ab", "ab") && fits("a…c…e", "abcde"));
    assert!(!fits("a … b", "a x c") && !fits("a…a", "a") && !fits("ab", "abc") && !fits("a…d…c…e", "abcde"));
    assert!(matches(&["a", "…", "d"], &["a", "b", "c", "d"]) && matches(&["…"], &[]) && matches(&["a", "…"], &["a"]));
    assert!(!matches(&["a", "d"], &["a", "b", "d"]) && !matches(&["a"], &["a", "b"]) && !matches(&["…", "x"], &["a"]));
}
