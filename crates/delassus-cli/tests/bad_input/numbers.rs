//! Whatever number a user writes, the program ends by itself with one of its exit codes.

use super::{BLOCK, Scene, listing};

/// What each number is replaced by.
const EXTREMES: [&str; 6] = ["0", "-1.0", "NaN", "inf", "1e308", "1e-308"];

/// Every number of the base case: its bytes.
fn numbers() -> Vec<std::ops::Range<usize>> {
    let bytes = BLOCK.as_bytes();
    let belongs = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'-');
    let mut found = Vec::new();
    let mut at = BLOCK.find("dimension").unwrap();
    while let Some(start) = (at..bytes.len()).find(|&i| bytes[i].is_ascii_digit()) {
        let end = (start..bytes.len()).find(|&i| !belongs(&bytes[i])).unwrap();
        found.push(if bytes[start - 1] == b'-' { start - 1..end } else { start..end });
        at = end;
    }
    found
}

#[test]
fn no_number_makes_the_program_fall_over() {
    let places = numbers();
    assert!(places.len() >= 45, "{} numbers", places.len());
    let mut refused = 0;
    for place in &places {
        for value in EXTREMES {
            let scene = Scene::new(&format!("{}{value}{}", &BLOCK[..place.start], &BLOCK[place.end..]));
            let done = scene.delassus(&["run", "case.ron", "--out", "out", "--quiet"]);
            let what = format!("`{}` replaced by {value}: {}", &BLOCK[place.start - 12..place.end], done.stderr);
            assert!([0, 2, 3, 4].contains(&done.code), "exit code {}: {what}", done.code);
            assert_eq!(done.code == 0, done.stderr.is_empty(), "{what}");
            if done.code == 2 {
                refused += 1;
                assert_eq!(listing(&scene), ["case.ron"], "{what}");
            }
        }
    }
    // NaN and infinity are refused everywhere, and more than that.
    assert!(refused >= 2 * places.len(), "{refused} refused");
}
