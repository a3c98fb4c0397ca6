//! mod-feesfines (docs/folio/fees-fines.md): plain collections, except that automatic fee/fine types are read-only.
//! [`actions`] on accounts handle payments, waivers, transfers, refunds and cancellations.

mod actions;
mod actual_cost;
mod refusals;
mod report_stream;
mod reports;

use std::sync::Arc;

use ::refusals::Refusal;
use serde_json::Value;
use store::collection::Collection;
use uuid::Uuid;

pub use actions::pay_in_order;
pub(crate) use refusals::{REPORTS, TABLE, TYPES};

use super::declared;
use crate::{
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};
use refusals::AUTOMATIC_TYPE;

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let types = declared(all, "feefines");
    serve(routes, &types, "post", create_type);
    serve(routes, &types, "put", replace_type);
    serve(routes, &types, "delete", delete_type).refuses(&[422]);
    actions::routes(routes);
    actual_cost::routes(routes, &declared(all, "actual_cost_record"));
    reports::routes(routes);
}

async fn create_type(call: Call, collection: Arc<Collection>) -> Answer {
    let body = call.json()?;
    let id = body.get("id").and_then(Value::as_str);
    if let Some(id) = id.and_then(|id| Uuid::parse_str(id).ok()) {
        refuse_automatic(id)?;
    }
    collections::create(call, collection).await
}

async fn replace_type(call: Call, collection: Arc<Collection>) -> Answer {
    refuse_automatic(call.id("id")?)?;
    collections::replace(call, collection).await
}

async fn delete_type(call: Call, collection: Arc<Collection>) -> Answer {
    refuse_automatic(call.id("id")?)?;
    collections::delete(call, collection).await
}

/// Refuses changes to automatic types, which circulation itself charges by.
fn refuse_automatic(id: Uuid) -> Result<(), Refusal> {
    if circulation::fees::types::is_automatic(id) {
        return Err(AUTOMATIC_TYPE.into());
    }
    Ok(())
}
