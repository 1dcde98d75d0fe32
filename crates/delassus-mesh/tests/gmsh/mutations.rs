//! Damaged files: whatever happens to the bytes, the reader answers with a mesh or an error.

use delassus_mesh::{Mesh, gmsh};

use crate::all_samples;

/// Marsaglia's xorshift64: the same damage on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).unwrap()
    }
}

const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "2",
    "99",
    "2147483647",
    "-2147483648",
    "18446744073709551615",
    "1000000000000000000",
    "1e308",
    "nan",
    "$",
];

fn lines(file: &[u8]) -> Vec<&[u8]> {
    file.split_inclusive(|&byte| byte == b'\n').collect()
}

fn mutate(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = file.to_vec();
    if out.is_empty() {
        return out;
    }
    match random.below(8) {
        0 => out.truncate(random.below(file.len())),
        1 => {
            let at = random.below(file.len());
            out[at] = u8::try_from(random.below(256)).unwrap();
        }
        2 => {
            let at = random.below(file.len());
            out[at] ^= 1 << random.below(8);
        }
        3 => {
            let all = lines(file);
            let i = random.below(all.len());
            out = [all[..=i].concat(), all[i..].concat()].concat();
        }
        4 => {
            let all = lines(file);
            let i = random.below(all.len());
            out = [all[..i].concat(), all[i + 1..].concat()].concat();
        }
        5 => {
            // A word of a text line (or a stretch of binary data) becomes another number.
            let at = random.below(file.len());
            let space = |b: &u8| b.is_ascii_whitespace();
            let start = file[..at].iter().rposition(space).map_or(0, |i| i + 1);
            let end = file[at..].iter().position(space).map_or(file.len(), |i| at + i);
            let number = NUMBERS[random.below(NUMBERS.len())];
            out = [&file[..start], number.as_bytes(), &file[end..]].concat();
        }
        6 => {
            // Four or eight bytes all ones or the largest positive number: counts of binary files.
            let at = random.below(file.len());
            let n = if random.below(2) == 0 { 4 } else { 8 };
            let top = [0xff, 0x7f][random.below(2)];
            for (i, byte) in out[at..].iter_mut().take(n).enumerate() {
                *byte = if i + 1 == n { top } else { 0xff };
            }
        }
        _ => {
            let (a, b) = (random.below(file.len()), random.below(file.len()));
            let piece = file[a.min(b)..a.max(b)].to_vec();
            let at = random.below(file.len());
            out.splice(at..at, piece);
        }
    }
    out
}

/// Reads, converts, and uses what came of it.
fn exercise(file: &[u8]) -> bool {
    let Ok(file) = gmsh::read(file) else { return false };
    let _ = file.to_mesh::<1>();
    file.to_mesh::<2>().is_ok_and(|mesh| exercise_mesh(&mesh))
        || file.to_mesh::<3>().is_ok_and(|mesh| exercise_mesh(&mesh))
}

fn exercise_mesh<const D: usize>(mesh: &Mesh<D>) -> bool {
    mesh.validate().unwrap();
    assert!(mesh.total_measure() > 0.0);
    let boundary = mesh.boundary();
    assert!(!boundary.is_empty());
    assert!(boundary.iter().all(|facet| mesh.facet_normal(facet).iter().all(|n| n.is_finite())));
    for group in &mesh.groups {
        let _ = mesh.group_facets(&group.name);
        let _ = mesh.group_nodes(group);
    }
    true
}

#[test]
fn no_damage_makes_the_reader_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut survived, mut refused) = (0, 0);
    for (_, file) in all_samples() {
        for _ in 0..300 {
            let mut damaged = mutate(&file, &mut random);
            for _ in 0..random.below(3) {
                damaged = mutate(&damaged, &mut random);
            }
            if exercise(&damaged) {
                survived += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert_eq!(survived + refused, 67 * 300);
    // Both outcomes are frequent, else the damage would be too light or too heavy to tell anything.
    assert!(survived > 300 && refused > 5000, "{survived} survived, {refused} refused");
}
