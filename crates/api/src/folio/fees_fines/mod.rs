//! mod-feesfines (docs/folio/fees-fines.md): the records are plain collections but for the automatic fee/fine
//! types, which nobody changes. [`actions`] upon accounts are what a desk does with them.

mod actions;
mod actual_cost;
mod report_stream;
mod reports;

use std::sync::Arc;

use serde_json::Value;
use store::collection::Collection;
use uuid::Uuid;

pub use actions::pay_in_order;

use super::declared;
use crate::{
    answer::{ErrorItem, Problem},
    call::Call,
    collections::{self, serve},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let types = declared(all, "feefines");
    serve(routes, &types, "post", create_type);
    serve(routes, &types, "put", replace_type);
    serve(routes, &types, "delete", delete_type);
    actions::routes(routes);
    actual_cost::routes(routes);
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

/// The desk itself charges by the automatic types.
fn refuse_automatic(id: Uuid) -> Result<(), Problem> {
    if circulation::fees::types::is_automatic(id) {
        return Err(Problem::unprocessable(&[ErrorItem {
            message: "Attempt to change an automatic fee/fine type".into(),
            ..ErrorItem::default()
        }]));
    }
    Ok(())
}
