//! Reasons to refuse a renewal, in FOLIO's words.

refusals::table! {
    /// A renewal.
    pub(crate) TABLE: Circulation, "docs/folio/renewals.md";
    NO_ITEM_BARCODE: "By barcode, the body does not name the item."
        => 422 RENEWAL_REQUEST_ITEM_BARCODE_REQUIRED "Renewal request must have an item barcode" [itemBarcode];
    NO_USER_BARCODE: "By barcode, the body does not name the borrower."
        => 422 RENEWAL_REQUEST_USER_BARCODE_REQUIRED "Renewal request must have a user barcode" [userBarcode];
    NO_ITEM_ID: "By id, the body does not name the item." => 422 "Renewal request must have an item ID" [itemId];
    NO_USER_ID: "By id, the body does not name the borrower." => 422 "Renewal request must have a user ID" [userId];
    ITEM_ID_NOT_FOUND: "The id belongs to no item." => 422 "No item with ID {itemId} exists" [itemId];
    NO_OPEN_LOAN: "The item has no open loan. FOLIO fails here."
        => 422 ITEM_HAS_NO_OPEN_LOAN "No open loan found for the item {named}. ({item})" ["{member}"];
    USER_NOT_FOUND: "The borrower no longer exists." => 422 USER_NOT_FOUND "user is not found" [userId];
    DIFFERENT_USER: "Another user has borrowed the item."
        => 422 ITEM_CHECKED_OUT_TO_DIFFERENT_USER "Cannot renew item checked out to different user" ["{member}"];
    USER_INACTIVE: "The borrower is inactive, or the registration has expired."
        => 422 USER_IS_INACTIVE_OR_EXPIRED "Cannot renew loan when user is inactive or expired" [reason];
    USER_STATUS_UNKNOWN: "The record of the borrower does not say whether they are active."
        => 422 USER_STATUS_CANNOT_BE_DETERMINED "Cannot determine if user is active." [reason];
    REMINDERS: "The loan has reminder fees, and the overdue fine policy does not allow renewals then."
        => 422 RENEWAL_BLOCKED_BY_REMINDER_FEES "Renewals not allowed for loans with reminders." [reason];
    NOT_LOANABLE: "The loan policy does not allow loans."
        => 422 ITEM_NOT_LOANABLE "item is not loanable" [loanPolicyId, loanPolicyName];
    LIMIT_REACHED: "The loan has been renewed as often as the policy allows."
        => 422 LOAN_RENEWAL_LIMIT_REACHED "loan at maximum renewal number" [loanPolicyId, loanPolicyName];
    NOT_RENEWABLE: "The loan policy does not allow renewals."
        => 422 LOAN_NOT_RENEWABLE "loan is not renewable" [loanPolicyId, loanPolicyName];
    HOLD_WAITS: "A hold is first in the queue, and the policy does not allow renewals then."
        => 422 RENEWAL_BLOCKED_BY_HOLD_REQUEST
           "Items with this loan policy cannot be renewed when there is an active, pending hold request"
           [loanPolicyId, loanPolicyName];
    FIXED_WITH_PERIOD_FOR_HOLDS: "A hold is first in the queue, and the fixed policy has a renewal period for holds."
        => 422 FIXED_LOAN_POLICY_HAS_ALTERNATE_RENEWAL_PERIOD_FOR_HOLDS
           "Item's loan policy has fixed profile but alternative renewal period for holds is specified"
           [loanPolicyId, loanPolicyName];
    FIXED_WITH_PERIOD: "A hold is first in the queue, and the fixed policy has a renewal period."
        => 422 FIXED_LOAN_POLICY_HAS_RENEWAL_PERIOD
           "Item's loan policy has fixed profile but renewal period is specified" [loanPolicyId, loanPolicyName];
    SAME_DUE_DATE: "The new due date is not later than the current one."
        => 422 RENEWAL_WOULD_NOT_CHANGE_DUE_DATE "renewal would not change the due date" [loanPolicyId, loanPolicyName];
    RECALLED: "The item is recalled."
        => 422 RENEWAL_BLOCKED_BY_RECALL "items cannot be renewed when there is an active recall request" [requestId];
    AGED_TO_LOST: "The item aged to lost." => 422 ITEM_AGED_TO_LOST_NOT_RENEWABLE "item is {status}" [itemId];
    DECLARED_LOST: "The item is declared lost." => 422 ITEM_DECLARED_LOST_NOT_RENEWABLE "item is {status}" [itemId];
    CLAIMED_RETURNED: "The patron claims to have returned the item."
        => 422 ITEM_CLAIMED_RETURNED_NOT_RENEWABLE "item is Claimed returned" [itemId];
    OVERRIDE_WITHOUT_COMMENT: "A renewal is overridden without a comment."
        => 422 OVERRIDE_RENEWAL_COMMENT_REQUIRED "Override renewal request must have a comment" [comment];
    OVERRIDE_WITHOUT_DUE_DATE: "The override names no due date, and none can be calculated."
        => 422 OVERRIDE_RENEWAL_DUE_DATE_REQUIRED "New due date must be specified when due date calculation fails"
           [dueDate];
    OVERRIDE_WITHOUT_LATER_DUE_DATE: "The override names no due date, and the calculated one is not later than the \
        current one."
        => 422 OVERRIDE_RENEWAL_DUE_DATE_REQUIRED_WHEN_DUE_DATE_UNCHANGED
           "New due date is required when renewal would not change the due date" [dueDate];
    NOTHING_TO_OVERRIDE: "Nothing blocks the renewal to override."
        => 422 OVERRIDE_RENEWAL_NOT_ALLOWED_FOR_CURRENT_LOAN
           "Override renewal does not match any of expected cases: item is not loanable, item is not renewable, reached \
            number of renewals limit,renewal date falls outside of the date ranges in the loan policy, items cannot be \
            renewed when there is an active recall request, item is Declared lost, item is Aged to lost, renewal would \
            not change the due date, loan has reminder fees" [loanPolicyId, loanPolicyName];
}
