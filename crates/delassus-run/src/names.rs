//! `names.csv`: what the numbers in frames stand for, one line each: kind, number, name.

use delassus_case::spec::Case;
use delassus_sim::model::Model;

/// The table of a case and its model.
#[must_use]
pub fn names_table<const D: usize>(case: &Case, model: &Model<D>) -> String {
    let mut out = "kind,number,name\n".to_owned();
    let mut add = |kind: &str, names: &[&str]| {
        for (number, name) in names.iter().enumerate() {
            out += &format!("{kind},{number},{}\n", quoted(name));
        }
    };
    add("body", &model.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>());
    add("material", &model.materials.iter().map(String::as_str).collect::<Vec<_>>());
    add("obstacle", &case.obstacles.iter().map(|o| o.name.as_str()).collect::<Vec<_>>());
    add("pair", &model.pairs.iter().map(|p| p.name.as_str()).collect::<Vec<_>>());
    out
}

/// A name as a cell of a table.
fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("left"), "left");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
