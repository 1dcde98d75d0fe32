//! The memory that W takes.

use std::collections::BTreeMap;

use delassus_contact::Contact;
use delassus_error::machine::{self, MemoryError};

/// Copies of W: that of the last step, the new one, and one in the solver's layout.
pub(crate) const COPIES_OF_W: usize = 3;

/// Below this size the memory for W is not checked \[B\].
const SMALL_W: usize = 256 << 20;

/// Bytes of W of these contacts with its copies, as `condense` stores it: the half of it where all have a body in common, else the blocks of
/// contacts on the same body.
pub(crate) fn bytes_of_w<const D: usize>(contacts: &[&Contact<D>]) -> usize {
    let mut of_body: BTreeMap<usize, usize> = BTreeMap::new();
    for contact in contacts {
        let [one, other] = [0, 1].map(|k| contact.sides[k].body);
        let further = contact.further.iter().map(|(_, side)| side.body);
        for body in [one, other.filter(|b| Some(*b) != one)].into_iter().chain(further).flatten() {
            *of_body.entry(body).or_default() += 1;
        }
    }
    let square = |n: usize| n.saturating_mul(n);
    let block = D * D * size_of::<f64>();
    let stored = if of_body.values().any(|n| *n == contacts.len()) {
        (square(contacts.len()) / 2).saturating_mul(block)
    } else {
        let blocks = of_body.values().fold(0_usize, |sum, n| sum.saturating_add(square(*n)));
        blocks.saturating_mul(block + size_of::<usize>())
    };
    stored.saturating_mul(COPIES_OF_W)
}

/// Refuses a W for which there is not enough memory.
///
/// # Errors
/// [`MemoryError`].
pub(crate) fn admit_w<const D: usize>(contacts: &[&Contact<D>]) -> Result<(), MemoryError> {
    let needed = bytes_of_w(contacts);
    if needed <= SMALL_W {
        return Ok(());
    }
    let help =
        "It grows with the square of the contacts of a body: use smaller groups or coarser surfaces for the contacts";
    machine::admit_more(needed as u64, &format!("W of {} contacts", contacts.len()), help)
}
