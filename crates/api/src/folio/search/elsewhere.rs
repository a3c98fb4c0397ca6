//! Routes for consortia and for linked data: Carrel has neither, and says so as FOLIO does without them.

use ::catalogue::refusal::NOT_CENTRAL;
use http::Method;
use serde_json::json;

use super::{instances::STRING, refusing};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes) {
    for (method, path) in [
        (Method::GET, "holdings"),
        (Method::GET, "items"),
        (Method::GET, "locations"),
        (Method::GET, "campuses"),
        (Method::GET, "libraries"),
        (Method::GET, "institutions"),
        (Method::GET, "holding/{id}"),
        (Method::GET, "item/{id}"),
        (Method::POST, "batch/items"),
        (Method::POST, "batch/holdings"),
    ] {
        let route = routes.add(method, &format!("/search/consortium/{path}"), consortium);
        refusing(route.summary("Search all libraries of a consortium").gives(":object"));
    }
    for path in ["instances", "works", "hubs"] {
        let list = routes.get(&format!("/search/linked-data/{path}"), linked_data).summary("Search linked data");
        let list = list
            .asks("query*, limit:int, offset:int")
            .gives("searchQuery*, content*[object], pageNumber*:int, totalPages*:int, totalRecords*:int");
        refusing(list);
    }
}

async fn consortium(call: Call) -> Answer {
    Err(NOT_CENTRAL.with("tenantId", &call.tenant.tenant.id).into())
}

async fn linked_data(call: Call) -> Answer {
    let query = call.required("query", STRING)?;
    Ok(Reply::json(&json!({"searchQuery": query, "content": [], "pageNumber": 0, "totalPages": 0, "totalRecords": 0})))
}
