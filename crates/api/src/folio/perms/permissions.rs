//! `/perms/permissions` and `/perms/purge-deprecated`.

use std::sync::Arc;

use cql::{Clause, Query, Relation};
use http::StatusCode;
use identity::{
    collections::{PERMISSIONS, Subs, unfolded},
    permissions,
};
use serde_json::{Map, Value, json};
use store::{
    StoreError,
    collection::Collection,
    query,
    record::Kind,
    records::{self, Update},
};
use uuid::Uuid;

use super::refusals::{
    IMMUTABLE_CHANGED, IMMUTABLE_DELETED, NAME_TAKEN, NO_PERMISSION, PERMISSION_ID_CHANGED, PERMISSION_NAME_CHANGED,
    SUBS_UNKNOWN, SUBS_UNKNOWN_IN_CHANGE,
};
use super::{added, changed_id, collection, paged, texts};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Body, Routes},
};

const BODY: &str = "id, permissionName, displayName, description, tags[], subPermissions[], visible:bool";
/// The key in mod-permissions' errors, quotes included.
const NAME_KEY: &str = "'permissionName'";

pub(super) fn routes(routes: &mut Routes, permissions: &Collection) {
    // Lists may expand a set's sub-permissions from names to definitions.
    let shown = permissions.schema.clone().and("subPermissions[text|Permission]");
    let shown = || Body::of(Kind::Object(shown.clone())).named("Permission");
    routes
        .get("/perms/permissions", list)
        .summary("List permissions")
        .asks("expandSubs:bool, expanded:bool, includeDummy:bool, length:int, start:int")
        .gives_body(shown())
        .lists("permissions");
    routes
        .post("/perms/permissions", create)
        .summary("Create a permission or a set of permissions")
        .takes(BODY)
        .gives_body(shown())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.get("/perms/permissions/{id}", get).summary("Read a permission").gives_body(shown());
    routes
        .put("/perms/permissions/{id}", replace)
        .summary("Replace a permission a client has made")
        .takes(BODY)
        .gives_body(shown())
        .refuses(&[422]);
    routes.delete("/perms/permissions/{id}", delete).summary("Delete a permission a client has made");
    routes
        .post("/perms/purge-deprecated", purge)
        .summary("Delete the permissions that no module defines any longer")
        .gives("permissionNames*[], totalRecords*:int");
}

async fn list(call: Call) -> Answer {
    let asked = call.query.get("query").filter(|text| !text.is_empty());
    let narrowed = match asked {
        _ if call.query.flag("includeDummy") => asked.map(ToOwned::to_owned),
        asked => Some(without_dummies(asked)),
    };
    let request = paged(&call, narrowed.as_deref())?;
    let declared = listed(&call)?;
    let page = query::list(&call.session, &call.app.collections, &declared, &request)
        .await
        .map_err(|error| collections::query_problem(error, &declared))?;
    let (records, total) = (page.records, page.total.unwrap_or_default());
    let body = format!("{{\"permissions\":{records},\"totalRecords\":{total}}}");
    Ok(Reply::json_text(body))
}

/// The permissions. `expandSubs` replaces the names of sub-permissions with their definitions; `expanded` lists all
/// names, nested ones included.
fn listed(call: &Call) -> Result<Arc<Collection>, Problem> {
    let declared = collection(call, PERMISSIONS)?;
    let subs = if call.query.flag("expandSubs") {
        Subs::Definitions
    } else if call.query.flag("expanded") {
        Subs::AllNames
    } else {
        return Ok(declared);
    };
    let (path, list) = (declared.path, declared.list);
    let view = Collection::clone(&declared).shown_as(path, list, unfolded(subs));
    Ok(Arc::new(view))
}

/// Restricts the query to defined permissions, without dummies. A malformed query stays as it is and is refused later.
fn without_dummies(asked: Option<&str>) -> String {
    let defined = Clause::new("dummy", Relation::Exact, [], "false");
    let Some(asked) = asked else {
        return Query { condition: defined.into(), sort: Vec::new() }.to_string();
    };
    cql::parse(asked).map_or_else(|_| asked.to_owned(), |asked| asked.within(defined).to_string())
}

async fn get(call: Call) -> Answer {
    let declared = collection(&call, PERMISSIONS)?;
    collections::get(call, declared).await
}

async fn create(call: Call) -> Answer {
    let declared = collection(&call, PERMISSIONS)?;
    let (id, mut record) = collections::accepted(&call, &declared, None)?;
    own(&mut record, id);
    let name = name_of(&record).to_owned();
    if let Some(names) = missing_subs(&call, &record, &[]).await? {
        return Err(SUBS_UNKNOWN.with("names", names).with(NAME_KEY, name).into());
    }
    let inserted = records::insert(&call.session, &declared, id, record).await;
    inserted.map_err(|error| match error {
        StoreError::Duplicate { constraint, .. } if constraint != "permissions_pkey" => {
            Problem::from(NAME_TAKEN.with(NAME_KEY, name))
        }
        other => other.into(),
    })?;
    call.tenant.directory.forget();
    shown(&call, id, StatusCode::CREATED).await
}

/// Sets the members that every client-made permission has.
fn own(record: &mut Map<String, Value>, id: Uuid) {
    record.entry("permissionName").or_insert_with(|| id.to_string().into());
    record.entry("visible").or_insert(true.into());
    record.insert("mutable".into(), true.into());
    record.insert("dummy".into(), false.into());
    record.insert("deprecated".into(), false.into());
}

fn name_of(record: &Map<String, Value>) -> &str {
    record.get("permissionName").and_then(Value::as_str).unwrap_or_default()
}

/// The sub-permissions that do not exist, if any. Those the permission already had are not checked.
async fn missing_subs(call: &Call, record: &Map<String, Value>, before: &[&str]) -> Result<Option<String>, Problem> {
    let names: Vec<_> = texts(record.get("subPermissions")).into_iter().filter(|name| !before.contains(name)).collect();
    if names.is_empty() {
        return Ok(None);
    }
    let known = permissions::definitions(&call.session, &names).await?;
    let missing: Vec<_> = names.into_iter().filter(|name| !known.contains_key(*name)).collect();
    Ok((!missing.is_empty()).then(|| missing.join(",")))
}

async fn stored(call: &Call, id: &str) -> Result<(Uuid, Map<String, Value>), Problem> {
    let declared = collection(call, PERMISSIONS)?;
    let uuid = changed_id(id)?;
    let text = records::find(&call.session, &declared, uuid).await?;
    let text = text.ok_or_else(|| NO_PERMISSION.with("id", id))?;
    let record = serde_json::from_str(&text).map_err(|error| Problem::Internal(format!("permission {id}: {error}")))?;
    Ok((uuid, record))
}

async fn shown(call: &Call, id: Uuid, status: StatusCode) -> Answer {
    let declared = collection(call, PERMISSIONS)?;
    let record = records::find(&call.session, &declared, id).await?;
    Ok(Reply::json_text(record.unwrap_or_default()).with_status(status))
}

async fn replace(call: Call) -> Answer {
    let path_id = call.param("id");
    let sent = call.json()?;
    if sent["id"].as_str() != Some(path_id) {
        return Err(PERMISSION_ID_CHANGED.into());
    }
    let (id, before) = stored(&call, path_id).await?;
    let declared = collection(&call, PERMISSIONS)?;
    let (_, mut record) = collections::accepted(&call, &declared, Some(id))?;
    own(&mut record, id);
    if name_of(&record) != name_of(&before) {
        return Err(PERMISSION_NAME_CHANGED.into());
    }
    if before.get("mutable") != Some(&true.into()) {
        return Err(IMMUTABLE_CHANGED.into());
    }
    let had = texts(before.get("subPermissions"));
    let new: Vec<_> = texts(record.get("subPermissions")).into_iter().filter(|name| !had.contains(name)).collect();
    added(&call, &new).await?;
    if let Some(names) = missing_subs(&call, &record, &had).await? {
        let refusal = SUBS_UNKNOWN_IN_CHANGE.with("names", names).with("id", path_id);
        return Err(refusal.with("permission", name_of(&record)).into());
    }
    if records::replace(&call.session, &declared, id, record).await? == Update::NotFound {
        return Err(NO_PERMISSION.with("id", id).into());
    }
    call.tenant.directory.forget();
    shown(&call, id, StatusCode::OK).await
}

async fn delete(call: Call) -> Answer {
    let (id, before) = stored(&call, call.param("id")).await?;
    if before.get("mutable") != Some(&true.into()) {
        return Err(IMMUTABLE_DELETED.into());
    }
    permissions::delete(&call.session, id).await?;
    call.tenant.directory.forget();
    Ok(Reply::no_content())
}

async fn purge(call: Call) -> Answer {
    let names = permissions::purge(&call.session).await?;
    call.tenant.directory.forget();
    Ok(Reply::json(&json!({"permissionNames": names, "totalRecords": names.len()})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dummies_are_left_out_whatever_is_asked() {
        for (asked, narrowed) in [
            (None, "dummy == false"),
            (Some("childOf == []"), "dummy == false and (childOf == [])"),
            (
                Some("a == 1 or b == 2 sortby permissionName"),
                "dummy == false and (a == 1 or b == 2) sortby permissionName",
            ),
        ] {
            let found = without_dummies(asked);
            assert_eq!(cql::parse(&found).unwrap(), cql::parse(narrowed).unwrap(), "{found}");
        }
        assert_eq!(without_dummies(Some("a == (")), "a == (");
    }
}
