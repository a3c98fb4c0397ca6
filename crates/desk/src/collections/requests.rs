//! Stored requests (docs/folio/requests.md#stored-requests). The workflow places, moves and fills them.

use circulation::records::RequestStatus;
use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::Collection;

use super::refusal::{
    CANCELLATION_REASON_UNKNOWN, PLACE_TAKEN, REQUEST_WITH_HALF_ITEM, REQUEST_WITHOUT_HOLDINGS, REQUEST_WITHOUT_ITEM,
};

/// Requests. A constraint in `store/sql/replaceable/tables/request.sql` keeps the positions of an item's requests
/// unique.
pub fn requests() -> Collection {
    let person = "{firstName, lastName, middleName, barcode, patronGroupId:uuid, patronGroup:object}";
    let statuses = RequestStatus::one_of();
    let call_number = "{callNumber, prefix, suffix, typeId:uuid}";
    Collection::new(
        "/request-storage/requests",
        "requests",
        "request",
        &format!(
            "requestLevel*:(Item|Title), requestType*:(Hold|Recall|Page), requestDate*:datetime, requesterId!:uuid,
             proxyUserId:uuid, instanceId*:uuid, holdingsRecordId:uuid, itemId:uuid, status*:({statuses}), position:int,
             fulfillmentPreference*:(Hold Shelf|Delivery), deliveryAddressTypeId:uuid, pickupServicePointId:uuid,
             requestExpirationDate:datetime, holdShelfExpirationDate:datetime, patronComments,
             cancellationReasonId:uuid, cancelledByUserId:uuid, cancellationAdditionalInformation,
             cancelledDate:datetime, tags{{tagList[]}}, itemLocationCode, ecsRequestPhase:(Primary|Secondary|Intermediate),
             printDetails{{printCount:int, requesterId:uuid, isPrinted:bool, printEventDate:datetime}},
             awaitingPickupRequestClosedDate:datetime, isDcbReRequestCancellation:bool,
             instance{{title, identifiers[{{value, identifierTypeId:uuid}}], ...}},
             item{{barcode, itemEffectiveLocationId:uuid, itemEffectiveLocationName, retrievalServicePointId:uuid,
               retrievalServicePointName, loanTypeId:uuid, loanTypeName}},
             requester{person}, proxy{person},
             searchIndex{{callNumberComponents{call_number}, shelvingOrder, pickupServicePointName}}"
        ),
    )
    .loose_reference("requesterId")
    .loose_reference("proxyUserId")
    .loose_reference("instanceId")
    .loose_reference("itemId")
    .loose_reference("pickupServicePointId")
    .reference("cancellationReasonId", "cancellation_reason")
    .folded(&["status", "requestType", "requestExpirationDate", "requestDate"])
    .virtual_field(
        "fullCallNumberIndex",
        "carrel.joined(doc#>>'{searchIndex,callNumberComponents,prefix}', \
         doc#>>'{searchIndex,callNumberComponents,callNumber}', doc#>>'{searchIndex,callNumberComponents,suffix}')",
    )
    .constraint("request_one_place_in_a_queue", PLACE_TAKEN)
    .constraint("request_cancellationreasonid_fkey", CANCELLATION_REASON_UNKNOWN)
    .checked(check_request)
    .truncated()
    .upserting()
}

fn check_request(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let has = |name: &str| record.contains_key(name);
    let title = record.get("requestLevel").and_then(Value::as_str) == Some("Title");
    let faults = [
        (!title && !has("itemId"), REQUEST_WITHOUT_ITEM),
        (!title && !has("holdingsRecordId"), REQUEST_WITHOUT_HOLDINGS),
        (title && has("itemId") != has("holdingsRecordId"), REQUEST_WITH_HALF_ITEM),
    ];
    let faults = faults.into_iter().filter(|(is_wrong, _)| *is_wrong);
    let refusals = faults.map(|(_, wording)| wording.into());
    Refused(refusals.collect()).or(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_names_what_its_level_needs() {
        let check = |mut request: Value| {
            check_request(request.as_object_mut().expect("an object")).map_err(|refused| refused.0[0].message())
        };
        assert_eq!(check(json!({"requestLevel": "Title"})), Ok(()));
        assert!(check(json!({"requestLevel": "Title", "itemId": "x"})).is_err());
        assert!(check(json!({"requestLevel": "Item"})).is_err());
        assert!(check(json!({"requestLevel": "Item", "itemId": "x"})).is_err());
        assert_eq!(check(json!({"requestLevel": "Item", "itemId": "x", "holdingsRecordId": "y"})), Ok(()));
    }
}
