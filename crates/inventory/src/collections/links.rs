//! Links between records: parts of series, preceding titles, items bound together
//! (docs/folio/inventory-links-and-views.md).

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::Collection;

use crate::refusal::LINK_WITHOUT_INSTANCE;

pub(super) fn collections() -> Vec<Collection> {
    vec![relationships(), titles(), bound_with_parts()]
}

fn relationships() -> Collection {
    Collection::new(
        "/instance-storage/instance-relationships",
        "instanceRelationships",
        "instance_relationship",
        "superInstanceId*:uuid, subInstanceId*:uuid, instanceRelationshipTypeId*:uuid",
    )
    .narrow_reference("superInstanceId", "instance")
    .narrow_reference("subInstanceId", "instance")
    .reference("instanceRelationshipTypeId", "instance_relationship_type")
    .without(&["post", "delete"])
}

pub fn titles() -> Collection {
    Collection::new(
        "/preceding-succeeding-titles",
        "precedingSucceedingTitles",
        "preceding_succeeding_title",
        "precedingInstanceId:uuid, succeedingInstanceId:uuid, title, hrid,
         identifiers[{value*, identifierTypeId*:uuid, identifierTypeObject~:any}]",
    )
    .narrow_reference("precedingInstanceId", "instance")
    .narrow_reference("succeedingInstanceId", "instance")
    .checked(check_title)
}

/// A link between titles needs an instance at one end at least.
fn check_title(record: &mut Map<String, Value>) -> Result<(), Refused> {
    if record.contains_key("precedingInstanceId") || record.contains_key("succeedingInstanceId") {
        return Ok(());
    }
    Err(LINK_WITHOUT_INSTANCE.into())
}

fn bound_with_parts() -> Collection {
    Collection::new(
        "/inventory-storage/bound-with-parts",
        "boundWithParts",
        "bound_with_part",
        "itemId*:uuid, holdingsRecordId*:uuid, ...",
    )
    .unique(&["itemId", "holdingsRecordId"])
    .narrow_reference("itemId", "item")
    .narrow_reference("holdingsRecordId", "holdings_record")
    .alias("item", &[("item", "id", "itemid")])
    .alias("holdingsRecords", &[("holdings_record", "id", "holdingsrecordid")])
}
