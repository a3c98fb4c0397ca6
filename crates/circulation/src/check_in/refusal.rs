//! Reasons to refuse a check-in, in FOLIO's words.

refusals::table! {
    /// A check-in.
    pub(crate) TABLE: Circulation, "docs/folio/check-in.md#refusals-of-a-check-in";
    NO_OPERATOR: "The token belongs to no user." => 422 "No logged-in user present" [userId];
    NO_ITEM_BARCODE: "The body does not name the item."
        => 422 "Checkin request must have an item barcode" [itemBarcode];
    NO_SERVICE_POINT: "The body does not name a service point."
        => 422 "Checkin request must have a service point id" [servicePointId];
    NO_DATE: "The body has no date." => 422 "Checkin request must have an check in date" [checkInDate];
    RESOLUTION_UNKNOWN: "The resolution of a claim is not one of FOLIO's."
        => 422 "Unrecognized value provided for property" [claimedReturnedResolution];
    INTELLECTUAL_ITEM: "The item has the status Intellectual item."
        => 422 "{title} ({materialType}) (Barcode: {itemBarcode}) has the item status Intellectual item and cannot be \
            checked in" [itemBarcode];
    CLAIM_NOT_RESOLVED: "The item is claimed returned, and the body does not say how the claim ends."
        => 422 "Item is claimed returned, a resolution is required to check in" [claimedReturnedResolution];
    LOST_WITHOUT_LOAN: "The item was lost but has no loan. The check-in is recorded all the same."
        => 422 "Item is lost however there is no aged to lost nor declared lost loan found" [itemId];
    LAST_LOAN_NOT_LOST: "The item was lost, but not during its last loan. The check-in is recorded all the same."
        => 422 "Last loan for lost item is neither aged to lost nor declared lost" [loanId];
}
