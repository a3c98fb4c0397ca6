//! Instances as mod-inventory serves them (docs/folio/inventory-business.md#instances-with-links): with their series,
//! predecessors and successors.

use std::sync::Arc;

use http::StatusCode;
use inventory::write::{Intent, Sent};
use refusals::{Refusal, Refused};
use serde_json::{Map, Value, json};
use store::{
    collection::Collection,
    inventory::views,
    record::{self, Schema},
    records,
};
use uuid::Uuid;

use super::{
    business, changed_links,
    kind::{self, Kind, Writing},
    refusals::{FIELDS_BLOCKED, LINKED_TITLE_MISSING, MARKED_NOT_FOUND, NO_OBJECT, TITLE_MISSING},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Body, Routes},
};

const PATH: &str = "/inventory/instances";
const ONE: &str = "/inventory/instances/{id}";

/// The links a client may send with an instance, and the members of each.
const LINKS: &[(&str, &str)] = &[
    ("parentInstances", "id:uuid, superInstanceId*:uuid, subInstanceId~:any, instanceRelationshipTypeId*:uuid"),
    ("childInstances", "id:uuid, subInstanceId*:uuid, superInstanceId~:any, instanceRelationshipTypeId*:uuid"),
    ("precedingTitles", "id:uuid, precedingInstanceId:uuid, succeedingInstanceId~:any, title, hrid, identifiers:any"),
    ("succeedingTitles", "id:uuid, succeedingInstanceId:uuid, precedingInstanceId~:any, title, hrid, identifiers:any"),
];

/// The members of an instance that its MARC record controls.
const CONTROLLED_INSTANCE: &[&str] = &[
    "hrid",
    "source",
    "alternativeTitles",
    "series",
    "identifiers",
    "contributors",
    "editions",
    "physicalDescriptions",
    "instanceFormatIds",
    "languages",
    "publication",
    "publicationFrequency",
    "publicationRange",
    "notes",
    "electronicAccess",
    "subjects",
    "classifications",
    "title",
    "indexTitle",
    "instanceTypeId",
    "modeOfIssuanceId",
    "precedingTitles",
    "succeedingTitles",
    "dates",
];

/// The `source` of an instance that is controlled by its MARC record.
const MARC: &str = "MARC";
const BY_MARC: &str = "Instance is controlled by MARC record";

/// The members of a holdings record that its MARC record controls.
const CONTROLLED_HOLDINGS: &[&str] = &[
    "formerIds",
    "holdingsTypeId",
    "permanentLocationId",
    "shelvingTitle",
    "copyNumber",
    "callNumberTypeId",
    "callNumberPrefix",
    "callNumber",
    "callNumberSuffix",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "notes",
    "electronicAccess",
];

/// The collection of instances in mod-inventory's form.
pub(super) fn shown() -> Collection {
    Kind::Instances.declared().shown_as(PATH, "instances", views::INSTANCE.into()).not_found("Not Found")
}

/// An instance in mod-inventory's form, for the API document.
pub(super) fn answered() -> Body {
    let relation = "instanceRelationshipTypeId*:uuid";
    let title = "title, hrid, identifiers*[{value*, identifierTypeId*:uuid}]";
    let shown = inventory::collections::instances().schema.and(&format!(
        "parentInstances*[{{id*:uuid, superInstanceId*:uuid, {relation}}}],
         childInstances*[{{id*:uuid, subInstanceId*:uuid, {relation}}}],
         precedingTitles*[{{id*:uuid, precedingInstanceId:uuid, {title}}}],
         succeedingTitles*[{{id*:uuid, succeedingInstanceId:uuid, {title}}}], isBoundWith*:bool"
    ));
    Body::of(record::Kind::Object(shown)).named("InventoryInstance")
}

/// The members mod-inventory requires of an instance.
const SENT: &str = "title*, source*, instanceTypeId*:uuid, ...";

pub fn routes(routes: &mut Routes) {
    let (shown, stored) = (Arc::new(shown()), Arc::new(Kind::Instances.declared()));
    serve(routes, &shown, "list", business::list).gives_body(answered());
    serve(routes, &shown, "get", collections::get).gives_body(answered());
    routes
        .post(PATH, create)
        .summary("Create an instance")
        .takes(SENT)
        .gives_body(answered())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.put(ONE, replace).summary("Replace an instance").takes(SENT).refuses(&[409, 422]);
    routes.patch(ONE, patch).summary("Change members of an instance").takes("_version:int, ...").refuses(&[409, 422]);
    let c = Arc::clone(&stored);
    routes.delete(ONE, move |call| collections::delete(call, Arc::clone(&c))).summary("Delete an instance");
    routes
        .delete(PATH, move |call| business::delete_found(call, Arc::clone(&stored)))
        .summary("Delete the instances a query finds")
        .asks("query*");
    routes
        .delete("/inventory/instances/{id}/mark-deleted", mark_deleted)
        // FOLIO requires no permission; this route edits the instance, so it requires that permission.
        .needs(&["inventory.instances.item.put"])
        .summary("Set an instance for deletion");
    routes
        .put("/inventory/holdings/{id}", replace_holdings)
        .summary("Replace a holdings record")
        .takes_record(&Kind::Holdings.declared())
        .refuses(&[409, 422]);
    for (path, fields) in [
        ("/inventory/config/instances/blocked-fields", CONTROLLED_INSTANCE),
        ("/inventory/config/holdings/blocked-fields", CONTROLLED_HOLDINGS),
    ] {
        let answer = move |_| async move { Ok(Reply::json(&json!({"blockedFields": fields}))) };
        routes.get(path, answer).summary("List the members a MARC record controls").gives("blockedFields*[]");
    }
}

async fn create(call: Call) -> Answer {
    let (record, links) = parted(call.json()?)?;
    if blank_title(&record) {
        return Err(TITLE_MISSING.into());
    }
    let sent = kind::with_own_id(record);
    let id = sent.id;
    run(&call, Intent::Create, true, sent, &links, Channel::Post).await?;
    let instance = records::find(&call.session, &shown(), id).await?;
    let location = format!("{}{PATH}/{id}", call.app.settings.okapi_url);
    Ok(Reply::json_text(instance.unwrap_or_default()).created(&location))
}

async fn replace(call: Call) -> Answer {
    let (record, links) = parted(call.json()?)?;
    let sent = Sent { id: call.id("id")?, record };
    run(&call, Intent::Replace, true, sent, &links, Channel::Put).await
}

async fn patch(call: Call) -> Answer {
    let (record, links) = parted(call.json()?)?;
    let locking = record.get("_version").is_some_and(|version| !version.is_null());
    let sent = Sent { id: call.id("id")?, record };
    run(&call, Intent::Patch, locking, sent, &links, Channel::Put).await
}

async fn mark_deleted(call: Call) -> Answer {
    let hidden = json!({"deleted": true, "staffSuppress": true, "discoverySuppress": true});
    let sent = Sent { id: call.id("id")?, record: hidden };
    let none = Value::Object(Map::new());
    let marked = run(&call, Intent::Patch, false, sent, &none, Channel::Put).await;
    marked.map_err(|problem| match problem {
        Problem::Text(StatusCode::NOT_FOUND, _) => MARKED_NOT_FOUND.into(),
        problem => problem,
    })
}

pub(super) async fn run(
    call: &Call,
    intent: Intent,
    locking: bool,
    sent: Sent,
    links: &Value,
    channel: Channel,
) -> Answer {
    let links = match intent {
        Intent::Create => links.clone(),
        _ => changed_links(call, sent.id, links).await?,
    };
    let has_links = links.as_object().is_some_and(|lists| !lists.is_empty());
    let writing = Writing {
        kind: Kind::Instances,
        intent,
        locking,
        rule: Some(&keep_controlled_instance),
        links: has_links.then_some(&links),
    };
    let written = writing.run(call, &[sent]).await;
    written.map_err(|refused| business::problem(call, Kind::Instances, channel, refused))?;
    Ok(Reply::no_content())
}

/// The links that say something else than those of the stored instance.
async fn changed_links(call: &Call, id: Uuid, links: &Value) -> Result<Value, Problem> {
    let Some(sent) = links.as_object().filter(|lists| !lists.is_empty()) else {
        return Ok(links.clone());
    };
    let stored = records::find(&call.session, &shown(), id).await?;
    let Some(stored) = stored.and_then(|text| serde_json::from_str::<Value>(&text).ok()) else {
        return Ok(links.clone());
    };
    let changed = changed_links::changed(sent, &stored);
    if stored["source"] == MARC && changed.keys().any(|name| CONTROLLED_INSTANCE.contains(&name.as_str())) {
        return Err(blocked(CONTROLLED_INSTANCE, BY_MARC).into());
    }
    Ok(Value::Object(changed))
}

pub(super) fn blank_title(record: &Value) -> bool {
    record.get("title").and_then(Value::as_str).is_none_or(|title| title.trim().is_empty())
}

/// Splits the body into the instance as stored and its links. Drops members that mod-inventory does not know.
pub(super) fn parted(body: Value) -> Result<(Value, Value), Problem> {
    let Value::Object(mut record) = body else {
        return Err(NO_OBJECT.into());
    };
    let mut links = Map::new();
    for (name, members) in LINKS {
        if let Some(Value::Array(sent)) = record.shift_remove(*name) {
            let schema = Schema::declare(members);
            let accepted = sent.into_iter().map(|link| schema.accept(schema.without_unknown(link)).map(Value::Object));
            links.insert((*name).to_owned(), Value::Array(accepted.collect::<Result<_, _>>()?));
        }
    }
    refuse_untitled(&links, "succeeding")?;
    refuse_untitled(&links, "preceding")?;
    let stored = Kind::Instances.declared().schema;
    let record = stored.without_unknown(Value::Object(record));
    Ok((record, Value::Object(links)))
}

/// Refuses a predecessor or successor that has neither an instance id nor a title.
fn refuse_untitled(links: &Map<String, Value>, side: &str) -> Result<(), Problem> {
    let list = links.get(&format!("{side}Titles")).and_then(Value::as_array);
    let unconnected = |link: &&Value| link.get(format!("{side}InstanceId")).is_none();
    if list.into_iter().flatten().filter(unconnected).any(blank_title) {
        let refusal = LINKED_TITLE_MISSING.with("side", side);
        return Err(refusal.with("member", format!("{side}Titles.title")).into());
    }
    Ok(())
}

fn keep_controlled_instance(stored: &Map<String, Value>, new: &Map<String, Value>) -> Result<(), Refused> {
    if stored.get("source").and_then(Value::as_str) != Some(MARC) {
        return Ok(());
    }
    keep(CONTROLLED_INSTANCE, BY_MARC, stored, new)
}

fn keep(fields: &[&str], who: &str, stored: &Map<String, Value>, new: &Map<String, Value>) -> Result<(), Refused> {
    if fields.iter().all(|field| stored.get(*field) == new.get(*field)) {
        return Ok(());
    }
    Err(blocked(fields, who).into())
}

fn blocked(fields: &[&str], who: &str) -> Refusal {
    FIELDS_BLOCKED.with("who", who).with("fields", fields.join(","))
}

async fn replace_holdings(call: Call) -> Answer {
    let sent = Sent { id: call.id("id")?, record: call.json()? };
    let rule = |stored: &Map<String, Value>, new: &Map<String, Value>| {
        keep(CONTROLLED_HOLDINGS, "Holdings is controlled by MARC record", stored, new)
    };
    let writing =
        Writing { kind: Kind::Holdings, intent: Intent::Replace, locking: true, rule: Some(&rule), links: None };
    let written = writing.run(&call, &[sent]).await;
    written.map_err(|refused| business::problem(&call, Kind::Holdings, Channel::PutJson, refused))?;
    Ok(Reply::no_content())
}
