//! `delassus completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Arguments, CommandError, Reply};

/// Print completions for a shell, e.g. delassus completions bash > ~/.local/share/bash-completion/completions/delassus
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    #[expect(clippy::unnecessary_wraps, reason = "all commands have this signature")]
    pub fn execute(self) -> Result<Reply, CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "delassus", &mut script);
        Ok(String::from_utf8_lossy(&script).trim_end().to_owned().into())
    }
}
