//! Reasons to refuse to declare an item lost, to mark it missing or to bill its cost, in FOLIO's words.

refusals::table! {
    /// A lost item.
    pub(crate) TABLE: Circulation, "docs/folio/lost-items.md";
    NO_SERVICE_POINT: "The item is declared lost without a service point."
        => 422 "A service point is required for item to be declared lost" [servicePointId];
    NO_DECLARED_DATE: "The date of the loss is not a date."
        => 422 "Text '{declaredLostDateTime}' could not be parsed at index 0" [declaredLostDateTime];
    ALREADY_DECLARED_LOST: "The item is declared lost already." => 422 "The item is already declared lost" [itemId];
    NO_FEE_OWNER: "The policy charges fees, but the service point of the item's location has no fee/fine owner."
        => 422 "No fee/fine owner found for item's permanent location" [locationId];
    NO_COMMENT: "The item is marked missing without a comment." => 422 "Comment is a required field" [comment];
    NOT_CLAIMED_RETURNED: "The item that is marked missing is not claimed returned."
        => 422 "Item is not Claimed returned" [itemId];
    NO_GENERAL_NOTE_TYPE: "The library has no note type General." => 422 "No General note type found" [noteTypes];
}

refusals::table! {
    /// The actual cost of a lost item.
    pub ACTUAL_COSTS: Text, "docs/folio/lost-items.md#actual-costs";
    NO_SUCH_RECORD: "The record does not exist." => 422 "ActualCostRecord {id} was not found";
    LOAN_GONE: "The loan of the record that is billed has been deleted." => 422 "Loan {id} was not found";
    NOT_OPEN: "The record is billed, cancelled or expired already."
        => 422 "Actual cost record {id} is already {status}";
}
