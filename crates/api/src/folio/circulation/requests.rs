//! Reads of `/circulation/requests`: requests and queues with their related records
//! (docs/folio/requests.md#how-a-request-is-shown, docs/folio/request-queues.md#reordering-a-queue). Writes are in
//! [`super::request_changes`].

use std::sync::Arc;

use circulation::{
    configuration::Configuration,
    requests::representation::{self, RequestRow},
};
use desk::collections::requests;
use serde_json::Value;
use store::collection::Collection;

use super::shown;
use super::surroundings::{self, Surrounded};
use crate::{
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/requests";

/// A request with its item, title, loan and people, read by primary key, and the configuration's version.
const WITH_SURROUNDINGS: &str = "json_build_object('request', r.doc,
    'version', (SELECT version FROM configuration_version),
    'item', (SELECT i.doc || i.state FROM item_record i WHERE i.id = r.itemid),
    'instance', (SELECT t.doc FROM instance t WHERE t.id = r.instanceid),
    'dueDate', (SELECT coalesce(l.rest->>'dueDate', l.duedate_exact) FROM loan l WHERE l.open_item = r.itemid),
    'requester', (SELECT u.doc FROM users u WHERE u.id = r.requesterid),
    'proxy', (SELECT u.doc FROM users u WHERE u.id = r.proxyuserid),
    'printer', (SELECT u.doc FROM users u WHERE u.id = (r.doc#>>'{printDetails,requesterId}')::uuid))";

pub(super) fn routes(routes: &mut Routes) {
    let shown = Arc::new(requests().represented(WITH_SURROUNDINGS));
    let [listed, of_item, of_title] = [&shown; 3].map(Arc::clone);
    routes
        .get(PATH, move |call| list(call, Arc::clone(&listed)))
        .summary("List requests with their items and requesters")
        .gives_body(shown::request())
        .lists("requests");
    routes
        .get(&format!("{PATH}/{{id}}"), move |call| surroundings::read::<RequestRow>(call, Arc::clone(&shown)))
        .summary("Read a request with its item and requester")
        .gives_body(shown::request());
    routes
        .get(&format!("{PATH}/queue/item/{{itemId}}"), move |call| queue(call, Arc::clone(&of_item), "itemId"))
        .summary("Read the request queue of an item")
        .gives_body(shown::request())
        .lists_all("requests");
    routes
        .get(&format!("{PATH}/queue/instance/{{instanceId}}"), move |call| {
            queue(call, Arc::clone(&of_title), "instanceId")
        })
        .summary("Read the request queue of a title")
        .gives_body(shown::request())
        .lists_all("requests");
}

impl Surrounded for RequestRow {
    const NAME: &'static str = "requests";

    fn version(&self) -> i64 {
        self.version
    }

    fn show(self, configuration: &Configuration) -> Value {
        representation::request(&self, configuration)
    }
}

/// GET of the collection. One round trip.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let (limit, offset) = (call.limit(collection.default_limit)?, call.offset()?);
    let cql = surroundings::cql(&call);
    surroundings::page::<RequestRow>(&call, &collection, cql, limit, offset).await
}

/// The open requests for an item or a title, in queue order. One round trip.
async fn queue(call: Call, collection: Arc<Collection>, member: &str) -> Answer {
    let id = call.id(member)?;
    // An item's queue contains only requests for that item; a title's queue contains all.
    let level = if member == "itemId" { " and requestLevel==Item" } else { "" };
    let cql = format!("{member}=={id} and status==\"Open*\"{level} sortby position/number");
    let all = i64::from(i32::MAX);
    surroundings::page::<RequestRow>(&call, &collection, Some(&cql), all, 0).await
}
