//! `/pubsub/event-types/declare/…`, `…/publishers`, `…/subscribers`: which modules publish an event or subscribe to it.

use ::events::address;
use ::refusals::{Refusal, Refused};
use http::StatusCode;
use serde_json::{Map, Value, json};
use store::events::{self, Role};

use super::{
    accepted, event_types,
    refusals::{CALLBACK_INVALID, DECLARED_TYPE_DIFFERS, DECLARED_TYPE_UNKNOWN, MODULE_MISSING, ROLE_UNKNOWN},
    text,
};
use crate::{
    answer::Reply,
    call::Call,
    pretty::pretty,
    route::{Answer, Form, Routes},
};

const MODULE: &str = "id:uuid, eventType, moduleId, tenantId, moduleRole, activated:bool, subscriberCallback";

pub(super) fn routes(routes: &mut Routes) {
    let descriptors = format!("moduleId*, eventDescriptors*[{{{}}}]", event_types::DESCRIPTOR);
    routes
        .post("/pubsub/event-types/declare/publisher", declare_publisher)
        .summary("Say what events a module publishes")
        .takes(&descriptors)
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .refuses_as(400, Form::Errors);
    routes
        .post("/pubsub/event-types/declare/subscriber", declare_subscriber)
        .summary("Say what events a module listens to, and where it gets them")
        .takes("moduleId*, subscriptionDefinitions*[{eventType*, callbackAddress*}]")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .refuses_as(400, Form::Errors);
    for (path, role) in [
        ("/pubsub/event-types/{eventTypeName}/publishers", Role::Publisher),
        ("/pubsub/event-types/{eventTypeName}/subscribers", Role::Subscriber),
    ] {
        routes
            .get(path, move |call| list(call, role))
            .summary("List the modules")
            .gives(MODULE)
            .lists_all("messagingModules");
        routes
            .delete(path, move |call| withdraw(call, role))
            .summary("Withdraw what a module said of an event")
            .asks("moduleId");
    }
    routes
        .delete("/pubsub/messaging-modules", withdraw_all)
        .summary("Withdraw all that a module said of events")
        .asks("moduleId*, moduleRole*:(PUBLISHER|SUBSCRIBER)");
}

fn parts<'m>(members: &'m Map<String, Value>, name: &str) -> impl Iterator<Item = &'m Map<String, Value>> {
    let list = members.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// POST. A publisher's event descriptors must match the existing ones.
async fn declare_publisher(call: Call) -> Answer {
    let sent = accepted(&call)?;
    let declared: Vec<_> = parts(&sent, "eventDescriptors").collect();
    let names: Vec<_> = declared.iter().map(|one| text(one, "eventType")).collect();
    let known = events::some_event_types(&call.session, &names).await?;
    Refused(declared.iter().filter_map(|one| differs(one, &known)).collect()).or(())?;
    let declared: Vec<_> = names.iter().map(|name| ((*name).to_owned(), None)).collect();
    declare(&call, &sent, Role::Publisher, &declared).await
}

fn differs(declared: &Map<String, Value>, known: &[Value]) -> Option<Refusal> {
    let name = text(declared, "eventType");
    let Some(known) = known.iter().find(|known| known["eventType"] == name) else {
        return Some(DECLARED_TYPE_UNKNOWN.with("name", name));
    };
    let known = event_types::shown(known);
    (event_types::shown(&declared.clone().into()) != known)
        .then(|| DECLARED_TYPE_DIFFERS.with("name", name).with("known", pretty(&known)))
}

async fn declare_subscriber(call: Call) -> Answer {
    let sent = accepted(&call)?;
    let declared: Vec<_> = parts(&sent, "subscriptionDefinitions")
        .map(|one| {
            let callback = text(one, "callbackAddress").to_owned();
            (text(one, "eventType").to_owned(), Some(callback))
        })
        .collect();
    let private_allowed = call.app.events.settings().private_webhooks;
    let wrong = declared.iter().filter_map(|(_, callback)| {
        let fault = address::read(callback.as_deref()?, private_allowed).err()?;
        Some(CALLBACK_INVALID.with("fault", fault))
    });
    Refused(wrong.collect()).or(())?;
    declare(&call, &sent, Role::Subscriber, &declared).await
}

/// As in mod-pubsub, an empty list withdraws nothing.
async fn declare(call: &Call, sent: &Map<String, Value>, role: Role, declared: &[(String, Option<String>)]) -> Answer {
    if !declared.is_empty() {
        events::declare(&call.session, text(sent, "moduleId"), role, declared).await?;
        call.app.events.look_again(&call.tenant.tenant.id);
    }
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}

async fn list(call: Call, role: Role) -> Answer {
    let name = call.param("eventTypeName");
    let modules = events::modules(&call.session, name, role, &call.tenant.tenant.id).await?;
    Ok(Reply::json(&json!({"messagingModules": modules, "totalRecords": modules.len()})))
}

async fn withdraw(call: Call, role: Role) -> Answer {
    let name = call.param("eventTypeName");
    events::withdraw(&call.session, Some(name), call.query.get("moduleId"), role).await?;
    Ok(Reply::no_content())
}

async fn withdraw_all(call: Call) -> Answer {
    let (Some(module), Some(role)) = (call.query.get("moduleId"), call.query.get("moduleRole")) else {
        return Err(MODULE_MISSING.into());
    };
    let role = [Role::Publisher, Role::Subscriber]
        .into_iter()
        .find(|known| known.name() == role)
        .ok_or_else(|| ROLE_UNKNOWN.with("role", role))?;
    events::withdraw(&call.session, None, Some(module), role).await?;
    Ok(Reply::no_content())
}
