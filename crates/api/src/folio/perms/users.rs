//! `/perms/users`: what is granted to whom.

use http::StatusCode;
use identity::{
    collections::PERMISSION_USERS,
    permissions::{self, Holder, held},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{StoreError, records};
use uuid::Uuid;

use super::{added, collection, paged, texts, unprocessable};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const BODY: &str = "id, userId*, permissions[]";

pub(super) fn routes(routes: &mut Routes) {
    let (one, held) = ("/perms/users/{id}", "/perms/users/{id}/permissions");
    routes
        .get("/perms/users", list)
        .summary("List permission users");
    routes
        .post("/perms/users", create)
        .summary("Grant permissions to a user")
        .takes(BODY)
        .gives(BODY);
    routes
        .get(one, get)
        .summary("Read a permission user")
        .gives(BODY);
    routes
        .put(one, replace)
        .summary("Replace what is granted to a user")
        .takes(BODY)
        .gives(BODY);
    routes
        .delete(one, delete)
        .summary("Withdraw everything from a user");
    routes
        .get(held, list_held)
        .summary("List the permissions of a user");
    routes
        .post(held, grant)
        .summary("Grant one permission more")
        .takes("permissionName*")
        .gives("permissionName");
    routes
        .delete(&format!("{held}/{{permissionname}}"), withdraw)
        .summary("Withdraw one permission");
}

async fn list(call: Call) -> Answer {
    let request = paged(&call, call.query.get("query"))?;
    let declared = collection(&call, PERMISSION_USERS)?;
    collections::page(&call, &declared, &request).await
}

/// How the path names the permission user, and the words FOLIO has for it; `None` when it is no id at all.
fn named(call: &Call) -> (Option<Holder>, String) {
    let text = call.param("id");
    let of_user = call.query.get("indexField") == Some("userId");
    let id = text.parse::<Uuid>().ok();
    let holder = id.map(|id| {
        if of_user {
            Holder::User(id)
        } else {
            Holder::Id(id)
        }
    });
    let field = call.query.get("indexField").unwrap_or("id");
    (holder, format!("{field} {text}"))
}

/// The permission user that is to be changed: the path names it by its id, whatever `indexField` says, which counts for
/// reading; where no permission user has that id, the user's will do.
async fn find_to_change(call: &Call) -> Result<Option<Map<String, Value>>, Problem> {
    let Ok(id) = call.param("id").parse() else {
        return Ok(None);
    };
    let found = permissions::find_holder(&call.session, Holder::Id(id)).await?;
    if found.is_none() && call.query.get("indexField") == Some("userId") {
        return find(call).await;
    }
    Ok(found)
}

async fn find(call: &Call) -> Result<Option<Map<String, Value>>, Problem> {
    match named(call).0 {
        Some(holder) => Ok(permissions::find_holder(&call.session, holder).await?),
        None => Ok(None),
    }
}

/// The record in stored form, no name twice.
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

/// A second record for a user is told as text with 400, as mod-permissions does
/// (docs/folio/permissions.md#a-second-record-for-a-user).
fn of_user_already(error: StoreError, record: &Map<String, Value>) -> Problem {
    match error {
        StoreError::Duplicate { .. } => {
            let user = record
                .get("userId")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let text = format!(
                "lower(f_unaccent(jsonb ->> 'userId'::text)) value already exists in table permissions_users: {user}"
            );
            Problem::bad_request(text)
        }
        other => other.into(),
    }
}

async fn create(call: Call) -> Answer {
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
        Some(record) => Ok(Reply::json(&Value::Object(record))),
        None => Err(Problem::not_found(format!(
            "No user with {}",
            named(&call).1
        ))),
    }
}

fn no_such(call: &Call) -> Problem {
    let text = format!("No permissions user found with id {}", call.param("id"));
    Problem::not_found(text)
}

async fn replace(call: Call) -> Answer {
    let before = find_to_change(&call).await?;
    let before = before.ok_or_else(|| no_such(&call))?;
    let id = id_of(&before)?;
    let (_, record) = accepted(&call, Some(id))?;
    let had = texts(before.get("permissions"));
    let new: Vec<_> = texts(record.get("permissions"))
        .into_iter()
        .filter(|name| !had.contains(name))
        .collect();
    let known = added(&call, &new).await?;
    if new
        .iter()
        .any(|name| known.get(*name).is_some_and(|known| known.dummy))
    {
        let text = "Cannot add permissions flagged as 'dummy' to users";
        return Err(Problem::bad_request(text));
    }
    let held = before
        .get("permissions")
        .cloned()
        .unwrap_or_else(|| json!([]));
    let stored = Value::Object(record.clone());
    let replaced = permissions::replace_holder(&call.session, id, &stored, &held).await;
    if !replaced.map_err(|error| of_user_already(error, &record))? {
        let text = "Somebody else has changed this permission user at the same moment";
        return Err(Problem::Text(StatusCode::CONFLICT, text.into()));
    }
    call.tenant.directory.forget();
    let mut shown = record;
    shown.shift_remove("metadata");
    Ok(Reply::json(&Value::Object(shown)))
}

fn id_of(record: &Map<String, Value>) -> Result<Uuid, Problem> {
    let id = record.get("id").and_then(Value::as_str);
    id.and_then(|id| id.parse().ok())
        .ok_or_else(|| Problem::Internal("a permission user without id".into()))
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
    let (holder, words) = named(&call);
    let (expanded, full) = (call.query.flag("expanded"), call.query.flag("full"));
    let found = match holder {
        Some(holder) => held(&call.session, holder, expanded, full).await?,
        None => None,
    };
    let (names, definitions) =
        found.ok_or_else(|| Problem::not_found(format!("No user found by {words}")))?;
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
    let words = named(&call).1;
    let record = find(&call).await?;
    let record =
        record.ok_or_else(|| Problem::bad_request(format!("User with {words} does not exist")))?;
    let id = id_of(&record)?;
    let held_already = || {
        let text = format!("User with {words} already has permission {name}");
        unprocessable(&text, "'userId'", &id.to_string())
    };
    if texts(record.get("permissions")).contains(&name.as_str()) {
        return Err(held_already());
    }
    let known = added(&call, &[&name]).await?;
    match known.get(&name) {
        None => {
            let text = format!("Permission by name '{name}' does not exist");
            return Err(Problem::bad_request(text));
        }
        Some(definition) if definition.dummy => {
            return Err(Problem::bad_request(format!(
                "'{name}' is flagged as a dummy permission and cannot be assigned to a user"
            )));
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
    let words = named(&call).1;
    let name = call.param("permissionname");
    let record = find(&call).await?;
    let record =
        record.ok_or_else(|| Problem::not_found(format!("User with {words} does not exist")))?;
    if !texts(record.get("permissions")).contains(&name) {
        let text = format!("User with {words} does not contain {name}");
        return Err(Problem::bad_request(text));
    }
    permissions::withdraw(&call.session, id_of(&record)?, name).await?;
    call.tenant.directory.forget();
    Ok(Reply::no_content())
}
