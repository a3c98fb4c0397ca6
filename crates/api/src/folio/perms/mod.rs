//! `/perms`: permissions, permission sets and who holds them (docs/folio/permissions.md).
//!
//! Names that no module defines are accepted for permission users, against FOLIO: a client gives a user hundreds
//! of names in one call, of modules too that Carrel does not describe, and they grant nothing. Sub-permissions
//! and single grants must exist, as in FOLIO.

mod permissions;
mod users;

use std::{collections::HashMap, sync::Arc};

use http::StatusCode;
use identity::permissions::{Definition, check_grant, definitions, replacing};
use store::{collection::Collection, query::ListRequest};

use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    route::Routes,
};

/// Enters the routes of mod-permissions.
pub fn routes(routes: &mut Routes) {
    permissions::routes(routes);
    users::routes(routes);
}

fn collection(call: &Call, table: &str) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection(table)
        .ok_or_else(|| Problem::Internal(format!("no collection is kept in {table}")))
}

/// Paging by `length` and `start` (from 1), or by `limit` and `offset` like everywhere else.
fn paged<'a>(call: &'a Call, cql: Option<&'a str>) -> Result<ListRequest<'a>, Problem> {
    let limit = match call.query.get("length") {
        Some(_) => call.number("length", 10)?,
        None => call.limit(10)?,
    };
    let offset = match call.query.get("start") {
        Some(_) => (call.number("start", 1)? - 1).max(0),
        None => call.offset()?,
    };
    Ok(ListRequest {
        cql,
        limit,
        offset,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    })
}

/// What is known of the names that come in addition; refuses what the caller may not grant. Without a token
/// nobody is asked.
async fn added(call: &Call, names: &[&str]) -> Result<HashMap<String, Definition>, Problem> {
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    // Whoever gives an old name gives those that replace it.
    let new = names
        .iter()
        .flat_map(|name| replacing(name).map(|new| -> &str { new }));
    let names: Vec<_> = names.iter().copied().chain(new).collect();
    let known = definitions(&call.session, &names).await?;
    if let Some(caller) = &call.caller {
        check_grant(&caller.access, &names, &known)
            .map_err(|refused| Problem::Text(StatusCode::FORBIDDEN, refused.to_string()))?;
    }
    Ok(known)
}

fn unprocessable(message: &str, key: &str, value: &str) -> Problem {
    Problem::unprocessable(&[ErrorItem::rmb(message, key, value)])
}

/// The texts of a JSON array.
fn texts(value: Option<&serde_json::Value>) -> Vec<&str> {
    let list = value.and_then(serde_json::Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(|text| text.as_str())
        .collect()
}
