//! `delassus schema`.

use clap::Args;
use delassus_case::schema::case_schema;

use crate::{CommandError, Reply};

/// Print the JSON Schema of cases, for editors and programs that write cases
#[derive(Args)]
pub struct Schema {}

impl Schema {
    #[expect(clippy::unnecessary_wraps, reason = "all commands have this signature")]
    pub fn execute(self) -> Result<Reply, CommandError> {
        Ok(format!("{:#}", case_schema()).into())
    }
}
