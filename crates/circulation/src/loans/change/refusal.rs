//! Reasons to refuse a change of a loan record, in FOLIO's words.

refusals::table! {
    /// A loan record that a client makes or changes.
    pub TABLE: Circulation, "docs/folio/loans.md#loan-records-of-clients";
    NO_SUCH_LOAN: "The loan does not exist." => 404 "loan record with ID \"{id}\" cannot be found";
    STATUS_UNKNOWN: "The loan is neither open nor closed." => 422 "Loan status must be \"Open\" or \"Closed\"" [status];
    OPEN_WITHOUT_BORROWER: "An open loan names no borrower." => 422 "Open loan must have a user ID" [userId];
    NO_SUCH_SERVICE_POINT: "The service point of check-in or check-out does not exist."
        => 422 "Check {side} Service Point does not exist" ["{member}"];
    CLOSED_WITHOUT_SERVICE_POINT: "A closed loan names no service point of its check-in."
        => 422 "A Closed loan must have a Checkin Service Point" [checkinServicePointId];
    NO_SUCH_ITEM: "The item does not exist." => 422 "No item with ID {itemId} could be found" [itemId];
    ALREADY_CHECKED_OUT: "The item has the status Checked out." => 422 "Item is already checked out" [itemId];
    STATUS_FORBIDS: "The item is missing or declared lost."
        => 422 "{title} ({materialType}) (Barcode: {barcode}) has the item status {status}, loan cannot be created"
           [itemId];
    NO_SUCH_PATRON: "The borrower does not exist." => 422 "user is not found" [userId];
    REQUESTED_BY_ANOTHER: "Another patron is first in the queue."
        => 422 "{title} (Barcode: {barcode}) cannot be checked out to user {patron} because it has been requested by \
            another patron" [userId];
    OPEN_LOAN_EXISTS: "The item has another open loan."
        => 422 "Cannot have more than one open loan for the same item" [itemId];
    ITEM_IS_LOST: "The due date would change, but the item is lost or claimed returned."
        => 422 "item is {status}" [itemId];
    CLOSED: "The loan is closed." => 422 "Loan is closed" [loanId];
    NO_INFO: "Information lacks its text, or its action is unknown."
        => 422 "An action of type patronInfoAdded or staffInfoAdded, with associated actionComment, required in order \
            to add info" [action];
    NO_DUE_DATE: "The body has no due date."
        => 422 "A new due date is required in order to change the due date" [dueDate];
    NO_CLAIM_DATE: "The body has no date of the claim."
        => 422 "Item claimed returned date is a required field" [itemClaimedReturnedDateTime];
}
