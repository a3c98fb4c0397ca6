//! Items as mod-inventory serves them (docs/folio/inventory-business.md#items-with-names): with names beside ids, and
//! with title and contributors.

use std::sync::Arc;

use http::StatusCode;
use inventory::{
    item_status::{check_changed_status, check_sent_status},
    write::{Intent, Sent},
};
use refusals::Refused;
use serde_json::{Map, Value, json};
use store::{
    collection::Collection,
    inventory::views,
    record::{self, Schema},
    records,
};
use uuid::Uuid;

use super::refusals::NO_OBJECT;
use super::{
    business, circulation_notes,
    kind::{self, Kind, Writing},
    storage,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Body, Routes},
};

/// Path of the collection.
pub const PATH: &str = "/inventory/items";

/// Members that refer to a record. In requests only their id counts.
const REFERENCES: &[(&str, &str)] = &[
    ("materialType", "materialTypeId"),
    ("permanentLoanType", "permanentLoanTypeId"),
    ("temporaryLoanType", "temporaryLoanTypeId"),
    ("permanentLocation", "permanentLocationId"),
    ("temporaryLocation", "temporaryLocationId"),
];

/// The collection of items in mod-inventory's form.
pub fn shown() -> Collection {
    Kind::Items.declared().shown_as(PATH, "items", views::ITEM.into()).not_found("Not Found")
}

/// A stored item without the ids that other forms replace by what they refer to.
fn without_references() -> Schema {
    inventory::collections::items().schema.without(
        "materialTypeId, permanentLoanTypeId, temporaryLoanTypeId, permanentLocationId, temporaryLocationId,
         effectiveLocationId",
    )
}

/// An item with the records it refers to, for the API document.
pub(super) fn dereferenced() -> Body {
    let item = without_references().without("holdingsRecordId").and(
        "materialType:MaterialType, permanentLoanType:LoanType, temporaryLoanType:LoanType, permanentLocation:Location,
         temporaryLocation:Location, effectiveLocation:Location, holdingsRecord:HoldingsRecord, instanceRecord:Instance",
    );
    Body::of(record::Kind::Object(item)).named("DereferencedItem")
}

/// An item in mod-inventory's form, for the API document.
pub(super) fn answered() -> Body {
    let named = without_references().and(
        "materialType{id*:uuid, name*}, permanentLoanType{id*:uuid, name*}, temporaryLoanType{id*:uuid, name*},
         permanentLocation{id*:uuid, name*}, temporaryLocation{id*:uuid, name*}, effectiveLocation{id*:uuid, name*},
         title, callNumber, contributorNames[{name}], isBoundWith*:bool, boundWithTitles[{
         briefHoldingsRecord*{id*:uuid, hrid}, briefInstance*{id*:uuid, hrid, title}}]",
    );
    Body::of(record::Kind::Object(named)).named("InventoryItem")
}

/// The members mod-inventory requires of an item.
const SENT: &str = "status*{name}, materialType*{id*:uuid}, permanentLoanType*{id*:uuid}, holdingsRecordId*:uuid, ...";

pub fn routes(routes: &mut Routes) {
    let (shown, stored) = (Arc::new(shown()), Arc::new(Kind::Items.declared()));
    let one = "/inventory/items/{id}";
    serve(routes, &shown, "list", business::list).gives_body(answered());
    serve(routes, &shown, "get", collections::get).gives_body(answered());
    let listed = Arc::clone(&shown);
    routes
        .post("/inventory/items/retrieve", move |call| storage::retrieve(call, Arc::clone(&listed)))
        .summary("List items; the query is in the body")
        .takes(storage::LIST)
        .gives_body(answered())
        .lists_all("items");
    routes
        .post(PATH, create)
        .summary("Create an item")
        .takes(SENT)
        .gives_body(answered())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.put(one, replace).summary("Replace an item").takes(SENT).refuses(&[409, 422]);
    routes.patch(one, patch).summary("Change members of an item").takes("_version:int, ...").refuses(&[409, 422]);
    let c = Arc::clone(&stored);
    routes.delete(one, move |call| collections::delete(call, Arc::clone(&c))).summary("Delete an item");
    routes
        .delete(PATH, move |call| business::delete_found(call, Arc::clone(&stored)))
        .summary("Delete the items a query finds")
        .asks("query*");
}

async fn create(call: Call) -> Answer {
    let mut sent = kind::with_own_id(tagged(stored_form(call.json()?)?));
    check_status(&sent.record)?;
    circulation_notes::sign_all(&call, &mut sent.record).await?;
    let id = sent.id;
    let added = kind::write(&call, Kind::Items, Intent::Create, true, &[sent]).await;
    added.map_err(|refused| business::problem(&call, Kind::Items, Channel::Post, refused))?;
    Ok(answer(&call, id).await?.with_status(StatusCode::CREATED))
}

async fn replace(call: Call) -> Answer {
    let record = tagged(stored_form(call.json()?)?);
    check_status(&record)?;
    change(call, Intent::Replace, true, record).await
}

async fn patch(call: Call) -> Answer {
    let record = stored_form(call.json()?)?;
    if record.get("status").is_some_and(|status| !status.is_null()) {
        check_status(&record)?;
    }
    // Without a `_version` the patch applies to any stored version.
    let locking = record.get("_version").is_some_and(|version| !version.is_null());
    change(call, Intent::Patch, locking, record).await
}

async fn change(call: Call, intent: Intent, locking: bool, mut record: Value) -> Answer {
    let id = call.id("id")?;
    circulation_notes::sign_changed(&call, id, &mut record).await?;
    let sent = Sent { id, record };
    let writing = Writing { kind: Kind::Items, intent, locking, rule: Some(&keep_claims), links: None };
    let changed = writing.run(&call, &[sent]).await;
    changed.map_err(|refused| business::problem(&call, Kind::Items, Channel::Put, refused))?;
    Ok(Reply::no_content())
}

fn check_status(record: &Value) -> Result<(), Problem> {
    let status = record.get("status").filter(|status| status.is_object());
    let name = status.map(|status| status["name"].as_str().unwrap_or_default());
    check_sent_status(name).map(drop).map_err(|refusal| business::fault(&refusal.into()))
}

/// Keeps an edit from setting an item that is claimed returned to missing.
fn keep_claims(stored: &Map<String, Value>, new: &Map<String, Value>) -> Result<(), Refused> {
    let name = |item: &Map<String, Value>| item.get("status")?.get("name")?.as_str().map(str::to_owned);
    let (Some(stored), Some(new)) = (name(stored), name(new)) else {
        return Ok(());
    };
    Ok(check_changed_status(&stored, check_sent_status(Some(&new))?)?)
}

/// As mod-inventory stores items, which have a list of tags in any case.
fn tagged(mut item: Value) -> Value {
    if item.get("tags").is_none_or(Value::is_null) {
        item["tags"] = json!({"tagList": []});
    }
    item
}

/// The item in stored form: references by id, without the members only mod-inventory shows.
fn stored_form(item: Value) -> Result<Value, Problem> {
    let Value::Object(sent) = item else {
        return Err(NO_OBJECT.into());
    };
    let schema = Kind::Items.declared().schema;
    let mut record = Map::new();
    for (name, value) in sent {
        if let Some((_, id)) = REFERENCES.iter().find(|(object, _)| *object == name) {
            record.insert((*id).to_owned(), value.get("id").cloned().unwrap_or(Value::Null));
        } else if !REFERENCES.iter().any(|(_, id)| *id == name) && schema.field(&name).is_some() {
            record.insert(name, value);
        }
    }
    Ok(Value::Object(record))
}

/// The item in mod-inventory's form. Fails if the item was deleted in the meantime.
pub async fn answer(call: &Call, id: Uuid) -> Answer {
    match records::find(&call.session, &shown(), id).await? {
        Some(item) => Ok(Reply::json_text(item)),
        None => Err(business::not_found(Kind::Items)),
    }
}
