//! Users as the archives know them (contract 1.1, 3.5, 4.8). A user of the archives is a user of the library; what only the
//! archives know of them, and their groups, are kept beside.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    archives::{user_ids, users},
    record::print_instant,
    statements::{
        archives::{READ_USER, USER_GROUPS, USER_NAMES},
        writes::{ACTIVATE_USER, ADD_ARCHIVES_USER, CHANGE_ARCHIVES_USER, REMOVE_ARCHIVES_USER, SET_ARCHIVES_GROUPS},
    },
};
use uuid::Uuid;

use crate::{
    model::Uri,
    permissions::{Grants, Rights, grants},
    records::{self, Author, Listing, Place},
    refusal::Refusal,
};

/// Where agents of users are.
pub(crate) const AGENTS: Place = Place { kind: "agent_person", repository: None };
/// How many names a search for the beginning of one returns.
const NAMES_SHOWN: i64 = 20;
/// What only the archives know of a user.
const PROFILE: [&str; 4] = ["name", "title", "department", "additional_contact"];
/// What users of the library have, too: the members of both.
const PERSONAL: [(&str, &str); 4] =
    [("first_name", "firstName"), ("last_name", "lastName"), ("email", "email"), ("telephone", "phone")];

/// Which user is meant.
#[derive(Debug, Clone, Copy)]
pub enum Which<'a> {
    /// The number in the address.
    Number(i64),
    Id(Uuid),
    Name(&'a str),
}

/// A user of the archives.
#[derive(Debug)]
pub struct User {
    pub number: i64,
    /// The id of the library's user.
    pub id: Uuid,
    /// Whether the archives made the user of the library, too.
    pub made_here: bool,
    record: Value,
    /// What the user's groups grant.
    pub grants: Grants,
}

impl User {
    /// The record with what the user may do.
    pub fn with_rights(mut self, rights: &Rights) -> Value {
        self.record["is_admin"] = rights.is_administrator().into();
        self.record["permissions"] = rights.to_json();
        self.record
    }

    /// The record with the groups of a repository that the user is in.
    pub fn with_groups(mut self, groups: Vec<String>) -> Value {
        self.record["groups"] = json!(groups);
        self.record
    }

    /// Whether it is one of those that the archives start with, which stay.
    pub fn is_of_system(&self) -> bool {
        self.record["is_system_user"] == true
    }

    /// The user's name, in lower case.
    pub fn name(&self) -> &str {
        self.record["username"].as_str().unwrap_or_default()
    }
}

/// A user. One round trip.
///
/// # Errors
/// Not found.
pub async fn get(session: &Session, which: Which<'_>) -> Result<User, Refusal> {
    let (number, id, name) = match which {
        Which::Number(number) => (Some(number), None, None),
        Which::Id(id) => (None, Some(id), None),
        Which::Name(name) => (None, None, Some(name)),
    };
    let found = session.find(READ_USER, &[&number, &id, &name]).await?;
    let row = found.ok_or_else(missing)?;
    Ok(User {
        number: row.get("number"),
        id: row.get("user_id"),
        made_here: row.get("made_here"),
        record: row.get("record"),
        grants: grants(row.get("grants")),
    })
}

/// There is no such user.
pub fn missing() -> Refusal {
    Refusal::NotFound("User wasn't found".to_owned())
}

/// A list of users, changed since a moment, in the form it is asked for. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn list(session: &Session, listing: &Listing, since: Timestamp) -> Result<Value, StoreError> {
    match listing {
        Listing::AllIds(sort) => Ok(json!(session.values::<i64>(&user_ids(*sort), &[&since]).await?)),
        Listing::Ids(ids, sort) => {
            let row = session.get(&users(true, *sort), &[&since, &0_i64, &i64::MAX, ids]).await?;
            Ok(row.get("records"))
        }
        Listing::Page(page) => {
            let skipped = (page.number.max(1) - 1).saturating_mul(page.size);
            let sql = users(false, page.sort);
            let row = session.get(&sql, &[&since, &skipped, &page.size]).await?;
            Ok(page.answer(row.get("total"), row.get("records")))
        }
    }
}

/// Names of users with a password that begin so. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn names(session: &Session, beginning: &str) -> Result<Vec<String>, StoreError> {
    let escaped = beginning.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    session.values(USER_NAMES, &[&escaped, &NAMES_SHOWN]).await
}

/// The groups of a repository that a user is in, as addresses. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn groups(session: &Session, number: i64, repository: Option<i64>) -> Result<Vec<String>, StoreError> {
    session.values(USER_GROUPS, &[&number, &repository]).await
}

/// Adds a user, of the library too, with an agent; `hash` is that of the password. Returns the number. One round trip.
///
/// # Errors
/// The name is taken, no such group.
pub async fn add(
    session: &Session,
    record: &Map<String, Value>,
    hash: &str,
    groups: &[i64],
    author: &Author,
) -> Result<i64, Refusal> {
    let username = text(record, "username");
    let now = print_instant(author.now);
    let mut new = changed_members(record, author);
    new["id"] = Uuid::new_v4().to_string().into();
    new["type"] = "staff".into();
    new["createdDate"] = now.as_str().into();
    if let Some(personal) = new["personal"].as_object_mut() {
        personal.retain(|_, value| !value.is_null());
    }
    let mut agent = records::prepare(AGENTS, agent(text(record, "name")))?;
    // People of the same name are different people.
    agent["keys"] = json!([]);
    let is_admin = record.get("is_admin") == Some(&Value::Bool(true));
    let parameters: [store::db::Parameter<'_>; 8] =
        [&new, &hash, &profile(record), &agent, &groups, &is_admin, &author.name, &author.now];
    let written = session.value(ADD_ARCHIVES_USER, &parameters).await;
    let written: Value = written.map_err(|error| taken(error, username))?;
    written["id"].as_i64().ok_or_else(|| StoreError::Other("no user was added".to_owned()).into())
}

/// Changes a user of the version that the client read, with a value also whether they administer the archives. Returns
/// the new version. One round trip.
///
/// # Errors
/// Not found, stale, the name is taken.
pub async fn change(
    session: &Session,
    number: i64,
    version: i64,
    record: &Map<String, Value>,
    is_admin: Option<bool>,
    author: &Author,
) -> Result<i64, Refusal> {
    let version = i32::try_from(version).unwrap_or(-1);
    let changed = changed_members(record, author);
    let parameters: [store::db::Parameter<'_>; 6] =
        [&number, &version, &changed, &profile(record), &is_admin, &author.now];
    let written = session.value(CHANGE_ARCHIVES_USER, &parameters).await;
    let written: Value = written.map_err(|error| taken(error, text(record, "username")))?;
    if written["gone"] == true {
        return Err(Refusal::no("user"));
    }
    written["lock_version"].as_i64().ok_or_else(Refusal::stale)
}

/// Adds a user to groups, after taking them out of all groups of a repository. One round trip.
///
/// # Errors
/// Not found, no such group.
pub async fn set_groups(
    session: &Session,
    number: i64,
    cleared: Option<i64>,
    groups: &[i64],
    now: Timestamp,
) -> Result<(), Refusal> {
    let written = session.value(SET_ARCHIVES_GROUPS, &[&number, &cleared, &groups, &now]).await;
    let exists: bool = written.map_err(no_group)?;
    if exists { Ok(()) } else { Err(Refusal::no("user")) }
}

/// Lets a user sign in, to the library too, or no longer. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn activate(session: &Session, user: Uuid, active: bool, now: Timestamp) -> Result<(), StoreError> {
    session.execute(ACTIVATE_USER, &[&user, &active, &print_instant(now)]).await?;
    Ok(())
}

/// Takes a user out of the archives: number, memberships and sessions. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn remove(session: &Session, user: Uuid) -> Result<(), StoreError> {
    session.execute(REMOVE_ARCHIVES_USER, &[&user]).await?;
    Ok(())
}

/// The repository and the id of a group, by its address.
///
/// # Errors
/// It is no address of a group.
pub fn group(uri: &str) -> Result<(i64, i64), Refusal> {
    let found = Uri::parse(uri).filter(|found| found.kind.name == "group");
    found.and_then(|found| Some((found.repository?, found.id))).ok_or_else(|| Refusal::no("group"))
}

/// What a user of the library gets from the record.
fn changed_members(record: &Map<String, Value>, author: &Author) -> Value {
    let mut personal: Map<String, Value> = PERSONAL
        .iter()
        .map(|(ours, theirs)| ((*theirs).to_owned(), record.get(*ours).cloned().unwrap_or(Value::Null)))
        .collect();
    if personal["lastName"].is_null() {
        // A user of the library has a last name.
        personal.insert("lastName".to_owned(), text(record, "name").into());
    }
    let is_active = record.get("is_active_user").and_then(Value::as_bool).unwrap_or(true);
    json!({"username": text(record, "username"), "active": is_active, "personal": personal,
        "updatedDate": print_instant(author.now)})
}

fn profile(record: &Map<String, Value>) -> Value {
    PROFILE
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), record.get(*name)?.clone())))
        .collect::<Map<_, _>>()
        .into()
}

fn text<'a>(record: &'a Map<String, Value>, name: &str) -> &'a str {
    record.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The agent of a user.
pub(crate) fn agent(name: &str) -> Map<String, Value> {
    let name = json!({"jsonmodel_type": "name_person", "primary_name": name, "sort_name": name, "source": "local",
        "rules": "local", "name_order": "direct", "authorized": true, "is_display_name": true,
        "sort_name_auto_generate": true});
    let record = json!({"names": [name], "publish": false});
    record.as_object().cloned().unwrap_or_default()
}

fn taken(error: StoreError, username: &str) -> Refusal {
    match error {
        StoreError::Duplicate { ref table, .. } if table == "users" => {
            let message = format!("Username '{username}' is already in use");
            Refusal::Taken(Map::from_iter([("username".to_owned(), json!([message]))]))
        }
        error => no_group(error),
    }
}

/// A user was to join a group that does not exist.
fn no_group(error: StoreError) -> Refusal {
    match error {
        StoreError::ForeignKey { ref table, .. } if table == "archives_group_member" => Refusal::no("group"),
        error => error.into(),
    }
}
