//! `/perms/users`: the permissions each user holds.

use http::StatusCode;
use identity::{
    collections::PERMISSION_USERS,
    permissions::{self, Holder, held},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{StoreError, collection::Collection, records};
use uuid::Uuid;

use super::refusals::{
    CHANGED_MEANWHILE, DUMMY_ADDED, DUMMY_GRANTED, HELD_ALREADY, INDEX_FIELD_UNKNOWN, NO_PERMISSIONS_USER,
    NO_SUCH_NAME, NO_USER, NO_USER_TO_GRANT, NO_USER_TO_LIST, NO_USER_TO_WITHDRAW, NO_UUID_IN_SQL, NOT_HELD,
    USER_HAS_RECORD,
};
use super::{added, changed_id, collection, paged, texts};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const BODY: &str = "id, userId*, permissions[]";

/// The kind of id in the path.
const NAMED: &str = "indexField:(id|userId)";

pub(super) fn routes(routes: &mut Routes, holders: &Collection) {
    let (one, held) = ("/perms/users/{id}", "/perms/users/{id}/permissions");
    routes
        .get("/perms/users", list)
        .summary("List permission users")
        .gives_record(holders)
        .lists("permissionUsers")
        .result_info = true;
    routes
        .post("/perms/users", create)
        .summary("Grant permissions to a user")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .takes(BODY)
        .gives_record(holders);
    routes.get(one, get).summary("Read a permission user").asks(NAMED).gives_record(holders);
    routes
        .put(one, replace)
        .summary("Replace what is granted to a user")
        .asks(NAMED)
        .refuses(&[422])
        .takes(BODY)
        .gives_record(holders);
    routes.delete(one, delete).summary("Withdraw everything from a user").asks(NAMED);
    routes
        .get(held, list_held)
        .summary("List the permissions of a user")
        .asks(NAMED)
        .asks("expanded:bool, full:bool")
        .gives("permissionNames*[text|Permission], totalRecords:int");
    routes
        .post(held, grant)
        .summary("Grant one permission more")
        .asks(NAMED)
        .refuses(&[422])
        .takes("permissionName*")
        .gives("permissionName");
    routes.delete(&format!("{held}/{{permissionname}}"), withdraw).summary("Withdraw one permission").asks(NAMED);
}

async fn list(call: Call) -> Answer {
    let request = paged(&call, call.query.get("query"))?;
    let declared = collection(&call, PERMISSION_USERS)?;
    collections::page(&call, &declared, &request).await
}

/// How the path identifies the permission user, and FOLIO's words for it; `None` if it is nobody's. FOLIO compares ids of
/// users as texts, and has the database read those of records.
fn named(call: &Call) -> Result<(Option<Holder>, String), Problem> {
    let text = call.param("id");
    let field = call.query.get("indexField").unwrap_or("id");
    let id = text.parse::<Uuid>().ok();
    let holder = match field {
        "id" => Some(Holder::Id(id.ok_or_else(|| NO_UUID_IN_SQL.with("text", text))?)),
        "userId" => id.map(Holder::User),
        other => return Err(INDEX_FIELD_UNKNOWN.with("field", other).into()),
    };
    Ok((holder, format!("{field} {text}")))
}

/// The permission user to change. The path always has the permission user's id, because `indexField` applies only to
/// reads; but if there is none with that id, `indexField=userId` makes it the user's id.
async fn find_to_change(call: &Call) -> Result<Option<Map<String, Value>>, Problem> {
    let id = changed_id(call.param("id"))?;
    let found = permissions::find_holder(&call.session, Holder::Id(id)).await?;
    if found.is_none() && call.query.get("indexField") == Some("userId") {
        return Ok(permissions::find_holder(&call.session, Holder::User(id)).await?);
    }
    Ok(found)
}

/// The permission user in the path, if there is one, and FOLIO's words for it.
async fn find(call: &Call) -> Result<(Option<Map<String, Value>>, String), Problem> {
    let (holder, words) = named(call)?;
    let found = match holder {
        Some(holder) => permissions::find_holder(&call.session, holder).await?,
        None => None,
    };
    Ok((found, words))
}

/// Refuses ids in the body of a new record that are none.
fn check_ids(call: &Call) -> Result<(), Problem> {
    let sent = call.json()?;
    // Without userId, that is what is wrong.
    if let Some(user) = sent["userId"].as_str() {
        changed_id(user)?;
        sent["id"].as_str().map(changed_id).transpose()?;
    }
    Ok(())
}

/// The record in stored form, without duplicate names.
fn accepted(call: &Call, id: Option<Uuid>) -> Result<(Uuid, Map<String, Value>), Problem> {
    let declared = collection(call, PERMISSION_USERS)?;
    let (id, mut record) = collections::accepted(call, &declared, id)?;
    let mut names: Vec<Value> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for name in texts(record.get("permissions")) {
        if seen.insert(name) {
            names.push(name.into());
        }
    }
    record.insert("permissions".into(), names.into());
    Ok((id, record))
}

/// A second record for a user is refused with 400 text, as in mod-permissions
/// (docs/folio/permissions.md#a-second-record-for-a-user).
fn of_user_already(error: StoreError, record: &Map<String, Value>) -> Problem {
    match error {
        StoreError::Duplicate { .. } => {
            let user = record.get("userId").and_then(Value::as_str).unwrap_or_default();
            USER_HAS_RECORD.with("user", user).into()
        }
        other => other.into(),
    }
}

async fn create(call: Call) -> Answer {
    check_ids(&call)?;
    let (id, record) = accepted(&call, None)?;
    if call.caller.is_some() {
        added(&call, &texts(record.get("permissions"))).await?;
    }
    let declared = collection(&call, PERMISSION_USERS)?;
    let inserted = records::insert(&call.session, &declared, id, record.clone()).await;
    inserted.map_err(|error| of_user_already(error, &record))?;
    call.tenant.directory.forget();
    Ok(Reply::json(&Value::Object(record)).created(&format!("/perms/users/{id}")))
}

async fn get(call: Call) -> Answer {
    match find(&call).await? {
        (Some(record), _) => Ok(Reply::json(&Value::Object(record))),
        (None, words) => Err(NO_USER.with("named", words).into()),
    }
}

fn no_such(call: &Call) -> Problem {
    NO_PERMISSIONS_USER.with("id", call.param("id")).into()
}

async fn replace(call: Call) -> Answer {
    let before = find_to_change(&call).await?;
    let before = before.ok_or_else(|| no_such(&call))?;
    let id = id_of(&before)?;
    let (_, record) = accepted(&call, Some(id))?;
    let had = texts(before.get("permissions"));
    let new: Vec<_> = texts(record.get("permissions")).into_iter().filter(|name| !had.contains(name)).collect();
    let known = added(&call, &new).await?;
    if new.iter().any(|name| known.get(*name).is_some_and(|known| known.dummy)) {
        return Err(DUMMY_ADDED.into());
    }
    let held = before.get("permissions").cloned().unwrap_or_else(|| json!([]));
    let stored = Value::Object(record.clone());
    let replaced = permissions::replace_holder(&call.session, id, &stored, &held).await;
    if !replaced.map_err(|error| of_user_already(error, &record))? {
        return Err(CHANGED_MEANWHILE.into());
    }
    call.tenant.directory.forget();
    let mut shown = record;
    shown.shift_remove("metadata");
    Ok(Reply::json(&Value::Object(shown)))
}

fn id_of(record: &Map<String, Value>) -> Result<Uuid, Problem> {
    let id = record.get("id").and_then(Value::as_str);
    id.and_then(|id| id.parse().ok()).ok_or_else(|| Problem::Internal("a permission user without id".into()))
}

async fn delete(call: Call) -> Answer {
    let there = find_to_change(&call).await?;
    let id = id_of(&there.ok_or_else(|| no_such(&call))?)?;
    if !permissions::remove_holder(&call.session, Holder::Id(id)).await? {
        return Err(no_such(&call));
    }
    call.tenant.directory.forget();
    Ok(Reply::no_content())
}

async fn list_held(call: Call) -> Answer {
    let (holder, words) = named(&call)?;
    let (expanded, full) = (call.query.flag("expanded"), call.query.flag("full"));
    let found = match holder {
        Some(holder) => held(&call.session, holder, expanded, full).await?,
        None => None,
    };
    let (names, definitions) = found.ok_or_else(|| NO_USER_TO_LIST.with("named", words))?;
    Ok(match definitions {
        Some(definitions) => Reply::json_text(format!("{{\"permissionNames\":{definitions}}}")),
        None => Reply::json(&json!({"permissionNames": names, "totalRecords": names.len()})),
    })
}

#[derive(Deserialize)]
struct Named {
    #[serde(rename = "permissionName")]
    name: String,
}

async fn grant(call: Call) -> Answer {
    let Named { name } = call.parse()?;
    let (record, words) = find(&call).await?;
    let record = record.ok_or_else(|| NO_USER_TO_GRANT.with("named", &words))?;
    let id = id_of(&record)?;
    let held_already = || {
        let refusal = HELD_ALREADY.with("named", &words);
        let refusal = refusal.with("permission", &name);
        Problem::from(refusal.with("'userId'", id))
    };
    if texts(record.get("permissions")).contains(&name.as_str()) {
        return Err(held_already());
    }
    let known = added(&call, &[&name]).await?;
    match known.get(&name) {
        None => {
            return Err(NO_SUCH_NAME.with("permission", &name).into());
        }
        Some(definition) if definition.dummy => {
            return Err(DUMMY_GRANTED.with("permission", &name).into());
        }
        Some(_) => {}
    }
    if !permissions::grant(&call.session, id, &name).await? {
        return Err(held_already());
    }
    call.tenant.directory.forget();
    Ok(Reply::json(&json!({"permissionName": name})))
}

async fn withdraw(call: Call) -> Answer {
    let name = call.param("permissionname");
    let (record, words) = find(&call).await?;
    let record = record.ok_or_else(|| NO_USER_TO_WITHDRAW.with("named", &words))?;
    if !texts(record.get("permissions")).contains(&name) {
        let refusal = NOT_HELD.with("named", &words);
        return Err(refusal.with("permission", name).into());
    }
    permissions::withdraw(&call.session, id_of(&record)?, name).await?;
    call.tenant.directory.forget();
    Ok(Reply::no_content())
}
