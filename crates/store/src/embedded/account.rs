//! The account that PostgreSQL runs as. PostgreSQL refuses to run as root, so a Carrel that runs as root hands its
//! server and data to an unprivileged account.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::unistd::{Uid, User};

use super::{EmbeddedError, environment};

/// Accounts that Carrel uses as root when none is configured, in order of preference.
const USUAL_ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// The account of the server's processes.
#[derive(Debug, Clone)]
pub(super) struct Account {
    name: String,
    uid: u32,
    gid: u32,
    /// Whether Carrel runs as root, so the child must switch to this account.
    switch: bool,
}

impl Account {
    /// Chooses the account: the configured one, else the owner of the existing cluster, else a usual one. Without root,
    /// Carrel can use only its own account.
    pub fn choose(configured: Option<&str>, owner: Option<u32>) -> Result<Self, EmbeddedError> {
        let own = Uid::effective();
        if !own.is_root() {
            return Self::own(own, configured);
        }
        let candidates: Vec<User> = match configured {
            Some(name) => vec![by_name(name)?.ok_or_else(|| missing(name))?],
            None => {
                let of_cluster = owner.and_then(|uid| User::from_uid(Uid::from_raw(uid)).ok());
                let usual = USUAL_ACCOUNTS.iter().filter_map(|n| by_name(n).ok());
                of_cluster.into_iter().chain(usual).flatten().collect()
            }
        };
        let user = candidates
            .into_iter()
            .find(|user| configured.is_some() || !user.uid.is_root())
            .ok_or_else(|| missing(&USUAL_ACCOUNTS.join(" or ")))?;
        if user.uid.is_root() {
            return Err(EmbeddedError::Account {
                account: user.name,
                reason: "PostgreSQL refuses to run as root; name another account in postgres_user".into(),
            });
        }
        Ok(Self::of(user, true))
    }

    fn own(uid: Uid, configured: Option<&str>) -> Result<Self, EmbeddedError> {
        let user = User::from_uid(uid).ok().flatten().ok_or_else(|| EmbeddedError::Account {
            account: uid.to_string(),
            reason: "this user id has no entry in /etc/passwd, and PostgreSQL needs one".into(),
        })?;
        match configured {
            Some(name) if name != user.name => Err(EmbeddedError::Account {
                account: name.into(),
                reason: format!(
                    "only root can start it as another account, and Carrel runs as {}; \
                     leave postgres_user empty",
                    user.name
                ),
            }),
            _ => Ok(Self::of(user, false)),
        }
    }

    fn of(user: User, switch: bool) -> Self {
        Self { name: user.name, uid: user.uid.as_raw(), gid: user.gid.as_raw(), switch }
    }

    /// A command that runs as this account, with a clean environment. (Setting the user id also drops
    /// root's supplementary groups.)
    pub fn command(&self, program: &Path) -> Command {
        let mut command = environment::command(program);
        if self.switch {
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the account the owner of one path.
    pub(crate) fn own_path(&self, path: &Path) -> std::io::Result<()> {
        if self.switch {
            chown(path, Some(self.uid), Some(self.gid))?;
        }
        Ok(())
    }

    /// Whether Carrel may change owners.
    pub(crate) fn may_change_owner(&self) -> bool {
        self.switch
    }

    /// Makes the data directory reachable for the account. The directory belongs to Carrel, so the account's group gets
    /// access; the folders above it are left alone.
    pub fn reach(&self, data_dir: &Path) -> Result<(), EmbeddedError> {
        if !self.switch || self.passes(data_dir) {
            return Ok(());
        }
        self.let_group_through(data_dir).map_err(|e| EmbeddedError::file("change the permissions of", data_dir, e))?;
        if self.passes(data_dir) {
            return Ok(());
        }
        Err(EmbeddedError::NotReachable { account: self.name.clone(), dir: self.first_closed(data_dir) })
    }

    /// Tests access by trying: access lists and mounts matter too.
    fn passes(&self, dir: &Path) -> bool {
        self.command(Path::new("/bin/sh"))
            .args(["-c", ":"])
            .current_dir(dir)
            .status()
            .is_ok_and(|status| status.success())
    }

    fn let_group_through(&self, dir: &Path) -> std::io::Result<()> {
        chown(dir, None, Some(self.gid))?;
        let mode = dir.metadata()?.permissions().mode();
        std::fs::set_permissions(dir, std::fs::Permissions::from_mode(mode | 0o010))
    }

    fn first_closed(&self, dir: &Path) -> PathBuf {
        let mut from_root: Vec<&Path> = dir.ancestors().collect();
        from_root.reverse();
        let closed = from_root.into_iter().find(|dir| {
            dir.metadata().is_ok_and(|meta| {
                let bit = match () {
                    () if meta.uid() == self.uid => 0o100,
                    () if meta.gid() == self.gid => 0o010,
                    () => 0o001,
                };
                meta.mode() & bit == 0
            })
        });
        closed.unwrap_or(dir).to_owned()
    }
}

/// The name of a user id, or the number if it has none.
pub(super) fn name_of(uid: u32) -> String {
    match User::from_uid(Uid::from_raw(uid)) {
        Ok(Some(user)) => user.name,
        _ => uid.to_string(),
    }
}

fn by_name(name: &str) -> Result<Option<User>, EmbeddedError> {
    User::from_name(name)
        .map_err(|e| EmbeddedError::Account { account: name.into(), reason: format!("it cannot be looked up: {e}") })
}

fn missing(name: &str) -> EmbeddedError {
    EmbeddedError::Account {
        account: name.into(),
        reason: "there is no such account; create it with `useradd --system NAME` \
                 and name it in postgres_user"
            .into(),
    }
}
