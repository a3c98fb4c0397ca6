//! `/pubsub/subscriptions`: the state of webhooks. FOLIO has no such routes; they show waiting, failed and broken
//! deliveries, and restart them.

use serde_json::json;
use store::events;

use super::{accepted, refusals::NO_WEBHOOK, text};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const PATH: &str = "/pubsub/subscriptions";
const MODULE: &str = "mod-pubsub";
const SUBSCRIPTION: &str = "moduleId, state, signed:bool, waiting:int, dead:int, oldest:datetime, failures:int, \
    lastError, lastFailure:datetime, lastDelivery:datetime, brokenSince:datetime, nextTry:datetime";

pub(super) fn routes(routes: &mut Routes) {
    let of_module = |rest: &str| format!("{PATH}/{{moduleId}}/{rest}");
    routes
        .get(PATH, list)
        .summary("List the webhooks and how they are")
        .gives(SUBSCRIPTION)
        .lists_all("subscriptions")
        .of_module(MODULE)
        .needs(&["pubsub.subscribers.get"]);
    routes
        .post(&of_module("resume"), resume)
        .summary("Deliver to a webhook again, dead events too")
        .of_module(MODULE)
        .needs(&["pubsub.subscribers.post"]);
    routes
        .put(&of_module("secret"), set_secret)
        .summary("Sign the events of a webhook from now on")
        .takes("secret")
        .refuses(&[422])
        .of_module(MODULE)
        .needs(&["pubsub.subscribers.post"]);
    routes
        .delete(&of_module("dead-events"), forget_dead)
        .summary("Forget the events that a webhook refused")
        .of_module(MODULE)
        .needs(&["pubsub.subscribers.delete"]);
}

async fn list(call: Call) -> Answer {
    let found = events::subscribers(&call.session).await?;
    Ok(Reply::json(&json!({"subscriptions": found, "totalRecords": found.len()})))
}

async fn resume(call: Call) -> Answer {
    let known = events::resume(&call.session, call.param("moduleId")).await?;
    call.app.events.look_again(&call.tenant.tenant.id);
    done(&call, known)
}

/// PUT. An empty or missing secret turns signing off.
async fn set_secret(call: Call) -> Answer {
    let sent = accepted(&call)?;
    let secret = Some(text(&sent, "secret")).filter(|secret| !secret.is_empty());
    let known = events::set_secret(&call.session, call.param("moduleId"), secret).await?;
    done(&call, known)
}

async fn forget_dead(call: Call) -> Answer {
    let known = events::forget_dead(&call.session, call.param("moduleId")).await?;
    done(&call, known)
}

fn done(call: &Call, known: bool) -> Answer {
    if known {
        return Ok(Reply::no_content());
    }
    Err(NO_WEBHOOK.with("module", call.param("moduleId")).into())
}
