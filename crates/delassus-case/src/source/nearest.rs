//! The name nearest to a misspelt one, for "did you mean".
//!
//! ```text
//! d(a, b) = least number of insertions, deletions, replacements and swaps of neighbours
//! ```
//! (optimal string alignment), letter case not counting. O(|a|·|b|) with |a|, |b| ≤ 64.

/// Names longer than this are not compared.
const MAX_LENGTH: usize = 64;

/// The candidate nearest to `name`, if it is near enough to be a slip of the fingers: at most one third of the
/// longer name differs. Of equally near ones, the first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name)?;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let Some(other) = letters(candidate) else {
            continue;
        };
        let allowed = name.len().max(other.len()).div_ceil(3);
        let found = distance(&name, &other);
        if found <= allowed && found < other.len() && best.is_none_or(|(least, _)| found < least) {
            best = Some((found, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn letters(name: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = name.chars().take(MAX_LENGTH + 1).flat_map(char::to_lowercase).collect();
    (letters.len() <= MAX_LENGTH).then_some(letters)
}

fn distance(a: &[char], b: &[char]) -> usize {
    // Three rows of the table are enough: a swap looks two rows back.
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, &y) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(x != y);
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && y == a[i - 1] {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| distance(&letters(a).unwrap(), &letters(b).unwrap());
        assert_eq!(d("", ""), 0);
        assert_eq!(d("", "abc"), 3);
        assert_eq!(d("tetha", "theta"), 2, "a letter carried over two others");
        assert_eq!(d("thtea", "theta"), 1, "a swap of neighbours");
        assert_eq!(d("THETA", "theta"), 0, "letter case");
        assert_eq!(d("mu", "nu"), 1);
    }

    #[test]
    fn suggestions() {
        let keys = ["theta", "step", "duration", "nu"];
        assert_eq!(nearest("tetha", keys), Some("theta"));
        assert_eq!(nearest("duraton", keys), Some("duration"));
        assert_eq!(nearest("mu", keys), Some("nu"));
        assert_eq!(nearest("gravity", keys), None);
        assert_eq!(nearest("x", keys), None);
        assert_eq!(nearest(&"a".repeat(1000), keys), None, "not compared at all");
    }
}
