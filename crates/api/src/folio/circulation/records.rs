//! Policies and other small records that FOLIO's storage treats differently from plain records (docs/folio/policies.md,
//! docs/folio/desk-records.md).

use std::sync::Arc;

use desk::collections::notice_policy;
use serde_json::Value;
use store::{
    collection::Collection,
    records::{self, Removal},
    statements::circulation::NOTICE_POLICY_NAMED,
};

use super::refusals::{LIST_EMPTY, NOTICE_POLICY_IN_USE};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel, serve},
    folio::declared,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let notice_policies = declared(all, "patron_notice_policy");
    serve(routes, &notice_policies, "put", replace_notice_policy);
    serve(routes, &notice_policies, "delete", delete_notice_policy);
    let request_policies = declared(all, "request_policy");
    serve(routes, &request_policies, "post", create_request_policy);
    serve(routes, &request_policies, "put", replace_request_policy);
    let preferences = declared(all, "user_request_preference");
    serve(routes, &preferences, "put", collections::replace_as_json);
    serve(routes, &declared(all, "staff_slips"), "post", create_slip);
}

/// PUT of a patron notice policy. Checks its loan notices, which POST does not. One round trip.
async fn replace_notice_policy(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (id, record) = collections::accepted(&call, &collection, Some(id))?;
    notice_policy::faults(&record).or(())?;
    collections::replace_accepted(&call, &collection, (id, record), Channel::Put).await
}

/// DELETE of a patron notice policy, refused while the circulation rules name it. One round trip.
async fn delete_notice_policy(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    match records::delete_unused(&call.session, &collection, id, NOTICE_POLICY_NAMED).await? {
        Removal::Done => Ok(Reply::no_content()),
        Removal::InUse => Err(NOTICE_POLICY_IN_USE.into()),
        Removal::NotFound => Err(collections::not_found(&collection, id)),
    }
}

async fn create_request_policy(call: Call, collection: Arc<Collection>) -> Answer {
    refuse_empty_lists(&call)?;
    collections::create(call, collection).await
}

async fn replace_request_policy(call: Call, collection: Arc<Collection>) -> Answer {
    refuse_empty_lists(&call)?;
    collections::replace(call, collection).await
}

/// Refuses an empty list of service points. To allow no service point for a request type, disallow the type.
fn refuse_empty_lists(call: &Call) -> Result<(), Problem> {
    let body = call.json()?;
    let Some(allowed) = body.get("allowedServicePoints").and_then(Value::as_object) else {
        return Ok(());
    };
    let is_empty = |ids: &Value| ids.as_array().is_some_and(Vec::is_empty);
    match allowed.iter().find(|(_, ids)| is_empty(ids)) {
        None => Ok(()),
        Some((kind, _)) => {
            let member = format!("allowedServicePoints.{kind}");
            Err(LIST_EMPTY.about(member, "[]").into())
        }
    }
}

/// POST of a staff slip. FOLIO's storage reports a duplicate name as text.
async fn create_slip(call: Call, collection: Arc<Collection>) -> Answer {
    collections::create_over(call, collection, Channel::PostText).await
}
