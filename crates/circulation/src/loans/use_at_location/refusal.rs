//! Reasons to refuse to put an item aside or to hand it out again, in FOLIO's words, which are punctuated differently
//! for each.

refusals::table! {
    /// An item that is used in the library: held, picked up.
    pub(crate) TABLE: Circulation, "docs/folio/use-at-location.md#refusals-of-use-at-a-location";
    HOLD_WITHOUT_ITEM: "The item to hold is not named."
        => 422 "Request to put item on hold shelf must have an item barcode" [itemBarcode];
    PICK_UP_WITHOUT_ITEM: "The item to pick up is not named."
        => 422 "Request to pick up from hold shelf must have an item barcode" [itemBarcode];
    PICK_UP_WITHOUT_USER: "The user who picks up the item is not named."
        => 422 "Request to pick up from hold shelf must have a user barcode" [userBarcode];
    NOT_ENABLED: "Use at location is off." => 400 "For-use-at-location is not enabled for this tenant.";
    HOLD_WITHOUT_LOAN: "The item to hold has no open loan."
        => 400 "No open loan found for the item barcode. ({itemBarcode})";
    PICK_UP_WITHOUT_LOAN: "The item to pick up has no open loan, or another borrower."
        => 400 "No open loan found for item barcode and user  ({itemBarcode} and {userBarcode}).";
    HOLD_OF_OTHER_LOAN: "The item to hold is not on loan for use at location."
        => 400 "The loan is open but is not for use at location., item barcode ({itemBarcode})";
    PICK_UP_OF_OTHER_LOAN: "The item to pick up is not on loan for use at location."
        => 400 "The loan is open but is not for use at location, item barcode ({itemBarcode})";
}
