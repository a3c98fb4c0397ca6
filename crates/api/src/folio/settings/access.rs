//! Who may read and write settings entries (docs/folio/configuration-and-settings.md#access-to-settings-entries). A
//! permission names the kind of entry, the action and the scope, `mod-settings.global.read.circulation`; older clients
//! use `mod-settings.global.circulation.read`.

use std::collections::BTreeMap;

use uuid::Uuid;

/// The prefix of all these permissions.
pub(super) const PREFIX: &str = "mod-settings.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Read,
    Write,
}

impl Action {
    fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// Whether `caller` may read or write an entry of this scope and user.
pub(super) fn may(
    action: Action,
    scope: &str,
    owner: Option<Uuid>,
    caller: Option<Uuid>,
    has: impl Fn(&str) -> bool,
) -> bool {
    let word = action.word();
    let granted =
        |kind: &str| has(&format!("{PREFIX}{kind}.{word}.{scope}")) || has(&format!("{PREFIX}{kind}.{scope}.{word}"));
    match owner {
        None => granted("global"),
        Some(_) if granted("users") => true,
        Some(owner) => caller == Some(owner) && granted("owner"),
    }
}

/// Which entries of one scope are readable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Readable {
    /// Entries without a user.
    pub global: bool,
    /// Entries of any user.
    pub users: bool,
    /// The caller's own entries.
    pub owner: bool,
}

/// The readable scopes of a list, from the caller's permissions with the action before the scope.
pub(super) fn readable<'a>(permissions: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, Readable> {
    let mut scopes: BTreeMap<&str, Readable> = BTreeMap::new();
    for permission in permissions {
        let Some((kind, scope)) = permission
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split_once(".read."))
            .filter(|(_, scope)| !scope.is_empty())
        else {
            continue;
        };
        match kind {
            "global" => scopes.entry(scope).or_default().global = true,
            "users" => scopes.entry(scope).or_default().users = true,
            "owner" => scopes.entry(scope).or_default().owner = true,
            _ => {}
        }
    }
    scopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_depends_on_kind_action_and_scope() {
        let (me, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let cases = [
            ("mod-settings.global.read.ui", Action::Read, None, true),
            ("mod-settings.global.ui.read", Action::Read, None, true),
            ("mod-settings.global.read.ui", Action::Write, None, false),
            ("mod-settings.global.read.other", Action::Read, None, false),
            ("mod-settings.global.read.ui", Action::Read, Some(me), false),
            ("mod-settings.users.write.ui", Action::Write, Some(other), true),
            ("mod-settings.users.write.ui", Action::Write, None, false),
            ("mod-settings.owner.read.ui", Action::Read, Some(me), true),
            ("mod-settings.owner.read.ui", Action::Read, Some(other), false),
        ];
        for (permission, action, owner, expected) in cases {
            let found = may(action, "ui", owner, Some(me), |name| name == permission);
            assert_eq!(found, expected, "{permission} {action:?} {owner:?}");
        }
        let owners_only = |name: &str| name.contains(".owner.");
        assert!(!may(Action::Read, "ui", Some(me), None, owners_only));
    }

    #[test]
    fn a_list_shows_the_readable_scopes() {
        let permissions = [
            "mod-settings.global.read.stripes-core.prefs.manage",
            "mod-settings.owner.read.ui",
            "mod-settings.global.read.ui",
            "mod-settings.global.write.other",
            "mod-settings.entries.collection.get",
            "mod-settings.global.read.",
        ];
        let scopes = readable(permissions.into_iter());
        assert_eq!(scopes.len(), 2);
        assert_eq!(scopes["stripes-core.prefs.manage"], Readable { global: true, ..Readable::default() });
        assert_eq!(scopes["ui"], Readable { global: true, users: false, owner: true });
    }
}
