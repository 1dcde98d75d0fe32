//! `end.state`: the state in which a run ended, from which another run goes on (`run --from`).
//!
//! Sealed bytes like a checkpoint, but of no case: what they must fit is the bodies (number, order and geometry, by a hash of the undeformed mesh) and the contact pairs, by
//! name. Loads, supports, materials, obstacles, step and duration may be others. The impulses and histories of a pair that the new case does not have are dropped, and told.

use std::path::Path;

use delassus_case::hash::{hexadecimal, sha256};
use delassus_contact::ContactKey;
use delassus_sim::model::{Model, ModelBody};
use delassus_sim::snapshot::Snapshot;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::{Seal, SealFault, decoded, fits};
use crate::error::{EndStateError, RunError};
use crate::files;
use crate::results::{Contents, END_STATE, Folder};

/// What surrounds it.
const SEAL: Seal = Seal { magic: b"DelassusEndState", format: 2, what: "the end state of a run" };

/// The end of a run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct EndState {
    /// Version of the program.
    pub version: String,
    /// Names of the bodies, and hashes of their undeformed meshes.
    pub bodies: Vec<(String, String)>,
    /// Names of the contact pairs, in the order of the keys.
    pub pairs: Vec<String>,
    /// The state.
    pub snapshot: Snapshot,
}

impl EndState {
    /// A file's content read back; `path` is for messages.
    ///
    /// # Errors
    /// [`EndStateError::Damaged`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, EndStateError> {
        SEAL.open(bytes).map_err(|fault| {
            let reason = match fault {
                SealFault::Damaged(reason) => reason,
                SealFault::Format(format) => {
                    format!("its format is {format}, and this version of the program reads {}", SEAL.format)
                }
            };
            EndStateError::Damaged { path: path.to_owned(), reason }
        })
    }

    /// The payload alone, whose checksum is known to be right.
    #[must_use]
    pub fn from_payload(payload: &[u8]) -> Option<Self> {
        decoded(payload)
    }
}

/// Where a run goes on from.
#[derive(Clone, Debug)]
pub(crate) struct Continued {
    /// The state, with the pairs of the new model.
    pub snapshot: Snapshot,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Contact pairs whose contacts were dropped.
    pub dropped: Vec<String>,
}

/// SHA-256 of a body's undeformed mesh.
fn geometry<const D: usize>(body: &ModelBody<D>) -> String {
    let (mesh, mut hash) = (body.body.mesh(), Sha256::new());
    hash.update((D as u64).to_le_bytes());
    mesh.points.iter().flatten().for_each(|x| hash.update(x.to_le_bytes()));
    for (cell, ..) in mesh.bulk_cells() {
        let (kind, nodes) = mesh.cell(cell);
        hash.update([kind.vtk_id()]);
        nodes.iter().for_each(|n| hash.update((*n as u64).to_le_bytes()));
    }
    hexadecimal(&hash.finalize())
}

fn bodies<const D: usize>(model: &Model<D>) -> Vec<(String, String)> {
    model.bodies.iter().map(|b| (b.name.clone(), geometry(b))).collect()
}

/// Writes the end of a run.
pub(crate) fn save<const D: usize>(folder: &Folder, model: &Model<D>, snapshot: &Snapshot) -> Result<(), RunError> {
    let state = EndState {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        bodies: bodies(model),
        pairs: model.pairs.iter().map(|p| p.name.clone()).collect(),
        snapshot: snapshot.clone(),
    };
    Ok(folder.write(END_STATE, &SEAL.close(&state)?)?)
}

/// The end of the run in a folder, as a start of a model.
pub(crate) fn find<const D: usize>(folder: &Path, model: &Model<D>) -> Result<Continued, RunError> {
    let path = folder.join(END_STATE);
    if !Contents::of(folder)?.has_mark() {
        return Err(EndStateError::NoResults { folder: folder.to_owned() }.into());
    }
    let Some(bytes) = files::read(&path)? else {
        return Err(EndStateError::Missing { folder: folder.to_owned() }.into());
    };
    Ok(fitted(&bytes, &path, model)?)
}

/// Bytes of an end state as a start of a model.
fn fitted<const D: usize>(bytes: &[u8], path: &Path, model: &Model<D>) -> Result<Continued, EndStateError> {
    let damaged = |reason: String| EndStateError::Damaged { path: path.to_owned(), reason };
    let state = EndState::from_bytes(bytes, path)?;
    let ours = env!("CARGO_PKG_VERSION");
    if state.version != ours {
        return Err(damaged(format!("version {} of the program wrote it, and this is {ours}", state.version)));
    }
    let other = |what: String| EndStateError::OtherModel { path: path.to_owned(), what };
    let here = bodies(model);
    if state.bodies.len() != here.len() {
        return Err(other(format!("it has {} bodies, and the case has {}", state.bodies.len(), here.len())));
    }
    for ((name, hash), (ours, geometry)) in state.bodies.iter().zip(&here) {
        if hash != geometry {
            return Err(other(format!("body `{ours}` has not the mesh of its body `{name}`, node by node")));
        }
    }
    let place = |key: &ContactKey| {
        let name = state.pairs.get(key.pair as usize)?;
        model.pairs.iter().position(|p| p.name == *name).and_then(|k| u32::try_from(k).ok())
    };
    let renumbered = |key: ContactKey| place(&key).map(|pair| ContactKey { pair, ..key });
    let mut snapshot = state.snapshot.clone();
    snapshot.impulses = kept(snapshot.impulses, renumbered);
    // Moments of contacts that resist rolling no longer.
    let resists = |key: &ContactKey| model.pairs[key.pair as usize].resistance.is_some();
    snapshot.impulses.retain(|(key, _)| !key.is_moment() || resists(key));
    snapshot.histories = kept(snapshot.histories, renumbered);
    if snapshot.joints.len() != model.joints.len() {
        // Angles of other joints begin in the turn that is nearest to 0.
        snapshot.joints = vec![0.0; model.joints.len()];
    }
    if !fits(&snapshot, model) {
        let what = "its contacts, or what materials, integrator or contact laws remember, are not those of the case; \
                    integrator and laws with a history must be the same";
        return Err(other(what.to_owned()));
    }
    let used = |k: usize| state.snapshot.histories.iter().any(|(key, _)| key.pair as usize == k);
    let gone = |(k, name): &(usize, &String)| used(*k) && !model.pairs.iter().any(|p| p.name == **name);
    let dropped = state.pairs.iter().enumerate().filter(gone).map(|(_, name)| name.clone()).collect();
    Ok(Continued { snapshot, sha256: sha256(bytes), dropped })
}

/// Entries whose contacts have a place in the model, sorted by their new keys.
fn kept<T>(list: Vec<(ContactKey, T)>, renumbered: impl Fn(ContactKey) -> Option<ContactKey>) -> Vec<(ContactKey, T)> {
    let mut out: Vec<_> = list.into_iter().filter_map(|(key, value)| Some((renumbered(key)?, value))).collect();
    out.sort_by_key(|entry| entry.0);
    out
}
