//! `/user-tenants`: the tenants of a consortium that have a user (docs/folio/users.md#user-tenants). The consortium's
//! modules write it; clients read it to find where a user may log in.

use std::sync::Arc;

use cql::{Boolean, Clause, Expression, Joined, Query, Relation, escape};
use http::StatusCode;
use store::{collection::Collection, query, records, statements::patrons::USER_TENANT_DELETED};

use super::refusals::NOT_ONE_TENANT;
use crate::{
    answer::Reply,
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

/// Filter parameters. Each is a field whose value must match exactly.
const FILTERS: [&str; 8] =
    ["userId", "username", "tenantId", "email", "phoneNumber", "mobilePhoneNumber", "barcode", "externalSystemId"];

pub(super) fn routes(routes: &mut Routes, user_tenants: &Arc<Collection>) {
    serve(routes, user_tenants, "post", create).gives_nothing();
    let collection = Arc::clone(user_tenants);
    routes
        .get("/user-tenants", move |call| list(call, Arc::clone(&collection)))
        .summary("Where users are known; no query, but a parameter for each member")
        .asks(&format!("{}, queryOp:(and|or), limit:int, offset:int", FILTERS.join(", ")))
        .gives_record(user_tenants)
        .lists_all("userTenants");
    let collection = Arc::clone(user_tenants);
    routes
        .delete("/user-tenants", move |call| delete(call, Arc::clone(&collection)))
        .summary("Forget the only user tenant, or all of one tenant")
        .asks("tenantId");
}

async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let cql = wanted(&call).map(|query| query.to_string());
    let request = query::ListRequest {
        cql: cql.as_deref(),
        limit: call.limit(collection.default_limit)?,
        offset: call.offset()?,
        totals: "exact",
    };
    collections::page(&call, &collection, &request).await
}

/// The filter from the parameters, joined by `and`, or by `or` if `queryOp` says so.
fn wanted(call: &Call) -> Option<Query> {
    let boolean = match call.query.get("queryOp") {
        Some(text) if text.eq_ignore_ascii_case("or") => Boolean::Or,
        _ => Boolean::And,
    };
    let given = FILTERS.iter().filter_map(|name| {
        let value = escape(given(call, name)?);
        Some(Clause::new(name, Relation::Exact, [], &value))
    });
    let condition = given.map(Expression::from).reduce(|mut all, next| {
        all.rest.push(Joined { boolean, modifiers: Vec::new(), operand: next });
        all
    })?;
    Some(Query { condition, sort: Vec::new() })
}

/// POST. As in FOLIO, the response has no body.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = collections::accepted(&call, &collection, None)?;
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| collections::refused(error, &collection, &record, Channel::Post))?;
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}

/// DELETE. With a tenant id, all records of that tenant, for central tenants; without one, the only record a member
/// tenant has.
async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    if let Some(tenant) = given(&call, "tenantId") {
        let of_tenant = Clause::new("tenantId", Relation::Exact, [], &escape(tenant));
        let plan = query::read(&call.app.collections, &collection, &of_tenant.to_string())
            .map_err(|error| collections::query_problem(error, &collection))?;
        records::delete_found(&call.session, &collection, &plan).await?;
        return Ok(Reply::no_content());
    }
    match call.session.value(USER_TENANT_DELETED, &[]).await? {
        1_i64 => Ok(Reply::no_content()),
        _ => Err(NOT_ONE_TENANT.into()),
    }
}

fn given<'a>(call: &'a Call, name: &str) -> Option<&'a str> {
    call.query.get(name).filter(|value| !value.trim().is_empty())
}
