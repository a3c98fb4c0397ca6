//! The statuses of accounts, and of the records of actual costs that become accounts.

use crate::named::named;

named! {
    /// Open until the fee is paid, waived, transferred or cancelled.
    AccountStatus {
        Open = "Open",
        Closed = "Closed",
    }
}

named! {
    /// What the last action left of an account; also the type of that action, in the order of mod-feesfines.
    PaymentStatus {
        Outstanding = "Outstanding",
        PaidPartially = "Paid partially",
        PaidFully = "Paid fully",
        WaivedPartially = "Waived partially",
        WaivedFully = "Waived fully",
        TransferredPartially = "Transferred partially",
        TransferredFully = "Transferred fully",
        RefundedPartially = "Refunded partially",
        RefundedFully = "Refunded fully",
        CreditedFully = "Credited fully",
        CreditedPartially = "Credited partially",
        CancelledItemReturned = "Cancelled item returned",
        CancelledItemRenewed = "Cancelled item renewed",
        CancelledItemDeclaredLost = "Cancelled item declared lost",
        CancelledAsError = "Cancelled as error",
        SuspendedClaimReturned = "Suspended claim returned",
    }
}

impl PaymentStatus {
    /// The charge was cancelled, for any reason.
    pub fn is_cancelled(self) -> bool {
        self.name().starts_with("Cancelled ")
    }

    /// The patron got something back.
    pub fn is_refunded(self) -> bool {
        self.name().starts_with("Refunded ")
    }
}

named! {
    /// Whether staff have decided on the actual cost of a lost item.
    ActualCostStatus {
        Open = "Open",
        Billed = "Billed",
        Cancelled = "Cancelled",
        Expired = "Expired",
    }
}
