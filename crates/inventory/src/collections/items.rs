//! Items: single copies (docs/folio/inventory.md#items).

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::{Collection, IndexKind, Uncommon};
use vocabulary::ItemStatus;

use crate::{
    note,
    refusal::{HRID_TAKEN, ITEM_OF_ARCHIVES, ORDER_OUT_OF_RANGE},
};

pub const ITEM_TABLE: &str = "item";

/// The members that the desk changes all day. They are stored apart from the item's document and without an index, so
/// that a check-out rewrites one short row version and no index.
pub(crate) const ITEM_STATE: &[&str] =
    &["status", "_version", "metadata", "lastCheckIn", "inTransitDestinationServicePointId"];

/// Most items are on the shelf or on loan; staff look for the others.
const UNCOMMON_STATUS: Uncommon = Uncommon {
    field: "status.name",
    common: &[ItemStatus::Available.name(), ItemStatus::CheckedOut.name()],
    table: "item_uncommon_status",
};

const ITEM: &str = "hrid, holdingsRecordId*:uuid, order:int,
    status*{name*:(Aged to lost|Available|Awaiting pickup|Awaiting delivery|Checked out|Claimed returned|\
Declared lost|In process|In process (non-requestable)|In transit|Intellectual item|Long missing|Lost and paid|\
Missing|On order|Order closed|Paged|Restricted|Unavailable|Unknown|Withdrawn), date~:datetime},
    materialTypeId*:uuid, materialType~:any, permanentLoanTypeId*:uuid, temporaryLoanTypeId:uuid,
    permanentLocationId:uuid, permanentLocation~:any, temporaryLocationId:uuid, temporaryLocation~:any,
    effectiveLocationId~:uuid, barcode, accessionNumber, itemIdentifier, formerIds[], itemLevelCallNumber,
    itemLevelCallNumberPrefix, itemLevelCallNumberSuffix, itemLevelCallNumberTypeId:uuid,
    additionalCallNumbers[{typeId:uuid, prefix, callNumber*, suffix}],
    effectiveCallNumberComponents~{callNumber, prefix, suffix, typeId:uuid}, effectiveShelvingOrder~,
    volume, enumeration, chronology, displaySummary, yearCaption[], copyNumber, numberOfPieces,
    descriptionOfPieces, numberOfMissingPieces, missingPieces, missingPiecesDate, itemDamagedStatusId,
    itemDamagedStatusDate, administrativeNotes[], notes[{itemNoteTypeId, note, staffOnly:bool=false}],
    circulationNotes[{id, noteType:(Check in|Check out), note, source{id, personal{lastName, firstName, ...}, ...},
        date, staffOnly:bool=false}],
    electronicAccess[{uri*, linkText, materialsSpecification, publicNote, relationshipId}],
    inTransitDestinationServicePointId:uuid, purchaseOrderLineIdentifier, statisticalCodeIds[uuid],
    discoverySuppress:bool=false, tags{tagList[]}, holdingsRecord2~:any,
    lastCheckIn{dateTime:datetime, servicePointId:uuid, staffMemberId:uuid}";

/// `/item-storage/items`; [`crate::write`] writes them.
pub fn items() -> Collection {
    Collection::new("/item-storage/items", "items", ITEM_TABLE, ITEM)
        .versioned()
        .with_result_info()
        .volatile(ITEM_STATE)
        .uncommon(UNCOMMON_STATUS)
        .unique_as(&["hrid"], IndexKind::Folded, HRID_TAKEN)
        .unique_as(&["barcode"], IndexKind::CaseFolded, None)
        .constraint("item_of_archives", ITEM_OF_ARCHIVES)
        .narrow_reference("holdingsRecordId", "holdings_record")
        .reference("materialTypeId", "material_type")
        .reference("permanentLoanTypeId", "loan_type")
        .reference("temporaryLoanTypeId", "loan_type")
        .reference("permanentLocationId", "location")
        .reference("temporaryLocationId", "location")
        .reference("effectiveLocationId", "location")
        .reference("itemLevelCallNumberTypeId", "call_number_type")
        .reference("effectiveCallNumberComponents.typeId", "call_number_type")
        .virtual_field(
            "fullCallNumber",
            "carrel.joined(doc#>>'{effectiveCallNumberComponents,prefix}',
                doc#>>'{effectiveCallNumberComponents,callNumber}', doc#>>'{effectiveCallNumberComponents,suffix}')",
        )
        .virtual_field(
            "callNumberAndSuffix",
            "carrel.joined(doc#>>'{effectiveCallNumberComponents,callNumber}',
                doc#>>'{effectiveCallNumberComponents,suffix}')",
        )
        .folded(&["fullCallNumber", "callNumberAndSuffix", "effectiveShelvingOrder"])
        .folded(&["effectiveCallNumberComponents.callNumber", "accessionNumber", "purchaseOrderLineIdentifier"])
        .words(&["effectiveCallNumberComponents.callNumber"])
        .flags(&["discoverySuppress"])
        .alias("materialType", &[("material_type", "id", "materialtypeid")])
        .alias("boundWithParts", &[("bound_with_part", "itemid", "id")])
        .alias("holdingsRecords", &[("holdings_record", "id", "holdingsrecordid")])
        .alias("instance", &[("holdings_record", "id", "holdingsrecordid"), ("instance", "id", "instanceid")])
        .without(&["post", "put"])
        .checked(check)
}

fn check(record: &mut Map<String, Value>) -> Result<(), Refused> {
    note::check_record(record)?;
    let order = record.get("order").and_then(Value::as_i64);
    if order.is_some_and(|order| i32::try_from(order).is_err()) {
        return Err(ORDER_OUT_OF_RANGE.into());
    }
    Ok(())
}
