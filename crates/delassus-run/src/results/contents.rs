//! The contents of a results folder, inspected as a whole before anything is changed.

use std::path::{Path, PathBuf};

use super::{CHECKPOINT_ENDING, CHECKPOINTS, COPIES, FILES, FOLDERS, MARK, NAMES, NUMBERED, STATUS, aside};
use crate::error::FolderError;
use crate::files::{self, EntryKind};

/// What an entry with a name of ours is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// By which the folder is known.
    Mark,
    /// Written before the first checkpoint, and so before any work.
    Opening,
    /// A folder of frames or checkpoints.
    Folder,
    /// A checkpoint.
    Checkpoint,
    /// A checkpoint on its way.
    CheckpointPart,
    /// Anything else a run leaves.
    Work,
}

#[derive(Clone, Debug)]
struct Item {
    path: PathBuf,
    role: Role,
    kind: EntryKind,
}

/// The entries of a results folder that have names of ours. Others are not looked at.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    folder: PathBuf,
    items: Vec<Item>,
}

impl Contents {
    /// Of a folder, which may not be there; whatever cannot be read is an error.
    pub(crate) fn of(folder: &Path) -> Result<Self, FolderError> {
        let mut items = Vec::new();
        for (name, kind) in files::list(folder)? {
            let path = folder.join(&name);
            if let Some(role) = role(&name) {
                items.push(Item { path: path.clone(), role, kind });
            }
            if kind == EntryKind::Folder && FOLDERS.contains(&name.as_str()) {
                for ending in [".vtu", ".vtm"] {
                    items.extend(members(&path, &format!("{name}_"), ending, [Role::Work; 2])?);
                }
            }
            if kind == EntryKind::Folder && name == CHECKPOINTS {
                let roles = [Role::Checkpoint, Role::CheckpointPart];
                items.extend(members(&path, "step_", CHECKPOINT_ENDING, roles)?);
            }
        }
        Ok(Self { folder: folder.to_owned(), items })
    }

    /// Was the folder made by a run?
    pub(crate) fn has_mark(&self) -> bool {
        self.items.iter().any(|item| item.role == Role::Mark)
    }

    /// Is there anything of a run, or that looks like it? Half a mark is what a run leaves that was killed in its first moment.
    pub(crate) fn is_occupied(&self) -> bool {
        let half = aside(MARK);
        self.items.iter().any(|item| !item.path.ends_with(&half))
    }

    /// A file that a run wrote after its first checkpoint.
    pub(crate) fn work(&self) -> Option<&Path> {
        let is_work = |role| matches!(role, Role::Work | Role::Checkpoint);
        self.items.iter().find(|item| is_work(item.role)).map(|item| item.path.as_path())
    }

    /// Refuses links, and whatever else a run does not make.
    pub(crate) fn check_ours(&self) -> Result<(), FolderError> {
        self.items.iter().try_for_each(check)
    }

    /// The same but for checkpoints: of these an older one may be good.
    pub(crate) fn check_ours_but_checkpoints(&self) -> Result<(), FolderError> {
        self.items.iter().filter(|item| item.role != Role::Checkpoint).try_for_each(check)
    }

    /// The plain files in the order in which they may go: the manifest, which says that all is there, first, and the mark last.
    pub(crate) fn removable(&self) -> Vec<&Path> {
        let manifest = self.folder.join("manifest.json");
        let rank = |item: &Item| match item.role {
            Role::Mark => 2,
            _ if item.path == manifest => 0,
            _ => 1,
        };
        let mut plain: Vec<&Item> = self.items.iter().filter(|item| item.kind == EntryKind::File).collect();
        plain.sort_by_key(|item| rank(item));
        plain.into_iter().map(|item| item.path.as_path()).collect()
    }

    /// The checkpoints, also half-written ones.
    pub(crate) fn checkpoints(&self) -> impl Iterator<Item = &Path> {
        let is_one =
            |item: &&Item| item.kind == EntryKind::File && matches!(item.role, Role::Checkpoint | Role::CheckpointPart);
        self.items.iter().filter(is_one).map(|item| item.path.as_path())
    }
}

fn check(item: &Item) -> Result<(), FolderError> {
    let wanted = if item.role == Role::Folder { EntryKind::Folder } else { EntryKind::File };
    item.kind.expect(wanted, &item.path)
}

/// What an entry of the folder itself is for, by its name.
fn role(name: &str) -> Option<Role> {
    let whole = name.strip_suffix(&aside("")).unwrap_or(name);
    match whole {
        MARK if name == MARK => Some(Role::Mark),
        _ if whole == MARK || [STATUS, NAMES].contains(&whole) || COPIES.contains(&whole) => Some(Role::Opening),
        _ if FILES.contains(&whole) => Some(Role::Work),
        _ if FOLDERS.contains(&name) || name == CHECKPOINTS => Some(Role::Folder),
        _ => NUMBERED.iter().any(|(begin, end)| is_numbered(whole, begin, end)).then_some(Role::Work),
    }
}

/// Does a number, and nothing else, stand between beginning and ending?
fn is_numbered(name: &str, begin: &str, end: &str) -> bool {
    let number = name.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The numbered files of a folder of ours; the second role is that of half-written ones.
fn members(folder: &Path, begin: &str, end: &str, [whole, half]: [Role; 2]) -> Result<Vec<Item>, FolderError> {
    let half_end = aside(end);
    let found = files::list(folder)?.into_iter().filter_map(|(name, kind)| {
        let role = match name.as_str() {
            n if is_numbered(n, begin, end) => whole,
            n if is_numbered(n, begin, &half_end) => half,
            _ => return None,
        };
        Some(Item { path: folder.join(name), role, kind })
    });
    Ok(found.collect())
}
