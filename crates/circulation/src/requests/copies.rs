//! Members that a stored request copies from other records, so that lists of requests can be searched and sorted by
//! them (docs/folio/requests.md#stored-requests): the item and its search index.

use serde_json::{Value, json};

use super::RequestContext;
use crate::{
    configuration::Configuration,
    records::{Item, Patron, Request},
    representation::present,
};

/// Fills in all members copied from related records.
pub(crate) fn fill(
    request: &mut Request,
    context: &RequestContext,
    for_item: Option<&Item>,
    configuration: &Configuration,
) {
    if let Some(found) = for_item {
        request.set_item_copy(item(found, configuration));
    }
    if let Some(title) = &context.title {
        let (name, identifiers) = (&title.instance().title, title.identifiers());
        request.set_instance_copy(json!({"title": name, "identifiers": identifiers}));
    }
    if let Some(patron) = context.patron() {
        request.set_requester_copy(person(patron));
    }
    if let Some(proxy) = &context.proxy {
        request.set_proxy_copy(person(proxy));
    }
    let pickup = configuration.service_point(request.pickup_point()).map(|point| point.name.as_str());
    request.set_search_index(match for_item {
        Some(found) => search_index(found, pickup),
        None => present(json!({"pickupServicePointName": pickup})),
    });
}

fn person(patron: &Patron) -> Value {
    let name = &patron.personal;
    present(json!({
        "lastName": name.last_name,
        "firstName": name.first_name,
        "middleName": name.middle_name,
        "barcode": patron.barcode,
    }))
}

/// `item` of a stored request.
pub(crate) fn item(item: &Item, configuration: &Configuration) -> Value {
    let location = configuration.location(item.effective_location_id);
    let retrieval = location.and_then(|location| location.primary_service_point);
    let retrieval = configuration.service_point(retrieval);
    present(json!({
        "barcode": item.barcode,
        "itemEffectiveLocationId": location.map(|location| location.id),
        "itemEffectiveLocationName": location.map(|location| &location.name),
        "retrievalServicePointId": retrieval.map(|point| point.id),
        "retrievalServicePointName": retrieval.map(|point| &point.name),
    }))
}

/// `searchIndex` of a stored request for this item; `pickup` is the name of its pickup service point.
pub(crate) fn search_index(item: &Item, pickup: Option<&str>) -> Value {
    let call_number = item.effective_call_number_components.as_ref();
    let components =
        call_number.map(|c| present(json!({"callNumber": c.call_number, "prefix": c.prefix, "suffix": c.suffix})));
    present(json!({
        "callNumberComponents": components,
        "shelvingOrder": item.effective_shelving_order,
        "pickupServicePointName": pickup,
    }))
}
