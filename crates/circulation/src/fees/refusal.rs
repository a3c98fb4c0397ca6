//! Reasons to refuse an action on accounts, in FOLIO's words.

refusals::table! {
    /// Paying, waiving, transferring, refunding and cancelling. The text of a 422 is the `errorMessage` of its body.
    pub(crate) TABLE: Text, "docs/folio/fees-fines.md#refusals-of-actions";
    /// An account does not exist.
    NO_SUCH_ACCOUNT = 404, "Fee/fine ID {id} not found";
    /// The amount is not a number.
    AMOUNT_INVALID = 422, "Invalid amount entered";
    /// The amount is zero or less.
    AMOUNT_NOT_POSITIVE = 422, "Amount must be positive";
    /// An account is closed.
    ALREADY_CLOSED = 422, "Fee/fine is already closed";
    /// The amount is more than all accounts owe.
    AMOUNT_EXCEEDS_REMAINING = 422, "Requested amount exceeds remaining amount";
    /// The amount is more than can be refunded.
    AMOUNT_EXCEEDS_REFUNDABLE = 422,
        "Refund amount must be greater than zero and less than or equal to Selected amount";
    /// The payment status for the cancellation is not one of FOLIO's.
    CANCELLATION_UNKNOWN = 422, "Invalid cancellation reason";
}
