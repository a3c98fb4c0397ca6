//! Users can grant only permissions that they hold, unless they may assign permissions of that kind
//! (docs/folio/permissions.md#who-may-grant).

use std::collections::HashMap;

use crate::{access::Access, permissions::Definition};

const ASSIGN_OKAPI: &str = "perms.users.assign.okapi";
const ASSIGN_IMMUTABLE: &str = "perms.users.assign.immutable";
const ASSIGN_MUTABLE: &str = "perms.users.assign.mutable";

/// The refusal of a grant, with FOLIO's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Cannot add {kind} {noun} {names} not owned by operating user {user}")]
pub struct NotOwned {
    kind: &'static str,
    noun: &'static str,
    names: String,
    user: uuid::Uuid,
}

/// Checks that the operator may grant the `added` permissions; undefined permissions do not matter.
pub fn check_grant(
    operating: &Access,
    added: &[&str],
    definitions: &HashMap<String, Definition>,
) -> Result<(), NotOwned> {
    let foreign: Vec<_> = added
        .iter()
        .filter(|name| !operating.has(name))
        .filter_map(|name| Some((*name, definitions.get(*name)?.mutable)))
        .collect();
    let of_okapi = |name: &str| name.starts_with("okapi.") || name == ASSIGN_OKAPI;
    type Kind<'a> = (&'static str, &'static str, &'a dyn Fn(&str, bool) -> bool);
    let kinds: [Kind<'_>; 3] = [
        ("okapi", ASSIGN_OKAPI, &|name, _| of_okapi(name)),
        ("immutable", ASSIGN_IMMUTABLE, &|_, mutable| !mutable),
        ("mutable", ASSIGN_MUTABLE, &|_, mutable| mutable),
    ];
    for (kind, needed, is_of_kind) in kinds {
        let names: Vec<_> =
            foreign.iter().filter(|(name, mutable)| is_of_kind(name, *mutable)).map(|(name, _)| *name).collect();
        if !names.is_empty() && !operating.has(needed) {
            return Err(NotOwned {
                kind,
                noun: if names.len() > 1 { "permissions" } else { "permission" },
                names: names.join(", "),
                user: operating.user_id,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn refused(holds: &[&str], added: &[&str]) -> Option<String> {
        let holds = holds.iter().map(|name| (*name).to_owned());
        let access = Access::new(Uuid::nil(), "reader", true, holds);
        let known = |name: &str, mutable| (name.to_owned(), Definition { mutable, dummy: false });
        let definitions = HashMap::from([
            known("users.all", false),
            known("items.all", false),
            known("own.set", true),
            known("okapi.all", false),
            known(ASSIGN_OKAPI, false),
        ]);
        check_grant(&access, added, &definitions).err().map(|error| error.to_string())
    }

    #[test]
    fn granting_a_permission_not_held_needs_the_right_to_assign_it() {
        let user = Uuid::nil();
        let cases: [(&[&str], &[&str], Option<&str>); 10] = [
            (&[], &["users.all"], Some("immutable permission users.all")),
            (&[], &["users.all", "items.all"], Some("immutable permissions users.all, items.all")),
            (&["users.all"], &["users.all"], None),
            (&[ASSIGN_IMMUTABLE], &["users.all"], None),
            (&[ASSIGN_MUTABLE], &["users.all"], Some("immutable permission users.all")),
            (&[], &["own.set"], Some("mutable permission own.set")),
            (&[ASSIGN_MUTABLE], &["own.set"], None),
            (&[ASSIGN_IMMUTABLE], &["okapi.all"], Some("okapi permission okapi.all")),
            (&[ASSIGN_IMMUTABLE, ASSIGN_OKAPI], &["okapi.all", ASSIGN_OKAPI], None),
            (&[], &["nobody.defined.it"], None),
        ];
        for (holds, added, expected) in cases {
            let expected = expected.map(|what| format!("Cannot add {what} not owned by operating user {user}"));
            assert_eq!(refused(holds, added), expected, "{holds:?} {added:?}");
        }
    }
}
