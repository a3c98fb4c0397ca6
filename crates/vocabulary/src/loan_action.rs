//! The last thing done to a loan.

use crate::named::named;

named! {
    /// The `action` of a loan; each is a line of its history (docs/folio/loans.md#actions).
    LoanAction {
        CheckedOut = "checkedout",
        CheckedOutThroughOverride = "checkedOutThroughOverride",
        CheckedIn = "checkedin",
        CheckedInReturnedByPatron = "checkedInReturnedByPatron",
        CheckedInFoundByLibrary = "checkedInFoundByLibrary",
        Renewed = "renewed",
        RenewedThroughOverride = "renewedThroughOverride",
        DueDateChanged = "dueDateChanged",
        RecallRequested = "recallrequested",
        HoldRequested = "holdrequested",
        DeclaredLost = "declaredLost",
        ClaimedReturned = "claimedReturned",
        MarkedMissing = "markedMissing",
        ClosedLoan = "closedLoan",
        ItemAgedToLost = "itemAgedToLost",
        PatronInfoAdded = "patronInfoAdded",
        StaffInfoAdded = "staffInfoAdded",
        ReminderFee = "reminderFee",
        HeldForUseAtLocation = "heldForUseAtLocation",
        PickedUpForUseAtLocation = "pickedUpForUseAtLocation",
    }
}

impl LoanAction {
    /// Its loan was renewed, with or without an override.
    pub const fn is_renewal(self) -> bool {
        matches!(self, Self::Renewed | Self::RenewedThroughOverride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renewals_begin_with_their_name() {
        for action in LoanAction::ALL {
            assert_eq!(action.is_renewal(), action.name().starts_with("renewed"), "{action}");
        }
    }
}
