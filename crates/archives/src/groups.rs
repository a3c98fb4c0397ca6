//! Groups of a repository: what their members may do there (contract 1.2, 4.8).

use serde_json::{Map, Value, json};
use store::{Session, statements::archives::GROUPS, statements::writes::WRITE_ARCHIVES_GROUP};

use crate::{
    model::Checked,
    permissions::{Level, PERMISSIONS},
    records::{self, Author, Place},
    refusal::Refusal,
};

const KIND: &str = "group";

/// The groups of a repository, with a code those of that code. One round trip.
///
/// # Errors
/// [`Refusal::Store`].
pub async fn list(session: &Session, repository: Option<i64>, code: Option<&str>) -> Result<Vec<Value>, Refusal> {
    let id: Option<i64> = None;
    Ok(session.values(GROUPS, &[&repository, &id, &code, &true]).await?)
}

/// A group of a repository. One round trip.
///
/// # Errors
/// Not found.
pub async fn get(session: &Session, place: Place, id: i64, with_members: bool) -> Result<Value, Refusal> {
    let code: Option<&str> = None;
    let found = session.find_value(GROUPS, &[&place.repository, &id, &code, &with_members]).await?;
    found.ok_or_else(|| Refusal::no(KIND))
}

/// Adds a group; returns its id. One round trip.
///
/// # Errors
/// A member is no user, a permission is unknown or of another level, the code is taken.
pub async fn add(session: &Session, place: Place, checked: Checked, author: &Author) -> Result<i64, Refusal> {
    let (entry, members) = prepared(place, checked.record)?;
    let (id, version): (Option<i64>, i32) = (None, 0);
    let parameters: [store::db::Parameter<'_>; 6] = [&entry, &id, &version, &Some(members), &author.name, &author.now];
    let written = records::settled(session, WRITE_ARCHIVES_GROUP, &parameters).await?;
    known(&written)?;
    records::first_id(Ok(written))
}

/// Replaces a group of the version that the client read, on wish without its members. Returns the new version. One round
/// trip.
///
/// # Errors
/// As [`add`], not found, stale.
pub async fn change(
    session: &Session,
    place: Place,
    id: i64,
    checked: Checked,
    with_members: bool,
    author: &Author,
) -> Result<i64, Refusal> {
    let version = Refusal::read_version(checked.lock_version)?;
    let (entry, members) = prepared(place, checked.record)?;
    let (id, version) = (Some(id), i32::try_from(version).unwrap_or(-1));
    let members = Some(members).filter(|_| with_members);
    let parameters: [store::db::Parameter<'_>; 6] = [&entry, &id, &version, &members, &author.name, &author.now];
    let written = records::settled(session, WRITE_ARCHIVES_GROUP, &parameters).await?;
    known(&written)?;
    records::changed(Ok(written), KIND)
}

/// A group as `add_archival` takes it, and the names of its members.
fn prepared(place: Place, mut record: Map<String, Value>) -> Result<(Value, Vec<String>), Refusal> {
    let texts = |value: Option<Value>| -> Vec<String> {
        let values = value.as_ref().and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let members = texts(record.remove("member_usernames"));
    let mut granted = Vec::new();
    for code in texts(record.remove("grants_permissions")) {
        let permission = PERMISSIONS.iter().find(|one| one.code == code);
        let permission = permission.ok_or_else(|| Refusal::BadRequest(format!("Unknown permission code: {code}")))?;
        match (permission.level, permission.implied_by) {
            // It follows from other codes.
            (_, Some(_)) => {}
            (Level::Global, None) => return Err(Refusal::Denied),
            (Level::Repository, None) => granted.push(code),
        }
    }
    record.insert("grants_permissions".to_owned(), json!(granted));
    Ok((records::prepare(place, record)?, members))
}

/// Refuses members who are no users.
fn known(written: &Value) -> Result<(), Refusal> {
    let Some(unknown) = written["unknown"].as_array() else { return Ok(()) };
    let names: Vec<&str> = unknown.iter().filter_map(Value::as_str).collect();
    let message = match names.as_slice() {
        [name] => format!("User {name} does not exist"),
        names => format!("Users {} do not exist", names.join(", ")),
    };
    Err(Refusal::Taken(Map::from_iter([("member_usernames".to_owned(), json!([message]))])))
}
