//! `/perms`: permissions, permission sets and permission users (docs/folio/permissions.md).
//!
//! Unlike FOLIO, permission users may hold names that no module defines: clients assign hundreds of names in one call,
//! some from modules Carrel does not describe, and such names grant nothing. Sub-permissions and single grants must
//! exist, as in FOLIO.

mod permissions;
mod refusals;
mod users;

use std::{collections::HashMap, sync::Arc};

use identity::{
    collections::{PERMISSION_USERS, PERMISSIONS},
    granting::check_grant,
    permissions::{Definition, definitions, replacing},
};
use store::{collection::Collection, query::ListRequest};
use uuid::Uuid;

pub(crate) use refusals::TABLE;

use crate::{answer::Problem, call::Call, folio::declared, route::Routes};
use refusals::{BELOW_ONE, NO_UUID_IN_JAVA, NOT_OWNED};

/// Adds the routes of mod-permissions.
pub fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    permissions::routes(routes, &declared(all, PERMISSIONS));
    users::routes(routes, &declared(all, PERMISSION_USERS));
}

fn collection(call: &Call, table: &str) -> Result<Arc<Collection>, Problem> {
    call.app.collection(table).ok_or_else(|| Problem::Internal(format!("no collection is kept in {table}")))
}

/// Paging by `length` and `start` (from 1), or by the usual `limit` and `offset`.
fn paged<'a>(call: &'a Call, cql: Option<&'a str>) -> Result<ListRequest<'a>, Problem> {
    let limit = match call.query.get("length") {
        Some(_) => from_one(call, "length", 10)?,
        None => call.limit(10)?,
    };
    let offset = match call.query.get("start") {
        Some(_) => from_one(call, "start", 1)? - 1,
        None => call.offset()?,
    };
    Ok(ListRequest { cql, limit, offset, totals: call.query.get("totalRecords").unwrap_or("auto") })
}

fn from_one(call: &Call, name: &'static str, default: i64) -> Result<i64, Problem> {
    match call.number(name, default)? {
        0 => Err(BELOW_ONE.with("name", name).with("value", "{0}").into()),
        number => Ok(number),
    }
}

/// An id of a record to change or make, which mod-permissions reads before it asks the database.
fn changed_id(text: &str) -> Result<Uuid, Problem> {
    text.parse().map_err(|_| NO_UUID_IN_JAVA.with("text", text).into())
}

/// The definitions of newly assigned names. Refuses names the caller may not grant, unless the request has no token.
async fn added(call: &Call, names: &[&str]) -> Result<HashMap<String, Definition>, Problem> {
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    // An old name also grants the permissions that replace it.
    let new = names.iter().flat_map(|name| replacing(name).map(|new| -> &str { new }));
    let names: Vec<_> = names.iter().copied().chain(new).collect();
    let known = definitions(&call.session, &names).await?;
    if let Some(caller) = &call.caller {
        check_grant(&caller.access, &names, &known)
            .map_err(|refused| NOT_OWNED.with("message", refused.to_string()))?;
    }
    Ok(known)
}

/// The texts in a JSON array.
fn texts(value: Option<&serde_json::Value>) -> Vec<&str> {
    let list = value.and_then(serde_json::Value::as_array);
    list.into_iter().flatten().filter_map(|text| text.as_str()).collect()
}
