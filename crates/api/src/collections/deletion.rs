//! Deletes one record, the records a query finds, or all records.

use std::sync::Arc;

use http::StatusCode;
use serde_json::Map;
use store::{StoreError, collection::Collection, named_values, query, records};
use uuid::Uuid;

use super::{Channel, not_found, query_problem, refused};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::Answer,
};

/// DELETE of one record, for modules that give the same answer whether or not it existed. One round trip.
pub(crate) async fn delete_if_there(call: Call, collection: Arc<Collection>) -> Answer {
    match delete(call, collection).await {
        Err(Problem::Text(StatusCode::NOT_FOUND, _)) => Ok(Reply::no_content()),
        answer => answer,
    }
}

/// DELETE of one record. One round trip.
pub async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let deleted = records::delete(&call.session, &collection, id).await;
    let found = deleted.map_err(|error| refused(error, &collection, &Map::new(), Channel::Delete(id)))?;
    if found { Ok(Reply::no_content()) } else { Err(not_found(&collection, id)) }
}

/// DELETE of the records a query finds. The query is required (docs/folio/conventions.md#deletion-by-query). One round
/// trip.
pub async fn delete_found(call: Call, collection: Arc<Collection>) -> Answer {
    let query = call.query.get("query").filter(|query| !query.trim().is_empty());
    let query = query.ok_or_else(|| Problem::bad_request("Expected CQL but query parameter is empty"))?;
    delete_matching(&call, &collection, query).await
}

/// DELETE of the records a query finds, or of all records if there is no query. One round trip.
pub(crate) async fn delete_all(call: Call, collection: Arc<Collection>) -> Answer {
    let query = call.query.get("query").filter(|query| !query.trim().is_empty());
    let query = query.unwrap_or("cql.allRecords=1");
    delete_matching(&call, &collection, query).await
}

async fn delete_matching(call: &Call, collection: &Collection, query: &str) -> Answer {
    let plan =
        query::read(&call.app.collections, collection, query).map_err(|error| query_problem(error, collection))?;
    let deleted = records::delete_found(&call.session, collection, &plan).await;
    deleted.map_err(|error| {
        let used = used_id(&error);
        refused(error, collection, &Map::new(), Channel::Delete(used))
    })?;
    Ok(Reply::no_content())
}

/// The id of the record still in use.
fn used_id(error: &StoreError) -> Uuid {
    let StoreError::ForeignKey { detail, .. } = error else {
        return Uuid::nil();
    };
    named_values(detail).and_then(|id| id.parse().ok()).unwrap_or_default()
}
