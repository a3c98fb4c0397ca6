//! The report of items in transit (docs/folio/slips-and-reports.md#items-in-transit).

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    configuration::{Configuration, ServicePoint},
    dates::recomputed,
    records::{Instance, Item, Loan, Patron, Request},
    representation::{present, service_point},
};

/// An item in transit with its related records, as read from the database.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct InTransitRow {
    item: Item,
    instance: Instance,
    loan: Option<Loan>,
    request: Option<Request>,
    requester: Option<Patron>,
}

/// The report, sorted by the name of the service point where the item was last checked in; items without one come last.
pub fn report(rows: Vec<InTransitRow>, configuration: &Configuration) -> Value {
    let mut rows = rows;
    rows.sort_by_cached_key(|row| {
        let name = checked_in_at(row, configuration).map(|point| point.name.clone());
        (name.is_none(), name)
    });
    let items: Vec<Value> = rows.iter().map(|row| entry(row, configuration)).collect();
    json!({"items": items, "totalRecords": rows.len()})
}

fn checked_in_at<'c>(row: &InTransitRow, configuration: &'c Configuration) -> Option<&'c ServicePoint> {
    configuration.service_point(row.loan.as_ref()?.check_in_point())
}

fn entry(row: &InTransitRow, configuration: &Configuration) -> Value {
    let InTransitRow { item, instance, .. } = row;
    let call_number = item.effective_call_number_components.as_ref();
    let contributors: Vec<_> = instance.contributors.iter().map(|c| json!({"name": c.name})).collect();
    let location = configuration.location(item.effective_location_id);
    let destination = item.in_transit_destination_service_point_id;
    present(json!({
        "id": item.id,
        "title": instance.title,
        "barcode": item.barcode,
        "contributors": contributors,
        "callNumber": call_number.and_then(|c| c.call_number.as_ref()),
        "enumeration": item.enumeration,
        "displaySummary": item.display_summary,
        "volume": item.volume,
        "yearCaption": item.year_caption,
        "status": {"name": item.status.name()},
        "inTransitDestinationServicePointId": destination,
        "copyNumber": item.copy_number,
        "effectiveCallNumberComponents": call_number.map(|c| present(json!({
            "callNumber": c.call_number, "prefix": c.prefix, "suffix": c.suffix}))),
        "inTransitDestinationServicePoint": named(destination, configuration),
        "location": location.map(|place| present(json!({
            "name": place.name, "code": place.code, "libraryName": place.library_name}))),
        "request": row.request.as_ref().map(|request| requested(request, row, configuration)),
        "loan": row.loan.as_ref().map(|loan| present(json!({
            "checkInServicePoint": checked_in_at(row, configuration).map(service_point),
            "checkInDateTime": loan.return_date_text().map(recomputed)}))),
        "lastCheckIn": item.last_check_in.as_ref().map(|last| present(json!({
            "dateTime": last.date_time.as_deref().map(recomputed), "servicePoint": named(last.service_point_id, configuration)}))),
    }))
}

fn named(id: Option<Uuid>, configuration: &Configuration) -> Option<Value> {
    let point = configuration.service_point(id)?;
    Some(json!({"id": point.id, "name": point.name}))
}

fn requested(request: &Request, row: &InTransitRow, configuration: &Configuration) -> Value {
    let group = row.requester.as_ref().and_then(|patron| patron.patron_group);
    let group = group.and_then(|id| configuration.patron_groups.get(&id));
    present(json!({
        "requestType": request.kind(),
        "requestDate": request.request_date_text().map(recomputed),
        "requestExpirationDate": request.expiration_date_text().map(recomputed),
        "requestPickupServicePointName": configuration.service_point(request.pickup_point()).map(|point| &point.name),
        "tags": request.tag_list(),
        "requestPatronGroup": group.and_then(|group| group.desc.as_ref()),
    }))
}
