//! The inputs from which new ones are made: the seeds, and what gave an outcome not seen before.

use std::collections::{HashMap, HashSet};

use crate::random::Random;
use crate::targets::Answer;

/// Inputs held beside the seeds. Words of the input that slip into messages would make the pool grow for ever.
const LARGEST: usize = 8192;

/// One in so many inputs with a known outcome takes the place of the one held.
const RENEWED: usize = 16;

/// Inputs and the outcomes that are known.
pub struct Pool {
    inputs: Vec<Vec<u8>>,
    n_seeds: usize,
    shapes: HashSet<u64>,
    /// Outcomes with the places of the inputs that stand for them.
    seen: HashMap<u64, usize>,
}

impl Pool {
    /// A pool of seeds.
    #[must_use]
    pub fn new(seeds: Vec<Vec<u8>>) -> Self {
        let n_seeds = seeds.len();
        Self { inputs: seeds, n_seeds, shapes: HashSet::new(), seen: HashMap::new() }
    }

    /// An input to start from. Half of the time one of the seeds, which are the most valid of all.
    pub fn pick(&self, random: &mut Random) -> &[u8] {
        let among = if random.one_in(2) { self.n_seeds } else { self.inputs.len() };
        random.pick(&self.inputs[..among]).map_or(&[], Vec::as_slice)
    }

    /// Keeps an input whose outcome is new, by its words or by the order of magnitude of the memory asked for.
    pub fn note(&mut self, random: &mut Random, input: &[u8], outcome: &Answer, asked: usize) {
        let shape = outcome.shape();
        self.shapes.insert(shape);
        let key = shape ^ u64::from(asked.max(1).ilog2()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if let Some(&place) = self.seen.get(&key) {
            // The first with an outcome may be damaged elsewhere, so that no further change leads on from it.
            if random.one_in(RENEWED) {
                self.inputs[place] = input.to_vec();
            }
            return;
        }
        let mut place = self.inputs.len();
        if place < self.n_seeds + LARGEST {
            self.inputs.push(input.to_vec());
        } else {
            place = self.n_seeds + random.below(LARGEST);
            self.inputs[place] = input.to_vec();
        }
        self.seen.insert(key, place);
    }

    /// Outcomes told apart, without regard to memory.
    #[must_use]
    pub fn n_outcomes(&self) -> usize {
        self.shapes.len()
    }

    /// Inputs held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Is there nothing to start from?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_is_kept() {
        let (mut pool, mut random) = (Pool::new(vec![b"seed".to_vec()]), Random::new(1));
        for (message, asked, len) in
            [("line 3: bad", 100, 2), ("line 77: bad", 100, 2), ("line 3: bad", 9000, 3), ("worse", 100, 4)]
        {
            pool.note(&mut random, b"x", &Answer::Refused(message.to_owned()), asked);
            assert_eq!(pool.len(), len, "{message} {asked}");
        }
        assert_eq!(pool.n_outcomes(), 2);
        assert_eq!(Pool::new(Vec::new()).pick(&mut random), b"");
    }
}
