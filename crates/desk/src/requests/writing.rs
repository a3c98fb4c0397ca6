//! Writes a changed request and its related changes in one round trip.

use circulation::{
    configuration::Configuration,
    notices::Happenings,
    records::{DatedStatus, Item, Request},
    requests::{RequestChange, RequestContext, RequestDeed},
};
use jiff::Timestamp;
use postgres_types::Json;
use serde_json::{Value, json};
use store::{Session, StoreError, statements::writes::WRITE_REQUEST};

use super::queue_changes::Changes;
use crate::{Operator, created, updated};

/// Sets `metadata`, and the ID of a new request.
pub(super) fn stamp(
    change: &mut RequestChange,
    context: &RequestContext,
    operator: Operator,
    now: Timestamp,
) {
    let request = &mut change.request;
    if request.known_id().is_none() {
        request.set_id(store::new_id());
    }
    match context.existing.as_ref().and_then(Request::metadata) {
        Some(metadata) => request.set_metadata(metadata),
        None => request.stamp(created(operator, now)),
    }
    request.stamp(updated(operator, now));
}

pub(super) async fn write(
    session: &Session,
    change: &RequestChange,
    context: &RequestContext,
    configuration: &Configuration,
    operator: Operator,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut happened = Happenings::new(configuration);
    happened.request_changed(change, context);
    let events = happened.into_value();
    let kept = matches!(change.deed, RequestDeed::Made | RequestDeed::Changed);
    let replaces = matches!(change.deed, RequestDeed::Changed | RequestDeed::Deleted);
    let request = kept.then_some(Json(&change.request));
    let before = context.existing.as_ref().filter(|_| replaces).map(Json);
    let loan_before = change.loan_before.as_ref().map(Json);
    let (items, stamp) = (items(change, now), updated(operator, now));
    let loan = change.loan.clone().filter(|_| loan_before.is_some());
    let loan = loan.map(|mut loan| {
        loan.stamp(stamp.clone());
        Json(loan)
    });
    let queue = queue(change, context);
    let parameters: [store::db::Parameter<'_>; 9] = [
        &items,
        &stamp,
        &queue,
        &request,
        &before,
        &loan,
        &loan_before,
        &events,
        &change.through_override,
    ];
    session.query(WRITE_REQUEST, &parameters).await?;
    Ok(())
}

fn items(change: &RequestChange, now: Timestamp) -> Value {
    let changed = change.items.iter().map(|(item, status)| {
        let status = DatedStatus::since(*status, now);
        json!({"id": item.id, "version": item.version, "status": status})
    });
    let changes = |item: &&Item| change.items.iter().any(|(changed, _)| changed.id == item.id);
    let relied_on = change.relied_on.iter().filter(|item| !changes(item));
    let relied_on = relied_on.map(|item| json!({"id": item.id, "version": item.version}));
    changed.chain(relied_on).collect()
}

/// The queue as read, with the other requests that move.
fn queue(change: &RequestChange, context: &RequestContext) -> Value {
    let (item, title) = context.queue_of;
    let mut changes = Changes::new(item, title, &context.requests);
    changes.shift(&change.moved);
    changes.into_value()
}
