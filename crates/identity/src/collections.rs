//! The records of identity that clients can search: permissions, permission users, log-in events.

use store::collection::{Collection, IndexKind};

pub const PERMISSIONS: &str = "permissions";
pub const PERMISSION_USERS: &str = "permissions_users";
pub const PASSWORD_RULES: &str = "validation_rules";
pub const LOGIN_EVENTS: &str = "event_logs";

/// Tables of mod-login that are not collections and are emptied with it. (`token_generation` stays, so that revoked
/// tokens do not become valid again.)
pub const CREDENTIAL_TABLES: [&str; 5] =
    ["credential", "credential_history", "login_attempt", "refresh_token", "password_reset_action"];

/// All collections of identity. Their routes are not the standard ones.
pub fn collections() -> Vec<Collection> {
    vec![permissions(), permission_users(), login_events(), password_rules()]
}

const NO_COMMON_ROUTE: &[&str] = &["list", "get", "post", "put", "delete"];

const PERMISSION: &str = "(r.doc || jsonb_build_object('childOf', permission_parents(r.doc->>'permissionName'), \
    'grantedTo', permission_holders(r.doc->>'permissionName')))";

/// The form of `subPermissions` in a list of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subs {
    /// The direct sub-permissions, as objects.
    Definitions,
    /// The names of all sub-permissions, at any depth.
    AllNames,
}

/// A permission with its sub-permissions expanded: a JSON expression over a row `r` of [`PERMISSIONS`].
pub fn unfolded(subs: Subs) -> String {
    let subs = match subs {
        Subs::Definitions => "permission_definitions(r.doc->'subPermissions')",
        Subs::AllNames => "permission_inside(r.doc->>'permissionName', r.doc->'subPermissions')",
    };
    format!("({PERMISSION} || jsonb_build_object('subPermissions', {subs}))")
}

/// Single permissions and sets (docs/folio/permissions.md#permission-records). `childOf` and `grantedTo` are computed.
fn permissions() -> Collection {
    Collection::new(
        "/perms/permissions",
        "permissions",
        PERMISSIONS,
        "permissionName, displayName, description, tags[], subPermissions[], childOf~[], grantedTo~[],
         mutable:bool=false, visible:bool, dummy:bool=false, deprecated:bool=false, moduleName~, moduleVersion~",
    )
    .represented(PERMISSION)
    .virtual_field("childOf", "permission_parents(doc->>'permissionName')::text")
    .virtual_field("grantedTo", "permission_holders(doc->>'permissionName')::text")
    .unique_as(&["permissionName"], IndexKind::Exact, None)
    .index(&IndexKind::Elements, &["subPermissions"])
    .folded(&["permissionName", "moduleName"])
    .without(NO_COMMON_ROUTE)
}

/// The grants of users: one record for each user who holds any.
fn permission_users() -> Collection {
    Collection::new("/perms/users", "permissionUsers", PERMISSION_USERS, "userId*:uuid, permissions[]")
        .loose_reference("userId")
        .unique_as(&["userId"], IndexKind::Exact, None)
        .index(&IndexKind::Elements, &["permissions"])
        .with_result_info()
        .without(NO_COMMON_ROUTE)
}

/// Log-in events, if the library has enabled the log.
fn login_events() -> Collection {
    Collection::new(
        "/authn/log/events",
        "loggingEvent",
        LOGIN_EVENTS,
        "eventType*:(PASSWORD_RESET|PASSWORD_CREATE|PASSWORD_CHANGE|SUCCESSFUL_LOGIN_ATTEMPT|\
         FAILED_LOGIN_ATTEMPT|USER_BLOCK), tenant*, userId*, ip, browserInformation, timestamp:datetime",
    )
    .folded(&["userId"])
    .without(NO_COMMON_ROUTE)
}

/// The requirements for new passwords.
fn password_rules() -> Collection {
    Collection::new(
        "/tenant/rules",
        "rules",
        PASSWORD_RULES,
        "name*, type*:(RegExp|Programmatic|PwnedPassword), validationType*:(Soft|Strong),
         state*:(Enabled|Disabled), moduleName*, expression, implementationReference, description, orderNo*:int,
         errMessageId*",
    )
    // Older records contain their id twice.
    .represented("(r.doc - 'ruleId')")
    .unique(&["name"])
    .spring()
    .without(NO_COMMON_ROUTE)
}
