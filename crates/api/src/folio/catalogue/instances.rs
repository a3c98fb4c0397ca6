//! Instances as mod-inventory serves them (docs/folio/inventory-business.md#instances-with-links): with their place in
//! series, predecessors and successors.

use std::sync::Arc;

use inventory::write::{Intent, Sent};
use serde_json::{Map, Value, json};
use store::{
    catalogue::views,
    collection::{Collection, Fault},
    record::Schema,
    records,
};

use super::{
    business,
    kind::{self, Kind, Writing},
};
use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    route::{Answer, Routes},
};

const PATH: &str = "/inventory/instances";
const ONE: &str = "/inventory/instances/{id}";

/// The links a client may send with an instance, and what it may say of them.
const LINKS: &[(&str, &str)] = &[
    (
        "parentInstances",
        "id:uuid, superInstanceId*:uuid, subInstanceId~:any, instanceRelationshipTypeId*:uuid",
    ),
    (
        "childInstances",
        "id:uuid, subInstanceId*:uuid, superInstanceId~:any, instanceRelationshipTypeId*:uuid",
    ),
    (
        "precedingTitles",
        "id:uuid, precedingInstanceId:uuid, succeedingInstanceId~:any, title, hrid, identifiers:any",
    ),
    (
        "succeedingTitles",
        "id:uuid, succeedingInstanceId:uuid, precedingInstanceId~:any, title, hrid, identifiers:any",
    ),
];

/// What a MARC record controls of its instance.
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

/// What a MARC record controls of its holdings record.
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

/// The instances in mod-inventory's form.
pub(super) fn shown() -> Collection {
    Kind::Instances
        .declared()
        .shown_as(PATH, "instances", views::INSTANCE.into())
        .not_found("Not Found")
}

pub fn routes(routes: &mut Routes) {
    let (shown, stored) = (Arc::new(shown()), Arc::new(Kind::Instances.declared()));
    serve(routes, &shown, "list", collections::list);
    serve(routes, &shown, "get", collections::get);
    routes.post(PATH, create).summary("Create an instance");
    routes.put(ONE, replace).summary("Replace an instance");
    routes
        .patch(ONE, patch)
        .summary("Change members of an instance");
    let c = Arc::clone(&stored);
    routes
        .delete(ONE, move |call| collections::delete(call, Arc::clone(&c)))
        .summary("Delete an instance");
    routes
        .delete(PATH, move |call| {
            collections::delete_found(call, Arc::clone(&stored))
        })
        .summary("Delete the instances a query finds");
    routes
        .delete("/inventory/instances/{id}/mark-deleted", mark_deleted)
        // FOLIO asks for no permission; what it does is an edit of the instance.
        .needs(&["inventory.instances.item.put"])
        .summary("Hide an instance from everybody");
    routes
        .put("/inventory/holdings/{id}", replace_holdings)
        .summary("Replace a holdings record");
    for (path, fields) in [
        (
            "/inventory/config/instances/blocked-fields",
            CONTROLLED_INSTANCE,
        ),
        (
            "/inventory/config/holdings/blocked-fields",
            CONTROLLED_HOLDINGS,
        ),
    ] {
        let answer = move |_| async move { Ok(Reply::json(&json!({"blockedFields": fields}))) };
        routes
            .get(path, answer)
            .summary("List the members a MARC record controls");
    }
}

async fn create(call: Call) -> Answer {
    let (record, links) = parted(call.json()?)?;
    if blank_title(&record) {
        return Err(Problem::bad_request(
            "Title must be provided for an instance",
        ));
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
    let sent = Sent {
        id: call.id("id")?,
        record,
    };
    run(&call, Intent::Replace, true, sent, &links, Channel::Put).await
}

async fn patch(call: Call) -> Answer {
    let (record, links) = parted(call.json()?)?;
    let locking = record
        .get("_version")
        .is_some_and(|version| !version.is_null());
    let sent = Sent {
        id: call.id("id")?,
        record,
    };
    run(&call, Intent::Patch, locking, sent, &links, Channel::Put).await
}

async fn mark_deleted(call: Call) -> Answer {
    let hidden = json!({"deleted": true, "staffSuppress": true, "discoverySuppress": true});
    let sent = Sent {
        id: call.id("id")?,
        record: hidden,
    };
    let none = Value::Object(Map::new());
    run(&call, Intent::Patch, false, sent, &none, Channel::Put).await
}

pub(super) async fn run(
    call: &Call,
    intent: Intent,
    locking: bool,
    sent: Sent,
    links: &Value,
    channel: Channel,
) -> Answer {
    let has_links = links.as_object().is_some_and(|lists| !lists.is_empty());
    let writing = Writing {
        kind: Kind::Instances,
        intent,
        locking,
        rule: Some(&keep_controlled_instance),
        links: has_links.then_some(links),
    };
    let written = writing.run(call, &[sent]).await;
    written.map_err(|refused| business::problem(call, Kind::Instances, channel, refused))?;
    Ok(Reply::no_content())
}

pub(super) fn blank_title(record: &Value) -> bool {
    record
        .get("title")
        .and_then(Value::as_str)
        .is_none_or(|title| title.trim().is_empty())
}

/// The instance as it is stored, and the links sent with it; members that mod-inventory does not know are left away.
pub(super) fn parted(body: Value) -> Result<(Value, Value), Problem> {
    let Value::Object(mut record) = body else {
        return Err(Problem::bad_request(
            "Json content error: expected a JSON object",
        ));
    };
    let mut links = Map::new();
    for (name, members) in LINKS {
        if let Some(Value::Array(sent)) = record.shift_remove(*name) {
            let schema = Schema::declare(members);
            let accepted = sent.into_iter().map(|link| {
                schema
                    .accept(schema.without_unknown(link))
                    .map(Value::Object)
            });
            links.insert(
                (*name).to_owned(),
                Value::Array(accepted.collect::<Result<_, _>>()?),
            );
        }
    }
    refuse_untitled(&links, "succeeding")?;
    refuse_untitled(&links, "preceding")?;
    let stored = Kind::Instances.declared().schema;
    let record = stored.without_unknown(Value::Object(record));
    Ok((record, Value::Object(links)))
}

/// A predecessor or successor that the library has not must be named.
fn refuse_untitled(links: &Map<String, Value>, side: &str) -> Result<(), Problem> {
    let list = links
        .get(&format!("{side}Titles"))
        .and_then(Value::as_array);
    let unconnected = |link: &&Value| link.get(format!("{side}InstanceId")).is_none();
    if list
        .into_iter()
        .flatten()
        .filter(unconnected)
        .any(blank_title)
    {
        let message = format!("Title is required for unconnected {side} title");
        let key = format!("{side}Titles.title");
        return Err(Problem::unprocessable(&[ErrorItem::plain(
            message, &key, None,
        )]));
    }
    Ok(())
}

fn keep_controlled_instance(
    stored: &Map<String, Value>,
    new: &Map<String, Value>,
) -> Result<(), Fault> {
    if stored.get("source").and_then(Value::as_str) != Some("MARC") {
        return Ok(());
    }
    keep(
        CONTROLLED_INSTANCE,
        "Instance is controlled by MARC record",
        stored,
        new,
    )
}

fn keep(
    fields: &[&str],
    who: &str,
    stored: &Map<String, Value>,
    new: &Map<String, Value>,
) -> Result<(), Fault> {
    if fields
        .iter()
        .all(|field| stored.get(*field) == new.get(*field))
    {
        return Ok(());
    }
    let message = format!(
        "{who}, these fields are blocked and can not be updated: {}",
        fields.join(",")
    );
    Err(Fault {
        message,
        ..Fault::default()
    })
}

async fn replace_holdings(call: Call) -> Answer {
    let sent = Sent {
        id: call.id("id")?,
        record: call.json()?,
    };
    let rule = |stored: &Map<String, Value>, new: &Map<String, Value>| {
        keep(
            CONTROLLED_HOLDINGS,
            "Holdings are controlled by MARC record",
            stored,
            new,
        )
    };
    let writing = Writing {
        kind: Kind::Holdings,
        intent: Intent::Replace,
        locking: true,
        rule: Some(&rule),
        links: None,
    };
    let written = writing.run(&call, &[sent]).await;
    written
        .map_err(|refused| business::problem(&call, Kind::Holdings, Channel::PutJson, refused))?;
    Ok(Reply::no_content())
}
