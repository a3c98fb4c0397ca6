//! What FOLIO says about a block.

refusals::table! {
    /// Blocks of a patron at check-out, renewal and request.
    pub(crate) TABLE: Circulation, "docs/folio/patron-blocks.md";
    /// Staff have blocked the patron from this action.
    BLOCKED_MANUALLY = 422 USER_IS_BLOCKED_MANUALLY, "Patron blocked from {action}", ["reason"];
    /// The patron has reached a limit that blocks this action.
    BLOCKED_AUTOMATICALLY = 422 USER_IS_BLOCKED_AUTOMATICALLY, "{message}";
    /// The caller lacks the permission to override the block.
    OVERRIDE_NOT_PERMITTED = 422 INSUFFICIENT_OVERRIDE_PERMISSIONS, "Insufficient override permissions";
}
