//! Messages about a JSON file that a run did not write in this form.

use delassus_error::excerpt;
use serde_json::error::Category;

/// What is wrong and where, with nothing of the file: serde's own words would repeat its values.
#[must_use]
pub fn json_fault(e: &serde_json::Error) -> String {
    let (line, column) = (e.line(), e.column());
    let what = match e.classify() {
        // The name of a key that is missing is ours.
        Category::Data if e.to_string().starts_with("missing field") => return excerpt(&e.to_string()),
        Category::Data => "a value has a wrong type or range",
        Category::Syntax => "it is not JSON",
        Category::Eof => "it ends too early",
        Category::Io => "it cannot be read",
    };
    format!("{what}, line {line} column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Record {
        #[expect(dead_code, reason = "only its type matters")]
        steps: usize,
    }

    #[test]
    fn nothing_is_repeated() {
        let told = |text: &str| json_fault(&serde_json::from_str::<Record>(text).unwrap_err());
        assert_eq!(told("{}"), "missing field `steps` at line 1 column 2");
        assert_eq!(told("\"sesame\""), "a value has a wrong type or range, line 1 column 8");
        assert_eq!(told("{\"steps\": \"sesame\"}"), "a value has a wrong type or range, line 1 column 18");
        assert_eq!(told("sesame"), "it is not JSON, line 1 column 1");
        assert_eq!(told("{\"steps\":"), "it ends too early, line 1 column 9");
    }
}
