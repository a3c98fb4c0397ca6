//! Sets of links that are replaced as a whole (docs/folio/inventory-links-and-views.md): the holdings records an item
//! is bound with, preceding and succeeding titles.

use serde_json::Value;
use store::{StoreError, named_values, record::Schema};
use uuid::Uuid;

use super::refusals::{BOUND_HOLDINGS_UNKNOWN, BOUND_ITEM_UNKNOWN, INSTANCE_NOT_FOUND, NOT_LINKED};
use super::storage;
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const TITLES: &str = "/preceding-succeeding-titles/instances/{id}";
const BOUND_WITHS: &str = "/inventory-storage/bound-withs";
const BOUND_WITH: &str = "itemId*:uuid, boundWithContents*[{holdingsRecordId:uuid}]";

pub fn routes(routes: &mut Routes) {
    routes
        .put(TITLES, replace_titles)
        .summary("Replace the preceding and succeeding titles of an instance")
        .refuses(&[422]);
    routes
        .put(BOUND_WITHS, replace_bound_with)
        .summary("Replace what an item is bound with")
        .refuses(&[422])
        .takes(BOUND_WITH);
}

async fn replace_titles(call: Call) -> Answer {
    let id = call.id("id")?;
    let schema = inventory::collections::titles().schema;
    let mut titles = Vec::new();
    for title in storage::list(call.json()?, "precedingSucceedingTitles")? {
        let mut title = schema.accept(title)?;
        let linked = |end: &str| title.get(end).and_then(Value::as_str) == Some(&*id.to_string());
        if !linked("precedingInstanceId") && !linked("succeedingInstanceId") {
            let key = "precedingInstanceId or succeedingInstanceId";
            return Err(NOT_LINKED.with("instance", id).with(key, "").into());
        }
        title.entry("id").or_insert_with(|| store::new_id().to_string().into());
        title.insert("metadata".into(), call.metadata());
        titles.push(title);
    }
    match store::inventory::replace_titles(&call.session, id, titles).await {
        Ok(()) => Ok(Reply::no_content()),
        Err(StoreError::ForeignKey { .. }) => Err(INSTANCE_NOT_FOUND.into()),
        Err(error) => Err(error.into()),
    }
}

async fn replace_bound_with(call: Call) -> Answer {
    let body = Schema::declare(BOUND_WITH).accept(call.json()?)?;
    let id = |value: Option<&Value>| value.and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
    let item = id(body.get("itemId")).unwrap_or_default();
    let contents = body.get("boundWithContents").and_then(Value::as_array).into_iter().flatten();
    let contents: Vec<_> = contents.filter_map(|content| id(content.get("holdingsRecordId"))).collect();
    match store::inventory::replace_bound_with(&call.session, item, &contents, &call.metadata()).await {
        Ok(true) => Ok(Reply::no_content()),
        Ok(false) => Err(BOUND_ITEM_UNKNOWN.with("itemId", item).into()),
        Err(StoreError::ForeignKey { detail, .. }) => {
            let id = named_values(&detail).unwrap_or_default();
            Err(BOUND_HOLDINGS_UNKNOWN.with("holdingsRecordId", id).into())
        }
        Err(error) => Err(error.into()),
    }
}
