//! Item status changes that staff make by hand (docs/folio/inventory-business.md#marking-items).

use http::StatusCode;
use inventory::{
    item_status::{MOVES, Move},
    write::{Intent, Sent},
};
use serde_json::{Map, Value, json};
use store::record::print_instant;

use super::{
    business, items,
    kind::{Kind, Writing},
};
use crate::{
    call::Call,
    collections::Channel,
    route::{Answer, Routes},
};

pub fn routes(routes: &mut Routes) {
    for step in MOVES {
        let path = format!("/inventory/items/{{id}}/{}", step.path);
        let summary = format!("Mark an item as {}", step.to.name());
        routes
            .post(&path, move |call| mark(call, step))
            .summary(&summary)
            .gives_body(items::answered())
            .refuses(&[422]);
    }
}

async fn mark(call: Call, step: &'static Move) -> Answer {
    let id = call.id("id")?;
    let sent = Sent { id, record: json!({"status": {"name": step.to.name()}}) };
    let rule = |stored: &Map<String, Value>, _: &Map<String, Value>| {
        let current = stored.get("status").and_then(|status| status["name"].as_str());
        Ok(step.check(current.unwrap_or_default())?)
    };
    let writing = Writing { kind: Kind::Items, intent: Intent::Patch, locking: false, rule: Some(&rule), links: None };
    let marked = writing.run(&call, &[sent]).await;
    marked.map_err(|refused| business::problem(&call, Kind::Items, Channel::Put, refused))?;
    store::inventory::release_request(&call.session, id, &print_instant(call.now)).await?;
    Ok(items::answer(&call, id).await?.with_status(StatusCode::OK))
}
