//! Settings entries. Reading and writing them takes a permission for their scope.

use std::sync::Arc;

use http::StatusCode;
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::Collection,
    query::{self, condition::Condition, sql::Fragment, sql::Parameter},
    record::{Breach, Rejection},
    records::{self, Update},
};
use uuid::Uuid;

use super::{
    access::{self, Action},
    refusals::{FORBIDDEN, ID_CHANGED, MEMBER_MISSING, MEMBER_UNKNOWN, NOT_FOUND, TEXT_TOO_LONG, VALUE_WRONG},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Question, kept, serve},
    manner,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, entries: &Arc<Collection>) {
    serve(routes, entries, "list", list);
    serve(routes, entries, "get", get);
    serve(routes, entries, "post", create).gives_nothing().with_status(StatusCode::NO_CONTENT);
    serve(routes, entries, "put", replace);
    serve(routes, entries, "delete", delete);
}

pub(super) fn may(call: &Call, action: Action, entry: &Map<String, Value>) -> bool {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let owner = text("userId").and_then(|id| Uuid::parse_str(id).ok());
    let scope = text("scope").unwrap_or_default();
    access::may(action, scope, owner, call.user_id(), |name| call.may(name))
}

/// The entries in the scopes the caller may read; 403 if there are no such scopes. One round trip, or none.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let (readable, is_own) = readable(&call).ok_or(FORBIDDEN)?;
    let (limit, offset) = (call.limit(collection.default_limit)?, call.offset()?);
    let asked = || {
        let scopes = readable.sql().inlined();
        let cql = call.query.get("query").unwrap_or_default();
        Question::about(&call, &collection, &format!("{limit}&{offset}&{scopes}&{cql}"))
    };
    // What includes the caller's own entries is not for others.
    let question = if is_own { None } else { asked() };
    kept(question, async || {
        let mut plan = match call.query.get("query").filter(|cql| !cql.trim().is_empty()) {
            None => query::Plan::everything(),
            Some(cql) => query::read(&call.app.collections, &collection, cql)
                .map_err(|error| collections::query_problem(error, &collection))?,
        };
        plan.condition = plan.condition.and(readable.clone());
        let statement = query::with_stamp(query::page(&collection, &plan, limit, offset));
        let row = call.session.get(&statement.sql, &statement.values()).await?;
        let (records, total): (String, i64) = (row.get("records"), row.get("total"));
        let answer = format!("{{\"items\":{records},\"resultInfo\":{{\"totalRecords\":{total},\"diagnostics\":[]}}}}");
        Ok((row.get("stamp"), answer))
    })
    .await
}

/// The filter for entries the caller may read, and whether it names the caller; `None` if there are none.
fn readable(call: &Call) -> Option<(Condition, bool)> {
    let permissions = call.permissions_under(access::PREFIX);
    let scopes = access::readable(permissions.iter().map(String::as_str));
    let (mut condition, mut is_own) = (Condition::Nothing, false);
    for (scope, rights) in &scopes {
        let of = |more: Fragment| {
            let scope = Parameter::Text((*scope).to_owned());
            Condition::test(Fragment::new("(r.doc->>'scope' = ").bind(scope).then(more).sql(")"))
        };
        if rights.global {
            condition = condition.or(of(Fragment::new(" AND r.userid IS NULL")));
        }
        if rights.users {
            condition = condition.or(of(Fragment::new(" AND r.userid IS NOT NULL")));
        } else if rights.owner
            && let Some(user) = call.user_id()
        {
            condition = condition.or(of(Fragment::new(" AND r.userid = ").bind(Parameter::Uuid(user))));
            is_own = true;
        }
    }
    (condition != Condition::Nothing).then_some((condition, is_own))
}

/// The stored entry, if the caller has the permission; otherwise it counts as missing.
async fn allowed(call: &Call, collection: &Collection, id: Uuid, action: Action) -> Result<String, Problem> {
    let found = records::find(&call.session, collection, id).await?;
    let text = found.ok_or(NOT_FOUND)?;
    let entry = serde_json::from_str(&text).map_err(|error| Problem::Internal(error.to_string()))?;
    may(call, action, &entry).then_some(text).ok_or_else(|| NOT_FOUND.into())
}

async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let text = allowed(&call, &collection, id, Action::Read).await?;
    Ok(Reply::json_text(text))
}

/// POST. Answers 204; the client supplies the id.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, entry) = accepted(&call, &collection)?;
    let id = id.ok_or_else(|| MEMBER_MISSING.with("name", "id"))?;
    if !may(&call, Action::Write, &entry) {
        return Err(FORBIDDEN.into());
    }
    match records::insert(&call.session, &collection, id, entry).await {
        Ok(()) => Ok(Reply::no_content()),
        Err(StoreError::Duplicate { .. }) => Err(FORBIDDEN.into()),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn accepted(call: &Call, collection: &Collection) -> Result<(Option<Uuid>, Map<String, Value>), Problem> {
    let sent = call.json()?;
    let entry = collection.schema.accept(sent).map_err(|rejection| as_text(call, rejection))?;
    let id = entry.get("id").and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
    Ok((id, entry))
}

/// This module reports only the first fault, as text.
pub(super) fn as_text(call: &Call, rejection: Rejection) -> Problem {
    let first = match rejection {
        Rejection::Unreadable(text) => return manner::unreadable(call, &text),
        Rejection::Breaches(mut breaches) => breaches.swap_remove(0),
    };
    match first {
        Breach::Missing { path } => MEMBER_MISSING.with("name", path).into(),
        Breach::Unknown { name } => MEMBER_UNKNOWN.with("name", name).into(),
        Breach::Pattern { .. } | Breach::Listed { .. } => VALUE_WRONG.into(),
        Breach::TooLong { max, .. } => TEXT_TOO_LONG.with("most", max).into(),
    }
}

/// PUT. The caller needs permission to write both the old and the new entry. Two round trips.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (sent, entry) = accepted(&call, &collection)?;
    if sent != Some(id) {
        return Err(ID_CHANGED.into());
    }
    if !may(&call, Action::Write, &entry) {
        return Err(FORBIDDEN.into());
    }
    allowed(&call, &collection, id, Action::Write).await?;
    match records::replace(&call.session, &collection, id, entry).await {
        Ok(Update::NotFound) | Err(StoreError::Duplicate { .. }) => Err(NOT_FOUND.into()),
        Ok(_) => Ok(Reply::no_content()),
        Err(error) => Err(error.into()),
    }
}

/// DELETE. Two round trips, because the permission depends on the entry.
async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    allowed(&call, &collection, id, Action::Write).await?;
    if !records::delete(&call.session, &collection, id).await? {
        return Err(NOT_FOUND.into());
    }
    Ok(Reply::no_content())
}
