//! Plain bytes of plain data: little-endian numbers, lengths before contents, nothing left out.
//!
//! Reading never trusts a length: what it promises must be there, so that memory stays within a small multiple of the file.

use delassus_contact::ContactKey;
use delassus_dynamics::State;

use crate::ledger::Ledger;
use crate::outcome::{Past, Snapshot};
use crate::summary::Verdict;

/// What is left to be read.
pub struct Reader<'a> {
    rest: &'a [u8],
}

/// Bytes that do not hold what they should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl<'a> Reader<'a> {
    /// Reads from the beginning.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Is everything read?
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (head, tail) = self.rest.split_first_chunk().ok_or(Malformed)?;
        self.rest = tail;
        Ok(*head)
    }

    fn slice(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self.rest.split_at_checked(len).ok_or(Malformed)?;
        self.rest = tail;
        Ok(head)
    }

    /// The length of a list whose items take at least `least` bytes each.
    fn length(&mut self, least: usize) -> Result<usize, Malformed> {
        let n = usize::get(self)?;
        let promised = n.checked_mul(least).ok_or(Malformed)?;
        if promised <= self.rest.len() { Ok(n) } else { Err(Malformed) }
    }
}

/// Something that can be written as bytes and read back to the same bits.
pub trait Stored: Sized {
    /// Fewest bytes that one takes; at least 1.
    const LEAST: usize;
    /// Appends the bytes.
    fn put(&self, out: &mut Vec<u8>);
    /// Reads it back.
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed>;
}

impl Stored for u64 {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.take().map(Self::from_le_bytes)
    }
}

impl Stored for u32 {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.take().map(Self::from_le_bytes)
    }
}

impl Stored for usize {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Self::try_from(u64::get(from)?).map_err(|_| Malformed)
    }
}

impl Stored for f64 {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        self.to_bits().put(out);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        u64::get(from).map(Self::from_bits)
    }
}

impl Stored for String {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend(self.as_bytes());
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let n = from.length(1)?;
        Self::from_utf8(from.slice(n)?.to_vec()).map_err(|_| Malformed)
    }
}

impl<T: Stored> Stored for Vec<T> {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        self.iter().for_each(|x| x.put(out));
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let n = from.length(T::LEAST)?;
        (0..n).map(|_| T::get(from)).collect()
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    const LEAST: usize = A::LEAST + B::LEAST;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok((A::get(from)?, B::get(from)?))
    }
}

/// A structure field by field. Reading names all of them: a field that is added and not stored does not compile.
macro_rules! stored {
    ($name:ty { $($field:ident : $kind:ty),* $(,)? }) => {
        impl $crate::checkpoint::codec::Stored for $name {
            const LEAST: usize = 0 $(+ <$kind as $crate::checkpoint::codec::Stored>::LEAST)*;
            fn put(&self, out: &mut Vec<u8>) {
                $($crate::checkpoint::codec::Stored::put(&self.$field, out);)*
            }
            fn get(
                from: &mut $crate::checkpoint::codec::Reader<'_>,
            ) -> Result<Self, $crate::checkpoint::codec::Malformed> {
                Ok(Self { $($field: $crate::checkpoint::codec::Stored::get(from)?),* })
            }
        }
    };
}
pub(super) use stored;

stored!(State { t: f64, q: Vec<f64>, v: Vec<f64>, z: Vec<f64>, aux: Vec<f64> });
stored!(ContactKey { pair: u32, pass: u32, candidate: u32 });
stored!(Past { z: Vec<f64>, slip: f64, friction: f64 });
stored!(Snapshot { states: Vec<State>, impulses: Vec<(ContactKey, Vec<f64>)>, pasts: Vec<(ContactKey, Past)> });
stored!(Ledger {
    initial: f64,
    kinetic: f64,
    elastic: f64,
    bonds: f64,
    external: f64,
    viscous: f64,
    friction: f64,
    contact: f64,
    damage: f64,
    numerical: f64,
    turnover: f64,
});
stored!(Verdict {
    law_error: f64,
    energy_residual: f64,
    max_penetration: f64,
    true_penetration: f64,
    flagged: usize,
    cuts: usize,
    takeovers: usize,
    max_iterations: usize,
    total_iterations: usize,
    max_active: usize,
    too_deep: usize,
    max_inertia: f64,
    restless_time: f64,
});

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(x: &impl Stored) -> Vec<u8> {
        let mut out = Vec::new();
        x.put(&mut out);
        out
    }

    fn back<T: Stored>(bytes: &[u8]) -> Result<T, Malformed> {
        let mut reader = Reader::new(bytes);
        let x = T::get(&mut reader)?;
        if reader.is_at_end() { Ok(x) } else { Err(Malformed) }
    }

    #[test]
    fn every_bit_comes_back() {
        let numbers = vec![0.0, -0.0, f64::MIN_POSITIVE, 1.0 / 3.0, f64::INFINITY, -f64::MAX];
        let read: Vec<f64> = back(&bytes(&numbers)).unwrap();
        assert!(read.iter().zip(&numbers).all(|(a, b)| a.to_bits() == b.to_bits()));
        let nan = f64::from_bits(0x7ff8_0000_0000_1234);
        assert_eq!(back::<f64>(&bytes(&nan)).unwrap().to_bits(), nan.to_bits());
        let words = vec![String::new(), "Größe".to_owned()];
        assert_eq!(back::<Vec<String>>(&bytes(&words)).unwrap(), words);
        let past = Past { z: vec![1.0, 2.0], slip: 3.0, friction: 4.0 };
        let key = ContactKey { pair: 1, pass: 2, candidate: u32::MAX };
        assert_eq!(back::<Vec<(ContactKey, Past)>>(&bytes(&vec![(key, past.clone())])).unwrap(), [(key, past)]);
    }

    /// A length is believed only if the bytes are there: no memory is asked for otherwise.
    #[test]
    fn lengths_that_lie_are_refused() {
        for n in [2_u64, 1 << 40, u64::MAX] {
            let mut hostile = n.to_le_bytes().to_vec();
            hostile.extend([0; 9]);
            assert_eq!(back::<Vec<f64>>(&hostile), Err(Malformed), "{n}");
            assert_eq!(back::<Vec<Vec<f64>>>(&hostile), Err(Malformed), "{n}");
        }
        assert_eq!(back::<String>(&[1, 0, 0, 0, 0, 0, 0, 0, 0xff]), Err(Malformed));
        assert_eq!(back::<u64>(&[1, 2, 3]), Err(Malformed));
    }
}
