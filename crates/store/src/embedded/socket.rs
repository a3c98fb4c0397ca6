//! The directory of the server's socket. The server trusts anyone who reaches the socket, so only the owner may enter
//! the directory. A socket's path is limited to about a hundred bytes, so with a long data directory the socket is
//! placed elsewhere.

use std::fs::{DirBuilder, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::Uid;
use sha2::{Digest, Sha256};

use super::account::Account;
use super::{EmbeddedError, PORT};

/// The longest socket path that all systems accept (103 on macOS, 107 on Linux).
const LONGEST_PATH: usize = 103;

/// A directory that only the server's account can enter; dropping it removes the directory.
#[derive(Debug)]
pub(super) struct SocketDir {
    path: PathBuf,
}

impl SocketDir {
    /// Creates the directory, or takes over that of an earlier run.
    pub fn prepare(data_dir: &Path, account: &Account) -> Result<Self, EmbeddedError> {
        let path = place(data_dir);
        let refused = |reason: String| EmbeddedError::Socket { dir: path.clone(), reason };
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => account.own_path(&path),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                take_over(&path, account).map_err(|reason| refused(reason.into()))?
            }
            Err(e) => Err(e),
        }
        .map_err(|e| refused(e.to_string()))?;
        Ok(Self { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SocketDir {
    /// Removes the directory unless it holds files of others.
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.path);
    }
}

/// Where the socket of a data directory is.
pub(super) fn place(data_dir: &Path) -> PathBuf {
    place_for(data_dir, &short_parent())
}

/// `<data>/run`, or a directory in `short_parent` named after the data directory if the socket's path would be too long
/// or contain a character that PostgreSQL's setting treats specially.
fn place_for(data_dir: &Path, short_parent: &Path) -> PathBuf {
    let inside = data_dir.join("run");
    let bytes = inside.as_os_str().as_bytes();
    let length = bytes.len() + format!("/.s.PGSQL.{PORT}").len();
    let plain = !bytes.iter().any(|b| matches!(b, b',' | b'"' | b'\'' | b'\\' | b' '));
    if length <= LONGEST_PATH && plain {
        return inside;
    }
    let digest = Sha256::digest(data_dir.as_os_str().as_bytes());
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    short_parent.join(format!("carrel-{name}"))
}

fn short_parent() -> PathBuf {
    if Uid::effective().is_root() && Path::new("/run").is_dir() {
        return "/run".into();
    }
    match std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from) {
        Some(dir) if dir.is_dir() && dir.as_os_str().len() <= LONGEST_PATH / 2 => dir,
        _ => "/tmp".into(),
    }
}

/// Uses an existing directory only if no other account can have created it to intercept connections.
fn take_over(path: &Path, account: &Account) -> Result<std::io::Result<()>, &'static str> {
    let Ok(meta) = path.symlink_metadata() else {
        return Err("it cannot be read");
    };
    if !meta.is_dir() {
        return Err("it exists and is not a folder; remove it");
    }
    if meta.uid() != account.uid() && meta.uid() != Uid::effective().as_raw() {
        return Err("it exists and belongs to another account; remove it");
    }
    Ok(std::fs::set_permissions(path, Permissions::from_mode(0o700)).and_then(|()| account.own_path(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_socket_is_in_the_data_directory_where_that_fits() {
        let short = Path::new("/tmp");
        assert_eq!(place_for(Path::new("/var/lib/carrel"), short), Path::new("/var/lib/carrel/run"));
        let longest = format!("/{}", "d".repeat(LONGEST_PATH - "//run/.s.PGSQL.5432".len()));
        assert!(place_for(Path::new(&longest), short).starts_with("/d"[..1].to_owned() + &longest[1..]));
        for unfit in [format!("{longest}d"), "/a b".into(), "/a,b".into(), "/a\"b".into()] {
            let place = place_for(Path::new(&unfit), short);
            assert!(place.starts_with("/tmp") && place.as_os_str().len() == 28, "{place:?}");
        }
    }

    #[test]
    fn every_data_directory_has_a_short_place_of_its_own() {
        let short = Path::new("/tmp");
        let deep = |name: &str| format!("/{}/{name}", "deep".repeat(40));
        assert_eq!(place_for(Path::new(&deep("a")), short), place_for(Path::new(&deep("a")), short));
        assert_ne!(place_for(Path::new(&deep("a")), short), place_for(Path::new(&deep("b")), short));
    }
}
