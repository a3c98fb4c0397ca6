//! The users that the archives start with (contract 1.1): an administrator, and three that programs use, which no list has.

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Session, StoreError, record::print_instant, statements::writes::ADD_ARCHIVES_SYSTEM_USER};
use uuid::Uuid;

use crate::{
    records,
    refusal::Refusal,
    users::{AGENTS, agent},
};

/// User name of the administrator.
pub const ADMINISTRATOR: &str = "admin";

/// One of the users, a member of a group of the whole system.
struct FirstUser {
    username: &'static str,
    name: &'static str,
    group: &'static str,
}

/// Those in no list. Without a password they cannot sign in.
const HIDDEN: [FirstUser; 3] = [
    FirstUser { username: "search_indexer", name: "Search Indexer", group: "searchindex" },
    FirstUser { username: "public_anonymous", name: "Public Interface Anonymous", group: "publicanonymous" },
    FirstUser { username: "staff_system", name: "Staff System User", group: "staffsystem" },
];

/// Adds the administrator with the digest of a password, unless there is a user of that name. Returns whether it was added.
/// One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn add_administrator(session: &Session, hash: &str, now: Timestamp) -> Result<bool, Refusal> {
    let user = FirstUser { username: ADMINISTRATOR, name: "Administrator", group: "administrators" };
    let agent = records::prepare(AGENTS, agent(user.name))?;
    Ok(add(session, &user, "staff", Some((hash, agent)), now).await?)
}

/// Adds the hidden users that are missing. A round trip for each.
///
/// # Errors
/// [`StoreError`].
pub async fn add_hidden(session: &Session, now: Timestamp) -> Result<(), StoreError> {
    for user in &HIDDEN {
        add(session, user, "system", None, now).await?;
    }
    Ok(())
}

/// Adds a user with, if not hidden, the digest of a password and an agent.
async fn add(
    session: &Session,
    user: &FirstUser,
    kind: &str,
    shown: Option<(&str, Value)>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let at = print_instant(now);
    let record = json!({"id": Uuid::new_v4(), "username": user.username, "active": true, "type": kind,
        "personal": {"lastName": user.name}, "createdDate": at, "updatedDate": at});
    let profile = json!({"name": user.name});
    let hidden = shown.is_none();
    let (hash, agent) = shown.unzip();
    let parameters: [store::db::Parameter<'_>; 7] = [&record, &hash, &profile, &agent, &user.group, &hidden, &now];
    match session.value(ADD_ARCHIVES_SYSTEM_USER, &parameters).await {
        // Another process has just added it.
        Err(StoreError::Duplicate { .. }) => Ok(false),
        added => added,
    }
}
