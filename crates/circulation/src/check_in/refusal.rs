//! Reasons to refuse a check-in, in FOLIO's words.

refusals::table! {
    /// A check-in.
    pub(crate) TABLE: Circulation, "docs/folio/check-in.md#refusals-of-a-check-in";
    /// The token belongs to no user.
    NO_OPERATOR = 422, "No logged-in user present", ["userId"];
    /// The body does not name the item.
    NO_ITEM_BARCODE = 422, "Checkin request must have an item barcode", ["itemBarcode"];
    /// The body does not name a service point.
    NO_SERVICE_POINT = 422, "Checkin request must have a service point id", ["servicePointId"];
    /// The body has no date.
    NO_DATE = 422, "Checkin request must have an check in date", ["checkInDate"];
    /// The resolution of a claim is not one of FOLIO's.
    RESOLUTION_UNKNOWN = 422, "Unrecognized value provided for property", ["claimedReturnedResolution"];
    /// The item has the status Intellectual item.
    INTELLECTUAL_ITEM = 422,
        "{title} ({materialType}) (Barcode: {itemBarcode}) has the item status Intellectual item and cannot be checked in",
        ["itemBarcode"];
    /// The item is claimed returned, and the body does not say how the claim ends.
    CLAIM_NOT_RESOLVED = 422, "Item is claimed returned, a resolution is required to check in", ["claimedReturnedResolution"];
    /// The item was lost but has no loan. The check-in is recorded all the same.
    LOST_WITHOUT_LOAN = 422, "Item is lost however there is no aged to lost nor declared lost loan found", ["itemId"];
    /// The item was lost, but not during its last loan. The check-in is recorded all the same.
    LAST_LOAN_NOT_LOST = 422, "Last loan for lost item is neither aged to lost nor declared lost", ["loanId"];
}
