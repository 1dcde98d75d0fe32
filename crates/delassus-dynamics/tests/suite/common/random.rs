//! A generator whose numbers are the same on every machine (a linear congruence, its high bits folded down).

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x5DEE_CE66_D1CE_4E5B);
        random.unit();
        random
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let folded = self.0 ^ (self.0 >> 33);
        (folded >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }

    /// n numbers in [−1, 1).
    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.between(-1.0, 1.0)).collect()
    }

    /// k different numbers of 0..n, ascending.
    pub fn subset(&mut self, n: usize, k: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        for i in 0..k {
            let j = i + self.below(n - i);
            all.swap(i, j);
        }
        all.truncate(k);
        all.sort_unstable();
        all
    }
}
