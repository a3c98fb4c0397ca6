//! `GET /bl-users…`: users with what belongs to them.

use identity::{
    composite::{Composite, Wanted, find, listed},
    sign_in::Name,
};
use patrons::collections::USERS;
use serde_json::{Map, Value, json};
use store::{collection::Collection, query};

use super::{by_id, wanted};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/bl-users", list)
        .summary("List users with what belongs to them");
    routes
        .get("/bl-users/_self", own)
        .summary("The user of the token with what belongs to him");
    routes
        .get("/bl-users/by-id/{id}", of_id)
        .summary("A user with what belongs to him");
    routes
        .get("/bl-users/by-username/{id}", of_username)
        .summary("A user with what belongs to him");
}

async fn own(call: Call) -> Answer {
    let Some(caller) = &call.caller else {
        return Err(Problem::bad_request("Token missing"));
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
    let body = read(call, &name, wanted).await?;
    Ok(Reply::json(&Value::Object(body)))
}

/// A user with what is wanted, as clients see it.
///
/// # Errors
/// 404 text when there is no such user, or with `expandPermissions` no permission user.
pub(super) async fn read(
    call: &Call,
    name: &Name,
    wanted: Wanted,
) -> Result<Map<String, Value>, Problem> {
    let found = find(&call.session, name, wanted).await?;
    let composite = found.ok_or_else(|| {
        none_found(&match name {
            Name::Id(_) => format!("/users/{}", call.param("id")),
            Name::Username(username) => format!("/users?query=username=={username}"),
        })
    })?;
    assembled(&composite, wanted)
}

fn none_found(query: &str) -> Problem {
    Problem::not_found(format!("No record found for query '{query}'"))
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
            body.insert(
                "permissions".into(),
                held(holder, holder["permissions"].clone()),
            );
        }
        (None, _) if wanted.expanded => {
            return Err(none_found(&format!("/perms/users?query=userId=={id}")));
        }
        (None, _) => {}
    }
    for (member, record) in [
        ("proxiesFor", &composite.proxies),
        ("servicePointsUser", &composite.service_points),
    ] {
        if let Some(record) = record {
            body.insert(member.into(), parsed(record)?);
        }
    }
    Ok(body)
}

/// A permission user with these permissions in place of its names.
fn held(holder: &Value, permissions: Value) -> Value {
    json!({"id": holder["id"], "userId": holder["userId"], "permissions": permissions,
        "metadata": holder["metadata"]})
}

fn parsed(text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text)
        .map_err(|error| Problem::Internal(format!("a stored record: {error}")))
}

/// One round trip: the users are read as a view that shows each with what belongs to it.
async fn list(call: Call) -> Answer {
    let users = call
        .app
        .collection(USERS)
        .ok_or_else(|| Problem::Internal("no collection keeps users".into()))?;
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
    Ok(Reply::json(
        &json!({"compositeUsers": found, "totalResults": page.total.unwrap_or_default(),
        "recordCount": count}),
    ))
}
