//! Settings entries: seen and changed by who has a permission for their scope.

use std::sync::Arc;

use http::StatusCode;
use patrons::settings::{self, Action};
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::Collection,
    query::{self, condition::Condition, sql::Fragment, sql::Parameter},
    records::{self, Update},
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, entries: &Arc<Collection>) {
    serve(routes, entries, "list", list);
    serve(routes, entries, "get", get);
    serve(routes, entries, "post", create);
    serve(routes, entries, "put", replace);
    serve(routes, entries, "delete", delete);
}

pub(super) fn forbidden() -> Problem {
    Problem::Text(StatusCode::FORBIDDEN, "Forbidden".into())
}

fn not_found() -> Problem {
    Problem::not_found("Not Found")
}

pub(super) fn may(call: &Call, action: Action, entry: &Map<String, Value>) -> bool {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let owner = text("userId").and_then(|id| Uuid::parse_str(id).ok());
    let scope = text("scope").unwrap_or_default();
    settings::may(action, scope, owner, call.user_id(), |name| call.may(name))
}

/// The entries of the scopes the caller can read; 403 when there are none.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let readable = readable(&call).ok_or_else(forbidden)?;
    let mut plan = match call.query.get("query").filter(|cql| !cql.trim().is_empty()) {
        None => query::Plan::everything(),
        Some(cql) => query::read(&call.app.collections, &collection, cql)
            .map_err(|error| collections::query_problem(error, &collection))?,
    };
    plan.condition = plan.condition.and(readable);
    let (limit, offset) = (call.limit(collection.default_limit)?, call.offset()?);
    let statement = query::page(&collection, &plan, limit, offset);
    let row = call
        .session
        .get(&statement.sql, &statement.values())
        .await?;
    let (records, total): (String, i64) = (row.get("records"), row.get("total"));
    Ok(Reply::json_text(format!(
        "{{\"items\":{records},\"resultInfo\":{{\"totalRecords\":{total},\"diagnostics\":[]}}}}"
    )))
}

/// The condition on entries the caller can read, `None` for none.
fn readable(call: &Call) -> Option<Condition> {
    let permissions = call.permissions_under(settings::PREFIX);
    let scopes = settings::readable(permissions.iter().map(String::as_str));
    let mut condition = Condition::Nothing;
    for (scope, rights) in &scopes {
        let of = |more: Fragment| {
            let scope = Parameter::Text((*scope).to_owned());
            Condition::test(
                Fragment::new("(r.doc->>'scope' = ")
                    .bind(scope)
                    .then(more)
                    .sql(")"),
            )
        };
        if rights.global {
            condition = condition.or(of(Fragment::new(" AND r.userid IS NULL")));
        }
        if rights.users {
            condition = condition.or(of(Fragment::new(" AND r.userid IS NOT NULL")));
        } else if rights.owner
            && let Some(user) = call.user_id()
        {
            condition = condition.or(of(
                Fragment::new(" AND r.userid = ").bind(Parameter::Uuid(user))
            ));
        }
    }
    (condition != Condition::Nothing).then_some(condition)
}

async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let text = records::find(&call.session, &collection, id)
        .await?
        .ok_or_else(not_found)?;
    let entry =
        serde_json::from_str(&text).map_err(|error| Problem::Internal(error.to_string()))?;
    if may(&call, Action::Read, &entry) {
        Ok(Reply::json_text(text))
    } else {
        Err(not_found())
    }
}

/// POST: 204; the id is the client's.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, entry) = accepted(&call, &collection)?;
    let id = id.ok_or_else(|| {
        Problem::bad_request("Validation error for body application/json: id is required")
    })?;
    if !may(&call, Action::Write, &entry) {
        return Err(forbidden());
    }
    match records::insert(&call.session, &collection, id, entry).await {
        Ok(()) => Ok(Reply::no_content()),
        Err(StoreError::Duplicate { .. }) => Err(forbidden()),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn accepted(
    call: &Call,
    collection: &Collection,
) -> Result<(Option<Uuid>, Map<String, Value>), Problem> {
    let entry = collection.schema.accept(call.json()?).map_err(as_text)?;
    let id = entry
        .get("id")
        .and_then(Value::as_str)
        .and_then(|id| Uuid::parse_str(id).ok());
    Ok((id, entry))
}

/// This module tells everything as text.
pub(super) fn as_text(rejection: store::record::Rejection) -> Problem {
    Problem::bad_request(match rejection {
        store::record::Rejection::Unreadable(text) => text,
        store::record::Rejection::Breaches(breaches) => {
            let told = breaches.iter().map(|breach| {
                let (message, _, key, _) = breach.in_words();
                format!("Validation error for body application/json: {key} {message}")
            });
            told.collect::<Vec<_>>().join("; ")
        }
    })
}

async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (sent, entry) = accepted(&call, &collection)?;
    if sent != Some(id) {
        return Err(Problem::bad_request("id mismatch"));
    }
    if !may(&call, Action::Write, &entry) {
        return Err(forbidden());
    }
    match records::replace(&call.session, &collection, id, entry).await {
        Ok(Update::NotFound) | Err(StoreError::Duplicate { .. }) => Err(not_found()),
        Ok(_) => Ok(Reply::no_content()),
        Err(error) => Err(error.into()),
    }
}

/// DELETE: two round trips, since who may depends on the entry.
async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let text = records::find(&call.session, &collection, id)
        .await?
        .ok_or_else(not_found)?;
    let entry =
        serde_json::from_str(&text).map_err(|error| Problem::Internal(error.to_string()))?;
    if may(&call, Action::Write, &entry) && records::delete(&call.session, &collection, id).await? {
        Ok(Reply::no_content())
    } else {
        Err(not_found())
    }
}
