//! Reasons to refuse a change of a loan record, in FOLIO's words.

refusals::table! {
    /// A loan record that a client makes or changes.
    pub TABLE: Circulation, "docs/folio/loans.md#loan-records-of-clients";
    /// The loan does not exist.
    NO_SUCH_LOAN = 404, "loan record with ID \"{id}\" cannot be found";
    /// The loan is neither open nor closed.
    STATUS_UNKNOWN = 422, "Loan status must be \"Open\" or \"Closed\"", ["status"];
    /// An open loan names no borrower.
    OPEN_WITHOUT_BORROWER = 422, "Open loan must have a user ID", ["userId"];
    /// The service point of check-in or check-out does not exist.
    NO_SUCH_SERVICE_POINT = 422, "Check {side} Service Point does not exist", ["{member}"];
    /// A closed loan names no service point of its check-in.
    CLOSED_WITHOUT_SERVICE_POINT = 422, "A Closed loan must have a Checkin Service Point", ["checkinServicePointId"];
    /// The item does not exist.
    NO_SUCH_ITEM = 422, "No item with ID {itemId} could be found", ["itemId"];
    /// The item has the status Checked out.
    ALREADY_CHECKED_OUT = 422, "Item is already checked out", ["itemId"];
    /// The item is missing or declared lost.
    STATUS_FORBIDS = 422,
        "{title} ({materialType}) (Barcode: {barcode}) has the item status {status}, loan cannot be created", ["itemId"];
    /// The borrower does not exist.
    NO_SUCH_PATRON = 422, "user is not found", ["userId"];
    /// Another patron is first in the queue.
    REQUESTED_BY_ANOTHER = 422,
        "{title} (Barcode: {barcode}) cannot be checked out to user {patron} because it has been requested by another patron",
        ["userId"];
    /// The item has another open loan.
    OPEN_LOAN_EXISTS = 422, "Cannot have more than one open loan for the same item", ["itemId"];
    /// The due date would change, but the item is lost or claimed returned.
    ITEM_IS_LOST = 422, "item is {status}", ["itemId"];
    /// The loan is closed.
    CLOSED = 422, "Loan is closed", ["loanId"];
    /// Information lacks its text, or its action is unknown.
    NO_INFO = 422, "An action of type patronInfoAdded or staffInfoAdded, with associated actionComment, required in order \
        to add info", ["action"];
    /// The body has no due date.
    NO_DUE_DATE = 422, "A new due date is required in order to change the due date", ["dueDate"];
    /// The body has no date of the claim.
    NO_CLAIM_DATE = 422, "Item claimed returned date is a required field", ["itemClaimedReturnedDateTime"];
}
