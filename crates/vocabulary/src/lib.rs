//! The controlled vocabularies of FOLIO's records that several crates share: the statuses of items, loans,
//! requests and accounts, the last action of a loan. No I/O.

mod account_status;
mod item_status;
mod loan_action;
mod loan_status;
mod named;
mod request_status;

pub use account_status::{AccountStatus, ActualCostStatus, PaymentStatus};
pub use item_status::ItemStatus;
pub use loan_action::LoanAction;
pub use loan_status::LoanStatus;
pub use request_status::RequestStatus;
