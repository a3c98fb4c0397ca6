//! The environment of PostgreSQL's programs: almost empty. Carrel's own contains passwords (`CARREL_ADMIN_PASSWORD`),
//! and any statement that reads files could read `/proc/self/environ`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Paths of programs and libraries, and the time zone.
const KEPT: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LOCALE_ARCHIVE", "TZ"];

/// A command with a clean environment and no input. Its language is English, because its output is parsed.
pub(super) fn command(program: &Path) -> Command {
    let kept = KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    let mut command = Command::new(program);
    command.env_clear().envs(kept).env("LC_ALL", "C").stdin(Stdio::null());
    command
}
