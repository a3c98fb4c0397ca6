//! `/pubsub/publish`: publishes a client's own event to its subscribers.

use store::events;
use uuid::Uuid;

use super::{accepted, text};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Routes},
};

const EVENT: &str = "id*:uuid, eventType*, eventMetadata*{tenantId*, eventTTL*:int, correlationId, \
    originalEventId:uuid, publisherCallback:object, createdDate:datetime, publishedDate:datetime, createdBy, \
    publishedBy*}, eventPayload";

pub(super) fn routes(routes: &mut Routes) {
    routes.post("/pubsub/publish", publish).summary("Publish an event").refuses(&[422]).takes(EVENT);
}

async fn publish(call: Call) -> Answer {
    let event = accepted(&call)?;
    let id = Uuid::parse_str(text(&event, "id")).unwrap_or_default();
    let payload = text(&event, "eventPayload");
    events::publish(&call.session, id, text(&event, "eventType"), payload).await?;
    Ok(Reply::no_content())
}
