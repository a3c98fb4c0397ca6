//! Instances: the descriptions of titles (docs/folio/inventory.md#instances).

use store::collection::{Collection, IndexKind};

use crate::{
    note,
    refusal::{HRID_TAKEN, INSTANCE_OF_ARCHIVES},
};

pub const INSTANCE_TABLE: &str = "instance";

const INSTANCE: &str = "hrid, matchKey, source*, title*, indexTitle, instanceTypeId*:uuid, sourceUri,
    alternativeTitles[{alternativeTitleTypeId:uuid, alternativeTitle, authorityId:uuid, ...}], editions[],
    series[{value*, authorityId:uuid}],
    identifiers[{value*, identifierTypeId*:uuid, identifierTypeObject~:any}],
    contributors[{name*, contributorTypeId:uuid, contributorTypeText, contributorNameTypeId*:uuid,
        authorityId:uuid, contributorNameType~:any, primary:bool}],
    subjects[{value*, authorityId:uuid, sourceId:uuid, typeId:uuid}],
    classifications[{classificationNumber*, classificationTypeId*:uuid, classificationType~:any}],
    publication[{publisher, place, dateOfPublication, role, ...}], publicationFrequency[], publicationRange[],
    publicationPeriod{start:int, end:int},
    electronicAccess[{uri*, linkText, materialsSpecification, publicNote, relationshipId}],
    dates{dateTypeId:uuid, date1<=4, date2<=4}, instanceFormatIds[uuid], instanceFormats~:any,
    physicalDescriptions[], languages[], notes[{instanceNoteTypeId:uuid, note, staffOnly:bool=false}],
    administrativeNotes[], modeOfIssuanceId:uuid, catalogedDate, previouslyHeld:bool=false, staffSuppress:bool=false,
    discoverySuppress:bool=false, deleted:bool=false, statisticalCodeIds[], sourceRecordFormat~, statusId:uuid,
    statusUpdatedDate, tags{tagList[]}, holdingsRecords2~:any, natureOfContentTermIds[uuid]";

/// `/instance-storage/instances`; [`crate::write`] writes them, since HRIDs, locking and the date of a status change
/// need more than a declaration.
pub fn instances() -> Collection {
    Collection::new("/instance-storage/instances", "instances", INSTANCE_TABLE, INSTANCE)
        .versioned()
        .with_result_info()
        .unique_as(&["hrid"], IndexKind::Folded, HRID_TAKEN)
        .unique(&["matchKey"])
        .constraint("instance_of_archives", INSTANCE_OF_ARCHIVES)
        .reference("instanceTypeId", "instance_type")
        .reference("modeOfIssuanceId", "mode_of_issuance")
        .reference("statusId", "instance_status")
        .reference("dates.dateTypeId", "instance_date_type")
        .folded(&["title", "indexTitle", "source", "sourceUri", "metadata.updatedDate"])
        .words(&["title", "contributors", "identifiers"])
        .flags(&["discoverySuppress", "staffSuppress", "deleted"])
        .index(&IndexKind::Elements, &["identifiers"])
        .digits_field("isbn", "carrel.isbns(doc->'identifiers', '8261054f-be78-422d-bd51-4ed9f33c3422')")
        .digits_field("invalidIsbn", "carrel.isbns(doc->'identifiers', 'fcca2643-406a-482a-b760-7a7f8aec640e')")
        .words(&["isbn", "invalidIsbn"])
        .alias("holdingsRecords", &[("holdings_record", "instanceid", "id")])
        .alias("item", &[("holdings_record", "instanceid", "id"), ("item", "holdingsrecordid", "id")])
        .without(&["post", "put", "get"])
        .checked(|record| note::check_record(record))
}
