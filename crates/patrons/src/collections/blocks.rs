//! Manual blocks and their templates, and the conditions and limits of automated blocks (docs/folio/patron-blocks.md).

use store::collection::Collection;

use crate::{block, refusal::NOT_MADE};

pub(super) fn collections() -> Vec<Collection> {
    vec![manual_blocks().with_versioned_ids(), templates().with_versioned_ids(), conditions(), limits()]
}

fn manual_blocks() -> Collection {
    Collection::new(
        "/manualblocks",
        "manualblocks",
        "manualblocks",
        "type, desc*, code, staffInformation, patronMessage, expirationDate:datetime, borrowing:bool, renewals:bool,
         requests:bool, userId*:uuid",
    )
    .loose_reference("userId")
    .not_found("Record Not Found")
    .not_found_at_read("ManualblockObject does not exist")
    .refused_in_general(NOT_MADE)
}

fn templates() -> Collection {
    Collection::new(
        "/manual-block-templates",
        "manualBlockTemplates",
        "manual_block_templates",
        "name*, code, desc, blockTemplate{desc, patronMessage, borrowing:bool, renewals:bool, requests:bool,
         ...}",
    )
    .near_static()
}

/// The conditions ship with FOLIO; only their effects and messages can be changed.
fn conditions() -> Collection {
    Collection::new(
        "/patron-block-conditions",
        "patronBlockConditions",
        "patron_block_conditions",
        "name*, blockBorrowing*:bool, blockRenewals*:bool, blockRequests*:bool, valueType*:(Integer|Double), message,
         ...",
    )
    .with_required_id()
    .folded(&["name"])
    .without(&["post", "delete"])
    .configuration()
    .checked(block::check_condition)
}

fn limits() -> Collection {
    Collection::new(
        "/patron-block-limits",
        "patronBlockLimits",
        "patron_block_limits",
        "patronGroupId*:uuid, conditionId*:uuid, value*:number, ...",
    )
    .with_required_id()
    .broad_loose_reference("patronGroupId")
    .reference("conditionId", "patron_block_conditions")
    .configuration()
    .checked(block::check_limit)
}
