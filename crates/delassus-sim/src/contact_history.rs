//! Histories of contacts. A step reads a history in the present local frame of the contact and stores it in world axes.

use delassus_contact::{Contact, ContactKey};
use delassus_solver::{ContactLaw, HistoryEntryKind, Vector, history_len};

use crate::outcome::Touch;
use crate::snapshot::ContactHistory;

/// Histories of contacts, sorted by key.
pub(crate) type ContactHistories = [(ContactKey, ContactHistory)];

/// The history of a contact. A contact that was never detected gets the initial history of a contact that was
/// open at the start.
pub(crate) fn recall<const D: usize>(
    law: &dyn ContactLaw<D>,
    contact: &Contact<D>,
    histories: &ContactHistories,
) -> ContactHistory {
    match histories.binary_search_by_key(&contact.key, |(key, _)| *key) {
        Ok(k) => histories[k].1.clone(),
        Err(_) => first(law, false),
    }
}

/// The initial history of a contact.
pub(crate) fn first<const D: usize>(law: &dyn ContactLaw<D>, at_start: bool) -> ContactHistory {
    let mut z = vec![0.0; history_len(law)];
    law.start(at_start, &mut z);
    ContactHistory { z, ..ContactHistory::default() }
}

/// A history with its vectors turned: from world axes into the contact's frame, or back.
fn turned<const D: usize>(law: &dyn ContactLaw<D>, mut z: Vec<f64>, turn: impl Fn(Vector<D>) -> Vector<D>) -> Vec<f64> {
    let mut at = 0;
    for slot in law.history_entries() {
        let len = slot.len::<D>();
        if slot.kind == HistoryEntryKind::Vector {
            let x = turn(Vector::from_column_slice(&z[at..at + len]));
            z[at..at + len].copy_from_slice(x.as_slice());
        }
        at += len;
    }
    z
}

/// A history with vectors in the local frame, as laws use it.
pub(crate) fn to_local<const D: usize>(law: &dyn ContactLaw<D>, contact: &Contact<D>, z: Vec<f64>) -> Vec<f64> {
    turned(law, z, |x| contact.frame.transpose() * x)
}

/// A history with vectors in world axes, as it is stored.
pub(crate) fn to_world<const D: usize>(law: &dyn ContactLaw<D>, contact: &Contact<D>, z: Vec<f64>) -> Vec<f64> {
    turned(law, z, |x| contact.frame * x)
}

/// The histories after a step: new ones of the detected contacts, unchanged ones of all others.
pub(crate) fn carried_on<const D: usize>(
    before: &ContactHistories,
    touches: &[Touch<D>],
) -> Vec<(ContactKey, ContactHistory)> {
    let mut out = Vec::with_capacity(before.len());
    let mut old = before.iter().peekable();
    for t in touches {
        let key = t.contact.key;
        while let Some(unseen) = old.next_if(|(k, _)| *k < key) {
            out.push(unseen.clone());
        }
        old.next_if(|(k, _)| *k == key);
        if t.history != ContactHistory::default() {
            out.push((key, t.history.clone()));
        }
    }
    out.extend(old.cloned());
    out
}

#[cfg(test)]
mod tests {
    use delassus_contact::{Side, frame_from_normal};
    use delassus_solver::{LawSpec, Status};

    use super::*;
    use crate::outcome::Work;

    fn contact(candidate: u32, normal: [f64; 3]) -> Contact<3> {
        Contact {
            key: ContactKey::nearest(0, 0, candidate),
            sides: [Side::on_obstacle(Vector::zeros()), Side::on_obstacle(Vector::zeros())],
            further: Vec::new(),
            gap: 0.0,
            frame: frame_from_normal(&Vector::from(normal)).unwrap(),
            area: 1.0,
            point: Vector::zeros(),
        }
    }

    fn tied() -> std::sync::Arc<dyn ContactLaw<3>> {
        serde_json::from_str::<LawSpec>("{\"Tied\": {}}").unwrap().build().unwrap()
    }

    /// A contact whose frame turns: the vector is the same arrow, the scalar the same number.
    #[test]
    fn vectors_keep_their_direction_in_the_world() {
        let law = tied();
        let (before, after) = (contact(0, [0.0, 0.0, 1.0]), contact(0, [0.6, 0.0, 0.8]));
        let z = vec![1.0, 0.0, 0.3, -0.2];
        let world = to_world(law.as_ref(), &before, z.clone());
        let arrow = before.frame * Vector::<3>::new(0.0, 0.3, -0.2);
        let seen = to_local(law.as_ref(), &after, world.clone());
        assert!((after.frame * Vector::<3>::from_column_slice(&seen[1..]) - arrow).norm() < 1e-15);
        assert!((seen[0] - 1.0).abs() < 1e-15);
        let back = to_local(law.as_ref(), &before, world);
        assert!(back.iter().zip(&z).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn who_is_out_of_sight_is_not_forgotten() {
        let law = tied();
        let key = |candidate| ContactKey::nearest(0, 0, candidate);
        let past = |slip: f64| ContactHistory { slip, ..ContactHistory::default() };
        let before = vec![(key(1), past(1.0)), (key(3), past(3.0)), (key(4), past(4.0))];
        let touch = |candidate: u32, slip: f64| Touch {
            contact: contact(candidate, [0.0, 0.0, 1.0]),
            velocity: Vector::zeros(),
            impulse: Vector::zeros(),
            moment: Vector::zeros(),
            status: Status::Open,
            friction: 0.0,
            work: Work::default(),
            history: past(slip),
            law_error: 0.0,
            gap: 0.0,
            true_gap: 0.0,
        };
        // 0 has nothing to remember, 2 is new, 3 has gone on; 1 and 4 are not seen.
        let after = carried_on(&before, &[touch(0, 0.0), touch(2, 2.0), touch(3, 3.5)]);
        let expected = [(1, 1.0), (2, 2.0), (3, 3.5), (4, 4.0)].map(|(k, slip)| (key(k), past(slip)));
        assert_eq!(after, expected);
        assert_eq!(recall(law.as_ref(), &contact(2, [0.0, 0.0, 1.0]), &after), past(2.0));
        // One that was never seen did not touch at the start, and is not tied.
        assert!(!law.reaches(&recall(law.as_ref(), &contact(9, [0.0, 0.0, 1.0]), &after).z));
        assert!(law.reaches(&first(law.as_ref(), true).z));
    }
}
