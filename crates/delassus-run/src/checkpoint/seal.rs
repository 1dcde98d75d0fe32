//! Bytes that are known to be what was written.
//!
//! ```text
//! magic (16 bytes) | format u32 | length u64 | payload | SHA-256 of all before (32 bytes)
//! ```
//!
//! The payload is encoded by postcard.

use delassus_error::InternalError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// What surrounds a payload.
pub(crate) struct Seal {
    /// The first bytes.
    pub magic: &'static [u8; 16],
    /// Changes whenever the payload does.
    pub format: u32,
    /// What it is, with its article.
    pub what: &'static str,
}

/// Why bytes are not taken.
pub(crate) enum SealFault {
    /// They are not those that were written.
    Damaged(String),
    /// They have another format.
    Format(u32),
}

impl Seal {
    /// The content with all that surrounds it.
    pub fn close(&self, content: &impl Serialize) -> Result<Vec<u8>, InternalError> {
        let payload = postcard::to_allocvec(content).map_err(|e| InternalError(format!("{}: {e}", self.what)))?;
        let mut out = self.magic.to_vec();
        out.extend(self.format.to_le_bytes());
        out.extend((payload.len() as u64).to_le_bytes());
        out.extend(payload);
        let sum = Sha256::digest(&out);
        out.extend(sum);
        Ok(out)
    }

    /// The content read back.
    pub fn open<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, SealFault> {
        let damaged = |reason: &str| SealFault::Damaged(reason.to_owned());
        let foreign = || SealFault::Damaged(format!("it does not begin like {}", self.what));
        let rest = bytes.strip_prefix(self.magic.as_slice()).ok_or_else(foreign)?;
        let head = rest.split_first_chunk().and_then(|(format, rest)| Some((format, rest.split_first_chunk()?.0)));
        let (format, length) = head.ok_or_else(|| damaged("it ends within its first line"))?;
        let (format, length) = (u32::from_le_bytes(*format), u64::from_le_bytes(*length));
        let begin = self.magic.len() + size_of::<u32>() + size_of::<u64>();
        let end = usize::try_from(length).ok().and_then(|length| begin.checked_add(length));
        let Some((content, sum)) = end.and_then(|end| bytes.split_at_checked(end)) else {
            return Err(damaged("it is shorter than its first line states"));
        };
        // Before the format, which may be what was changed: all that surrounds the payload is the same in every format.
        if sum != Sha256::digest(content).as_slice() {
            return Err(damaged("its checksum is not that of its content"));
        }
        if format != self.format {
            return Err(SealFault::Format(format));
        }
        let other = || SealFault::Damaged(format!("its content is not that of {}", self.what));
        decoded(&content[begin..]).ok_or_else(other)
    }
}

/// A payload alone, whose checksum is known to be right.
pub(crate) fn decoded<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    postcard::take_from_bytes(payload).ok().filter(|(_, rest)| rest.is_empty()).map(|(found, _)| found)
}
