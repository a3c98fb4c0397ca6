//! `/pubsub/event-types`: the known event types.

use http::StatusCode;
use serde_json::{Map, Value, json};
use store::events;

use super::{
    accepted,
    refusals::{CHANGED_TYPE_UNKNOWN, DELETED_TYPE_UNKNOWN, TYPE_DIFFERS, TYPE_IN_USE, TYPE_UNKNOWN},
    text,
};
use crate::{
    answer::Reply,
    call::Call,
    pretty::pretty,
    route::{Answer, Routes},
};

const PATH: &str = "/pubsub/event-types";
/// The members of a descriptor, in mod-pubsub's order.
pub(super) const DESCRIPTOR: &str = "eventType*, description, eventTTL*:int, signed:bool=false, tmp:bool=false";
const MEMBERS: [&str; 5] = ["eventType", "description", "eventTTL", "signed", "tmp"];

pub(super) fn routes(routes: &mut Routes) {
    let one = format!("{PATH}/{{eventTypeName}}");
    routes.get(PATH, list).summary("List the kinds of events").gives(DESCRIPTOR).lists_all("eventDescriptors");
    routes
        .post(PATH, add)
        .summary("Describe a kind of event")
        .takes(DESCRIPTOR)
        .gives(DESCRIPTOR)
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.get(&one, read).summary("Read a kind of event").gives(DESCRIPTOR);
    routes
        .put(&one, replace)
        .summary("Describe a kind of event anew")
        .takes(DESCRIPTOR)
        .gives(DESCRIPTOR)
        .refuses(&[422]);
    routes.delete(&one, delete).summary("Delete a kind of event");
}

/// A descriptor with its members in order.
pub(super) fn shown(descriptor: &Value) -> Value {
    let members = MEMBERS.into_iter().filter_map(|name| {
        let value = descriptor.get(name).filter(|value| !value.is_null())?;
        Some((name.to_owned(), value.clone()))
    });
    Value::Object(members.collect::<Map<_, _>>())
}

async fn list(call: Call) -> Answer {
    let types = events::event_types(&call.session).await?;
    let shown: Vec<_> = types.iter().map(shown).collect();
    Ok(Reply::json(&json!({"eventDescriptors": shown, "totalRecords": shown.len()})))
}

async fn read(call: Call) -> Answer {
    let name = call.param("eventTypeName");
    let found = events::some_event_types(&call.session, &[name]).await?;
    let found = found.first().ok_or_else(|| TYPE_UNKNOWN.with("name", name))?;
    Ok(Reply::json(&shown(found)))
}

/// POST. Accepts an identical descriptor again, but not a different one with the same name.
async fn add(call: Call) -> Answer {
    let descriptor = accepted(&call)?;
    let name = text(&descriptor, "eventType").to_owned();
    let descriptor = shown(&descriptor.into());
    match events::add_event_type(&call.session, &name, &descriptor).await? {
        None => Ok(Reply::json(&descriptor).with_status(StatusCode::CREATED)),
        Some(known) => Err(TYPE_DIFFERS.with("name", name).with("known", pretty(&shown(&known))).into()),
    }
}

/// PUT. As in mod-pubsub, the name in the body decides, not the path.
async fn replace(call: Call) -> Answer {
    let descriptor = accepted(&call)?;
    let name = text(&descriptor, "eventType").to_owned();
    let descriptor = shown(&descriptor.into());
    if events::replace_event_type(&call.session, &name, &descriptor).await? {
        return Ok(Reply::json(&descriptor));
    }
    Err(CHANGED_TYPE_UNKNOWN.with("name", name).into())
}

async fn delete(call: Call) -> Answer {
    let name = call.param("eventTypeName");
    let (known, modules) = events::delete_event_type(&call.session, name).await?;
    if !known {
        return Err(DELETED_TYPE_UNKNOWN.with("name", name).into());
    }
    if modules.is_empty() {
        return Ok(Reply::no_content());
    }
    Err(TYPE_IN_USE.with("name", name).with("modules", modules.join(",")).into())
}
