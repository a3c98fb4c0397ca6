//! What a stored request repeats of other records, so that lists of requests are found and sorted by it
//! (contract §6.2): the item it has got, and where to look for it.

use serde_json::{Value, json};

use crate::{configuration::Configuration, records::Item, representation::present};

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
    let components = call_number.map(|c| {
        present(json!({"callNumber": c.call_number, "prefix": c.prefix, "suffix": c.suffix}))
    });
    present(json!({
        "callNumberComponents": components,
        "shelvingOrder": item.effective_shelving_order,
        "pickupServicePointName": pickup,
    }))
}
