//! What a program of PostgreSQL's is told of Carrel's environment: next to nothing. Carrel's own has
//! passwords in it (`CARREL_ADMIN_PASSWORD`), and every statement that reads files could read
//! `/proc/self/environ`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Where programs and their libraries are, and what o'clock it is.
const KEPT: [&str; 5] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LOCALE_ARCHIVE",
    "TZ",
];

/// A command with a clean environment and no input. It speaks English, for its words are read.
pub(super) fn command(program: &Path) -> Command {
    let kept = KEPT
        .into_iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    let mut command = Command::new(program);
    command
        .env_clear()
        .envs(kept)
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    command
}
