//! Instances, holdings and items one at a time (docs/folio/inventory.md): POST, PUT, PATCH, lists by POST and deletion
//! by query.

use std::sync::Arc;

use http::StatusCode;
use inventory::write::{Intent, Sent};
use serde_json::{Map, Value};
use store::{collection::Collection, query::ListRequest, records};
use uuid::Uuid;

use super::{
    kind::{self, Kind},
    refusals::{self, LIST_MISSING, NO_LIST, QUERY_MEMBER_WRONG},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Body, Routes},
};

/// The body of a list request whose query is too long for a URL.
pub(super) const LIST: &str = "query, limit:int, offset:int, totalRecords";

pub fn routes(routes: &mut Routes) {
    for kind in Kind::ALL {
        let collection = Arc::new(kind.declared());
        let path = kind.path();
        serve(routes, &collection, "post", move |call, _| create(call, kind));
        let put = serve(routes, &collection, "put", move |call, _| replace(call, kind));
        if kind == Kind::Holdings {
            put.or_gives(StatusCode::CREATED, Body::record(&collection));
        }
        if kind == Kind::Instances {
            serve(routes, &collection, "get", get_instance);
        }
        if kind != Kind::Items {
            let one = format!("{path}/{{id}}");
            routes
                .patch(&one, move |call| patch(call, kind))
                .summary("Change members of a record")
                .takes("_version*:int, ...")
                .refuses(&[409, 422]);
        }
        let c = Arc::clone(&collection);
        routes
            .post(&format!("{path}/retrieve"), move |call| retrieve(call, Arc::clone(&c)))
            .summary("List records; the query is in the body")
            .takes(LIST)
            .gives_record(&collection)
            .lists_all(collection.list)
            .result_info = true;
        routes
            .delete(path, move |call| collections::delete_found(call, Arc::clone(&collection)))
            .summary("Delete the records a query finds")
            .asks("query*");
    }
    routes
        .patch(Kind::Items.path(), patch_items)
        .summary("Change members of items")
        .takes("items*[{id*:uuid, _version*:int, ...}]")
        .refuses(&[409, 422]);
}

async fn create(call: Call, kind: Kind) -> Answer {
    let sent = kind::with_own_id(call.json()?);
    let location = format!("{}/{}", kind.path(), sent.id);
    let added = kind::write(&call, kind, Intent::Create, true, &[sent]).await;
    let added = added.map_err(|refused| refusals::problem(&call, kind, Channel::Post, refused))?;
    Ok(Reply::json_text(added.unwrap_or_default()).created(&location))
}

async fn replace(call: Call, kind: Kind) -> Answer {
    let id = call.id("id")?;
    let record = call.json()?;
    // Only holdings records can be created by PUT (docs/folio/inventory.md#adding-and-replacing).
    let (intent, channel) = match kind {
        Kind::Holdings => (Intent::ReplaceOrCreate, Channel::PutJson),
        _ => (Intent::Replace, Channel::Put),
    };
    let added = kind::write(&call, kind, intent, true, &[Sent { id, record }]).await;
    match added.map_err(|refused| refusals::problem(&call, kind, channel, refused))? {
        Some(record) => Ok(Reply::json_text(record).created(&format!("{}/{id}", kind.path()))),
        None => Ok(Reply::no_content()),
    }
}

async fn patch(call: Call, kind: Kind) -> Answer {
    let sent = Sent { id: call.id("id")?, record: with_version(call.json()?)? };
    patch_all(&call, kind, &[sent]).await
}

async fn patch_items(call: Call) -> Answer {
    let items = list(call.json()?, "items")?;
    let sent = items.into_iter().map(with_stated_id).collect::<Result<Vec<_>, _>>()?;
    patch_all(&call, Kind::Items, &sent).await
}

async fn patch_all(call: &Call, kind: Kind, sent: &[Sent]) -> Answer {
    let changed = kind::write(call, kind, Intent::Patch, true, sent).await;
    changed.map_err(|refused| refusals::problem(call, kind, Channel::Put, refused))?;
    Ok(Reply::no_content())
}

fn with_stated_id(record: Value) -> Result<Sent, Problem> {
    let id = record.get("id").and_then(Value::as_str);
    let id = id.and_then(|id| Uuid::parse_str(id).ok()).ok_or_else(|| absent("id"))?;
    Ok(Sent { id, record: with_version(record)? })
}

fn with_version(record: Value) -> Result<Value, Problem> {
    match record.get("_version") {
        None | Some(Value::Null) => Err(absent("_version")),
        Some(_) => Ok(record),
    }
}

fn absent(name: &str) -> Problem {
    LIST_MISSING.about(name.to_owned(), "null").into()
}

/// The records in the member `name` of a body. Answers 422 if it is missing and 400 text if it is not a list.
pub fn list(mut body: Value, name: &str) -> Result<Vec<Value>, Problem> {
    match body.get_mut(name).map(Value::take) {
        Some(Value::Array(records)) => Ok(records),
        None | Some(Value::Null) => Err(absent(name)),
        Some(_) => Err(NO_LIST.with("name", name).into()),
    }
}

/// GET of an instance. The 404 of a missing one has no body (docs/folio/inventory.md#instances).
async fn get_instance(call: Call, collection: Arc<Collection>) -> Answer {
    match records::find(&call.session, &collection, call.id("id")?).await? {
        Some(record) => Ok(Reply::json_text(record)),
        None => Err(Problem::not_found("")),
    }
}

/// POST …/retrieve. One round trip.
pub async fn retrieve(call: Call, collection: Arc<Collection>) -> Answer {
    let body = call.object()?;
    collections::page(&call, &collection, &requested(&body)?).await
}

/// The list that the body of a `…/retrieve` request asks for. Answers 400 text if `limit` or `offset` is not a number,
/// or the query is not a text.
fn wrong(name: &str, value: &Value) -> Problem {
    let refusal = QUERY_MEMBER_WRONG.with("name", name);
    refusal.with("value", value.to_string()).into()
}

fn requested(body: &Map<String, Value>) -> Result<ListRequest<'_>, Problem> {
    let text = |name: &str| match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(value) => Err(wrong(name, value)),
    };
    let number = |name: &str, default: i64| match body.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(value) => match value.as_i64() {
            Some(number @ 0..=2_147_483_647) => Ok(number),
            _ => Err(wrong(name, value)),
        },
    };
    Ok(ListRequest {
        cql: text("query")?,
        limit: number("limit", 10)?,
        offset: number("offset", 0)?,
        totals: text("totalRecords")?.unwrap_or("auto"),
    })
}
