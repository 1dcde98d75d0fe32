//! Texts, paths and `--set`.

use delassus_case::source::{
    Document, Language, MAX_BYTES, MAX_VALUES, Tree, find, from_text, parse_assignment, splice,
};
use delassus_error::Coded;
use serde::de::DeserializeOwned;

#[test]
fn syntax() {
    let check = |text: &str, code: &str| {
        let error = Tree::parse(text).map(|_| ()).unwrap_err();
        assert_eq!(error.problem.code(), code, "{error}");
    };
    check(&" ".repeat(MAX_BYTES + 1), "E0101");
    check(&"[".repeat(129), "E0102");
    check(&format!("[{}]", "1,".repeat(MAX_VALUES)), "E0103");
    check("", "E0104");
    check("(a: )", "E0105");
    check("(a: [1, 2", "E0106");
    check("(a: (1, 2}", "E0107");
    check("(a: 1 b: 2)", "E0108");
    check("{1 2}", "E0109");
    check("(a: 1, 2)", "E0110");
    check("(1, a: 2)", "E0111");
    check("\"abc", "E0112");
    check("('ab')", "E0113");
    check("1 /* /* */", "E0114");
    check("[1, / 2]", "E0115");
    check("#[enable] 1", "E0116");
    check("(1) 2", "E0117");
}

/// The code of the first problem of a text that is read as a `T`.
fn check_type<T: DeserializeOwned + std::fmt::Debug>(text: &str, code: &str) {
    let problems = from_text::<T>(text, "x.ron").unwrap_err();
    assert_eq!(problems.code(), code, "{problems}");
    assert!(problems.to_string().starts_with(&format!("error[{code}]: x.ron:1:")), "{problems}");
}

#[test]
fn types() {
    check_type::<f64>("\"one\"", "E0125");
    check_type::<(f64, f64)>("(1, 2, 3)", "E0126");
    check_type::<u8>("300", "E0127");
    check_type::<String>("\"\\q\"", "E0130");
    let problems = Document::of(Language::Json, "{\"a\": Theta(1)}", "x.json").unwrap_err();
    assert_eq!(problems.code(), "E0119", "{problems}");
}

#[test]
fn settings_and_paths() {
    let text = "(step: 1, list: [1], bodies: [(name: \"twin\"), (name: \"twin\")])";
    let check = |assignment: &str, code: &str| {
        let spliced = parse_assignment(assignment)
            .and_then(|(path, value)| splice(&Tree::parse(text).unwrap(), path, value).map(|_| ()));
        let error = spliced.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    };
    check("step", "E0201");
    check(" =1", "E0202");
    check("step=(1", "E0203");
    check("a b=1", "E0204");
    check("a..b=1", "E0211");
    check("lst[0].x=1", "E0212");
    check("list[5]=1", "E0213");
    check("bodies.twin.name=1", "E0214");
    check("step.x=1", "E0215");
    let deep = format!("list[0]={}1{}", "[".repeat(127), "]".repeat(127));
    assert_eq!(Document::new(text, "x.ron").unwrap().set(&deep).unwrap_err().code(), "E0205");
    assert_eq!(find(&Tree::parse(text).unwrap(), "bodies.twin").map(|_| ()).unwrap_err().code(), "E0214");
}
