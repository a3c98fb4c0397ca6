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
    #[must_use]
    pub const fn is_cancelled(self) -> bool {
        matches!(
            self,
            Self::CancelledItemReturned
                | Self::CancelledItemRenewed
                | Self::CancelledItemDeclaredLost
                | Self::CancelledAsError
        )
    }

    /// The patron got something back.
    #[must_use]
    pub const fn is_refunded(self) -> bool {
        matches!(self, Self::RefundedPartially | Self::RefundedFully)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payment_statuses_begin_with_what_was_done() {
        for status in PaymentStatus::ALL {
            assert_eq!(status.is_cancelled(), status.name().starts_with("Cancelled "), "{status}");
            assert_eq!(status.is_refunded(), status.name().starts_with("Refunded "), "{status}");
        }
    }
}
