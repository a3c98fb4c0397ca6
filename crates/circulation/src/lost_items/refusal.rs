//! Reasons to refuse to declare an item lost, to mark it missing or to bill its cost, in FOLIO's words.

refusals::table! {
    /// A lost item.
    pub(crate) TABLE: Circulation, "docs/folio/lost-items.md";
    /// The item is declared lost without a service point.
    NO_SERVICE_POINT = 422, "A service point is required for item to be declared lost", ["servicePointId"];
    /// The date of the loss is not a date.
    NO_DECLARED_DATE = 422, "Text '{declaredLostDateTime}' could not be parsed at index 0", ["declaredLostDateTime"];
    /// The item is declared lost already.
    ALREADY_DECLARED_LOST = 422, "The item is already declared lost", ["itemId"];
    /// The policy charges fees, but the service point of the item's location has no fee/fine owner.
    NO_FEE_OWNER = 422, "No fee/fine owner found for item's permanent location", ["locationId"];
    /// The item is marked missing without a comment.
    NO_COMMENT = 422, "Comment is a required field", ["comment"];
    /// The item that is marked missing is not claimed returned.
    NOT_CLAIMED_RETURNED = 422, "Item is not Claimed returned", ["itemId"];
    /// The library has no note type General.
    NO_GENERAL_NOTE_TYPE = 422, "No General note type found", ["noteTypes"];
}

refusals::table! {
    /// The actual cost of a lost item.
    pub ACTUAL_COSTS: Text, "docs/folio/lost-items.md#actual-costs";
    /// The record does not exist.
    NO_SUCH_RECORD = 422, "ActualCostRecord {id} was not found";
    /// The record is billed, cancelled or expired already.
    NOT_OPEN = 422, "Actual cost record {id} is already {status}";
}
