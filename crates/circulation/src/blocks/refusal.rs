//! What FOLIO says about a block.

refusals::table! {
    /// Blocks of a patron at check-out, renewal and request.
    pub(crate) TABLE: Circulation, "docs/folio/patron-blocks.md";
    BLOCKED_MANUALLY: "Staff have blocked the patron from this action."
        => 422 USER_IS_BLOCKED_MANUALLY "Patron blocked from {action}" [reason];
    BLOCKED_AUTOMATICALLY: "The patron has reached a limit that blocks this action."
        => 422 USER_IS_BLOCKED_AUTOMATICALLY "{message}";
    OVERRIDE_NOT_PERMITTED: "The caller lacks the permission to override the block."
        => 422 INSUFFICIENT_OVERRIDE_PERMISSIONS "Insufficient override permissions";
}
