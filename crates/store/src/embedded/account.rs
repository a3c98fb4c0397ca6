//! The account that PostgreSQL runs as. It refuses to run as root, so a Carrel that is root hands
//! its server, and the folders of it, to an account without privileges.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::unistd::{Uid, User};

use super::{EmbeddedError, environment};

/// Accounts that a root Carrel uses when none is configured, the best first.
const USUAL_ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// Who the server's processes are.
#[derive(Debug, Clone)]
pub(super) struct Account {
    name: String,
    uid: u32,
    gid: u32,
    /// Whether Carrel is root and has to become this account in the child.
    switch: bool,
}

impl Account {
    /// Chooses the account: the configured one, else the owner of an existing cluster, else a
    /// usual one. A Carrel that is not root can only use its own.
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
                reason: "PostgreSQL refuses to run as root; name another account in postgres_user"
                    .into(),
            });
        }
        Ok(Self::of(user, true))
    }

    fn own(uid: Uid, configured: Option<&str>) -> Result<Self, EmbeddedError> {
        let user = User::from_uid(uid)
            .ok()
            .flatten()
            .ok_or_else(|| EmbeddedError::Account {
                account: uid.to_string(),
                reason: "this user id has no entry in /etc/passwd, and PostgreSQL needs one".into(),
            })?;
        match configured {
            Some(name) if name != user.name => Err(EmbeddedError::Account {
                account: name.into(),
                reason: format!(
                    "only root can start it as somebody else, and Carrel runs as {}; \
                     leave postgres_user empty",
                    user.name
                ),
            }),
            _ => Ok(Self::of(user, false)),
        }
    }

    fn of(user: User, switch: bool) -> Self {
        Self {
            name: user.name,
            uid: user.uid.as_raw(),
            gid: user.gid.as_raw(),
            switch,
        }
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

    /// The account's user id.
    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// The account's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives one path to the account.
    pub fn own_path(&self, path: &Path) -> std::io::Result<()> {
        if self.switch {
            chown(path, Some(self.uid), Some(self.gid))?;
        }
        Ok(())
    }

    /// Whether Carrel may give files away.
    pub fn may_change_owner(&self) -> bool {
        self.switch
    }

    /// Makes sure the account can get to the data directory. The directory itself is Carrel's, so
    /// the account's group is let through it; folders above it are not ours to change.
    pub fn reach(&self, data_dir: &Path) -> Result<(), EmbeddedError> {
        if !self.switch || self.passes(data_dir) {
            return Ok(());
        }
        self.let_group_through(data_dir)
            .map_err(|e| EmbeddedError::file("change the permissions of", data_dir, e))?;
        if self.passes(data_dir) {
            return Ok(());
        }
        Err(EmbeddedError::NotReachable {
            account: self.name.clone(),
            dir: self.first_closed(data_dir),
        })
    }

    /// Tries it rather than computing it: access lists and mounts have a say too.
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

/// The name of a user id, or the number where it has none.
pub(super) fn name_of(uid: u32) -> String {
    match User::from_uid(Uid::from_raw(uid)) {
        Ok(Some(user)) => user.name,
        _ => uid.to_string(),
    }
}

fn by_name(name: &str) -> Result<Option<User>, EmbeddedError> {
    User::from_name(name).map_err(|e| EmbeddedError::Account {
        account: name.into(),
        reason: format!("it cannot be looked up: {e}"),
    })
}

fn missing(name: &str) -> EmbeddedError {
    EmbeddedError::Account {
        account: name.into(),
        reason: "there is no such account; create it with `useradd --system NAME` \
                 and name it in postgres_user"
            .into(),
    }
}
