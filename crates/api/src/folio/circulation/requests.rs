//! `/circulation/requests`, read: requests and queues with what stands beside them (folio-circulation §8.3, §8.4).
//! Placing, moving and filling them is the request workflow's and has its place here.

use std::sync::Arc;

use ::circulation::{
    collections::requests,
    configuration::Configuration,
    request_representation::{self, RequestRow},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use store::{
    collection::Collection,
    query::{self, ListRequest},
    records,
};

use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/requests";

/// A request with its item, title, loan and people, read by primary keys, and the configuration's version.
const WITH_SURROUNDINGS: &str = "jsonb_build_object('request', r.doc,
    'version', (SELECT version FROM configuration_version),
    'item', (SELECT i.doc || i.state FROM item i WHERE i.id = r.itemid),
    'instance', (SELECT t.doc FROM instance t WHERE t.id = r.instanceid),
    'dueDate', (SELECT l.doc->>'dueDate' FROM loan l WHERE l.open_item = r.itemid),
    'requester', (SELECT u.doc FROM users u WHERE u.id = r.requesterid),
    'proxy', (SELECT u.doc FROM users u WHERE u.id = r.proxyuserid))";

pub(super) fn routes(routes: &mut Routes) {
    let shown = Arc::new(requests().represented(WITH_SURROUNDINGS));
    let [listed, of_item, of_title] = [&shown; 3].map(Arc::clone);
    routes
        .get(PATH, move |call| list(call, Arc::clone(&listed)))
        .summary("List requests with their items and requesters")
        .lists("requests");
    routes
        .get(&format!("{PATH}/{{id}}"), move |call| {
            read(call, Arc::clone(&shown))
        })
        .summary("Read a request with its item and requester");
    routes
        .get(&format!("{PATH}/queue/item/{{itemId}}"), move |call| {
            queue(call, Arc::clone(&of_item), "itemId")
        })
        .summary("Read the queue of an item");
    routes
        .get(
            &format!("{PATH}/queue/instance/{{instanceId}}"),
            move |call| queue(call, Arc::clone(&of_title), "instanceId"),
        )
        .summary("Read the queue of a title");
}

/// GET of the collection. One round trip.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let cql = call
        .query
        .get("query")
        .filter(|query| !query.trim().is_empty())
        .map(str::to_owned);
    let (limit, offset) = (call.limit(collection.default_limit)?, call.offset()?);
    page(&call, &collection, cql.as_deref(), limit, offset).await
}

/// The open requests of an item or a title, in their order. One round trip.
async fn queue(call: Call, collection: Arc<Collection>, member: &str) -> Answer {
    let id = call.id(member)?;
    let cql = format!("{member}=={id} and status==\"Open*\" sortby position/number");
    page(&call, &collection, Some(&cql), i64::from(i32::MAX), 0).await
}

async fn page(
    call: &Call,
    collection: &Collection,
    cql: Option<&str>,
    limit: i64,
    offset: i64,
) -> Answer {
    let totals = call.query.get("totalRecords").unwrap_or("auto");
    let request = ListRequest {
        cql,
        limit,
        offset,
        totals,
    };
    let page = query::list(&call.session, &call.app.collections, collection, &request)
        .await
        .map_err(|error| collections::query_problem(error, collection))?;
    let rows: Vec<RequestRow> = rows(&page.records)?;
    let configuration = configuration(call, rows.first()).await?;
    let shown: Vec<Value> = rows
        .iter()
        .map(|row| request_representation::request(row, &configuration))
        .collect();
    let mut body = json!({"requests": shown});
    if let Some(total) = page.total {
        body["totalRecords"] = total.into();
    }
    Ok(Reply::pretty(&body))
}

/// GET of one request. One round trip.
async fn read(call: Call, collection: Arc<Collection>) -> Answer {
    let text = call.param("id").to_owned();
    let unknown = || {
        Problem::not_found(format!(
            "requests record with ID \"{text}\" cannot be found"
        ))
    };
    let id = call.id("id").map_err(|_| unknown())?;
    let found = records::find(&call.session, &collection, id)
        .await?
        .ok_or_else(unknown)?;
    let row: RequestRow = rows(&found)?;
    let configuration = configuration(&call, Some(&row)).await?;
    Ok(Reply::pretty(&request_representation::request(
        &row,
        &configuration,
    )))
}

fn rows<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    serde_json::from_str(text)
        .map_err(|error| Problem::Internal(format!("a stored request: {error}")))
}

async fn configuration(
    call: &Call,
    row: Option<&RequestRow>,
) -> Result<Arc<Configuration>, Problem> {
    match row {
        None => Ok(Arc::default()),
        Some(row) => Ok(call
            .tenant
            .desk
            .configuration(&call.session, row.version)
            .await?),
    }
}
