//! The walls of the project: which crate may use which, no cycle between the modules of a crate, one type for one name.
//!
//! Modules are the top-level ones, seen by the paths `crate::x` and `super::x` in their sources without tests. A cycle means that no
//! module of it can be read alone.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All crates; each may use those before it.
const ORDER: [&str; 20] = [
    "error", "math", "alloc", "chart", "mesh", "dynamics", "fem", "contact", "shapes", "rigid", "solver", "fclib",
    "verify", "sim", "case", "run", "report", "suite", "cli", "fuzz",
];

/// Crates that know nothing of others although they come later: what they may use.
const NARROW: [(&str, &[&str]); 12] = [
    ("alloc", &["error"]),
    ("math", &["error"]),
    ("mesh", &["error", "math"]),
    ("dynamics", &["error"]),
    ("contact", &["error", "math"]),
    ("shapes", &["error", "math", "contact"]),
    ("rigid", &["error", "math", "mesh", "dynamics", "fem", "shapes"]),
    ("solver", &["error", "math"]),
    ("fclib", &["error", "solver"]),
    ("verify", &["error", "math", "fem"]),
    ("chart", &[]),
    ("sim", &["error", "math", "mesh", "dynamics", "fem", "contact", "shapes", "rigid", "solver"]),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Is it a file of tests, or of helpers of tests?
fn is_test(relative: &Path) -> bool {
    relative.components().any(|c| {
        let name = c.as_os_str().to_string_lossy();
        name.starts_with("tests") || name.starts_with("testing") || name.ends_with("tests.rs")
    })
}

/// A source without comments and without what follows `#[cfg(test)]`.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap();
    product.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The first names of the paths that begin with `prefix`: of `crate::{a::B, c}` a and c.
fn named<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let word = |t: &'t str| t.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    let mut found = Vec::new();
    for rest in text.split(prefix).skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let (mut depth, mut begin) = (0, 0);
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => {
                    found.push(word(group[begin..i].trim_start()));
                    break;
                }
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.push(word(group[begin..i].trim_start()));
                    begin = i + 1;
                }
                _ => {}
            }
        }
    }
    found
}

/// Who uses whom among the top-level modules of a crate.
fn uses(src: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut texts = Vec::new();
    for path in sources(src) {
        let relative = path.strip_prefix(src).unwrap().to_owned();
        let first = relative.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
        if is_test(&relative) || ["lib", "main"].contains(&first.as_str()) {
            continue;
        }
        // How many `super::` lead from the items of this file to the root of the crate.
        let depth = relative.components().count() - usize::from(relative.ends_with("mod.rs"));
        graph.entry(first.clone()).or_default();
        texts.push((first, "super::".repeat(depth), code(&path)));
    }
    let known: Vec<String> = graph.keys().cloned().collect();
    for (module, to_root, text) in &texts {
        let found = named(text, "crate::").into_iter().chain(named(text, to_root));
        let others = found.filter(|n| *n != module && known.iter().any(|k| k == n));
        graph.get_mut(module).unwrap().extend(others.map(str::to_owned));
    }
    graph
}

/// A cycle of a graph, if there is one: modules without successors are taken away until none is left.
fn cycle(mut graph: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let ends: Vec<String> = graph.iter().filter(|(_, to)| to.is_empty()).map(|(m, _)| m.clone()).collect();
        if ends.is_empty() {
            return graph.into_keys().collect();
        }
        for end in &ends {
            graph.remove(end);
            graph.values_mut().for_each(|to| {
                to.remove(end);
            });
        }
    }
}

#[test]
fn no_module_of_a_crate_is_used_by_one_that_it_uses() {
    let mut modules = 0;
    for name in ORDER {
        let graph = uses(&crates().join(format!("delassus-{name}/src")));
        modules += graph.len();
        let left = cycle(graph);
        assert!(left.is_empty(), "delassus-{name}: cycles among (or modules that lead into cycles) {left:?}");
    }
    assert!(modules > 120, "{modules} modules were looked at");
}

#[test]
fn cycles_are_found() {
    let graph = |edges: &[(&str, &[&str])]| {
        edges.iter().map(|(m, to)| ((*m).to_owned(), to.iter().map(|t| (*t).to_owned()).collect())).collect()
    };
    assert!(cycle(graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])).is_empty());
    assert_eq!(cycle(graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &[])])), ["a", "b", "c"]);
    assert_eq!(named("use crate::{a::{B, C}, d};\ncrate::e::f()", "crate::"), ["a", "d", "e"]);
    assert_eq!(named("use super::x::Y;", "super::"), ["x"]);
}

/// The crates that a manifest names as dependencies of the product.
fn dependencies(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(crates().join(format!("delassus-{name}/Cargo.toml"))).unwrap();
    let part = text.split("\n[dependencies]\n").nth(1).unwrap_or("").split("\n[").next().unwrap();
    let ours = part.lines().filter_map(|l| l.strip_prefix("delassus-"));
    ours.map(|l| l.split(['.', ' ']).next().unwrap().to_owned()).collect()
}

#[test]
fn a_crate_uses_only_those_to_its_left() {
    let mut there: Vec<String> = std::fs::read_dir(crates())
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().to_string_lossy().strip_prefix("delassus-").map(str::to_owned))
        .collect();
    there.sort();
    let mut known: Vec<&str> = ORDER.to_vec();
    known.sort_unstable();
    assert_eq!(there, known, "every crate has its place in the order");
    let place = |name: &str| ORDER.iter().position(|o| *o == name).unwrap();
    for name in ORDER {
        let narrow = NARROW.iter().find(|(n, _)| *n == name).map(|(_, may)| *may);
        for used in dependencies(name) {
            assert!(place(&used) < place(name), "delassus-{name} must not use delassus-{used}");
            assert!(narrow.is_none_or(|may| may.contains(&used.as_str())), "delassus-{name} knows nothing of {used}");
        }
    }
}

/// Sources that read files in a way of their own, and what: a lock that may be held, a history that goes on and folders that are synchronised,
/// what the system tells, the fuzzer's inputs.
const READERS: [&str; 6] = [
    "error/src/input.rs",
    "error/src/machine.rs",
    "run/src/lock.rs",
    "run/src/files.rs",
    "suite/src/machine.rs",
    "fuzz/src/",
];

/// Files of the user are read in one place: regular files only, up to a bound.
#[test]
fn files_are_read_in_one_place() {
    let words = ["File::open(", "fs::read(", "fs::read_to_string(", ".read_to_end(", ".read_to_string("];
    let (mut looked_at, mut others) = (0, Vec::new());
    for name in ORDER {
        for path in sources(&crates().join(format!("delassus-{name}/src"))) {
            let shown = path.to_string_lossy().split("/delassus-").last().unwrap().to_owned();
            if is_test(Path::new(&shown)) {
                continue;
            }
            looked_at += 1;
            let text = code(&path);
            if words.iter().any(|word| text.contains(word)) && !READERS.iter().any(|r| shown.starts_with(r)) {
                others.push(shown);
            }
        }
    }
    assert!(looked_at > 300, "{looked_at} files were looked at");
    assert!(others.is_empty(), "{others:?} read files by themselves: use delassus_error::input");
}

/// Names that several crates give to one and the same type of nalgebra.
const COMMON: [&str; 2] = ["Vector", "Matrix"];

/// The names of the structs, enums, traits and type aliases that a source defines.
fn types(text: &str) -> Vec<&str> {
    let word = |t: &str| t.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(t.len());
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        // An alias that is indented belongs to a trait or an impl.
        let is_inner = rest.len() < line.len();
        if let Some(after) = rest.strip_prefix("pub") {
            rest = after.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(after, |(_, r)| r).trim_start();
        }
        for kind in ["struct ", "enum ", "trait ", "type "] {
            if let Some(name) = rest.strip_prefix(kind).filter(|_| !(is_inner && kind == "type ")) {
                found.push(&name[..word(name)]);
            }
        }
    }
    found
}

#[test]
fn a_type_name_stands_for_one_type() {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in ORDER {
        let src = crates().join(format!("delassus-{name}/src"));
        for path in sources(&src) {
            let relative = path.strip_prefix(&src).unwrap();
            if is_test(relative) {
                continue;
            }
            for found in types(&code(&path)) {
                known.entry(found.to_owned()).or_default().push(format!("{name}/{}", relative.display()));
            }
        }
    }
    assert!(known.len() > 400, "{} types were found", known.len());
    let twice: Vec<_> = known.iter().filter(|(n, at)| at.len() > 1 && !COMMON.contains(&n.as_str())).collect();
    assert!(twice.is_empty(), "names of two or more types: {twice:#?}");
    assert_eq!(types("pub(crate) struct A<T>;\n    type Item = u8;\ntype B = u8;\nenum C {"), ["A", "B", "C"]);
}

/// Crates whose numbers only end up in pictures, pages and tables: they may use the functions of the system's library.
const PICTURES: [&str; 5] = ["chart", "report", "suite", "cli", "fuzz"];

/// Functions of `f64` whose bits are not fixed by IEEE 754, and that therefore belong to `delassus-math` alone.
const NOT_FIXED: [&str; 26] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "cbrt", "hypot", "mul_add",
];

/// The functions of the list that a source calls as methods or names as functions of `f64`.
fn not_fixed(text: &str) -> Vec<&str> {
    let word = |t: &str| t.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(t.len());
    let methods = text.split('.').skip(1).map(|rest| (rest, true));
    let paths = text.split("f64::").skip(1).map(|rest| (rest, false));
    methods
        .chain(paths)
        .map(|(rest, is_method)| (&rest[..word(rest)], !is_method || rest[word(rest)..].starts_with('(')))
        .filter(|(name, is_call)| *is_call && NOT_FIXED.contains(name))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn elementary_functions_are_those_of_delassus_math() {
    for name in ORDER.iter().filter(|n| **n != "math" && !PICTURES.contains(n)) {
        let src = crates().join(format!("delassus-{name}/src"));
        for path in sources(&src).iter().filter(|p| !is_test(p.strip_prefix(&src).unwrap())) {
            let text = code(path);
            let found = not_fixed(&text);
            assert!(found.is_empty(), "{}: {found:?} of f64; take those of delassus-math", path.display());
        }
    }
    assert_eq!(not_fixed("x.sin() + f64::exp(x) + math::ln(x) + self.log.len() + x.sqrt()"), ["sin", "exp"]);
}

/// A feature of a manifest, with what it turns on.
fn feature<'t>(manifest: &'t str, name: &str) -> Vec<&'t str> {
    let start = format!("\n{name} = [");
    let list = manifest.split(&start).nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("");
    list.split(',').map(|w| w.trim().trim_matches('"')).filter(|w| !w.is_empty()).collect()
}

/// Of a portable build nothing may ask the processor: no crate turns on the features by which faer and pulp would, except by `native`.
#[test]
fn the_features_native_and_portable_reach_every_crate() {
    let root = crates().join("..");
    let workspace = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for library in ["faer", "pulp"] {
        let line = workspace.lines().find(|l| l.starts_with(&format!("{library} = "))).unwrap();
        assert!(line.contains("default-features = false") && !line.contains("\"std\""), "{line}");
    }
    assert!(workspace.contains("\nraw-cpuid = { path = \"crates/raw-cpuid\" }"), "{workspace}");
    let folders = ORDER.map(|name| crates().join(format!("delassus-{name}")));
    for folder in folders.into_iter().chain([crates().join("delassus"), root.join("tests"), root.join("benches")]) {
        let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let lines = text.split("\n[dependencies]\n").nth(1).unwrap_or("").split("\n[").next().unwrap().lines();
        let used: Vec<&str> = lines.map(|l| l.split(['.', ' ']).next().unwrap()).collect();
        let (native, portable) = (feature(&text, "native"), feature(&text, "portable"));
        for library in used {
            // A library that can be left out has a `?`.
            let on = |list: &[&str], what: &str| {
                ["", "?"].iter().any(|mark| list.contains(&format!("{library}{mark}/{what}").as_str()))
            };
            let without = ["delassus-error", "delassus-alloc", "delassus-chart"];
            let steered = library.starts_with("delassus-") && !without.contains(&library);
            assert!(!steered || on(&native, "native") && on(&portable, "portable"), "{}: {library}", folder.display());
            assert!(!["faer", "pulp"].contains(&library) || on(&native, "std"), "{}: {library}", folder.display());
            assert!(!on(&portable, "std"), "{}: {library}", folder.display());
        }
    }
    // The lines by which our crates are known, without their default features.
    let ours: Vec<&str> = workspace.lines().filter(|l| l.starts_with("delassus-")).collect();
    let open: Vec<_> = ours.iter().filter(|l| !l.contains("default-features = false")).collect();
    assert_eq!((ours.len(), open.len()), (19, 3), "{open:?}");
}

/// The libraries of the program in a build with these features, each with the features that it has there.
fn libraries(features: &[&str]) -> BTreeMap<String, Vec<String>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let words = ["tree", "--offline", "--locked", "-p", "delassus-cli", "-e", "normal", "--prefix", "none"];
    let done = std::process::Command::new(cargo)
        .args(words)
        .args(["-f", "{p} [{f}]"])
        .args(features)
        .current_dir(crates().join(".."))
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let line = |l: &str| {
        let list = l.split_once('[')?.1.split_once(']')?.0;
        Some((l.split(' ').next()?.to_owned(), list.split(',').map(str::to_owned).collect()))
    };
    text.lines().filter_map(line).collect()
}

/// By `std` these libraries choose instructions while the program runs.
const CHOOSERS: [&str; 9] =
    ["faer", "faer-traits", "gemm", "gemm-common", "gemm-f32", "gemm-f64", "nano-gemm", "pulp", "qd"];

#[test]
fn in_a_portable_build_no_library_chooses_instructions() {
    let has = |found: &BTreeMap<String, Vec<String>>, library: &str, feature: &str| {
        found[library].iter().any(|f| f == feature)
    };
    let portable = libraries(&["--no-default-features", "--features", "portable"]);
    let choosing: Vec<_> = CHOOSERS.iter().filter(|c| has(&portable, c, "std")).collect();
    assert!(choosing.is_empty(), "{choosing:?} are built with std");
    assert!(!portable.contains_key("private-gemm-x86"), "its kernels are chosen by faer's std");
    assert!(has(&portable, "simba", "libm_force"), "nalgebra takes elementary functions of libm");
    assert!(has(&portable, "delassus-math", "portable") && !has(&portable, "delassus-math", "native"));
    // And the other way round: the test sees what it looks for.
    let native = libraries(&[]);
    assert!(CHOOSERS.iter().all(|c| has(&native, c, "std")), "{native:?}");
    assert!(native.contains_key("private-gemm-x86") && has(&native, "delassus-math", "native"));
}
