//! A failing input made smaller: pieces are left out as long as it still fails.

/// The smaller input after at most `budget` tries. Pieces begin at half of the input and end at single bytes.
pub fn minimise(input: &[u8], budget: usize, mut still_fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut piece = best.len().div_ceil(2);
    let mut tries = 0;
    while piece > 0 {
        let mut at = 0;
        let mut shrunk = false;
        while at < best.len() {
            if tries == budget {
                return best;
            }
            tries += 1;
            let end = (at + piece).min(best.len());
            let candidate = [&best[..at], &best[end..]].concat();
            if still_fails(&candidate) {
                best = candidate;
                shrunk = true;
            } else {
                at = end;
            }
        }
        if piece == 1 && !shrunk {
            break;
        }
        piece = if piece == 1 { 1 } else { piece.div_ceil(2) };
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left() {
        let input = b"a long text with one bad word in it, and more";
        let fails = |bytes: &[u8]| bytes.windows(3).any(|w| w == b"bad");
        assert_eq!(minimise(input, 1000, fails), b"bad");
        assert_eq!(minimise(b"", 1000, |_| true), b"");
    }

    #[test]
    fn the_budget_is_kept() {
        let mut tries = 0;
        let left = minimise(&[b'x'; 1000], 10, |bytes| {
            tries += 1;
            bytes.len() > 990
        });
        assert_eq!(tries, 10);
        assert!(left.len() > 990);
    }
}
