//! The status of a loan.

use crate::named::named;

named! {
    /// Open while the patron has the item; closed once the item was returned, or will not be.
    LoanStatus {
        Open = "Open",
        Closed = "Closed",
    }
}
