//! Reasons to refuse an action on accounts, in FOLIO's words.

refusals::table! {
    /// Paying, waiving, transferring, refunding and cancelling. The text of a 422 is the `errorMessage` of its body.
    pub(crate) TABLE: Text, "docs/folio/fees-fines.md#refusals-of-actions";
    NO_SUCH_ACCOUNT: "An account does not exist." => 404 "Fee/fine ID {id} not found";
    AMOUNT_INVALID: "The amount is not a number." => 422 "Invalid amount entered";
    AMOUNT_NOT_POSITIVE: "The amount is zero or less." => 422 "Amount must be positive";
    ALREADY_CLOSED: "An account is closed." => 422 "Fee/fine is already closed";
    AMOUNT_EXCEEDS_REMAINING: "The amount is more than all accounts owe."
        => 422 "Requested amount exceeds remaining amount";
    AMOUNT_EXCEEDS_REFUNDABLE: "The amount is more than can be refunded."
        => 422 "Refund amount must be greater than zero and less than or equal to Selected amount";
    CANCELLATION_UNKNOWN: "The payment status for the cancellation is not one of FOLIO's."
        => 422 "Invalid cancellation reason";
}
