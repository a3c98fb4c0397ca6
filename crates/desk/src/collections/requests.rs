//! Stored requests (docs/folio/requests.md#stored-requests). The workflow places, moves and fills them.

use circulation::records::RequestStatus;
use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::{Collection, IndexKind};

use super::refusal::{
    CANCELLATION_REASON_UNKNOWN, PLACE_TAKEN, REQUEST_WITH_HALF_ITEM, REQUEST_WITHOUT_HOLDINGS, REQUEST_WITHOUT_ITEM,
};

/// Requests. A constraint in `store/sql/replaceable/tables/request.sql` keeps the positions of an item's requests
/// unique; the other indexes on the columns of open and of past requests are there, too.
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
    // A patron's page, and the end of a patron.
    .loose_reference("requesterId")
    // Nearly no request has one, so its index costs next to nothing.
    .loose_reference("proxyUserId")
    // All requests for a title: the pages of the title and of its queue.
    .loose_reference("instanceId")
    // All requests for an item.
    .covered_reference("itemId")
    // What is to be picked up at a service point.
    .broad_loose_reference("pickupServicePointId")
    // A reason in use cannot be deleted.
    .reference("cancellationReasonId", "cancellation_reason")
    .plain()
    .written_as("requests")
    // The open ones among the requests of years. A type is shared by every third request: no index would help.
    .folded(&["status"])
    // The order in which the pages show them.
    .index(&IndexKind::Exact, &["requestDate"])
    .column("queue_position", "int", "(doc->>'position')::int")
    .column("open_item", "uuid", "CASE WHEN doc->>'status' LIKE 'Open%' THEN (doc->>'itemId')::uuid END")
    .column("open_title", "uuid", "CASE WHEN doc->>'status' LIKE 'Open%' THEN (doc->>'instanceId')::uuid END")
    .column("past_update", "text COLLATE \"C\"", PAST_UPDATE)
    .virtual_field(
        "fullCallNumberIndex",
        "carrel.joined(doc#>>'{searchIndex,callNumberComponents,prefix}', \
         doc#>>'{searchIndex,callNumberComponents,callNumber}', doc#>>'{searchIndex,callNumberComponents,suffix}')",
    )
    .digits_field("itemIsbn", "carrel.isbns(doc#>'{instance,identifiers}', '8261054f-be78-422d-bd51-4ed9f33c3422')")
    .constraint("request_one_place_in_a_queue", PLACE_TAKEN)
    .constraint("request_cancellationreasonid_fkey", CANCELLATION_REASON_UNKNOWN)
    .checked(check_request)
    .truncated()
    .upserting()
}

/// When a closed request that still has a requester was last changed.
const PAST_UPDATE: &str = "CASE WHEN doc->>'status' LIKE 'Closed%' AND doc ? 'requesterId'
    THEN coalesce(doc#>>'{metadata,updatedDate}', '') END";

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
