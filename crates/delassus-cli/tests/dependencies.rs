//! What comes into the program from others: `Cargo.toml`, `Cargo.lock`, `deny.toml` and docs/dependencies.md say the same.
//!
//! `cargo deny check` looks at more; this needs nothing that has to be installed, and keeps its file from going stale.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The lines of a table of a TOML file.
fn table<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| line.trim() != format!("[{name}]")).skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.trim_start().starts_with('#')).collect()
}

/// Names of the crates of others in `[workspace.dependencies]`.
fn declared() -> BTreeSet<String> {
    let text = read("Cargo.toml");
    let lines = table(&text, "workspace.dependencies");
    let names = lines.iter().filter_map(|line| line.split_once('=')).map(|(name, rest)| (name.trim(), rest));
    names.filter(|(_, rest)| !rest.contains("path =")).map(|(name, _)| name.to_owned()).collect()
}

/// The manifests of all members.
fn manifests() -> Vec<String> {
    let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|e| e.unwrap().path());
    let folders = crates.chain([root().join("tests"), root().join("benches")]);
    folders.map(|folder| std::fs::read_to_string(folder.join("Cargo.toml")).unwrap()).collect()
}

/// Names and versions of the packages in `Cargo.lock`, with their sources.
fn locked() -> Vec<(String, String, Option<String>)> {
    let text = read("Cargo.lock");
    let field = |part: &str, key: &str| {
        let line = part.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_prefix('='));
        line.map(|value| value.trim().trim_matches('"').to_owned())
    };
    let parts = text.split("[[package]]").skip(1);
    parts.map(|part| (field(part, "name").unwrap(), field(part, "version").unwrap(), field(part, "source"))).collect()
}

/// Numbers of a version, without what follows a hyphen or a plus.
fn numbers(version: &str) -> Vec<u64> {
    let plain = version.split(['-', '+']).next().unwrap();
    plain.split('.').map(|n| n.parse().unwrap()).collect()
}

/// The rows of the table in docs/dependencies.md.
fn reasons() -> BTreeMap<String, String> {
    let text = read("docs/dependencies.md");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| crate"));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|cells| (cells[1].to_owned(), cells[3].to_owned())).collect()
}

#[test]
fn every_direct_dependency_has_a_reason_and_a_use() {
    let (declared, reasons) = (declared(), reasons());
    assert!(declared.len() > 20, "{declared:?}");
    assert_eq!(declared, reasons.keys().cloned().collect(), "Cargo.toml, and the table of docs/dependencies.md");
    for (name, why) in &reasons {
        assert!(why.split_whitespace().count() >= 3, "{name}: {why}");
    }
    let manifests = manifests();
    for name in &declared {
        let used =
            manifests.iter().any(|text| text.lines().any(|l| l.starts_with(&format!("{name}.workspace = true"))));
        assert!(used, "{name} is in Cargo.toml, and no crate uses it");
    }
    // A version of a crate's own would escape the list.
    for text in &manifests {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for line in table(text, section).iter().filter(|line| !line.trim().is_empty()) {
                let ours = line.contains(".workspace = true") || line.contains("workspace = true");
                assert!(ours || line.starts_with("delassus-"), "[{section}] {line}");
            }
        }
    }
}

#[test]
fn duplicates_are_those_that_deny_toml_argues_for() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version, _) in locked() {
        versions.entry(name).or_default().push(version);
    }
    let mut older = BTreeSet::new();
    for (name, versions) in &mut versions {
        versions.sort_by_key(|v| numbers(v));
        for version in &versions[..versions.len() - 1] {
            // As far as Cargo takes two versions for different ones.
            let numbers = numbers(version);
            let major = if numbers[0] > 0 { numbers[0].to_string() } else { format!("0.{}", numbers[1]) };
            older.insert(format!("{name}@{major}"));
        }
    }
    let deny = read("deny.toml");
    let skipped: Vec<&str> = deny.lines().filter_map(|l| l.trim().strip_prefix("{ crate = \"")).collect();
    let named = skipped.iter().map(|line| line.split('"').next().unwrap().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(older, named, "in Cargo.lock, and in deny.toml");
    for line in skipped {
        let reason = line.split("reason = \"").nth(1).unwrap_or_default();
        assert!(reason.len() > 10, "no reason: {line}");
    }
}

#[test]
fn sources_and_pre_releases_are_known() {
    let page = read("docs/dependencies.md");
    let mut sources = BTreeSet::new();
    for (name, version, source) in locked() {
        let Some(source) = source else {
            assert!(
                name.starts_with("delassus-")
                    || name == "delassus"
                    || ["verification", "benches", "raw-cpuid"].contains(&name.as_str()),
                "{name}"
            );
            continue;
        };
        assert!(source.starts_with("registry+"), "{name} comes from {source}");
        sources.insert(source);
        let argued = page.contains(&format!("{name} {version}"));
        let is_pre_release = version.split('+').next().unwrap().contains('-');
        assert!(!is_pre_release || argued, "{name} {version} is not in docs/dependencies.md");
    }
    assert_eq!(sources.len(), 1, "one registry: {sources:?}");
}

/// Packages that are compiled on this machine, as Cargo tells of them.
fn packages() -> Vec<Value> {
    let told = Command::new("rustc").arg("-vV").output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host]);
    let output = command.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    all["packages"].as_array().unwrap().clone()
}

/// Is an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` fulfilled by licences of the list? A slash is an older OR.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    any_of(&mut words, allowed) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut good = all_of(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        // Read in any case.
        good |= all_of(words, allowed);
    }
    good
}

fn all_of(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    let mut good = single(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        good &= single(words, allowed);
    }
    good
}

fn single(words: &mut Words<'_>, allowed: &[&str]) -> bool {
    match words.next() {
        Some("(") => any_of(words, allowed) && words.next() == Some(")"),
        Some(name) if words.next_if_eq(&"WITH").is_some() => {
            let exception = words.next().unwrap_or_default();
            allowed.contains(&format!("{name} WITH {exception}").as_str())
        }
        Some(name) => allowed.contains(&name),
        None => false,
    }
}

#[test]
fn expressions_of_licences_are_understood() {
    let allowed = |expression: &str| is_allowed(expression, &["MIT", "Apache-2.0", "Unicode-3.0"]);
    for good in ["MIT", "GPL-3.0 OR MIT", "Unlicense/MIT", "(MIT OR X) AND Unicode-3.0", "X WITH Y OR Apache-2.0 OR Z"]
    {
        assert!(allowed(good), "{good}");
    }
    for bad in
        ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR X) AND Y", "Apache-2.0 WITH LLVM-exception", "MIT MIT", "X OR"]
    {
        assert!(!allowed(bad), "{bad}");
    }
}

/// Also that no dependency wants a newer compiler than we promise to need.
#[test]
fn licences_and_compilers_are_those_we_promise() {
    let deny = read("deny.toml");
    let list = table(&deny, "licenses").into_iter().find(|line| line.starts_with("allow = [")).unwrap();
    let allowed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    let ours = read("Cargo.toml");
    let ours = ours.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap().trim_matches('"').to_owned();
    let packages = packages();
    assert!(packages.len() > 100, "{}", packages.len());
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for package in &packages {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, licence) = (text("name"), text("license"));
        assert!(is_allowed(licence, &allowed), "{name}: `{licence}` is not allowed by deny.toml");
        used.extend(allowed.iter().copied().filter(|allowed| licence.contains(allowed)));
        let wanted = text("rust_version");
        let newer = !wanted.is_empty() && numbers(wanted)[..2] > numbers(&ours)[..2];
        assert!(!newer, "{name} needs Rust {wanted}, and we promise {ours}");
    }
    assert_eq!(used.len(), allowed.len(), "licences that deny.toml allows and nothing has: {allowed:?}, {used:?}");
}
