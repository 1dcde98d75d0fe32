//! A small generator of random numbers: the same numbers everywhere, so that a seed is a run.

/// Generator "SplitMix64": the state advances by a constant, the output is a mix of it.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One of 0..n; 0 when n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The high half of a product: no division, and its bias does not matter here.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True once in n times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of a list; none of an empty one.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_and_all_come() {
        let mut random = Random::new(1);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            seen[random.below(7)] += 1;
        }
        // 1000 expected each, with a deviation of 29: 6 of them.
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }

    #[test]
    fn a_seed_is_a_sequence() {
        let draw = |seed| -> Vec<u64> {
            let mut random = Random::new(seed);
            (0..4).map(|_| random.bits()).collect()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }
}
