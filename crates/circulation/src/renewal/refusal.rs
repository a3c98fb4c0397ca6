//! Reasons to refuse a renewal, in FOLIO's words.

refusals::table! {
    /// A renewal.
    pub(crate) TABLE: Circulation, "docs/folio/renewals.md";
    /// By barcode, the body does not name the item.
    NO_ITEM_BARCODE = 422 RENEWAL_REQUEST_ITEM_BARCODE_REQUIRED, "Renewal request must have an item barcode", ["itemBarcode"];
    /// By barcode, the body does not name the borrower.
    NO_USER_BARCODE = 422 RENEWAL_REQUEST_USER_BARCODE_REQUIRED, "Renewal request must have a user barcode", ["userBarcode"];
    /// By id, the body does not name the item.
    NO_ITEM_ID = 422, "Renewal request must have an item ID", ["itemId"];
    /// By id, the body does not name the borrower.
    NO_USER_ID = 422, "Renewal request must have a user ID", ["userId"];
    /// The id belongs to no item.
    ITEM_ID_NOT_FOUND = 422, "No item with ID {itemId} exists", ["itemId"];
    /// The item has no open loan. FOLIO fails here.
    NO_OPEN_LOAN = 422 ITEM_HAS_NO_OPEN_LOAN, "No open loan found for the item {named}. ({item})", ["{member}"];
    /// The borrower no longer exists.
    USER_NOT_FOUND = 422 USER_NOT_FOUND, "user is not found", ["userId"];
    /// Another user has borrowed the item.
    DIFFERENT_USER = 422 ITEM_CHECKED_OUT_TO_DIFFERENT_USER, "Cannot renew item checked out to different user", ["{member}"];
    /// The borrower is inactive, or the registration has expired.
    USER_INACTIVE = 422 USER_IS_INACTIVE_OR_EXPIRED, "Cannot renew loan when user is inactive or expired", ["reason"];
    /// The record of the borrower does not say whether they are active.
    USER_STATUS_UNKNOWN = 422 USER_STATUS_CANNOT_BE_DETERMINED, "Cannot determine if user is active.", ["reason"];
    /// The loan has reminder fees, and the overdue fine policy does not allow renewals then.
    REMINDERS = 422 RENEWAL_BLOCKED_BY_REMINDER_FEES, "Renewals not allowed for loans with reminders.", ["reason"];
    /// The loan policy does not allow loans.
    NOT_LOANABLE = 422 ITEM_NOT_LOANABLE, "item is not loanable", ["loanPolicyId", "loanPolicyName"];
    /// The loan has been renewed as often as the policy allows.
    LIMIT_REACHED = 422 LOAN_RENEWAL_LIMIT_REACHED, "loan at maximum renewal number", ["loanPolicyId", "loanPolicyName"];
    /// The loan policy does not allow renewals.
    NOT_RENEWABLE = 422 LOAN_NOT_RENEWABLE, "loan is not renewable", ["loanPolicyId", "loanPolicyName"];
    /// A hold is first in the queue, and the policy does not allow renewals then.
    HOLD_WAITS = 422 RENEWAL_BLOCKED_BY_HOLD_REQUEST,
        "Items with this loan policy cannot be renewed when there is an active, pending hold request",
        ["loanPolicyId", "loanPolicyName"];
    /// A hold is first in the queue, and the fixed policy has a renewal period for holds.
    FIXED_WITH_PERIOD_FOR_HOLDS = 422 FIXED_LOAN_POLICY_HAS_ALTERNATE_RENEWAL_PERIOD_FOR_HOLDS,
        "Item's loan policy has fixed profile but alternative renewal period for holds is specified",
        ["loanPolicyId", "loanPolicyName"];
    /// A hold is first in the queue, and the fixed policy has a renewal period.
    FIXED_WITH_PERIOD = 422 FIXED_LOAN_POLICY_HAS_RENEWAL_PERIOD,
        "Item's loan policy has fixed profile but renewal period is specified", ["loanPolicyId", "loanPolicyName"];
    /// The new due date is not later than the current one.
    SAME_DUE_DATE = 422 RENEWAL_WOULD_NOT_CHANGE_DUE_DATE, "renewal would not change the due date",
        ["loanPolicyId", "loanPolicyName"];
    /// The item is recalled.
    RECALLED = 422 RENEWAL_BLOCKED_BY_RECALL, "items cannot be renewed when there is an active recall request", ["requestId"];
    /// The item aged to lost.
    AGED_TO_LOST = 422 ITEM_AGED_TO_LOST_NOT_RENEWABLE, "item is {status}", ["itemId"];
    /// The item is declared lost.
    DECLARED_LOST = 422 ITEM_DECLARED_LOST_NOT_RENEWABLE, "item is {status}", ["itemId"];
    /// The patron claims to have returned the item.
    CLAIMED_RETURNED = 422 ITEM_CLAIMED_RETURNED_NOT_RENEWABLE, "item is Claimed returned", ["itemId"];
    /// A renewal is overridden without a comment.
    OVERRIDE_WITHOUT_COMMENT = 422 OVERRIDE_RENEWAL_COMMENT_REQUIRED, "Override renewal request must have a comment",
        ["comment"];
    /// The override names no due date, and none can be calculated.
    OVERRIDE_WITHOUT_DUE_DATE = 422 OVERRIDE_RENEWAL_DUE_DATE_REQUIRED,
        "New due date must be specified when due date calculation fails", ["dueDate"];
    /// The override names no due date, and the calculated one is not later than the current one.
    OVERRIDE_WITHOUT_LATER_DUE_DATE = 422 OVERRIDE_RENEWAL_DUE_DATE_REQUIRED_WHEN_DUE_DATE_UNCHANGED,
        "New due date is required when renewal would not change the due date", ["dueDate"];
    /// Nothing blocks the renewal to override.
    NOTHING_TO_OVERRIDE = 422 OVERRIDE_RENEWAL_NOT_ALLOWED_FOR_CURRENT_LOAN,
        "Override renewal does not match any of expected cases: item is not loanable, item is not renewable, reached number \
         of renewals limit,renewal date falls outside of the date ranges in the loan policy, items cannot be renewed when \
         there is an active recall request, item is Declared lost, item is Aged to lost, renewal would not change the due \
         date, loan has reminder fees", ["loanPolicyId", "loanPolicyName"];
}
