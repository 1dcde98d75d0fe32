//! A case in a folder of its own, and the program run there.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// A block that slides along a plank towards a wall: 54 dofs, 20 steps, every kind of entry a case can have.
pub const BLOCK: &str = include_str!("../data/block.ron");

/// A temporary folder with `case.ron` in it.
pub struct Scene {
    folder: TempDir,
}

/// How the program ended.
#[derive(Debug)]
pub struct Done {
    /// Exit code; −1 when a signal ended it.
    pub code: i32,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

impl Scene {
    /// A folder with this text as `case.ron`.
    pub fn new(case: &str) -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(scene.path("case.ron"), case).unwrap();
        scene
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program with these arguments, to be started in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        command.args(args).current_dir(self.folder.path());
        command
    }

    /// Runs the program with these arguments in the folder.
    pub fn delassus(&self, args: &[&str]) -> Done {
        let output = self.command(args).output().unwrap();
        Done {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A text with each `from` replaced by `to`; every `from` has to be there, or the test would test nothing.
pub fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "`{from}` is not in the text");
        text.replacen(from, to, 1)
    })
}
