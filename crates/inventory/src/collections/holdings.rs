//! Holdings records: the copies of an instance at one location (docs/folio/inventory.md#holdings).

use store::collection::{Collection, IndexKind};

use crate::{
    note,
    refusal::{HOLDINGS_OF_ARCHIVES, HRID_TAKEN},
};

pub const HOLDINGS_TABLE: &str = "holdings_record";

const HOLDINGS: &str = "hrid, sourceId*:uuid, instanceId*:uuid, permanentLocationId*:uuid, temporaryLocationId:uuid,
    effectiveLocationId~:uuid, holdingsTypeId:uuid, formerIds[], callNumberTypeId:uuid, callNumberPrefix,
    callNumber, callNumberSuffix, additionalCallNumbers[{typeId:uuid, prefix, callNumber*, suffix}],
    shelvingTitle, copyNumber, numberOfItems, acquisitionFormat, acquisitionMethod, receiptStatus,
    administrativeNotes[], notes[{holdingsNoteTypeId:uuid, note, staffOnly:bool=false}], illPolicyId:uuid,
    retentionPolicy, digitizationPolicy, holdingsStatements[{statement, note, staffNote}],
    holdingsStatementsForIndexes[{statement, note, staffNote}],
    holdingsStatementsForSupplements[{statement, note, staffNote}],
    receivingHistory{displayType, entries[{publicDisplay:bool, enumeration, chronology}]},
    electronicAccess[{uri*, linkText, materialsSpecification, publicNote, relationshipId}],
    discoverySuppress:bool=false, statisticalCodeIds[uuid], tags{tagList[]}, holdingsInstance~:any,
    holdingsItems~:any, bareHoldingsItems~:any, permanentLocation~:any, temporaryLocation~:any, illPolicy~:any";

/// `/holdings-storage/holdings`; [`crate::write`] writes them.
pub fn holdings() -> Collection {
    Collection::new("/holdings-storage/holdings", "holdingsRecords", HOLDINGS_TABLE, HOLDINGS)
        .versioned()
        .with_result_info()
        .upserting()
        .unique_as(&["hrid"], IndexKind::Folded, HRID_TAKEN)
        .constraint("holdings_of_archives", HOLDINGS_OF_ARCHIVES)
        .narrow_reference("instanceId", "instance")
        .reference("permanentLocationId", "location")
        .reference("temporaryLocationId", "location")
        .reference("effectiveLocationId", "location")
        .reference("holdingsTypeId", "holdings_type")
        .reference("callNumberTypeId", "call_number_type")
        .reference("illPolicyId", "ill_policy")
        .reference("sourceId", "holdings_records_source")
        .virtual_field(
            "fullCallNumber",
            "carrel.joined(doc->>'callNumberPrefix', doc->>'callNumber', doc->>'callNumberSuffix')",
        )
        .virtual_field("callNumberAndSuffix", "carrel.joined(doc->>'callNumber', doc->>'callNumberSuffix')")
        .folded(&["callNumber", "fullCallNumber", "callNumberAndSuffix", "metadata.updatedDate"])
        .words(&["callNumber"])
        .flags(&["discoverySuppress"])
        .alias("instance", &[("instance", "id", "instanceid")])
        .alias("item", &[("item", "holdingsrecordid", "id")])
        .alias("effectiveLocation", &[("location", "id", "effectivelocationid")])
        .without(&["post", "put"])
        .checked(|record| note::check_record(record))
}
