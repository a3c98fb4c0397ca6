//! Instances, holdings and items one at a time (§4.1): POST, PUT, PATCH, lists by POST and deletion by query.

use inventory::write::{Intent, Sent};
use serde_json::Value;
use store::query::ListRequest;
use uuid::Uuid;

use super::{
    kind::{self, Kind},
    refusals,
};
use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    collections::{self, Channel},
    route::{Answer, Routes},
};

pub fn routes(routes: &mut Routes) {
    for kind in Kind::ALL {
        let (path, one) = (kind.path(), format!("{}/{{id}}", kind.path()));
        routes
            .post(path, move |call| create(call, kind))
            .summary("Create a record");
        routes
            .put(&one, move |call| replace(call, kind))
            .summary("Replace a record");
        let retrieve_path = format!("{path}/retrieve");
        routes
            .post(&retrieve_path, move |call| retrieve(call, kind))
            .summary("List records; the query is in the body")
            .takes("query, limit:int, offset:int, totalRecords");
        if kind != Kind::Items {
            routes
                .patch(&one, move |call| patch(call, kind))
                .summary("Change members of a record");
        }
    }
    let instance = format!("{}/{{id}}", Kind::Instances.path());
    routes
        .get(&instance, get_instance)
        .summary("Read an instance");
    routes
        .patch(Kind::Items.path(), patch_items)
        .summary("Change members of items");
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
    // Only holdings records are added by a PUT (§4.1).
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
    let sent = Sent {
        id: call.id("id")?,
        record: call.json()?,
    };
    let changed = kind::write(&call, kind, Intent::Patch, true, &[sent]).await;
    changed.map_err(|refused| refusals::problem(&call, kind, Channel::Put, refused))?;
    Ok(Reply::no_content())
}

async fn patch_items(call: Call) -> Answer {
    let sent = list(call.json()?, "items")?
        .into_iter()
        .map(with_stated_id)
        .collect::<Result<Vec<_>, _>>()?;
    let changed = kind::write(&call, Kind::Items, Intent::Patch, true, &sent).await;
    changed.map_err(|refused| refusals::problem(&call, Kind::Items, Channel::Put, refused))?;
    Ok(Reply::no_content())
}

fn with_stated_id(record: Value) -> Result<Sent, Problem> {
    let id = record
        .get("id")
        .and_then(Value::as_str)
        .and_then(|id| Uuid::parse_str(id).ok());
    let missing =
        || Problem::unprocessable(&[ErrorItem::rmb("must not be null", "items[].id", "null")]);
    Ok(Sent {
        id: id.ok_or_else(missing)?,
        record,
    })
}

/// The records in the member `name` of a body.
///
/// # Errors
/// 422 when there is none, 400 text when it is no list.
pub fn list(mut body: Value, name: &str) -> Result<Vec<Value>, Problem> {
    match body.get_mut(name).map(Value::take) {
        Some(Value::Array(records)) => Ok(records),
        None | Some(Value::Null) => {
            let mut item = ErrorItem::rmb("must not be null", name, "null");
            item.code = Some("jakarta.validation.constraints.NotNull.message".into());
            Err(Problem::unprocessable(&[item]))
        }
        Some(_) => Err(Problem::bad_request(format!(
            "Json content error: {name} must be an array"
        ))),
    }
}

async fn get_instance(call: Call) -> Answer {
    let id = call.id("id")?;
    let collection = Kind::Instances.collection(&call)?;
    match store::records::find(&call.session, &collection, id).await? {
        Some(record) => Ok(Reply::json_text(record)),
        None => Err(Problem::not_found("")),
    }
}

async fn retrieve(call: Call, kind: Kind) -> Answer {
    let collection = kind.collection(&call)?;
    let body = call.json()?;
    collections::page(&call, &collection, &requested(&body)?).await
}

/// The list asked for by the body of a `…/retrieve` request.
///
/// # Errors
/// 400 text when limit or offset are no numbers.
pub fn requested(body: &Value) -> Result<ListRequest<'_>, Problem> {
    let number = |name: &str, default: i64| match body.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(value) => match value.as_i64() {
            Some(number @ 0..=2_147_483_647) => Ok(number),
            _ => Err(Problem::bad_request(format!(
                "Json content error: {name} must not be {value}"
            ))),
        },
    };
    Ok(ListRequest {
        cql: body.get("query").and_then(Value::as_str),
        limit: number("limit", 10)?,
        offset: number("offset", 0)?,
        totals: body
            .get("totalRecords")
            .and_then(Value::as_str)
            .unwrap_or("auto"),
    })
}
