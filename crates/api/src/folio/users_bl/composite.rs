//! `GET /bl-users…`: users with their related records.

use std::sync::Arc;

use identity::{
    collections::PERMISSION_USERS,
    composite::{Composite, Wanted, find, listed},
    sign_in::Name,
};
use patrons::collections::USERS;
use serde_json::{Map, Value, json};
use store::{
    collection::Collection,
    query,
    record::{Kind, Schema},
};

use super::{
    WANTED, by_id,
    refusals::{NO_RECORD, TOKEN_MISSING},
    wanted,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    folio::declared,
    route::{Answer, Body, Routes},
};

/// A composite user, as log-ins answer it.
pub(super) fn members(all: &[Arc<Collection>]) -> Schema {
    let record = |table: &str, more: &str| Kind::Object(declared(all, table).schema.clone().require("id").and(more));
    Schema::declare("user*:User, patronGroup:Group, proxiesFor[Proxyfor]")
        .with("permissions", &record(PERMISSION_USERS, "permissions[text|Permission], metadata?:Metadata"))
        .with("servicePointsUser", &record("service_point_user", "servicePoints[ServicePoint]"))
}

/// FOLIO's members of a user in a list are not those of one user.
const LIST: &str = "compositeUsers*[{users*:User, groups:Group, permissions{permissions*[]}, proxiesFor[Proxyfor]}],
    totalResults*:int, recordCount*:int";

pub(super) fn routes(routes: &mut Routes, members: &Schema) {
    let one = members.clone().and("permissions*{permissions*[text|Permission]}");
    let shown = || Body::of(Kind::Object(one.clone())).named("CompositeUser");
    routes
        .get("/bl-users", list)
        .summary("List users with what belongs to them")
        .asks("query, limit:int, offset:int, include, expandPermissions:bool")
        .gives(LIST);
    routes
        .get("/bl-users/_self", own)
        .summary("The user of the token with what belongs to him")
        .asks(WANTED)
        .gives_body(shown());
    routes
        .get("/bl-users/by-id/{id}", of_id)
        .summary("A user with what belongs to him")
        .asks(WANTED)
        .gives_body(shown());
    routes
        .get("/bl-users/by-username/{id}", of_username)
        .summary("A user with what belongs to him")
        .asks(WANTED)
        .gives_body(shown());
}

async fn own(call: Call) -> Answer {
    let Some(caller) = &call.caller else {
        return Err(TOKEN_MISSING.into());
    };
    answer(&call, Name::Id(caller.user_id)).await
}

async fn of_id(call: Call) -> Answer {
    let name = by_id(&call);
    answer(&call, name).await
}

async fn of_username(call: Call) -> Answer {
    let name = Name::Username(call.param("id").to_owned());
    answer(&call, name).await
}

async fn answer(call: &Call, name: Name) -> Answer {
    let wanted = wanted(&call.query);
    let mut body = read(call, &name, wanted).await?;
    // Unlike log-ins, always and without the rest of the record.
    let names = body.get_mut("permissions").map_or_else(|| json!([]), |held| held["permissions"].take());
    body.insert("permissions".into(), json!({"permissions": names}));
    Ok(Reply::json(&Value::Object(body)))
}

/// A composite user with the requested parts. Answers 404 text if the user does not exist or, with `expandPermissions`,
/// has no permission user.
pub(super) async fn read(call: &Call, name: &Name, wanted: Wanted) -> Result<Map<String, Value>, Problem> {
    let found = find(&call.session, name, wanted).await?;
    let composite = found.ok_or_else(|| {
        let query = match name {
            Name::Id(_) => format!("/users/{}", call.param("id")),
            Name::Username(username) => format!("/users?query=username=={username}"),
        };
        NO_RECORD.with("query", query)
    })?;
    assembled(&composite, wanted)
}

fn assembled(composite: &Composite, wanted: Wanted) -> Result<Map<String, Value>, Problem> {
    let user = parsed(&composite.user)?;
    let id = user["id"].as_str().unwrap_or_default().to_owned();
    let mut body = Map::new();
    body.insert("user".into(), user);
    if let Some(group) = &composite.group {
        body.insert("patronGroup".into(), parsed(group)?);
    }
    match (&composite.holder, &composite.permissions) {
        (Some(holder), Some(permissions)) => {
            body.insert("permissions".into(), held(holder, parsed(permissions)?));
        }
        (Some(holder), None) => {
            body.insert("permissions".into(), held(holder, holder["permissions"].clone()));
        }
        (None, _) if wanted.expanded => {
            let query = format!("/perms/users?query=userId=={id}");
            return Err(NO_RECORD.with("query", query).into());
        }
        (None, _) => {}
    }
    for (member, record) in [("proxiesFor", &composite.proxies), ("servicePointsUser", &composite.service_points)] {
        if let Some(record) = record {
            body.insert(member.into(), parsed(record)?);
        }
    }
    Ok(body)
}

/// A permission user with full permissions in place of their names.
fn held(holder: &Value, permissions: Value) -> Value {
    json!({"id": holder["id"], "userId": holder["userId"], "permissions": permissions,
        "metadata": holder["metadata"]})
}

fn parsed(text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| Problem::Internal(format!("a stored record: {error}")))
}

/// One round trip: a view shows each user with the related records.
async fn list(call: Call) -> Answer {
    let users = call.app.collection(USERS).ok_or_else(|| Problem::Internal("no collection keeps users".into()))?;
    let shown = listed(wanted(&call.query));
    let composites = Collection::clone(&users).shown_as("/bl-users", "compositeUsers", shown);
    let request = query::ListRequest {
        cql: call.query.get("query"),
        limit: call.limit(10)?,
        offset: call.offset()?,
        totals: "auto",
    };
    let page = query::list(&call.session, &call.app.collections, &composites, &request)
        .await
        .map_err(|error| collections::query_problem(error, &composites))?;
    let found = parsed(&page.records)?;
    let count = found.as_array().map_or(0, Vec::len);
    Ok(Reply::json(&json!({"compositeUsers": found, "totalResults": page.total.unwrap_or_default(),
        "recordCount": count})))
}
